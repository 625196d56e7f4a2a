/** What the jobs work with: the rooms of `alerts/` on one store, the marks, and what a poll or a watcher needs. */
import type { Analytics } from '../../src/analytics/analytics.js';
import { instant } from '../../src/base/clock.js';
import { lanes } from '../../src/base/lanes.js';
import type { Log } from '../../src/base/log.js';
import type { Address } from '../../src/chat/address.js';
import { openFirstChecks } from '../../src/alerts/checks/first-checks.js';
import { openWatermarks } from '../../src/jobs/watermarks.js';
import type { PollContext } from '../../src/jobs/check.js';
import { readUnrouted } from '../../src/jobs/unrouted.js';
import type { WatcherContext } from '../../src/jobs/watcher.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { CHAT, openAlertsHarness, platform, type Platform } from '../alerts/harness.js';
import { handClock, type HandClock } from '../support/clock.js';
import { directoryOf, surface, trouble, type Surface } from './fake-service.js';

export const SOURCE = 'the service of the test';

export interface Noted {
  readonly level: keyof Log;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A log that remembers what it was given, everyday lines excepted. */
export function notebook(): { readonly log: Log; readonly noted: Noted[]; names(): readonly string[] } {
  const noted: Noted[] = [];
  const write =
    (level: keyof Log): Log['info'] =>
    (event, fields = {}) =>
      void noted.push({ level, event, fields });
  const log: Log = { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
  return { log, noted, names: () => noted.filter(({ level }) => level !== 'debug').map(({ level, event }) => `${level} ${event}`) };
}

/** The feeds of the test look at a surface, so nobody else is asked. */
const nobody: Analytics = {
  call: async () => Promise.reject(trouble('unreachable')),
  walk: async () => Promise.reject(trouble('unreachable')),
  kept: async () => undefined,
  state: () => ({ budget: { used: 0, resetsAt: instant(0) } }),
};

export interface JobsHarnessOptions {
  readonly store?: Store;
  readonly clock?: HandClock;
  readonly seen?: Surface;
  readonly to?: Platform;
}

/** Opening another harness on the same store, surface, clock and platform is what a restart is. */
export async function openJobsHarness({ store, clock = handClock(), seen = surface(clock), to = platform() }: JobsHarnessOptions = {}) {
  const book = notebook();
  const base = store ?? (await openStore('memory://'));
  const watermarks = openWatermarks(base);
  const settle = async (key: string): Promise<void> => watermarks.flush(key);
  const alertsHarness = await openAlertsHarness({ store: base, clock, to, log: book.log, settle });
  const { watchlists, queues, rules, checkRecords, archive } = alertsHarness;
  const firstChecks = await openFirstChecks({ store: base, log: book.log });
  const poll: PollContext = {
    ...{ analytics: nobody, source: SOURCE, watermarks, checks: checkRecords, firstChecks, archive, queues, rules, watchlists },
    ...{ clock, lanes: lanes(), log: book.log, pollMinSeconds: 60 },
  };
  const directory = directoryOf('tide', 'heron');
  const feeds = [seen.feed(), seen.feed({ id: 'launches', scope: 'global' }), seen.feed({ id: 'growth', every: 10 })];
  const watcher: WatcherContext = { ...poll, directory, feeds };
  return {
    ...alertsHarness,
    ...book,
    watermarks,
    firstChecks,
    seen,
    directory,
    feeds,
    poll,
    watcher,
    /** The watermark document without what the check record says is routed. */
    watermark: async (key: string) => readUnrouted(key, poll),
    /** The ids that wait for a chat, in order. */
    waiting: (chat: Address = CHAT): readonly string[] => queues.read(chat).waiting.map((member) => member.event),
    /** The ids of what is kept, in the order of their keys. */
    kept: async (): Promise<readonly string[]> => {
      const kept = await archive.latest({ limit: 100_000 });
      return kept.map((event) => event.id).toSorted();
    },
  };
}
export type JobsHarness = Awaited<ReturnType<typeof openJobsHarness>>;
