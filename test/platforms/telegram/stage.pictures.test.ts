import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import type { SeenMessage } from '../../stand-ins/telegram/control.js';
import { bytesOf, chartOf, painter, type Painter } from '../pictures.js';
import { at, openHouse, type House } from './house.js';

let house: House;
let telegram: House['telegram'];
let pictures: Painter;
beforeEach(async () => {
  pictures = painter();
  house = await openHouse({ pictures });
  ({ telegram } = house);
  await house.listen();
});
afterEach(async () => house.close());

const ACTIONS = [
  { label: '1W', line: '/premium 1W' },
  { label: 'Words', line: '/premium words' },
  { label: 'Long', line: '/premium long' },
];
const short = (title: string, more: Partial<Parameters<typeof reply>[0]> = {}): Reply =>
  reply({ finding: [{ strong: title }], chart: chartOf(title), actions: ACTIONS, ...more });
const LINES = Array.from({ length: 60 }, (_, index) => ({ line: [`holder ${index} holds ${'x'.repeat(20)}`] }));
/** Its words are more than a caption holds. */
const long = (title: string): Reply => short(title, { blocks: [{ kind: 'list', items: LINES }] });
const CSV = { name: 'supply.csv', type: 'text/csv', text: 'id,amount\n1,"486,210"\n' };

/** Answers by the last word of the line. */
const ANSWERS: Readonly<Record<string, () => Reply>> = {
  first: () => short('First'),
  '1W': () => short('A week'),
  long: () => long('All of it'),
  longer: () => long('More of it'),
  words: () => reply({ finding: ['Only words'], actions: ACTIONS }),
};

const posted = async (chat: number, count: number): Promise<readonly SeenMessage[]> =>
  telegram.waitFor(() => telegram.posted(chat).length === count && telegram.posted(chat));
const complaints = () => house.log.filter(({ level }) => level === 'warn' || level === 'error').map(({ event }) => event);
const isOf = (message: SeenMessage | undefined, title: string): boolean =>
  Buffer.from(bytesOf(chartOf(title))).equals(message?.file?.bytes ?? Buffer.alloc(0));

function privately() {
  const { anna, chat } = house.privately();
  house.answers(({ ask }) => (ANSWERS[('line' in ask ? ask.line : '').split(' ').at(-1) ?? ''] ?? ANSWERS['words']!)());
  return {
    chat,
    ask: async (what: string, count: number) => {
      telegram.say({ chat, from: anna, text: `/premium ${what}` });
      return posted(chat, count);
    },
    press: async (message: SeenMessage, button: string) => {
      await telegram.press({ message, button, from: anna }).answered;
      await house.done();
      return telegram.posted(chat);
    },
  };
}

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

  test('with more words than a caption holds is the picture and then the words, whole, which answer it', async () => {
    const { ask } = privately();
    const [photo, words] = await ask('long', 2);
    expect(photo).toMatchObject({ text: '', buttons: [], silent: true });
    expect(isOf(photo, 'All of it')).toBe(true);
    expect(words).toMatchObject({ replyTo: photo?.id, silent: false, buttons: [[{ text: '1W' }, {}, {}]] });
    expect(words?.text).toContain('holder 59');
  });

  test.each([1_024, 1_025])('counts the words as Telegram does: %i units', async (length) => {
    const { chat } = privately();
    const rest = length - 'F\n'.length;
    // An entity counts as the one letter that is seen, an emoji as two units.
    const line = `&&<>😀${'x'.repeat(394)}`;
    const lines = [line, line, 'y'.repeat(rest - 2 * (line.length + 1))];
    house.answers(() => reply({ finding: ['F'], blocks: lines.map((text) => ({ kind: 'line', line: [text] })), chart: chartOf('x') }));
    telegram.say({ chat, from: telegram.person(), text: '/premium' });
    const messages = await posted(chat, length === 1_024 ? 1 : 2);
    expect(messages.at(-1)?.text).toHaveLength(length);
    expect(complaints()).toEqual([]);
  });

  test('that was sent before is not uploaded again, in another chat and another life of the bot too', async () => {
    const { ask } = privately();
    await ask('first', 1);
    const again = await house.again();
    await house.platform.stop();
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
    await telegram.waitFor(() => house.asked.length === 1);
    await house.turnUntil(() => telegram.posted(chat).length === 1);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'First', file: undefined }]);
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
    await house.turnUntil(() => telegram.posted(chat).length === 1);
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

  test('changes a picture and the words that answer it, both in place', async () => {
    const { ask, press, chat } = privately();
    const [photo, words] = await ask('long', 2);
    house.answers(() => long('More of it'));
    const after = await press(words!, 'Long');
    expect(after.map(({ id }) => id)).toEqual([photo!.id, words!.id]);
    expect(isOf(after[0], 'More of it')).toBe(true);
    expect(after[1]?.text).toMatch(/^More of it\n/u);
    expect(telegram.deleted(chat)).toEqual([]);
  });

  test.each([
    ['first', 'Words', ['Only words']],
    ['first', 'Long', ['', 'All of it']],
    ['long', '1W', ['A week']],
    ['long', 'Words', ['Only words']],
    ['words', 'Long', ['', 'All of it']],
  ])('whose answer has another shape than "%s" (%s) is posted anew, silently, and the old one goes', async (asked, button, texts) => {
    const { ask, press, chat } = privately();
    const before = await ask(asked, asked === 'long' ? 2 : 1);
    const after = await press(before.at(-1)!, button);
    expect(after.map(({ text }) => text.split('\n')[0])).toEqual(texts);
    expect(after.every(({ silent }) => silent)).toBe(true);
    expect(new Set(telegram.deleted(chat).map(({ id }) => id))).toEqual(new Set(before.map(({ id }) => id)));
    expect(complaints()).toEqual([]);
  });

  test("under words that answer somebody's picture with buttons leaves that picture alone", async () => {
    const { ask, press, chat } = privately();
    const [photo] = await ask('first', 1);
    house.answers(() => reply({ tone: 'warning', finding: ['Did you mean tide?'], audience: 'asker', actions: ACTIONS }));
    const [, question] = await press(photo!, 'Words');
    expect(question).toMatchObject({ text: '⚠ Did you mean tide?', replyTo: photo!.id });
    house.answers(() => short('A week'));
    const after = await press(question!, '1W');
    expect(after.map(({ id, text }) => [id, text])).toEqual([
      [photo!.id, 'First'],
      [question!.id, 'A week'],
    ]);
    expect(telegram.deleted(chat)).toEqual([]);
  });

  test('under a picture that was deleted meanwhile is answered with a new one', async () => {
    const { ask, press } = privately();
    const [photo, words] = await ask('long', 2);
    house.answers(() => {
      telegram.remove(photo!);
      return long('More of it');
    });
    const after = await press(words!, 'Long');
    expect(after).toHaveLength(2);
    expect(isOf(after[0], 'More of it')).toBe(true);
    expect(after[1]).toMatchObject({ replyTo: after[0]!.id });
  });

  test('whose answer takes long says so under the picture, which stays until the new one comes', async () => {
    const { ask, press, chat } = privately();
    const [message] = await ask('first', 1);
    house.answers(async ({ progress }) => {
      await progress?.(reply({ finding: ['refreshing: 1 of 4'], blocks: [{ kind: 'list', items: LINES }] }));
      return short('A week');
    });
    await press(message!, '1W');
    const [interim] = await telegram.waitFor(() => telegram.edits(chat).length === 2 && telegram.edits(chat));
    expect(interim?.after.text).toMatch(/^refreshing: 1 of 4\n[^]*… and \d+ more$/u);
    expect(isOf(interim?.after, 'First')).toBe(true);
    expect(telegram.posted(chat)).toMatchObject([{ id: message!.id, text: 'A week' }]);
  });

  test('stops spinning while the picture is drawn', async () => {
    const { ask, chat } = privately();
    const [message] = await ask('first', 1);
    let finish: (bytes: Uint8Array) => void = () => undefined;
    pictures.instead = async () => new Promise((resolve) => (finish = resolve));
    const press = telegram.press({ message: message!, button: '1W', from: telegram.person() });
    await telegram.waitFor(() => pictures.drawn.length === 2);
    await house.clock.advance(5 * SECOND);
    expect(await press.answered).toMatchObject({ text: undefined });
    finish(bytesOf(chartOf('A week')));
    await telegram.waitFor(() => telegram.posted(chat)[0]?.text === 'A week');
  });
});

describe('files', () => {
  test('follow the words as documents, without ringing again', async () => {
    const { chat } = privately();
    house.answers(() => short('First', { files: [CSV, { ...CSV, name: '../ev il.csv' }] }));
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
    house.answers(() => reply({ finding: ['Exported'], files: [{ ...CSV, text: 'x'.repeat(51 * 1024 * 1024) }, CSV] }));
    telegram.say({ chat, from: telegram.person(), text: '/premium' });
    const [words, document] = await posted(chat, 2);
    expect(words?.text).toBe(
      'Exported\n⚠ supply\u2060.csv is too large to be sent here: it has 51 MB, and 50 MB is the most. Ask for a shorter range.',
    );
    expect(document?.file?.name).toBe('supply.csv');
  });

  test('that Telegram does not take are said in a sentence', async () => {
    const { chat } = privately();
    house.answers(() => reply({ finding: ['Exported'], files: [CSV] }));
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
  expect(await house.platform.courier.deliver(at(chat), { id: 'd-1', reply: short('First', { files: [CSV] }) })).toMatchObject({
    kind: 'sent',
  });
  expect(telegram.posted(chat)).toMatchObject([{ text: 'First', file: undefined }]);
  expect(pictures.drawn).toEqual([]);
});
