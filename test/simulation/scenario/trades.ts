/** Minutes in which single trades of a live market are made, and chats have a rule on their size: trades above it, below it, at it, and from before it. */
import { SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { Market, Trade } from '../world/world.js';
import { PLATFORMS, PROJECTS, type Ask, type Kind, type Scenario, type Timed } from './scenario.js';

const LENGTH = 150 * SECOND;
const [PROJECT] = PROJECTS;
const KEY = 'j3TNPhPFwWpMA37Vmd6jgv99rZgYUAN2teNAtLN3XSg';
/** Sizes that rules have. A trade of just so much is not above. */
const SIZES = [10_000, 40_000] as const;
/** Trades of a kind are further apart than a text rounds. */
const APART = 100;
/** Most requests would be for kinds of which nothing happens. */
const UNUSED: readonly Kind[] = ['launches', 'supply', 'movements', 'growth', 'premium', 'treasury', 'vesting'];

interface Span {
  readonly start: number;
  readonly calm: number;
}

export function trades(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 12) + random.whole(0, 59) * SECOND;
  const span: Span = { start, calm: start + LENGTH };
  const chats = Array.from({ length: random.whole(1, 2) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const market = marketOf(random, span);
  const processes = random.chance(0.2) ? 2 : 1;
  return {
    seed,
    profile: 'trades',
    ...span,
    ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    pollSeconds: 15,
    tickSeconds: 1,
    requestsPerMonth: undefined,
    faultRates: { service: random.pick([0, 0, 0.05]), platform: random.pick([0, 0.1, 0.2]) },
    slowestAnswer: 80,
    processes,
    world: {
      ...{ projects: [PROJECT], rows: [], markets: [market], values: [], holdings: [] },
      ...{ launches: [], growth: [], tranches: [], navs: [] },
    },
    chats,
    steps: [
      ...chats.flatMap((chat) => asksOf(chat, random, span)),
      ...killsOf(random, { ...span, market, isShared: processes === 2 }),
      ...troublesOf(random, { ...span, chats }),
    ].toSorted((a, b) => a.at - b.at),
  };
}

/** In some seeds it ends while trades are still alerted. */
function marketOf(random: Random, { start, calm }: Span): Market {
  const liveAt = start + random.whole(-40, 30) * SECOND;
  const times = {
    createdAt: liveAt - 60 * SECOND,
    liveAt,
    endsAt: random.chance(0.25) ? start + random.whole(90, 150) * SECOND : calm + LENGTH * 8,
  };
  return { ...{ project: PROJECT, title: 'Market 1', key: KEY, result: 'passed' }, ...times, trades: tradesOf(random, times, calm) };
}

/** Alone, or several within moments; some before the rule. */
function tradesOf(random: Random, { liveAt, endsAt }: Pick<Market, 'liveAt' | 'endsAt'>, calm: number): readonly Trade[] {
  const made: Trade[] = [];
  const last = Math.min(endsAt, calm);
  for (let left = random.whole(5, 11); left > 0; left -= 1) {
    const at = random.whole(liveAt, last);
    for (let count = random.chance(0.7) ? 1 : random.whole(2, 4); count > 0; count -= 1) {
      const usd = sizeOf(random, made.length);
      const own = at + random.whole(0, 3_000);
      if (!made.some((one) => one.usd === usd || one.at === own))
        made.push({ usd, at: own, shownAt: own + (random.chance(0.25) ? random.whole(0, 20_000) : 0) });
    }
  }
  return made.toSorted((a, b) => a.at - b.at);
}

const sizeOf = (random: Random, index: number): number =>
  random.pick([...SIZES, ...[1_000, 20_100, 20_100, 60_100].map((least) => least + index * APART)]);

function asksOf(chat: Address, random: Random, { start, calm }: Span): readonly Timed[] {
  const asked: Timed[] = [];
  const ask = (at: number, what: Ask): number => asked.push({ kind: 'ask', chat, at: Math.min(calm, at), ask: what });
  const at = start + random.whole(1, 8) * SECOND;
  const ruledAt = at + random.pick([0, 0, 5, 30]) * SECOND;
  ask(at, { kind: 'watch', project: PROJECT });
  for (const feed of UNUSED) ask(at, { kind: 'mode', project: PROJECT, feed, on: false });
  ask(ruledAt, { kind: 'trade', project: PROJECT, usd: random.pick(SIZES) });
  if (random.chance(0.2)) ask(ruledAt + random.whole(5, 80) * SECOND, { kind: 'mute', minutes: random.pick([0.25, 0.5, 1]) });
  if (random.chance(0.1)) ask(ruledAt + random.whole(30, 110) * SECOND, { kind: 'unwatch', project: PROJECT });
  return asked;
}

/** Most of them from the check that finds a trade until it is delivered. */
function killsOf(
  random: Random,
  { start, calm, market, isShared }: Span & { readonly market: Market; readonly isShared: boolean },
): readonly Timed[] {
  const kills = Array.from({ length: random.whole(isShared ? 1 : 0, 3) }, (): Timed => {
    const { shownAt } = random.pick(market.trades ?? []);
    const at = random.chance(0.8) ? shownAt + random.whole(0, 20_000) : start + random.whole(0, LENGTH);
    const kind = random.chance(0.75) ? 'kill' : 'stop';
    return { kind, down: random.whole(0, 10_000), after: random.whole(0, 12), at: Math.min(calm, Math.max(start, at)) };
  });
  if (!isShared || random.chance(0.5)) return kills;
  // Longer than a lease, so that the standby takes over.
  return [...kills, { kind: 'pause', for: random.whole(2_000, 40_000), at: start + random.whole(20, 120) * SECOND }];
}

function troublesOf(random: Random, { start, calm, chats }: Span & { readonly chats: readonly Address[] }): readonly Timed[] {
  const steps: Timed[] = [];
  const between = (make: (isBegin: boolean) => Timed, longest: number): void => {
    const at = start + random.whole(10, 120) * SECOND;
    steps.push({ ...make(true), at }, { ...make(false), at: Math.min(calm, at + random.whole(1, longest) * SECOND) });
  };
  if (random.chance(0.2)) between((down) => ({ kind: 'service', down, at: 0 }), 25);
  if (random.chance(0.1)) between((failing) => ({ kind: 'disk', failing, at: 0 }), 8);
  for (const name of PLATFORMS) {
    if (!random.chance(0.15)) continue;
    const trouble = random.pick(['limited', 'unreachable'] as const);
    between((isBegin) => ({ kind: 'platform', name, trouble: isBegin ? trouble : undefined, at: 0 }), 25);
  }
  const chat = random.pick(chats);
  if (random.chance(0.25)) between((isBegin) => ({ kind: 'chat', chat, becomes: isBegin ? 'gone' : 'member', at: 0 }), 40);
  return steps;
}
