/** Minutes in which much happens at once: kills between any two writes and requests, outages, mutes and edits of the watchlist. */
import { SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { LedgerRow, Market } from '../world/world.js';
import { HOSTILE } from './hostile.js';
import { PLATFORMS, PROJECTS, unusedIn, type Ask, type Kind, type Scenario, type Timed } from './scenario.js';

const LENGTH = 75 * SECOND;
const FIRST_AMOUNT = 101;
const MAX_ROWS = 900;
const LEDGERS = ['supply', 'supply', 'movements'] as const;
/** Where rows come in crowds. */
const CROWD = 14;

export function minutes(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 12) + random.whole(0, 59) * SECOND;
  const calm = start + LENGTH;
  const moment = (part = 1): number => start + random.whole(0, LENGTH * part);
  const chats = Array.from({ length: random.whole(1, 3) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const isSaturated = random.chance(0.15);
  const rows = rowsOf(random, { moment, isSaturated });
  const markets = random.chance(0.6) ? [marketOf(random, start)] : [];
  const processes = random.chance(0.15) ? 2 : 1;
  return {
    seed,
    profile: 'minutes',
    start,
    calm,
    ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    pollSeconds: 15,
    tickSeconds: 1,
    requestsPerMonth: undefined,
    faultRates: { service: random.pick([0, 0, 0.05]), platform: random.pick([0, 0.1, 0.2]) },
    slowestAnswer: 80,
    processes,
    world: { projects: PROJECTS, rows, markets, values: [], holdings: [], launches: [], growth: [], tranches: [], navs: [] },
    chats,
    steps: [
      ...chats.flatMap((chat) => asksOf(chat, random, { calm, moment, isSaturated, unused: unusedIn(seed, { rows, markets }) })),
      ...troublesOf(random, { chats, calm, moment }),
      ...kills(random, { rows, calm, moment, isShared: processes === 2 }),
    ].toSorted((a, b) => a.at - b.at),
  };
}

type Moment = (part?: number) => number;

function rowsOf(random: Random, { moment, isSaturated }: { moment: Moment; isSaturated: boolean }): readonly LedgerRow[] {
  const rows: LedgerRow[] = [];
  let left = isSaturated ? random.whole(12, 40) : random.whole(2, 7);
  while (left > 0) {
    // Alone, or several within moments.
    const at = moment(0.95);
    const [project, ledger] = [random.pick(PROJECTS), random.pick(LEDGERS)];
    const crowd = isSaturated ? random.whole(2, CROWD) : random.chance(0.7) ? 1 : random.whole(2, 4);
    for (let count = Math.min(crowd, left); count > 0; count -= 1) {
      left -= 1;
      const own = at + random.whole(0, 3_000);
      rows.push({
        // Of a crowd, few are alike.
        ...(isSaturated && random.chance(0.7) ? { ledger: random.pick(LEDGERS), project: random.pick(PROJECTS) } : { ledger, project }),
        amount: FIRST_AMOUNT + (rows.length % MAX_ROWS),
        direction: random.pick(['in', 'out'] as const),
        usd: random.pick([500, 20_000, 20_000, 60_000]),
        ...{ at: own, shownAt: own + (random.chance(0.3) ? random.whole(0, 20_000) : 0) },
      });
    }
  }
  return rows;
}

/** Long enough for several edits at its stages. */
function marketOf(random: Random, start: number): Market {
  const createdAt = start + random.whole(-20, 5) * SECOND;
  const liveAt = start + random.whole(8, 20) * SECOND;
  const endsAt = liveAt + random.whole(18, 34) * SECOND;
  return {
    project: random.pick(PROJECTS),
    title: 'Market 1',
    createdAt,
    liveAt,
    endsAt,
    result: random.pick(['passed', 'failed'] as const),
  };
}

function asksOf(
  chat: Address,
  random: Random,
  { calm, moment, isSaturated, unused }: { calm: number; moment: Moment; isSaturated: boolean; unused: readonly Kind[] },
): readonly Timed[] {
  const project = isSaturated ? 'all' : random.pick([...PROJECTS, ...PROJECTS, 'all'] as const);
  const at = moment(0.25);
  const asked: Timed[] = [];
  const ask = (when: number, what: Ask): number => asked.push({ kind: 'ask', chat, at: Math.min(calm, when), ask: what });
  ask(at, random.chance(0.1) ? { kind: 'import', projects: PROJECTS } : { kind: 'watch', project });
  for (const feed of unused) ask(at, { kind: 'mode', project, feed, on: false });
  if (random.chance(0.3)) ask(at + random.whole(1, 60) * SECOND, { kind: 'preset', project, preset: 'everything' });
  if (random.chance(0.2)) ask(at + random.whole(1, 60) * SECOND, { kind: 'filter', project, usd: random.pick([400, 30_000]) });
  if (random.chance(0.15)) {
    const feed = random.pick(['supply', 'movements'] as const);
    const off = at + random.whole(1, 40) * SECOND;
    ask(off, { kind: 'mode', project, feed, on: false });
    if (random.chance(0.5)) ask(off + random.whole(1, 20) * SECOND, { kind: 'mode', project, feed, on: true });
  }
  if (random.chance(0.2)) {
    const unwatch = at + random.whole(10, 60) * SECOND;
    ask(unwatch, { kind: 'unwatch', project });
    if (random.chance(0.3)) ask(unwatch + random.whole(1, 20) * SECOND, { kind: 'watch', project });
  }
  if (random.chance(0.3)) {
    const mute = moment();
    ask(mute, { kind: 'mute', minutes: random.pick([0.25, 0.5, 1]) });
    if (random.chance(0.3)) ask(mute + random.whole(1, 20) * SECOND, { kind: 'unmute' });
  }
  if (random.chance(0.25)) ask(moment(), { kind: 'hostile', line: random.pick(HOSTILE) });
  return asked;
}

function troublesOf(
  random: Random,
  { chats, calm, moment }: { readonly chats: readonly Address[]; readonly calm: number; readonly moment: Moment },
): readonly Timed[] {
  const steps: Timed[] = [];
  const between = (make: (isBegin: boolean) => Timed, longest: number): void => {
    const at = moment(0.8);
    steps.push({ ...make(true), at }, { ...make(false), at: Math.min(calm, at + random.whole(1, longest) * SECOND) });
  };
  if (random.chance(0.25)) between((down) => ({ kind: 'service', down, at: 0 }), 25);
  if (random.chance(0.1)) between((failing) => ({ kind: 'disk', failing, at: 0 }), 8);
  for (const name of PLATFORMS) {
    if (!random.chance(0.25)) continue;
    const trouble = random.pick(['limited', 'unreachable'] as const);
    between((isBegin) => ({ kind: 'platform', name, trouble: isBegin ? trouble : undefined, at: 0 }), 25);
  }
  if (random.chance(0.12)) {
    const chat = random.pick(chats);
    if (random.chance(0.4)) steps.push({ kind: 'chat', chat, becomes: 'moved', at: moment() });
    else {
      const at = moment(0.8);
      steps.push({ kind: 'chat', chat, becomes: 'gone', at });
      if (random.chance(0.8)) steps.push({ kind: 'chat', chat, becomes: 'member', at: Math.min(calm, at + random.whole(5, 40) * SECOND) });
    }
  }
  if (random.chance(0.08)) steps.push({ kind: 'clock', jump: random.pick([-90, -20, 20, 90]) * SECOND, at: moment() });
  if (random.chance(0.15)) steps.push({ kind: 'delete', chat: random.pick(chats), at: moment() });
  return steps;
}

interface KillTimes {
  readonly rows: readonly LedgerRow[];
  readonly calm: number;
  readonly moment: Moment;
  readonly isShared: boolean;
}

function kills(random: Random, { rows, calm, moment, isShared }: KillTimes): readonly Timed[] {
  return Array.from({ length: random.whole(isShared ? 1 : 0, 3) }, () => {
    // Most of them where something is under way: from the check that finds a row until it is delivered.
    const at = random.chance(0.8) ? (rows.length === 0 ? moment() : random.pick(rows).shownAt + random.whole(0, 22_000)) : moment();
    const kind = random.chance(0.75) ? ('kill' as const) : ('stop' as const);
    return { kind, down: random.whole(0, 10_000), after: random.whole(0, 12), at: Math.min(calm, at) };
  });
}

const TOKENS = ['USDC', 'TIDE', 'unknown'] as const;

/** Its movements are of several tokens, of which each chat filters one for some time. */
export function withTokens(scenario: Scenario, random: Random): Scenario {
  const { world, steps } = scenario;
  const rows = world.rows.map((row) => (random.chance(0.8) ? { ...row, ledger: 'movements' as const, token: random.pick(TOKENS) } : row));
  const filters = steps.flatMap((step): readonly Timed[] => {
    if (step.kind !== 'ask' || step.ask.kind !== 'watch') return [];
    const at = step.at + random.whole(0, 15) * SECOND;
    return [
      {
        kind: 'ask',
        chat: step.chat,
        at: Math.min(scenario.calm, at),
        ask: { kind: 'token', project: step.ask.project, token: random.pick(['USDC', 'TIDE']) },
      },
    ];
  });
  const isOff = (step: Timed): boolean => step.kind === 'ask' && step.ask.kind === 'mode' && step.ask.feed === 'movements';
  return {
    ...scenario,
    world: { ...world, rows },
    steps: [...steps.filter((step) => !isOff(step)), ...filters].toSorted((a, b) => a.at - b.at),
  };
}
