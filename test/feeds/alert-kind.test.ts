import { expect, test } from 'vitest';
import { decimal } from '../../src/domain/scalars.js';
import { largestChange } from '../../src/feeds/alert-kind.js';

const change = (now: string | undefined, ...earlier: readonly (string | undefined)[]) =>
  largestChange(
    now === undefined ? undefined : decimal(now),
    earlier.map((value) => (value === undefined ? undefined : decimal(value))),
  );

test('the largest change, up or down, is compared with a filter, whichever value it is against', () => {
  expect([change('150', '100'), change('50', '100'), change('100', '80', '200', '100'), change('100', '200', '80')]).toEqual([
    '50',
    '50',
    '50',
    '50',
  ]);
});

test('against nothing, of nothing, and against zero it is unknown, so that no filter holds the event back', () => {
  expect([change('150'), change('150', undefined), change(undefined, '100'), change('150', '100', '0')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(change('150', undefined, '100')).toBe('50');
});
