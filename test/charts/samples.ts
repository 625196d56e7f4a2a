/** One chart of each kind the bot draws, with plausible figures made by arithmetic alone, and some that are meant to be hard to set. */
import { DAY, HOUR, instant } from '../../src/base/clock.js';
import { chartSchema, type Chart } from '../../src/chat/chart.js';
import { decimal } from '../../src/domain/scalars.js';
import { marginChart } from '../../src/feeds/margin-chart.js';

const NOON = Date.UTC(2026, 10, 20, 12);
const days = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => NOON - (count - 1 - index) * DAY);
const hours = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => NOON - (count - 1 - index) * HOUR);
/** Something between -1 and 1 that wanders and always the same way. */
const wave = (index: number, salt = 1): number =>
  Math.sin(index / 7 + salt) * 0.5 + Math.sin(index / 3.1 + salt * 2) * 0.3 + Math.sin(index * 1.7 + salt * 5) * 0.2;
const at = <T>(moments: readonly number[], value: (index: number) => T): [number, T][] =>
  moments.map((moment, index) => [moment, value(index)]);
const sumOf = (values: readonly number[], upTo: number): number => values.slice(0, upTo + 1).reduce((sum, value) => sum + value, 0);

const quarter = days(90);
const nav = at(quarter, (index) => 0.94 + Math.floor(index / 12) * 0.012);
const price = at(quarter, (index) => 0.93 + wave(index) * 0.16 - index * 0.0009);
const gaps = price.map(([moment, value], index) => ({ moment, value, gap: (value / (nav[index]?.[1] ?? 1) - 1) * 100 }));
const lowest = gaps.reduce((low, one) => (one.gap < low.gap ? one : low));
const highest = gaps.reduce((high, one) => (one.gap > high.gap ? one : high));

const events = [
  [12, 486_210],
  [31, -20_140],
  [47, 150_000],
  [48, -60_000],
  [80, -310_000],
] as const;
const minted = at(quarter, (index) => Math.max(0, events.find(([day]) => day === index)?.[1] ?? 0) || null);
const burned = at(quarter, (index) => Math.min(0, events.find(([day]) => day === index)?.[1] ?? 0) || null);
const supply = at(quarter, (index) => 12_899_934 + events.filter(([day]) => day <= index).reduce((sum, [, amount]) => sum + amount, 0));

const market = hours(96);
const pass = at(market, (index) => 0.84 + wave(index, 2) * 0.02 + index * 0.0003);
const fail = at(market, (index) => 0.83 + wave(index, 3) * 0.015);
const edge = at(market, (index) => (((pass[index]?.[1] ?? 1) - (fail[index]?.[1] ?? 1)) / (fail[index]?.[1] ?? 1)) * 100);
const margin = marginChart(
  'twap',
  {
    ...{ name: 'Tidewater', endsAt: instant(NOON + 19 * HOUR), passEdge: decimal('2.1'), threshold: decimal('1.5') },
    margins: market.slice(40, -1).map((moment, index) => [instant(moment), decimal((wave(index, 3) * 1.4).toFixed(2))]),
  },
  instant(NOON),
);
if (margin === undefined) throw new Error('the margin has no chart');
const tilt = market.map((_, index) => wave(index, 4) * 4_000 + 300);
const months = ['Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov'];
const unlocks = Array.from({ length: 12 }, (_, index) => Date.UTC(2026, 11 + index, 1));

const drafts = {
  premium: {
    kind: 'xy',
    title: 'TIDE trades 17.2% below NAV, wider than on 91% of the days of the last three months',
    series: [
      { name: 'price', draw: 'line', unit: 'usd', points: price },
      { name: 'NAV/share', draw: 'step', unit: 'usd', tone: 'second', points: nav },
    ],
    gap: true,
    gapNames: { up: 'above NAV', down: 'below NAV' },
    marks: [
      { name: `low −${Math.abs(lowest.gap).toFixed(1)} %`, series: 0, at: lowest.moment, value: lowest.value, side: 'below' },
      { name: `high +${highest.gap.toFixed(1)} %`, series: 0, at: highest.moment, value: highest.value },
    ],
  },
  'treasury-history': {
    kind: 'xy',
    title: "Tidewater's treasury is worth $5.77M, −4.1% in 30 days",
    series: [
      { name: 'treasury', draw: 'area', unit: 'usd', points: at(days(200), (index) => 5.9e6 + wave(index / 4) * 4e5 + index * 1_200) },
    ],
  },
  allocation: {
    kind: 'shares',
    title: "85% of Tidewater's treasury is USDC",
    subtitle: 'own token not counted',
    unit: 'usd',
    parts: [
      { name: 'USDC', value: 4_896_232 },
      { name: 'LP: SOL-USDC', value: 610_000 },
      { name: 'SOL', value: 154_020 },
      { name: 'JitoSOL', value: 61_420 },
      { name: 'WBTC', value: 22_000 },
      { name: 'BONK', value: 12_000 },
      { name: 'JUP', value: 9_800 },
      { name: 'dust', value: 800 },
    ],
  },
  supply: {
    kind: 'xy',
    title: '13.1M TIDE circulate, +1.9% since the chart begins',
    series: [
      { name: 'circulating', draw: 'step', unit: 'tokens', points: supply },
      { name: 'minted', draw: 'bar', unit: 'tokens', axis: 'below', tone: 'up', stack: 'events', points: minted },
      { name: 'burned', draw: 'bar', unit: 'tokens', axis: 'below', tone: 'down', stack: 'events', points: burned },
    ],
    axisNames: { left: 'TIDE in circulation', below: 'minted and burned, TIDE' },
  },
  finances: {
    kind: 'xy',
    title: 'Tidewater spent $12.4K more than it earned in November',
    categories: months,
    series: [
      { name: 'revenue', draw: 'bar', unit: 'usd', tone: 'up', points: months.map((_, index) => [index, 42_000 + wave(index) * 9_000]) },
      {
        name: 'expenses',
        draw: 'bar',
        unit: 'usd',
        tone: 'down',
        points: months.map((_, index) => [index, 47_000 + wave(index, 3) * 11_000]),
      },
    ],
  },
  growth: {
    kind: 'xy',
    title: 'Tidewater, daily traders: 3,105 on Nov 20 (+38% on the 7-day mean)',
    series: [
      {
        name: 'daily traders',
        draw: 'line',
        unit: 'count',
        points: at(days(30), (index) => ([6, 7, 15, 17, 24].includes(index) ? null : Math.round(2_200 + wave(index) * 900 + index * 20))),
      },
    ],
    axisNames: { left: 'traders a day' },
  },
  'growth-sparse': {
    kind: 'xy',
    title: 'Heron Flats, fees: $10.50 on Nov 20',
    series: [
      { name: 'fees', draw: 'line', unit: 'usd', points: at(days(7), (index) => [12.5, null, 0, null, null, 9.25, 10.5][index] ?? null) },
    ],
  },
  'token-flow': {
    kind: 'xy',
    title: '"fund-1" added to its ALDR: 1,000 ALDR net over the last 31 days',
    series: [
      {
        name: 'held',
        draw: 'step',
        unit: 'tokens',
        points: at(days(31), (index) => 4_000 + (index > 9 ? 1_500 : 0) - (index > 21 ? 500 : 0)),
      },
      {
        name: 'in',
        draw: 'bar',
        unit: 'tokens',
        axis: 'below',
        tone: 'up',
        stack: 'flow',
        points: at(days(31), (index) => (index === 10 ? 1_500 : null)),
      },
      {
        name: 'out',
        draw: 'bar',
        unit: 'tokens',
        axis: 'below',
        tone: 'down',
        stack: 'flow',
        points: at(days(31), (index) => (index === 22 ? -500 : null)),
      },
    ],
    axisNames: { left: 'ALDR held', below: 'ALDR in and out' },
  },
  'proposal-price': {
    kind: 'xy',
    title: '"Fund the second audit" would pass: +2.1% against +1.5% needed',
    series: [
      { name: 'pass', draw: 'line', unit: 'usd', tone: 'up', points: pass },
      { name: 'fail', draw: 'line', unit: 'usd', tone: 'second', points: fail },
      { name: 'pass edge', draw: 'line', unit: 'percent', axis: 'below', tone: 'main', points: edge },
    ],
    gap: true,
    spans: [{ name: 'TWAP window', from: NOON - 48 * HOUR, to: NOON }],
    levels: [{ name: 'needs +1.5%', value: 1.5, axis: 'below' }],
    axisNames: { below: 'pass edge' },
  },
  'proposal-margin': margin,
  'proposal-flow': {
    kind: 'xy',
    title: 'Money leans towards pass: $28.1K net so far',
    series: [
      { name: 'net so far', draw: 'area', unit: 'usd', points: at(market, (index) => sumOf(tilt, index)) },
      { name: 'in the hour', draw: 'bar', unit: 'usd', axis: 'below', tone: 'quiet', points: at(market, (index) => tilt[index] ?? 0) },
    ],
    axisNames: { left: 'pass above zero, fail below', below: 'in the hour' },
  },
  conviction: {
    kind: 'xy',
    title: 'Conviction turned to fail in the last day',
    series: [
      { name: 'net pass-aligned flow', draw: 'bar', unit: 'usd', points: at(market, (index) => wave(index, 4) * 4_000 - index * 20) },
    ],
    axisNames: { left: 'net pass-aligned flow in the hour' },
  },
  frequency: {
    kind: 'xy',
    title: 'Most traders traded once',
    categories: ['1', '2', '3', '4–5', '6–10', '11+'],
    series: [{ name: 'traders', draw: 'bar', unit: 'count', points: [24, 9, 4, 3, 1, 1].map((value, index) => [index, value]) }],
    axisNames: { left: 'traders', x: 'trades by one trader' },
  },
  contributors: {
    kind: 'xy',
    title: '9,120 of 10,438 contributors put in less than $1,000',
    categories: ['$0–100', '$100–1,000', '$1,000–5,000', '$5,000–10,000', '$10,000–50,000', '$50,000–100,000', '$100,000+'],
    series: [
      { name: 'wallets', draw: 'bar', unit: 'count', points: [5_210, 3_910, 1_002, 210, 88, 15, 3].map((value, index) => [index, value]) },
    ],
    axisNames: { left: 'wallets', x: 'contribution in USDC' },
  },
  unlocks: {
    kind: 'xy',
    title: '4.2M TIDE unlock within a year, the most in March',
    series: (['team', 'investors', 'performance package'] as const).map((name, place) => ({
      name,
      draw: 'bar' as const,
      unit: 'tokens' as const,
      tone: (['main', 'second', 'third'] as const)[place],
      stack: 'unlocks',
      points: at(unlocks, (index) => (place === 1 && index > 7 ? null : 80_000 + 60_000 * place + (index === 3 ? 400_000 : 0))),
    })),
    axisNames: { left: 'TIDE a month' },
  },
  combined: {
    kind: 'xy',
    title: 'All projects: market cap $71.2M, treasuries $58.4M',
    series: [
      { name: 'market cap', draw: 'line', unit: 'usd', points: at(days(365), (index) => 6.2e7 + wave(index / 5) * 9e6 + index * 2e4) },
      {
        name: 'treasuries',
        draw: 'line',
        unit: 'usd',
        tone: 'second',
        points: at(days(365), (index) => 5.1e7 + wave(index / 9, 2) * 3e6 + index * 2e4),
      },
    ],
  },
  hard: {
    kind: 'xy',
    title:
      '🚀 月球 Moon "Ｆｕｌｌ" Ünïcode 𝓜𝓪𝓽𝓱 trades 1,204% above the value of what stands behind it, and this title does not want to end, not even here, where no room is left at all for it',
    subtitle: 'a price far below a cent, and names that no font has',
    series: [
      { name: '🚀', draw: 'line', unit: 'usd', points: at(hours(24), (index) => 0.00001234 + wave(index) * 0.000002) },
      {
        name: '日本語トークン',
        draw: 'line',
        unit: 'usd',
        tone: 'second',
        points: at(hours(24), (index) => 0.0000121 + wave(index, 3) * 0.000001),
      },
      {
        name: 'مرحبا holders',
        draw: 'line',
        unit: 'usd',
        tone: 'third',
        points: at(hours(24), (index) => 0.0000122 + wave(index, 4) * 0.000001),
      },
    ],
  },
  card: {
    kind: 'ranges',
    title: '5 of 14 projects trade below NAV',
    subtitle: 'Premium, 1Y low to high · tick: NAV · tail: since Nov 19, 09:00',
    unit: 'percent',
    middle: 0,
    rows: [
      { name: 'HERN', low: -12.4, high: 61.2, value: 3.2, before: -0.9 },
      { name: 'SPRAWL', note: '60D', low: 120.4, high: 1_240, value: 180, before: 210 },
      { name: 'TIDE', low: -30.5, high: 12, value: -17.2, before: -11.1 },
      { name: 'COASTALWATERS', low: -8, high: -0.46, value: -0.46, before: -1.3 },
      { name: 'REEF', low: -48.1, high: 22.7, value: -48.1, before: -40.3 },
      { name: '月球', low: -3.1, high: -3.1, value: -3.1 },
    ],
    foot: '6 of 14 projects, those that moved most',
    items: {
      title: 'Live votes',
      rows: [
        { name: 'Hire a treasury steward', value: 'passing by 1.4 pts', tone: 'up', note: 'Tidewater · ends Nov 20, 14:05 CET, in 5 h' },
        {
          name: 'Buy back below NAV with a tenth of the treasury, and stop when the runway is under a year',
          ...{ value: 'failing by 3.3 pts', tone: 'down', note: 'Heron · ends Nov 22, 09:30 CET, in 2 d' },
        },
        { name: 'Fund the second audit', value: 'live', tone: 'quiet', note: 'Reef · ends Nov 24, 18:00 CET, in 4 d' },
      ],
    },
  },
  'card-alone': {
    kind: 'ranges',
    title: 'TIDE trades 17.2% below NAV',
    subtitle: 'Premium, 1Y low to high · tick: NAV · tail: since Nov 19, 09:00',
    unit: 'percent',
    middle: 0,
    rows: [{ name: 'TIDE', low: -30.5, high: 12, value: -17.2, before: -11.1 }],
  },
  flat: {
    kind: 'xy',
    title: 'Nothing moved',
    series: [{ name: 'supply', draw: 'line', unit: 'tokens', points: at(days(2), () => 100_000_000) }],
  },
  empty: { kind: 'xy', title: 'No day has data', series: [{ name: 'fees', draw: 'line', unit: 'usd', points: at(days(7), () => null) }] },
} satisfies Record<string, unknown>;

/** By name, in the order of the issue. */
export const SAMPLES: Readonly<Record<string, Chart>> = Object.fromEntries(
  Object.entries(drafts).map(([name, draft]) => [name, chartSchema.parse(draft)]),
);
