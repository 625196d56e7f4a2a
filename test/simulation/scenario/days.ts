/** Days with digests, quiet hours, long mutes and absurd waits. */
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { LedgerRow } from '../world/world.js';
import { PLATFORMS, unusedIn, type Ask, type Kind, type Scenario, type Timed } from './scenario.js';

const LENGTH = 2 * DAY;
const PROJECT = 'tide';

export function days(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, random.whole(0, 23), random.whole(0, 59));
  const calm = start + LENGTH;
  const chats = Array.from({ length: random.whole(1, 2) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const rows = Array.from({ length: random.whole(3, 9) }, (_, index): LedgerRow => {
    const at = start + random.whole(HOUR, LENGTH - HOUR);
    return {
      ...{ ledger: random.pick(['supply', 'movements'] as const), project: PROJECT, amount: 101 + index },
      ...{
        direction: random.pick(['in', 'out'] as const),
        usd: random.pick([500, 20_000]),
        at,
        shownAt: at + random.whole(0, 300) * SECOND,
      },
    };
  });
  return {
    seed,
    profile: 'days',
    start,
    calm,
    ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    pollSeconds: 3_600,
    tickSeconds: 180,
    requestsPerMonth: undefined,
    faultRates: { service: random.pick([0, 0, 0.01]), platform: random.pick([0, 0.1]) },
    slowestAnswer: 80,
    processes: 1,
    world: { projects: [PROJECT], rows, markets: [], values: [], holdings: [], launches: [], growth: [], tranches: [], navs: [] },
    chats,
    steps: [
      ...chats.flatMap((chat) => asksOf(chat, random, { start, unused: unusedIn(Math.floor(seed / 12), { rows, markets: [] }) })),
      ...downtimes(random, start),
    ].toSorted((a, b) => a.at - b.at),
  };
}

function asksOf(chat: Address, random: Random, { start, unused }: { start: number; unused: readonly Kind[] }): readonly Timed[] {
  const asked: Timed[] = [];
  const ask = (at: number, what: Ask): number => asked.push({ kind: 'ask', chat, at, ask: what });
  ask(start + MINUTE, { kind: 'watch', project: PROJECT });
  for (const feed of unused) ask(start + MINUTE, { kind: 'mode', project: PROJECT, feed, on: false });
  ask(start + random.whole(2, 60) * MINUTE, { kind: 'digest', hour: random.whole(0, 23) });
  if (random.chance(0.5)) {
    const from = random.whole(0, 23);
    ask(start + random.whole(61, 120) * MINUTE, { kind: 'quiet', from, to: (from + random.whole(1, 10)) % 24 });
  }
  if (random.chance(0.3)) ask(start + random.whole(121, 2_000) * MINUTE, { kind: 'mute', minutes: random.whole(30, 400) });
  return asked;
}

/** Short ones, and some that last longer than an outage must, to be one. */
const downtimes = (random: Random, start: number): readonly Timed[] =>
  Array.from({ length: random.whole(0, 2) }, () => ({
    kind: random.chance(0.6) ? ('kill' as const) : ('stop' as const),
    down: random.chance(0.4) ? random.whole(30, 300) * MINUTE : random.whole(1, 60) * SECOND,
    after: random.whole(0, 25),
    at: start + random.whole(0, LENGTH - 6 * HOUR),
  }));
