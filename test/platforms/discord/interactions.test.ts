import { afterEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Answerer } from '../../../src/chat/inbound.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import type { Interaction } from '../../stand-ins/discord/types.js';
import { openHarness, textOf, type DiscordHarness, type DiscordHarnessOptions } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => harness.close());

const open = async (needs: DiscordHarnessOptions = {}): Promise<void> => {
  harness = await openHarness(needs);
  await harness.connect();
};
const slash = (command: string, options: Record<string, string> = {}): Interaction =>
  harness.discord.controls.slash({ channel: harness.channel, user: harness.anna, command, options });
const seen = () => harness.discord.controls.messages(harness.channel);

/** An answerer that waits for the test to say what it answers, once. */
function slowly() {
  let say: (answer: Reply) => void = () => undefined;
  const said = new Promise<Reply>((resolve) => {
    say = resolve;
  });
  const answer: Answerer = async () => said;
  return { answer, say };
}

describe('a command', () => {
  test('is answered at once where the answer is there at once, with its options as they were given', async () => {
    await open();
    const asked = slash('premium', { project: 'tide', range: '3M' });
    expect(textOf(await asked.reply())).toContain('premium');
    expect(await asked.acknowledged()).toMatchObject({ kind: 'message', ephemeral: false });
    expect(harness.inbounds[0]).toMatchObject({
      ask: { command: 'premium', options: { project: 'tide', range: '3M' } },
      chat: `discord/${harness.channel}`,
    });
    expect(harness.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
  });

  test('says who asks, whether they manage the channel, and what they belong to', async () => {
    await open();
    const { controls } = harness.discord;
    const thread = controls.addThread({ parent: harness.channel });
    const captain = controls.addUser({ name: 'captain' });
    const role = controls.addRole({ guild: harness.guild, permissions: 1n << 4n });
    controls.addMember({ guild: harness.guild, user: captain, roles: [role] });
    await slash('premium', { project: 'tide' }).reply();
    await controls.slash({ channel: thread, user: captain, command: 'premium', options: { project: 'tide' } }).reply();
    const [first, second] = harness.inbounds;
    expect(first?.from).toMatchObject({ id: `discord/${harness.anna}`, name: 'anna' });
    expect(await Promise.all([first?.from.manages(), second?.from.manages()])).toEqual([false, true]);
    expect(first?.circles).toEqual([
      `discord/guild/${harness.guild}`,
      `discord/channel/${harness.channel}`,
      `discord/user/${harness.anna}`,
    ]);
    expect(second?.chat).toBe(address('discord', thread));
    expect(second?.circles).toContain(`discord/channel/${harness.channel}`);
  });

  test('works in a private chat, which everybody manages themselves', async () => {
    await open();
    const direct = harness.discord.controls.openDirect(harness.anna);
    await harness.discord.controls.slash({ channel: direct, user: harness.anna, command: 'watch' }).reply();
    expect(await harness.inbounds[0]?.from.manages()).toBe(true);
    expect(harness.inbounds[0]?.circles).toEqual([`discord/channel/${direct}`, `discord/user/${harness.anna}`]);
  });

  test('that takes its time shows "thinking" well within three seconds, and is then filled in', async () => {
    const { answer, say } = slowly();
    await open({ answer });
    const asked = slash('premium', { project: 'tide' });
    await harness.received(1);
    await harness.clock.advance(1.2 * SECOND);
    const first = await asked.acknowledged();
    expect(first).toMatchObject({ kind: 'deferred', ephemeral: false });
    expect(first.afterMs).toBeLessThan(2 * SECOND);
    await harness.clock.advance(5 * MINUTE);
    say(reply({ finding: ['there it is'] }));
    expect(textOf(await asked.reply())).toContain('there it is');
    expect(seen()).toHaveLength(1);
  });

  test('an error after a public "thinking" takes it away and goes to the asker alone', async () => {
    const { answer, say } = slowly();
    await open({ answer });
    const asked = slash('premium', { project: 'tide' });
    await harness.received(1);
    await harness.clock.advance(1.2 * SECOND);
    await asked.acknowledged();
    say(reply({ tone: 'warning', finding: ['No such project'], audience: 'asker' }));
    expect(await asked.reply()).toMatchObject({ ephemeral: true });
    expect(seen()).toEqual([]);
    expect(asked.shown().map(textOf)).toEqual([expect.stringContaining('No such project')]);
  });

  test('one for the asker alone is hidden from the first sign on', async () => {
    const { answer, say } = slowly();
    await open({ answer });
    const asked = slash('status');
    await harness.received(1);
    await harness.clock.advance(1.2 * SECOND);
    expect(await asked.acknowledged()).toMatchObject({ kind: 'deferred', ephemeral: true });
    say(reply({ finding: ['all well'] }));
    expect(await asked.reply()).toMatchObject({ ephemeral: true });
    expect(seen()).toEqual([]);
  });

  test('progress is shown where the answer will stand', async () => {
    const { answer, say } = slowly();
    await open({
      answer: async (inbound) => {
        await inbound.progress?.(reply({ finding: ['1 of 4'] }));
        await inbound.progress?.(reply({ finding: ['2 of 4'] }));
        return answer(inbound);
      },
    });
    const asked = slash('premium', { project: 'tide' });
    await harness.discord.controls.waitFor(() => seen().some((message) => textOf(message).includes('2 of 4')));
    say(reply({ finding: ['done'] }));
    await harness.discord.controls.waitFor(() => seen().some((message) => textOf(message).includes('done')));
    expect(seen()).toHaveLength(1);
    expect(asked.shown()).toHaveLength(1);
  });

  test.each(['store-then-cut', 'cut'] as const)('a first answer whose line is %s is repeated, and appears once', async (kind) => {
    await open();
    harness.discord.controls.faults.next({ kind }, { path: '/callback' });
    const asked = slash('premium', { project: 'tide' });
    await harness.discord.controls.waitFor(() => harness.discord.transcript.calls('POST', '/callback').length === 2);
    expect(textOf(await asked.reply())).toContain('premium');
    expect(seen()).toHaveLength(1);
  });

  test('alerted twice by the gateway it is answered once', async () => {
    await open();
    await slash('premium', { project: 'tide' }).reply();
    harness.discord.controls.gateway.repeat(3);
    await slash('premium', { project: 'heron' }).reply();
    expect(harness.inbounds).toHaveLength(2);
  });

  test('too late to be answered, it is logged and takes nothing down', async () => {
    await open();
    harness.discord.controls.faults.next(
      { kind: 'refused', status: 404, code: 10_062, message: 'Unknown interaction' },
      { path: '/callback' },
    );
    slash('premium', { project: 'tide' });
    expect((await harness.logged('discord.not-answered')).fields['because']).toContain('10062');
    expect(textOf(await slash('premium', { project: 'tide' }).reply())).toContain('premium');
  });

  test('an answer that Discord refuses for its form is replaced by a sentence', async () => {
    await open();
    harness.discord.controls.faults.next(
      { kind: 'refused', status: 400, code: 50_035, message: 'Invalid Form Body' },
      { path: '/callback' },
    );
    const asked = slash('premium', { project: 'tide' });
    expect(textOf(await asked.reply())).toContain('could not be shown');
  });

  test('in hand when the bot stops, it is still answered, and no new one is taken', async () => {
    const { answer, say } = slowly();
    await open({ answer });
    const asked = slash('premium', { project: 'tide' });
    await harness.received(1);
    const stopped = harness.platform.stop();
    slash('premium', { project: 'heron' });
    say(reply({ finding: ['just in time'] }));
    await stopped;
    expect(textOf(await asked.reply())).toContain('just in time');
    expect(harness.inbounds).toHaveLength(1);
    expect(harness.discord.controls.gateway.connections()).toBe(0);
  });

  test('one that does not end is alerted that nobody waits any more', async () => {
    await open({
      answer: async ({ signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve(reply({ finding: ['stopped'], audience: 'asker' })));
        }),
    });
    slash('premium', { project: 'tide' });
    await harness.received(1);
    const stopped = harness.platform.stop();
    await harness.clock.advance(10 * SECOND);
    await stopped;
    expect(harness.inbounds[0]?.signal?.aborted).toBe(true);
  });
});

describe('typing an option', () => {
  test('offers what the catalogue completes', async () => {
    await open();
    const { controls } = harness.discord;
    const typed = { channel: harness.channel, user: harness.anna, command: 'premium', focused: 'project' };
    expect(await controls.autocomplete({ ...typed, options: { project: 'tide' } })).toEqual([
      { name: 'tide (a project)', value: 'tide' },
      { name: 'tideway (a project)', value: 'tideway' },
    ]);
  });

  test('offers nothing rather than too late, and never what Discord would refuse', async () => {
    let slow = false;
    const { CATALOGUE } = await import('./harness.js');
    await open({
      catalogue: {
        ...CATALOGUE,
        completeOption: async () =>
          slow
            ? new Promise(() => undefined)
            : [
                { value: 'x'.repeat(101), label: 'long' },
                { value: 'ok', label: '\u202e'.repeat(9) },
                { value: 'n', label: 'n'.repeat(500) },
              ],
      },
    });
    const typed = { channel: harness.channel, user: harness.anna, command: 'premium', focused: 'project', options: { project: 't' } };
    const offered = await harness.discord.controls.autocomplete(typed);
    expect(offered.map(({ value }) => value)).toEqual(['ok', 'n']);
    expect(offered.every(({ name }) => name.length > 0 && name.length <= 100)).toBe(true);
    slow = true;
    const late = harness.discord.controls.autocomplete(typed);
    await harness.clock.asleep(2);
    await harness.clock.advance(2 * SECOND);
    expect(await late).toEqual([]);
  });
});

describe('a button', () => {
  const views: Answerer = async ({ ask }) => {
    const line = 'line' in ask ? ask.line : `/${ask.command}`;
    return reply({
      finding: [line],
      actions: [
        { label: '1M', line: '/premium tide 1M' },
        { label: 'Watch', line: '/watch tide' },
        { label: 'Long', line: `/premium ${'y'.repeat(150)}` },
      ],
      audience: line.includes('wrong') ? 'asker' : 'everyone',
    });
  };

  test('that leads to another view changes the message in place', async () => {
    await open({ answer: views });
    const first = await slash('premium', { project: 'tide' }).reply();
    const pressed = harness.discord.controls.press({ message: first.id, user: harness.anna, button: '1M' });
    expect(await pressed.acknowledged()).toMatchObject({ kind: 'update' });
    expect(seen().map(textOf)).toEqual([expect.stringContaining('/premium tide 1M')]);
  });

  test('that changes something is answered beside the message', async () => {
    await open({ answer: views });
    const first = await slash('premium', { project: 'tide' }).reply();
    await harness.discord.controls.press({ message: first.id, user: harness.anna, button: 'Watch' }).reply();
    expect(seen()).toHaveLength(2);
  });

  test('pressed by somebody else leaves the message as it is', async () => {
    await open({ answer: views });
    const first = await slash('premium', { project: 'tide' }).reply();
    const ben = harness.discord.controls.addUser({ name: 'ben' });
    await harness.discord.controls.press({ message: first.id, user: ben, button: '1M' }).reply();
    expect(seen()).toHaveLength(2);
    expect(textOf(seen()[0]!)).toContain('premium');
    expect(textOf(seen()[0]!)).not.toContain('1M');
  });

  test('whose line was too long for it stands for the whole line', async () => {
    await open({ answer: views });
    const first = await slash('premium', { project: 'tide' }).reply();
    await harness.discord.controls.press({ message: first.id, user: harness.anna, button: 'Long' }).acknowledged();
    expect(harness.inbounds[1]?.ask).toEqual({ line: `/premium ${'y'.repeat(150)}` });
  });

  test('of an alert never writes over the alert', async () => {
    await open({ answer: views });
    const sent = await harness.platform.notifier.deliver(address('discord', harness.channel), {
      id: 'd-1',
      reply: reply({ finding: ['a mint'], actions: [{ label: 'Premium', line: '/premium tide' }] }),
    });
    const message = sent.kind === 'sent' ? sent.messageId : '';
    await harness.discord.controls.press({ message, user: harness.anna, button: 'Premium' }).reply();
    expect(seen().map(textOf)).toEqual([expect.stringContaining('a mint'), expect.stringContaining('/premium tide')]);
  });

  test('a slow view is announced without a word, and an error then goes to the asker and leaves the view', async () => {
    const { answer, say } = slowly();
    let first = true;
    await open({
      answer: async (inbound) => {
        if (!first) return answer(inbound);
        first = false;
        return views(inbound);
      },
    });
    const shown = await slash('premium', { project: 'tide' }).reply();
    const pressed = harness.discord.controls.press({ message: shown.id, user: harness.anna, button: '1M' });
    await harness.received(2);
    await harness.clock.advance(1.2 * SECOND);
    expect(await pressed.acknowledged()).toMatchObject({ kind: 'deferred-update' });
    say(reply({ tone: 'warning', finding: ['not now'], audience: 'asker' }));
    expect(await pressed.reply()).toMatchObject({ ephemeral: true });
    expect(textOf(seen()[0]!)).toContain('/premium');
  });

  test('a pick in a menu is the line of what was picked', async () => {
    await open({
      answer: async () =>
        reply({ finding: ['many'], actions: Array.from({ length: 40 }, (_, at) => ({ label: `p${at}`, line: `/premium p${at}` })) }),
    });
    const first = await slash('premium', { project: 'tide' }).reply();
    const menu = first.rows.flat().find(({ type }) => type === 3);
    const value = menu?.options?.[3]?.value ?? '';
    await harness.discord.controls
      .select({ message: first.id, user: harness.anna, customId: menu?.custom_id ?? '', values: [value] })
      .acknowledged();
    expect(harness.inbounds[1]?.ask).toEqual({ line: '/premium p13' });
  });

  test('that nobody knows any more says so to who pressed it', async () => {
    await open({ answer: views });
    const first = await slash('premium', { project: 'tide' }).reply();
    const long = first.rows.flat().find(({ label }) => label === 'Long')?.custom_id ?? '';
    const { z } = await import('zod');
    await harness.store.collection({ prefix: 'action', version: 1, schema: z.any() }).delete(long.slice(1));
    const alerted = await harness.discord.controls.press({ message: first.id, user: harness.anna, button: 'Long' }).reply();
    expect(alerted).toMatchObject({ ephemeral: true });
    expect(textOf(alerted)).toContain('expired');
  });
});

test('hostile names reach Discord as text: no mention, no link, nothing hidden, within every limit', async () => {
  const names = ['@everyone', '<@&1>', '</b><a href="x">', '\u202etxt.exe', 'x'.repeat(10_000)];
  await open({
    answer: async () =>
      reply({
        finding: [{ strong: names.join(' ') }],
        blocks: names.flatMap((name) => [
          { kind: 'line' as const, line: [name, { code: name }] },
          { kind: 'table' as const, columns: [{ title: name }], rows: [[name]] },
          { kind: 'figures' as const, items: [{ label: name, value: name }] },
        ]),
        actions: names.map((name, at) => ({ label: name, line: `/premium ${at}` })),
      }),
  });
  const shown = await slash('premium', { project: names[0]! }).reply();
  expect(shown.pings.quiet).toBe(true);
  expect(textOf(shown)).toContain('\\@everyone');
  expect(textOf(shown)).not.toContain('\u202e');
  expect(harness.discord.transcript.calls('POST', '/callback').every(({ status }) => status < 300)).toBe(true);
});

test('one person has at most thirty questions under way; the next is refused in private, and others are answered', async () => {
  const { answer, say } = slowly();
  let held = 0;
  await open({
    answer: async (inbound) =>
      inbound.from.id === `discord/${harness.anna}` ? ((held += 1), answer(inbound)) : reply({ finding: ['For you'] }),
  });
  const asked = Array.from({ length: 31 }, () => slash('premium', { project: 'tide' }));
  const last = asked.at(-1);
  expect(textOf(await last!.reply())).toContain('Too many of your questions are waiting');
  expect(await last!.acknowledged()).toMatchObject({ ephemeral: true });
  const ben = harness.discord.controls.addUser({ name: 'ben' });
  const other = harness.discord.controls.slash({ channel: harness.channel, user: ben, command: 'premium', options: { project: 'tide' } });
  expect(textOf(await other.reply())).toContain('For you');
  expect(held).toBe(30);
  say(reply({ finding: ['Done'] }));
  await Promise.all(asked.slice(0, -1).map(async (one) => one.reply()));
  expect(textOf(await slash('premium', { project: 'tide' }).reply())).toContain('Done');
});

test('an answer names commands so that they can be pressed, also after the bot was started again', async () => {
  await open({ answer: async () => reply({ finding: ['Hello'], blocks: [{ kind: 'line', line: [{ code: '/premium' }] }] }) });
  const id = harness.discord.controls.commands().find(({ name }) => name === 'premium')?.id ?? '';
  const isMention = async (): Promise<boolean> => textOf(await slash('premium', { project: 'tide' }).reply()).includes(`</premium:${id}>`);
  await expect.poll(isMention).toBe(true);
  await harness.restart();
  await harness.connect();
  await expect.poll(isMention).toBe(true);
});
