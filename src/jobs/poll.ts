/** One check: read, evaluate (decision 19), write watermark and events in one document, route. Idempotent; failures leave the watermark. */
import { isDeepStrictEqual } from 'node:util';
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import type { Directory } from '../analytics/directory.js';
import { AnalyticsError } from '../analytics/errors.js';
import { deadline } from '../base/deadline.js';
import type { Absence } from '../alerts/watchlist/absence.js';
import type { Archive } from '../alerts/queue/event-archive.js';
import type { FirstChecks } from '../alerts/checks/first-checks.js';
import { JUST_NOW, type CheckedMeasurement } from '../alerts/evaluation/evaluate.js';
import {
  lastMeasurements,
  missedBy,
  newerThan,
  seriesOf,
  withUnchanged,
  type CheckRecord,
  type CheckRecords,
} from '../alerts/checks/check-records.js';
import type { Queues } from '../alerts/queue/queues.js';
import type { TopicStatuses } from '../alerts/delivery/topic-statuses.js';
import { route } from '../alerts/evaluation/route.js';
import { routeMeasurements, routeSharedAlert, type SharedRules } from '../alerts/evaluation/route-measurements.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import { DAY, HOUR, instant, later, type Clock, type Instant } from '../base/clock.js';
import type { Lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import type { FeedEvent } from '../domain/event.js';
import type { CheckedFigures } from '../sweeps/sweeps.js';
import { subjectKey, type CheckContext, type CheckResult, type Measurement, type Subject } from '../feeds/feed.js';
import type { Beginning } from './consider.js';
import { taskKey, type Task } from './wanted-checks.js';
import { correctionEvents } from './correction-events.js';
import {
  asStored,
  isNeverChecked,
  settleCheck,
  unrouted,
  withEvents,
  withShared,
  type WatermarkDocument,
  type Watermarks,
} from './watermarks.js';
import { failingSince, lateCheck, lateEvent, type OutageOfBot } from './downtime.js';
import { interval, sharedFor } from './plan.js';
import { fading } from './plan/priority.js';
import { CHECK_DEADLINE } from './plan/check-order.js';

export interface PollContext {
  readonly analytics: Analytics;
  /** The service's name in watermarks. */
  readonly source: string;
  readonly watermarks: Watermarks;
  readonly checks: CheckRecords;
  readonly firstChecks: FirstChecks;
  readonly archive: Archive;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly log: Log;
  readonly pollMinSeconds: number;
  readonly unranked?: CheckContext['unranked'];
  /** Names a project in its events. Default: by the name that its task has. */
  readonly directory?: Pick<Directory, 'described'>;
  /** Default: nothing is shown in live messages. */
  readonly topics?: TopicStatuses | undefined;
  /** Default: none. */
  readonly away?: () => OutageOfBot | undefined;
  /** Of a stop. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Do not use cached responses. */
  readonly refetch?: boolean;
  /** What a list shows of it. */
  readonly listed?: ((task: Task) => CheckContext['listed']) | undefined;
  /** Which list called for a check, and when. */
  readonly calledBy?: ((task: Task) => FeedEvent['listed']) | undefined;
  /** After a successful check, with its figures. */
  readonly found?: ((task: Task, figures: CheckedFigures) => Promise<void>) | undefined;
  /** What lists showed since the watch began, for a first check. */
  readonly beginning?: ((task: Task, measurements: readonly Measurement[]) => Promise<Beginning | undefined>) | undefined;
  /** After every check, for metrics. `absent`: the service has no such data. */
  readonly checked?: (check: { readonly feed: string; readonly outcome: 'ok' | 'absent' | 'failed' }) => void;
}

/** Whether the service answered; errors are recorded. */
export async function poll(task: Task, context: PollContext, signal?: AbortSignal): Promise<boolean> {
  const { clock, lanes } = context;
  return lanes.run(taskKey(task), async () => {
    const triedAt = clock.now();
    const late = () => new AnalyticsError({ trouble: 'timeout', row: taskKey(task), detail: 'the check did not end within its deadline' });
    const limit = deadline({ clock, milliseconds: CHECK_DEADLINE, late, stops: signal === undefined ? [] : [signal] });
    try {
      await check(task, { ...context, signal }, limit.signal);
      context.checked?.({ feed: task.feed.id, outcome: 'ok' });
      return true;
    } catch (cause) {
      // A 404 is an answer.
      const isAnswer = cause instanceof AnalyticsError && cause.trouble === 'unknown';
      if (!signal?.aborted) {
        context.checked?.({ feed: task.feed.id, outcome: isAnswer ? 'absent' : 'failed' });
        await fail(task, { triedAt, cause, context });
      }
      return isAnswer;
    } finally {
      limit.end();
    }
  });
}

/** Events keep the name that a project has when they are found, and at a start the task may be older than the list of projects. */
const described = async (subject: Subject, { directory }: PollContext, signal?: AbortSignal): Promise<Subject> =>
  typeof subject === 'object' && 'slug' in subject ? ((await directory?.described(subject.slug, signal)) ?? subject) : subject;

/** Of all chats: which topics live messages show, or the states of rules. */
export const readsQueues = ({ alerts }: Task['feed']): boolean => alerts.live !== undefined || alerts.measures.length > 0;

async function check(asked: Task, context: PollContext, signal?: AbortSignal): Promise<void> {
  const { analytics, source, watermarks, checks: checkRecords, firstChecks, watchlists, queues, clock, log, pollMinSeconds } = context;
  const key = taskKey(asked);
  if (readsQueues(asked.feed)) await queues.loaded;
  const task = { ...asked, subject: await described(asked.subject, context, signal) };
  const { feed, subject } = task;
  const triedAt = clock.now();
  // First route what a failed store left behind; it must not wait for the service.
  const { document: before } = await hand(key, context);
  let calls = 0;
  const options = {
    priority: 'poll',
    ifFailing: 'refuse',
    maxAge: context.refetch === true ? 0 : oldestUsable(task, { pollMinSeconds, now: triedAt }),
    signal,
    meter: { count: () => void (calls += 1), giveBack: () => void (calls -= 1) },
  } as const;
  const isThrifty = analytics.state().budget.limit !== undefined;
  const first = before?.source !== source;
  // A watermark of another service is replaced; no events are owed.
  const wantedSince = isNeverChecked(before) ? firstChecks.since(key) : undefined;
  const result = await feed.check(subject, first ? undefined : before.watermark, {
    analytics,
    options,
    unranked: context.unranked,
    // Watches begin up to a tick before they are recorded; `match` drops events older than an entry.
    since: wantedSince && later(wantedSince, -JUST_NOW),
    isFollowed: context.queues.followed.has,
    listed: task.confirms !== undefined ? context.listed?.(task) : undefined,
    checkedAt: checkRecords.read(feed.id, subjectKey(subject))?.okAt,
    isThrifty,
    // An extreme is judged by a chart of today; a check for which nothing calls can use an older one.
    historyAge: isThrifty && task.confirms?.needsHistory !== true ? MAX_HISTORY_AGE : DAY,
  });
  const { watermark, priorityWindows } = result;
  const corrections = await correctionEvents(result.corrections, { feed: feed.id, at: result.at, archive: context.archive });
  const listed = context.calledBy?.(task);
  const seen = { checkedAt: triedAt, ...(listed && { listed }) };
  const events = [...result.events, ...corrections].map((event) => ({ ...event, ...seen }));
  const last = checkRecords.read(feed.id, subjectKey(subject));
  const { hidden, broken, complete } = result.isPart === true ? (last ?? WHOLE) : result;
  const known = first ? [] : (last?.measurements ?? []);
  const measurements = newerThan(known, result.measurements, triedAt).map((measurement) => ({
    ...measurement,
    event: { ...measurement.event, ...seen },
  }));
  const every = task.every ?? interval(feed, pollMinSeconds);
  const late = lateCheck(last, { away: context.away?.(), triedAt, every });
  // Before the watermark, which holds no measurements: after a crash the next check finds them again.
  const beginning = isNeverChecked(before) ? await context.beginning?.(task, measurements) : undefined;
  const begins = beginning?.before ?? [];
  const behind = last?.okAt === undefined ? [] : watchlists.here.absencesEnded(last.okAt, clock.now());
  const remembered = first ? [] : await foundSame(task, { same: result.same, isAwaited: behind.length > 0, options }, context);
  // Before the events, which a live message may show.
  await context.topics?.offer(result.statuses);
  const all = [...measurements, ...unchanged(remembered, { same: result.same, at: result.at, triedAt })];
  let stored = before;
  let isFollowed = first || events.length > 0;
  const settle = async (): Promise<void> => {
    isFollowed = true;
    await settleCheck(key, { queues, watermarks });
  };
  const shared: SharedRules = {
    states: before?.shared ?? {},
    async store(states, alerts) {
      await queues.deferred.settle(key);
      stored = withShared(before, states, alerts);
      context.queues.routing(
        key,
        alerts.map(({ event }) => event.id),
      );
      await watermarks.set(key, stored);
    },
  };
  await routeMeasurements(
    begins.length > 0
      ? { measurements: all, first: false, late, before: begins, checkedAt: last?.okAt }
      : { measurements: all, first, late, before: known, checkedAt: last?.okAt },
    { ...context, now: clock.now(), shared, settle, from: key },
  );
  // A crash repeats the first check, until the states of all its chats are durable.
  const isRepeatable = first && begins.length === 0 && events.length === 0 && queues.deferred.isUnsettled(key);
  const document = withEvents(before, { source, watermark, events, late, shared: first && stored === before ? undefined : stored?.shared });
  // Unchanged watermarks are not written, to spare the disk.
  if (!isDeepStrictEqual(asStored(document), stored && asStored(stored))) {
    // After a crash the next check finds the same again: nothing yet.
    if (isRepeatable || (stored === before && !isFollowed)) watermarks.defer(key, document);
    else {
      await queues.deferred.settle(key);
      await watermarks.set(key, document);
    }
  }
  const { routed } = await hand(key, context, { isRecorded: true });
  const eventAt = events.length > 0 ? clock.now() : last?.eventAt;
  const record = {
    feed: feed.id,
    subject: subjectKey(subject),
    triedAt,
    okAt: clock.now(),
    failures: 0,
    hidden,
    broken,
    complete,
    eventAt,
    gap: gapIn(behind, { okAt: last?.okAt, every, now: triedAt }) ?? last?.gap,
    cost: last?.cost === undefined ? calls : last.cost + (calls - last.cost) * NEWEST_PART,
    changes: fading(last, { now: clock.now(), events: events.length }),
    priorityWindows,
    missed: missedBy(last, {
      triedAt,
      since: feed.dated || begins.length > 0 || beginning?.isUnchanged === true ? undefined : wantedSince,
      patience: CHECK_DEADLINE,
    }),
    ...(measurements.length + known.length === 0 ? {} : { measurements: lastMeasurements(measurements, withUnchanged(known, result)) }),
    routed: routed.length === 0 ? last?.routed : { at: triedAt, events: routed },
  };
  await checkRecords.record(record, measurements, isRepeatable);
  queues.routing(key, []);
  const { isExplained = false } = result;
  const values = record.measurements?.[0]?.values ?? {};
  await context.found?.(task, { triedAt, values, events: result.events.length, isExplained, requests: calls });
  // A returned chat's absence is evaluated once, so the record must be durable.
  if (behind.length > 0) await checkRecords.flush();
  if (isRepeatable) firstChecks.endLater(key);
  else await firstChecks.end(key);
  if (last?.problem !== undefined) log.info('check.recovered', { check: key, failures: last.failures });
  log.debug('check.ok', { check: key, events: events.length, hidden, broken });
}

/** After a restart: what returned chats need. */
async function foundSame(
  { feed, subject }: Task,
  { same, isAwaited, options }: { same: CheckResult['same']; isAwaited: boolean; options: CallOptions },
  { checks: checkRecords, analytics, unranked }: PollContext,
): Promise<readonly Measurement[]> {
  const remembered = checkRecords.measurements(feed.id, subjectKey(subject));
  const series = new Set(remembered.map(seriesOf));
  if (!isAwaited || same.every((one) => series.has(one))) return remembered;
  const { measurements } = await feed.check(subject, undefined, { analytics, options: { ...options, maxAge: HOUR }, unranked });
  return [...remembered, ...measurements.filter((measurement) => !series.has(seriesOf(measurement)))];
}

interface UnchangedSeries {
  readonly same: CheckResult['same'];
  readonly at: Instant;
  readonly triedAt: Instant;
}

const unchanged = (remembered: readonly Measurement[], { same, at, triedAt }: UnchangedSeries): readonly CheckedMeasurement[] =>
  remembered
    .filter((one) => one.at <= at && same.includes(seriesOf(one)))
    .map((one) => {
      const id = `${seriesOf(one)}/${at}`;
      return { ...one, at, since: one.at, event: { ...one.event, id, topic: id, detectedAt: at, checkedAt: triedAt } };
    });

function gapIn(
  absences: readonly Absence[],
  { okAt, every, now }: { readonly okAt: Instant | undefined; readonly every: number; readonly now: Instant },
): Absence | undefined {
  const unchecked = absences.filter(({ from }) => okAt !== undefined && okAt <= from && later(okAt, every) <= now);
  return unchecked.length === 0 ? undefined : { from: instant(Math.min(...unchecked.map(({ from }) => from))), to: now };
}

const NEWEST_PART = 0.3;
const WHOLE = { hidden: 0, broken: 0, complete: true };
/** Copies are stored for so long. */
const MAX_HISTORY_AGE = 14 * DAY;

/** In ms: no two checks miss a change. */
function oldestUsable(
  { feed, every = 0, called }: Task,
  { pollMinSeconds, now }: { pollMinSeconds: number; now: ReturnType<Clock['now']> },
): number {
  const usable = Math.max(interval(feed, pollMinSeconds) / 2, sharedFor(every));
  return called === undefined ? usable : Math.min(usable, now - called + 1);
}

const HANDED_AT_ONCE = 50;

const recordOf = (key: string, { checks: checkRecords }: Pick<PollContext, 'checks'>): CheckRecord | undefined => {
  const [feed = ''] = key.split('/');
  return checkRecords.read(feed, key.slice(feed.length + 1));
};

/** As if routed events were no longer pending. */
export async function readUnrouted(
  key: string,
  { watermarks, checks }: Pick<PollContext, 'watermarks' | 'checks'>,
): Promise<WatermarkDocument | undefined> {
  const stored = await watermarks.get(key);
  return stored && unrouted(stored, recordOf(key, { checks })?.routed);
}

interface Handed {
  readonly document: WatermarkDocument | undefined;
  /** Still pending in the stored document: for the check record. */
  readonly routed: readonly string[];
}

/** `isRecorded`: the record of this check, which is written next, says what was routed last instead of the watermark document. */
async function hand(
  key: string,
  { watermarks, archive, watchlists, queues, clock, away, checks, signal }: PollContext,
  { isRecorded = false } = {},
): Promise<Handed> {
  const kept = await readUnrouted(key, { watermarks, checks });
  if (kept === undefined) return { document: undefined, routed: [] };
  const { late, sharedAlerts = [], ...document } = kept;
  // The record of the check that found these events is written later, so this is the previous one.
  const checkedAt = recordOf(key, { checks })?.okAt;
  if (sharedAlerts.length > 0) {
    queues.routing(
      key,
      sharedAlerts.map(({ event }) => event.id),
    );
    for (const alert of sharedAlerts) await routeSharedAlert(alert, { watchlists, queues, archive, now: clock.now(), checkedAt, signal });
    await watermarks.set(key, { ...document, ...(late && { late }) });
  }
  const pending = [...document.pending];
  let routed: readonly string[] = [];
  while (pending.length > 0) {
    const some = pending.splice(0, HANDED_AT_ONCE);
    routed = some.map(({ id }) => id);
    queues.routing(key, routed);
    for (const event of some) await archive.keep(event);
    await route(some, { watchlists, queues, now: clock.now(), lateBy: (event) => late ?? lateEvent(event, away?.()), checkedAt, signal });
    if (isRecorded && pending.length === 0) return { document: { ...document, pending }, routed };
    await watermarks.set(key, { ...document, pending: [...pending], ...(late === undefined || pending.length === 0 ? {} : { late }) });
  }
  if (document.pending.length + sharedAlerts.length > 0) queues.routing(key, []);
  return { document: { ...document, pending }, routed: [] };
}

/** Before the first check. Rejects when `signal` aborts. */
export async function recover(context: PollContext): Promise<void> {
  for await (const { found, unreadable } of context.watermarks.scan()) {
    context.signal?.throwIfAborted();
    for (const { key, because } of unreadable) context.log.error('watermark.unreadable', { watermark: key, because });
    for (const [key, document] of found) {
      const { pending, sharedAlerts = [] } = unrouted(document, recordOf(key, context)?.routed);
      if (pending.length + sharedAlerts.length > 0) await context.lanes.run(key, async () => hand(key, context));
    }
  }
  context.queues.recovered();
}

/** A 404 is normal. */
const levelOf = (problem: string): 'error' | 'warn' | 'debug' =>
  problem === 'internal' ? 'error' : problem === 'unknown' ? 'debug' : 'warn';

async function fail(
  task: Task,
  { triedAt, cause, context }: { triedAt: ReturnType<Clock['now']>; cause: unknown; context: PollContext },
): Promise<void> {
  const { checks: checkRecords, log } = context;
  const subject = subjectKey(task.subject);
  const last = checkRecords.read(task.feed.id, subject);
  const problem = cause instanceof AnalyticsError ? cause.trouble : 'internal';
  const fields = { check: taskKey(task), problem, cause };
  // Logged when the reason changes, not on every retry.
  if (last?.problem !== problem) log[levelOf(problem)]('check.failed', fields);
  const seen = {
    okAt: last?.okAt,
    eventAt: last?.eventAt,
    gap: last?.gap,
    hidden: last?.hidden ?? 0,
    broken: last?.broken ?? 0,
    complete: last?.complete ?? false,
    cost: last?.cost,
    changes: last?.changes,
    priorityWindows: last?.priorityWindows,
    missed: last?.missed,
    measurements: last?.measurements,
    routed: last?.routed,
    failingSince: problem === 'unknown' ? undefined : failingSince(last, triedAt),
  };
  try {
    await checkRecords.record({ feed: task.feed.id, subject, triedAt, ...seen, failures: (last?.failures ?? 0) + 1, problem });
  } catch (error) {
    log.error('check.unrecorded', { check: taskKey(task), cause: error });
  }
}
