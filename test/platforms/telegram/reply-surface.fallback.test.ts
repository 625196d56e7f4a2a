import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import { openHarness, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
beforeEach(async () => {
  harness = await openHarness();
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

const withButton = () => reply({ finding: ['the answer'], actions: [{ label: 'Go', line: '/premium' }] });
const ERROR = { kind: 'refuse', code: 500, description: 'Internal Server Error' } as const;
const BUTTONS = { kind: 'refuse', code: 400, description: 'Bad Request: BUTTON_DATA_INVALID' } as const;
const sends = () => telegram.calls('sendMessage').length;

/** Asks, with these faults for the calls that send the answer. */
async function ask(method: string, ...faults: readonly Parameters<typeof telegram.fail>[0]['fault'][]) {
  const { anna, chat } = harness.privately();
  harness.answers(withButton);
  for (const fault of faults) telegram.fail({ fault, method });
  telegram.say({ chat, from: anna, text: '/premium' });
  return { anna, chat };
}

test('a server error is retried once, and the answer is whole', async () => {
  const { chat } = await ask('sendMessage', ERROR);
  await harness.turnUntil(() => telegram.posted(chat).length === 1);
  expect(telegram.posted(chat)).toMatchObject([{ text: 'the answer', buttons: [[{ text: 'Go' }]] }]);
  expect(sends()).toBe(2);
});

test('buttons that are refused are left out, and the words arrive', async () => {
  const { chat } = await ask('sendMessage', BUTTONS);
  expect(await harness.posts(chat)).toMatchObject([{ text: 'the answer', buttons: [] }]);
});

test('whatever of it is refused, the plain text arrives', async () => {
  const { chat } = await ask('sendMessage', BUTTONS, { ...BUTTONS, description: 'Bad Request: ENTITIES_INVALID' });
  expect(await harness.posts(chat)).toMatchObject([{ text: 'the answer', buttons: [] }]);
  expect(sends()).toBe(3);
});

test('a press whose answer no form is taken of gets a notice instead of silence', async () => {
  const { anna, chat } = await ask('sendMessage');
  const [message] = await harness.posts(chat);
  telegram.fail({ fault: BUTTONS, method: 'editMessageText', times: 'always' });
  telegram.fail({ fault: BUTTONS, method: 'sendMessage', times: 'always' });
  harness.answers(() => reply({ finding: ['another'] }));
  const press = telegram.press({ message: message!, button: 'Go', from: anna });
  expect(await press.answered).toMatchObject({ text: expect.stringContaining("The answer couldn't be shown") as string, alert: true });
});

test('a method that the server does not have is no refused token: the answer comes by another one', async () => {
  const { anna, chat } = await ask('sendMessage');
  const [message] = await harness.posts(chat);
  telegram.fail({ fault: { kind: 'refuse', code: 404, description: 'Not Found' }, method: 'editMessageText', times: 'always' });
  harness.answers(() => reply({ finding: ['another'] }));
  telegram.press({ message: message!, button: 'Go', from: anna });
  expect((await harness.posts(chat, 2)).map(({ text }) => text)).toEqual(['the answer', 'another']);
  expect(await harness.platform.notifier.diagnose()).toMatchObject({ ok: true });
});

test('a menu that could not be set is named by /status until it is set', async () => {
  await harness.close();
  harness = await openHarness();
  ({ telegram } = harness);
  telegram.fail({ fault: BUTTONS, method: 'setMyCommands' });
  await harness.listen();
  await harness.turnUntil(() => harness.log.some(({ event }) => event === 'telegram.profile-not-set'));
  const standing = async () => harness.platform.notifier.diagnose();
  expect(await standing()).toMatchObject({ ok: false, problem: expect.stringContaining('command menu') as string });
  while (!(await standing()).ok) await harness.clock.advance(10 * SECOND);
  expect(await standing()).toEqual({ ok: true, says: expect.stringContaining('connected as') as string });
});
