import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reply, type Reply } from '../../../src/chat/reply.js';
import { systemClock } from '../../../src/base/clock.js';
import { openActions } from '../../../src/platforms/actions.js';
import { keyboard, pressed } from '../../../src/platforms/telegram/keyboard.js';
import { openStore } from '../../../src/store/open.js';
import { at, openHarness, type TelegramHarness } from './harness.js';
import { runs } from '../../support/properties.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
beforeEach(async () => {
  harness = await openHarness();
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

type Fields = NonNullable<Parameters<typeof reply>[0]['fields']>;
const menu = (label: string, options: readonly string[], on = ''): Fields[number] => ({
  kind: 'menu',
  label,
  options: options.map((option) => ({ label: option, line: `/watch ${option}`, on: option === on })),
});
const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${name} ${index}`);
/** What the bot posts for this reply. */
const shown = async (answer: Reply) => {
  const { anna, chat } = harness.privately();
  harness.answers(() => answer);
  telegram.say({ chat, from: anna, text: '/watch' });
  return { anna, chat, message: (await harness.posts(chat))[0]! };
};
const labels = ({ buttons }: { buttons: readonly (readonly { text: string }[])[] }) => buttons.map((row) => row.map(({ text }) => text));

describe('a menu', () => {
  test('is columns of buttons above the actions, with the choice in force marked; alone it has no name of its own', async () => {
    const kinds = menu('Kind', ['supply', 'premium', 'treasury', 'growth', 'wallet'], 'premium');
    const { message } = await shown(
      reply({ finding: ['What do you want to hear of?'], fields: [kinds], actions: [{ label: 'Back', line: '/watch' }] }),
    );
    expect(message.text).toBe('What do you want to hear of?');
    expect(labels(message)).toEqual([['supply', '✓ premium', 'treasury'], ['growth', 'wallet'], ['Back']]);
  });

  test('keeps its columns beside one label that has room in none', async () => {
    const { message } = await shown(
      reply({ finding: ['Choose'], fields: [menu('Project', ['tide', 'alder', 'Salt Marsh, round 52', 'birch'])] }),
    );
    expect(labels(message)).toEqual([['tide', 'alder'], ['Salt Marsh, round 52'], ['birch']]);
  });

  test('beside another is named under the words, in the order of the rows', async () => {
    const fields = [menu('Kind', ['a', 'b']), menu('How much', ['1%', '5%', '10%'])];
    const { message } = await shown(reply({ finding: ['Choose'], fields }));
    expect(message.text).toBe('Choose\nButtons, from the top: Kind · How much');
    expect(labels(message)).toEqual([
      ['a', 'b'],
      ['1%', '5%', '10%'],
    ]);
  });

  test('pressed is the line of its option, of any length, and the message changes', async () => {
    const line = `/watch ${'ü'.repeat(100)}`;
    const field: Fields[number] = { kind: 'menu', label: 'Kind', options: [{ label: 'Long', line }] };
    const { anna, chat, message } = await shown(reply({ finding: ['Choose'], fields: [field] }));
    harness.answers(() => reply({ finding: ['chosen'] }));
    telegram.press({ message, button: 'Long', from: anna });
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    expect(harness.lines()).toEqual(['/watch', line]);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'chosen', buttons: [] }]);
  });

  test('of very many choices keeps what Telegram takes, every action, and says how many are left out', async () => {
    const fields = ['a', 'b', 'c', 'd'].map((name) => menu(name, numbered(name, 25)));
    const actions = numbered('go', 12).map((label) => ({ label, line: `/watch ${label}` }));
    const text: Fields[number] = { kind: 'text', label: 'Other', line: '/watch {}' };
    const { message } = await shown(reply({ finding: ['Choose'], fields: [...fields, text], actions }));
    const all = labels(message).flat();
    expect(all).toHaveLength(100);
    expect(all).toEqual(expect.arrayContaining(['a 20', 'd 20', 'Other', 'go 0', 'go 11']));
    expect(message.text).toBe(
      'Choose\nButtons, from the top: a · b · c · d\n13 more choices have no room here; type the command for them.',
    );
  });

  test('under a long answer stands under its last message', async () => {
    const items = Array.from({ length: 120 }, (_, index) => ({ line: [`holder ${index} holds ${'x'.repeat(30)}`] }));
    const { anna, chat } = harness.privately();
    harness.answers(() => reply({ finding: ['Holders'], blocks: [{ kind: 'list', items }], fields: [menu('Kind', ['a'])] }));
    telegram.say({ chat, from: anna, text: '/watch' });
    const all = await harness.posts(chat, 2);
    expect(all.map((one) => labels(one))).toEqual([[], [['a']]]);
  });
});

test('a person cannot ping with what they choose: whom a reply names for other platforms is named to nobody here', async () => {
  const { message, chat } = await shown(reply({ finding: ['A mint'], mentions: [{ kind: 'person', id: '50000001' }] }));
  await harness.platform.notifier.deliver(at(chat), {
    id: 'd',
    reply: reply({ finding: ['A mint'], mentions: [{ kind: 'role', id: '7' }] }),
  });
  for (const one of telegram.posted(chat)) expect(one).toMatchObject({ text: 'A mint', pings: [], entities: [{ type: 'bold' }] });
  expect(message.raw).not.toHaveProperty('reply_to_message');
  expect(harness.inbounds[0]?.from).not.toHaveProperty('mayMention');
});

test('a form that only its asker should see is a message in a group too, because a notice has no buttons', async () => {
  const anna = telegram.person();
  const chat = telegram.supergroup({ members: [anna] });
  harness.answers(({ ask }) =>
    'line' in ask && ask.line === '/watch'
      ? reply({ finding: ['Go?'], actions: [{ label: 'Go', line: '/watch tide' }] })
      : reply({ finding: ['Which kind?'], audience: 'asker', fields: [menu('Kind', ['supply'])] }),
  );
  telegram.say({ chat, from: anna, text: '/watch' });
  const [message] = await harness.posts(chat);
  telegram.press({ message: message!, button: 'Go', from: anna });
  expect((await harness.posts(chat, 2))[1]).toMatchObject({ text: 'Which kind?', replyTo: message!.id, buttons: [[{ text: 'supply' }]] });
});

test('whatever a reply offers fits under one message, and every button is found again as what it stood for', async () => {
  const words = fc.string({ unit: 'grapheme', maxLength: 60 });
  const line = words.map((text) => `/watch ${text}`);
  const button = fc.record({ label: words, line, on: fc.boolean() });
  const field = fc.oneof(
    fc.record({ kind: fc.constant('menu' as const), label: words, options: fc.array(button, { minLength: 1, maxLength: 25 }) }),
    fc.record({ kind: fc.constant('text' as const), label: words, hint: words, line: line.map((text) => `${text} {}`) }),
  );
  const kept = openActions(await openStore('memory://'), systemClock);
  await fc.assert(
    fc.asyncProperty(
      fc.array(field, { maxLength: 5 }),
      fc.array(button, { maxLength: 40 }),
      fc.boolean(),
      async (fields, actions, alert) => {
        const offer = reply({ finding: ['x'], fields, actions });
        const rows = (await keyboard(offer, { kept, alert }))?.inline_keyboard ?? [];
        const buttons = rows.flat().map((one) => ({ text: one.text, data: 'callback_data' in one ? one.callback_data : '' }));
        expect(rows.every((row) => row.length > 0 && row.length <= 5)).toBe(true);
        expect(buttons.length).toBeLessThanOrEqual(100);
        for (const { text, data } of buttons) {
          expect(text.trim()).not.toBe('');
          expect(Buffer.byteLength(data)).toBeGreaterThan(0);
          expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
        }
        const found = await Promise.all(buttons.map(async ({ data }) => pressed(data, kept)));
        const lines = found.flatMap((one) => (one.kind === 'line' && one.alert === alert ? [one.line] : []));
        const asked = found.flatMap((one) => (one.kind === 'field' ? [one.field.line] : []));
        expect(lines.slice(-actions.length || lines.length)).toEqual(actions.map((one) => one.line));
        expect(asked).toEqual(offer.fields.flatMap((one) => (one.kind === 'text' ? [one.line] : [])));
        expect(lines.length + asked.length).toBe(buttons.length);
      },
    ),
    { numRuns: runs(50) },
  );
});
