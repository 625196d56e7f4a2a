import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import { StoreError } from '../../../src/store/store.js';
import { openFillingStore } from './filling-store.js';
import { at, catalogueOf, COMMANDS, openHarness, stopped, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
const open = async (...needs: Parameters<typeof openHarness>) => {
  harness = await openHarness(...needs);
  ({ telegram } = harness);
};
beforeEach(async () => open());
afterEach(async () => harness.close());

const says = async () => (await harness.platform.notifier.diagnose()).says;
const troubles = () => harness.log.flatMap(({ event, fields }) => (event === 'telegram.trouble' ? [JSON.stringify(fields)] : []));

describe('the connection', () => {
  test('listens only to what it handles, and says who it is', async () => {
    expect(await harness.platform.notifier.diagnose()).toEqual({ ok: false, says: 'not connected yet' });
    await harness.listen();
    expect(await harness.platform.notifier.diagnose()).toEqual({
      ok: true,
      says: 'connected as @navwatch_bot; privacy mode is on, so mentions in groups do not reach it',
    });
    expect(telegram.calls('getUpdates')[0]?.params).toMatchObject({
      timeout: 25,
      allowed_updates: ['message', 'channel_post', 'callback_query', 'inline_query', 'my_chat_member'],
    });
  });

  test('a token that is refused is said once, with the remedy, and tried again', async () => {
    telegram.fail({ fault: { kind: 'refuse', code: 401, description: 'Unauthorized' }, method: 'getMe', times: 3 });
    harness.platform.start();
    for (const tries of [1, 2, 3]) {
      await telegram.waitFor(() => telegram.calls('getMe').length >= tries && telegram.calls('getMe').at(-1)?.answer);
      await harness.turnUntil(() => telegram.calls('getMe').length > tries);
    }
    await telegram.waitFor(() => telegram.polling);
    expect(troubles()).toEqual([expect.stringMatching(/refuses TELEGRAM_TOKEN; get a new one from @BotFather/u)]);
    expect(await says()).toMatch(/connected/u);
  });

  test('a second program with the same token is said clearly, and polling goes on when it has ended', async () => {
    await harness.listen();
    const other = await harness.again();
    await other.listen();
    await harness.turnUntil(() => harness.log.some(({ event }) => event === 'telegram.trouble'));
    expect(await says()).toMatch(/another program polls with the same TELEGRAM_TOKEN/u);
    await other.platform.stop();
    const { anna: from, chat } = harness.privately();
    telegram.say({ from, chat, text: '/help' });
    await harness.turnUntil(() => harness.lines().length + other.lines().length > 0);
    await harness.turnUntil(() => harness.log.some(({ event }) => event === 'telegram.connected') && telegram.polling);
    expect(troubles()).toHaveLength(1);
  });

  test('a platform that is out of reach for a while is come back to, and said once', async () => {
    await harness.listen();
    const mend = telegram.fail({ fault: { kind: 'bad-gateway' }, method: 'getUpdates', times: 'always' });
    await harness.turnUntil(() => troubles().length > 0);
    await harness.clock.advance(5 * MINUTE);
    expect(await says()).toBe('Telegram cannot be reached');
    mend();
    const { anna: from, chat } = harness.privately();
    telegram.say({ from, chat, text: '/help' });
    await harness.turnUntil(() => telegram.posted(chat).length === 1);
    expect(troubles()).toHaveLength(1);
    expect(telegram.calls('getUpdates').length).toBeLessThan(30);
  });

  test('an update of a shape nobody knows is skipped, and the next one heard', async () => {
    await harness.listen();
    const { anna: from, chat } = harness.privately();
    telegram.push({ message: { message_id: 'seven', chat: 3 } } as never);
    telegram.push({ callback_query: null } as never);
    telegram.push({ poll: { id: '1' } } as never);
    telegram.say({ from, chat, text: '/help' });
    await telegram.waitFor(() => telegram.posted(chat).length === 1);
    expect(harness.log.filter(({ event }) => event === 'telegram.update-unreadable')).toHaveLength(2);
  });

  test('stopping ends the poll at once, finishes what is in hand, and may be asked for twice', async () => {
    await harness.listen();
    const { anna: from, chat } = harness.privately();
    let finish: () => void = () => undefined;
    harness.answers(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return reply({ finding: ['done'] });
    });
    telegram.say({ from, chat, text: '/help' });
    await telegram.waitFor(() => harness.inbounds.length === 1);
    const both = Promise.all([harness.platform.stop(), harness.platform.stop()]);
    await telegram.waitFor(() => !telegram.polling);
    finish();
    await both;
    expect(telegram.posted(chat)).toHaveLength(1);
    expect(telegram.polling).toBe(false);
  });

  test('stopping before it began, or while it waits to log in, ends too', async () => {
    telegram.fail({ fault: { kind: 'bad-gateway' }, method: 'getMe', times: 'always' });
    harness.platform.start();
    await telegram.waitFor(() => telegram.calls('getMe').length === 1);
    await harness.platform.stop();
    const never = await harness.again();
    await never.platform.stop();
    expect(telegram.calls('getUpdates')).toEqual([]);
  });
});

describe('what was asked is neither lost nor repeated for ever', () => {
  const hang = async () => new Promise<never>(() => undefined);

  test('a question in hand at the end is answered after the next start', async () => {
    await harness.listen();
    const { anna: from, chat } = harness.privately();
    harness.answers(hang);
    telegram.say({ from, chat, text: '/premium tide' });
    await telegram.waitFor(() => harness.inbounds.length === 1);
    await stopped(harness.platform, harness.clock);
    const next = await harness.again();
    await next.listen();
    await telegram.waitFor(() => telegram.posted(chat).length === 1);
    expect(next.lines()).toEqual(['/premium tide']);
    await stopped(next.platform, harness.clock);
    const third = await harness.again();
    await third.listen();
    await harness.done();
    expect(third.lines()).toEqual([]);
  });

  test('one that never ends is begun twice, and then given up, which is said once', async () => {
    const { anna: from, chat } = harness.privately();
    telegram.say({ from, chat, text: '/poison' });
    for (const round of [1, 2]) {
      const one = await harness.again();
      one.answers(hang);
      await one.listen();
      await telegram.waitFor(() => one.inbounds.length === 1);
      expect(round).toBe(round);
      await stopped(one.platform, harness.clock);
    }
    const third = await harness.again();
    await third.listen();
    telegram.say({ from, chat, text: '/help' });
    await telegram.waitFor(() => telegram.posted(chat).length === 2);
    expect(third.lines()).toEqual(['/help']);
    expect(third.log.map(({ event }) => event)).toContain('telegram.question-given-up');
    const [givenUp] = telegram.posted(chat);
    expect(givenUp).toMatchObject({ text: '⚠ I failed twice to answer "/poison". Ask again, or ask for less.' });
    await stopped(third.platform, harness.clock);
    const fourth = await harness.again();
    await fourth.listen();
    await harness.done();
    expect(fourth.lines()).not.toContain('/poison');
    expect(telegram.posted(chat).filter(({ text }) => text === givenUp?.text)).toHaveLength(1);
  });

  test('one that waited behind it is answered', async () => {
    const { anna: from, chat } = harness.privately();
    for (const text of ['/poison', '/premium tide']) telegram.say({ from, chat, text });
    for (let round = 0; round < 2; round += 1) {
      const one = await harness.again();
      one.answers(hang);
      await one.listen();
      await telegram.waitFor(() => one.inbounds.length === 1);
      await stopped(one.platform, harness.clock);
    }
    const third = await harness.again();
    await third.listen();
    await telegram.waitFor(() => telegram.posted(chat).length === 2);
    expect(third.lines()).toEqual(['/premium tide']);
  });

  test('an update that Telegram hands out again is done once', async () => {
    await harness.listen();
    const { anna: from, chat } = harness.privately();
    // The poll that would confirm it never gets through.
    const mend = telegram.fail({ fault: { kind: 'cut-before' }, method: 'getUpdates', times: 'always' });
    telegram.say({ from, chat, text: '/help' });
    await telegram.waitFor(() => telegram.posted(chat).length === 1);
    await harness.platform.stop();
    expect(telegram.pending).toHaveLength(1);
    mend();
    const next = await harness.again();
    await next.listen();
    await harness.done();
    expect(next.lines()).toEqual([]);
  });

  test('what cannot be kept is not confirmed to Telegram, and comes again', async () => {
    await harness.close();
    const { store, fill } = await openFillingStore();
    await open({ store });
    await harness.listen();
    await telegram.waitFor(() => telegram.calls('setMyShortDescription').length === 1);
    fill(true);
    const { anna: from, chat } = harness.privately();
    telegram.say({ from, chat, text: '/help' });
    await harness.turnUntil(() => troubles().length > 0);
    expect(await says()).toMatch(/store/u);
    expect(telegram.pending).toHaveLength(1);
    fill(false);
    await harness.turnUntil(() => telegram.posted(chat).length === 1);
    expect(harness.lines()).toEqual(['/help']);
  });
});

describe('what becomes of chats', () => {
  test('kicked and back, blocked and unblocked', async () => {
    await harness.listen();
    const group = telegram.group();
    const { anna, chat } = harness.privately();
    const channel = telegram.channel({ title: 'News', owner: anna });
    for (const one of [group, channel]) telegram.kickBot(one);
    telegram.blockBot(chat);
    for (const one of [group, channel]) telegram.addBot(one);
    telegram.unblockBot(chat);
    await telegram.waitFor(() => harness.events.length === 8);
    expect(harness.events).toEqual([
      { kind: 'gone', chat: at(group), because: 'the bot was removed from the chat' },
      { kind: 'gone', chat: at(channel), because: 'the bot was removed from the chat' },
      { kind: 'gone', chat: at(chat), because: 'this person blocked the bot' },
      { kind: 'back', chat: at(group) },
      { kind: 'joined', chat: at(group) },
      { kind: 'back', chat: at(channel) },
      {
        kind: 'joined',
        chat: at(channel),
        adder: { chat: at(chat), circle: `telegram/user/${anna.id}`, channel: String(channel), name: 'News' },
      },
      { kind: 'back', chat: at(chat) },
    ]);
  });

  test('a channel where it may not post is not "back"; a topic that is reopened is', async () => {
    await harness.listen();
    const channel = telegram.channel();
    telegram.setBot(channel, 'administrator', { can_post_messages: false });
    const forum = telegram.supergroup({ forum: true });
    const topic = telegram.topic(forum);
    telegram.closeTopic(forum, topic);
    telegram.reopenTopic(forum, topic);
    await telegram.waitFor(() => harness.events.length > 0);
    await harness.done();
    expect(harness.events).toEqual([{ kind: 'back', chat: at(forum, topic) }]);
  });

  test('a group that becomes a supergroup is alerted from both of its messages', async () => {
    await harness.listen();
    const group = telegram.group();
    const to = telegram.migrate(group);
    await telegram.waitFor(() => harness.events.length === 5);
    const back = { kind: 'back', chat: at(to) };
    const both = [{ kind: 'moved', from: at(group), to: at(to) }, back];
    expect(harness.events).toEqual([back, ...both, ...both]);
  });

  test('events that could not be taken is alerted again, after a restart too', async () => {
    await harness.close();
    let refuses = true;
    const alerted: unknown[] = [];
    await open({
      onChatEvent: async (events) => {
        if (refuses) throw new StoreError('locked', 'store: it is locked');
        alerted.push(events);
      },
    });
    await harness.listen();
    const group = telegram.group();
    telegram.kickBot(group);
    await telegram.waitFor(() => harness.log.some(({ event }) => event === 'telegram.not-handled'));
    await harness.platform.stop();
    const next = await harness.again();
    refuses = false;
    await next.listen();
    await telegram.waitFor(() => alerted.length === 1);
    expect(alerted).toEqual([{ kind: 'gone', chat: at(group), because: 'the bot was removed from the chat' }]);
  });
});

describe('the menus', () => {
  const sets = () => telegram.calls('setMyCommands');

  test('each scope sees what it can use; they are set once, and only what changed is set again', async () => {
    await harness.listen();
    await telegram.waitFor(() => sets().length === 3);
    const { anna: from, chat } = harness.privately();
    const group = telegram.supergroup({ members: [from] });
    const seen = (where: number) => telegram.menu(where, from).map(({ command }) => command);
    expect(seen(chat)).toEqual(['premium', 'treasury', 'watch', 'help']);
    expect(seen(group)).toEqual(['premium', 'treasury', 'help']);
    telegram.makeAdmin(group, from);
    expect(seen(group)).toEqual(['premium', 'treasury', 'watch', 'help']);
    await harness.platform.stop();
    const same = await harness.again();
    await same.listen();
    await same.platform.stop();
    expect(sets()).toHaveLength(3);
    const [first, ...rest] = COMMANDS;
    const mute = { ...first!, name: 'mute', group: 'watching' as const };
    const changed = await harness.again({ catalogue: catalogueOf([first!, ...rest, mute]) });
    await changed.listen();
    await telegram.waitFor(() => sets().length === 5);
    expect(
      sets()
        .slice(3)
        .map(({ params }) => params['scope']),
    ).toEqual([{ type: 'all_private_chats' }, { type: 'all_chat_administrators' }]);
  });

  test('so are the descriptions and the menu button, within the limits of Telegram', async () => {
    const profile = ['setMyDescription', 'setMyShortDescription', 'setChatMenuButton'];
    const set = () => profile.map((method) => telegram.calls(method).filter(({ answer }) => answer?.ok === true).length);
    await harness.listen();
    await telegram.waitFor(() => set().every((count) => count === 1));
    await harness.platform.stop();
    const same = await harness.again();
    await same.listen();
    await harness.done();
    await same.platform.stop();
    expect(set()).toEqual([1, 1, 1]);
    expect(telegram.calls('setChatMenuButton')[0]?.params).toEqual({ menu_button: { type: 'commands' } });
    const { description } = telegram.calls('setMyDescription')[0]!.params;
    const { short_description: short } = telegram.calls('setMyShortDescription')[0]!.params;
    expect([String(description).length, String(short).length].map((length) => length > 40)).toEqual([true, true]);
  });

  test('a menu that is refused keeps nothing else from working, and is tried again', async () => {
    telegram.fail({ fault: { kind: 'refuse', code: 400, description: 'Bad Request: BOT_COMMAND_INVALID' }, method: 'setMyCommands' });
    await harness.listen();
    const { anna: from, chat } = harness.privately();
    telegram.say({ from, chat, text: '/help' });
    await telegram.waitFor(() => telegram.posted(chat).length === 1);
    await harness.clock.advance(10 * MINUTE);
    await telegram.waitFor(() => sets().length === 4);
    expect(harness.log.filter(({ event }) => event === 'telegram.profile-not-set')).toHaveLength(1);
  });

  test('a name that no menu can hold is left out, a summary is cut', async () => {
    await harness.close();
    const odd = { ...COMMANDS[0]!, name: 'not-a-name' };
    const long = { ...COMMANDS[0]!, summary: 'x'.repeat(1_000) };
    await open({ catalogue: catalogueOf([odd, long]) });
    await harness.listen();
    await telegram.waitFor(() => sets().length === 3 && sets().every(({ answer }) => answer?.ok));
    const { anna: from, chat } = harness.privately();
    expect(telegram.menu(chat, from).map(({ command, description }) => [command, description.length])).toEqual([['premium', 256]]);
  });
});
