/** The simulated analytics service is an HTTP server over an invented world. */
import { once } from 'node:events';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Clock } from '../base/clock.js';
import { storedJournal, type Journal } from './journal.js';
import { DEFAULT_PLAN, type PagePlan } from './route.js';
import { service } from './service.js';
import { createWorld, type World } from './world/world.js';
import type { Store } from '../store/store.js';

const LOOPBACK = '127.0.0.1';

export interface SimulatorOptions {
  /** It determines all natural events. */
  readonly seed: string;
  /** It multiplies the events of fast projects. At 1 there is one in about 42 seconds. */
  readonly pace: number;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly apiKey: string;
  /** Without it, any free port is used. */
  readonly port?: number;
  readonly plan?: Partial<PagePlan>;
}

export interface Simulator {
  /** The URL has no trailing slash. */
  readonly url: string;
  readonly world: World;
  /** It resolves when the port is free, and is idempotent. */
  close(): Promise<void>;
}

/** It rejects if the port is taken. */
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

/** This is the service that was configured, or the simulator in this process. */
interface ReachedService {
  readonly url: string;
  /** This name is for people. */
  readonly name: string;
  /** It names the service in stored answers and watermarks. */
  readonly source: string;
  /** It says whether the projects and figures are made up. */
  readonly invented: boolean;
}

interface ServiceSettings {
  /** It is undefined for the embedded service. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string;
  readonly seed: string;
  readonly pace: number;
  readonly store: Store;
  readonly clock: Clock;
  readonly onStop: (close: () => Promise<void>) => void;
}

/** The embedded service listens on a free local port; `onStop` closes it. */
export async function reachService({ baseUrl, apiKey, seed, pace, store, clock, onStop }: ServiceSettings): Promise<ReachedService> {
  if (baseUrl !== undefined) return { url: baseUrl, name: new URL(baseUrl).host, source: baseUrl, invented: false };
  const simulator = await startSimulator({ seed, pace, clock, apiKey, journal: await storedJournal(store) });
  onStop(async () => simulator.close());
  return { url: simulator.url, name: 'embedded, with invented projects', source: `embedded:${seed}:${pace}`, invented: true };
}
