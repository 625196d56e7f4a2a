import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { handClock } from '../../support/clock.js';
import { ask, refuseBreaches, type Spoken } from './caller.js';
import { Permission } from './flags.js';
import { startDiscord } from './start.js';
import type { DiscordStandIn, Id, Interaction } from './types.js';

const EPHEMERAL = 64;
const clock = handClock();
let discord: DiscordStandIn;
let guild: Id;
let channel: Id;
let anna: Id;

beforeEach(async () => {
  discord = await startDiscord({ token: 'planted', clock });
  guild = discord.controls.addGuild();
  channel = discord.controls.addChannel({ guild });
  anna = discord.controls.addUser({ name: 'anna' });
  const option = { type: 3, name: 'project', description: 'Which', autocomplete: true };
  const days = { type: 4, name: 'days', description: 'How many', min_value: 1, max_value: 30 };
  const view = { type: 3, name: 'view', description: 'What', choices: [{ name: 'All of it', value: 'all' }] };
  const body = [{ name: 'premium', description: 'Shows it', options: [option, days, view] }];
  await ask(discord, `PUT /applications/${discord.applicationId}/commands`, { body });
});
afterEach(async () => {
  await discord.close();
  refuseBreaches(discord);
});

const run = (options = {}): Interaction => discord.controls.slash({ channel, user: anna, command: 'premium', options });
const answer = async ({ id, token }: Interaction, type: number, data?: object): Promise<Spoken> =>
  ask(discord, `POST /interactions/${id}/${token}/callback?with_response=true`, { body: { type, ...(data && { data }) } });
const hook = async (method: string, { token }: Interaction, where = '', body?: object): Promise<Spoken> =>
  ask(discord, `${method} /webhooks/${discord.applicationId}/${token}${where}`, body ? { body } : {});
const ORIGINAL = '/messages/@original';
const refused = (status: number, code: number) => ({ status, body: { code } });

describe('the first answer', () => {
  test('a reply is seen at once, by all or by the asker alone', async () => {
    const open = run();
    expect(await answer(open, 4, { content: 'for all' })).toMatchObject({
      status: 200,
      body: { resource: { type: 4, message: { content: 'for all', type: 20 } } },
    });
    const own = run();
    await answer(own, 4, { content: 'for anna', flags: EPHEMERAL });
    expect(await own.reply()).toMatchObject({ content: 'for anna', ephemeral: true });
    expect(await own.acknowledged()).toEqual({ kind: 'message', ephemeral: true, afterMs: 0 });
    expect(discord.controls.messages(channel).map(({ content }) => content)).toEqual(['for all']);
  });
  test('three seconds are enough and a moment more is not', async () => {
    const [inTime, late] = [run(), run()];
    await clock.advance(3 * SECOND);
    expect((await answer(inTime, 5)).status).toBe(200);
    expect(await inTime.acknowledged()).toMatchObject({ kind: 'deferred', afterMs: 3000 });
    await clock.advance(1);
    expect(await answer(late, 4, { content: 'x' })).toMatchObject(refused(404, 10062));
    expect(await hook('POST', late, '', { content: 'x' })).toMatchObject(refused(404, 10015));
    expect(late.shown()).toEqual([]);
  });
  test('a second one is refused, and so is one under a wrong token', async () => {
    const asked = run();
    expect(await answer({ ...asked, token: 'other' }, 4, { content: 'x' })).toMatchObject(refused(404, 10062));
    await answer(asked, 4, { content: 'x' });
    expect(await answer(asked, 4, { content: 'y' })).toMatchObject(refused(400, 40060));
  });
  test('a form that is wrong is alerted below "data", and may be answered again', async () => {
    const asked = run();
    const wrong = await answer(asked, 4, { content: 'x'.repeat(2001) });
    expect(wrong).toMatchObject({ status: 400, body: { code: 50035, errors: { data: { content: {} } } } });
    expect((await answer(asked, 4, { content: 'x' })).status).toBe(200);
  });
  test('a command takes no update of a message', async () => {
    expect(await answer(run(), 7, { content: 'x' })).toMatchObject(refused(400, 50035));
  });
});

describe('after a deferral', () => {
  test('the waiting message is filled in, edited, followed and taken away', async () => {
    const asked = run();
    await answer(asked, 5);
    expect(asked.shown()).toMatchObject([{ thinking: true, content: '', ephemeral: false }]);
    await hook('PATCH', asked, ORIGINAL, { content: 'here', flags: EPHEMERAL });
    expect(await asked.reply()).toMatchObject({ content: 'here', thinking: false, ephemeral: false });
    await hook('POST', asked, '', { content: 'and this', flags: EPHEMERAL });
    expect(asked.shown()).toMatchObject([{ content: 'here' }, { content: 'and this', ephemeral: true }]);
    expect((await hook('DELETE', asked, ORIGINAL)).status).toBe(204);
    expect(await hook('PATCH', asked, ORIGINAL, { content: 'x' })).toMatchObject(refused(404, 10008));
    expect(discord.controls.messages(channel)).toEqual([]);
  });
  test('a public one can be taken back and the asker alerted alone', async () => {
    const asked = run();
    await answer(asked, 5);
    await hook('DELETE', asked, ORIGINAL);
    await hook('POST', asked, '', { content: 'That failed.', flags: EPHEMERAL });
    expect(asked.shown()).toMatchObject([{ content: 'That failed.', ephemeral: true }]);
  });
  test('the first followup takes the place of "thinking", with the audience of the deferral', async () => {
    const asked = run();
    await answer(asked, 5, { flags: EPHEMERAL });
    await hook('POST', asked, '', { content: 'filled in' });
    expect(asked.shown()).toMatchObject([{ content: 'filled in', thinking: false, ephemeral: true }]);
  });
  test('the token lives for fifteen minutes', async () => {
    const asked = run();
    await answer(asked, 5);
    await clock.advance(15 * MINUTE);
    expect((await hook('PATCH', asked, ORIGINAL, { content: 'late' })).status).toBe(200);
    await clock.advance(1);
    for (const [method, where] of [
      ['PATCH', ORIGINAL],
      ['DELETE', ORIGINAL],
      ['POST', ''],
    ] as const)
      expect(await hook(method, asked, where, { content: 'later' })).toMatchObject(refused(401, 50027));
  });
  test('a channel deleted meanwhile takes nothing more', async () => {
    const asked = run();
    await answer(asked, 5);
    discord.controls.deleteChannel(channel);
    expect(await hook('PATCH', asked, ORIGINAL, { content: 'x' })).toMatchObject(refused(404, 10003));
    expect(await hook('POST', asked, '', { content: 'x' })).toMatchObject(refused(404, 10003));
  });
  test('files come with it', async () => {
    const asked = run();
    await answer(asked, 5);
    await ask(discord, `PATCH /webhooks/${discord.applicationId}/${asked.token}${ORIGINAL}`, {
      body: { embeds: [{ image: { url: 'attachment://a.png' } }] },
      files: { 'a.png': new Uint8Array(2) },
    });
    expect(await asked.reply()).toMatchObject({ files: [{ name: 'a.png' }] });
  });
  test('permissions of the bot in the channel do not matter', async () => {
    discord.controls.setPermission({ channel, target: 'bot', deny: Permission.SEND_MESSAGES | Permission.EMBED_LINKS });
    const asked = run();
    await answer(asked, 4, { embeds: [{ title: 'x' }] });
    expect(await asked.reply()).toMatchObject({ embeds: [{ title: 'x' }] });
  });
});

describe('buttons and menus', () => {
  const button = (more: object) => ({ type: 2, style: 1, label: 'Next', custom_id: '/premium 2', ...more });
  const menu = {
    type: 3,
    custom_id: 'pick',
    options: [
      { label: 'A', value: 'a' },
      { label: 'B', value: 'b' },
    ],
  };
  const post = async (...components: readonly object[]): Promise<Id> => {
    const body = { content: 'page 1', components: components.map((one) => ({ type: 1, components: [one] })) };
    return ((await ask(discord, `POST /channels/${channel}/messages`, { body })).body as { id: Id }).id;
  };

  test('an update changes the message, a deferred one changes it with the first edit', async () => {
    const message = await post(button({}));
    const pressed = discord.controls.press({ message, user: anna, button: 'Next' });
    await answer(pressed, 7, { content: 'page 2' });
    expect(await pressed.reply()).toMatchObject({ id: message, content: 'page 2' });
    const again = discord.controls.press({ message, user: anna, button: '/premium 2' });
    await answer(again, 6);
    expect(again.shown()).toEqual([]);
    await hook('PATCH', again, ORIGINAL, { content: 'page 3', components: [] });
    expect(await again.reply()).toMatchObject({ id: message, content: 'page 3', rows: [], edits: 2 });
  });
  test('a reply beside it leaves the message alone', async () => {
    const message = await post(button({}));
    const pressed = discord.controls.press({ message, user: anna, button: 'Next' });
    await answer(pressed, 4, { content: 'aside', flags: EPHEMERAL });
    expect((await pressed.reply()).id).not.toBe(message);
    expect(discord.controls.message(message)).toMatchObject({ content: 'page 1', edits: 0 });
  });
  test('a person presses only what they see and what is switched on', async () => {
    const { press } = discord.controls;
    const off = await post(button({ disabled: true }), { type: 2, style: 5, label: 'Site', url: 'https://example.org' });
    expect(() => press({ message: off, user: anna, button: 'Next' })).toThrow('switched off');
    expect(() => press({ message: off, user: anna, button: 'Site' })).toThrow('is a link');
    expect(() => press({ message: off, user: anna, button: 'Else' })).toThrow('shows no button');
    const asked = run();
    await answer(asked, 4, { content: 'own', flags: EPHEMERAL, components: [{ type: 1, components: [button({})] }] });
    const { id } = await asked.reply();
    expect(() => press({ message: id, user: discord.controls.addUser(), button: 'Next' })).toThrow('another person');
    press({ message: id, user: anna, button: 'Next' });
    discord.controls.deleteMessage(off);
    expect(() => press({ message: off, user: anna, button: 'Next' })).toThrow('deleted');
  });
  test('a menu takes what it offers, as often as it says', async () => {
    const message = await post(menu);
    const { select } = discord.controls;
    expect(() => select({ message, user: anna, values: ['c'] })).toThrow('does not offer');
    expect(() => select({ message, user: anna, values: ['a', 'b'] })).toThrow('takes 1 to 1');
    const picked = select({ message, user: anna, values: ['b'] });
    await answer(picked, 7, { content: 'b it is' });
    expect(await picked.reply()).toMatchObject({ content: 'b it is' });
  });
});

describe('forms', () => {
  test('one is opened by a button, filled and answered', async () => {
    const asked = run();
    const field = { type: 4, custom_id: 'amount', style: 1, label: 'Amount', min_length: 2, max_length: 4 };
    await answer(asked, 9, { custom_id: 'form', title: 'How much', components: [{ type: 1, components: [field] }] });
    expect(await asked.form()).toMatchObject({ customId: 'form', title: 'How much' });
    const { submit } = discord.controls;
    expect(() => submit({ opened: asked, values: {} })).toThrow('required');
    expect(() => submit({ opened: asked, values: { amount: '12345' } })).toThrow('no more than 4');
    expect(() => submit({ opened: asked, values: { amount: '12', other: '' } })).toThrow('no field "other"');
    const filled = submit({ opened: asked, values: { amount: '123' } });
    await answer(filled, 4, { content: 'noted' });
    expect(await filled.reply()).toMatchObject({ content: 'noted' });
    expect(await hook('GET', filled, ORIGINAL)).toMatchObject({
      body: { interaction_metadata: { type: 5, triggering_interaction_metadata: { id: asked.id, type: 2 } } },
    });
  });
});

describe('what the platform asks of a form', () => {
  const field = { type: 4, custom_id: 'amount', style: 1 };
  const label = { type: 18, label: 'Amount', component: field };
  const form = { custom_id: 'form', title: 'How much', components: [label] };
  const row = (more: object) => ({ type: 1, components: [{ ...field, ...more }] });
  test.each([
    ['a title that is too long', { ...form, title: 'x'.repeat(46) }],
    ['a title of spaces', { ...form, title: ' ' }],
    ['a label that is too long', { ...form, components: [{ ...label, label: 'x'.repeat(46) }] }],
    ['a description that is too long', { ...form, components: [{ ...label, description: 'x'.repeat(101) }] }],
    ['an id that is too long', { ...form, custom_id: 'x'.repeat(101) }],
    ['two labels for one input', { ...form, components: [{ ...label, component: { ...field, label: 'Amount' } }] }],
    ['an input in a row without a label', { ...form, components: [row({})] }],
    ['two inputs with one id', { ...form, components: [label, label] }],
    ['more to be typed than may be', { ...form, components: [{ ...label, component: { ...field, min_length: 3, max_length: 2 } }] }],
    ['six inputs', { ...form, components: [1, 2, 3, 4, 5, 6].map((at) => ({ ...label, component: { ...field, custom_id: `${at}` } })) }],
    ['nothing to fill in', { ...form, components: [] }],
  ])('not %s', async (_what, wrong) => {
    expect(await answer(run(), 9, wrong)).toMatchObject(refused(400, 50035));
  });
  test('it must be the first answer, and none to a form that was sent', async () => {
    const waiting = run();
    await answer(waiting, 5);
    expect(await answer(waiting, 9, form)).toMatchObject(refused(400, 40060));
    const asked = run();
    await answer(asked, 9, form);
    const filled = discord.controls.submit({ opened: asked, values: { amount: '1' } });
    expect(await answer(filled, 9, form)).toMatchObject(refused(400, 50035));
  });
});

describe('what a person cannot run', () => {
  test.each([
    ['a command that is not registered', { command: 'nothing' }, 'No command /nothing'],
    ['an unknown option', { options: { colour: 'red' } }, 'has no option "colour"'],
    ['a number too large', { options: { days: 31 } }, 'more than 30'],
    ['half a number', { options: { days: 1.5 } }, 'whole number'],
    ['none of the choices', { options: { view: 'some' } }, 'none of the choices'],
    ['nothing where text is wanted', { options: { project: '' } }, 'empty'],
  ])('%s', (_what, wrong, words) => {
    expect(() => discord.controls.slash({ channel, user: anna, command: 'premium', ...wrong })).toThrow(words);
  });
  test('a command without the right to run commands, or where the bot is gone', () => {
    discord.controls.setPermission({ channel, target: anna, deny: Permission.USE_APPLICATION_COMMANDS });
    expect(() => run()).toThrow('may not run commands');
    discord.controls.setPermission({ channel, target: anna, deny: Permission.VIEW_CHANNEL });
    expect(() => run()).toThrow('cannot see');
    discord.controls.setPermission({ channel, target: anna, inherit: Permission.VIEW_CHANNEL | Permission.USE_APPLICATION_COMMANDS });
    discord.controls.kick(guild);
    expect(() => run()).toThrow('not in server');
  });
});
