import { expect, test } from 'vitest';
import { DAY, instant, later } from '../../src/base/clock.js';
import { budgetForecast } from '../../src/operations/bot-state.js';

const NOW = instant(1_800_000_000_000);
const forecast = (used: number, perDay: number | undefined, days = 20) =>
  budgetForecast({ limit: 500, used, resetsAt: later(NOW, days * DAY), ...(perDay === undefined ? {} : { perDay }) }, NOW);

test('the day on which the budget is used up follows from the recent rate', () => {
  expect(forecast(300, 40)).toEqual({ left: 200, runsOutAt: later(NOW, 5 * DAY), verdict: 'early' });
});

test('a budget that is used to its end is no warning', () => {
  expect(forecast(300, 10).verdict).toBe('lasts');
  expect(forecast(300, 10.5).verdict).toBe('close');
  expect(forecast(300, 11.2).verdict).toBe('early');
  expect(forecast(490, 11, 1.5).verdict).toBe('close');
});

test('no limit, no rate, no calls: nothing to warn of; nothing left: spent', () => {
  expect(budgetForecast({ used: 9_999, resetsAt: NOW }, NOW)).toEqual({ left: undefined, runsOutAt: undefined, verdict: 'unknown' });
  expect(forecast(100, undefined).verdict).toBe('unknown');
  expect(forecast(100, 0).verdict).toBe('lasts');
  expect(forecast(500, 40)).toEqual({ left: 0, runsOutAt: NOW, verdict: 'spent' });
});
