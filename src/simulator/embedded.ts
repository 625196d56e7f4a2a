/** Configured service, or the simulator in this process. */
import type { Clock } from '../base/clock.js';
import type { Store } from '../store/store.js';
import { storedJournal } from './journal.js';
import { startSimulator } from './server.js';

export interface ReachedService {
  readonly url: string;
  /** For people. */
  readonly name: string;
  /** Names the service in stored answers and watermarks. */
  readonly source: string;
  /** Whether its projects and figures are made up. */
  readonly invented: boolean;
}

export interface ServiceSettings {
  /** Undefined: the embedded service. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string;
  readonly seed: string;
  readonly pace: number;
  readonly store: Store;
  readonly clock: Clock;
  readonly onStop: (close: () => Promise<void>) => void;
}

/** On a free local port; `onStop` closes it. */
export async function reachService({ baseUrl, apiKey, seed, pace, store, clock, onStop }: ServiceSettings): Promise<ReachedService> {
  if (baseUrl !== undefined) return { url: baseUrl, name: new URL(baseUrl).host, source: baseUrl, invented: false };
  const simulator = await startSimulator({ seed, pace, clock, apiKey, journal: await storedJournal(store) });
  onStop(async () => simulator.close());
  return { url: simulator.url, name: 'embedded, with invented projects', source: `embedded:${seed}:${pace}`, invented: true };
}
