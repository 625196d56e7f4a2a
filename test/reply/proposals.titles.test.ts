import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matching, shortened } from '../../src/reply/proposals.js';

const rows = ['Fund the second audit', 'Fund the audit', 'Ménage the Café', undefined].map((title) => ({ title }));

test('the very title wins over titles that have its words in them', () => {
  expect(matching(rows, 'fund the AUDIT')).toEqual([{ title: 'Fund the audit' }]);
  expect(matching(rows, 'audit fund')).toHaveLength(2);
});

test('accents may be left out, and nothing typed matches nothing', () => {
  expect(matching(rows, 'cafe menage')).toEqual([{ title: 'Ménage the Café' }]);
  expect(matching(rows, '  ')).toEqual([]);
});

test('any words of a title, in any order, find it', () => {
  const title = fc.array(fc.stringMatching(/^[a-z]{1,8}$/u), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      title.chain((words) => fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: 1 }))),
      ([words, some]) => {
        expect(matching([{ title: words.join(' ') }], some.join(' '))).toHaveLength(1);
      },
    ),
  );
});

test('a label is never longer than its room, and keeps what tells it from its namesakes', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
      fc.constantFrom('Nov 8', 'Nov 12, 2025', undefined),
      (title, mark) => {
        const label = shortened(title, mark);
        expect([...label].length).toBeLessThanOrEqual(32);
        expect(label.endsWith(mark ?? '')).toBe(true);
      },
    ),
  );
});
