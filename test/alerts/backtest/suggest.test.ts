import { describe, expect, test } from 'vitest';
import { ladderOf } from '../../../src/alerts/backtest/threshold-ladder.js';
import { suggest } from '../../../src/alerts/backtest/suggest.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import type { Rules } from '../../../src/alerts/rules/rule.js';
import { DAY } from '../../../src/base/clock.js';
import { decimal } from '../../../src/domain/scalars.js';

const rulesOf = (text: string): Rules => {
  const found = readRule(text);
  if (!found.read) throw new Error(found.says);
  return found.rules;
};

const NONE = { measured: [], usd: [], percent: [] };
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => decimal(from + index));

/** A ladder whose step at `index` alerts `counts[index]` times. */
async function suggested(counts: readonly number[], days = 365) {
  const ladder = counts.map((_, index): Rules => ({ filters: { leastUsd: decimal(1_000 - index) }, levels: [] }));
  let evaluated = 0;
  const alerts = async ({ filters }: Rules): Promise<number> => {
    evaluated += 1;
    return counts[1_000 - Number(filters.leastUsd)] ?? 0;
  };
  const found = await suggest(ladder, { alerts, span: days * DAY });
  return { evaluated, found: found.map((one) => (typeof one.found === 'string' ? one.found : one.found.alerts)) };
}

describe('a suggestion', () => {
  test('is the threshold whose count is nearest to the pace, and few are evaluated', async () => {
    const { found, evaluated } = await suggested(numbers(0, 63).map(Number));
    expect(found).toEqual([12, 52]);
    expect(evaluated).toBeLessThanOrEqual(24);
  });

  test('is missing where no threshold alerts about that often', async () => {
    expect((await suggested([0, 1, 2, 3, 11, 11])).found).toEqual([11, 'none']);
    expect((await suggested([0, 0, 200, 300])).found).toEqual(['none', 'none']);
    expect((await suggested([])).found).toEqual(['none', 'none']);
  });

  test('needs a history of at least two alerts at its pace', async () => {
    expect((await suggested([0, 1, 2, 3, 4, 5, 6], 40)).found).toEqual(['history too short', 6]);
    expect((await suggested([0, 1, 2], 5)).found).toEqual(['history too short', 'history too short']);
  });
});

describe('a ladder', () => {
  const levelsOf = (text: string, measured: readonly string[]) =>
    ladderOf(rulesOf(text), { ...NONE, measured: measured.map(decimal) })?.map(({ levels: [rule] }) =>
      rule === undefined ? undefined : 'level' in rule ? rule.level : 'by' in rule ? rule.by : 'days' in rule ? rule.days : 'other',
    );

  test('of a threshold leads from the extreme to the median of the values', () => {
    expect(levelsOf('premium<-10', ['5', '1', '-3', '-20', '-7'])).toEqual(['-20', '-7', '-3']);
    expect(levelsOf('premium>10', ['5', '1', '-3', '-20', '-7'])).toEqual(['5', '1', '-3']);
  });

  test('keeps a hysteresis that was typed, and the default of each threshold otherwise', () => {
    const bands = (text: string) =>
      ladderOf(rulesOf(text), { ...NONE, measured: numbers(1, 9) })?.map(({ levels: [rule] }) => rule && 'band' in rule && rule.band);
    expect(new Set(bands('premium>3 band 5'))).toEqual(new Set(['5']));
    expect(new Set(bands('premium>3'))).toEqual(new Set(['2']));
    expect(bands('price>3')?.[0]).toBe('0.18');
  });

  test('of a move leads from the widest move to the smallest step, and of an extreme from a year to days', () => {
    const moves = levelsOf('premium move 5', ['0', '10', '12', '-8']) ?? [];
    expect([moves[0], moves.at(-1)]).toEqual(['20', '2']);
    expect(levelsOf('premium extreme 90', [])?.[0]).toBe('365');
  });

  test('of a filter leads from the largest event to the smallest and keeps the other filters', () => {
    const ladder = ladderOf(rulesOf('supply usd>100 stages:mint'), { ...NONE, usd: numbers(1, 3) });
    expect(ladder?.map(({ filters }) => filters)).toEqual(['3', '2', '1'].map((leastUsd) => ({ leastUsd, stages: ['mint'] })));
  });

  test('does not exist for a change, for two rules, for two sizes and where nothing has a size', () => {
    expect(ladderOf(rulesOf('treasury allowance changes'), NONE)).toBeUndefined();
    expect(ladderOf(rulesOf('premium<-10 premium>10'), { ...NONE, measured: numbers(1, 9) })).toBeUndefined();
    expect(ladderOf(rulesOf('supply usd>1 percent>1'), { ...NONE, usd: numbers(1, 9) })).toBeUndefined();
    expect(ladderOf(rulesOf('proposals stages:live'), NONE)).toBeUndefined();
  });
});
