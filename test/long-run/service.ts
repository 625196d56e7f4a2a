/** The embedded service, answered within the process: its routes without a socket. */
import type { Connect, TransportResponse } from '../../src/analytics/transport.js';
import type { Clock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { DEFAULT_PLAN } from '../../src/simulator/route.js';
import { service } from '../../src/simulator/service.js';
import { createWorld, type World } from '../../src/simulator/world/world.js';
import type { UnderWay } from './machine.js';

export const API_KEY = 'long-run-key';

export interface LongService {
  readonly connect: Connect;
  readonly world: World;
  readonly requests: () => number;
}

export function embeddedService({ clock, pace, underWay }: { clock: Clock; pace: number; underWay: UnderWay }): LongService {
  const journal = memoryJournal();
  const world = createWorld({ seed: 'navwatch', pace, facts: journal.facts, refreshes: journal.refreshes });
  const app = service({ world, journal, clock, plan: DEFAULT_PLAN, apiKey: API_KEY });
  let requests = 0;

  async function send(path: string, body: string | undefined): Promise<TransportResponse> {
    requests += 1;
    const headers = { 'x-api-key': API_KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await app.request(path, { headers, ...(body === undefined ? {} : { method: 'POST', body }) }, {});
    const text = await answer.text();
    if (answer.ok) return { kind: 'body', text };
    const retryAfter = answer.headers.get('retry-after') ?? undefined;
    return { kind: 'status', status: answer.status, retryAfter, ...(body === undefined ? {} : { text }) };
  }

  return {
    world,
    requests: () => requests,
    connect: ({ onDate }) => ({
      async send({ path, body }) {
        const answer = await underWay.track(send(path, body));
        onDate?.(new Date(clock.now()).toUTCString());
        return answer;
      },
      close: async () => {},
    }),
  };
}
