/** The detectors and their runs, `detector/<id>`. */
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import { liveMarkets, projectsLaunch } from '../analytics/endpoints/dashboard.js';
import { proposalIdentity } from '../analytics/endpoints/proposals.js';
import { AnalyticsError } from '../analytics/errors.js';
import type { CheckRecords } from '../alerts/checks/check-records.js';
import { HOUR, later, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Store } from '../store/store.js';
import { subjectKey } from '../feeds/feed.js';
import type { Task } from './wanted-checks.js';
import { afterRun, detectorSchema, trustOf, type DetectorDocument, type DetectorFacts, type Prints } from './plan/detect.js';
import { detectorKey, type Cadence } from './plan.js';

const TRIED_EVERY = 6 * HOUR;

interface Detector {
  readonly id: string;
  readonly feed: string;
  see(analytics: Analytics, options: CallOptions): Promise<Prints>;
}

const DETECTORS: readonly Detector[] = [
  {
    // A market that appears, opens or disappears is an event of the project's proposals.
    id: 'live-markets',
    feed: 'proposals',
    async see(analytics, options) {
      const { rows, at, complete } = await analytics.walk(liveMarkets, {}, proposalIdentity, options);
      const words = new Map<string, readonly string[]>();
      for (const row of rows) {
        if (row.slug !== undefined)
          words.set(row.slug, [...(words.get(row.slug) ?? []), [proposalIdentity(row), row.status, row.result].join(' ')]);
      }
      const prints = new Map([...words].map(([slug, markets]) => [slug, markets.toSorted().join('\n')]));
      return { at, prints, rest: complete ? '' : undefined };
    },
  },
  {
    // Mints and burns change the supply. If the list has no supply, nothing ever differs and trust falls.
    id: 'projects-launch',
    feed: 'supply',
    async see(analytics, options) {
      const { rows, at } = await analytics.walk(projectsLaunch, {}, (row) => row.slug ?? row.mint ?? row.name ?? '', options);
      const prints = rows.flatMap(({ slug, supply }): [string, string][] =>
        slug === undefined || supply === undefined ? [] : [[slug, supply]],
      );
      return { at, prints: new Map(prints), rest: undefined };
    },
  },
];

export interface Detectors {
  facts(): readonly DetectorFacts[];
  called(task: Task): Instant | undefined;
  /** Never rejects; a failed run changes nothing. */
  run(tasks: readonly Task[], plan: Cadence, signal: AbortSignal): Promise<void>;
}

export interface DetectorsContext {
  readonly store: Store;
  readonly analytics: Analytics;
  readonly source: string;
  readonly checkRecords: CheckRecords;
  readonly clock: Clock;
  readonly log: Log;
}

/** Unreadable counts as missing. */
export async function openDetectors({ store, analytics, source, checkRecords, clock, log }: DetectorsContext): Promise<Detectors> {
  const documents = store.collection({ prefix: 'detector', schema: detectorSchema, version: 1 });
  const { found } = await documents.list();
  const known = new Map<string, DetectorDocument>(found.filter(([, document]) => document.source === source));
  const triedAt = new Map<string, Instant>();
  const running = new Set<string>();
  const failing = new Set<string>();

  const runOne = async (detector: Detector, tasks: readonly Task[], signal: AbortSignal): Promise<void> => {
    let calls = 0;
    try {
      const meter = { count: () => void (calls += 1), giveBack: () => void (calls -= 1) };
      const options = { priority: 'poll', ifFailing: 'refuse', maxAge: 0, signal, meter } as const;
      const seen = await detector.see(analytics, options);
      const subjects = tasks.filter(({ feed }) => feed.id === detector.feed).map(({ subject }) => subjectKey(subject));
      const recordOf = (subject: string) => checkRecords.read(detector.feed, subject);
      const next = afterRun(known.get(detector.id), seen, { subjects, recordOf, source, calls });
      await documents.set(detector.id, next);
      known.set(detector.id, next);
      failing.delete(detector.id);
    } catch (cause) {
      if (signal.aborted) return;
      failing.add(detector.id);
      const level = cause instanceof AnalyticsError ? 'debug' : 'error';
      log[level]('detector.failed', { detector: detector.id, cause });
    }
  };

  return {
    // A detector that never succeeded or fails now covers nothing, so it delays no check.
    facts: () =>
      DETECTORS.flatMap(({ id, feed }) => {
        const document = known.get(id);
        if (document === undefined || failing.has(id)) return [];
        // Covers only projects that the list says something about.
        const covers = (subject: string): boolean => Object.hasOwn(document.prints, subject);
        return [{ id, feed, trust: trustOf(document), cost: document.cost, covers }];
      }),
    called: ({ feed, subject }) => {
      const detector = DETECTORS.find((one) => one.feed === feed.id);
      return detector && known.get(detector.id)?.called[subjectKey(subject)];
    },
    async run(tasks, plan, signal) {
      const now = clock.now();
      const dueNow = DETECTORS.filter(({ id, feed }) => {
        if (running.has(id) || tasks.filter((task) => task.feed.id === feed).length < 2) return false;
        const every = known.has(id) && !failing.has(id) ? plan.intervals.get(detectorKey(id)) : TRIED_EVERY;
        const last = triedAt.get(id) ?? known.get(id)?.at;
        return every !== undefined && (last === undefined || last > now || later(last, every) <= now);
      });
      await Promise.all(
        dueNow.map(async (detector) => {
          running.add(detector.id);
          triedAt.set(detector.id, now);
          await runOne(detector, tasks, signal).finally(() => running.delete(detector.id));
        }),
      );
    },
  };
}
