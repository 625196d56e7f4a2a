import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { Field } from '../../../src/chat/reply.js';
import { openActions } from '../../../src/platforms/button-payloads.js';
import { componentsOf, stepComponents, stepOf } from '../../../src/platforms/discord/components.js';
import { openStore } from '../../../src/store/open.js';
import { readMessage } from '../../stand-ins/discord/message-form.js';
import { runs } from '../../support/properties.js';

const kept = async () => openActions(await openStore('memory://'), systemClock);
const action = (at: number) => ({ label: `b${at}`, line: `/premium p${at}`, on: false });
const actions = (count: number) => Array.from({ length: count }, (_, at) => action(at));
const menu = (name: string, ...on: readonly boolean[]): Field => ({
  kind: 'menu',
  label: name,
  options: (on.length === 0 ? [false, false] : on).map((is, at) => ({
    label: `${name}${at}`,
    hint: '',
    line: `/watch ${name}${at}`,
    on: is,
  })),
});
const text = (name: string): Field => ({ kind: 'text', label: name, hint: '', line: `/watch ${name} {}` });
const kindsOf = async (fields: readonly Field[], count: number) => {
  const rows = await componentsOf({ links: [], fields, actions: actions(count) }, await kept());
  return rows.map(({ components: [first, ...others] }) => (Number(first?.type) === 3 ? 'menu' : `${others.length + 1} buttons`));
};

describe('the five rows', () => {
  test.each([
    ['a menu leaves room for buttons', [menu('a')], 15, ['menu', '5 buttons', '5 buttons', '5 buttons']],
    ['what has no place among them goes into a menu', [menu('a')], 16, ['menu', '5 buttons', '5 buttons', 'menu']],
    ['several menus are one row', ['a', 'b', 'c', 'd', 'e'].map((name) => menu(name)), 3, ['menu', '3 buttons']],
    ['what asks for a text stays beside them', [menu('a'), menu('b'), text('c')], 1, ['menu', '2 buttons']],
    ['five texts come before the buttons', ['a', 'b', 'c', 'd', 'e'].map(text), 3, ['5 buttons', '3 buttons']],
  ])('%s', async (_what, fields, count, expected) => {
    expect(await kindsOf(fields, count)).toEqual(expected);
  });
});

describe('several menus', () => {
  const fields = [menu('a', false, true), menu('b', true, true), menu('c')];
  const opened = async () => {
    const store = await kept();
    const [first] = (await componentsOf({ links: [], fields, actions: [] }, store))[0]?.components ?? [];
    const options = first && 'options' in first ? (first.options ?? []) : [];
    return { store, options };
  };

  test('are listed with what is chosen in each', async () => {
    const { options } = await opened();
    expect(options.map(({ label, description }) => [label, description])).toEqual([
      ['a', 'a1'],
      ['b', 'b0, b1'],
      ['c', undefined],
    ]);
  });

  test('open one at a time, and lead back', async () => {
    const { store, options } = await opened();
    const step = await stepOf(options[1]?.value ?? '', store);
    const rows = step === undefined ? [] : await stepComponents(step, store);
    expect(rows.map(({ components }) => components)).toMatchObject([
      [{ options: [{ value: '/watch b0' }, { value: '/watch b1' }] }],
      [{ custom_id: step?.back }],
    ]);
    const first = await stepOf(step?.back ?? '', store);
    expect(first?.menu).toBeUndefined();
    expect(first?.controls).toEqual({ links: [], fields, actions: [] });
  });

  test.each(['step:', 'step:#', 'step:/watch tide.0', `step:#${'x'.repeat(20)}.0`])('do not open by a forged id: %s', async (forged) => {
    const { store } = await opened();
    expect(await stepOf(forged, store)).toBeUndefined();
  });

  test('have no step beyond the last', async () => {
    const { store, options } = await opened();
    expect(await stepOf((options[0]?.value ?? '').replace(/\d$/u, '7'), store)).toBeUndefined();
    const line = await store.payload(`/watch ${'x'.repeat(200)}`, 0);
    expect(await stepOf(`step:${line}.0`, store)).toBeUndefined();
  });
});

test('of several choices in force none is set, and each is marked', async () => {
  const [row] = await componentsOf({ links: [], fields: [menu('a', true, false, true)], actions: [] }, await kept());
  const [select] = row?.components ?? [];
  expect(select && 'options' in select ? select.options?.map(({ label }) => label) : []).toEqual(['✓ a0', 'a1', '✓ a2']);
});

test('a line with line breaks is kept, however short', async () => {
  const [row] = await componentsOf({ links: [], fields: [], actions: [{ label: 'Import', line: '/watch a\nb', on: false }] }, await kept());
  expect(row?.components[0]).toMatchObject({ custom_id: expect.stringMatching(/^#/u) });
});

test('any fields and buttons, whatever stands in them, are rows that Discord takes', async () => {
  const word = fc.oneof(fc.constantFrom('', '\u200b', '@everyone', 'x'.repeat(300), '👩‍🚀'.repeat(60)), fc.string({ unit: 'binary' }));
  const line = word.map((some) => `/watch ${some.replaceAll('{}', '')}`);
  const field: fc.Arbitrary<Field> = fc.oneof(
    fc.record({
      kind: fc.constant('menu' as const),
      label: word,
      options: fc.array(fc.record({ label: word, hint: word, line, on: fc.boolean() }), { minLength: 1, maxLength: 25 }),
    }),
    fc.record({ kind: fc.constant('text' as const), label: word, hint: word, line: line.map((some) => `${some} {}`) }),
  );
  const button = fc.record({ label: word, line, on: fc.boolean() });
  const store = await kept();
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 5 }), fc.array(button, { maxLength: 40 }), async (fields, some) => {
      const components = await componentsOf({ links: [], fields, actions: some }, store);
      readMessage('MessageCreateRequestSchema', JSON.parse(JSON.stringify({ content: 'x', components })));
      expect(components.length).toBeLessThanOrEqual(5);
      const values = components.flatMap((row) => row.components.flatMap((one) => ('options' in one ? (one.options ?? []) : [])));
      for (const { value } of values.filter((option) => option.value.startsWith('step:'))) {
        const step = await stepOf(value, store);
        const opened = step === undefined ? undefined : await stepComponents(step, store);
        expect(opened).toHaveLength(2);
        readMessage('MessageCreateRequestSchema', JSON.parse(JSON.stringify({ content: 'x', components: opened })));
      }
    }),
    { numRuns: runs(60) },
  );
});
