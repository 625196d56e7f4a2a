/**
 * More events in less than a minute than a chat keeps while the bot is away from it, in a chat that has the bot and in one that does not; in
 * some seeds as many as wait for one chat at most, and the first is muted.
 */
import { SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { LedgerRow } from '../world/world.js';
import type { Scenario, Timed } from './scenario.js';

const LENGTH = 75 * SECOND;
const PROJECT = 'tide';
/** As many as wait for one chat at most, in some seeds. */
const MANY = 5_000;
const EVERY = 20;
const [FROM, FOR] = [15 * SECOND, 35 * SECOND];

export function flood(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 12) + random.whole(0, 59) * SECOND;
  const calm = start + LENGTH;
  const [here, away] = [address('exact', 'chat-0'), address('exact', 'chat-1')];
  const isFull = seed % EVERY === 0;
  const drawn = random.whole(450, 800);
  const count = isFull ? MANY : drawn;
  const rows = Array.from({ length: count }, (_, index): LedgerRow => {
    const at = start + FROM + Math.floor((index * FOR) / count);
    return {
      ...{ ledger: 'supply', project: PROJECT, amount: 101 + index, usd: 20_000 },
      ...{ direction: random.pick(['in', 'out'] as const), at, shownAt: at },
    };
  });
  const watch = (chat: Address): Timed => ({ kind: 'ask', chat, at: start + SECOND, ask: { kind: 'watch', project: PROJECT } });
  const kills = Array.from({ length: random.whole(0, 2) }, (): Timed => ({
    kind: 'kill',
    ...{ down: random.whole(0, 4_000), after: random.whole(0, 60), at: start + FROM + random.whole(0, LENGTH - FROM) },
  }));
  const platform = random.pick([0, 0.2]);
  const leaves: readonly Timed[] = [
    { kind: 'chat', chat: away, becomes: 'gone', at: start + random.whole(8, 14) * SECOND },
    { kind: 'chat', chat: away, becomes: 'member', at: start + random.whole(52, 70) * SECOND },
  ];
  // All of them wait for its end.
  const muted: Timed = { kind: 'ask', chat: here, at: start + 2 * SECOND, ask: { kind: 'mute', minutes: 2 } };
  const chats = [here, away];
  return {
    ...{ seed, profile: 'flood', start, calm, ambiguous: 'repeat', pollSeconds: 15, tickSeconds: 1, requestsPerMonth: undefined },
    faultRates: { service: 0, platform },
    ...{ slowestAnswer: 80, processes: 1 },
    world: { projects: [PROJECT], rows, markets: [], values: [], holdings: [], launches: [], growth: [], tranches: [], navs: [] },
    chats,
    steps: [...chats.map(watch), ...leaves, ...(isFull ? [muted] : []), ...kills].toSorted((a, b) => a.at - b.at),
  };
}
