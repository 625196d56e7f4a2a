/** This module runs a kind's rules over past checks with the code that evaluates live checks. It stores nothing. */
import { DAY, HOUR } from '../../base/clock.js';
import { yieldToEventLoop } from '../../base/yield.js';
import type { Crossing } from '../../domain/crossing.js';
import { momentOf, type FeedEvent } from '../../domain/event.js';
import { MEASURES } from '../../domain/measures.js';
import type { Instant } from '../../domain/scalars.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { PastCheck } from '../../feeds/feed.js';
import { lastMeasurements, newerThan, type LastMeasurement, seriesOf } from '../checks/check-records.js';
import { evaluateRules, type NamedStates } from '../evaluation/chat-rules.js';
import type { MeasuredCheck } from '../evaluation/evaluate.js';
import { passes, thresholdsFor } from '../rules/filter.js';
import { ruleName } from '../rules/presets.js';
import type { Rules } from '../rules/rule.js';

export interface Firing {
  readonly at: Instant;
  readonly event: FeedEvent;
  /** Empty for an event that passed the filters. */
  readonly crossings: readonly Crossing[];
  /** The returns of these crossings, for alerts that are over. */
  readonly returns?: readonly Crossing[];
}

export interface ReplayCheck {
  readonly measured: MeasuredCheck;
  readonly events: readonly FeedEvent[];
}

export const EVENTS_AT_ONCE = 200;

/** Returns twice the interval of the history, so that one value may be missing. Charts are daily, those of markets hourly. */
const longestGap: MeasuredCheck['longestGap'] = ({ measure }) => 2 * (MEASURES[measure].of === 'topic' ? HOUR : DAY);

/** Prepares past checks for `replay`. The rules begin at `began`; earlier events do not count. */
export function replayChecks(checks: readonly PastCheck[], began: Instant): readonly ReplayCheck[] {
  const prepared: ReplayCheck[] = [];
  let before: readonly LastMeasurement[] = [];
  for (const { at, events, measurements } of checks) {
    const fresh = newerThan(before, measurements, at);
    prepared.push({
      measured: { measurements: fresh, before, first: before.length === 0, longestGap, now: at },
      events: events.filter((event) => momentOf(event) >= began),
    });
    before = lastMeasurements(fresh, before);
  }
  return prepared;
}

const NO_STATES: NamedStates = new Map();

/** Returns the firings, oldest first. Rejects with the reason of `signal`. */
export async function replay(rules: Rules, checks: readonly ReplayCheck[], signal?: AbortSignal): Promise<readonly Firing[]> {
  const firings: Firing[] = [];
  const states = new Map<string, NamedStates>();
  const returns = new Map<string, readonly Crossing[]>();
  for (const { measured, events } of checks) {
    // One check may take some milliseconds, for example for the extremes of a year.
    await yieldToEventLoop();
    signal?.throwIfAborted();
    for (const [place, event] of events.entries()) {
      if (place % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) await yieldToEventLoop();
      if (passes(event, rules.filters).passes) firings.push({ at: momentOf(event), event, crossings: [] });
    }
    for (const measurement of measured.measurements) {
      const series = seriesOf(measurement);
      const named = new Map(thresholdsFor(rules, measurement.event).map((rule): [string, ThresholdRule] => [ruleName(rule), rule]));
      const evaluated = evaluateRules(measurement, {
        rules: named,
        states: states.get(series) ?? NO_STATES,
        check: measured,
        began: undefined,
        absence: undefined,
        hasFired: () => false,
      });
      states.set(series, evaluated.states);
      for (const back of evaluated.returns) {
        const key = `${series} ${back.since.at}`;
        returns.set(key, [...(returns.get(key) ?? []), back]);
      }
      if (evaluated.crossings.length > 0) firings.push({ at: measurement.at, event: measurement.event, crossings: evaluated.crossings });
    }
  }
  return firings
    .map((firing) => {
      const over = firing.crossings.length === 0 ? undefined : returns.get(`${seriesOf(firing)} ${firing.at}`);
      return over === undefined ? firing : { ...firing, returns: over };
    })
    .toSorted((a, b) => a.at - b.at);
}
