import { expect, test } from 'vitest';
import { lastMeasurements, newerThan, type LastMeasurement } from '../../../src/alerts/checks/check-records.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { createWhy } from '../../../src/alerts/explanation/explain.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';
import { crashStore, falseIfCrashed } from '../crash-store.js';
import { CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';
import { pass, type LiveHarness } from '../delivery/live-topics.js';

type Options = Parameters<typeof openAlertsHarness>[0];

/** A chat with rules, and checks that read one premium after another, two hours apart. */
async function watching(rule: string, options: Options = {}) {
  const harness: LiveHarness = await openAlertsHarness({ to: platform({ edits: true }), ...options });
  await harness.watch(TIDE, { rules: rules(rule) });
  let before: readonly LastMeasurement[] = [];
  const route = async (value: number, over = harness): Promise<void> => {
    const measurements = newerThan(before, [measurement(value, harness.clock.now())], harness.clock.now());
    const check = { measurements, before, first: before.length === 0 };
    await routeMeasurements(check, { ...over, key: 'premium/tide', now: harness.clock.now() });
    before = lastMeasurements(measurements, before);
  };
  const read = async (...values: readonly number[]): Promise<void> => {
    for (const value of values) {
      await route(value);
      await pass(harness, 2 * HOUR);
    }
  };
  const silent = () => harness.to.tried.map((one) => one.silent === true);
  return { ...harness, harness, read, route, silent };
}

test('the message of an alert says that it is over, since when and how far it went, without a message of its own', async () => {
  const { read, to, queues } = await watching('premium<-10');
  await read(-9, -11, -14.2, -12, -9, -7.6, -7);
  expect(to.shown).toHaveLength(1);
  expect(to.edited).toHaveLength(1);
  expect(to.edited[0]?.id).toBe(to.tried[0]?.id);
  expect(to.edited[0]?.text).toContain('Back above −10% after 8 h, low −14.2%');
  expect(to.edited[0]?.text).toContain('dropped below your −10% threshold');
  expect(queues.read(CHAT).waiting).toEqual([]);
});

test('each alert gets its own end, and an alert that is not over none', async () => {
  const { read, to } = await watching('premium<-10');
  await read(-9, -11, -7, -13, -9, -6, -12);
  expect(to.shown).toHaveLength(3);
  expect(to.edited.map(({ id, text }) => [to.shown.findIndex((one) => one.id === id), /low −\S+/u.exec(text)?.[0]])).toEqual([
    [0, 'low −11.0%'],
    [1, 'low −13.0%'],
  ]);
});

test('two rules of one message that end one after the other are both marked in it', async () => {
  const { read, to } = await watching('premium<-10 premium<-20');
  await read(-9, -25, -15, -5);
  expect([to.shown.length, to.edited.length]).toEqual([1, 2]);
  const text = to.edited[1]?.text ?? '';
  expect(text).toContain('Back above −20% after 2 h, low −25.0%');
  expect(text).toContain('Back above −10% after 4 h, low −25.0%');
});

test('the value that was beyond the threshold when the watch began is no alert, so its end is not told', async () => {
  const { read, to } = await watching('premium<-10');
  await read(-12, -11, -5);
  expect([to.shown, to.edited]).toEqual([[], []]);
});

test('what hovers at the threshold is over only when the rule re-arms', async () => {
  const { read, to } = await watching('premium<-10');
  await read(-9, -11, -9.5, -10.5, -9, -8.1);
  expect(to.edited).toEqual([]);
  await read(-8);
  expect(to.edited).toHaveLength(1);
});

test('with "back message" it is a message of its own that follows the alert, and with "back off" nothing is said', async () => {
  const told = await watching('premium<-10 back message');
  await told.read(-9, -11, -7);
  expect(told.to.edited).toEqual([]);
  expect(told.to.tried.map(({ replyTo }) => replyTo)).toEqual([undefined, told.to.tried[0]?.id]);
  expect(told.to.shown[1]?.text).toContain('is back above your −10% threshold');
  expect(told.to.shown[1]?.text).toContain('After 2 h, low −11.0%');
  expect(told.silent()).toEqual([false, false]);
  const off = await watching('premium<-10 back off');
  await off.read(-9, -11, -7);
  expect([off.to.shown.length, off.to.edited.length]).toEqual([1, 0]);
});

test('where the message cannot be edited, one without a sound follows', async () => {
  const { read, to, silent } = await watching('premium<-10');
  to.editAnswers({ kind: 'lost', because: 'not-editable' });
  await read(-9, -11, -7, -6);
  expect(to.tried.map(({ replyTo }) => replyTo)).toEqual([undefined, to.tried[0]?.id]);
  expect(silent()).toEqual([false, true]);
  const plain = await watching('premium<-10', { to: platform() });
  await plain.read(-9, -11, -7);
  expect(plain.silent()).toEqual([false, true]);
});

test('an alert that people deleted gets no end', async () => {
  const { read, to } = await watching('premium<-10');
  await read(-9, -11);
  to.delete(to.tried[0]?.id ?? '');
  await read(-7, -6);
  expect([to.shown.length, to.edited.length]).toEqual([1, 0]);
});

test('an alert that was muted, and comes in a summary, gets no end', async () => {
  const { read, harness, watchlists, clock, to } = await watching('premium<-10');
  await read(-9);
  await watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(clock.now(), 3 * HOUR) }));
  await read(-11);
  await pass(harness, 2 * HOUR);
  expect(to.shown).toHaveLength(1);
  await read(-7);
  expect([to.shown.length, to.edited.length]).toEqual([1, 0]);
});

test('an alert is over while the chat is muted: its message is edited all the same', async () => {
  const { read, watchlists, clock, to } = await watching('premium<-10');
  await read(-9, -11);
  await watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(clock.now(), DAY) }));
  await read(-7);
  expect([to.shown.length, to.edited.length]).toEqual([1, 1]);
});

test('a rule that alerts once is gone with its alert, and has no end', async () => {
  const { read, to } = await watching('premium<-10 once');
  await read(-9, -11, -7);
  expect([to.shown.length, to.edited.length]).toEqual([1, 0]);
});

test('the end is told once, and of the furthest value, whichever write a crash cuts off', async () => {
  for (let until = 1; until <= 14; until += 1) {
    const [store, to, clock] = [await openStore('memory://'), platform({ edits: true }), handClock()];
    const { read, route } = await watching('premium<-10', { store, to, clock });
    await read(-9, -11, -14.2, -12);
    const dying = await openAlertsHarness({ store: crashStore(store, { until, written: true }), to, clock });
    await route(-7, dying)
      .then(async () => pass(dying, MINUTE))
      .catch(falseIfCrashed);
    const next = await openAlertsHarness({ store, to, clock });
    await routeMeasurements({ measurements: [], before: [], first: false }, { ...next, key: 'premium/tide', now: clock.now() });
    await route(-7, next);
    await pass(next, HOUR);
    expect([until, to.shown.length, to.edited.map(({ text }) => /low −\S+/u.exec(text)?.[0])]).toEqual([until, 1, ['low −14.2%']]);
  }
});

test('"Why?" under the alert says that it is over', async () => {
  const { read, harness, to, clock } = await watching('premium<-10');
  await read(-9, -11, -7);
  const why = createWhy({ ...harness, now: () => clock.now() });
  expect(await why.ofDelivery(CHAT, to.tried[0]?.id ?? '')).toMatchObject([{ corrected: ['Back above −10% after 2 h, low −11.0%'] }]);
});
