import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.js';
import { happeningsOf, judge, type Reported } from './oracle.js';
import { drawMonth, END, START, STEP, type Figures, type Month, type Project } from './truth.js';

const figures = (premium: number, runway = 12): Figures => ({
  price: (1 + premium / 100).toFixed(6),
  navPerShare: '1.000000',
  premium: premium.toFixed(4),
  dollars: '1000000.00',
  allowance: '1000.00',
  runway: runway.toFixed(2),
});
const NEVER = { supply: [], movements: [], markets: [], growth: [] };

/** A project whose premium is this on each day. */
const moved = (days: readonly number[]): Project => ({
  ...{ slug: 'tide', name: 'Tide', symbol: 'TIDE', ...NEVER },
  figures: days.flatMap((premium) => Array.from({ length: DAY / STEP }, () => figures(premium))),
});
const monthOf = (project: Project): Month => ({ projects: [project], launches: [], tranches: [] });
const report = (more: Partial<Reported> & Pick<Reported, 'feed' | 'at'>): Reported => ({
  ...{ id: `${more.feed}/tide/1`, stage: 'level', topic: '', project: 'tide', detectedAt: more.at, chat: 'a', isEdit: false, facts: {} },
  ...more,
});
const LIVE = START + 3 * DAY;
const market = {
  ...{ project: 'tide', key: 'tideMarket1', createdAt: LIVE - DAY, liveAt: LIVE, twapAt: LIVE + DAY, endsAt: LIVE + 3 * DAY },
  result: 'passed' as const,
};

test('a premium that crosses a level, having been beyond its band, is to be alerted until it goes back', () => {
  const month = monthOf(moved([5, -5, -5, -0.5, 0.5, -0.5, 5]));
  const found = happeningsOf(month, END).filter(({ kind }) => kind === 'premium');
  expect(found.map(({ at, until }) => [(at - START) / DAY, (until - START) / DAY])).toEqual([
    [4, 5],
    [1, 4],
  ]);
});

test('the delay of an alert is counted from the crossing; one that comes after it went back is none', () => {
  const month = monthOf(moved([5, -5, 5]));
  const premium = (at: number) => judge(month, [report({ feed: 'premium', at, facts: { price: '0.95', navPerShare: '1' } })], END);
  const soon = premium(START + DAY + HOUR);
  expect([soon.delays.get('premium'), soon.missed.get('premium'), soon.wrong]).toEqual([[Infinity, HOUR], 1, []]);
  expect(premium(START + 2 * DAY + HOUR).delays.get('premium')).toEqual([HOUR, Infinity]);
});

test('an alert whose figures were not so when they were read is wrong', () => {
  const month = monthOf(moved([5, -5]));
  const told = (price: string) =>
    judge(month, [report({ feed: 'premium', at: START + DAY + HOUR, facts: { price, navPerShare: '1' } })], END).wrong;
  expect(told('0.950000')).toEqual([]);
  expect(told('1.05')).toHaveLength(1);
});

test('a stage before its time is wrong; a stage that lasts is missed once it is over', () => {
  const month = monthOf({ ...moved([5]), markets: [market] });
  const at = (stage: string, moment: number) => report({ feed: 'proposals', topic: 'proposals/tide/tideMarket1', stage, at: moment });
  expect(judge(month, [at('live', LIVE - MINUTE)], END).wrong).toHaveLength(1);
  const late = judge(
    month,
    ['created', 'live', 'ending', 'passed'].map((stage) => at(stage, LIVE + 4 * DAY)),
    END,
  );
  expect([late.marketEvents, late.marketEventsMissed, late.missed.get('proposals')]).toEqual([5, 1, 1]);
  expect(judge(month, [], END).marketEventsMissed).toBe(5);
});

test('one event in two messages of a chat is doubled; in an edit, or in another chat, it is not', () => {
  const month = monthOf({ ...moved([5]), supply: [{ id: 7, at: START + DAY, usd: 5_000, tokens: 5_000, isIn: true }] });
  const mint = report({ feed: 'supply', id: 'supply/tide/7', at: START + DAY + HOUR, facts: { supplyAfter: '10005000' } });
  expect(judge(month, [mint, { ...mint, isEdit: true }, { ...mint, chat: 'b' }], END)).toMatchObject({ doubled: [], wrong: [] });
  expect(judge(month, [mint, mint], END).doubled).toEqual(['a supply/tide/7']);
});

test('what was not alerted waits for ever, unless it happened in the last day', () => {
  const mint = (at: number) => judge(monthOf({ ...moved([5]), supply: [{ id: 7, at, usd: 5_000, isIn: true }] }), [], END);
  expect([mint(END - 36 * HOUR).delays.get('supply'), mint(END - 36 * HOUR).missed.get('supply')]).toEqual([[Infinity], 1]);
  expect([mint(END - 12 * HOUR).delays.get('supply'), mint(END - 12 * HOUR).missed.get('supply')]).toEqual([undefined, undefined]);
});

test.each([12, 31])('a drawn month of %i projects has all kinds of events, and is the same each time', (count) => {
  const month = drawMonth(count);
  expect(happeningsOf(drawMonth(count), END).map(({ at }) => at)).toEqual(happeningsOf(month, END).map(({ at }) => at));
  const kinds = new Map<string, number>();
  for (const { kind } of happeningsOf(month, END)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  for (const kind of ['premium', 'supply', 'proposals', 'launches', 'other']) expect(kinds.get(kind)).toBeGreaterThan(10);
  expect(kinds.get('runway')).toBeGreaterThan(0);
});
