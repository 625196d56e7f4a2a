/** Plain words in groups: mentions and replies reach the bot as Telegram delivers them, and nothing that is not addressed to it is answered. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { reply } from '../../../src/chat/reply.js';
import type { Say } from '../../stand-ins/telegram/control.js';
import { at, openHarness, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let anna: User;
let group: number;

const open = async (privacyMode: boolean): Promise<void> => {
  harness = await openHarness({}, { privacyMode });
  anna = harness.telegram.person({ first_name: 'Anna' });
  group = harness.telegram.supergroup({ members: [anna] });
  await harness.listen();
};
const say = (text: string, more: Partial<Say> = {}) => harness.telegram.say({ chat: group, from: anna, text, ...more });
/** Everything that was said before is handled when a command behind it is answered. */
const settled = async (): Promise<void> => {
  const before = harness.telegram.posted(group).length;
  say('/help');
  await harness.posts(group, before + 1);
};
const asked = () => harness.inbounds.map(({ ask, addressing }) => ['line' in ask ? ask.line : ask.command, addressing]);
const ALERT = reply({
  finding: ['Tidewater minted 5 TIDE'],
  actions: [
    { label: 'Mute', line: '/mute tide 24h' },
    { label: 'Why?', line: '/why 1' },
  ],
});
const alerted = async (): Promise<void> => {
  await harness.platform.notifier.deliver(at(group), { id: 'd-1', reply: ALERT });
};

afterEach(async () => harness.close());

describe('where privacy mode is off', () => {
  beforeEach(async () => open(false));

  test('a mention is for the bot wherever it stands, and the answer replies to it', async () => {
    const { id } = say('hey @navwatch_bot, is tide cheap?');
    say('is tide cheap @Navwatch_Bot');
    const posts = await harness.posts(group, 2);
    expect(asked()).toEqual([
      ['hey is tide cheap?', 'mention'],
      ['is tide cheap', 'mention'],
    ]);
    expect(posts[0]).toMatchObject({ replyTo: id, pings: [] });
  });

  test('nothing else is: gossip, other names, an address, code, what is forwarded, what other bots write', async () => {
    const other: User = { id: 77, is_bot: true, first_name: 'Otto', username: 'otto_bot' };
    for (const text of ['gossip', '@anna is tide cheap?', 'write to me@navwatch_bot.example', '@navwatch_bot2 is tide cheap']) say(text);
    say('@navwatch_bot is tide cheap', { forwarded: true });
    say('@navwatch_bot is tide cheap', { from: other });
    await settled();
    expect(asked()).toEqual([['/help', undefined]]);
  });

  test('a message that is edited is not answered again', async () => {
    const first = say('@navwatch_bot is tide cheap');
    await harness.posts(group);
    harness.telegram.rewrite(first, '@navwatch_bot is alder cheap');
    await settled();
    expect(harness.lines()).toEqual(['is tide cheap', '/help']);
  });

  test('a crowd that mentions the bot delays nobody in private, and gets no message about it', async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    harness.answers(async ({ addressing, from: { name } }) => {
      if (addressing !== undefined) await held;
      return reply({ finding: [`for ${name}`] });
    });
    for (let number = 0; number < 100; number += 1) say('@navwatch_bot is tide cheap', { from: harness.telegram.person() });
    const bob = harness.telegram.person({ first_name: 'Bob' });
    const chat = harness.telegram.privateChat(bob);
    harness.telegram.say({ chat, from: bob, text: 'is tide cheap' });
    expect((await harness.posts(chat)).map(({ text }) => text)).toEqual(['for Bob']);
    finish();
    await harness.posts(group, 30);
    expect(harness.telegram.posted(group)).toHaveLength(30);
  });
});

describe('in privacy mode', () => {
  beforeEach(async () => open(true));

  test('a mention does not arrive, and the state of the connection says so', async () => {
    say('@navwatch_bot is tide cheap');
    await settled();
    expect(harness.lines()).toEqual(['/help']);
    expect((await harness.platform.notifier.diagnose()).says).toContain('privacy mode is on');
  });

  test('a reply arrives: to an answer or to an alert, and what is for nobody is not sent', async () => {
    say('/premium tide');
    const [answer] = await harness.posts(group);
    await alerted();
    const [, alert] = await harness.posts(group, 2);
    harness.answers(({ ask, addressing }) =>
      reply({ finding: ['line' in ask ? ask.line : ''], audience: addressing === 'reply to alert' ? 'nobody' : 'everyone' }),
    );
    if (answer === undefined || alert === undefined) throw new Error('nothing was posted');
    say('lol', { replyTo: alert });
    const { id } = say('and alder?', { replyTo: answer });
    const posts = await harness.posts(group, 3);
    await settled();
    expect(asked().slice(1)).toEqual([
      ['lol', 'reply to alert'],
      ['and alder?', 'reply to answer'],
      ['/help', undefined],
    ]);
    expect(posts.at(-1)).toMatchObject({ text: 'and alder?', replyTo: id });
    expect(harness.telegram.posted(group)).toHaveLength(4);
  });

  test('a command in a reply stays a command', async () => {
    say('/premium tide');
    const [answer] = await harness.posts(group);
    say('/treasury alder', answer === undefined ? {} : { replyTo: answer });
    await harness.posts(group, 2);
    expect(asked().at(-1)).toEqual(['/treasury alder', undefined]);
  });

  test('what people say in a topic that the bot opened is no reply to it', async () => {
    const topic = { message_id: 900, date: 1, chat: { id: group, type: 'supergroup' }, from: harness.telegram.me };
    harness.telegram.push({
      message: {
        ...{ message_id: 901, date: 1, chat: { id: group, type: 'supergroup', title: 'G' }, from: anna, text: 'is tide cheap?' },
        reply_to_message: { ...topic, forum_topic_created: { name: 'T', icon_color: 1 } },
      },
    } as never);
    await settled();
    expect(harness.lines()).toEqual(['/help']);
  });
});
