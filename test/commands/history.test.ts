/** Asked through the whole bot, because what was alerted is what deliveries left behind. */
import { expect, test } from 'vitest';
import { openBot } from '../journeys/bot.js';
import { openAppHarness } from '../support/app-harness.js';

type Harness = Awaited<ReturnType<typeof openBot>>;

async function burn(harness: Harness, ...amounts: readonly number[]): Promise<void> {
  for (const amount of amounts) await harness.sim({ kind: 'burn', project: 'tide', amount: String(amount) });
  await harness.pass(70);
}

async function watchingTide(): Promise<Harness> {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.pass(5);
  return harness;
}

test('a chat without alerts gets a hint to find out why', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/history');
  expect(text).toContain('No alerts sent yet');
  expect(await deadButtons(reply)).toEqual([]);
});

test('messages are paged, latest first, each with its "Why?"', async () => {
  const harness = await watchingTide();
  for (let amount = 1; amount <= 6; amount += 1) await burn(harness, amount);
  const first = await harness.say('/history');
  expect(first).toContain('Alert history: 6 messages, page 1 of 2');
  expect(first.match(/^\d+\. .*$/gmu)?.map((line) => line.slice(0, 26))).toEqual(
    [6, 5, 4, 3, 2].map((amount, at) => `${at + 1}. Tidewater burned ${amount} TIDE`.slice(0, 26)),
  );
  expect(first).toMatch(/sent \d\d:\d\d UTC/u);
  expect(first).toContain('[Next page: /history 2]');
  const [, why = ''] = /\[Why\? 5: (\/why \S+)\]/u.exec(first) ?? [];
  expect(await harness.say(why)).toContain('Tidewater burned 2 TIDE');
  const second = await harness.say('/history 2');
  expect(second).toContain('6. Tidewater burned 1 TIDE');
  expect(second).toContain('[Previous page: /history 1]');
  expect(second).not.toContain('Next page');
  expect(await harness.say('/history 3')).toContain('page 3 is empty; the last one is 2');
});

test('"Show all" tells every event of one message in full, page by page', async () => {
  const harness = await watchingTide();
  await burn(harness, ...Array.from({ length: 12 }, (_, at) => at + 1));
  const [alert = ''] = await harness.alerts();
  const [, all = ''] = /\[Show all \(12\): (\/history \S+)\]/u.exec(alert) ?? [];
  const first = await harness.say(all);
  expect(first).toMatch(/^12 events, sent .*, page 1 of 2$/mu);
  expect(first.match(/burned \d+ TIDE/gu)).toHaveLength(10);
  expect(first.match(/Supply [\d,.]+ → [\d,.]+/gu)).toHaveLength(10);
  const [, next = ''] = /\[Next page: (\/history \S+ 2)\]/u.exec(first) ?? [];
  expect((await harness.say(next)).match(/burned \d+ TIDE/gu)).toHaveLength(2);
  expect(await harness.say('/history')).toContain(`1: 12 events: ${all}`);
});

test('what was held back and came as a summary is said to', async () => {
  const harness = await watchingTide();
  await harness.say('/mute tide 1h');
  await burn(harness, 1, 2);
  await harness.say('/mute tide off');
  await harness.pass(10);
  expect(await harness.say('/history')).toMatch(/1\. Catching up: .* · 2 events, Tidewater burned 1 TIDE/u);
});

test.each(['abc', '0', '-1'])('"%s" is neither a message nor a page, and it says what it takes', async (word) => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say(`/history ${word}`)).text).toContain(
    `/history doesn't understand "${word}". Expected: delivery (the id of one message, to see all of it) or page (`,
  );
});

test('a message that this chat never had is not remembered', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/history AAAAAAAAAAAAAAAAAAAAAA');
  expect(text).toContain('No such message in this chat');
  expect(await deadButtons(reply)).toEqual([]);
});
