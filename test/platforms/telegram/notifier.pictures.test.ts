import { afterEach, beforeEach, expect, test } from 'vitest';
import { reply } from '../../../src/chat/reply.js';
import { bytesOf, chartOf } from '../pictures.js';
import { at, openHarness, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(async () => harness.close());

const alert = (id: string, words = 'Below') => ({
  id,
  reply: reply({ tone: 'down', finding: [words], chart: chartOf('Premium'), actions: [{ label: 'Why?', line: `/why ${id}` }] }),
  picture: { bytes: bytesOf(chartOf('Premium')), title: 'Premium' },
});
const newChat = () => harness.telegram.privateChat(harness.telegram.person());

test('an alert is one message with its text above the picture and its buttons below; the second chat gets the uploaded file', async () => {
  expect(harness.platform.notifier.pictureTheme).toBe('light');
  const chats = [newChat(), newChat()];
  for (const chat of chats) expect(await harness.platform.notifier.deliver(at(chat), alert('d-1'))).toMatchObject({ kind: 'sent' });
  for (const chat of chats)
    expect(harness.telegram.posted(chat)).toMatchObject([{ file: { kind: 'photo' }, buttons: [[{ text: 'Why?' }]], silent: false }]);
  const [first, second] = harness.telegram.calls('sendPhoto').map(({ params }) => params['photo']);
  expect(second).toBe(harness.telegram.posted(chats[0] ?? 0)[0]?.file?.fileId);
  expect(second).not.toBe(first);
});

test('a silent alert stays silent with its picture', async () => {
  const chat = newChat();
  await harness.platform.notifier.deliver(at(chat), { ...alert('d-1'), silent: true });
  expect(harness.telegram.posted(chat)).toMatchObject([{ silent: true, file: { kind: 'photo' } }]);
});

test('a text that is longer than a caption comes without the picture, whole', async () => {
  const chat = newChat();
  const long = {
    ...alert('d-1'),
    reply: reply({
      finding: ['x'],
      blocks: Array.from({ length: 6 }, (_, n) => ({ kind: 'line' as const, line: [`${n}${'y'.repeat(250)}`] })),
    }),
  };
  await harness.platform.notifier.deliver(at(chat), long);
  expect(harness.telegram.posted(chat)).toMatchObject([{ file: undefined }]);
  expect(harness.telegram.posted(chat)[0]?.text).toContain('5yyy');
});

test('a picture that Telegram refuses leaves the text; an attempt that may have arrived is not repeated by it', async () => {
  const chat = newChat();
  const broken = { ...alert('d-1'), picture: { bytes: new TextEncoder().encode('<svg/>'), title: 'x' } };
  expect(await harness.platform.notifier.deliver(at(chat), broken)).toMatchObject({ kind: 'sent' });
  expect(harness.telegram.posted(chat)).toMatchObject([{ file: undefined }]);
  const other = newChat();
  harness.telegram.fail({ fault: { kind: 'cut-after' }, method: 'sendPhoto' });
  expect(await harness.platform.notifier.deliver(at(other), alert('d-2'))).toMatchObject({ kind: 'unclear' });
  expect(harness.telegram.posted(other).length).toBeLessThanOrEqual(1);
  expect(harness.telegram.calls('sendMessage').filter(({ params }) => params['chat_id'] === other)).toEqual([]);
});

const edit = (messageId: string, title: string, words = title) => ({
  ...{ id: `e-${title}`, messageId, reply: reply({ tone: 'live' as const, finding: [words] }) },
  picture: { bytes: bytesOf(chartOf(title)), title },
});
async function posted(chat: number, withPicture = false): Promise<string> {
  const { picture, ...text } = alert('d-1');
  const sent = await harness.platform.notifier.deliver(at(chat), withPicture ? { ...text, picture } : text);
  return sent.kind === 'sent' ? sent.messageId : '';
}
const revise = async (chat: number, request: ReturnType<typeof edit>) => harness.platform.notifier.revise?.(at(chat), request);

test('an edit adds a picture to a message that began as text, and the next one replaces it; nothing is posted', async () => {
  const chat = newChat();
  const message = await posted(chat);
  expect(await revise(chat, edit(message, 'Passing'))).toEqual({ kind: 'edited' });
  const [first] = harness.telegram.posted(chat);
  expect(first).toMatchObject({ id: Number(message), text: expect.stringContaining('Passing'), file: { kind: 'photo' } });
  expect(await revise(chat, edit(message, 'Failing'))).toEqual({ kind: 'edited' });
  const after = harness.telegram.posted(chat);
  expect(after).toMatchObject([{ id: Number(message), text: expect.stringContaining('Failing'), file: { kind: 'photo' } }]);
  expect(after[0]?.file?.fileId).not.toBe(first?.file?.fileId);
  // The same edit after a crash changes nothing.
  expect(await revise(chat, edit(message, 'Failing'))).toEqual({ kind: 'edited' });
});

test('an edit whose picture Telegram refuses changes the text, below a picture and without one', async () => {
  for (const withPicture of [true, false]) {
    const chat = newChat();
    const message = await posted(chat, withPicture);
    const broken = { ...edit(message, 'Failing'), picture: { bytes: new TextEncoder().encode('<svg/>'), title: 'x' } };
    expect(await revise(chat, broken)).toEqual({ kind: 'edited' });
    expect(harness.telegram.posted(chat)).toMatchObject([{ id: Number(message), text: expect.stringContaining('Failing') }]);
  }
});

test('an edit that is longer than a caption leaves its picture out', async () => {
  const chat = newChat();
  const message = await posted(chat);
  expect(await revise(chat, edit(message, 'Failing', 'y'.repeat(390)))).toEqual({ kind: 'edited' });
  const long = {
    ...edit(message, 'Long'),
    reply: reply({ finding: ['x'], blocks: Array.from({ length: 6 }, () => ({ kind: 'line' as const, line: ['z'.repeat(250)] })) }),
  };
  const other = newChat();
  const text = await posted(other);
  expect(await revise(other, { ...long, messageId: text })).toEqual({ kind: 'edited' });
  expect(harness.telegram.posted(other)).toMatchObject([{ file: undefined, text: expect.stringContaining('zzz') }]);
});

test('an edit of a message that people deleted is lost, and one that was cut off is repeated', async () => {
  const chat = newChat();
  const message = await posted(chat);
  expect(await revise(chat, edit('999', 'Failing'))).toEqual({ kind: 'lost', because: 'deleted' });
  harness.telegram.fail({ fault: { kind: 'cut-after' }, method: 'editMessageMedia' });
  expect(await revise(chat, edit(message, 'Failing'))).toMatchObject({ kind: 'later' });
  expect(await revise(chat, edit(message, 'Failing'))).toEqual({ kind: 'edited' });
});
