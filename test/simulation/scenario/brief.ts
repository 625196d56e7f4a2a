/** Half a minute in one or two chats of one project, with two or three faults in every seed: `npm test` plays hundreds. */
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { LedgerRow } from '../world/world.js';
import { PLATFORMS, PROJECTS, type Ask, type Kind, type Scenario, type Timed } from './scenario.js';

const LENGTH = 40 * SECOND;
const FIRST_AMOUNT = 101;
/** Most requests would be for kinds of which nothing happens. */
const UNUSED: readonly Kind[] = ['launches', 'proposals', 'growth', 'premium', 'treasury', 'vesting'];
const [PROJECT] = PROJECTS;

interface Span {
  readonly start: number;
  readonly calm: number;
}

export function brief(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 12) + random.whole(0, 59) * SECOND;
  const span: Span = { start, calm: start + LENGTH };
  const chats = Array.from({ length: random.whole(1, 2) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const rows = rowsOf(random, span);
  const processes = random.chance(0.15) ? 2 : 1;
  const off = [...UNUSED, ...(rows.some(({ ledger }) => ledger === 'movements') ? [] : ['movements' as const])];
  const faults = Array.from({ length: random.whole(2, 3) }, () => faultOf(random, { ...span, chats, rows, isShared: processes === 2 }));
  const steps = chats.flatMap((chat) => asksOf(chat, random, { ...span, off }));
  return {
    seed,
    profile: 'brief',
    ...span,
    ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    pollSeconds: 15,
    tickSeconds: 1,
    requestsPerMonth: undefined,
    faultRates: { service: random.pick([0, 0, 0.1]), platform: random.pick([0, 0.2, 0.3]) },
    slowestAnswer: 80,
    processes,
    world: { projects: [PROJECT], rows, markets: [], values: [], holdings: [], launches: [], growth: [], tranches: [], navs: [] },
    chats,
    steps: [...steps, ...movedOnce(faults.flat())].toSorted((a, b) => a.at - b.at),
  };
}

/** The first ones when the watch has begun. */
function rowsOf(random: Random, { start }: Span): readonly LedgerRow[] {
  return Array.from({ length: random.whole(2, 5) }, (_, index) => {
    const at = start + random.whole(6 * SECOND, LENGTH);
    const shownAt = at + (random.chance(0.3) ? random.whole(0, 10_000) : 0);
    const restated = random.chance(0.15)
      ? {
          at: shownAt + random.whole(20 * SECOND, 50 * SECOND),
          to: random.chance(0.5) ? ('removed' as const) : at + random.whole(1, 9) * MINUTE,
        }
      : undefined;
    return {
      ...{ ledger: random.pick(['supply', 'supply', 'supply', 'movements'] as const), project: PROJECT, amount: FIRST_AMOUNT + index },
      ...{ direction: random.pick(['in', 'out'] as const), usd: random.pick([500, 20_000, 20_000]) },
      ...{ at, shownAt, ...(restated && { restated }) },
    };
  });
}

function asksOf(chat: Address, random: Random, { start, calm, off }: Span & { readonly off: readonly Kind[] }): readonly Timed[] {
  const ask = (at: number, what: Ask): Timed => ({ kind: 'ask', chat, at: Math.min(calm, at), ask: what });
  const at = start + random.whole(SECOND, 4 * SECOND);
  const after = (): number => at + random.whole(SECOND, LENGTH - 5 * SECOND);
  const asked = [ask(at, { kind: 'import', projects: [PROJECT], off })];
  const more = random.whole(0, 9);
  if (more === 0) asked.push(ask(after(), { kind: 'filter', project: PROJECT, usd: random.pick([400, 30_000]) }));
  if (more === 1) asked.push(ask(after(), { kind: 'mode', project: PROJECT, feed: 'supply', on: false }));
  if (more === 2) asked.push(ask(after(), { kind: 'unwatch', project: PROJECT }));
  if (more === 3 || more === 4) asked.push(ask(after(), { kind: 'mute', minutes: random.pick([0.25, 0.5]) }));
  return asked;
}

interface FaultTimes extends Span {
  readonly chats: readonly Address[];
  readonly rows: readonly LedgerRow[];
  readonly isShared: boolean;
}

function faultOf(random: Random, { start, calm, chats, rows, isShared }: FaultTimes): readonly Timed[] {
  const moment = (part = 1): number => start + random.whole(5 * SECOND, LENGTH * part);
  const until = (from: number, longest: number): number => Math.min(calm, from + random.whole(1, longest) * SECOND);
  const from = moment(0.8);
  switch (random.pick(['process', 'process', 'process', 'pause', 'service', 'disk', 'platform', 'chat', 'clock'] as const)) {
    case 'process': {
      // From the check that finds a row until it is delivered.
      const at = Math.min(calm, random.pick(rows).shownAt + random.whole(0, 20_000));
      const kind = random.chance(0.75) ? ('kill' as const) : ('stop' as const);
      return [{ kind, down: random.whole(0, 6_000), after: random.whole(0, 12), at }];
    }
    case 'pause':
      // Longer than a lease, where another process can take over.
      return [{ kind: 'pause', for: random.whole(2_000, isShared ? 40_000 : 20_000), at: from }];
    case 'service':
      return pair((down) => ({ kind: 'service', down, at: 0 }), from, until(from, 15));
    case 'disk':
      return pair((failing) => ({ kind: 'disk', failing, at: 0 }), from, until(from, 8));
    case 'platform': {
      const [name, trouble] = [random.pick(PLATFORMS), random.pick(['limited', 'unreachable'] as const)];
      return pair((isBegin) => ({ kind: 'platform', name, trouble: isBegin ? trouble : undefined, at: 0 }), from, until(from, 15));
    }
    case 'chat': {
      const chat = random.pick(chats);
      if (random.chance(0.4)) return [{ kind: 'chat', chat, becomes: 'moved', at: from }];
      return pair((isBegin) => ({ kind: 'chat', chat, becomes: isBegin ? 'gone' : 'member', at: 0 }), from, until(from, 20));
    }
    case 'clock':
      return [{ kind: 'clock', jump: random.pick([-90, -20, 20, 90]) * SECOND, at: from }];
  }
}

/** A group becomes a supergroup only once. */
const movedOnce = (steps: readonly Timed[]): readonly Timed[] =>
  steps.filter(
    (step, index) =>
      step.kind !== 'chat' ||
      step.becomes !== 'moved' ||
      !steps.slice(0, index).some((one) => one.kind === 'chat' && one.becomes === 'moved' && one.chat === step.chat),
  );

const pair = (make: (isBegin: boolean) => Timed, from: number, to: number): readonly Timed[] => [
  { ...make(true), at: from },
  { ...make(false), at: to },
];
