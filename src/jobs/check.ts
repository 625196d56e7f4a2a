/**
 * This module runs a check: read, evaluate rules (decision 19), write watermark and events in one document, route. A failure leaves the
 * watermark.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import type { Directory } from '../analytics/directory.js';
import type { FirstChecks } from '../alerts/checks/first-checks.js';
import {
  datesAhead,
  lastMeasurements,
  missedBy,
  newerThan,
  seriesOf,
  withUnchanged,
  type CheckRecord,
  type LastMeasurement,
} from '../alerts/checks/check-records.js';
import { CORRECTED_FOR } from '../alerts/queue/who-was-alerted.js';
import type { TopicStatuses } from '../alerts/delivery/topic-statuses.js';
import { JUST_NOW, type CheckedMeasurement } from '../alerts/evaluation/evaluate.js';
import { hasRuleOn, routeMeasurements } from '../alerts/evaluation/route-measurements.js';
import { COOLDOWN, longestGap } from '../alerts/evaluation/threshold.js';
import type { Archive } from '../alerts/queue/event-archive.js';
import type { Member } from '../alerts/queue/queue.js';
import type { Absence } from '../alerts/watchlist/absence.js';
import { DAY, HOUR, instant, later, type Instant } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { asCorrected, type FeedEvent } from '../domain/event.js';
import { MEASURE_NAMES, MEASURES } from '../domain/measures.js';
import { CORRECTED_STAGE } from '../feeds/event-content.js';
import { subjectKey, type CheckContext, type CheckResult, type FoundCorrection, type Measurement, type Subject } from '../feeds/feed.js';
import { ifUnreadable } from '../store/store.js';
import type { CheckedFigures } from '../sweeps/sweeps.js';
import type { Beginning } from './consider.js';
import { lateCheck } from './downtime.js';
import { interval, sharedFor } from './plan.js';
import { CHECK_DEADLINE } from './plan/check-order.js';
import { fading } from './plan/priority.js';
import { hand, type RoutingContext } from './unrouted.js';
import { taskKey, type Task } from './wanted-checks.js';
import { asStored, withEvents, type WatermarkDocument } from './watermarks.js';

export interface PollContext extends RoutingContext {
  readonly analytics: Analytics;
  /** The service's name in watermarks. */
  readonly source: string;
  readonly firstChecks: FirstChecks;
  readonly pollMinSeconds: number;
  readonly unranked?: CheckContext['unranked'];
  /** Names projects in events. By default events use the task's name. */
  readonly directory?: Pick<Directory, 'described'>;
  /** Receives the statuses that live messages show. */
  readonly topics?: TopicStatuses | undefined;
  /** Do not use cached responses. */
  readonly refetch?: boolean;
  /** Returns what a list shows of the subject. */
  readonly listed?: ((task: Task) => CheckContext['listed']) | undefined;
  /** Returns which list called for a check, and when. */
  readonly calledBy?: ((task: Task) => FeedEvent['listed']) | undefined;
  /** Called after a successful check, with its values. */
  readonly found?: ((task: Task, figures: CheckedFigures) => Promise<void>) | undefined;
  /** Returns what lists showed since the watch began, for a first check. */
  readonly beginning?: ((task: Task, measurements: readonly Measurement[]) => Promise<Beginning | undefined>) | undefined;
  /** Called after every check, for metrics. `absent` means that the service has no such data. */
  readonly checked?: (check: { readonly feed: string; readonly outcome: 'ok' | 'absent' | 'failed' }) => void;
}

/** Returns the subject with the project's current name, which events keep. At a start the task may be older than the list of projects. */
const described = async (subject: Subject, { directory }: PollContext, signal?: AbortSignal): Promise<Subject> =>
  typeof subject === 'object' && 'slug' in subject ? ((await directory?.described(subject.slug, signal)) ?? subject) : subject;

/** Tells whether the check needs all queues to be loaded, because live messages show its topics. */
export const readsQueues = ({ alerts }: Task['feed']): boolean => alerts.live !== undefined;

/** The service's answer, and what was known before the request. */
interface Answered {
  readonly task: Task;
  readonly key: string;
  readonly triedAt: Instant;
  readonly before: WatermarkDocument | undefined;
  /** True also for the first check of this service. A watermark of another service is replaced, and nothing alerts. */
  readonly isFirst: boolean;
  readonly wantedSince: Instant | undefined;
  readonly options: CallOptions;
  readonly result: CheckResult;
  /** Returns how many requests the check has made so far. */
  readonly calls: () => number;
}

/** What the answer means for alerts and for the check's record. */
interface Found {
  readonly last: CheckRecord | undefined;
  readonly events: readonly FeedEvent[];
  readonly measurements: readonly Measurement[];
  /** The measurements of the last record. */
  readonly known: NonNullable<CheckRecord['measurements']>;
  /** New measurements, and those that the answer shows unchanged. */
  readonly all: readonly CheckedMeasurement[];
  readonly every: number;
  readonly late: Member['late'];
  readonly beginning: Beginning | undefined;
  readonly begins: Beginning['before'];
  /** Absences of chats that ended since the last check. */
  readonly behind: readonly Absence[];
}

export async function check(asked: Task, context: PollContext, signal?: AbortSignal): Promise<void> {
  const { checks: checkRecords, firstChecks, queues, clock, log } = context;
  const answered = await ask(asked, context, signal);
  const { task, key, triedAt, result } = answered;
  const found = await interpret(answered, context);
  const { last, events, measurements, behind } = found;
  // Statuses are stored before the events, because live messages show these events by their status.
  await context.topics?.offer(result.statuses);
  const isBeginning = await evaluate(answered, found, context);
  await store(answered, { ...found, isBeginning }, context);
  const { routed } = await hand(key, context, { isRecorded: true });
  const record = recordOf(answered, found, { routed, now: clock.now() });
  await checkRecords.record(record, measurements);
  queues.routing(key, []);
  const { isExplained = false } = result;
  const values = record.measurements?.[0]?.values ?? {};
  await context.found?.(task, { triedAt, values, events: result.events.length, isExplained, requests: answered.calls() });
  // A returned chat's absence is evaluated once, so the record must be durable.
  if (behind.length > 0) await checkRecords.flush();
  await firstChecks.end(key);
  if (last?.problem !== undefined) log.info('check.recovered', { check: key, failures: last.failures });
  log.debug('check.ok', { check: key, events: events.length, hidden: record.hidden, broken: record.broken });
}

async function ask(asked: Task, context: PollContext, signal: AbortSignal | undefined): Promise<Answered> {
  const { analytics, source, checks: checkRecords, firstChecks, queues, clock, pollMinSeconds } = context;
  const key = taskKey(asked);
  if (readsQueues(asked.feed)) await queues.loaded;
  const task = { ...asked, subject: await described(asked.subject, context, signal) };
  const { feed, subject } = task;
  const triedAt = clock.now();
  // Events left over from a failed write are routed first, so that they do not wait for the service.
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
  const isFirst = before?.source !== source;
  const wantedSince = before === undefined ? firstChecks.since(key) : undefined;
  const result = await feed.check(subject, isFirst ? undefined : before.watermark, {
    analytics,
    options,
    unranked: context.unranked,
    // A watch begins up to a tick before it is recorded. Events older than an entry are dropped by `match`.
    since: wantedSince && later(wantedSince, -JUST_NOW),
    isFollowed: queues.followed.has,
    wants: (measure) => hasRuleOn(measure, aboutOf(task), context.watchlists),
    listed: task.confirms !== undefined ? context.listed?.(task) : undefined,
    checkedAt: checkRecords.read(feed.id, subjectKey(subject))?.okAt,
    isThrifty,
    // Rules on extremes need today's chart; a check without such a call can use an older one.
    historyAge: isThrifty && task.confirms?.needsHistory !== true ? MAX_HISTORY_AGE : DAY,
  });
  return { task, key, triedAt, before, isFirst, wantedSince, options, result, calls: () => calls };
}

const aboutOf = ({ feed, subject }: Task): Parameters<typeof hasRuleOn>[1] => ({
  feed: feed.id,
  ...(subject === 'all' ? {} : 'slug' in subject ? { project: subject.slug } : 'screen' in subject ? subject : { wallet: subject.address }),
});

async function interpret({ task, triedAt, before, isFirst, options, result }: Answered, context: PollContext): Promise<Found> {
  const { checks: checkRecords, watchlists, clock, archive, pollMinSeconds } = context;
  const { feed, subject } = task;
  const corrections = await correctionEvents(result.corrections, { feed: feed.id, at: result.at, archive });
  const listed = context.calledBy?.(task);
  const seen = { checkedAt: triedAt, ...(listed && { listed }) };
  const last = checkRecords.read(feed.id, subjectKey(subject));
  const known = isFirst ? [] : (last?.measurements ?? []);
  const measurements = newerThan(known, result.measurements, triedAt).map((measurement) => ({
    ...measurement,
    event: { ...measurement.event, ...seen },
  }));
  const every = task.every ?? interval(feed, pollMinSeconds);
  const late = lateCheck(last, { away: context.away?.(), triedAt, every });
  // A first check of measures uses what lists showed since the watch began.
  const beginning = before === undefined ? await context.beginning?.(task, measurements) : undefined;
  const behind = last?.okAt === undefined ? [] : watchlists.here.absencesEnded(last.okAt, clock.now());
  const isAwaited = behind.length > 0 || context.rules.heldUntil(taskKey(task)) !== undefined;
  const remembered = isFirst ? [] : await foundSame(task, { same: result.same, known, isAwaited, triedAt, options }, context);
  return {
    last,
    events: [...result.events, ...corrections].map((event) => ({ ...event, ...seen })),
    measurements,
    known,
    all: [...measurements, ...unchanged(remembered, { same: result.same, at: result.at, triedAt })],
    every,
    late,
    beginning,
    begins: beginning?.before ?? [],
    behind,
  };
}

/** Evaluates rules. Resolves with whether a rule begins to wait until its value has lasted. */
async function evaluate(
  { key, isFirst, result: { over } }: Answered,
  { all, begins, known, last, late, every }: Found,
  context: PollContext,
): Promise<boolean> {
  const isBegun = begins.length > 0;
  const until = context.rules.heldUntil(key);
  await routeMeasurements(
    {
      measurements: all,
      first: isFirst && !isBegun,
      late,
      before: isBegun ? begins : known,
      over,
      checkedAt: last?.okAt,
      longestGap: ({ lasts }) => longestGap(lasts, every),
    },
    { ...context, key, now: context.clock.now() },
  );
  const next = context.rules.heldUntil(key);
  return next !== undefined && next !== until;
}

async function store(
  { key, before, isFirst, result }: Answered,
  { events, measurements, late, isBeginning }: Found & { readonly isBeginning: boolean },
  context: PollContext,
): Promise<void> {
  const { source, watermarks } = context;
  const document = withEvents(before, { source, watermark: result.watermark, events, late });
  // An unchanged document is not written.
  if (isDeepStrictEqual(asStored(document), before && asStored(before))) return;
  // After a crash the next check finds the same again: nothing yet. A value that a rule waits for must be found as unchanged, and single
  // trades that are read again would take the places of smaller new ones.
  if (!isFirst && events.length === 0 && !isBeginning && !measurements.some(isOccurrence)) {
    watermarks.defer(key, document);
    return;
  }
  await watermarks.set(key, document);
}

const isOccurrence = ({ values }: Measurement): boolean => MEASURE_NAMES.some((name) => MEASURES[name].each && values[name] !== undefined);

function recordOf(
  { task: { feed, subject }, triedAt, wantedSince, result, calls }: Answered,
  { last, known, measurements, events, every, beginning, begins, behind }: Found,
  { routed, now }: { readonly routed: readonly string[]; readonly now: Instant },
): CheckRecord {
  const { hidden, broken, complete } = result.isPart === true ? (last ?? WHOLE) : result;
  return {
    feed: feed.id,
    subject: subjectKey(subject),
    triedAt,
    okAt: now,
    failures: 0,
    hidden,
    broken,
    complete,
    eventAt: events.length > 0 ? now : last?.eventAt,
    gap: gapIn(behind, { okAt: last?.okAt, every, now: triedAt }) ?? last?.gap,
    cost: last?.cost === undefined ? calls() : last.cost + (calls() - last.cost) * NEWEST_PART,
    changes: fading(last, { now, events: events.length }),
    priorityWindows: result.priorityWindows,
    dates: datesAhead(last?.dates, result, now),
    missed: missedBy(last, {
      triedAt,
      since: feed.dated || begins.length > 0 || beginning?.isUnchanged === true ? undefined : wantedSince,
      patience: CHECK_DEADLINE,
    }),
    ...(measurements.length + known.length === 0
      ? {}
      : {
          measurements: lastMeasurements(measurements, withUnchanged(known, result)).filter(({ series }) => !result.over.includes(series)),
        }),
    routed: routed.length === 0 ? last?.routed : { at: triedAt, events: routed },
  };
}

interface SameSeries {
  readonly same: CheckResult['same'];
  readonly known: readonly LastMeasurement[];
  /** A chat has returned, or a rule waits for a value to last. */
  readonly isAwaited: boolean;
  readonly triedAt: Instant;
  readonly options: CallOptions;
}

/**
 * Returns measurements of unchanged series. After a restart they are read again if returned chats, delayed alerts or lasting values need
 * them.
 */
async function foundSame(
  { feed, subject }: Task,
  { same, known, isAwaited, triedAt, options }: SameSeries,
  { checks: checkRecords, analytics, unranked }: PollContext,
): Promise<readonly Measurement[]> {
  const remembered = checkRecords.measurements(feed.id, subjectKey(subject));
  const series = new Set(remembered.map(seriesOf));
  const missing = new Map(known.filter((one) => same.includes(one.series) && !series.has(one.series)).map((one) => [one.series, one.at]));
  const mayWait = [...missing.values()].some((at) => triedAt - at < MAX_DELAY);
  if (!(isAwaited && same.some((one) => !series.has(one))) && !mayWait) return remembered;
  const { measurements } = await feed.check(subject, undefined, { analytics, options: { ...options, maxAge: HOUR }, unranked });
  // Reading a value again does not change its time.
  const again = measurements.map((measurement) => ({ ...measurement, at: missing.get(seriesOf(measurement)) ?? measurement.at }));
  return [...remembered, ...again.filter((measurement) => !series.has(seriesOf(measurement)))];
}

/** A value within an alert's cooldown is evaluated again until the cooldown has ended and a check has followed. */
const MAX_DELAY = 2 * COOLDOWN;

interface UnchangedSeries {
  readonly same: CheckResult['same'];
  readonly at: Instant;
  readonly triedAt: Instant;
}

const unchanged = (remembered: readonly Measurement[], { same, at, triedAt }: UnchangedSeries): readonly CheckedMeasurement[] =>
  remembered
    // An occurrence does not go on: evaluated again after an absence, the last trade would alert twice.
    .filter((one) => one.at <= at && same.includes(seriesOf(one)) && !isOccurrence(one))
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
/** The cache keeps copies for this long. */
const MAX_HISTORY_AGE = 14 * DAY;

/** How old a cached response may be, in ms, so that no two checks in a row miss a change. */
function oldestUsable({ feed, every = 0, notOlderThan }: Task, { pollMinSeconds, now }: { pollMinSeconds: number; now: Instant }): number {
  const usable = Math.max(interval(feed, pollMinSeconds) / 2, sharedFor(every));
  return notOlderThan === undefined ? usable : Math.min(usable, now - notOlderThan + 1);
}

/** More corrections in one check mean that the list is another one; none of them is reported. */
const MAX_CORRECTIONS = 100;

/** Returns corrections as events with the corrected facts. Old events, and those no longer stored, are not corrected. */
export async function correctionEvents(
  found: readonly FoundCorrection[],
  { feed, at, archive }: { readonly feed: string; readonly at: Instant; readonly archive: Pick<Archive, 'get'> },
): Promise<readonly FeedEvent[]> {
  if (found.length > MAX_CORRECTIONS) return [];
  const events = await Promise.all(
    found.map(async ({ version, ...corrects }): Promise<readonly FeedEvent[]> => {
      const original = await archive.get(corrects.event).catch(ifUnreadable);
      if (original === undefined || at - original.detectedAt > CORRECTED_FOR) return [];
      const { topic, project, wallet, stage } = original;
      const { facts } = asCorrected(original, corrects);
      const about = { topic, ...omitUndefined({ project, wallet }), corrects: { ...corrects, stage } };
      return [{ id: `${corrects.event}/${version}`, feed, ...about, stage: CORRECTED_STAGE, detectedAt: at, facts }];
    }),
  );
  return events.flat();
}
