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
  const ladder = counts.map((_, index): Rules => ({ filters: { leastUsd: decimal(1_000 - index) }, thresholds: [] }));
  let evaluated = 0;
  const alerts = async ({ filters }: Rules): Promise<number> => {
    evaluated += 1;
    return counts[1_000 - Number(filters.leastUsd)] ?? 0;
  };
  const found = await suggest(ladder, { alerts, span: days * DAY });
  return {
    evaluated,
    found: found.map((one) => (typeof one.found === 'string' ? one.found : one.found.alerts)),
    /** Places on the ladder. */
    steps: found.map((one) => (typeof one.found === 'string' ? undefined : 1_000 - Number(one.found.rules.filters.leastUsd))),
  };
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
    expect(await suggested([0, 1, 2], 5)).toMatchObject({ found: ['history too short', 'history too short'], evaluated: 0 });
    expect((await suggested([0, 2, 4], 60)).found).toEqual([2, 'none']);
  });

  test('is found on a ladder of one step, may be one alert off its pace, and is the rarest of several that alert equally often', async () => {
    expect((await suggested([12])).found).toEqual([12, 'none']);
    expect((await suggested([0, 3], 60)).found).toEqual([3, 'none']);
    expect((await suggested([0, 0, 12, 12, 12, 12, 12], 360)).steps).toEqual([2, undefined]);
  });

  test('is looked for one step further, where a lower threshold alerts less often', async () => {
    expect(await suggested([0, 30, 13, 40, 40, 50, 50, 50, 50])).toMatchObject({ found: [13, 50] });
  });
});

describe('a ladder', () => {
  const levelsOf = (text: string, measured: readonly string[]) =>
    ladderOf(rulesOf(text), { ...NONE, measured: measured.map(decimal) })?.map(({ thresholds: [rule] }) =>
      rule === undefined
        ? undefined
        : 'threshold' in rule
          ? rule.threshold
          : 'by' in rule
            ? rule.by
            : 'days' in rule
              ? rule.days
              : 'least' in rule
                ? rule.least
                : 'other',
    );

  test('of a threshold leads from the extreme to the median of the values', () => {
    expect(levelsOf('premium<-10', ['5', '1', '-3', '-20', '-7'])).toEqual(['-20', '-7', '-3']);
    expect(levelsOf('premium>10', ['5', '1', '-3', '-20', '-7'])).toEqual(['5', '1', '-3']);
  });

  test('keeps a hysteresis that was typed, and the default of each threshold otherwise', () => {
    const bands = (text: string) =>
      ladderOf(rulesOf(text), { ...NONE, measured: numbers(1, 9) })?.map(
        ({ thresholds: [rule] }) => rule && 'hysteresis' in rule && rule.hysteresis,
      );
    expect(new Set(bands('premium>3 band 5'))).toEqual(new Set(['5']));
    expect(new Set(bands('premium>3'))).toEqual(new Set(['2']));
    expect(bands('price>3')?.[0]).toBe('0.18');
  });

  test('of a move leads from the widest move to the smallest step, and of an extreme from a year to days', () => {
    const moves = levelsOf('premium move 5', ['0', '10', '12', '-8']) ?? [];
    expect([moves[0], moves.at(-1)]).toEqual(['20', '2']);
    expect(levelsOf('premium extreme 90', [])?.[0]).toBe('365');
    const scores = levelsOf('premium z-score 2', []) ?? [];
    expect([scores[0], scores[1], scores.at(-1)]).toEqual(['4', '3.9', '1']);
  });

  test('of a move in percent counts each step from the value before, and values of which there is no percentage not at all', () => {
    expect(levelsOf('price move 10%', ['10', '15'])).toEqual(['50']);
    expect(levelsOf('price move 10%', ['0', '10', '15'])?.at(-1)).toBe('50');
  });

  test('of a move is empty where nothing is known or nothing moved', () => {
    expect(levelsOf('premium move 5', [])).toEqual([]);
    expect(levelsOf('premium move 5', ['7'])).toEqual([]);
    expect(levelsOf('premium move 5', ['7', '7'])).toEqual([]);
  });

  test('has two digits, and three of amounts in USD', () => {
    expect(levelsOf('premium>10', ['12.345', '1.2345'])).toEqual(['12']);
    expect(levelsOf('price>1', ['12.345', '1.2345'])).toEqual(['12.3']);
  });

  test('has no threshold that could not be typed, as beyond the range of a value or never crossed', () => {
    expect(levelsOf('premium<-10', ['-100', '-120', '-50', '-30', '-20', '-10'])).toEqual(['-50']);
    expect(ladderOf(rulesOf('supply usd>100'), { ...NONE, usd: [decimal('5'), decimal('0.001')] })?.length).toBe(1);
    expect(ladderOf(rulesOf('supply usd>100'), { ...NONE, usd: [decimal('0')] })).toBeUndefined();
  });

  test('of many values has 64 steps, from the first to the last', () => {
    const ladder = ladderOf(rulesOf('supply usd>100'), { ...NONE, usd: numbers(1, 99) })?.map(({ filters }) => filters.leastUsd) ?? [];
    expect([ladder.length, ladder[0], ladder[1], ladder.at(-1)]).toEqual([64, '99', '97', '1']);
  });

  test('of a filter leads from the largest event to the smallest and keeps the other filters', () => {
    const ladder = ladderOf(rulesOf('supply usd>100 stages:mint'), { ...NONE, usd: numbers(1, 3) });
    expect(ladder?.map(({ filters }) => filters)).toEqual(['3', '2', '1'].map((leastUsd) => ({ leastUsd, stages: ['mint'] })));
  });

  test('of a filter has percentages where it is of percentages or nothing has a value, and else amounts in USD', () => {
    const both = { ...NONE, usd: numbers(100, 101), percent: numbers(1, 2) };
    const filtersOf = (text: string, values = both) => ladderOf(rulesOf(text), values)?.map(({ filters }) => filters);
    expect(filtersOf('supply percent>1')).toEqual([{ leastPercent: '2' }, { leastPercent: '1' }]);
    expect(filtersOf('supply usd>1', { ...both, usd: [] })).toEqual([{ leastPercent: '2' }, { leastPercent: '1' }]);
    expect(filtersOf('supply')).toEqual([{ leastUsd: '100' }]);
  });

  test('does not exist for a change, for two rules, for two sizes and where nothing has a size', () => {
    expect(ladderOf(rulesOf('treasury allowance changes'), NONE)).toBeUndefined();
    expect(ladderOf(rulesOf('premium<-10 premium>10'), { ...NONE, measured: numbers(1, 9) })).toBeUndefined();
    expect(ladderOf(rulesOf('supply usd>1 percent>1'), { ...NONE, usd: numbers(1, 9), percent: numbers(1, 9) })).toBeUndefined();
    const both = { ...rulesOf('premium<-10'), filters: rulesOf('supply usd>1').filters };
    expect(ladderOf(both, { ...NONE, measured: numbers(1, 9) })).toBeUndefined();
    expect(ladderOf(rulesOf('proposals stages:live'), NONE)).toBeUndefined();
  });
});
