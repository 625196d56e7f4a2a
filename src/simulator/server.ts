/** The analytics service in a box: an HTTP server over an invented world that goes on by the given clock. */
import { once } from 'node:events';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Clock } from '../base/clock.js';
import type { Journal } from './journal.js';
import { DEFAULT_PLAN, type PagePlan } from './page.js';
import { service } from './service.js';
import { createWorld, type World } from './world/world.js';

export interface SimulatorOptions {
  /** Everything that happens by nature follows from it. */
  readonly seed: string;
  /** How densely the fast projects live; 1 is an event about every 42 seconds. It never changes the clock. */
  readonly pace: number;
  readonly clock: Clock;
  readonly journal: Journal;
  /** What `x-api-key` must carry. */
  readonly apiKey: string;
  /** Default: this machine only. */
  readonly host?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** What the key's plan allows; default: 100 rows a page, any number of pages. */
  readonly plan?: Partial<PagePlan>;
}

export interface Simulator {
  /** The base address, without a slash at the end. */
  readonly url: string;
  readonly world: World;
  /** Cuts what is open and resolves when the port is free. May be called again. */
  close(): Promise<void>;
}

/** Resolves when it answers; rejects when the port cannot be had. */
export async function startSimulator({
  seed,
  pace,
  clock,
  journal,
  apiKey,
  host = '127.0.0.1',
  port = 0,
  plan,
}: SimulatorOptions): Promise<Simulator> {
  const world = createWorld({ seed, pace, facts: journal.facts, refreshes: journal.refreshes });
  const app = service({ world, journal, clock, apiKey, plan: { ...DEFAULT_PLAN, ...plan } });
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(port, host);
  await once(server, 'listening');
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`,
    world,
    close: async () => (closed ??= stop(server)),
  };
}

function portOf(server: ServerType): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('simulator: it listens on no port; give it a host and a port');
  return address.port;
}

async function stop(server: ServerType): Promise<void> {
  const done = once(server, 'close');
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await done;
}
