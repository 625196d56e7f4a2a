/**
 * What judging figures costs. Run with `npx vitest bench --run test/bench/levels.bench.ts`; compare the ratios, since absolute numbers depend on
 * the machine, and on a busy one those of the least times: a chat pays neither for what it remembers of other projects nor, beside a hundred others, for the past that a rule checks back on.
 */
import { bench, describe } from 'vitest';
import type { MeasuredCheck } from '../../src/alerts/evaluation/evaluate.js';
import { lastMeasurements } from '../../src/alerts/checks/check-records.js';
import { routeMeasurements } from '../../src/alerts/evaluation/route-measurements.js';
import { DAY, instant, later, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Point } from '../../src/domain/crossing.js';
import { decimal } from '../../src/domain/scalars.js';
import type { Measurement } from '../../src/feeds/feed.js';
import { ALL, CHAT, entry, openAlertsHarness } from '../alerts/harness.js';
import { evaluateKnown, newChat, type KnownChat } from '../alerts/known-chat.js';
import { measurement, rules } from '../alerts/measurements.js';
import { NOON } from '../feeds/reading.js';

const SINCE = later(NOON, -DAY);
const NEXT = later(NOON, MINUTE);
const CHATS = 100;
const YEAR = Array.from({ length: 365 }, (_, day) => ({
  at: instant(NOON - (365 - day) * DAY),
  value: decimal((5 + Math.sin(day)).toFixed(12)),
}));

const checkedOnce = (...measurements: readonly Measurement[]): MeasuredCheck => ({
  measurements,
  before: [],
  first: false,
  now: measurements[0]?.at ?? NOON,
});

describe('a check routed to a hundred chats, each with one rule', () => {
  for (const rule of ['premium<-10', 'premium extreme 90d', 'premium z>2']) {
    const chat = { address: CHAT, entries: [entry(ALL, SINCE, { rules: rules(rule) })] };
    const { queue } = evaluateKnown(newChat(CHAT), chat, checkedOnce(measurement(5, NOON, { history: YEAR })));
    bench(rule, () => {
      // Each check brings a past of its own.
      const check = checkedOnce(measurement(5, NEXT, { history: [...YEAR] }));
      for (let number = 0; number < CHATS; number += 1) evaluateKnown(queue, chat, check);
    });
  }
});

describe('a check of one project, heard by a chat that remembers so many', () => {
  const chat = { address: CHAT, entries: [entry(ALL, SINCE)] };
  for (const projects of [1, 40, 200]) {
    const queue = Array.from({ length: projects }).reduce<KnownChat>(
      (known, _, number) => evaluateKnown(known, chat, checkedOnce(measurement(5, NOON, { project: `p-${number}` }))).queue,
      newChat(CHAT),
    );
    const check = checkedOnce(measurement(5, NEXT, { project: 'p-0' }));
    bench(`${projects} projects`, () => void evaluateKnown(queue, chat, check));
  }
});

/** A thousand chats, whose states were written at an alert: with default rules, or each with a rule of its own. */
async function thousand(ruleOf: (number: number) => string | undefined) {
  const harness = await openAlertsHarness();
  for (let number = 0; number < 1_000; number += 1) {
    const rule = ruleOf(number);
    await harness.watch(ALL, rule === undefined ? {} : { rules: rules(rule) }, address('telegram', `-${number}`));
  }
  let before: MeasuredCheck['before'] = [];
  const check = async (value: number, of: readonly Point[]): Promise<void> => {
    await harness.clock.advance(MINUTE);
    const one = measurement(value, harness.clock.now(), { history: of });
    const routing = { ...harness, key: 'premium/tide', now: harness.clock.now() };
    await routeMeasurements({ measurements: [one], before, first: before.length === 0 }, routing);
    before = lastMeasurements([one]);
  };
  for (const value of [1, -1]) await check(value, YEAR);
  return check;
}

describe('a check of a project that a thousand chats watch', async () => {
  const [shared, own] = [await thousand(() => undefined), await thousand((number) => `premium>${(number / 100 + 2).toFixed(2)}`)];
  bench('by default rules', async () => shared(-1, [...YEAR]));
  bench('each by a rule of its own', async () => own(-1, [...YEAR]));
});
