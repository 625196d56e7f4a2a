/** So many checks at a slow service that they never catch up, and a chat that begins to watch a wallet meanwhile. */
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import { WALLET } from './hours.js';
import type { Scenario } from './scenario.js';

const LENGTH = 5 * MINUTE;
const PROJECTS = Array.from({ length: 12 }, (_, index) => `project-${index}`);

export function crowd(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 12) + random.whole(0, 59) * SECOND;
  const [many, one] = [address('exact', 'chat-0'), address('exact', 'chat-1')];
  return {
    seed,
    profile: 'crowd',
    start,
    calm: start + LENGTH,
    ambiguous: 'repeat',
    pollSeconds: 15,
    tickSeconds: 1,
    requestsPerMonth: undefined,
    faultRates: { service: 0, platform: 0 },
    slowestAnswer: 5_000,
    processes: 1,
    world: {
      projects: PROJECTS,
      rows: [],
      markets: [],
      values: [],
      holdings: [{ wallet: WALLET, project: 'project-0', at: start - 300 * MINUTE, balance: 5_000 }],
      launches: [],
      growth: [],
      tranches: [],
      navs: [],
      // They would put most of the checks off.
      troubles: (['projects', 'markets'] as const).map((list) => ({ list, how: '404', from: start, to: Number.MAX_SAFE_INTEGER })),
    },
    chats: [many, one],
    steps: [
      { kind: 'ask', chat: many, at: start + SECOND, ask: { kind: 'watch', project: 'all' } },
      { kind: 'ask', chat: one, at: start + random.whole(160, 190) * SECOND, ask: { kind: 'wallet', wallet: WALLET } },
    ],
  };
}
