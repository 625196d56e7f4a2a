import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { addressed, reply, replySchema, storedReplySchema } from '../../src/chat/reply.js';

test('what a reply leaves out is filled in: plain, for everyone, with nothing below its finding', () => {
  expect(reply({ finding: ['x'] })).toEqual({
    tone: 'plain',
    finding: ['x'],
    blocks: [],
    links: [],
    actions: [],
    fields: [],
    mentions: [],
    files: [],
    audience: 'everyone',
  });
});

test('what its blocks and buttons leave out is filled in too', () => {
  const whole = reply({
    finding: ['x'],
    blocks: [
      { kind: 'list', items: [{ line: ['one'] }] },
      { kind: 'table', columns: [{ title: 'A' }], rows: [['1']] },
    ],
    actions: [{ label: 'Again', line: '/again' }],
  });
  expect(whole.blocks).toEqual([
    { kind: 'list', items: [{ tone: 'plain', line: ['one'] }], more: 0 },
    { kind: 'table', columns: [{ title: 'A', align: 'left' }], rows: [['1']], more: 0 },
  ]);
  expect(whole.actions).toEqual([{ label: 'Again', line: '/again', on: false }]);
});

test('blocks that would show nothing are left out, and the others keep their order', () => {
  const whole = reply({
    finding: ['x'],
    blocks: [
      { kind: 'line', line: [] },
      { kind: 'figures', items: [{ label: 'price', value: '$1' }] },
      { kind: 'figures', items: [] },
      { kind: 'list', items: [] },
      { kind: 'line', line: ['last'] },
      { kind: 'table', columns: [{ title: 'A' }], rows: [] },
    ],
  });
  expect(whole.blocks.map(({ kind }) => kind)).toEqual(['figures', 'line']);
});

test('a button that is no command line is refused, since nobody could press it', () => {
  expect(() => reply({ finding: ['x'], actions: [{ label: 'Go', line: 'premium tide' }] })).toThrow();
});

test('a reply comes out of a store as it went in', () => {
  const whole = reply({
    tone: 'warning',
    finding: ['a ', { strong: 'b' }, { code: 'c' }, { at: instant(1_795_176_000_000) }],
    blocks: [
      { kind: 'list', items: [{ tone: 'up', line: ['one'], detail: [{ at: instant(0) }] }], more: 3 },
      { kind: 'table', columns: [{ title: 'A', align: 'right' }], rows: [['1']], more: 2 },
    ],
    actions: [{ label: 'Why?', line: '/why id', on: true }],
    asOf: instant(1_795_176_000_000),
    stale: 'The service is down.',
    audience: 'asker',
  });
  expect(replySchema.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
});

test.each([
  ['without a finding', {}],
  ['with a moment between two milliseconds', { finding: [{ at: 1.5 }] }],
  ['with a span of no known kind', { finding: [{ link: 'https://example.org' }] }],
  ['with a block of no known kind', { finding: ['x'], blocks: [{ kind: 'picture' }] }],
  ['of no known tone', { finding: ['x'], tone: 'loud' }],
])('a reply %s is none', (_, parts) => {
  expect(replySchema.safeParse(parts).success).toBe(false);
});

test('a reply that was made here is stored without being parsed a second time, and any other is parsed', () => {
  const whole = reply({ finding: ['x'], blocks: [{ kind: 'line', line: ['y'] }] });
  expect(storedReplySchema.parse(whole)).toBe(whole);
  const read: unknown = JSON.parse(JSON.stringify(whole));
  expect(storedReplySchema.parse(read)).toEqual(whole);
  expect(storedReplySchema.parse(read)).not.toBe(read);
  expect(storedReplySchema.safeParse({ ...whole, tone: 'loud' }).success).toBe(false);
});

test('a reply for another chat has its own buttons and mentions and is refused with a button that is no command line', () => {
  const whole = reply({ finding: ['x'], actions: [{ label: 'Why?', line: '/why one' }] });
  const own = addressed(whole, { actions: [{ label: 'Why?', line: '/why two' }], mentions: [{ kind: 'role', id: '7' }] });
  expect(own).toEqual(reply({ ...whole, actions: [{ label: 'Why?', line: '/why two' }], mentions: [{ kind: 'role', id: '7' }] }));
  expect(whole.actions).toEqual([{ label: 'Why?', line: '/why one', on: false }]);
  expect(() => addressed(whole, { actions: [{ label: 'Go', line: 'premium tide' }], mentions: [] })).toThrow();
});
