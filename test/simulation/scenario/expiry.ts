/** A chat that cannot be reached for longer than its entry lets alerts become old: an hour, the shortest maximum age that can be set. */
import { HOUR, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { LedgerRow } from '../world/world.js';
import { PLATFORMS, unusedIn, type Ask, type Scenario, type Timed } from './scenario.js';

const LENGTH = 8 * HOUR;
const PROJECT = 'tide';

export function expiry(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 3) + random.whole(0, 59) * MINUTE;
  const calm = start + LENGTH;
  const chats = PLATFORMS.slice(0, random.whole(1, 2)).map((name, index) => address(name, `chat-${index}`));
  const [chat] = chats;
  const from = start + random.whole(60, 120) * MINUTE;
  const to = from + random.whole(80, 220) * MINUTE;
  const row = (at: number, index: number): LedgerRow => ({
    ...{ ledger: random.pick(['supply', 'supply', 'movements'] as const), project: PROJECT, amount: 101 + index },
    ...{ direction: random.pick(['in', 'out'] as const), usd: 20_000, at, shownAt: at + random.whole(0, 30) * SECOND },
  });
  const whole = (first: number, last: number): number => first + random.whole(0, (last - first) / SECOND) * SECOND;
  const moments = [
    whole(start + 20 * MINUTE, from),
    ...Array.from({ length: random.whole(1, 4) }, () => whole(from, to)),
    whole(from + MINUTE, from + 20 * MINUTE),
    whole(to + MINUTE, calm - HOUR),
  ];
  const rows = moments.map(row);
  const isGone = random.chance(0.5);
  const trouble = (isBegin: boolean): Timed =>
    isGone || chat === undefined
      ? { kind: 'chat', chat: chat ?? address('exact', 'chat-0'), becomes: isBegin ? 'gone' : 'member', at: isBegin ? from : to }
      : { kind: 'platform', name: 'exact', trouble: isBegin ? 'unreachable' : undefined, at: isBegin ? from : to };
  const kills = Array.from({ length: random.whole(0, 2) }, (): Timed => ({
    ...{ kind: random.chance(0.75) ? ('kill' as const) : ('stop' as const), down: random.whole(0, 10 * SECOND) },
    ...{ after: random.whole(0, 25), at: whole(start + 30 * MINUTE, to + 30 * MINUTE) },
  }));
  const unused = unusedIn(seed, { rows, markets: [] });
  const asks = (one: Address): readonly Timed[] => {
    const ask = (minutes: number, what: Ask): Timed => ({ kind: 'ask', chat: one, at: start + minutes * MINUTE, ask: what });
    return [
      ask(1, { kind: 'watch', project: PROJECT }),
      ...unused.map((feed) => ask(1, { kind: 'mode', project: PROJECT, feed, on: false })),
      ask(random.whole(2, 10), { kind: 'age', project: PROJECT, hours: 1 }),
    ];
  };
  return {
    ...{ seed, profile: 'expiry', start, calm, ambiguous: random.chance(0.5) ? 'repeat' : 'hold' },
    ...{ pollSeconds: 600, tickSeconds: 60, requestsPerMonth: undefined, slowestAnswer: 80, processes: 1 },
    faultRates: { service: random.pick([0, 0, 0.02]), platform: random.pick([0, 0.1]) },
    world: { projects: [PROJECT], rows, markets: [], values: [], holdings: [], launches: [], growth: [], tranches: [], navs: [] },
    chats,
    steps: [...chats.flatMap(asks), trouble(true), trouble(false), ...kills].toSorted((a, b) => a.at - b.at),
  };
}
