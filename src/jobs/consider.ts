/** This module decides whether a subject's row in a list calls for a check, by the rules and filters of its chats. It stores nothing. */
import { knownIn, lastMeasurements, type CheckRecords, type LastMeasurement, seriesOf } from '../alerts/checks/check-records.js';
import type { FirstChecks } from '../alerts/checks/first-checks.js';
import { JUST_NOW } from '../alerts/evaluation/evaluate.js';
import { NO_RULES, type RuleStates } from '../alerts/evaluation/rule-states.js';
import { hasRuleOn } from '../alerts/evaluation/route-measurements.js';
import { wouldChange } from '../alerts/evaluation/supposed.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Analytics } from '../analytics/analytics.js';
import { DAY, later, type Clock } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { isApartBy } from '../domain/decimal.js';
import { defaultHysteresis, JOINABLE_MEASURES, THRESHOLD_MEASURES, UNLISTED_MEASURES, type Measure } from '../domain/measures.js';
import { decimal, type Decimal } from '../domain/scalars.js';
import { subjectKey, type Measurement } from '../feeds/feed.js';
import { ifUnreadable } from '../store/store.js';
import type { Consider, Sweeps } from '../sweeps/sweeps.js';
import { supposedScreen } from './screens.js';
import { taskKey, type Task } from './wanted-checks.js';
import type { WatermarkDocument, Watermarks } from './watermarks.js';

export interface ConsiderContext {
  readonly analytics: Pick<Analytics, 'kept' | 'state'>;
  readonly source: string;
  readonly watermarks: Watermarks;
  readonly checks: CheckRecords;
  readonly firstChecks: Pick<FirstChecks, 'since'>;
  readonly watchlists: Watchlists;
  readonly rules: RuleStates;
  readonly clock: Clock;
}

export const createConsider =
  (context: ConsiderContext): Consider =>
  async ({ feed, subject }, { now: listed, base }) => {
    const { analytics, source, watermarks, checks, firstChecks, watchlists, rules, clock } = context;
    const key = taskKey({ feed, subject });
    const wantedSince = firstChecks.since(key);
    const since = wantedSince && later(wantedSince, -JUST_NOW);
    // The store is read only if a row shows a change; most do not.
    let reading: Promise<WatermarkDocument | undefined> | undefined;
    const known = async (): Promise<WatermarkDocument | undefined> => {
      const document = await (reading ??= watermarks.get(key).catch(ifUnreadable));
      return document?.source === source ? document : undefined;
    };
    const of = { base, analytics, since, stored: async () => (await known())?.watermark };
    const supposed = await feed.supposed(subject, { ...of, now: listed });
    if (supposed === undefined) return undefined;
    const { events, measurements, isChanged } = supposed;
    // A row with known or older values gives no measurement, but it is still compared with confirmed values.
    const [shown] =
      measurements.length > 0 || feed.alerts.measures.length === 0
        ? measurements
        : ((await feed.supposed(subject, { ...of, now: listed, stored: async () => undefined }))?.measurements ?? []);
    const values = shown?.values ?? {};
    if (isChanged) return { because: 'something is no longer listed', values };
    if (events.length + measurements.length === 0) return { because: undefined, values };
    const [event] = events;
    // Without a monthly limit, events that alert no chat are checked too, so that `/why` and digests know them.
    const isUnlimited = analytics.state().budget.limit === undefined;
    if (event !== undefined && isUnlimited) return { because: `${event.stage} of ${feed.id}`, values };
    const record = checks.read(feed.id, subjectKey(subject));
    const document = await known();
    const confirmed = document === undefined ? [] : (record?.measurements ?? []);
    if (isUnlimited && hasMoved(values, confirmed[0]?.values ?? {})) return { because: `figures of ${feed.id} moved`, values };
    const about = { feed: feed.id, ...omitUndefined({ project: shown?.event.project }) };
    // A trade moves the volume. Its size and the prices after it are not in the list.
    if (isUnlimited && UNLISTED_MEASURES.some((measure) => hasRuleOn(measure, about, watchlists)) && hasTraded(measurements, confirmed))
      return { because: `trades of ${feed.id}`, values };
    const swept = confirmed.length > 0 || base === undefined ? undefined : await feed.supposed(subject, { ...of, now: base });
    const before = swept === undefined ? confirmed : { swept: swept.measurements };
    const screen =
      shown?.event.project === undefined
        ? undefined
        : await supposedScreen({ filters: watchlists.here.watched.screens, feed, slug: shown.event.project, shown: values }, context);
    if (screen !== undefined) return { because: `the screen ${screen}`, values };
    const change = await wouldChange(
      { events, measurements, before, rules: document === undefined ? NO_RULES : rules.of(key), checkedAt: record?.okAt },
      { watchlists, now: clock.now() },
    );
    // If the list lacks a value of a joined rule, it cannot show that nothing happened.
    const isLacking = (measure: Measure): boolean =>
      shown !== undefined && knownIn(shown)[measure] === undefined && hasRuleOn(measure, about, watchlists);
    const ofOthers = JOINABLE_MEASURES.filter((measure) => !feed.alerts.measures.includes(measure));
    if (change === undefined && ofOthers.some(isLacking)) return undefined;
    return { because: change?.because, needsHistory: change?.needsHistory === true, showsEvents: events.length > 0, values };
  };

/** Part of a hysteresis. Smaller changes of a value are normal noise. */
const MOVED_PART = decimal('0.25');

const hasMoved = (shown: Measurement['values'], confirmed: Measurement['values']): boolean =>
  THRESHOLD_MEASURES.some((measure) => {
    const [now, was] = [shown[measure], confirmed[measure]];
    return now !== undefined && was !== undefined && isApartBy(now, was, { part: MOVED_PART, of: defaultHysteresis(measure, was) });
  });

function hasTraded(shown: readonly Measurement[], confirmed: readonly LastMeasurement[]): boolean {
  const before = new Map(confirmed.map(({ series, values }) => [series, values.volume]));
  return shown.some((one) => one.values.volume !== undefined && one.values.volume !== before.get(seriesOf(one)));
}

/** Maximum difference between the project's own history and the list, in hystereses of the measure. */
const WITHIN = decimal('2');
const WITNESS_AGE = 1.5 * DAY;

/** What is known of the time between the start of a watch and the first check of measures. */
export interface Beginning {
  /** Starting values of rules, from the project's own history at about the first sweep. Empty if there are none. */
  readonly before: readonly LastMeasurement[];
  /** The first check found about the values of the first sweep, so no change was missed. */
  readonly isUnchanged: boolean;
}

/**
 * Returns a function that finds the starting values of rules. Values of a list count only if the project's own history agrees with them.
 */
export const createBeginning =
  (sweeps: Pick<Sweeps, 'base'>, { analytics, firstChecks }: Pick<ConsiderContext, 'analytics' | 'firstChecks'>) =>
  async ({ feed, subject }: Task, [own]: readonly Measurement[]): Promise<Beginning | undefined> => {
    const base = sweeps.base({ feed, subject });
    const since = firstChecks.since(taskKey({ feed, subject }));
    if (base === undefined || own === undefined || since === undefined || base.at < later(since, -JUST_NOW)) return undefined;
    const supposed = await feed.supposed(subject, { now: base, base: undefined, analytics, since, stored: async () => undefined });
    const [swept] = supposed?.measurements ?? [];
    if (swept === undefined) return undefined;
    const shown = THRESHOLD_MEASURES.flatMap((measure) => {
      const value = swept.values[measure];
      return value === undefined ? [] : [{ measure, value }];
    });
    const isNear = ({ measure, value }: (typeof shown)[number], other: Decimal | undefined): other is Decimal =>
      other !== undefined && !isApartBy(value, other, { part: WITHIN, of: defaultHysteresis(measure, other) });
    const values = shown.flatMap((one) => {
      const history = own.history?.[one.measure] ?? [];
      const witness = history.filter(({ at }) => at <= base.at && at >= base.at - WITNESS_AGE).toSorted((a, b) => b.at - a.at)[0]?.value;
      return isNear(one, witness) ? [[one.measure, witness] as const] : [];
    });
    const id = `${seriesOf(own)}/${base.at}`;
    const begun = {
      ...swept,
      at: base.at,
      others: undefined,
      values: Object.fromEntries(values),
      event: { ...swept.event, id, detectedAt: base.at },
    };
    return {
      before: values.length === 0 ? [] : lastMeasurements([begun]),
      isUnchanged: shown.every((one) => own.values[one.measure] === undefined || isNear(one, own.values[one.measure])),
    };
  };
