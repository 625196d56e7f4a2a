import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SECOND } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import { TOGETHER_WITHIN } from '../../../src/platforms/conversation.js';
import type { SeenMessage } from '../../stand-ins/telegram/control.js';
import { settled } from '../../support/clock.js';
import { painter, type Painter } from '../pictures.js';
import { openHarness, stopped, type TelegramHarness } from './harness.js';
import { ACTIONS, isOf, privatelyIn, short, until } from './views.js';

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

const posted = async (chat: number, count: number): Promise<readonly SeenMessage[]> =>
  telegram.waitFor(() => telegram.posted(chat).length === count && telegram.posted(chat));
const complaints = () => harness.log.filter(({ level }) => level === 'warn' || level === 'error').map(({ event }) => event);
const privately = () => privatelyIn(harness);

describe('a picture that takes longer to draw than its text', () => {
  /** Asks, and lets the quarter of a second pass in which a picture comes with its text. */
  const slowly = async (title: string, begin: () => void): Promise<void> => {
    const before = pictures.drawn.length;
    begin();
    await until(() => pictures.drawn.slice(before).some(([drawn]) => drawn === title));
    await harness.clock.advance(TOGETHER_WITHIN);
  };
  const CHANGES = /^(send(?!ChatAction)|edit|deleteMessage)/u;
  const changes = () => telegram.transcript.filter(({ method }) => CHANGES.test(method)).map(({ method }) => method);
  /** Whether a text was ever to be seen beside the picture of another answer. */
  const mixed = (chat: number) =>
    telegram.edits(chat).filter(({ after }) => ['First', 'A week'].some((title) => after.text !== title && isOf(after, title)));

  test('follows as one edit of the message, which counted as answered before', async () => {
    const { say, chat } = privately();
    const held = pictures.hold('First');
    await slowly('First', () => say('first'));
    expect(await posted(chat, 1)).toMatchObject([{ text: 'First', file: undefined, buttons: [[{}, {}, {}]], silent: false }]);
    const memory = harness.store.collection({ prefix: 'platform', version: 1, schema: z.object({ pendingUpdates: z.array(z.unknown()) }) });
    while (((await memory.get('telegram'))?.pendingUpdates.length ?? 0) > 0) await settled();
    held.finish();
    const [message] = await telegram.waitFor(() => telegram.edits(chat).length === 1 && telegram.posted(chat));
    expect(message).toMatchObject({ text: 'First', entities: [{ type: 'bold' }], buttons: [[{}, {}, {}]], edits: 1 });
    expect(isOf(message, 'First')).toBe(true);
    expect(changes()).toEqual(['sendMessage', 'editMessageMedia']);
    expect(complaints()).toEqual([]);
  });

  test('is announced as "sending photo" in its chat and topic for as long as it is drawn', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ forum: true, members: [anna] });
    const thread = telegram.topic(chat);
    const actions = () => telegram.calls('sendChatAction').map(({ params }) => params);
    harness.answers(() => short('First'));
    const held = pictures.hold('First');
    await slowly('First', () => telegram.say({ chat, from: anna, text: '/premium', thread }));
    await telegram.waitFor(() => actions().length === 1);
    expect(actions()).toEqual([{ chat_id: chat, action: 'upload_photo', message_thread_id: thread }]);
    await harness.clock.asleep();
    await harness.clock.advance(5 * SECOND);
    await telegram.waitFor(() => actions().length === 2);
    held.finish();
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    await harness.clock.advance(20 * SECOND);
    expect(actions()).toHaveLength(2);
    expect(complaints()).toEqual([]);
  });

  test('is no reason to complain where the action is refused, as in a channel', async () => {
    const chat = telegram.channel();
    harness.answers(() => short('First'));
    const held = pictures.hold('First');
    telegram.fail({
      fault: { kind: 'refuse', code: 400, description: 'Bad Request: chat action is not available in channels' },
      method: 'sendChatAction',
    });
    await slowly('First', () => telegram.say({ chat, text: '/premium' }));
    await telegram.waitFor(() => telegram.calls('sendChatAction').length === 1);
    held.finish();
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    expect(complaints()).toEqual([]);
  });

  test('is not waited for while the first picture has yet to be drawn, but comes along where it is there already', async () => {
    const { say, chat } = privately();
    pictures.cold = true;
    const held = pictures.hold('First');
    say('first');
    // Nobody turns the clock: a wait of any length would never end.
    expect(await posted(chat, 1)).toMatchObject([{ text: 'First', file: undefined }]);
    held.finish();
    const [message] = await telegram.waitFor(() => telegram.edits(chat).length === 1 && telegram.posted(chat));
    expect(isOf(message, 'First')).toBe(true);
    say('1W');
    const [, second] = await posted(chat, 2);
    expect(isOf(second, 'A week')).toBe(true);
    expect(changes()).toEqual(['sendMessage', 'editMessageMedia', 'sendPhoto']);
  });

  test('follows as a silent answer where the text is longer than a caption', async () => {
    const { say, chat } = privately();
    const held = pictures.hold('All of it');
    await slowly('All of it', () => say('long'));
    const [words] = await posted(chat, 1);
    held.finish();
    const [, photo] = await posted(chat, 2);
    expect(photo).toMatchObject({ replyTo: words!.id, silent: true, buttons: [] });
    expect(changes()).toEqual(['sendMessage', 'sendPhoto']);
  });

  test('is not uploaded again where Telegram has it', async () => {
    const { ask, say, chat } = privately();
    await ask('first', 1);
    const held = pictures.hold('First');
    await slowly('First', () => say('first'));
    held.finish();
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    expect(telegram.calls('editMessageMedia')[0]?.params['media']).toMatchObject({ media: expect.stringMatching(/^AgAC/u) });
    expect(isOf(telegram.posted(chat)[1], 'First')).toBe(true);
  });

  test('never lets new text stand above the old one: an empty picture takes its place in the same edit', async () => {
    const { ask, chat } = privately();
    const [message] = await ask('first', 1);
    const held = pictures.hold('A week');
    await slowly('A week', () => telegram.press({ message: message!, button: '1W', from: telegram.person() }));
    const [pressed] = await telegram.waitFor(() => telegram.edits(chat).length === 1 && telegram.posted(chat));
    expect(pressed).toMatchObject({ id: message!.id, text: 'A week', file: { kind: 'photo' }, buttons: [[{}, {}, {}]] });
    held.finish();
    await telegram.waitFor(() => telegram.edits(chat).length === 2);
    expect(telegram.posted(chat)).toMatchObject([{ id: message!.id, text: 'A week' }]);
    expect(isOf(telegram.posted(chat)[0], 'A week')).toBe(true);
    expect(mixed(chat)).toEqual([]);
    expect(changes()).toEqual(['sendPhoto', 'editMessageMedia', 'editMessageMedia']);
  });

  test('never lets new text stand above the old one: what answered the old text goes first', async () => {
    const { ask, chat } = privately();
    const [words, photo] = await ask('long', 2);
    const held = pictures.hold('A week');
    await slowly('A week', () => telegram.press({ message: words!, button: '1W', from: telegram.person() }));
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    expect(telegram.posted(chat)).toMatchObject([{ id: words!.id, text: 'A week', file: undefined }]);
    expect(telegram.deleted(chat)).toEqual([{ chat, id: photo!.id }]);
    held.finish();
    await telegram.waitFor(() => telegram.edits(chat).length === 2);
    expect(isOf(telegram.posted(chat)[0], 'A week')).toBe(true);
    expect(changes()).toEqual(['sendMessage', 'sendPhoto', 'deleteMessage', 'editMessageText', 'editMessageMedia']);
  });

  test('does not land on the answer to a later press', async () => {
    const { ask, chat } = privately();
    const [message] = await ask('words', 1);
    const held = pictures.hold('A week');
    await slowly('A week', () => telegram.press({ message: message!, button: '1W', from: telegram.person() }));
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    harness.answers(() => short('First'));
    telegram.press({ message: message!, button: '1W', from: telegram.person() });
    await telegram.waitFor(() => telegram.edits(chat).length === 2);
    held.finish();
    await harness.done();
    await settled();
    expect(telegram.posted(chat)).toMatchObject([{ id: message!.id, text: 'First', edits: 2 }]);
    expect(isOf(telegram.posted(chat)[0], 'First')).toBe(true);
    expect(mixed(chat)).toEqual([]);
  });

  test('and lands while a later press waits is changed with it, in place', async () => {
    const { say, chat } = privately();
    const held = pictures.hold('First');
    await slowly('First', () => say('first'));
    const [message] = await posted(chat, 1);
    let answer: () => void = () => undefined;
    harness.answers(async () => new Promise((resolve) => (answer = () => resolve(short('A week')))));
    // Telegram tells of the message as it was when the button was pressed: without a picture.
    telegram.press({ message: message!, button: '1W', from: telegram.person() });
    await until(() => harness.inbounds.length === 2);
    held.finish();
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    answer();
    await telegram.waitFor(() => telegram.edits(chat).length === 2);
    expect(telegram.posted(chat)).toMatchObject([{ id: message!.id, text: 'A week' }]);
    expect(isOf(telegram.posted(chat)[0], 'A week')).toBe(true);
    expect(telegram.deleted(chat)).toEqual([]);
  });

  test('and fails leaves the text', async () => {
    const { say, chat } = privately();
    const held = pictures.hold('First');
    await slowly('First', () => say('first'));
    await posted(chat, 1);
    held.fail();
    await harness.turnUntil(() => complaints().length > 0);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'First', edits: 0 }]);
    expect(complaints()).toEqual(['platforms.picture-not-drawn']);
  });

  test('and fails takes the empty picture along', async () => {
    const { ask, chat } = privately();
    const [message] = await ask('first', 1);
    const held = pictures.hold('A week');
    await slowly('A week', () => telegram.press({ message: message!, button: '1W', from: telegram.person() }));
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    held.fail();
    await telegram.waitFor(() => telegram.deleted(chat).length === 1);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'A week', file: undefined, silent: true, buttons: [[{}, {}, {}]] }]);
  });

  test('and is not taken leaves the text', async () => {
    const { say, chat } = privately();
    const held = pictures.hold('First');
    await slowly('First', () => say('first'));
    await posted(chat, 1);
    const description = 'Bad Request: not enough rights to send photos to the chat';
    telegram.fail({ fault: { kind: 'refuse', code: 400, description }, method: 'editMessageMedia' });
    held.finish();
    await harness.turnUntil(() => complaints().length > 0);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'First', file: undefined, edits: 0 }]);
    expect(complaints()).toEqual(['telegram.picture-not-added']);
  });

  test('waits where Telegram asks for it, and is not shown any more once a later press was answered', async () => {
    const { say, chat } = privately();
    const held = pictures.hold('First');
    await slowly('First', () => say('first'));
    const [message] = await posted(chat, 1);
    telegram.fail({ fault: { kind: 'too-many', retryAfter: 20 }, method: 'editMessageMedia' });
    held.finish();
    await telegram.waitFor(() => telegram.calls('editMessageMedia').length === 1);
    harness.answers(() => reply({ finding: ['Only words'], actions: ACTIONS }));
    telegram.press({ message: message!, button: 'Words', from: telegram.person() });
    await telegram.waitFor(() => harness.inbounds.length === 2);
    // Nothing more goes to the chat until then.
    expect(telegram.edits(chat)).toEqual([]);
    await harness.turnUntil(() => telegram.edits(chat).length === 1);
    await harness.clock.advance(30 * SECOND);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'Only words', file: undefined }]);
    expect(telegram.calls('editMessageMedia')).toHaveLength(1);
  });

  test('is not posted where its text was deleted', async () => {
    const { say, chat } = privately();
    const held = pictures.hold('First');
    await slowly('First', () => say('first'));
    const [message] = await posted(chat, 1);
    telegram.remove(message!);
    held.finish();
    await telegram.waitFor(() => telegram.calls('editMessageMedia')[0]?.answer);
    await settled();
    expect(telegram.posted(chat)).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  test('does not keep the bot from stopping', async () => {
    const { say, chat } = privately();
    pictures.hold('First');
    await slowly('First', () => say('first'));
    await posted(chat, 1);
    const begun = harness.clock.now();
    await stopped(harness.platform, harness.clock);
    expect(harness.clock.now() - begun).toBeLessThanOrEqual(15 * SECOND);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'First', edits: 0 }]);
  });
});
