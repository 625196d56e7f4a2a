import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import type { At } from '../../stand-ins/telegram/control.js';
import { at, openHarness, warning, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
beforeEach(async () => {
  harness = await openHarness();
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

describe('a typed line', () => {
  test('is answered in the same chat, with buttons and without a preview', async () => {
    const { anna, chat } = harness.privately();
    harness.answers(() =>
      reply({
        tone: 'down',
        finding: [{ strong: 'TIDE' }, ' below NAV, see acme.io'],
        actions: [{ label: '1W', line: '/premium tide 1W' }],
      }),
    );
    telegram.say({ chat, from: anna, text: '/premium tide' });
    const [answer] = await harness.posts(chat);
    expect(answer).toMatchObject({
      text: '▼ TIDE below NAV, see acme\u2060.io',
      entities: [{ type: 'bold', offset: 2, length: 4 }],
      buttons: [[{ text: '1W', data: '/premium tide 1W' }]],
      preview: undefined,
      pings: [],
      replyTo: undefined,
    });
    expect(harness.inbounds[0]).toMatchObject({
      chat: at(chat),
      ask: { line: '/premium tide' },
      from: { id: `telegram/${anna.id}`, name: 'Anna' },
      circles: [`telegram/chat/${chat}`, `telegram/user/${anna.id}`],
    });
  });

  test('is answered while an earlier one of the same person waits for long', async () => {
    const { anna, chat } = harness.privately();
    let finish = (): void => {};
    const waits = new Promise<void>((resolve) => void (finish = resolve));
    harness.answers(async ({ ask, endTurn }) => {
      const line = 'line' in ask ? ask.line : '';
      if (line === '/refresh fund-1') {
        endTurn?.();
        await waits;
      }
      return reply({ finding: [`answered ${line}`] });
    });
    telegram.say({ chat, from: anna, text: '/refresh fund-1' });
    telegram.say({ chat, from: anna, text: '/premium tide' });
    expect((await harness.posts(chat)).map(({ text }) => text)).toEqual(['answered /premium tide']);
    finish();
    expect((await harness.posts(chat, 2)).map(({ text }) => text)).toEqual(['answered /premium tide', 'answered /refresh fund-1']);
  });

  test('in a private chat every line is for the bot, except what is for another one', async () => {
    const { anna, chat } = harness.privately();
    for (const text of ['/start', '/start watch_tide', 'premium tide', '/nonsense', '/help@other_bot', '/help@NAVWATCH_bot me'])
      telegram.say({ chat, from: anna, text });
    await harness.posts(chat, 5);
    expect(harness.lines()).toEqual(['/start', '/start watch_tide', 'premium tide', '/nonsense', '/help me']);
  });

  test('in a group only what is for it: its commands, its name; neither gossip nor other bots', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ bot: 'administrator', members: [anna] });
    for (const text of [
      'gossip',
      '/premium@other_bot',
      '/roll 6',
      '/premium tide',
      '/roll@navwatch_bot',
      '@navwatch_bot: treasury tide',
      '@navwatch_bot',
      '@someone hi',
      '/start watch_tide',
      '/start@navwatch_bot watch_alder',
      '/start@other_bot x',
    ])
      telegram.say({ chat, from: anna, text });
    await harness.posts(chat, 6);
    expect(harness.lines()).toEqual(['/premium tide', '/roll', 'treasury tide', '/help', '/start watch_tide', '/start watch_alder']);
  });

  test('a topic is a chat of its own, General is the group; a reply in an ordinary group is no topic', async () => {
    const anna = telegram.person();
    const forum = telegram.supergroup({ forum: true, members: [anna] });
    const topic = telegram.topic(forum);
    telegram.say({ chat: forum, from: anna, text: '/premium', thread: topic });
    await harness.posts(forum);
    telegram.say({ chat: forum, from: anna, text: '/treasury' });
    await harness.posts(forum, 2);
    expect(telegram.posted(forum, topic).map(({ text }) => text)).toEqual(['/premium']);
    expect(telegram.posted(forum, 'general').map(({ text }) => text)).toEqual(['/treasury']);
    const group = telegram.supergroup({ members: [anna] });
    // So that the question has another number than General's.
    telegram.say({ chat: group, from: anna, text: 'hello' });
    const first = telegram.say({ chat: group, from: anna, text: '/help' });
    telegram.say({ chat: group, from: anna, text: '/premium', replyTo: first });
    await harness.posts(group, 2);
    expect(harness.inbounds.map(({ chat }) => chat)).toEqual([at(forum, topic), at(forum), at(group), at(group)]);
  });

  test('a channel asks in its posts, and their copies in the group that discusses it ask nothing', async () => {
    const chat = telegram.channel({ title: 'Acme events' });
    const group = telegram.supergroup();
    telegram.say({ chat, text: 'we are live' });
    telegram.say({ chat, text: '/premium tide' });
    await harness.posts(chat);
    const copy = { ...telegram.messages(chat)[1]?.raw, chat: { id: group, type: 'supergroup', title: 'x' }, is_automatic_forward: true };
    telegram.push({ message: copy } as never);
    await harness.done();
    expect(harness.inbounds).toMatchObject([{ chat: at(chat), circles: [`telegram/chat/${chat}`], from: { name: 'Acme events' } }]);
  });

  test('what only the asker should see is a reply to the message, where others read along', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ members: [anna] });
    harness.answers(() => warning('No project is called "tiide".'));
    const question = telegram.say({ chat, from: anna, text: '/premium tiide' });
    expect((await harness.posts(chat))[0]).toMatchObject({ replyTo: question.id, text: '⚠ No project is called "tiide".' });
  });

  test('a question that was deleted meanwhile is answered all the same', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ members: [anna] });
    let question: At = { chat, id: 0 };
    harness.answers(() => {
      telegram.remove(question);
      return warning('no');
    });
    question = telegram.say({ chat, from: anna, text: '/premium' });
    expect((await harness.posts(chat))[0]?.replyTo).toBeUndefined();
  });

  test('a long answer takes several messages, the last with the buttons', async () => {
    const { anna, chat } = harness.privately();
    const items = Array.from({ length: 200 }, (_, index) => ({ line: [`holder ${index} holds ${'x'.repeat(30)}`] }));
    harness.answers(() => reply({ finding: ['Holders'], blocks: [{ kind: 'list', items }], actions: [{ label: 'More', line: '/help' }] }));
    telegram.say({ chat, from: anna, text: '/help' });
    await harness.posts(chat, 3);
    const all = telegram.posted(chat);
    expect(all).toHaveLength(3);
    expect(all.map(({ buttons }) => buttons.length)).toEqual([0, 0, 1]);
    expect(all.every(({ text }) => text.length <= 4_096)).toBe(true);
    expect(all.map(({ text }) => text).join('\n')).toContain('holder 199');
  });

  test('progress is one message that changes, not too often, and ends as the answer', async () => {
    const { anna, chat } = harness.privately();
    let turn: () => void = () => undefined;
    let paused: () => void = () => undefined;
    const pause = new Promise<void>((resolve) => (paused = resolve));
    harness.answers(async ({ progress }) => {
      await progress?.(reply({ finding: ['refreshing: 1 of 4'] }));
      await progress?.(reply({ finding: ['too soon after the last'] }));
      const turned = new Promise<void>((resolve) => (turn = resolve));
      paused();
      await turned;
      await progress?.(reply({ finding: ['refreshing: 3 of 4'] }));
      return reply({ finding: ['refreshed'], actions: [{ label: 'Flow', line: '/help' }] });
    });
    telegram.say({ chat, from: anna, text: '/help' });
    await pause;
    await harness.clock.advance(3 * SECOND);
    turn();
    await telegram.waitFor(() => telegram.edits(chat).length === 2);
    expect(telegram.edits(chat).map(({ before, after }) => [before.text, after.text])).toEqual([
      ['refreshing: 1 of 4', 'refreshing: 3 of 4'],
      ['refreshing: 3 of 4', 'refreshed'],
    ]);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'refreshed', buttons: [[{ text: 'Flow' }]] }]);
  });

  test('one slow question keeps nobody else waiting', async () => {
    const anna = telegram.person();
    const bert = telegram.person();
    const chat = telegram.group({ members: [anna, bert] });
    let finish: () => void = () => undefined;
    harness.answers(async ({ from }) => {
      if (from.id.endsWith(String(anna.id))) await new Promise<void>((resolve) => (finish = resolve));
      return reply({ finding: [from.name] });
    });
    telegram.say({ chat, from: anna, text: '/premium' });
    telegram.say({ chat, from: bert, text: '/premium' });
    expect((await harness.posts(chat))[0]?.text).toBe(bert.first_name);
    finish();
    expect((await harness.posts(chat, 2))[1]?.text).toBe(anna.first_name);
  });

  test('the group becomes a supergroup while the bot thinks: the answer follows it', async () => {
    const anna = telegram.person();
    const chat = telegram.group({ members: [anna] });
    let to = 0;
    harness.answers(() => {
      to = telegram.migrate(chat);
      return reply({ finding: ['here'] });
    });
    telegram.say({ chat, from: anna, text: '/premium' });
    await telegram.waitFor(() => to !== 0 && telegram.posted(to).length === 1);
    expect(harness.events).toContainEqual({ kind: 'moved', from: at(chat), to: at(to) });
  });

  test('an answer that meets a proxy in trouble is sent again; one that may stand is not', async () => {
    const { anna, chat } = harness.privately();
    telegram.fail({ fault: { kind: 'bad-gateway' }, method: 'sendMessage' });
    telegram.say({ chat, from: anna, text: 'one' });
    await harness.turnUntil(() => telegram.posted(chat).length === 1);
    telegram.fail({ fault: { kind: 'cut-after' }, method: 'sendMessage' });
    telegram.say({ chat, from: anna, text: 'two' });
    telegram.say({ chat, from: anna, text: 'three' });
    expect((await harness.posts(chat, 3)).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });
});

test('whoever asks faster than answers come is heard so far and no further', async () => {
  const { anna, chat } = harness.privately();
  const bert = telegram.person();
  let finish: () => void = () => undefined;
  const blocked = new Promise<void>((resolve) => (finish = resolve));
  harness.answers(async () => {
    await blocked;
    return reply({ finding: ['x'] });
  });
  for (let count = 0; count < 30; count += 1) telegram.say({ chat, from: anna, text: `/help ${count}` });
  telegram.say({ chat: telegram.privateChat(bert), from: bert, text: '/premium' });
  await telegram.waitFor(() => harness.lines().includes('/premium'));
  finish();
  // Ten answers, and the notice that not all can wait.
  await harness.posts(chat, 11);
  await harness.done();
  expect(harness.lines()).toHaveLength(11);
});

describe('who manages a chat', () => {
  /** What the next question's asker may do, as soon as it is asked. */
  const manages = async (ask: () => unknown): Promise<boolean> => {
    const before = harness.inbounds.length;
    const answer = new Promise<boolean>((resolve) =>
      harness.answers(async ({ from }) => {
        resolve(await from.manages());
        return reply({ finding: ['x'] });
      }),
    );
    ask();
    const result = await answer;
    await telegram.waitFor(() => harness.inbounds.length === before + 1);
    return result;
  };

  test('a private chat its owner, a group its administrators, asked once for several questions and again later', async () => {
    const { anna, chat } = harness.privately();
    expect(await manages(() => telegram.say({ chat, from: anna, text: '/watch' }))).toBe(true);
    const group = telegram.supergroup({ members: [anna] });
    const ask = () => telegram.say({ chat: group, from: anna, text: '/watch' });
    expect(await manages(ask)).toBe(false);
    telegram.makeAdmin(group, anna);
    expect(await manages(ask)).toBe(false);
    expect(telegram.calls('getChatMember')).toHaveLength(1);
    await harness.clock.advance(MINUTE);
    expect(await manages(ask)).toBe(true);
    expect(telegram.calls('getChatMember')).toHaveLength(2);
  });

  test('an anonymous administrator speaks as the group; another chat that speaks in it does not manage it', async () => {
    const anna = telegram.person();
    const group = telegram.supergroup({ members: [anna] });
    telegram.makeAdmin(group, anna, { anonymous: true });
    expect(await manages(() => telegram.say({ chat: group, from: anna, text: '/watch' }))).toBe(true);
    expect(harness.inbounds[0]).toMatchObject({ from: { id: `telegram/${group}` }, circles: [`telegram/chat/${group}`] });
    const raw = telegram.messages(group).find(({ by }) => by === 'person')?.raw;
    const speaker = { id: -1009, type: 'channel', title: 'Some channel' };
    expect(await manages(() => telegram.push({ message: { ...raw, message_id: 900, sender_chat: speaker } } as never))).toBe(false);
    expect(telegram.calls('getChatMember')).toEqual([]);
  });

  test('in a channel whoever posts; whoever presses is asked for', async () => {
    const anna = telegram.person();
    const bert = telegram.person();
    const chat = telegram.channel();
    telegram.setMember(chat, anna, 'administrator');
    telegram.setMember(chat, bert, 'member');
    await harness.platform.notifier.deliver(at(chat), {
      id: 'd',
      reply: reply({ finding: ['a mint'], actions: [{ label: 'Mute', line: '/watch' }] }),
    });
    const [message] = telegram.posted(chat);
    const press = (from: typeof anna) => manages(() => telegram.press({ message: message!, button: 'Mute', from }));
    expect(await press(anna)).toBe(true);
    expect(await press(bert)).toBe(false);
    expect(await manages(() => telegram.say({ chat, text: '/watch' }))).toBe(true);
  });

  test('what Telegram does not say is no', async () => {
    const anna = telegram.person();
    const group = telegram.supergroup({ members: [anna] });
    telegram.makeAdmin(group, anna);
    telegram.fail({ fault: { kind: 'bad-gateway' }, method: 'getChatMember' });
    expect(await manages(() => telegram.say({ chat: group, from: anna, text: '/watch' }))).toBe(false);
  });
});

describe('one person who asks without end', () => {
  test('in many groups leaves room for the first question of somebody else, and hears once that not all can wait', async () => {
    const limits = { token: { max: 2, per: SECOND }, chat: () => [] };
    const busy = await openHarness({ limits });
    try {
      await busy.listen();
      const many = busy.telegram.person({ first_name: 'Max' });
      const groups = Array.from({ length: 40 }, () => busy.telegram.supergroup({ bot: 'administrator', members: [many] }));
      for (const chat of groups) busy.telegram.say({ chat, from: many, text: '/premium tide' });
      await busy.done();
      const { anna, chat } = busy.privately();
      busy.telegram.say({ chat, from: anna, text: '/premium alder' });
      const asked = busy.clock.now();
      await busy.turnUntil(() => busy.telegram.posted(chat).length > 0);
      expect(busy.clock.now() - asked).toBeLessThanOrEqual(2 * SECOND);
      await busy.turnUntil(() => groups.filter((group) => busy.telegram.posted(group).length > 0).length >= 31);
      const texts = groups.flatMap((group) => busy.telegram.posted(group).map(({ text }) => text));
      expect(texts.filter((text) => text === '/premium tide')).toHaveLength(30);
      expect(texts.filter((text) => text.includes('Too many of your questions'))).toHaveLength(1);
    } finally {
      await busy.close();
    }
  });
});
