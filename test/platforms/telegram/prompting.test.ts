import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import type { SeenMessage } from '../../stand-ins/telegram/control.js';
import { at, openHarness, stopped, warning, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
beforeEach(async () => {
  harness = await openHarness();
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

type Person = ReturnType<TelegramHarness['telegram']['person']>;
const LEVEL = { kind: 'text', label: 'Level', hint: 'in percent, between -90 and 500', line: '/alerts tide premium level {}' } as const;
const form = (field: { label?: string; hint?: string; line?: string } = {}) =>
  reply({ finding: ['Premium'], fields: [{ ...LEVEL, ...field }] });

/** Somebody gets a form in a chat. */
async function formFor(anna: Person, chat: number, thread?: number): Promise<SeenMessage> {
  harness.answers(() => form());
  telegram.say({ chat, from: anna, text: '/alerts@navwatch_bot tide', ...(thread === undefined ? {} : { thread }) });
  const message = (await harness.posts(chat)).at(-1)!;
  harness.answers(() => reply({ finding: ['set'] }));
  return message;
}

/** They press its button; resolves with what the bot asks. */
async function asked(anna: Person, message: SeenMessage): Promise<SeenMessage> {
  const before = telegram.posted(message.chat).length;
  await telegram.press({ message, button: 'Level', from: anna }).answered;
  return (await harness.posts(message.chat, before + 1)).at(-1)!;
}

/** Resolves when the prompt is gone: its answer is in the menu. */
const filled = async ({ chat, id }: SeenMessage): Promise<unknown> =>
  telegram.waitFor(() => telegram.posted(chat).every((message) => message.id !== id));

const texts = (chat: number) => telegram.posted(chat).map(({ text }) => text);
const complaints = () => harness.log.filter(({ level }) => level === 'warn' || level === 'error').map(({ event }) => event);

describe('something to fill in', () => {
  test('is a button; pressed, it is asked for in a message that opens the reply, and the answer becomes its line', async () => {
    const { anna, chat } = harness.privately();
    const message = await formFor(anna, chat);
    expect(message).toMatchObject({ text: 'Premium', buttons: [[{ text: 'Level', data: expect.stringMatching(/^\?#/u) }]] });
    const prompt = await asked(anna, message);
    expect(prompt).toMatchObject({
      text: 'Level\nin percent, between -90 and 500\nReply to this message to fill it in.',
      forcedReply: { placeholder: 'in percent, between -90 and 500', opensFor: 'everyone' },
      buttons: [],
      pings: [],
      replyTo: undefined,
    });
    telegram.say({ chat, from: anna, text: '  -10 \n ', replyTo: prompt });
    await filled(prompt);
    expect(harness.lines()).toEqual(['/alerts tide', '/alerts tide premium level -10']);
    expect(telegram.posted(chat)).toMatchObject([{ id: message.id, text: 'set' }]);
    expect(complaints()).toEqual([]);
  });

  test('in a group it is asked of the one who pressed, whose client alone opens; the answer has their rights', async () => {
    const anna = telegram.person({ first_name: 'Anna <b>' });
    const bert = telegram.person();
    const chat = telegram.supergroup({ members: [anna, bert] });
    telegram.makeAdmin(chat, anna);
    const message = await formFor(anna, chat);
    const prompt = await asked(anna, message);
    expect(prompt).toMatchObject({
      text: 'Level\nin percent, between -90 and 500\nAnna <b>, reply to this message to fill it in.',
      pings: [{ kind: 'text_mention', text: 'Anna <b>' }],
      replyTo: message.id,
    });
    expect(prompt.forcedReply?.opensFor).toContain(anna.id);
    expect(prompt.forcedReply?.opensFor).not.toContain(bert.id);
    const managed = new Promise<boolean>((resolve) => {
      harness.answers(async ({ from }) => {
        resolve(await from.manages());
        return reply({ finding: ['set'] });
      });
    });
    telegram.say({ chat, from: anna, text: '5', replyTo: prompt });
    expect(await managed).toBe(true);
    expect(harness.inbounds.at(-1)).toMatchObject({
      chat: at(chat),
      from: { id: `telegram/${anna.id}` },
      circles: [`telegram/chat/${chat}`, `telegram/user/${anna.id}`],
    });
  });

  test('whose menu is far above in a group is answered below', async () => {
    const anna = telegram.person();
    const chat = telegram.group({ members: [anna] });
    const prompt = await asked(anna, await formFor(anna, chat));
    for (let at = 0; at < 10; at += 1) telegram.say({ chat, from: anna, text: 'so much to say' });
    telegram.say({ chat, from: anna, text: '7', replyTo: prompt });
    await harness.posts(chat, 3);
    expect(texts(chat)).toEqual(['Premium', prompt.text, 'set']);
  });

  test('somebody else who answers is alerted once whose it is, and changes nothing', async () => {
    const anna = telegram.person({ first_name: 'Anna' });
    const bert = telegram.person();
    const chat = telegram.group({ members: [anna, bert] });
    const prompt = await asked(anna, await formFor(anna, chat));
    const first = telegram.say({ chat, from: bert, text: '500', replyTo: prompt });
    expect((await harness.posts(chat, 3)).at(-1)).toMatchObject({
      text: '⚠ Only Anna can fill this in. Press the button yourself to fill in your own.',
      replyTo: first.id,
    });
    telegram.say({ chat, from: bert, text: 'oh well', replyTo: prompt });
    telegram.say({ chat, from: bert, text: '/help' });
    expect((await harness.posts(chat, 4)).at(-1)?.text).toBe('set');
    telegram.say({ chat, from: anna, text: '7', replyTo: prompt });
    await filled(prompt);
    expect(harness.lines()).toEqual(['/alerts tide', '/help', '/alerts tide premium level 7']);
  });

  test('in a topic is asked and answered there', async () => {
    const anna = telegram.person();
    const forum = telegram.supergroup({ forum: true, members: [anna] });
    const topic = telegram.topic(forum);
    const prompt = await asked(anna, await formFor(anna, forum, topic));
    expect(prompt.thread).toBe(topic);
    telegram.say({ chat: forum, from: anna, text: '7', thread: topic, replyTo: prompt });
    await filled(prompt);
    expect(harness.inbounds.at(-1)?.chat).toBe(at(forum, topic));
  });

  test('what is not taken is answered again, under the same message', async () => {
    const { anna, chat } = harness.privately();
    const prompt = await asked(anna, await formFor(anna, chat));
    harness.answers(() => warning('A level lies between -90 and 500.'));
    telegram.say({ chat, from: anna, text: 'lots', replyTo: prompt });
    await harness.posts(chat, 3);
    harness.answers(() => reply({ finding: ['set to 12'] }));
    telegram.say({ chat, from: anna, text: '12', replyTo: prompt });
    await filled(prompt);
    expect(texts(chat)).toEqual(['set to 12', '⚠ A level lies between -90 and 500.\nTo correct it, reply to the same message again.']);
  });

  test('what is typed is taken as it is: other placeholders, patterns and breaks stay text of one line', async () => {
    const { anna, chat } = harness.privately();
    const prompt = await asked(anna, await formFor(anna, chat));
    telegram.say({ chat, from: anna, text: "$& $' {} a\n/mute all", replyTo: prompt });
    await filled(prompt);
    expect(harness.lines().at(-1)).toBe("/alerts tide premium level $& $' {} a /mute all");
  });

  test('a command is a command, even as an answer', async () => {
    const { anna, chat } = harness.privately();
    const prompt = await asked(anna, await formFor(anna, chat));
    telegram.say({ chat, from: anna, text: '/help', replyTo: prompt });
    await harness.posts(chat, 3);
    expect(harness.lines().at(-1)).toBe('/help');
  });

  test('words under any other message of the bot are what they always were', async () => {
    const { anna, chat } = harness.privately();
    const message = await formFor(anna, chat);
    telegram.say({ chat, from: anna, text: 'premium tide', replyTo: message });
    await harness.posts(chat, 2);
    expect(harness.lines().at(-1)).toBe('premium tide');
    const group = telegram.group({ members: [anna] });
    const other = await formFor(anna, group);
    telegram.say({ chat: group, from: anna, text: 'nice', replyTo: other });
    await harness.done();
    expect(telegram.posted(group)).toHaveLength(1);
  });
});

test("somebody's own words that read like ours ask nobody for anything", async () => {
  const anna = telegram.person();
  const chat = telegram.supergroup({ bot: 'administrator', members: [anna] });
  const theirs = telegram.say({ chat, from: anna, text: 'Reply to this message to fill it in.' });
  telegram.say({ chat, from: anna, text: 'hello', replyTo: theirs });
  telegram.say({ chat, from: anna, text: '/help' });
  await harness.posts(chat);
  expect(texts(chat)).toEqual(['/help']);
});

describe('a question of ours lasts', () => {
  test('over a restart', async () => {
    const { anna, chat } = harness.privately();
    const prompt = await asked(anna, await formFor(anna, chat));
    await stopped(harness.platform, harness.clock);
    telegram.say({ chat, from: anna, text: '3', replyTo: prompt });
    const next = await harness.again();
    await next.listen();
    await filled(prompt);
    expect(next.lines()).toEqual(['/alerts tide premium level 3']);
  });

  test('for a day; after it, and where it is not known, a sentence says what to do', async () => {
    const { anna, chat } = harness.privately();
    const message = await formFor(anna, chat);
    const prompt = await asked(anna, message);
    const other = await asked(anna, message);
    /** The bot is away for so long; polling through a day would take the test seconds. */
    const away = async (of: TelegramHarness, milliseconds: number): Promise<TelegramHarness> => {
      await stopped(of.platform, harness.clock);
      await harness.clock.advance(milliseconds);
      const next = await harness.again();
      await next.listen();
      return next;
    };
    const next = await away(harness, DAY - HOUR);
    telegram.say({ chat, from: anna, text: '3', replyTo: prompt });
    await filled(prompt);
    const last = await away(next, HOUR);
    telegram.say({ chat, from: anna, text: '4', replyTo: other });
    expect((await harness.posts(chat, 3)).at(-1)?.text).toMatch(
      /^⚠ This question has expired.*\. Press its button again, or type the command;/u,
    );
    expect([next.lines(), last.lines()]).toEqual([['/alerts tide premium level 3'], []]);
  });

  test('through a group that becomes a supergroup, where it is asked again, once, because the old message cannot be answered there', async () => {
    const anna = telegram.person({ first_name: 'Anna' });
    const chat = telegram.group({ members: [anna] });
    const message = await formFor(anna, chat);
    const open = await asked(anna, message);
    const done = await asked(anna, message);
    telegram.say({ chat, from: anna, text: '1', replyTo: done });
    await filled(done);
    const to = telegram.migrate(chat);
    const [again] = await harness.posts(to);
    expect(again).toMatchObject({ text: open.text, replyTo: undefined, forcedReply: { opensFor: [anna.id] } });
    telegram.say({ chat: to, from: anna, text: '2', replyTo: again! });
    await harness.posts(to, 2);
    await harness.done();
    expect(harness.inbounds.at(-1)).toMatchObject({ chat: at(to), ask: { line: '/alerts tide premium level 2' } });
    expect(texts(to)).toEqual([open.text, 'set']);
  });

  test('not so long that a group is asked hours later', async () => {
    const anna = telegram.person();
    const chat = telegram.group({ members: [anna] });
    await asked(anna, await formFor(anna, chat));
    await harness.clock.advance(31 * MINUTE);
    const to = telegram.migrate(chat);
    await telegram.waitFor(() => harness.events.length === 5);
    expect(telegram.posted(to)).toEqual([]);
  });

  test('while others press their buttons, and no longer than twenty of them in one chat', async () => {
    const { anna, chat } = harness.privately();
    const theirs = await asked(anna, await formFor(anna, chat));
    const group = telegram.group({ members: [anna] });
    const message = await formFor(anna, group);
    const first = await asked(anna, message);
    for (let count = 0; count < 20; count += 1) await asked(anna, message);
    telegram.say({ chat: group, from: anna, text: '1', replyTo: first });
    expect((await harness.posts(group, 23)).at(-1)?.text).toMatch(/expired/u);
    telegram.say({ chat, from: anna, text: '2', replyTo: theirs });
    await filled(theirs);
    expect(harness.lines().at(-1)).toBe('/alerts tide premium level 2');
  });
});

describe('where asking back is not so simple', () => {
  test('an administrator who is anonymous is neither named nor asked before everybody, and answers as the group', async () => {
    const anna = telegram.person({ first_name: 'Anna' });
    const bert = telegram.person();
    const chat = telegram.supergroup({ members: [bert] });
    telegram.makeAdmin(chat, anna, { anonymous: true });
    const prompt = await asked(anna, await formFor(anna, chat));
    expect(prompt).toMatchObject({ text: expect.stringMatching(/\nReply to this message/u), pings: [], forcedReply: undefined });
    telegram.say({ chat, from: bert, text: '500', replyTo: prompt });
    expect((await harness.posts(chat, 3)).at(-1)?.text).toMatch(/^⚠ Only the administrator who pressed the button can fill this in/u);
    telegram.say({ chat, from: anna, text: '5', replyTo: prompt });
    await filled(prompt);
    expect(harness.lines().at(-1)).toBe('/alerts tide premium level 5');
    expect(JSON.stringify(telegram.posted(chat))).not.toContain('Anna');
  });

  test('in a channel nobody can answer, so the one who presses learns what to post', async () => {
    const editor = telegram.person();
    const chat = telegram.channel();
    telegram.setMember(chat, editor, 'administrator');
    harness.answers(() => form());
    telegram.say({ chat, text: '/alerts@navwatch_bot tide' });
    const [message] = await harness.posts(chat);
    expect(await telegram.press({ message: message!, button: 'Level', from: editor }).answered).toMatchObject({
      text: "I can't ask for text in a channel. Post the command there yourself: /alerts tide premium level …",
      alert: true,
    });
    expect(telegram.posted(chat)).toHaveLength(1);
  });

  test('under an alert, which stays as it is', async () => {
    const { anna, chat } = harness.privately();
    await harness.platform.notifier.deliver(at(chat), { id: 'd', reply: form() });
    const [alert] = telegram.posted(chat);
    const prompt = await asked(anna, alert!);
    telegram.say({ chat, from: anna, text: '9', replyTo: prompt });
    await harness.posts(chat, 3);
    expect(harness.lines()).toEqual(['/alerts tide premium level 9']);
    expect(telegram.edits(chat)).toEqual([]);
  });

  test('names that would break the markup or run over are shown as they are, clipped', async () => {
    const { anna, chat } = harness.privately();
    harness.answers(() => form({ label: '<i>x</i>\n@everyone', hint: `${'é&'.repeat(300)}\nsecond` }));
    telegram.say({ chat, from: anna, text: '/alerts tide' });
    const [message] = await harness.posts(chat);
    await telegram.press({ message: message!, button: { row: 0, column: 0 }, from: anna }).answered;
    const prompt = (await harness.posts(chat, 2))[1]!;
    expect(prompt.text).toMatch(/^<i>x<\/i> @\u2060everyone\n(é&)+.?…\nReply to this message/u);
    expect(prompt.forcedReply?.placeholder).toMatch(/^(é&)+…$|^(é&)+é…$/u);
    expect(prompt).toMatchObject({ pings: [], entities: [{ type: 'bold' }] });
  });

  test('without a hint there is no placeholder', async () => {
    const { anna, chat } = harness.privately();
    harness.answers(() => form({ hint: '' }));
    telegram.say({ chat, from: anna, text: '/alerts tide' });
    const [message] = await harness.posts(chat);
    expect(await asked(anna, message!)).toMatchObject({
      text: 'Level\nReply to this message to fill it in.',
      forcedReply: { placeholder: undefined },
    });
  });

  test('when it cannot be posted the one who pressed is alerted, and may press again', async () => {
    const { anna, chat } = harness.privately();
    const message = await formFor(anna, chat);
    telegram.fail({ fault: { kind: 'refuse', code: 400, description: 'Bad Request: CHAT_RESTRICTED' }, method: 'sendMessage' });
    expect(await telegram.press({ message, button: 'Level', from: anna }).answered).toMatchObject({
      text: expect.stringMatching(/^That didn't work/u),
    });
    const prompt = await asked(anna, message);
    telegram.say({ chat, from: anna, text: '1', replyTo: prompt });
    await filled(prompt);
    expect(harness.lines().at(-1)).toBe('/alerts tide premium level 1');
  });

  test('the group becomes a supergroup while it is being asked: it is asked there, under nothing', async () => {
    const anna = telegram.person();
    const chat = telegram.group({ members: [anna] });
    const message = await formFor(anna, chat);
    telegram.fail({ fault: { kind: 'slow', ms: SECOND }, method: 'sendMessage' });
    telegram.press({ message, button: 'Level', from: anna });
    await telegram.waitFor(() => telegram.calls('sendMessage').length === 2);
    const to = telegram.migrate(chat);
    // So that there is a message there with the number of the one under which it was pressed.
    for (const text of ['so', 'here we are']) telegram.say({ chat: to, from: anna, text });
    expect(telegram.messages(to).map(({ id }) => id)).toContain(message.id);
    await harness.turnUntil(() => telegram.posted(to).length === 1);
    const [prompt] = telegram.posted(to);
    expect(prompt).toMatchObject({ replyTo: undefined, forcedReply: { opensFor: [anna.id] } });
    telegram.say({ chat: to, from: anna, text: '2', replyTo: prompt! });
    await harness.posts(to, 2);
    expect(harness.inbounds.at(-1)).toMatchObject({ chat: at(to), ask: { line: '/alerts tide premium level 2' } });
    await harness.done();
    expect(telegram.posted(to)).toHaveLength(2);
  });

  test('the button stops spinning while Telegram is slow', async () => {
    const { anna, chat } = harness.privately();
    const message = await formFor(anna, chat);
    telegram.fail({ fault: { kind: 'slow', ms: 10 * SECOND }, method: 'sendMessage' });
    const press = telegram.press({ message, button: 'Level', from: anna });
    await telegram.waitFor(() => telegram.calls('sendMessage').length === 2);
    await harness.clock.advance(5 * SECOND);
    expect(await press.answered).toMatchObject({ text: undefined, alert: false });
    await harness.turnUntil(() => telegram.posted(chat).length === 2);
  });
});
