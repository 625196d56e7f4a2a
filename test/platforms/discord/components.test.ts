import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Field } from '../../../src/chat/reply.js';
import { systemClock } from '../../../src/base/clock.js';
import { openActions } from '../../../src/platforms/actions.js';
import { componentsOf } from '../../../src/platforms/discord/components.js';
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
    ['three menus leave two rows of buttons', [menu('a'), menu('b'), menu('c')], 10, ['menu', 'menu', 'menu', '5 buttons', '5 buttons']],
    ['what has no place among them goes into a menu', [menu('a'), menu('b'), menu('c')], 11, ['menu', 'menu', 'menu', '5 buttons', 'menu']],
    ['in one row many buttons are a menu', [menu('a'), menu('b'), menu('c'), menu('d')], 6, ['menu', 'menu', 'menu', 'menu', 'menu']],
    [
      'unless a text is asked for there',
      [menu('a'), menu('b'), menu('c'), menu('d'), text('e')],
      6,
      ['menu', 'menu', 'menu', 'menu', '5 buttons'],
    ],
    [
      'five menus leave no place for buttons',
      ['a', 'b', 'c', 'd', 'e'].map((name) => menu(name)),
      3,
      ['menu', 'menu', 'menu', 'menu', 'menu'],
    ],
    ['five texts come before the buttons', ['a', 'b', 'c', 'd', 'e'].map(text), 3, ['5 buttons', '3 buttons']],
  ])('%s', async (_what, fields, count, expected) => {
    expect(await kindsOf(fields, count)).toEqual(expected);
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
    }),
    { numRuns: runs(60) },
  );
});
