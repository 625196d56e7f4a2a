/** Moves that are passed over: most values are far from moving by the size of most rules, so their chats need no evaluation. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateRule, isStateWorthWriting, isUneventful, type RuleState } from '../../../src/alerts/evaluation/threshold.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import type { Point } from '../../../src/domain/crossing.js';
import { decimal, type Decimal } from '../../../src/domain/scalars.js';
import type { ThresholdRule } from '../../../src/domain/threshold-rule.js';
import { NOON } from '../../feeds/reading.js';
import { runs } from '../../support/properties.js';

type MoveRule = Extract<ThresholdRule, { when: 'move' }>;

const move = (by: string, more: Partial<MoveRule> = {}): MoveRule => ({ when: 'move', measure: 'margin', by: decimal(by), ...more });
const point = (hours: number, value: string): Point => ({ at: later(NOON, hours * HOUR), value: decimal(value) });
const state = (anchor: Point, last = anchor, more: Partial<RuleState> = {}): RuleState => ({ armed: true, anchor, last, ...more });

const passes = (rule: MoveRule, of: RuleState, value: string, history: readonly Point[] = []): boolean =>
  isUneventful(rule, of, point(0, value), { history, last: of.last });

test('a value that is nearer to all earlier ones than the size of the move is passed over', () => {
  const [rule, seen] = [move('3', { within: HOUR }), state(point(-3, '1'), point(-1, '2'))];
  expect([passes(rule, seen, '2.5'), passes(rule, seen, '2.5', [point(-2, '4')])]).toEqual([true, true]);
  expect([passes(rule, seen, '4'), passes(rule, seen, '2.5', [point(-0.5, '6')])]).toEqual([false, false]);
});

test('a move without a time is compared with the last alert alone, whatever was in between', () => {
  const seen = state(point(-3, '1'), point(-1, '9'));
  expect([passes(move('3'), seen, '2', [point(-2, '9')]), passes(move('3'), seen, '4')]).toEqual([true, false]);
});

test('a percentage of nothing, or of less, is never passed over', () => {
  const rule = move('50', { measure: 'volume', within: HOUR });
  expect([passes(rule, state(point(-1, '100')), '120'), passes(rule, state(point(-1, '0')), '0')]).toEqual([true, false]);
});

test('a rule that alerts once is not passed over after its alert, because the next check ends it', () => {
  const [once, anchor] = [move('3', { once: true }), point(-1, '1')];
  expect([passes(once, state(anchor), '1'), passes(once, state(anchor, anchor, { alertedAt: anchor.at }), '1')]).toEqual([true, false]);
});

test('what is passed over would neither alert nor change what is written, whatever came before', () => {
  let [passed, alerts] = [0, 0];
  const changed: unknown[] = [];
  const rule = fc.record({
    measure: fc.constantFrom('margin' as const, 'volume' as const),
    by: fc.constantFrom(decimal('3'), decimal('30')),
    within: fc.constantFrom(undefined, 10 * MINUTE, HOUR),
  });
  const value: fc.Arbitrary<Decimal> = fc.integer({ min: -2, max: 12 }).map(decimal);
  const past = fc.record({ minutes: fc.integer({ min: 1, max: 200 }), value });
  const step = fc.record({ rule, anchor: past, last: past, now: value, history: fc.array(past, { maxLength: 5 }) });
  const at = ({ minutes, value: of }: { readonly minutes: number; readonly value: Decimal }): Point => ({
    at: later(NOON, -minutes * MINUTE),
    value: of,
  });
  fc.assert(
    fc.property(step, (one) => {
      const own: MoveRule = { when: 'move', ...one.rule };
      const history = one.history.map(at);
      const before = state(at(one.anchor), at(one.last));
      const result = evaluateRule(own, before, { at: NOON, value: one.now, history });
      alerts += Number(result.alert !== undefined);
      if (!isUneventful(own, before, { at: NOON, value: one.now }, { history, last: undefined })) return;
      passed += 1;
      if (result.alert !== undefined || result.state === undefined || isStateWorthWriting(before, result.state))
        changed.push({ one, result });
    }),
    { numRuns: runs(2_000) },
  );
  expect(changed).toEqual([]);
  expect(Math.min(passed, alerts)).toBeGreaterThan(10);
});
