/** Plain words on Discord: private chats, mentions and replies, as the gateway delivers them. */
import { afterEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import type { Inbound } from '../../../src/chat/inbound.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import { Intent, Permission, USUAL_BOT_PERMISSIONS } from '../../stand-ins/discord/flags.js';
import type { SaidWords } from '../../stand-ins/discord/channel-controls.js';
import type { Id, Seen } from '../../stand-ins/discord/types.js';
import { openHarness, textOf, type DiscordHarness, type DiscordHarnessOptions } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => harness.close());

const asLine = ({ ask }: Inbound): string => ('line' in ask ? ask.line : ask.command);
const asked = () => harness.inbounds.map((inbound) => [asLine(inbound), inbound.addressing]);

async function open(options: DiscordHarnessOptions = {}) {
  harness = await openHarness({ mentions: true, ...options });
  await harness.connect();
  const { controls, applicationId } = harness.discord;
  const name = `<@${applicationId}>`;
  const say = (content: string, more: Partial<SaidWords> = {}): Id =>
    controls.say({ channel: harness.channel, user: harness.anna, content, ...more });
  return {
    controls,
    name,
    say,
    direct: () => controls.openDirect(harness.anna),
    posts: async (channel: Id, count = 1): Promise<readonly Seen[]> =>
      controls.waitFor(() => {
        const posts = controls.messages(channel).filter(({ author }) => author === applicationId);
        return posts.length >= count && posts;
      }),
    /** Everything that was said before was handled when a command behind it is answered. */
    settled: async () => controls.slash({ channel: harness.channel, user: harness.anna, command: 'status' }).reply(),
  };
}

describe('a private chat', () => {
  test('is read without a setting and without a privileged intent, and slash commands work there as before', async () => {
    const { say, direct, posts, controls } = await open({ mentions: false });
    const channel = direct();
    const id = say('is tide cheap?', { channel });
    const [answer] = await posts(channel);
    expect(asked()).toEqual([['is tide cheap?', undefined]]);
    expect(answer).toMatchObject({ content: '**is tide cheap?**', repliesTo: id, pings: { quiet: true } });
    expect(controls.gateway.intents()).toBe(Intent.GUILDS | Intent.DIRECT_MESSAGES);
    const slash = controls.slash({ channel, user: harness.anna, command: 'premium', options: { project: 'tide' } });
    expect(textOf(await slash.reply())).toContain('premium');
  });

  test('a file goes along with the words, and alone is asked about', async () => {
    const { say, direct, posts, controls } = await open();
    const channel = direct();
    const file = controls.addFile({ name: 'list.txt', bytes: Buffer.from('a') });
    say('/import look', { channel, files: [file] });
    await posts(channel);
    expect(harness.inbounds[0]?.files).toMatchObject([{ name: 'list.txt', size: 1 }]);
    say('', { channel, files: [file] });
    const [, hint] = await posts(channel, 2);
    expect(hint?.content).toContain('/import');
    expect(harness.inbounds).toHaveLength(1);
  });

  test('the person manages it, and follow-ups are answered in their order', async () => {
    const { say, direct, posts } = await open();
    const channel = direct();
    for (const words of ['is tide cheap?', 'and alder?', '1 month']) say(words, { channel });
    const answers = await posts(channel, 3);
    expect(answers.map(({ content }) => content)).toEqual(['**is tide cheap?**', '**and alder?**', '**1 month**']);
    expect(await harness.inbounds[0]?.from.manages()).toBe(true);
  });
});

describe('a mention', () => {
  test('is not read without the setting, which is off at first', async () => {
    const { say, name, settled } = await open({ mentions: false });
    say(`${name} is tide cheap?`);
    await settled();
    expect(asked()).toEqual([['status', undefined]]);
  });

  test('is answered where it stands, as a reply that pings nobody', async () => {
    const { say, name, posts, controls } = await open();
    const id = say(`hey ${name}, is tide cheap?`);
    const [answer] = await posts(harness.channel);
    expect(asked()).toEqual([['hey is tide cheap?', 'mention']]);
    expect(answer).toMatchObject({ repliesTo: id, pings: { quiet: true } });
    expect(controls.gateway.intents()).toBe(Intent.GUILDS | Intent.DIRECT_MESSAGES | Intent.GUILD_MESSAGES);
  });

  test('is not: gossip, a role, everybody, code, other bots, webhooks, and what is edited', async () => {
    const { say, name, controls, settled } = await open();
    const bot = controls.addUser({ name: 'otto', isBot: true });
    const role = controls.addRole({ guild: harness.guild, mentionable: true });
    say('gossip about tide');
    say(`<@&${role}> is tide cheap?`);
    say(`@everyone ask ${name} about tide`);
    say(`try \`${name} is tide cheap?\``);
    say(`${name} is tide cheap?`, { user: bot });
    say(`${name} is tide cheap?`, { byWebhook: true });
    controls.rewrite(say('is tide cheap?'), `${name} is tide cheap?`);
    await settled();
    expect(asked()).toEqual([['status', undefined]]);
  });

  test('alone asks for help', async () => {
    const { say, name, posts } = await open();
    say(name);
    await posts(harness.channel);
    expect(asked()).toEqual([['/help', 'mention']]);
  });

  test('where the bot may not post is met with silence, one line in the log, and no question', async () => {
    const { say, name, controls, settled, posts } = await open();
    controls.setPermission({ channel: harness.channel, target: 'bot', deny: Permission.SEND_MESSAGES });
    say(`${name} is tide cheap?`);
    say(`${name} is alder cheap?`);
    await harness.logged('discord.mention-not-answered');
    await settled();
    expect(asked()).toEqual([['status', undefined]]);
    expect(harness.lines.filter(({ event }) => event === 'discord.mention-not-answered')).toHaveLength(1);
    controls.setPermission({ channel: harness.channel, target: 'bot', inherit: Permission.SEND_MESSAGES });
    say(`${name} is tide cheap?`);
    await posts(harness.channel);
  });

  test('is answered without referring to it where the history may not be read', async () => {
    const { say, name, controls, posts } = await open();
    controls.setBotPermissions(harness.guild, USUAL_BOT_PERMISSIONS & ~Permission.READ_MESSAGE_HISTORY);
    say(`${name} is tide cheap?`);
    expect((await posts(harness.channel))[0]?.repliesTo).toBeUndefined();
  });

  test('a typed command needs the rights of whoever types it', async () => {
    const { say, name, controls, posts } = await open();
    const role = controls.addRole({ guild: harness.guild, permissions: Permission.MANAGE_CHANNELS });
    const mona = controls.addUser({ name: 'mona' });
    controls.addMember({ guild: harness.guild, user: mona, roles: [role] });
    say(`${name} /watch tide`);
    await posts(harness.channel);
    say(`${name} /watch tide`, { user: mona });
    await posts(harness.channel, 2);
    expect(await Promise.all(harness.inbounds.map(async ({ from }) => from.manages()))).toEqual([false, true]);
    expect(harness.inbounds[1]?.circles).toEqual([
      `discord/guild/${harness.guild}`,
      `discord/channel/${harness.channel}`,
      `discord/user/${mona}`,
    ]);
  });

  test('that the gateway repeats is answered once', async () => {
    const { say, name, controls, posts, settled } = await open();
    say(`${name} is tide cheap?`);
    await posts(harness.channel);
    controls.gateway.repeat(3);
    await settled();
    expect(asked()).toEqual([
      ['is tide cheap?', 'mention'],
      ['status', undefined],
    ]);
  });

  test('a crowd that mentions the bot delays nobody in private', async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const answer = async ({ addressing, from: { name: who } }: Inbound): Promise<Reply> => {
      if (addressing !== undefined) await held;
      return reply({ finding: [`for ${who}`] });
    };
    const { say, name, direct, posts, controls } = await open({ answer });
    for (let number = 0; number < 60; number += 1) say(`${name} is tide cheap?`, { user: controls.addUser({ name: `user${number}` }) });
    say('is tide cheap?', { channel: direct() });
    expect((await posts(direct())).map(({ content }) => content)).toEqual(['**for anna**']);
    finish();
    await posts(harness.channel, 30);
    expect(harness.inbounds).toHaveLength(31);
  });

  test('that takes long shows that the bot is typing', async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const { say, name, posts } = await open({ answer: async () => held.then(() => reply({ finding: ['done'] })) });
    say(`${name} is tide cheap?`);
    await harness.received(1);
    await harness.clock.advance(2 * SECOND);
    await harness.discord.transcript.waitForCall(({ path }) => path.endsWith('/typing'));
    finish();
    expect((await posts(harness.channel))[0]?.content).toBe('**done**');
  });
});

describe('a reply to the bot', () => {
  const quiet = async ({ addressing, ask }: Inbound): Promise<Reply> =>
    reply({ finding: ['line' in ask ? ask.line : ask.command], audience: addressing === 'reply to alert' ? 'nobody' : 'everyone' });

  test('by its ping is overheard: an answer may be followed up, and what is for nobody is not sent', async () => {
    const { say, name, posts, settled } = await open({ answer: quiet });
    say(`${name} is tide cheap?`);
    const [answer] = await posts(harness.channel);
    const sent = await harness.platform.notifier.deliver(`discord/${harness.channel}` as never, {
      id: 'd1',
      reply: reply({ finding: ['A mint'] }),
    });
    if (answer === undefined || sent.kind !== 'sent') throw new Error('nothing was posted');
    say('lol', { replyTo: sent.messageId });
    say('and alder?', { replyTo: answer.id });
    await posts(harness.channel, 3);
    await settled();
    expect(asked().slice(1, 3)).toEqual([
      ['lol', 'reply to alert'],
      ['and alder?', 'reply to answer'],
    ]);
    expect((await posts(harness.channel, 3)).map(({ content }) => content)).toEqual(['**is tide cheap?**', '**A mint**', '**and alder?**']);
  });

  test('to the answer of a slash command is a reply to an answer', async () => {
    const { say, controls, posts } = await open();
    const answer = await controls
      .slash({ channel: harness.channel, user: harness.anna, command: 'premium', options: { project: 'tide' } })
      .reply();
    say('and alder?', { replyTo: answer.id });
    await posts(harness.channel, 2);
    expect(asked().at(-1)).toEqual(['and alder?', 'reply to answer']);
  });

  test('without a ping carries no words, and is met with silence', async () => {
    const { say, name, posts, settled } = await open();
    say(`${name} is tide cheap?`);
    const [answer] = await posts(harness.channel);
    say('and alder?', { replyTo: answer?.id ?? '', ping: false });
    await settled();
    expect(asked().map(([line]) => line)).toEqual(['is tide cheap?', 'status']);
  });
});

test('buttons under an answer work for everybody with their own rights, and change the message only for whoever asked', async () => {
  const answer = async ({ ask }: Inbound): Promise<Reply> =>
    reply({ finding: ['line' in ask ? ask.line : ask.command], actions: [{ label: '1M', line: '/premium tide 1M' }] });
  const { say, name, posts, controls } = await open({ answer });
  say(`${name} is tide cheap?`);
  const [message] = await posts(harness.channel);
  const id = message?.id ?? '';
  const bob = controls.addUser({ name: 'bob' });
  const other = await controls.press({ message: id, user: bob, button: '1M' }).reply();
  expect(other.id).not.toBe(id);
  const own = await controls.press({ message: id, user: harness.anna, button: '1M' }).reply();
  expect(own).toMatchObject({ id, content: '**/premium tide 1M**' });
  expect(harness.inbounds.slice(1).map(({ from }) => from.name)).toEqual(['bob', 'anna']);
});
