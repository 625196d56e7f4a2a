import { afterEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Answerer } from '../../../src/chat/inbound.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import type { Interaction, Seen } from '../../stand-ins/discord/types.js';
import { openHarness, textOf, type DiscordHarness, type DiscordHarnessOptions } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => {
  const breaches = harness.discord.transcript.calls().flatMap((call) => call.breaches);
  await harness.close();
  if (breaches.length > 0) throw new Error(breaches.join('\n'));
});

const LONG = `/watch ${'tideway '.repeat(20)}`.trim();
const wizard = reply({
  finding: ['What shall be watched?'],
  fields: [
    {
      kind: 'menu',
      label: 'Which project',
      options: [
        { label: 'Tide', hint: 'on sale', line: '/watch tide' },
        { label: 'Heron', line: '/watch heron', on: true },
        { label: 'Tide again', line: '/watch tide' },
        { label: 'All of these', line: LONG },
      ],
    },
    { kind: 'text', label: 'Another one…', hint: 'a slug, a symbol or an address', line: '/watch {}' },
    { kind: 'text', label: 'Only launches above…', line: '/watch launches {} USD' },
  ],
  actions: [{ label: 'Show all', line: '/premium all' }],
});
const alerted: Answerer = async ({ ask }) => ('line' in ask ? reply({ finding: [ask.line] }) : wizard);

const open = async (needs: DiscordHarnessOptions = {}): Promise<void> => {
  harness = await openHarness({ answer: alerted, ...needs });
  await harness.connect();
};
const begin = async (): Promise<Seen> => slash().reply();
const slash = (): Interaction =>
  harness.discord.controls.slash({ channel: harness.channel, user: harness.anna, command: 'watch', options: { target: 'x' } });
const press = (message: string, button: string, user = harness.anna) => harness.discord.controls.press({ message, user, button });
const seen = () => harness.discord.controls.messages(harness.channel);
const lines = () => harness.inbounds.flatMap(({ ask }) => ('line' in ask ? [ask.line] : []));
const again = async (): Promise<void> => {
  await harness.restart();
  await harness.connect();
};

describe('a reply with fields', () => {
  test('is a menu in its own row, and below it what asks for a text, and then the buttons', async () => {
    await open();
    const { rows } = await begin();
    expect(rows.map((row) => row.map(({ type }) => type))).toEqual([[3], [2, 2, 2]]);
    expect(rows[1]?.map(({ label }) => label)).toEqual(['Another one…', 'Only launches above…', 'Show all']);
    const menu = rows[0]?.[0];
    expect(menu?.placeholder).toBe('Which project');
    expect(menu?.options?.map(({ label, value, description, default: on }) => [label, description, on, value.slice(0, 12)])).toEqual([
      ['Tide', 'on sale', undefined, '/watch tide'],
      ['Which project: Heron', undefined, true, '/watch heron'],
      ['All of these', undefined, undefined, expect.stringMatching(/^#/u)],
    ]);
  });

  test.each([
    ['Tide', '/watch tide'],
    ['All of these', LONG],
  ])('what is picked, %s, is its whole line, and the answer takes the place of the question', async (label, line) => {
    await open();
    const first = await begin();
    await again();
    const value = first.rows[0]?.[0]?.options?.find((option) => option.label === label)?.value ?? '';
    const picked = harness.discord.controls.select({ message: first.id, user: harness.anna, values: [value] });
    expect(await picked.acknowledged()).toMatchObject({ kind: 'update' });
    expect(lines()).toEqual([line]);
    expect(seen()).toHaveLength(1);
  });

  test('picked by somebody else, the question stays as it was', async () => {
    await open();
    const first = await begin();
    const ben = harness.discord.controls.addUser({ name: 'ben' });
    await harness.discord.controls.select({ message: first.id, user: ben, values: ['/watch tide'] }).reply();
    expect(seen()).toHaveLength(2);
    expect(harness.inbounds[1]?.from).toMatchObject({ name: 'ben' });
    expect(await harness.inbounds[1]?.from.manages()).toBe(false);
  });

  test('under an alert, a pick is answered beside it', async () => {
    await open();
    const sent = await harness.platform.notifier.deliver(address('discord', harness.channel), { id: 'd-1', reply: wizard });
    const message = sent.kind === 'sent' ? sent.messageId : '';
    await harness.discord.controls.select({ message, user: harness.anna, values: ['/watch tide'] }).reply();
    expect(seen()).toHaveLength(2);
  });
});

describe('a reply with several menus', () => {
  const menuOf = (label: string) => ({
    kind: 'menu' as const,
    label,
    options: [1, 2].map((at) => ({ label: `${label} ${at}`, line: `/watch ${label} ${at}` })),
  });
  const stepwise: Answerer = async ({ ask }) =>
    'line' in ask
      ? reply({ finding: [ask.line], audience: 'everyone' })
      : reply({ finding: ['Rules'], fields: [menuOf('stages'), menuOf('amount')], actions: [{ label: 'Status', line: '/status' }] });
  const labels = (message: Seen) => message.rows.map((row) => row.map(({ options, label }) => options?.map((one) => one.label) ?? label));
  const pick = (message: string, value: string | undefined, user = harness.anna) =>
    harness.discord.controls.select({ message, user, values: [value ?? ''] });

  test('shows them one at a time in the same message, leads back, and a choice is its line', async () => {
    await open({ answer: stepwise });
    const first = await begin();
    expect(labels(first)).toEqual([[['stages', 'amount']], ['Status']]);
    await again();
    expect(await pick(first.id, first.rows[0]?.[0]?.options?.[1]?.value).acknowledged()).toMatchObject({ kind: 'update' });
    expect(seen().map(labels)).toEqual([[[['amount 1', 'amount 2']], ['‹ Back']]]);
    expect(await press(first.id, '‹ Back').acknowledged()).toMatchObject({ kind: 'update' });
    expect(seen().map(labels)).toEqual([labels(first)]);
    await pick(first.id, first.rows[0]?.[0]?.options?.[0]?.value).acknowledged();
    await pick(first.id, '/watch stages 2').acknowledged();
    expect(lines()).toEqual(['/watch stages 2']);
    expect(seen().map(textOf)).toEqual([expect.stringContaining('/watch stages 2')]);
  });

  test('opened by somebody else is theirs alone, and the message stays', async () => {
    await open({ answer: stepwise });
    const first = await begin();
    const ben = harness.discord.controls.addUser({ name: 'ben' });
    const theirs = await pick(first.id, first.rows[0]?.[0]?.options?.[0]?.value, ben).reply();
    expect(theirs).toMatchObject({ ephemeral: true });
    expect(labels(theirs)).toEqual([[['stages 1', 'stages 2']], ['‹ Back']]);
    expect(seen().map(labels)).toEqual([labels(first)]);
    expect(lines()).toEqual([]);
  });
});

describe('a text field', () => {
  test('opens a form at once, within what Discord takes, and its answer is the line', async () => {
    await open();
    const first = await begin();
    const opened = press(first.id, 'Another one…');
    expect(await opened.acknowledged()).toMatchObject({ kind: 'form', afterMs: 0 });
    const form = await opened.form();
    expect(form).toMatchObject({
      title: 'Another one…',
      raw: {
        components: [
          {
            type: 18,
            label: 'Another one…',
            description: 'a slug, a symbol or an address',
            component: { type: 4, style: 1, required: true },
          },
        ],
      },
    });
    const submitted = harness.discord.controls.submit({ opened, values: { typed: '  tide\n "way"  $& ' } });
    expect(await submitted.acknowledged()).toMatchObject({ kind: 'update' });
    expect(lines()).toEqual(['/watch tide "way" $&']);
    expect(seen().map(textOf)).toEqual([expect.stringContaining('/watch tide')]);
  });

  test('after restarts, before and after the form was opened, it still stands for its line', async () => {
    await open();
    const first = await begin();
    await again();
    const opened = press(first.id, 'Only launches above…');
    await opened.form();
    await again();
    await harness.discord.controls.submit({ opened, values: { typed: '10,000' } }).acknowledged();
    expect(lines()).toEqual(['/watch launches 10,000 USD']);
  });

  test('filled in by somebody else it is asked in their name, and the question stays', async () => {
    await open({
      answer: async (inbound) =>
        'line' in inbound.ask && !(await inbound.from.manages())
          ? reply({ tone: 'warning', finding: ['Only who manages the channel may'], audience: 'asker' })
          : alerted(inbound),
    });
    const first = await begin();
    const ben = harness.discord.controls.addUser({ name: 'ben' });
    const opened = press(first.id, 'Another one…', ben);
    await opened.form();
    const refused = await harness.discord.controls.submit({ opened, values: { typed: 'tide' } }).reply();
    expect(refused).toMatchObject({ ephemeral: true });
    expect(harness.inbounds[1]?.from).toMatchObject({ id: `discord/${ben}` });
    expect(harness.inbounds[1]?.circles).toContain(`discord/guild/${harness.guild}`);
    expect(seen().map(textOf)).toEqual([textOf(first)]);
  });

  test('of a hidden answer is answered in its hidden place', async () => {
    const hidden = reply({
      finding: ['How it stands'],
      fields: [
        { kind: 'menu', label: 'Of', options: [{ label: 'a', line: '/status a' }] },
        { kind: 'text', label: 'Of what', line: '/status {}' },
      ],
    });
    await open({ answer: async ({ ask }) => ('line' in ask ? reply({ finding: [ask.line] }) : hidden) });
    const { controls } = harness.discord;
    const first = await controls.slash({ channel: harness.channel, user: harness.anna, command: 'status' }).reply();
    const opened = press(first.id, 'Of what');
    await opened.form();
    const submitted = controls.submit({ opened, values: { typed: 'b' } });
    expect(await submitted.acknowledged()).toMatchObject({ kind: 'update' });
    expect(controls.message(first.id)).toMatchObject({ ephemeral: true, content: expect.stringContaining('/status b') });
    expect(controls.everything()).toHaveLength(1);
  });

  test('with nothing but space in it says so to who sent it, and asks nothing', async () => {
    await open();
    const first = await begin();
    const opened = press(first.id, 'Another one…');
    await opened.form();
    const said = await harness.discord.controls.submit({ opened, values: { typed: ' \n ' } }).reply();
    expect(said).toMatchObject({ ephemeral: true });
    expect(textOf(said)).toContain('Nothing was typed');
    expect(lines()).toEqual([]);
  });

  test('that takes its time to be answered shows that it is at work well within three seconds', async () => {
    let say: (answer: Reply) => void = () => undefined;
    const said = new Promise<Reply>((resolve) => {
      say = resolve;
    });
    await open({ answer: async ({ ask }) => ('line' in ask ? said : wizard) });
    const first = await begin();
    const opened = press(first.id, 'Another one…');
    await opened.form();
    const submitted = harness.discord.controls.submit({ opened, values: { typed: 'tide' } });
    await harness.received(2);
    await harness.clock.advance(1.2 * SECOND);
    const sign = await submitted.acknowledged();
    expect(sign).toMatchObject({ kind: 'deferred-update' });
    expect(sign.afterMs).toBeLessThan(2 * SECOND);
    say(reply({ finding: ['there it is'] }));
    await harness.discord.controls.waitFor(() => seen().some((message) => textOf(message).includes('there it is')));
    expect(seen()).toHaveLength(1);
  });

  test('whose form got lost on the way opens it once more', async () => {
    await open();
    const first = await begin();
    harness.discord.controls.faults.next({ kind: 'cut' }, { path: '/callback' });
    const opened = press(first.id, 'Another one…');
    expect(await opened.form()).toMatchObject({ title: 'Another one…' });
  });

  test('that nobody knows any more says so, before and after its form is filled in', async () => {
    await open();
    const first = await begin();
    const opened = press(first.id, 'Another one…');
    const { customId } = await opened.form();
    const { z } = await import('zod');
    await harness.store.collection({ prefix: 'action', version: 1, schema: z.any() }).delete(customId.slice('form:#'.length));
    for (const lost of [press(first.id, 'Another one…'), harness.discord.controls.submit({ opened, values: { typed: 'tide' } })]) {
      expect(await lost.acknowledged()).toMatchObject({ kind: 'message', ephemeral: true });
      expect(textOf(await lost.reply())).toContain('expired');
    }
    expect(lines()).toEqual([]);
  });
});
