/** Finds the service that the bot asks. The simulator is loaded only where it is that one. */
import type { Clock } from '../base/clock.js';
import type { Store } from '../store/store.js';

/** The configured service, or the simulator in this process. */
interface ReachedService {
  readonly url: string;
  /** The name to show to people. */
  readonly name: string;
  /** Names the service in stored responses and watermarks. */
  readonly source: string;
  /** Whether the projects and figures are made up. */
  readonly invented: boolean;
}

interface ServiceSettings {
  /** Undefined for the simulator in this process. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string;
  readonly seed: string;
  readonly pace: number;
  readonly store: Store;
  readonly clock: Clock;
  readonly onStop: (close: () => Promise<void>) => void;
}

/** Returns the configured service, or starts the simulator on a free local port; `onStop` closes it. */
export async function reachService({ baseUrl, apiKey, seed, pace, store, clock, onStop }: ServiceSettings): Promise<ReachedService> {
  if (baseUrl !== undefined) return { url: baseUrl, name: new URL(baseUrl).host, source: baseUrl, invented: false };
  const [{ startSimulator }, { storedJournal }] = await Promise.all([import('./server.js'), import('./journal.js')]);
  const simulator = await startSimulator({ seed, pace, clock, apiKey, journal: await storedJournal(store) });
  onStop(async () => simulator.close());
  return { url: simulator.url, name: 'embedded, with invented projects', source: `embedded:${seed}:${pace}`, invented: true };
}
