import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  COOLDOWN,
  evaluateRule,
  ruleStateSchema,
  type RuleInput,
  type RuleResult,
  type RuleState,
} from '../../../src/alerts/evaluation/threshold.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import type { Point } from '../../../src/domain/crossing.js';
import { decimal } from '../../../src/domain/scalars.js';
import type { ThresholdRule } from '../../../src/domain/threshold-rule.js';
import { NOON } from '../../feeds/reading.js';
import { levelRules } from '../threshold-rules.js';
import { runs } from '../../support/properties.js';

function rule(text: string): ThresholdRule {
  const found = readRule(text);
  if (!found.read) throw new Error(found.says);
  const [first] = found.rules.thresholds;
  if (first === undefined) throw new Error(`"${text}" has no rule on a figure`);
  return first;
}

const measurement = (value: number | string | undefined, at: Instant, history: readonly Point[] = []): RuleInput => ({
  ...{ at, history },
  value: value === undefined ? undefined : decimal(value),
});

/** One reading every `apart` milliseconds; a pair brings its own past. */
function read(text: string, values: readonly (number | undefined)[], apart = 2 * HOUR): readonly RuleResult[] {
  let state: RuleState | undefined;
  return values.map((value, index) => {
    const judgement = evaluateRule(rule(text), state, measurement(value, later(NOON, index * apart)));
    ({ state } = judgement);
    return judgement;
  });
}

const reasons = (judgements: readonly RuleResult[]): readonly string[] => judgements.map(({ reason }) => reason);
const alerts = (judgements: readonly RuleResult[]) => judgements.flatMap(({ alert }) => alert ?? []);

describe('a line', () => {
  test('is an alert when it is crossed, and once more only after the measurement came back by the hysteresis', () => {
    expect(reasons(read('premium<-10', [-9, -10, -11, -9, -12, -8, -9, -10.5]))).toEqual([
      ...['first check', 'not reached', 'alert', 'within the hysteresis', 'within the hysteresis'],
      ...['back, armed again', 'not reached', 'alert'],
    ]);
    expect(reasons(read('premium>10', [9, 10, 11, 9, 8, 12]))).toEqual([
      'first check',
      'not reached',
      'alert',
      'within the hysteresis',
      'back, armed again',
      'alert',
    ]);
  });

  test('that the measurement stands beyond at the first check is crossed only when it came back', () => {
    expect(reasons(read('runway<6', [5, 4, 6, 7, 5]))).toEqual([
      ...['first check', 'within the hysteresis', 'within the hysteresis', 'back, armed again', 'alert'],
    ]);
  });

  test('has the value, the one before and the last alerted one', () => {
    const [first, second] = alerts(read('premium<-10', [-5, -9, -12, -7, -11]));
    const at = (index: number) => later(NOON, index * 2 * HOUR);
    expect(first).toEqual({
      side: 'low',
      now: { at: at(2), value: '-12' },
      was: { at: at(1), value: '-9' },
      since: { at: at(0), value: '-5' },
    });
    expect(second).toMatchObject({ was: { value: '-7' }, since: { at: at(2), value: '-12' } });
  });

  test('crossed 40 times inside its hysteresis is at most two alerts', () => {
    const tenths = (min: number, max: number) => fc.integer({ min, max }).map((count) => count / 10);
    const crossings = fc.array(fc.tuple(tenths(-119, -101), tenths(-99, -81)), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(crossings, fc.integer({ min: 1, max: 3 * HOUR }), (pairs, apart) => {
        const alerted = alerts(read('premium<-10', [0, ...pairs.flat()], apart));
        expect(alerted.length).toBeGreaterThanOrEqual(1);
        expect(alerted.length).toBeLessThanOrEqual(2);
      }),
    );
  });

  test('crossed again too soon is reported when the wait is over, and what was suppressed made the wait no longer', () => {
    const half = COOLDOWN / 2;
    const judgements = read('premium<-10', [0, -11, 0, -12, -12, -12, -12], half / 2);
    expect(reasons(judgements)).toEqual([
      ...['first check', 'alert', 'back, armed again'],
      ...['too soon after the last alert', 'too soon after the last alert', 'alert', 'within the hysteresis'],
    ]);
    expect(reasons(read('premium<-10', [0, -11, 0, -12, 0, 0, 0], half / 2)).slice(3)).toEqual([
      'too soon after the last alert',
      ...['not reached', 'not reached', 'not reached'],
    ]);
  });
});

describe('a move', () => {
  test('that comes too soon after the last alert is measured from that alert when the wait is over', () => {
    const judgements = read('premium move 5', [0, 6, 12, 12, 12, 12, 12], COOLDOWN / 4);
    expect(reasons(judgements).indexOf('alert', 2)).toBe(5);
    expect(alerts(judgements).map(({ since, now }) => [since.value, now.value])).toEqual([
      ['0', '6'],
      ['6', '12'],
    ]);
  });

  test('is measured from the last alerted value, so that a slow slide is reported step by step', () => {
    const judgements = read('premium move 5', [0, -2, -4, -5, -7, -9, -10, -6]);
    expect(alerts(judgements).map(({ since, now }) => [since.value, now.value])).toEqual([
      ['0', '-5'],
      ['-5', '-10'],
    ]);
  });
  test('of money is in percent of the last alerted value, and from nothing any', () => {
    expect(alerts(read('nav move 5%', [100, 104, 105, 110, 110.25])).map(({ now }) => now.value)).toEqual(['105', '110.25']);
    expect(alerts(read('nav move 5%', [0, 0, 0.01])).map(({ now }) => now.value)).toEqual(['0.01']);
  });
  test('of a rank is in places, upwards and downwards', () => {
    expect(alerts(read('rank move 3', [12, 10, 9, 11, 12])).map(({ side, now }) => [side, now.value])).toEqual([
      ['low', '9'],
      ['high', '12'],
    ]);
  });
  test('of an allowance is any change where any was asked for', () => {
    expect(alerts(read('allowance changes', [100, 100, 100.5, 100.5, 100])).map(({ now }) => now.value)).toEqual(['100.5', '100']);
  });
});

/** One value a day for so many days before noon. */
const days = (count: number, value: (day: number) => number): Point[] =>
  Array.from({ length: count }, (_, day) => ({ at: later(NOON, (day - count) * DAY), value: decimal(value(day)) }));

describe('against its own past', () => {
  const past = days(120, (day) => (day % 2 === 0 ? -10 : 10));
  const verdict = (text: string, state: RuleState | undefined, value: number, history = past, at = later(NOON, HOUR)) =>
    evaluateRule(rule(text), state, measurement(value, at, history));
  const begun = verdict('premium extreme 90d', undefined, 0, past, NOON).state;

  test('a new extreme is beyond everything of so many days, to either side', () => {
    expect(verdict('premium extreme 90d', begun, 10).reason).toBe('not reached');
    expect(verdict('premium extreme 90d', begun, 10.1).alert).toMatchObject({ side: 'high', now: { value: '10.1' } });
    expect(verdict('premium extreme 90d', begun, -10.1).alert).toMatchObject({ side: 'low' });
  });
  test('what lies before those days does not count', () => {
    const older = [...past, { at: later(NOON, -91 * DAY), value: decimal(99) }];
    expect(verdict('premium extreme 90d', begun, 11, older).reason).toBe('alert');
    expect(verdict('premium extreme 90d', begun, 11, [...past, { at: later(NOON, -80 * DAY), value: decimal(99) }]).reason).toBe(
      'not reached',
    );
  });
  test('one past answers each rule by its own days, and each chat by what it has evaluated already', () => {
    const one = [...past, { at: later(NOON, -60 * DAY), value: decimal(20) }, { at: later(NOON, 30 * MINUTE), value: decimal(15) }];
    const checkedOnce = verdict('premium extreme 90d', undefined, 0, one, later(NOON, 30 * MINUTE)).state;
    for (let times = 0; times < 2; times += 1) {
      expect(verdict('premium extreme 90d', begun, 16, one).reason).toBe('not reached');
      expect(verdict('premium extreme 30d', begun, 16, one).reason).toBe('alert');
      expect(verdict('premium extreme 30d', begun, 14, one).reason).toBe('alert');
      expect(verdict('premium extreme 30d', checkedOnce, 14, one).reason).toBe('not reached');
    }
  });
  test('the newest points of the past may be the measurement itself, and hide no extreme', () => {
    const itself = [...past, { at: later(NOON, 59 * MINUTE), value: decimal(12) }];
    expect(verdict('premium extreme 90d', begun, 12, itself).reason).toBe('alert');
    const first = verdict('premium extreme 90d', undefined, 12, [...past, { at: later(NOON, -MINUTE), value: decimal(12) }], NOON).state;
    expect(verdict('premium extreme 90d', first, 12.5).reason).toBe('not reached');
  });
  test('after an absence everything charted before it counts, although the state is older, and nothing charted since', () => {
    const charted = [...past, { at: later(NOON, HOUR), value: decimal(15) }, { at: later(NOON, 6 * HOUR), value: decimal(20) }];
    const back = (value: number, unseenSince: Instant | undefined) =>
      evaluateRule(rule('premium extreme 90d'), begun, { ...measurement(value, later(NOON, 9 * HOUR), charted), unseenSince }).reason;
    expect(back(14, later(NOON, 5 * HOUR))).toBe('not reached');
    expect(back(16, later(NOON, 5 * HOUR))).toBe('alert');
    expect(back(16, later(NOON, 7 * HOUR))).toBe('not reached');
  });
  test('a further extreme is reported when it has gone on from the last alerted one by the hysteresis', () => {
    let state = begun;
    const alerted = [11, 11.5, 12.9, 12, 13, 14.9, 15].map((value, index) => {
      const judgement = verdict('premium extreme 90d', state, value, past, later(NOON, (index + 1) * HOUR));
      ({ state } = judgement);
      return [value, judgement.alert !== undefined];
    });
    expect(alerted.flatMap(([value, is]) => (is === true ? [value] : []))).toEqual([11, 13, 15]);
  });
  test('a new extreme does not wait for the cooldown', () => {
    const { state } = verdict('premium extreme 90d', begun, 11);
    expect(verdict('premium extreme 90d', state, 14, past, later(NOON, HOUR + MINUTE)).reason).toBe('alert');
  });
  test('what was alerted counts as past although no chart shows it, as long as it is within those days', () => {
    const { state } = verdict('premium extreme 90d', begun, 15);
    expect(verdict('premium extreme 90d', state, 12.5, past, later(NOON, 2 * HOUR)).reason).toBe('not reached');
    const alertedLongAgo = (value: number): RuleState => ({
      ...{ armed: true, last: { at: NOON, value: decimal(0) } },
      anchor: { at: later(NOON, -91 * DAY), value: decimal(value), side: 'high' },
    });
    expect([20, 10.5].map((value) => verdict('premium extreme 90d', alertedLongAgo(value), 11).reason)).toEqual(['alert', 'alert']);
  });
  test('a high that was alerted keeps no low back', () => {
    const flat = days(120, () => 5);
    const alerted: RuleState = {
      ...{ armed: true, last: { at: NOON, value: decimal(5) } },
      anchor: { at: later(NOON, -DAY), value: decimal(5.5), side: 'high' },
    };
    expect(verdict('premium extreme 90d', alerted, 4.9, flat).alert).toMatchObject({ side: 'low' });
  });
  test('a past that begins less than a day late is long enough', () => {
    const since = (daysAgo: number) => past.filter(({ at }) => at >= later(NOON, -daysAgo * DAY));
    expect(verdict('premium extreme 90d', begun, 11, since(89)).reason).toBe('alert');
    expect(verdict('premium extreme 90d', begun, 11, since(88)).reason).toBe('history too short');
  });
  test('a past that does not reach far enough is no verdict', () => {
    expect(
      verdict(
        'premium extreme 90d',
        begun,
        50,
        days(60, () => 0),
      ).reason,
    ).toBe('history too short');
    expect(
      verdict(
        'premium z>2',
        begun,
        50,
        days(29, (day) => day),
      ).reason,
    ).toBe('history too short');
    expect(
      verdict(
        'premium z>2',
        begun,
        50,
        days(90, () => 1),
      ).reason,
    ).toBe('history too short');
  });
  test('a z-score counts standard deviations from the mean of its year', () => {
    // Mean 0 and deviation 10.04 by 120 values of ±10.
    expect(verdict('premium z>2', begun, -20).reason).toBe('not reached');
    const { alert } = verdict('premium z>2', begun, -20.2);
    expect(alert).toMatchObject({ side: 'low' });
    expect(Number(alert?.zScore)).toBeCloseTo(-20.2 / Math.sqrt((120 * 100) / 119), 10);
  });
  test('a z-score leaves out what is older than a year', () => {
    const older = [...past, { at: later(NOON, -366 * DAY), value: decimal(10_000) }];
    expect(verdict('premium z>2', begun, -20.2, older).alert?.zScore).toBe(verdict('premium z>2', begun, -20.2).alert?.zScore);
  });
  test('a z-score that wavers is one alert, and one to the other side another', () => {
    let state = begun;
    const checkedOnce = [21, 19, 21, 19, -21, -19, -14, -21].map((value, index) => {
      const judgement = verdict('premium z>2', state, value, past, later(NOON, (index + 1) * 2 * HOUR));
      ({ state } = judgement);
      return judgement.reason;
    });
    expect(checkedOnce).toEqual([
      ...['alert', 'within the hysteresis', 'within the hysteresis', 'within the hysteresis'],
      ...['alert', 'within the hysteresis', 'back, armed again', 'alert'],
    ]);
  });
});

test('another measurement of the same moment is ignored', () => {
  const { state } = evaluateRule(rule('premium<-10'), undefined, measurement(-5, NOON));
  expect(evaluateRule(rule('premium<-10'), state, measurement(-50, NOON))).toEqual({ state, reason: 'older than the last measurement' });
});

test('what is not known is no measurement', () => {
  const [first, second] = read('premium<-10', [-5, undefined]);
  expect(second).toEqual({ state: first?.state, reason: 'unknown' });
  expect(read('premium<-10', [undefined])).toEqual([{ state: undefined, reason: 'unknown' }]);
});

describe('whatever the rule and the measurements', () => {
  const anyRule = levelRules(['premium', 'runway', 'nav', 'allowance', 'rank']);
  const values = fc.array(
    fc.option(
      fc.integer({ min: -400, max: 400 }).map((tenths) => tenths / 4),
      { nil: undefined },
    ),
    { maxLength: 25 },
  );
  const history = days(40, (day) => (day * 7) % 23);
  const inOrder = (all: readonly (number | undefined)[], apart: number) =>
    all.map((value, index) => measurement(value, later(NOON, index * apart), history));
  const after = (one: ThresholdRule, measurements: readonly RuleInput[]) => {
    let state: RuleState | undefined;
    const alerted = measurements.flatMap((next) => {
      const judgement = evaluateRule(one, state, next);
      ({ state } = judgement);
      return judgement.alert ?? [];
    });
    return { state, alerted };
  };
  const apart = fc.integer({ min: MINUTE, max: DAY });

  test('older measurements change nothing, however they repeat and in whatever order they come again', () => {
    fc.assert(
      fc.property(anyRule, values, apart, fc.array(fc.tuple(fc.nat(), fc.nat())), (one, all, gap, again) => {
        const measurements = inOrder(all, gap);
        const noisy = measurements.flatMap((next, index) => {
          const known = measurements.slice(0, index + 1).flatMap(({ at, value }) => (value === undefined ? [] : [at]));
          const newest = Math.max(...known);
          const old = measurements.slice(0, index + 1).filter(({ at }) => at <= newest);
          return [
            next,
            ...again.filter(([where]) => where % measurements.length === index).flatMap(([, which]) => old[which % old.length] ?? []),
          ];
        });
        expect(after(one, noisy)).toEqual(after(one, measurements));
      }),
      { numRuns: runs(300) },
    );
  });

  test('its state comes back from JSON and goes on as if it had never left', () => {
    fc.assert(
      fc.property(anyRule, values, apart, (one, all, gap) => {
        let state: RuleState | undefined;
        for (const next of inOrder(all, gap)) {
          ({ state } = evaluateRule(one, state, next));
          const document = { state };
          expect(z.object({ state: ruleStateSchema.optional() }).parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
        }
      }),
    );
  });

  test('one measurement is at most one alert of a rule', () => {
    fc.assert(
      fc.property(anyRule, values, apart, (one, all, gap) => {
        const moments = after(one, inOrder(all, gap)).alerted.map(({ now }) => now.at);
        expect(new Set(moments).size).toBe(moments.length);
      }),
    );
  });
});

describe('a market', () => {
  test('that flips alerts once, and again only after it was clearly on one side', () => {
    expect(reasons(read('flip', [1.2, 0.3, -0.1, -0.2, 0.3, -0.4, 0.4, 0.6, 0, -0.4, 0.2]))).toEqual([
      ...['first check', 'not reached', 'alert', 'within the hysteresis', 'within the hysteresis', 'within the hysteresis'],
      ...['within the hysteresis', 'alert', 'alert', 'within the hysteresis', 'within the hysteresis'],
    ]);
  });

  test('that flips far from 0 alerts of the next flip, though no further value was seen in between', () => {
    expect(reasons(read('flip', [1, -0.6, 0.1], 2 * HOUR))).toEqual(['first check', 'alert', 'alert']);
    expect(reasons(read('flip', [1, -0.4, 0.1], 2 * HOUR))).toEqual(['first check', 'alert', 'within the hysteresis']);
  });

  test('at its threshold is failing, so that reaching it from above is a flip and from below is none', () => {
    expect(reasons(read('flip', [1, 0]))).toEqual(['first check', 'alert']);
    expect(reasons(read('flip', [-1, 0]))).toEqual(['first check', 'not reached']);
  });

  test('that flips back within the hour is an alert after it, if it is still so', () => {
    expect(reasons(read('flip', [1, -1, 1, 1], 40 * MINUTE))).toEqual(['first check', 'alert', 'too soon after the last alert', 'alert']);
    expect(reasons(read('flip', [1, -1, 1, -1], 40 * MINUTE))).toEqual([
      ...['first check', 'alert', 'too soon after the last alert', 'not reached'],
    ]);
  });

  test('that moves slowly is no move within a time, and one that moves fast is', () => {
    const history = (values: readonly number[], apart: number): readonly Point[] =>
      values.map((value, index) => ({ at: later(NOON, index * apart), value: decimal(value) }));
    const course = (values: readonly number[], apart: number) => {
      let state: RuleState | undefined;
      return values.map((value, index) => {
        const past = history(values.slice(0, index + 1), apart);
        const result = evaluateRule(rule('margin move 3 in 1h'), state, measurement(value, later(NOON, index * apart), past));
        ({ state } = result);
        return result.reason;
      });
    };
    expect(course([0, 1.5, 3, 4.5, 6], HOUR)).toEqual(['first check', 'not reached', 'not reached', 'not reached', 'not reached']);
    expect(course([0, 1.5, 3, 4.5, 6], 20 * MINUTE)).toEqual([
      'first check',
      'not reached',
      'alert',
      'not reached',
      'too soon after the last alert',
    ]);
    expect(course([0, 5, 2], 20 * MINUTE).slice(1)).toEqual(['alert', 'too soon after the last alert']);
  });

  test('every trade of the size alerts, however soon it follows another', () => {
    expect(reasons(read('trade>10000', [0, 12_000, 15_000, 9_000, 11_000], MINUTE))).toEqual([
      ...['first check', 'alert', 'alert', 'not reached', 'alert'],
    ]);
  });
});
