import { expect, test } from 'vitest';
import type { CheckedMeasurement } from '../../../src/alerts/evaluation/evaluate.js';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { decimal, type Instant } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT, entry, TIDE } from '../harness.js';
import { evaluateKnown, newChat, type KnownChat } from '../known-chat.js';
import { measurement, rules } from '../measurements.js';

const at = (step: number): Instant => later(NOON, step * 2 * HOUR);

const WALLET = walletAddress('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin');
const history = (values: readonly number[]) => values.map((value, day) => ({ at: later(at(0), (day - 100) * DAY), value: decimal(value) }));
const steady = history(Array.from({ length: 100 }, (_, day) => -5 + (day % 7) / 10));
/** What it knew when it left, what others were alerted meanwhile, and what the first check afterwards reads. */
const cases: readonly (readonly [
  rule: string,
  of: Parameters<typeof measurement>[2],
  values: readonly [number, number, number],
  alerted: readonly number[],
])[] = [
  ['premium<-10', {}, [-5, -15, -15], [-15]],
  ['premium<-10', {}, [-5, -15, -4], []],
  ['premium<-10', {}, [-15, -5, -16], []],
  ['premium move 5', {}, [-5, -11, -11], [-11]],
  ['premium move 5', {}, [-5, -11, -6], []],
  ['premium extreme 90', { history: steady }, [-5, -15, -15], [-15]],
  ['premium extreme 90', { history: steady }, [-5, -15, -5], []],
  ['premium z 2', { history: steady }, [-5, -15, -15], [-15]],
  ['treasury nav move 5', { feed: 'treasury', measure: 'nav' }, [100, 110, 110], [110]],
  ['treasury nav move 5', { feed: 'treasury', measure: 'nav' }, [100, 110, 101], []],
  ['treasury runway<6', { feed: 'treasury', measure: 'runway' }, [8, 5, 5], [5]],
  ['treasury runway<6', { feed: 'treasury', measure: 'runway' }, [8, 5, 9], []],
  ['treasury allowance change', { feed: 'treasury', measure: 'allowance' }, [100, 120, 120], [120]],
  ['wallet rank move 3', { feed: 'wallet', measure: 'rank', wallet: WALLET }, [12, 5, 5], [5]],
  ['wallet rank move 3', { feed: 'wallet', measure: 'rank', wallet: WALLET }, [12, 5, 11], []],
];

test.each(cases)(
  'a chat that comes back is alerted by "%s" of the current value against the one when it left (%o %o)',
  (rule, of, [left, meanwhile, now], alerted) => {
    const target = of?.wallet === undefined ? TIDE : { kind: 'wallet' as const, address: WALLET };
    const before: Chat = { address: CHAT, entries: [entry(target, later(NOON, -DAY), { rules: rules(rule) })] };
    const after: Chat = { ...before, absence: { from: later(at(0), MINUTE), to: at(3) } };
    const alerts = ({ waiting }: KnownChat) => waiting.map(({ crossings }) => Number(crossings?.[0]?.now.value));
    const known = (value: number, step: number) => lastMeasurements([measurement(value, at(step), of)]);
    const first = measurement(left, at(0), of);
    const gone = evaluateKnown(newChat(CHAT), before, { measurements: [first], before: [], first: false, now: at(0) }).queue;
    for (const found of ['new', 'same'] as const) {
      // Where the measurement is as others know it, only who was away has yet to judge it.
      const read: CheckedMeasurement = { ...measurement(now, later(at(3), MINUTE), of), ...(found === 'same' ? { since: at(1) } : {}) };
      const measuredCheck = { measurements: [read], before: known(found === 'same' ? now : meanwhile, 1), first: false, now: read.at };
      const back = evaluateKnown(gone, after, { ...measuredCheck, checkedAt: at(2) }).queue;
      expect(alerts(back)).toEqual(alerted);
      for (const { late } of back.waiting) expect(late).toEqual({ because: 'absence', since: later(at(0), MINUTE) });
      // The next check is one like any other.
      const next: CheckedMeasurement = { ...measurement(now, at(5), of), since: read.at };
      const then = evaluateKnown(back, after, {
        measurements: [next],
        before: lastMeasurements([read]),
        first: false,
        now: at(5),
        checkedAt: read.at,
      }).queue;
      expect(alerts(then)).toEqual(alerted);
    }
  },
);

test.each([
  [-5, [-15]],
  [-15, []],
])('a rule that no value moved before the chat left begins with the latest one, %d: it alerts %o', (meanwhile, alerted) => {
  const chat: Chat = {
    address: CHAT,
    entries: [entry(TIDE, later(NOON, -DAY), { rules: rules('premium<-10') })],
    absence: { from: later(at(0), MINUTE), to: at(3) },
  };
  const read = measurement(-15, later(at(3), MINUTE));
  const before = lastMeasurements([measurement(meanwhile, at(1))]);
  const { queue } = evaluateKnown(newChat(CHAT), chat, { measurements: [read], before, first: false, now: read.at, checkedAt: at(2) });
  expect(queue.waiting.map(({ crossings }) => Number(crossings?.[0]?.now.value))).toEqual(alerted);
});
