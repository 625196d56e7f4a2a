import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, systemClock } from '../../../src/base/clock.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import { openActions } from '../../../src/platforms/button-payloads.js';
import { openPanels } from '../../../src/platforms/telegram/keyboard-pages.js';
import { keyboard, pressed, viewKeyboard } from '../../../src/platforms/telegram/keyboard.js';
import { openStore } from '../../../src/store/open.js';
import { runs } from '../../support/properties.js';
import { at, openHarness, stopped, type TelegramHarness } from './harness.js';

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
  const [message] = await harness.posts(chat);
  /** Presses a button of the message as it is now; resolves with the message after it. */
  const turn = async (button: string) => {
    const before = telegram.edits(chat).length;
    telegram.press({ message: telegram.posted(chat)[0]!, button, from: anna });
    return telegram.waitFor(() => telegram.edits(chat).length > before && telegram.posted(chat)[0]);
  };
  return { anna, chat, message: message!, turn };
};
const labels = ({ buttons }: { buttons: readonly (readonly { text: string }[])[] }) => buttons.map((row) => row.map(({ text }) => text));

describe('a menu', () => {
  test('that fits is open above the actions, with the choice in force marked', async () => {
    const kinds = menu('Kind', ['supply', 'premium', 'treasury', 'growth', 'wallet'], 'premium');
    const { message } = await shown(reply({ finding: ['Choose'], fields: [kinds], actions: [{ label: 'Back', line: '/watch' }] }));
    expect(message.text).toBe('Choose');
    expect(labels(message)).toEqual([['supply', '✓ premium', 'treasury'], ['growth', 'wallet'], ['Back']]);
  });

  test('beside another is one button, which opens it in the same message and leads back', async () => {
    const fields = [menu('Kind', ['a', 'b'], 'b'), menu('How much', ['1%', '5%', '10%'])];
    const { message, turn } = await shown(reply({ finding: ['Choose'], fields, actions: [{ label: 'Off', line: '/watch off' }] }));
    expect(labels(message)).toEqual([['Kind…', 'How much…'], ['Off']]);
    const opened = await turn('Kind…');
    expect(labels(opened)).toEqual([['a', '✓ b'], ['‹ Back']]);
    expect(opened).toMatchObject({ id: message.id, text: 'Choose' });
    expect(labels(await turn('‹ Back'))).toEqual(labels(message));
    expect(harness.lines()).toEqual(['/watch']);
  });

  test('of many options is turned page by page, at most eight buttons each, and every option is there once', async () => {
    const { message, turn } = await shown(reply({ finding: ['Choose'], fields: [menu('Project', numbered('p', 25))] }));
    expect(labels(message)).toEqual([['Project…']]);
    const seen: string[] = [];
    for (let page = await turn('Project…'); ; page = await turn('More ›')) {
      const all = labels(page).flat();
      expect(all.length).toBeLessThanOrEqual(8);
      seen.push(...all.filter((one) => one.startsWith('p ')));
      if (!all.includes('More ›')) break;
    }
    expect(seen).toEqual(numbered('p', 25));
    await turn('‹ Back');
    expect(labels(await turn('‹ Back'))[0]).toContain('p 6');
  });

  test('pressed is the line of its option, of any length, and the message changes', async () => {
    const line = `/watch ${'ü'.repeat(100)}`;
    const field: Fields[number] = { kind: 'menu', label: 'Kind', options: [{ label: 'Long', line }] };
    const { anna, chat, message, turn } = await shown(reply({ finding: ['Choose'], fields: [field, menu('Other', ['a'])] }));
    const opened = await turn('Kind…');
    harness.answers(() => reply({ finding: ['chosen'] }));
    telegram.press({ message: opened, button: 'Long', from: anna });
    await telegram.waitFor(() => harness.lines().length === 2 && telegram.posted(chat)[0]?.buttons.length === 0);
    expect(harness.lines()).toEqual(['/watch', line]);
    expect(telegram.posted(chat)).toMatchObject([{ id: message.id, text: 'chosen', buttons: [] }]);
  });

  test('is opened after a restart too, and says so when it is too old', async () => {
    const fields = [menu('Kind', ['a', 'b']), menu('How much', ['1%'])];
    const { anna, chat, message } = await shown(reply({ finding: ['Choose'], fields }));
    await stopped(harness.platform, harness.clock);
    const next = await harness.again();
    await next.listen();
    telegram.press({ message, button: 'Kind…', from: anna });
    const [opened] = await telegram.waitFor(() => telegram.edits(chat).length === 1 && telegram.posted(chat));
    expect(labels(opened!)).toEqual([['a', 'b'], ['‹ Back']]);
    await stopped(next.platform, harness.clock);
    await harness.clock.advance(100 * DAY);
    const late = await harness.again();
    await late.listen();
    await late.platform.sweep?.();
    expect(await telegram.press({ message: opened!, button: '‹ Back', from: anna }).answered).toMatchObject({ alert: true });
    expect(telegram.edits(chat)).toHaveLength(1);
  });

  test('in a channel is opened by its administrators only', async () => {
    const [anna, boris] = [telegram.person(), telegram.person()];
    const chat = telegram.channel({ members: [boris], owner: anna });
    harness.answers(() => reply({ finding: ['Choose'], fields: [menu('Kind', ['a']), menu('Other', ['b'])] }));
    telegram.say({ chat, text: '/watch' });
    const [message] = await harness.posts(chat);
    expect(await telegram.press({ message: message!, button: 'Kind…', from: boris }).answered).toMatchObject({ alert: true });
    expect(telegram.edits(chat)).toEqual([]);
    await telegram.press({ message: message!, button: 'Kind…', from: anna }).answered;
    expect(telegram.edits(chat)).toHaveLength(1);
  });

  test('of very many choices keeps every one, and every action', async () => {
    const fields = ['a', 'b', 'c', 'd'].map((name) => menu(name, numbered(name, 25)));
    const actions = numbered('go', 12).map((label) => ({ label, line: `/watch ${label}` }));
    const text: Fields[number] = { kind: 'text', label: 'Other', line: '/watch {}' };
    const { message, turn } = await shown(reply({ finding: ['Choose'], fields: [...fields, text], actions }));
    expect(labels(message).flat()).toEqual(['a…', 'b…', 'c…', 'd…', 'Other', 'go 0', 'go 1', 'More ›']);
    expect(labels(await turn('More ›')).flat()).toEqual([...numbered('go', 8).slice(2), '‹ Back', 'More ›']);
    expect(labels(await turn('More ›')).flat()).toEqual([...numbered('go', 12).slice(8), '‹ Back']);
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

test('a form that only its asker should see is a message for that person in a group, because a notice has no buttons', async () => {
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
  expect(await telegram.waitFor(() => telegram.ephemeral(chat)[0])).toMatchObject({
    text: 'Which kind?',
    replyTo: message!.id,
    buttons: [[{ text: 'supply' }]],
    raw: { receiver_user: { id: anna.id } },
  });
});

test('the Sources button is on every page, beside seven others, and two replies that differ only in it share one stored keyboard', async () => {
  const store = await openStore('memory://');
  const stored: string[] = [];
  const panels = openPanels({
    clock: systemClock,
    store: {
      ...store,
      collection: (spec) => {
        const real = store.collection(spec);
        return {
          ...real,
          set: async (key, document) => {
            stored.push(key);
            await real.set(key, document);
          },
        };
      },
    },
  });
  const actions = openActions(store, systemClock);
  const others = numbered('Action', 12).map((label) => ({ label, line: `/watch ${label}` }));
  const of = async (key: string) =>
    (await keyboard(reply({ finding: ['12'], actions: [...others, { label: 'Sources', line: `/sources ${key}` }] }), {
      ...{ actions, panels, alert: false },
    }))!.inline_keyboard;
  const first = await of('aaaaaaaaaa');
  await of('bbbbbbbbbb');
  expect(new Set(stored).size).toBe(1);
  expect(stored).toHaveLength(1);
  expect(first.flat()).toHaveLength(8);
  const data = (rows: typeof first, text: string): string => {
    const button = rows.flat().find((one) => one.text === text);
    return button !== undefined && 'callback_data' in button ? button.callback_data : '';
  };
  const next = await pressed(data(first, 'More ›'), actions);
  if (next.kind !== 'view') throw new Error('no view');
  const second = viewKeyboard((await panels.find(next.key))!, next).inline_keyboard;
  expect(second.flat().map(({ text }) => text)).toContain('Sources');
  // Its answer is a message of its own, as that of a button under an alert.
  expect(await pressed(data(second, 'Sources'), actions)).toEqual({ kind: 'line', line: '/sources aaaaaaaaaa', alert: true });
});

test('whatever a reply offers fits under one message, and every button is found again as what it stood for', async () => {
  const words = fc.string({ unit: 'grapheme', maxLength: 60 });
  const line = words.map((text) => `/watch ${text}`);
  const button = fc.record({ label: words, line, on: fc.boolean() });
  const field = fc.oneof(
    fc.record({ kind: fc.constant('menu' as const), label: words, options: fc.array(button, { minLength: 1, maxLength: 25 }) }),
    fc.record({ kind: fc.constant('text' as const), label: words, hint: words, line: line.map((text) => `${text} {}`) }),
  );
  const store = await openStore('memory://');
  const [actions, panels] = [openActions(store, systemClock), openPanels({ store, clock: systemClock })];

  /** Every button of every page that can be reached. */
  const buttonsOf = async (offer: Reply, alert: boolean) => {
    const found = new Map<string, string>();
    const views = new Set<string>();
    const read = async (rows: readonly (readonly object[])[]): Promise<void> => {
      const all = rows
        .flat()
        .flatMap((one) => ('text' in one && 'callback_data' in one ? [{ text: String(one.text), data: String(one.callback_data) }] : []));
      expect(rows.every((row) => row.length > 0 && row.length <= 5)).toBe(true);
      expect(all.length).toBeLessThanOrEqual(8);
      for (const { text, data } of all) {
        expect(text.trim()).not.toBe('');
        expect(Buffer.byteLength(data)).toBeGreaterThan(0);
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
        const to = await pressed(data, actions);
        if (to.kind !== 'view') found.set(`${text}\n${data}`, data);
        else if (!views.has(data)) {
          views.add(data);
          await read(viewKeyboard((await panels.find(to.key))!, to).inline_keyboard);
        }
      }
    };
    await read((await keyboard(offer, { actions, panels, alert }))?.inline_keyboard ?? []);
    return Promise.all([...found.values()].map(async (data) => pressed(data, actions)));
  };

  await fc.assert(
    fc.asyncProperty(
      fc.array(field, { maxLength: 5 }),
      fc.array(button, { maxLength: 40 }),
      fc.boolean(),
      async (fields, buttons, alert) => {
        const offer = reply({ finding: ['x'], fields, actions: buttons });
        const found = await buttonsOf(offer, alert);
        const lines = found.flatMap((one) => (one.kind === 'line' && one.alert === alert ? [one.line] : []));
        const asked = found.flatMap((one) => (one.kind === 'field' ? [one.field.line] : []));
        const offered = [...buttons, ...offer.fields.flatMap((one) => (one.kind === 'menu' ? one.options : []))];
        expect(new Set(lines)).toEqual(new Set(offered.map((one) => one.line)));
        expect(new Set(asked)).toEqual(new Set(offer.fields.flatMap((one) => (one.kind === 'text' ? [one.line] : []))));
        expect(lines.length + asked.length).toBe(found.length);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('what cannot be undone is red and what a reply is for is blue, on every page of its keyboard', async () => {
  const kinds = ['danger', 'primary', undefined] as const;
  const actions = kinds.map((emphasis, n) => ({ label: `Button ${n}`, line: `/help ${n}`, emphasis }));
  const { message } = await shown(reply({ finding: ['Sure?'], actions }));
  expect(message.buttons.flat().map(({ style }) => style)).toEqual(['danger', 'primary', undefined]);
  const many = await shown(reply({ finding: ['Sure?'], actions, fields: [menu('Project', numbered('project', 9))] }));
  expect(many.message.buttons.flat().flatMap(({ style }) => style ?? [])).toEqual(['danger', 'primary']);
});
