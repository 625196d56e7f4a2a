/** Starts the simulated analytics service: an HTTP server over an invented world. */
import { once } from 'node:events';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Clock } from '../base/clock.js';
import type { Journal } from './journal.js';
import { DEFAULT_PLAN, type PagePlan } from './route.js';
import { service } from './service.js';
import { createWorld, type World } from './world/world.js';

const LOOPBACK = '127.0.0.1';

export interface SimulatorOptions {
  /** Determines all natural events. */
  readonly seed: string;
  /** Multiplies the events of fast projects. At 1 there is one about every 42 seconds. */
  readonly pace: number;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly apiKey: string;
  /** The default is any free port. */
  readonly port?: number;
  readonly plan?: Partial<PagePlan>;
}

export interface Simulator {
  /** The URL has no trailing slash. */
  readonly url: string;
  readonly world: World;
  /** Resolves when the port is free. Idempotent. */
  close(): Promise<void>;
}

/** Starts the server. Rejects if the port is taken. */
export async function startSimulator({ seed, pace, clock, journal, apiKey, port = 0, plan }: SimulatorOptions): Promise<Simulator> {
  const world = createWorld({ seed, pace, facts: journal.facts, refreshes: journal.refreshes });
  const app = service({ world, journal, clock, apiKey, plan: { ...DEFAULT_PLAN, ...plan } });
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  let closed: Promise<void> | undefined;
  return {
    url: `http://${LOOPBACK}:${portOf(server)}`,
    world,
    close: async () => (closed ??= stop(server)),
  };
}

function portOf(server: ServerType): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('simulator: it listens on no port');
  return address.port;
}

async function stop(server: ServerType): Promise<void> {
  const done = once(server, 'close');
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await done;
}
