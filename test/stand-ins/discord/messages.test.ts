import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.js';
import { handClock } from '../../support/clock.js';
import { ask, refuseBreaches, type Spoken, type Wanted } from './caller.js';
import { Permission, USUAL_BOT_PERMISSIONS } from './flags.js';
import { startDiscord } from './start.js';
import type { DiscordStandIn, Id } from './types.js';

const clock = handClock();
let discord: DiscordStandIn;
let guild: Id;
let channel: Id;

beforeEach(async () => {
  discord = await startDiscord({ token: 'planted', clock, uploadBytes: 1000 });
  guild = discord.controls.addGuild();
  channel = discord.controls.addChannel({ guild });
});
afterEach(async () => {
  await discord.close();
  refuseBreaches(discord);
});

const post = async (body: unknown, { into = channel, ...more }: Wanted & { into?: Id } = {}): Promise<Spoken> =>
  ask(discord, `POST /channels/${into}/messages`, { body, ...more });
const idOf = ({ body }: Spoken): Id => (body as { readonly id: Id }).id;
const refused = (code: number) => ({ body: { code } });
/** The codes of all flaws, by the path to each. */
function flaws({ body }: Spoken): Record<string, string> {
  const walk = (node: object, path: string): [string, string][] =>
    Object.entries(node).flatMap(([key, inner]): [string, string][] =>
      key === '_errors'
        ? (inner as readonly { readonly code: string }[]).map(({ code }) => [path, code])
        : walk(inner as object, path === '' ? key : `${path}.${key}`),
    );
  return Object.fromEntries(walk((body as { readonly errors?: object }).errors ?? {}, ''));
}

describe('what a message may say', () => {
  test('carries the flags that a bot may set, and no other', async () => {
    expect(await post({ content: 'x', flags: 4096 })).toMatchObject({ status: 200, body: { flags: 4096 } });
    expect(flaws(await post({ content: 'x', flags: 4096 | 64 }))).toEqual({ flags: 'BASE_TYPE_CHOICES' });
  });

  test('content of 2,000 stands and one more is refused', async () => {
    expect(await post({ content: 'x'.repeat(2000) })).toMatchObject({ status: 200, body: { content: 'x'.repeat(2000) } });
    const answer = await post({ content: 'x'.repeat(2001) });
    expect(answer).toMatchObject({ status: 400, body: { code: 50035, message: 'Invalid Form Body' } });
    expect(flaws(answer)).toEqual({ content: 'BASE_TYPE_MAX_LENGTH' });
    expect(discord.controls.messages(channel)).toHaveLength(1);
  });
  test('a message with nothing to show is refused', async () => {
    for (const body of [{}, { content: '' }, { content: ' \n ' }, { embeds: [] }, { embeds: [{ color: 7 }] }])
      expect(await post(body)).toMatchObject({ status: 400, ...refused(50006) });
  });
  test.each([
    ['a title of 257', { title: 'x'.repeat(257) }, 'embeds.0.title', 'BASE_TYPE_MAX_LENGTH'],
    ['a description of 4,097', { description: 'x'.repeat(4097) }, 'embeds.0.description', 'BASE_TYPE_MAX_LENGTH'],
    ['a field without a value', { fields: [{ name: 'a', value: ' ' }] }, 'embeds.0.fields.0.value', 'BASE_TYPE_REQUIRED'],
    ['a field name of 257', { fields: [{ name: 'x'.repeat(257), value: 'b' }] }, 'embeds.0.fields.0.name', 'BASE_TYPE_MAX_LENGTH'],
    ['a field value of 1,025', { fields: [{ name: 'a', value: 'x'.repeat(1025) }] }, 'embeds.0.fields.0.value', 'BASE_TYPE_MAX_LENGTH'],
    ['26 fields', { fields: Array.from({ length: 26 }, () => ({ name: 'a', value: 'b' })) }, 'embeds.0.fields', 'BASE_TYPE_MAX_LENGTH'],
    ['a footer of 2,049', { title: 'a', footer: { text: 'x'.repeat(2049) } }, 'embeds.0.footer.text', 'BASE_TYPE_MAX_LENGTH'],
    ['an author of 257', { title: 'a', author: { name: 'x'.repeat(257) } }, 'embeds.0.author.name', 'BASE_TYPE_MAX_LENGTH'],
    ['a script for a link', { title: 'a', url: 'javascript:alert(1)' }, 'embeds.0.url', 'URL_TYPE_INVALID_SCHEME'],
  ])('an embed with %s is refused', async (_what, embed, path, code) => {
    const answer = await post({ embeds: [embed] });
    expect(answer.status).toBe(400);
    expect(flaws(answer)).toMatchObject({ [path]: code });
  });
  test('6,000 characters over all embeds stand and one more is refused', async () => {
    const embeds = [{ description: 'x'.repeat(4000) }, { title: 't', description: 'x'.repeat(1999) }];
    expect(await post({ embeds })).toMatchObject({ status: 200 });
    expect(flaws(await post({ embeds: [...embeds, { title: 'y' }] }))).toEqual({ embeds: 'MAX_EMBED_SIZE_EXCEEDED' });
  });
  test('a text is trimmed before it is measured', async () => {
    expect(await post({ embeds: [{ title: `  ${'x'.repeat(256)}` }] })).toMatchObject({
      status: 200,
      body: { embeds: [{ title: 'x'.repeat(256) }] },
    });
  });
  test('the eleventh embed is refused', async () => {
    const embeds = Array.from({ length: 11 }, () => ({ title: 'x' }));
    expect(flaws(await post({ embeds }))).toEqual({ embeds: 'BASE_TYPE_MAX_LENGTH' });
    expect((await post({ embeds: embeds.slice(1) })).status).toBe(200);
  });
  test('a body that is no JSON is refused', async () => {
    const answer = await fetch(`${discord.url}/v10/channels/${channel}/messages`, {
      method: 'POST',
      headers: { authorization: 'Bot planted' },
      body: '{"content":',
    });
    expect(await answer.json()).toMatchObject({ code: 50109 });
  });
});

describe('buttons and menus', () => {
  const button = (id: number) => ({ type: 2, style: 1, label: `b${id}`, custom_id: `b${id}` });
  const row = (...components: readonly object[]) => ({ type: 1, components });
  const menu = (options: number) => ({
    type: 3,
    custom_id: 'menu',
    options: Array.from({ length: options }, (_, at) => ({ label: `o${at}`, value: `v${at}` })),
  });
  const rows = (count: number) => Array.from({ length: count }, (_, at) => row(button(at)));
  const send = async (...components: readonly object[]): Promise<Spoken> => post({ content: 'pick', components });

  test('five rows of buttons and a menu of 25 stand as they were sent', async () => {
    expect((await send(...rows(4), row(menu(25)))).status).toBe(200);
    const [seen] = discord.controls.messages(channel);
    expect(seen?.rows).toHaveLength(5);
    expect(seen?.rows[4]?.[0]?.options).toHaveLength(25);
  });
  test.each([
    ['a sixth row', rows(6), 'components', 'BASE_TYPE_BAD_LENGTH'],
    ['a sixth button', [row(...Array.from({ length: 6 }, (_, at) => button(at)))], 'components.0.components', 'BASE_TYPE_MAX_LENGTH'],
    ['a 26th option', [row(menu(26))], 'components.0.components.0.options', 'BASE_TYPE_MAX_LENGTH'],
    ['a button beside a menu', [row(menu(1), button(1))], 'components.0', 'COMPONENT_LAYOUT_WIDTH_EXCEEDED'],
    ['an id of 101', [row({ ...button(1), custom_id: 'x'.repeat(101) })], 'components.0.components.0.custom_id', 'BASE_TYPE_MAX_LENGTH'],
    ['a label of 81', [row({ ...button(1), label: 'x'.repeat(81) })], 'components.0.components.0.label', 'BASE_TYPE_MAX_LENGTH'],
    ['one id twice', [row(button(1), button(1))], 'components.0.components.1.custom_id', 'COMPONENT_CUSTOM_ID_DUPLICATED'],
    ['no id', [row({ type: 2, style: 1, label: 'x' })], 'components.0.components.0.custom_id', 'BASE_TYPE_REQUIRED'],
    ['no label', [row({ type: 2, style: 1, custom_id: 'x' })], 'components.0.components.0.label', 'BASE_TYPE_REQUIRED'],
    ['a link without an address', [row({ type: 2, style: 5, label: 'x' })], 'components.0.components.0.url', 'BASE_TYPE_REQUIRED'],
    [
      'one value twice',
      [
        row({
          ...menu(1),
          options: [
            { label: 'a', value: 'v' },
            { label: 'b', value: 'v' },
          ],
        }),
      ],
      'components.0.components.0.options.1.value',
      'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    ],
    ['a button outside any row', [button(1)], 'components.0.type', 'UNION_TYPE_CHOICES'],
  ])('%s is refused', async (_what, components, path, code) => {
    const answer = await send(...components);
    expect(answer.status).toBe(400);
    expect(flaws(answer)).toMatchObject({ [path]: code });
  });
  test('buttons alone make no message', async () => {
    expect(await post({ components: [row(button(1))] })).toMatchObject({ status: 400, ...refused(50006) });
  });
});

describe('whom a message pings', () => {
  test('everyone, a role and a person, unless mentions are alerted to be read as nothing', async () => {
    const role = discord.controls.addRole({ guild });
    const anna = discord.controls.addUser();
    const content = `@everyone <@&${role}> <@${anna}>`;
    await post({ content });
    await post({ content, allowed_mentions: { parse: [] } });
    await post({ content, allowed_mentions: { parse: [], users: [anna] } });
    expect(discord.controls.messages(channel).map(({ pings }) => pings)).toEqual([
      { everyone: true, users: [anna], roles: [role], quiet: false },
      { everyone: false, users: [], roles: [], quiet: true },
      { everyone: false, users: [anna], roles: [], quiet: false },
    ]);
  });
  test('a role that is open to all, even by who may not mention everyone', async () => {
    discord.controls.setRolePermissions(guild, Permission.VIEW_CHANNEL);
    const [open, shut] = [true, false].map((mentionable) => discord.controls.addRole({ guild, mentionable }));
    await post({ content: `<@&${open}> <@&${shut}>` });
    expect(discord.controls.messages(channel)[0]?.pings.roles).toEqual([open]);
  });
  test('embeds ping nobody', async () => {
    await post({ embeds: [{ description: '@everyone' }] });
    expect(discord.controls.messages(channel)[0]?.pings.quiet).toBe(true);
  });
  test('all users and some users at once is a contradiction', async () => {
    const answer = await post({ content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } });
    expect(flaws(answer)).toEqual({ allowed_mentions: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' });
  });
});

describe('nonces', () => {
  const nonce = 'n'.repeat(25);
  test('an enforced one answers with the message that stands, other channels and files included', async () => {
    const first = await post({ content: 'one', nonce, enforce_nonce: true });
    const again = await post({ content: 'two', nonce, enforce_nonce: true }, { files: { 'a.png': new Uint8Array(3) } });
    const elsewhere = discord.controls.addChannel({ guild });
    expect(idOf(again)).toBe(idOf(first));
    expect(idOf(await post({ content: 'three', nonce, enforce_nonce: true }, { into: elsewhere }))).toBe(idOf(first));
    expect(discord.controls.everything().map(({ content }) => content)).toEqual(['one']);
  });
  test('one that is not enforced makes a second message', async () => {
    await post({ content: 'one', nonce });
    await post({ content: 'one', nonce });
    expect(discord.controls.messages(channel)).toHaveLength(2);
  });
  test('it is forgotten when its minutes are over', async () => {
    await post({ content: 'one', nonce, enforce_nonce: true });
    await clock.advance(5 * MINUTE);
    await post({ content: 'within', nonce, enforce_nonce: true });
    await clock.advance(1);
    await post({ content: 'beyond', nonce, enforce_nonce: true });
    expect(discord.controls.messages(channel).map(({ content }) => content)).toEqual(['one', 'beyond']);
  });
  test('what was deleted is not made again under it', async () => {
    const first = await post({ content: 'one', nonce, enforce_nonce: true });
    discord.controls.deleteMessage(idOf(first));
    expect(idOf(await post({ content: 'one', nonce, enforce_nonce: true }))).toBe(idOf(first));
    expect(discord.controls.messages(channel)).toEqual([]);
  });
  test('26 characters are refused', async () => {
    expect(flaws(await post({ content: 'x', nonce: `${nonce}n`, enforce_nonce: true }))).toMatchObject({ nonce: 'BASE_TYPE_MAX_LENGTH' });
  });
});

describe('files', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  test('one that an embed shows is its picture and can be fetched', async () => {
    const answer = await post(
      { embeds: [{ title: 'chart', image: { url: 'attachment://chart.png' } }] },
      { files: { 'chart.png': bytes } },
    );
    const url = (answer.body as { embeds: { image: { url: string } }[] }).embeds[0]?.image.url ?? '';
    expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
    expect(answer.body).toMatchObject({ attachments: [] });
    expect(discord.controls.messages(channel)[0]?.files).toMatchObject([{ name: 'chart.png', bytes: Buffer.from(bytes) }]);
  });
  test('files too large together are refused', async () => {
    const files = { 'a.png': new Uint8Array(600), 'b.png': new Uint8Array(600) };
    expect(await post({ content: 'x' }, { files })).toMatchObject({ status: 413, ...refused(40005) });
  });
  test('an attachment that was not sent is refused', async () => {
    const answer = await post({ content: 'x', attachments: [{ id: '1', filename: 'x' }] }, { files: { 'a.png': bytes } });
    expect(answer).toMatchObject({ status: 400, ...refused(50035) });
  });
  test('an edit that lists none takes them away; one that says nothing keeps them', async () => {
    const id = idOf(await post({ content: 'x' }, { files: { 'a.png': bytes } }));
    const edit = `PATCH /channels/${channel}/messages/${id}`;
    await ask(discord, edit, { body: { content: 'y' } });
    expect(discord.controls.message(id)).toMatchObject({ content: 'y', edits: 1, files: [{ name: 'a.png' }] });
    await ask(discord, edit, { body: { attachments: [] } });
    expect(discord.controls.message(id)?.files).toEqual([]);
  });
});

describe('edits, deletions and replies', () => {
  test('an edit that would leave nothing is refused, and pings nobody', async () => {
    const id = idOf(await post({ content: 'x' }));
    expect(await ask(discord, `PATCH /channels/${channel}/messages/${id}`, { body: { content: '' } })).toMatchObject(refused(50006));
    await ask(discord, `PATCH /channels/${channel}/messages/${id}`, { body: { content: '@everyone' } });
    expect(discord.controls.message(id)).toMatchObject({ content: '@everyone', pings: { quiet: true } });
  });
  test('what is gone, and what another wrote, cannot be changed', async () => {
    const id = idOf(await post({ content: 'x' }));
    const anna = discord.controls.addUser();
    const hers = discord.controls.say({ channel, user: anna, content: 'hi' });
    expect(await ask(discord, `PATCH /channels/${channel}/messages/${hers}`, { body: { content: 'y' } })).toMatchObject(refused(50005));
    expect(await ask(discord, `DELETE /channels/${channel}/messages/${hers}`)).toMatchObject(refused(50013));
    discord.controls.setBotPermissions(guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_MESSAGES);
    expect((await ask(discord, `DELETE /channels/${channel}/messages/${hers}`)).status).toBe(204);
    expect((await ask(discord, `DELETE /channels/${channel}/messages/${id}`)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        await ask(discord, `${method} /channels/${channel}/messages/${id}`, method === 'PATCH' ? { body: { content: 'y' } } : {}),
      ).toMatchObject({
        status: 404,
        ...refused(10008),
      });
  });
  test('a reply needs its message, unless it may do without', async () => {
    const id = idOf(await post({ content: 'x' }));
    const reply = (message_id: Id, fail_if_not_exists = true) => ({ content: 're', message_reference: { message_id, fail_if_not_exists } });
    expect(await post(reply(id))).toMatchObject({ status: 200, body: { type: 19, referenced_message: { id } } });
    expect(flaws(await post(reply('1')))).toEqual({ message_reference: 'REPLIES_UNKNOWN_MESSAGE' });
    expect((await post(reply('1', false))).status).toBe(200);
  });
});

describe('where the bot may write', () => {
  test('a wrong token is refused, and counts towards a ban', async () => {
    expect(await post({ content: 'x' }, { token: 'other' })).toMatchObject({ status: 401 });
    expect(discord.controls.invalidRequests()).toBe(1);
    await clock.advance(10 * MINUTE + 1);
    expect(discord.controls.invalidRequests()).toBe(0);
  });
  test('a channel that never was, one deleted, one hidden, and one of a server that threw it out', async () => {
    const hidden = discord.controls.addChannel({ guild });
    discord.controls.setPermission({ channel: hidden, target: 'everyone', deny: Permission.VIEW_CHANNEL });
    const deleted = discord.controls.addChannel({ guild });
    discord.controls.deleteChannel(deleted);
    expect(await post({ content: 'x' }, { into: '42' })).toMatchObject({ status: 404, ...refused(10003) });
    expect(await post({ content: 'x' }, { into: deleted })).toMatchObject({ status: 404, ...refused(10003) });
    expect(await post({ content: 'x' }, { into: hidden })).toMatchObject({ status: 403, ...refused(50001) });
    discord.controls.kick(guild);
    expect(await post({ content: 'x' })).toMatchObject({ status: 403, ...refused(50001) });
    expect(await ask(discord, `GET /guilds/${guild}`)).toMatchObject({ status: 404, ...refused(10004) });
    discord.controls.invite(guild);
    expect((await post({ content: 'x' })).status).toBe(200);
  });
  test('without Send Messages, Attach Files or Embed Links', async () => {
    const deny = (bits: bigint) => discord.controls.setPermission({ channel, target: 'bot', deny: bits, inherit: 0n });
    deny(Permission.EMBED_LINKS);
    expect(await post({ embeds: [{ title: 'x' }] })).toMatchObject({ status: 403, ...refused(50013) });
    // Beside a text the embed vanishes without a word.
    expect(await post({ content: 'text', embeds: [{ title: 'x' }] })).toMatchObject({ status: 200, body: { content: 'text', embeds: [] } });
    deny(Permission.ATTACH_FILES);
    expect(await post({ content: 'x' }, { files: { 'a.png': new Uint8Array(1) } })).toMatchObject({ status: 403, ...refused(50013) });
    deny(Permission.SEND_MESSAGES);
    expect(await post({ content: 'x' })).toMatchObject({ status: 403, ...refused(50013) });
    discord.controls.setPermission({ channel, target: 'bot', inherit: Permission.SEND_MESSAGES });
    expect((await post({ content: 'x' })).status).toBe(200);
  });
  test('what a role is denied a member may be allowed, and an administrator is denied nothing', async () => {
    const { controls } = discord;
    controls.setPermission({ channel, target: 'everyone', deny: Permission.SEND_MESSAGES });
    expect(await post({ content: 'x' })).toMatchObject(refused(50013));
    controls.setPermission({ channel, target: 'bot', allow: Permission.SEND_MESSAGES });
    expect((await post({ content: 'x' })).status).toBe(200);
    controls.setPermission({ channel, target: 'bot', deny: Permission.VIEW_CHANNEL });
    expect(controls.botPermissions(channel)).toBe(0n);
    controls.setBotPermissions(guild, Permission.ADMINISTRATOR);
    expect((await post({ content: 'x' })).status).toBe(200);
  });
  test('a forum and a category take no messages', async () => {
    for (const kind of ['forum', 'category'] as const)
      expect(await post({ content: 'x' }, { into: discord.controls.addChannel({ guild, kind }) })).toMatchObject({
        status: 400,
        ...refused(50008),
      });
  });
  test('a private chat of somebody who closed it', async () => {
    const anna = discord.controls.addUser({ closed: true });
    const direct = idOf(await ask(discord, 'POST /users/@me/channels', { body: { recipient_id: anna } }));
    expect(direct).toBe(discord.controls.openDirect(anna));
    expect(await post({ content: 'x' }, { into: direct })).toMatchObject({ status: 403, ...refused(50007) });
    discord.controls.closeDirect(anna, false);
    expect((await post({ content: 'x' }, { into: direct })).status).toBe(200);
  });
});

describe('reading back', () => {
  test('a page of messages is newest first, and needs the right to read the history', async () => {
    const ids = [];
    for (const content of ['a', 'b', 'c']) ids.push(idOf(await post({ content })));
    const read = async (query: string) =>
      ((await ask(discord, `GET /channels/${channel}/messages?${query}`)).body as { content: string }[]).map(({ content }) => content);
    expect(await read('limit=2')).toEqual(['c', 'b']);
    expect(await read(`before=${ids[2]}`)).toEqual(['b', 'a']);
    expect(await read(`after=${ids[0]}&limit=1`)).toEqual(['b']);
    discord.controls.setPermission({ channel, target: 'bot', deny: Permission.READ_MESSAGE_HISTORY });
    expect(await read('limit=2')).toEqual([]);
  });
  test('the bot, its servers, channels, roles and members are alerted within the contract', async () => {
    discord.controls.addThread({ parent: channel });
    const direct = discord.controls.openDirect(discord.controls.addUser());
    for (const path of [
      '/users/@me',
      '/users/@me/guilds',
      '/applications/@me',
      '/gateway/bot',
      `/guilds/${guild}`,
      `/guilds/${guild}/roles`,
      `/guilds/${guild}/channels`,
      `/guilds/${guild}/members/${discord.applicationId}`,
      `/channels/${channel}`,
      `/channels/${direct}`,
    ])
      expect(await ask(discord, `GET ${path}`)).toMatchObject({ status: 200 });
    expect(await ask(discord, 'GET /nothing')).toMatchObject({ status: 404, body: { code: 0 } });
  });
});
