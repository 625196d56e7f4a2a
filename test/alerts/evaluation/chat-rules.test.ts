import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MeasuredCheck, CheckedMeasurement } from '../../../src/alerts/evaluation/evaluate.js';
import { lastMeasurements, withUnchanged } from '../../../src/alerts/checks/check-records.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { decimal, type Instant } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { NOON } from '../../feeds/reading.js';
import { ALL, CHAT, entry, TIDE } from '../harness.js';
import { evaluateKnown, newChat, reopened, statesIn, type KnownChat } from '../known-chat.js';
import { measurement, rules } from '../measurements.js';

const SINCE = later(NOON, -DAY);
const chat = (...entries: Chat['entries']): Chat => ({ address: CHAT, entries });
const watching = (rule: string, target: Parameters<typeof entry>[0] = TIDE) => entry(target, SINCE, { rules: rules(rule) });
const at = (step: number, apart = 2 * HOUR): Instant => later(NOON, step * apart);

/** a chat that receives check after check, as the poller lets it. */
function listener(of: Chat, queue: KnownChat = newChat(CHAT)) {
  let now = queue;
  let before: MeasuredCheck['before'] = [];
  let writes = 0;
  let current = of;
  const listen = (measurements: readonly CheckedMeasurement[], extra: Partial<MeasuredCheck> = {}): void => {
    const latest = Math.max(NOON, ...measurements.map((one) => one.at));
    const checkedOnce = evaluateKnown(now, current, { measurements, before, first: false, now: later(NOON, latest - NOON), ...extra });
    if (checkedOnce.queue !== now) writes += 1;
    // What stands in the store is what the schema lets through.
    now = reopened(checkedOnce.queue);
    before = lastMeasurements(measurements);
  };
  return {
    listen,
    becomes: (chatNow: Chat) => void (current = chatNow),
    queue: () => now,
    writes: () => writes,
    keys: () => statesIn(now).map(([key]) => key),
    states: () => statesIn(now).map(([, state]) => state),
    /** The values of the alerts, in order. */
    alerted: () =>
      now.waiting.flatMap(({ crossings: [first] = [] }) =>
        first === undefined || first.furthest !== undefined ? [] : [Number(first.now.value)],
      ),
  };
}

/** The alerts of one chat that hears these premiums, one every `apart`. */
function alertedValues(rule: string, values: readonly number[], apart = 2 * HOUR): readonly number[] {
  const one = listener(chat(watching(rule)));
  for (const [step, value] of values.entries()) one.listen([measurement(value, at(step, apart))]);
  return one.alerted();
}

describe('a measurement', () => {
  test('of a market whose title was not asked for alerts nobody, and one whose title is not known alerts', () => {
    const flips = (title: string | undefined): number => {
      const one = listener(chat(watching('proposals flip title:buyback')));
      for (const [step, margin] of [2, -2].entries()) {
        const { event, ...rest } = measurement(0, at(step));
        const facts = { name: 'Tidewater', ...(title && { title }) };
        const market = { ...event, feed: 'proposals', topic: 'proposals/tide/9x', id: `proposals/tide/9x/${at(step)}`, facts };
        one.listen([{ ...rest, event: market, values: { margin: decimal(margin) } }]);
      }
      return one.alerted().length;
    };
    expect(['Buyback below NAV', 'Hire a steward', undefined].map(flips)).toEqual([1, 0, 1]);
  });

  test('that crosses a line is one member, with the crossing, through the entry, in the words of the rule', () => {
    const one = listener(chat(watching('premium<-10')));
    one.listen([measurement(-5, at(0))]);
    expect(one.queue().waiting).toEqual([]);
    one.listen([measurement(-11, at(1))], { late: { because: 'service', since: SINCE } });
    expect(one.queue().waiting).toEqual([
      {
        ...{ event: `premium/tide/${at(1)}`, entry: 'tide', queuedAt: at(1), late: { because: 'service', since: SINCE } },
        rule: 'premium below −10% (re-arms above −8%)',
        crossings: [
          {
            rule: { when: 'below', measure: 'premium', threshold: '-10', hysteresis: '2' },
            side: 'low',
            now: { at: at(1), value: '-11' },
            was: { at: at(0), value: '-5' },
            since: { at: at(0), value: '-5' },
          },
        ],
      },
    ]);
  });

  test('that crosses several thresholds of an entry at once is one member with all of them', () => {
    const one = listener(chat(watching('premium<-10 premium<-20 premium move 5')));
    one.listen([measurement(-5, at(0))]);
    one.listen([measurement(-25, at(1))]);
    expect(one.queue().waiting.map(({ crossings = [] }) => crossings.map(({ rule }) => rule.when))).toEqual([['below', 'below', 'move']]);
    expect(one.queue().waiting[0]?.rule).toBe(
      'premium below −10% (re-arms above −8%); premium below −20% (re-arms above −18%); premium moves by 5 pts',
    );
  });

  test('is evaluated by the default rules unless the chat chose its own, or none', () => {
    const usual = listener(chat(entry(TIDE, SINCE)));
    for (const [step, value] of [3, -3].entries()) usual.listen([measurement(value, at(step))]);
    expect(usual.alerted()).toEqual([-3]);
    const none = listener(chat(entry(TIDE, SINCE, { rules: { premium: { filters: {}, thresholds: [] } } })));
    for (const [step, value] of [3, -3].entries()) none.listen([measurement(value, at(step))]);
    expect([none.alerted(), none.writes()]).toEqual([[], 0]);
  });

  test('that is not known is no measurement', () => {
    const one = listener(chat(watching('premium<-10')));
    for (const [step, value] of [-5, undefined, -11].entries()) one.listen([measurement(value, at(step))]);
    expect(one.alerted()).toEqual([-11]);
    expect(one.queue().waiting[0]?.crossings?.[0]?.was.value).toBe('-5');
  });

  test('of a wallet is judged for each token by itself', () => {
    const address = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
    const one = listener(chat(watching('wallet rank move 3', { kind: 'wallet', address })));
    const ranks = (step: number, ...values: readonly number[]) =>
      values.map((value, token) =>
        measurement(value, at(step), {
          feed: 'wallet',
          wallet: address,
          measure: 'rank',
          id: `wallet/${address}/token${token}/${at(step)}`,
        }),
      );
    one.listen(ranks(0, 10, 50));
    one.listen(ranks(1, 8, 48));
    one.listen(ranks(2, 7, 49));
    expect(one.queue().waiting.map(({ event }) => event)).toEqual([`wallet/${address}/token0/${at(2)}`]);
    expect(one.keys()).toHaveLength(2);
  });
});

describe('which entry decides', () => {
  test('the project\'s own before "all", which forgets what it knew: when it evaluates again it starts over', () => {
    const all = watching('premium<-10', ALL);
    const own = watching('premium<-30');
    const one = listener(chat(all));
    one.listen([measurement(-5, at(0))]);
    one.becomes(chat(all, own));
    one.listen([measurement(-15, at(1))]);
    expect([one.alerted(), one.keys()]).toEqual([[], [`premium/tide/premium below -30 band 2`]]);
    one.becomes(chat(all));
    one.listen([measurement(-16, at(2))]);
    expect([one.alerted(), one.keys()]).toEqual([[], [`premium/tide/premium below -10 band 2`]]);
    one.listen([measurement(0, at(3))]);
    one.listen([measurement(-11, at(4))]);
    expect(one.alerted()).toEqual([-11]);
  });

  test('one that has the kind switched off is not overruled by "all", and starts over when it is switched on', () => {
    const own = watching('premium<-10');
    const off = { ...own, modes: { premium: 'off' as const } };
    const one = listener(chat(watching('premium<-10', ALL), own));
    one.listen([measurement(-5, at(0))]);
    one.becomes(chat(watching('premium<-10', ALL), off));
    one.listen([measurement(-15, at(1))]);
    expect([one.alerted(), one.keys()]).toEqual([[], []]);
    one.becomes(chat(own));
    one.listen([measurement(-15, at(2))]);
    expect(one.alerted()).toEqual([]);
  });

  test('nobody, where the chat watches something else', () => {
    const one = listener(chat(watching('premium<-10')));
    for (const [step, value] of [-5, -15].entries()) one.listen([measurement(value, at(step), { project: 'heron' })]);
    expect([one.alerted(), one.writes()]).toEqual([[], 0]);
  });

  test('a rule that is edited starts over from the current value, without an alert; the others go on', () => {
    const one = listener(chat(watching('premium<-10 premium<-20')));
    one.listen([measurement(-5, at(0))]);
    one.listen([measurement(-15, at(1))]);
    one.becomes(chat(watching('premium<-12 premium<-20')));
    one.listen([measurement(-16, at(2))]);
    expect(one.alerted()).toEqual([-15]);
    one.listen([measurement(-25, at(3))]);
    expect(one.queue().waiting.map(({ rule }) => rule)).toEqual([
      'premium below −10% (re-arms above −8%)',
      'premium below −20% (re-arms above −18%)',
    ]);
  });

  test('a rule that was just set alerts on the very next change, also where the measurement had not moved for long', () => {
    const one = listener(chat(entry(ALL, SINCE)));
    one.listen([measurement(-5, at(0))]);
    one.becomes(chat({ ...watching('premium<-10'), since: at(50) }));
    const before = withUnchanged(lastMeasurements([measurement(-5, at(0))]), { same: ['premium/tide'], at: later(at(50), -MINUTE) });
    one.listen([measurement(-15, at(51))], { before });
    expect(one.queue().waiting.map(({ entry: name, crossings }) => [name, crossings?.[0]?.was.value])).toEqual([['tide', '-5']]);
  });

  test('but starts without an alert where nobody had checked for long when it was set: changes in between do not alert', () => {
    const one = listener(chat(entry(ALL, SINCE)));
    one.listen([measurement(-5, at(0))]);
    one.becomes(chat({ ...watching('premium<-10'), since: at(10) }));
    one.listen([measurement(-15, later(at(10), MINUTE))]);
    expect(one.alerted()).toEqual([]);
    for (const [step, value] of [-5, -11].entries()) one.listen([measurement(value, at(11 + step))]);
    expect(one.alerted()).toEqual([-11]);
    // A watch that begins in the future began before the clock was set back.
    const two = listener(chat(entry(ALL, SINCE)));
    two.listen([measurement(-5, at(0))]);
    two.becomes(chat({ ...watching('premium<-10'), since: at(50) }));
    two.listen([measurement(-15, at(2))]);
    expect(two.alerted()).toEqual([-15]);
  });

  test('an entry that was removed and added again begins from what is the case then', () => {
    const one = listener(chat(watching('premium<-10')));
    one.listen([measurement(-5, at(0))]);
    one.listen([measurement(-15, at(1))]);
    one.becomes(chat({ ...watching('premium<-10'), since: at(2) }));
    one.listen([measurement(-16, at(3))]);
    expect(one.alerted()).toEqual([-15]);
  });

  test('what the service dates before the watch began is where the watch begins', () => {
    const one = listener(chat(entry(ALL, SINCE)));
    one.listen([measurement(-5, at(0))]);
    one.becomes(chat({ ...watching('premium<-10'), since: at(2) }));
    one.listen([measurement(-15, at(1))], { now: at(3) });
    expect(one.alerted()).toEqual([]);
    for (const [step, value] of [-5, -11].entries()) one.listen([measurement(value, at(4 + step))]);
    expect(one.alerted()).toEqual([-11]);
  });
});

test('what is dated before the project\'s own entry is reported through "all", which watched then, and not reported twice', () => {
  const all = watching('premium<-10', ALL);
  const one = listener(chat(all));
  one.listen([measurement(-5, at(0))]);
  one.becomes(chat(all, { ...watching('premium<-10'), since: at(2) }));
  one.listen([measurement(-15, at(1))], { now: at(3) });
  one.listen([measurement(-16, at(4))]);
  expect(one.queue().waiting.map(({ entry: name, crossings }) => [name, crossings?.[0]?.now.value])).toEqual([['all', '-15']]);
});

describe('a measurement that is found unchanged', () => {
  const still = (value: number, moment: Instant, since: Instant) => ({ ...measurement(value, moment), since });

  test('is reported at last by a rule that had to wait after its last alert, and by no other', () => {
    const one = listener(chat(watching('premium<-10 premium move 5')));
    const minute = (step: number) => at(step, MINUTE);
    for (const [step, value] of [0, -11, -5, -12].entries()) one.listen([measurement(value, minute(step))]);
    expect(one.alerted()).toEqual([-11]);
    one.listen([still(-12, minute(30), minute(3))], { before: lastMeasurements([measurement(-12, minute(3))]) });
    expect(one.alerted()).toEqual([-11]);
    one.listen([still(-12, minute(61), minute(3))], { before: lastMeasurements([measurement(-12, minute(3))]) });
    expect(one.alerted()).toEqual([-11, -12]);
    one.listen([still(-12, minute(200), minute(3))], { before: lastMeasurements([measurement(-12, minute(3))]) });
    expect(one.alerted()).toEqual([-11, -12]);
  });

  test('writes nothing where nobody waits for it', () => {
    const one = listener(chat(watching('premium<-10')));
    for (const [step, value] of [0, -11].entries()) one.listen([measurement(value, at(step))]);
    const writes = one.writes();
    for (let step = 2; step < 20; step += 1) one.listen([still(-11, at(step), at(1))]);
    expect(one.writes()).toBe(writes);
  });
});

describe('time', () => {
  test('a first check does not alert, whatever was remembered: it was of another service, or of long ago', () => {
    const one = listener(chat(watching('premium<-10')));
    one.listen([measurement(-5, at(0))]);
    one.listen([measurement(-15, at(1))], { first: true });
    expect(one.alerted()).toEqual([]);
    // Also one that reads the same figure twice.
    const two = listener(chat(watching('premium<-10')));
    two.listen([measurement(-5, at(0)), measurement(-15, at(1))], { first: true });
    expect(two.alerted()).toEqual([]);
    two.listen([measurement(-5, at(2))]);
    two.listen([measurement(-15, at(3))]);
    expect(two.alerted()).toEqual([-15]);
  });

  test('a clock that was set back does not deafen a rule, nor make its wait longer than one', () => {
    const one = listener(chat(watching('premium<-10')));
    for (const [step, value] of [-5, -11, -5].entries()) one.listen([measurement(value, at(step))]);
    const back = later(NOON, -30 * DAY);
    one.listen([measurement(-12, back)], { now: back });
    expect(one.alerted()).toEqual([-11]);
    one.listen([measurement(-12, later(back, 2 * HOUR))], { now: later(back, 2 * HOUR) });
    expect(one.alerted()).toEqual([-11, -12]);
  });

  test('a measurement of before the last one is not evaluated', () => {
    const one = listener(chat(watching('premium<-10')));
    one.listen([measurement(-5, at(0))]);
    one.listen([measurement(-6, at(2))]);
    one.listen([measurement(-15, at(1))], { now: at(3) });
    expect(one.alerted()).toEqual([]);
  });

  test('nor one of before the last check, whose value was not worth a write', () => {
    const one = listener(chat(watching('premium<-10')));
    one.listen([measurement(-5, at(0, MINUTE))]);
    one.listen([measurement(-6, at(2, MINUTE))]);
    expect(one.writes()).toBe(1);
    one.listen([measurement(-15, at(1, MINUTE))], { now: at(3, MINUTE) });
    expect(one.alerted()).toEqual([]);
  });

  test('the value of the check before is the one that is reported as such, although it was not worth a write', () => {
    const one = listener(chat(watching('premium<-10')));
    for (const [step, value] of [-5, -7, -9, -11].entries()) one.listen([measurement(value, at(step, MINUTE))]);
    expect(one.queue().waiting[0]?.crossings?.[0]).toMatchObject({ was: { value: '-9' }, since: { value: '-5' } });
  });
});

describe('the disk', () => {
  test('is written when a rule begins, and else once a day while nothing happens', () => {
    const one = listener(chat(watching('premium<-10')));
    for (let check = 0; check < 300; check += 1) one.listen([measurement(-5 - (check % 3), at(check, 10 * MINUTE))]);
    expect(one.writes()).toBe(3);
  });

  test('leaves alone what a chat remembers of other kinds', () => {
    const one = listener(chat(entry(TIDE, SINCE, { rules: { ...rules('premium<-10'), ...rules('treasury runway<6') } })));
    one.listen([measurement(-5, at(0))]);
    one.listen([measurement(12, at(0), { feed: 'treasury', measure: 'runway' })]);
    one.listen([measurement(-15, at(1))]);
    one.listen([measurement(5, at(1), { feed: 'treasury', measure: 'runway' })]);
    expect(one.queue().waiting.map(({ event }) => event)).toEqual([`premium/tide/${at(1)}`, `treasury/tide/${at(1)}`]);
    expect(one.states()).toHaveLength(2);
  });
});

const wavers = fc
  .array(fc.tuple(fc.integer({ min: -119, max: -101 }), fc.integer({ min: -99, max: -81 })), { minLength: 20, maxLength: 20 })
  .map((pairs) => [0, ...pairs.flat()].map((tenths) => tenths / 10));
const walks = fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 1, maxLength: 40 }).map((all) => all.map((tenths) => tenths / 10));
const RULES = 'premium<-10 premium>10 premium move 5';

test('a series that crosses a threshold 40 times inside its hysteresis is at most two alerts', () => {
  fc.assert(
    fc.property(wavers, fc.integer({ min: 1, max: 3 * HOUR }), (values, apart) => {
      const alerted = alertedValues('premium<-10', values, apart);
      expect(alerted.length).toBeGreaterThanOrEqual(1);
      expect(alerted.length).toBeLessThanOrEqual(2);
    }),
  );
});

test('repeating measurements, and bringing several of them in one check, changes nothing', () => {
  const cut = fc.array(fc.record({ many: fc.integer({ min: 1, max: 5 }), again: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 40,
    maxLength: 40,
  });
  fc.assert(
    fc.property(walks, cut, fc.constantFrom(MINUTE, 25 * MINUTE, 2 * HOUR), (values, cuts, apart) => {
      const all = values.map((value, step) => measurement(value, at(step, apart)));
      const one = listener(chat(watching(RULES)));
      const left = [...all];
      for (const { many, again } of cuts) {
        const some = left.splice(0, many);
        for (let times = 0; times <= again; times += 1) one.listen(some);
      }
      expect(one.alerted()).toEqual(alertedValues(RULES, values, apart));
    }),
  );
});

test('the state of one chat does not affect another', () => {
  fc.assert(
    fc.property(walks, walks, (values, others) => {
      const one = listener(chat(watching(RULES), watching(RULES, ALL)));
      for (let step = 0; step < Math.max(values.length, others.length); step += 1) {
        const [value, other] = [values[step], others[step]];
        one.listen([
          ...(value === undefined ? [] : [measurement(value, at(step))]),
          ...(other === undefined ? [] : [measurement(other, at(step), { project: 'heron' })]),
        ]);
      }
      const alertedOf = (name: string) =>
        one
          .queue()
          .waiting.filter(({ event, crossings }) => event.startsWith(`premium/${name}/`) && crossings?.[0]?.furthest === undefined)
          .map(({ crossings }) => Number(crossings?.[0]?.now.value));
      expect([alertedOf('tide'), alertedOf('heron')]).toEqual([alertedValues(RULES, values), alertedValues(RULES, others)]);
    }),
  );
});
