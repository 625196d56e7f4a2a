import { expect, test } from 'vitest';
import { axisText, ticksOf, valueText } from '../../src/charts/scale.js';

test('ticks of one axis share their measure and their decimals', () => {
  const texts = (unit: 'usd' | 'percent' | 'points' | 'count', min: number, max: number, step: number) =>
    ticksOf({ min, max, step }).map(axisText(unit, { min, max, step }));
  expect(texts('usd', 0, 2e6, 5e5)).toEqual(['$0', '$0.5M', '$1.0M', '$1.5M', '$2.0M']);
  expect(texts('usd', 0.8, 0.9, 0.025)).toEqual(['$0.800', '$0.825', '$0.850', '$0.875', '$0.900']);
  expect(texts('percent', -5, 5, 5)).toEqual(['−5%', '0%', '5%']);
  expect(texts('points', -1, 1, 0.5)).toEqual(['−1.0', '−0.5', '0', '0.5', '1.0']);
  expect(texts('count', 0, 6_000, 2_000)).toEqual(['0', '2,000', '4,000', '6,000']);
  expect(texts('usd', -20_000, 20_000, 20_000)).toEqual(['−$20K', '$0', '$20K']);
  expect(texts('usd', 0.00001, 0.00002, 0.00001)).toEqual(['$0.00001', '$0.00002']);
  expect([valueText('usd', 0.1 + 0.2), valueText('percent', -17.2), valueText('points', 0.62), valueText('tokens', 13_145_000)]).toEqual([
    '$0.3000',
    '−17.2%',
    '+0.6 pts',
    '13.1M',
  ]);
});
