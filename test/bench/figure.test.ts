import { expect, test } from 'vitest';
import { median, quantile, table, verdict, type Figure } from './harness/figure.js';

const figure = (more: Partial<Figure>): Figure => ({ figure: 'one', unit: 's', values: [], ...more });

test('a figure of several repetitions is their median', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, undefined]);
});

test('a quantile is a value that was measured', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile([7], 0.99), quantile([], 0.5)]).toEqual([100, 198, 7, undefined]);
});

test('a goal is met at the goal itself, from the side that is better', () => {
  expect(verdict(figure({ values: [5], goal: 5 }))).toBe('met');
  expect(verdict(figure({ values: [5.01], goal: 5 }))).toBe('missed');
  expect(verdict(figure({ values: [97], goal: 97, atLeast: true }))).toBe('met');
  expect(verdict(figure({ values: [96.9], goal: 97, atLeast: true }))).toBe('missed');
});

test('what could not be measured is neither met nor missed, and is not shown as 0', () => {
  expect(verdict(figure({ goal: 5 }))).toBe('unknown');
  expect(table([figure({ goal: 5 })])).toContain('n/a');
  expect(table([figure({ values: [0], goal: 0 })])).toContain('0 s');
});

test('a peer stands beside the figure, and a note below the table', () => {
  const lines = table([figure({ values: [2], peers: { other: [1, 3, 2.5] }, note: 'why so' })]).split('\n');
  expect(lines[2]).toContain('other 2.50 s');
  expect(lines.at(-1)).toBe('one: why so');
});
