import { expect, test } from 'vitest';
import { pageActions, pageText } from '../../src/reply/lists.js';

test('a page beyond the last says so and leads to the last', () => {
  const paging = { page: 1036, rows: 0, total: 155 };
  expect(pageText(paging)).toBe('last page: 16');
  expect(pageActions({ ...paging, to: String })).toEqual([{ label: 'Last page', line: '16' }]);
  expect(pageText({ page: 16, rows: 5, total: 155 })).toBe('page 16 of 16');
});
