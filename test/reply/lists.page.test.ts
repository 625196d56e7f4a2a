import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { listPage, pageOfAll, servicePage } from '../../src/reply/lists.js';

const AT = instant(1_700_000_000_000);
const rows = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `row ${index + 1}`);
const answer = (all: readonly string[], { broken = 0, total }: { readonly broken?: number; readonly total?: number } = {}) => ({
  at: AT,
  data: { rows: all, broken },
  meta: { totalItems: total },
});

const words = {
  found: (where: string) => [{ strong: 'Tide: movements' }, where],
  of: 'Tide',
  none: 'Tide: no movements',
  blocks: [],
  to: (page: number) => `/movements tide page:${page}`,
};

test('a page says where it stands, and has buttons to its neighbours', () => {
  const shown = listPage(servicePage(answer(rows(10), { total: 25 }), 2), words);
  expect(shown.finding).toEqual([{ strong: 'Tide: movements' }, ', page 2 of 3']);
  expect(shown.actions).toEqual([
    { label: 'Previous page', line: '/movements tide page:1' },
    { label: 'Next page', line: '/movements tide page:3' },
  ]);
  expect(shown.asOf).toBe(AT);
});

test('an empty list says so, and a page beyond the last leads back', () => {
  expect(listPage(servicePage(answer([], { total: 0 }), 1), words).finding).toEqual([{ strong: 'Tide: no movements' }, '']);
  const beyond = listPage(servicePage(answer([], { total: 25 }), 9), words);
  expect(beyond.finding).toEqual([{ strong: 'Tide: page 9 is empty' }, ', last page: 3']);
  expect(beyond.actions).toEqual([{ label: 'Last page', line: '/movements tide page:3' }]);
});

test('unreadable rows of a page are counted, and an empty list of only such rows is not called empty', () => {
  const some = listPage(servicePage(answer(rows(3), { broken: 2, total: 5 }), 1), words);
  expect(some.blocks).toEqual([{ kind: 'line', line: ['⚠ 2 rows skipped: unreadable.'] }]);
  const none = listPage(pageOfAll([], { page: 1, broken: 2, answer: { at: AT } }), words);
  expect(none.finding).toEqual([{ strong: 'Tide: 2 rows on this page, but they are unreadable' }, '']);
});

test('what an empty page would have said is not worded', () => {
  const found = () => {
    throw new Error('worded');
  };
  expect(listPage(pageOfAll(rows(3), { page: 2, broken: 0, answer: { at: AT } }), { ...words, found, namesLast: false }).finding).toEqual([
    { strong: 'Tide: page 2 is empty' },
  ]);
});
