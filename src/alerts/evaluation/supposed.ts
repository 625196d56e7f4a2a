/** Whether a chat would be alerted, or a rule armed or disarmed, if a check found this. Nothing is stored: what a list shows is never evaluated for good. */
import type { FeedEvent } from '../../domain/event.js';
import type { Measurement } from '../../feeds/feed.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { lastMeasurements, type LastMeasurement, seriesOf } from '../checks/check-records.js';
import { evaluateForChat } from './chat-rules.js';
import { type MeasuredCheck } from './evaluate.js';
import { begun, coversOneOf, match } from './match.js';
import type { Routing } from './route.js';
import { statesOf } from './shared-state-references.js';
import { resolved, sharedKeyOf, type SharedStates } from './shared-states.js';
import type { RuleState } from './threshold.js';

export interface SupposedCheck {
  readonly events: readonly FeedEvent[];
  readonly measurements: readonly Measurement[];
  /** The confirmed values; where there are none, what the list showed when the subject was first swept. */
  readonly before: readonly LastMeasurement[] | { readonly swept: readonly Measurement[] };
  readonly shared: SharedStates;
  readonly checkedAt: MeasuredCheck['checkedAt'];
}

const AT_ONCE = 500;
const OF_HISTORY: ReadonlySet<ThresholdRule['when']> = new Set(['extreme', 'z-score']);

export interface SupposedChange {
  /** In words, for the log and `/why`. */
  readonly because: string;
  /** A rule on an extreme or a z-score would alert. */
  readonly needsHistory: boolean;
}

/** What would change; undefined if nothing would. Reads each concerned chat until one would be alerted. */
export async function wouldChange(
  { events, measurements, before, shared, checkedAt }: SupposedCheck,
  { watchlists, queues, now }: Pick<Routing, 'watchlists' | 'queues' | 'now'>,
): Promise<SupposedChange | undefined> {
  const isConcerned = coversOneOf([...events, ...measurements.map(({ event }) => event)]);
  const chats = new Set([...events, ...measurements.map(({ event }) => event)].flatMap((event) => [...watchlists.here.to(event)]));
  const swept = 'swept' in before ? before.swept : [];
  const how = { first: false, checkedAt, now };
  const known = 'swept' in before ? lastMeasurements(swept) : before;
  const check: MeasuredCheck = { ...how, measurements, before: known };
  // The states with which rules that have none would have begun.
  const begin: MeasuredCheck = { ...how, measurements: swept, before: [], first: true };
  const transition = { before: shared, after: shared };
  let asked = 0;
  for (const address of chats) {
    asked += 1;
    if (asked % AT_ONCE === 0) await yieldToEventLoop();
    const chat = begun(watchlists.readOnly(address, isConcerned), now);
    for (const event of events) {
      const verdict = match(event, chat);
      if (verdict.matched || (verdict.at === 'filter' && verdict.digestOnly))
        return { because: `${event.stage} of ${event.feed}`, needsHistory: false };
    }
    if (measurements.length === 0) continue;
    const queue = queues.read(address);
    const { queue: after, alerts, states } = evaluateForChat(queue, chat, check, transition);
    const [alert] = alerts;
    if (alert !== undefined) {
      const { crossings = [] } = after.waiting.find(({ event }) => event === alert.event.id) ?? {};
      return { because: `a rule of ${alert.event.feed}`, needsHistory: crossings.some(({ rule }) => OF_HISTORY.has(rule.when)) };
    }
    const begins = swept.length === 0 ? undefined : evaluateForChat(queue, chat, begin).states;
    for (const measurement of measurements) {
      const series = seriesOf(measurement);
      const stored = statesOf(queue, series);
      for (const [key, state] of states.get(series) ?? []) {
        const kept = stored.get(key);
        const was: RuleState | undefined = kept === undefined ? begins?.get(series)?.get(key) : resolved(kept, shared[sharedKeyOf(key)]);
        if (was !== undefined && was.armed !== state.armed) return { because: 'a rule that re-arms', needsHistory: false };
      }
    }
  }
  return undefined;
}
