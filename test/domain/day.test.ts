import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { addDays, dayOf, daysUpTo } from '../../src/domain/day.js';
import { daySchema } from '../../src/domain/scalars.js';

test('a moment belongs to the UTC day it lies in', () => {
  expect(dayOf(instant(Date.UTC(2026, 10, 20)))).toBe('2026-11-20');
  expect(dayOf(instant(Date.UTC(2026, 10, 20) - 1))).toBe('2026-11-19');
});

test('days are counted over months and leap days', () => {
  expect(addDays(daySchema.parse('2028-02-28'), 1)).toBe('2028-02-29');
  expect(addDays(daySchema.parse('2026-01-01'), -1)).toBe('2025-12-31');
  expect(daysUpTo(daySchema.parse('2026-03-02'), 3)).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
});
