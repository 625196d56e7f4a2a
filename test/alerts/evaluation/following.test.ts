import { expect, test } from 'vitest';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import { followersOf } from '../../../src/alerts/evaluation/following.js';
import type { StoredState } from '../../../src/alerts/evaluation/shared-states.js';
import { emptyQueue } from '../../../src/alerts/queue/queue.js';
import { createCompactor } from '../../../src/alerts/watchlist/compact-chat.js';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later } from '../../../src/base/clock.js';
import type { Measure } from '../../../src/domain/measures.js';
import { decimal } from '../../../src/domain/scalars.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT, entry, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';

const { compact } = createCompactor<Chat>();
const SINCE = later(NOON, -30 * DAY);
const RUNWAY = 'runway below 6 band 1';
const anchor = { at: later(NOON, -DAY), value: decimal('9') };
const SHARED = { [`treasury/tide/${RUNWAY}`]: { armed: true, anchor, last: anchor } };

interface Scene {
  readonly stored?: StoredState;
  readonly extra?: Partial<Entry>;
  readonly measures?: Readonly<Partial<Record<Measure, number>>>;
  /** Measured before. */
  readonly known?: Measure;
}

/** A treasury of which nobody knows anything but the runway. */
function followsHere({ stored = { shared: true }, extra = {}, measures = { runway: 8 }, known = 'runway' }: Scene = {}): boolean {
  const queue = { ...emptyQueue(CHAT), ruleStates: { [`treasury/tide/tide@${SINCE}/${RUNWAY}`]: stored } };
  const of = (at: typeof NOON, measure: Measure) => measurement(9, at, { feed: 'treasury', measure });
  const one = of(NOON, 'runway');
  const values = Object.fromEntries(Object.entries(measures).map(([measure, value]) => [measure, decimal(String(value))]));
  const before = lastMeasurements([of(later(NOON, -HOUR), known)]);
  const check = { measurements: [{ ...one, values }], before, first: false, now: NOON };
  return followersOf({ check, before: SHARED })(queue, compact({ address: CHAT, entries: [entry(TIDE, SINCE, extra)] }));
}

test('a chat follows the shared states although no check knows the measures of its other rules', () => {
  expect(followsHere()).toBe(true);
  expect(followsHere({ measures: { runway: 8, nav: 1_000 } })).toBe(false);
  expect(followsHere({ known: 'nav' })).toBe(false);
});

test('a chat with a state of its own, or with a rule that ends, is evaluated by itself', () => {
  expect(followsHere({ stored: { armed: true, anchor, last: anchor } })).toBe(false);
  expect(followsHere({ extra: { rules: rules('treasury runway<6; nav move 5') } })).toBe(true);
  expect(followsHere({ extra: { rules: rules('treasury runway<6; nav move 5 once') } })).toBe(false);
});

test('an anchor of its own decides no threshold, unless one of both alerted within the cooldown', () => {
  const own = (alertedAt = anchor.at): StoredState => ({ shared: true, own: { anchor, alertedAt, insteadOf: anchor.at } });
  expect(followsHere({ stored: own() })).toBe(true);
  expect(followsHere({ stored: own(later(NOON, -HOUR / 2)) })).toBe(false);
});
