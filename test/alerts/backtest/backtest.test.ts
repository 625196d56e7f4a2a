/** What a backtest reports of past checks, without a feed that reads them. */
import { describe, expect, test } from 'vitest';
import { backtest, latestFirings, type BacktestReport } from '../../../src/alerts/backtest/backtest.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import { DAY, HOUR, instant, later, type Instant } from '../../../src/base/clock.js';
import type { PastCheck, PastChecks } from '../../../src/feeds/feed.js';
import { burn } from '../harness.js';
import { measurement } from '../measurements.js';

const NOW = instant(Date.UTC(2026, 5, 1));
const before = (days: number): Instant => later(NOW, -days * DAY);

async function reported(text: string, checks: readonly PastCheck[], more: Partial<PastChecks> = {}): Promise<BacktestReport> {
  const found = readRule(text);
  if (!found.read) throw new Error(found.says);
  return backtest(found.rules, { at: NOW, since: undefined, hidden: 0, broken: 0, checks, ...more }, { now: NOW });
}

const measured = (days: number, premium: number): PastCheck => ({
  at: before(days),
  events: [],
  measurements: [measurement(premium, before(days))],
});

interface Size {
  readonly usd?: number;
  /** Of supply. */
  readonly percent?: number;
  readonly stage?: 'burn' | 'mint';
}

/** Found by a check an hour later. */
const burned = (days: number, amount: number, { usd, percent, stage = 'burn' }: Size = {}): PastCheck => {
  const event = burn(amount, before(days));
  const sizes = {
    ...(usd === undefined ? {} : { usd: String(usd) }),
    ...(percent === undefined ? {} : { change: String(percent) }),
  };
  return {
    at: later(before(days), HOUR),
    events: [{ ...event, stage, facts: { ...event.facts, type: stage === 'mint' ? 'Mint' : 'Burn', ...sizes } }],
    measurements: [],
  };
};

const valuesIn = ({ series }: BacktestReport) => series?.points.map(({ at, value }) => [(NOW - at) / DAY, value]);

test('a value that must last alerts on the day on which it has, and never if days are missing in between', async () => {
  const daily = (values: readonly (number | undefined)[]) =>
    values.flatMap((value, index) => (value === undefined ? [] : [measured(60 - index, value)]));
  const firedOn = async (values: readonly (number | undefined)[]) =>
    (await reported('premium<-10 for 3d', daily(values))).firings.map(({ at }) => 60 - (NOW - at) / DAY);
  expect(await firedOn([-5, -11, -12, -11, -11, -11, -5])).toEqual([4]);
  expect(await firedOn([-5, -11, -12, undefined, undefined, -11, -11, -5])).toEqual([]);
  expect((await reported('premium<-10 for 6h', daily([-5, -11, -12, -5]))).firings.map(({ at }) => 60 - (NOW - at) / DAY)).toEqual([2]);
});

describe('the periods', () => {
  test('count what alerted within them, and end with the first whose beginning is more than a day before the history', async () => {
    const checks = [measured(89, -5), measured(60, -11), measured(45, -5), measured(30, -11), measured(10, -5), measured(1, -11)];
    const { from, periods } = await reported('premium<-10', checks);
    expect(from).toBe(before(89));
    expect(periods).toEqual([
      { days: 30, since: undefined, alerts: 2, undated: 0 },
      { days: 90, since: undefined, alerts: 3, undated: 0 },
      { days: 365, since: before(89), alerts: 3, undated: 0 },
    ]);
  });

  test('of a history shorter than the first of them say since when', async () => {
    expect((await reported('premium<-10', [measured(10, -5), measured(5, -11)])).periods).toEqual([
      { days: 30, since: before(10), alerts: 1, undated: 0 },
    ]);
  });

  test('are whole when the history begins in the first day of the year, or is empty', async () => {
    for (const checks of [[measured(364.5, -5)], []]) expect((await reported('premium<-10', checks)).from).toBe(before(365));
    expect((await reported('premium<-10', [measured(364, -5)])).from).toBe(before(364));
  });

  test('of events begin with the records of the service, and leave out what happened earlier than a year ago', async () => {
    const checks = [burned(367, 1), burned(366, 2), burned(100, 3)];
    const { from, firings, until, evaluated } = await reported('supply usd>1', checks, { since: before(200) });
    expect(from).toBe(before(200));
    expect(firings.map(({ at, event }) => [at, event.id])).toEqual([[before(100), 'supply/tide/3']]);
    expect(until).toBe(later(before(100), HOUR));
    expect(evaluated).toBe(1);
  });
});

test('what the history does not date is counted in the periods in which it may be, and said for the stages of the rules only', async () => {
  const gaps = [
    { stages: ['burn'], missing: [before(40), before(2)], says: 'Two burns.' },
    { missing: [before(100)], says: 'One of any stage.' },
  ];
  const checks = [burned(367, 1), burned(100, 3)];
  const of = async (text: string) => {
    const { periods, lacks } = await reported(text, checks, { since: before(365), gaps });
    return [periods.map(({ undated }) => undated), lacks];
  };
  expect(await of('supply')).toEqual([
    [1, 2, 3],
    ['Two burns.', 'One of any stage.'],
  ]);
  expect(await of('supply stages:burn')).toEqual(await of('supply'));
  expect(await of('supply stages:mint')).toEqual([[0, 0, 1], ['One of any stage.']]);
  expect(await of('premium<-10')).toEqual([[0, 0, 0], []]);
});

test('an alert of a threshold lasts until its rule re-arms, and one that is not over has no end', async () => {
  const values = [
    measured(9, -5),
    measured(8, -11),
    measured(7, -14),
    measured(6, -9),
    measured(5, -7),
    measured(2, -12),
    measured(1, -11),
  ];
  const { firings } = await reported('premium<-10', values);
  expect(firings.map(({ returns }) => returns?.map(({ now, since, furthest }) => [(now.at - since.at) / DAY, furthest?.value]))).toEqual([
    [[3, '-14']],
    undefined,
  ]);
});

test('values are counted for rules on values, where they are known, though events are there too', async () => {
  const unknown = { at: before(2), events: [], measurements: [measurement(undefined, before(2))] };
  const { evaluated } = await reported('premium<-10', [measured(3, -5), burned(2, 1), unknown, measured(1, -11)]);
  expect(evaluated).toBe(2);
});

test('alerts are counted for each rule, and a value that two rules alert on counts for both', async () => {
  const values = [measured(5, -5), measured(4, -9), measured(3, -11), measured(2, -5)];
  const { perRule, firings } = await reported('premium<-10 premium move 4', values);
  expect(perRule.map(({ rule, alerts }) => [rule.when, alerts])).toEqual([
    ['below', 1],
    ['move', 2],
  ]);
  expect(firings).toHaveLength(3);
  const both = await reported('premium<-10 premium move 4', [measured(2, -5), measured(1, -11)]);
  expect([both.firings.length, ...both.perRule.map(({ alerts }) => alerts)]).toEqual([1, 1, 1]);
});

test('the result says how current the history is, as the feed said it', async () => {
  const dataAt = before(1);
  const stale = 'unreachable';
  expect(await reported('premium<-10', [], { dataAt, stale, hidden: 2, broken: 3 })).toMatchObject({ dataAt, stale, hidden: 2, broken: 3 });
  const report = await reported('premium<-10', []);
  expect(report).not.toHaveProperty('dataAt');
  expect(report).not.toHaveProperty('stale');
});

describe('the chart', () => {
  test('has the values of the measure of the first rule, as they were dated', async () => {
    const report = await reported('premium<-10', [measured(3, -5), burned(2, 1, { usd: 7 }), measured(1, -11)]);
    expect(report.series).toMatchObject({ of: 'measure', measure: 'premium' });
    expect(valuesIn(report)).toEqual([
      [3, '-5'],
      [1, '-11'],
    ]);
  });

  test('has the sizes in USD of events that pass the other filters, by when they happened', async () => {
    const sizes = [burned(1, 1, { usd: 30, percent: 3 }), burned(3, 2, { usd: 5, percent: 2 }), burned(2, 3, { usd: 20, stage: 'mint' })];
    const report = await reported('supply usd>10 stages:burn', sizes);
    expect(report.series?.of).toBe('usd');
    expect(valuesIn(report)).toEqual([
      [3, '5'],
      [1, '30'],
    ]);
  });

  test('has sizes in percent where the filter is in percent or none has a value, and USD where none has a share', async () => {
    const both = [burned(2, 1, { usd: 30, percent: 3 })];
    expect((await reported('supply percent>1', both)).series?.of).toBe('percent');
    for (const text of ['supply percent>1 usd>1', 'supply']) expect((await reported(text, both)).series?.of).toBe('usd');
    expect((await reported('supply percent>1', [burned(2, 1, { usd: 30 })])).series?.of).toBe('usd');
    expect((await reported('supply usd>1', [burned(2, 1, { percent: 3 })])).series?.of).toBe('percent');
    expect((await reported('supply usd>1', [burned(2, 1)])).series).toBeUndefined();
  });
});

describe('suggestions', () => {
  test('are thresholds among the sizes of events, with the alerts that each would have given', async () => {
    const year = Array.from({ length: 182 }, (_, index) => burned(364 - 2 * index, index + 1, { usd: 100 + ((index * 37) % 182) }));
    const { suggestions } = await reported('supply usd>1000', year);
    const found = (suggestions ?? []).flatMap(({ found: one }) => (typeof one === 'string' ? [] : [one]));
    expect(suggestions?.map(({ pace }) => pace)).toEqual(['monthly', 'weekly']);
    expect(found).toHaveLength(2);
    const sizes = year.map(({ events: [event] }) => Number(event?.facts['usd']));
    for (const { rules, alerts } of found) expect(alerts).toBe(sizes.filter((usd) => usd >= Number(rules.filters.leastUsd)).length);
  });

  test('of a rule on values are thresholds among those values', async () => {
    const year = Array.from({ length: 364 }, (_, index) => measured(364 - index, -((index * 37) % 50)));
    const { suggestions } = await reported('premium<-10', year);
    const thresholds = (suggestions ?? []).flatMap(({ found }) => (typeof found === 'string' ? [] : found.rules.thresholds));
    expect(thresholds).toMatchObject([
      { when: 'below', measure: 'premium' },
      { when: 'below', measure: 'premium' },
    ]);
  });

  test('are too early for a history of days, and there are none for several rules', async () => {
    const { suggestions } = await reported('premium<-10', [measured(10, -5), measured(5, -11)]);
    expect(suggestions?.map(({ found }) => found)).toEqual(['history too short', 'history too short']);
    expect((await reported('premium<-10 premium>10', [measured(10, -5)])).suggestions).toBeUndefined();
  });
});

test('the latest five alerts are shown, the newest first, and only those of events have a headline', async () => {
  const { firings } = await reported('supply', [burned(8, 1), burned(6, 3), burned(7, 2), burned(5, 4), burned(4, 5), burned(3, 6)]);
  const latest = latestFirings(firings);
  expect(latest.map(({ firing }) => firing.event.id)).toEqual([6, 5, 4, 3, 2].map((amount) => `supply/tide/${amount}`));
  expect(latest.every(({ headline }) => headline !== undefined)).toBe(true);
  const crossed = latestFirings((await reported('premium<-10', [measured(2, -5), measured(1, -11)])).firings);
  expect(crossed).toHaveLength(1);
  expect(crossed[0]).not.toHaveProperty('headline');
});
