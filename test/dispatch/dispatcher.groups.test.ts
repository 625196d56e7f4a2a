/** Plain words in a group: what is addressed to the bot is answered, and what is meant for people is met with silence. */
import { describe, expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import type { Addressing, Inbound, Person } from '../../src/chat/inbound.js';
import { PlainWords, withReadings } from '../../src/dispatch/plain-words.js';
import { openAppHarness, type AppHarnessOptions } from '../support/app-harness.js';

const personOf = (id: number): Person => ({ id: `telegram/${id}`, name: `Person ${id}`, manages: async () => false });
const IN_GROUP = { chat: address('telegram', '-100'), from: personOf(1), circles: ['telegram/chat/-100', 'telegram/user/1'] };

async function openGroup(options: AppHarnessOptions = {}) {
  const app = await openAppHarness({ access: { open: true, listed: [], operators: [] }, ...options });
  const ask = async (line: string, more: Partial<Inbound>) => app.ask({ ...IN_GROUP, ask: { line }, ...more });
  return {
    ...app,
    reply: async (line: string, addressing: Addressing = 'reply to alert', more: Partial<Inbound> = {}) =>
      (await ask(line, { addressing, ...more })).reply,
    mention: async (line: string) => ask(line, { addressing: 'mention' }),
  };
}

describe('a reply to a message of the bot', () => {
  test.each([
    ['is tide cheap?', '/premium tide'],
    ["what's the runway of alder", '/treasury alder'],
    ['top discounts?', '/'],
  ])('is answered where it is a question: %s', async (words, line) => {
    const { reply } = await openGroup();
    const answered = await reply(words);
    expect(answered.audience).toBe('everyone');
    expect(JSON.stringify(answered.blocks.at(-1))).toContain(line);
  });

  test.each([
    'lol',
    'thanks',
    'gm',
    'nice',
    'tide is cheap now',
    'mute tide for a day',
    'watch alder',
    'tell us when tide drops below nav',
    'stop watching tide',
    'will tide pump',
    'should I sell?',
    'what do you guys think?',
    'did anyone see the game yesterday?',
    'alder',
    'why?',
    '1 month',
    'and alder?',
    'you are useless',
    'asdf qwer?',
    '/',
  ])('is met with silence otherwise: %s', async (words) => {
    const { reply } = await openGroup();
    expect(await reply(words)).toMatchObject({ audience: 'nobody', actions: [] });
  });

  test('costs no allowance, leaves no trace and is not refused where it is met with silence', async () => {
    const { reply, mention, active } = await openGroup({ limits: { person: 3, chat: 3 } });
    for (let times = 0; times < 5; times += 1) await reply('haha nice one');
    expect(active).toEqual([]);
    expect((await mention('is tide cheap')).text).toContain('TIDE trades');
  });

  test('is met with silence where the answer would be an error or the person may not ask', async () => {
    const spent = await openGroup({ limits: { person: 0, chat: 0 } });
    expect((await spent.reply('is tide cheap?')).audience).toBe('nobody');
    const closed = await openGroup({ access: { open: false, listed: ['telegram/user/1'], operators: [] } });
    expect((await closed.reply('is tide cheap?')).audience).toBe('everyone');
    const stranger = { from: personOf(2), circles: ['telegram/chat/-100', 'telegram/user/2'] };
    expect((await closed.reply('is tide cheap?', 'reply to alert', stranger)).audience).toBe('nobody');
  });
});

describe('a follow-up', () => {
  test.each(['and alder?', '1 month', 'why?'])('of the same person to an answer is answered: %s', async (words) => {
    const { reply, mention } = await openGroup();
    await mention('is tide cheap');
    expect((await reply(words, 'reply to answer')).audience).not.toBe('nobody');
  });

  test.each(['lol', 'ok', 'thanks', 'nice', 'I see', 'no way'])('is not what people say about an answer: %s', async (words) => {
    const { reply, mention } = await openGroup();
    await mention('is tide cheap');
    expect((await reply(words, 'reply to answer')).audience).toBe('nobody');
  });

  test('under an alert is meant for people', async () => {
    const { reply, mention } = await openGroup();
    await mention('is tide cheap');
    expect((await reply('and alder?', 'reply to alert')).audience).toBe('nobody');
  });

  test('is of the person who asked, and for ten minutes', async () => {
    const { reply, mention, clock } = await openGroup();
    await mention('is tide cheap');
    expect((await reply('1 month', 'reply to answer', { from: personOf(2) })).audience).toBe('nobody');
    await clock.advance(11 * 60_000);
    expect((await reply('1 month', 'reply to answer')).audience).toBe('nobody');
  });
});

describe('a mention', () => {
  test.each([
    ['gm', 'Hello!'],
    ['thanks', "You're welcome."],
    ['lol', 'I only know about ownership coins.'],
    ['you are useless', 'Sorry that I was no help.'],
  ])('with chatter gets one short line: %s', async (words, says) => {
    const { mention } = await openGroup();
    const { reply, text } = await mention(words);
    expect(text).toBe(says);
    expect(reply.actions).toEqual([]);
  });

  test('with a change proposes it, as in private', async () => {
    const { mention } = await openGroup();
    const { reply } = await mention('mute everything until tomorrow 9am');
    expect(reply.actions.map(({ label }) => label)).toEqual(['Mute', 'Cancel']);
  });
});

test('an inline query gets the questions of its sentence, and no change', async () => {
  const { registry, directory, watchlists, clock } = await openGroup();
  const words = new PlainWords({ registry, directory, watchlists, clock });
  const { readings } = withReadings(registry.catalogue, words);
  expect((await readings?.('is tide cheap', IN_GROUP.chat, 3))?.[0]).toBe('/premium tide');
  expect(await readings?.('mute tide for a day', IN_GROUP.chat, 3)).toEqual([]);
  expect(await readings?.('lol', IN_GROUP.chat, 3)).not.toContain('/watch tide');
});
