import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reply } from '../../../src/chat/reply.js';
import type { SeenMessage } from '../../stand-ins/telegram/control.js';
import { bytesOf, chartOf, painter, type Painter } from '../pictures.js';
import { at, openHarness, TOKEN, type TelegramHarness } from './harness.js';
import { ACTIONS, isOf, LINES, long, privatelyIn, short } from './views.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
let pictures: Painter;
beforeEach(async () => {
  pictures = painter();
  harness = await openHarness({ pictures });
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

const CSV = { name: 'supply.csv', type: 'text/csv', text: 'id,amount\n1,"486,210"\n' };

const posted = async (chat: number, count: number): Promise<readonly SeenMessage[]> =>
  telegram.waitFor(() => telegram.posted(chat).length === count && telegram.posted(chat));
const complaints = () => harness.log.filter(({ level }) => level === 'warn' || level === 'error').map(({ event }) => event);
const privately = () => privatelyIn(harness);

describe('an answer with a picture', () => {
  test('is one message: the words above the picture, the buttons below it', async () => {
    const { ask } = privately();
    const [message] = await ask('first', 1);
    expect(message).toMatchObject({
      text: 'First',
      entities: [{ type: 'bold', offset: 0, length: 5 }],
      file: { kind: 'photo', name: 'chart.png' },
      buttons: [[{ text: '1W' }, { text: 'Words' }, { text: 'Long' }]],
      silent: false,
    });
    expect(isOf(message, 'First')).toBe(true);
    expect(telegram.calls('sendPhoto')[0]?.params['show_caption_above_media']).toBe(true);
    expect(pictures.drawn).toEqual([['First', 'light']]);
  });

  test('with more text than a caption holds is the text, whole, and then the picture, silently, which answers it', async () => {
    const { ask } = privately();
    const [words, photo] = await ask('long', 2);
    expect(words).toMatchObject({ replyTo: undefined, silent: false, buttons: [[{ text: '1W' }, {}, {}]] });
    expect(words?.text).toContain('holder 59');
    expect(photo).toMatchObject({ text: '', buttons: [], silent: true, replyTo: words?.id });
    expect(isOf(photo, 'All of it')).toBe(true);
  });

  test.each([1_024, 1_025])('counts the words as Telegram does: %i units', async (length) => {
    const { chat } = privately();
    const rest = length - 'F\n'.length;
    // An entity counts as the one letter that is seen, an emoji as two units.
    const line = `&&<>😀${'x'.repeat(394)}`;
    const lines = [line, line, 'y'.repeat(rest - 2 * (line.length + 1))];
    harness.answers(() => reply({ finding: ['F'], blocks: lines.map((text) => ({ kind: 'line', line: [text] })), chart: chartOf('x') }));
    telegram.say({ chat, from: telegram.person(), text: '/premium' });
    const messages = await posted(chat, length === 1_024 ? 1 : 2);
    expect(messages[0]?.text).toHaveLength(length);
    expect(complaints()).toEqual([]);
  });

  test('that was sent before is not uploaded again, in another chat and another life of the bot too', async () => {
    const { ask } = privately();
    await ask('first', 1);
    const again = await harness.again();
    await harness.platform.stop();
    again.answers(() => short('First'));
    await again.listen();
    const bert = telegram.person();
    const other = telegram.privateChat(bert);
    telegram.say({ chat: other, from: bert, text: '/premium' });
    const [message] = await posted(other, 1);
    expect(isOf(message, 'First')).toBe(true);
    expect(telegram.calls('sendPhoto').map(({ params }) => typeof params['photo'])).toEqual(['string', 'string']);
    expect(telegram.calls('sendPhoto').map(({ params }) => String(params['photo']).startsWith('attach://'))).toEqual([true, false]);
  });

  test('whose id Telegram no longer takes is uploaded again', async () => {
    const { ask } = privately();
    await ask('first', 1);
    telegram.fail({
      fault: { kind: 'refuse', code: 400, description: 'Bad Request: wrong remote file identifier specified' },
      method: 'sendPhoto',
    });
    const messages = await ask('first', 2);
    expect(isOf(messages[1], 'First')).toBe(true);
    await ask('first', 3);
    expect(telegram.calls('sendPhoto').map(({ params }) => String(params['photo']).startsWith('attach://'))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test.each([
    ['cannot be drawn', async () => Promise.reject(new Error('out of ink'))],
    ['is larger than a photo may be', async () => new Uint8Array(11 * 1024 * 1024)],
    ['is none that Telegram reads', async () => new TextEncoder().encode('no picture')],
  ])('that %s leaves the words whole', async (_, instead) => {
    pictures.instead = instead;
    const { ask } = privately();
    const [message] = await ask('first', 1);
    expect(message).toMatchObject({ text: 'First', file: undefined, buttons: [[{}, {}, {}]] });
    expect(complaints()).toHaveLength(1);
  });

  test('that is never finished leaves the words whole after a while', async () => {
    pictures.instead = async () => new Promise(() => undefined);
    const { chat } = privately();
    telegram.say({ chat, from: telegram.person(), text: '/premium first' });
    await telegram.waitFor(() => harness.inbounds.length === 1);
    await harness.turnUntil(() => complaints().length > 0);
    expect(await harness.posts(chat)).toMatchObject([{ text: 'First', file: undefined, edits: 0 }]);
    expect(complaints()).toEqual(['platforms.picture-not-drawn']);
  });

  test('where only administrators may send photos is its words', async () => {
    const { ask } = privately();
    telegram.fail({
      fault: { kind: 'refuse', code: 400, description: 'Bad Request: not enough rights to send photos to the chat' },
      method: 'sendPhoto',
    });
    expect(await ask('first', 1)).toMatchObject([{ text: 'First', file: undefined }]);
  });

  test.each(['cut-before', 'cut-after'] as const)('whose upload breaks off (%s) is not tried again: its words are sent', async (kind) => {
    const { ask, chat } = privately();
    telegram.fail({ fault: { kind }, method: 'sendPhoto' });
    await ask('first', kind === 'cut-after' ? 2 : 1);
    expect(telegram.posted(chat).at(-1)).toMatchObject({ text: 'First', file: undefined, buttons: [[{}, {}, {}]] });
    expect(telegram.calls('sendPhoto')).toHaveLength(1);
  });

  test('whose upload takes too long gives way to its words', async () => {
    const { ask, chat } = privately();
    telegram.fail({ fault: { kind: 'hang' }, method: 'sendPhoto' });
    const answered = ask('first', 1);
    await telegram.waitFor(() => telegram.calls('sendPhoto').length === 1);
    await harness.turnUntil(() => telegram.posted(chat).length === 1);
    expect(await answered).toMatchObject([{ text: 'First', file: undefined }]);
  });
});

describe('a press', () => {
  test('changes picture, words and buttons of the message', async () => {
    const { ask, press } = privately();
    const [message] = await ask('first', 1);
    const after = await press(message!, '1W');
    expect(after).toMatchObject([{ id: message!.id, text: 'A week', edits: 1, buttons: [[{}, {}, {}]] }]);
    expect(isOf(after[0], 'A week')).toBe(true);
    expect(complaints()).toEqual([]);
  });

  test('that leads to the same picture and words changes nothing', async () => {
    const { ask, press } = privately();
    const [message] = await ask('1W', 1);
    // Questions of one person wait for each other, so the first answer is done with.
    await ask('words', 2);
    expect((await press(message!, '1W'))[0]).toMatchObject({ id: message!.id, text: 'A week', edits: 0 });
    expect(complaints()).toEqual([]);
  });

  test('makes a message of words one with a picture', async () => {
    const { ask, press } = privately();
    const [message] = await ask('words', 1);
    const after = await press(message!, '1W');
    expect(after).toMatchObject([{ id: message!.id, text: 'A week', file: { kind: 'photo' } }]);
  });

  test('changes a text and the picture that answers it, both in place, after a restart too', async () => {
    const { ask, press, chat } = privately();
    const [words, photo] = await ask('long', 2);
    harness.answers(() => long('More of it'));
    const after = await press(words!, 'Long');
    expect(after.map(({ id }) => id)).toEqual([words!.id, photo!.id]);
    expect(after[0]?.text).toMatch(/^More of it\n/u);
    expect(isOf(after[1], 'More of it')).toBe(true);
    await harness.platform.stop();
    const again = await harness.again();
    again.answers(() => long('All of it'));
    await again.listen();
    await telegram.press({ message: words!, button: 'Long', from: telegram.person() }).answered;
    await again.done();
    expect(telegram.posted(chat).map(({ id }) => id)).toEqual([words!.id, photo!.id]);
    expect(isOf(telegram.posted(chat)[1], 'All of it')).toBe(true);
    expect(telegram.deleted(chat)).toEqual([]);
  });

  test('changes a picture and the text that answers it, as an earlier version posted them', async () => {
    const { press, chat } = privately();
    const form = new FormData();
    form.set('chat_id', String(chat));
    form.set('photo', new Blob([Buffer.from(bytesOf(chartOf('All of it')))]), 'chart.png');
    await fetch(`${telegram.url}/bot${TOKEN}/sendPhoto`, { method: 'POST', body: form });
    const [photo] = telegram.posted(chat);
    const keyboard = { inline_keyboard: [[{ text: 'Long', callback_data: '/premium longer' }]] };
    const body = { chat_id: chat, text: 'All of it', reply_parameters: { message_id: photo!.id }, reply_markup: keyboard };
    const headers = { 'content-type': 'application/json' };
    await fetch(`${telegram.url}/bot${TOKEN}/sendMessage`, { method: 'POST', headers, body: JSON.stringify(body) });
    const after = await press(telegram.posted(chat)[1]!, 'Long');
    expect(after.map(({ id }) => id)).toEqual([photo!.id, photo!.id + 1]);
    expect(isOf(after[0], 'More of it')).toBe(true);
    expect(after[1]?.text).toMatch(/^More of it\n/u);
  });

  test.each([
    ['first', 'Words', ['Only words']],
    ['first', 'Long', ['All of it', '']],
  ])('whose answer has no room in "%s" (%s) is posted again, silently, and the old one goes', async (asked, button, texts) => {
    const { ask, pressFor, chat } = privately();
    const before = await ask(asked, 1);
    const after = await pressFor(before.at(-1)!, button, texts.length);
    expect(after.map(({ text }) => text.split('\n')[0])).toEqual(texts);
    expect(after.every(({ silent }) => silent)).toBe(true);
    expect(telegram.deleted(chat).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(complaints()).toEqual([]);
  });

  test.each([
    ['long', '1W', ['A week']],
    ['long', 'Words', ['Only words']],
    ['words', 'Long', ['All of it', '']],
  ])('whose answer has another shape than "%s" (%s) changes the text in place', async (asked, button, texts) => {
    const { ask, pressFor, chat } = privately();
    const [words, photo] = await ask(asked, asked === 'long' ? 2 : 1);
    const after = await pressFor(words!, button, texts.length);
    expect(after.map(({ text }) => text.split('\n')[0])).toEqual(texts);
    expect(after[0]?.id).toBe(words!.id);
    expect(telegram.deleted(chat).map(({ id }) => id)).toEqual(photo === undefined ? [] : [photo.id]);
    expect(complaints()).toEqual([]);
  });

  test("under words that answer somebody's picture with buttons leaves that picture alone", async () => {
    const { ask, press, chat } = privately();
    const [photo] = await ask('first', 1);
    harness.answers(() => reply({ tone: 'warning', finding: ['Did you mean tide?'], audience: 'asker', actions: ACTIONS }));
    const [, question] = await press(photo!, 'Words');
    expect(question).toMatchObject({ text: '⚠ Did you mean tide?', replyTo: photo!.id });
    harness.answers(() => short('A week'));
    const after = await press(question!, '1W');
    expect(after.map(({ id, text }) => [id, text])).toEqual([
      [photo!.id, 'First'],
      [question!.id, 'A week'],
    ]);
    expect(telegram.deleted(chat)).toEqual([]);
  });

  test('whose picture was deleted meanwhile is answered with a new one', async () => {
    const { ask, pressFor } = privately();
    const [words, photo] = await ask('long', 2);
    harness.answers(() => {
      telegram.remove(photo!);
      return long('More of it');
    });
    const after = await pressFor(words!, 'Long', 2);
    expect(after[0]).toMatchObject({ id: words!.id });
    expect(isOf(after[1], 'More of it')).toBe(true);
    expect(after[1]).toMatchObject({ replyTo: words!.id, silent: true });
  });

  test('whose answer takes long says so under the picture, which stays until the new one comes', async () => {
    const { ask, press, chat } = privately();
    const [message] = await ask('first', 1);
    harness.answers(async ({ progress }) => {
      await progress?.(reply({ finding: ['refreshing: 1 of 4'], blocks: [{ kind: 'list', items: LINES }] }));
      return short('A week');
    });
    await press(message!, '1W');
    const [interim] = await telegram.waitFor(() => telegram.edits(chat).length === 2 && telegram.edits(chat));
    expect(interim?.after.text).toMatch(/^refreshing: 1 of 4\n[^]*… and \d+ more$/u);
    expect(isOf(interim?.after, 'First')).toBe(true);
    expect(telegram.posted(chat)).toMatchObject([{ id: message!.id, text: 'A week' }]);
  });
});

describe('files', () => {
  test('follow the words as documents, without ringing again', async () => {
    const { chat } = privately();
    harness.answers(() => short('First', { files: [CSV, { ...CSV, name: '../ev il.csv' }] }));
    telegram.say({ chat, from: telegram.person(), text: '/premium' });
    const [message, ...documents] = await posted(chat, 3);
    expect(documents).toMatchObject([
      { file: { kind: 'document', name: 'supply.csv' }, replyTo: message!.id, silent: true },
      { file: { kind: 'document', name: 'ev-il.csv' }, replyTo: message!.id, silent: true },
    ]);
    expect(documents[0]?.file?.bytes.toString('utf8')).toBe(CSV.text);
  });

  test('that are too large are said in a sentence', async () => {
    const { chat } = privately();
    harness.answers(() => reply({ finding: ['Exported'], files: [{ ...CSV, text: 'x'.repeat(51 * 1024 * 1024) }, CSV] }));
    telegram.say({ chat, from: telegram.person(), text: '/premium' });
    const [words, document] = await posted(chat, 2);
    expect(words?.text).toBe(
      'Exported\n⚠ supply\u2060.csv is too large to be sent here: it has 51 MB, and 50 MB is the most. Ask for a shorter range.',
    );
    expect(document?.file?.name).toBe('supply.csv');
  });

  test('that Telegram does not take are said in a sentence', async () => {
    const { chat } = privately();
    harness.answers(() => reply({ finding: ['Exported'], files: [CSV] }));
    telegram.fail({
      fault: { kind: 'refuse', code: 400, description: 'Bad Request: not enough rights to send documents to the chat' },
      method: 'sendDocument',
    });
    telegram.say({ chat, from: telegram.person(), text: '/premium' });
    const [, sentence] = await posted(chat, 2);
    expect(sentence?.text).toMatch(/^⚠ supply\u2060?\.csv could not be sent here\./u);
  });
});

test('an alert is its words: one message, whatever it carries', async () => {
  const { chat } = privately();
  expect(await harness.platform.notifier.deliver(at(chat), { id: 'd-1', reply: short('First', { files: [CSV] }) })).toMatchObject({
    kind: 'sent',
  });
  expect(telegram.posted(chat)).toMatchObject([{ text: 'First', file: undefined }]);
  expect(pictures.drawn).toEqual([]);
});
