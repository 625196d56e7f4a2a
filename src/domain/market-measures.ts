/** The measures of a decision market, a row each. Each market is a separate topic of its project, and its values end with it. */
import { absolute, subtract } from './decimal.js';
import { exact, percent, points, pointsText, price, share, usd } from './format.js';
import { verdict } from './market-phase.js';
import { DOLLARS, PERCENT, plain, type MeasureSpec } from './measure-spec.js';
import type { Decimal } from './scalars.js';

const ofMarket = { ...plain, kind: 'proposals', of: 'topic' } as const satisfies Partial<MeasureSpec>;

const marginWords = (margin: Decimal): string => verdict('live', margin);

/** The distance to the pass threshold in points; negative is failing. */
const marginSpec = {
  ...ofMarket,
  flips: true,
  recent: true,
  name: 'margin',
  threshold: {
    least: '-100',
    most: '100',
    unit: 'points',
    hysteresis: {
      least: '0.1',
      most: '50',
      unit: 'points',
      usual: { fixed: '0.5' },
      offered: ['0.5', '1', '2'],
      example: 'margin<2 band 0.5',
    },
    examples: ['margin<2', 'flip', 'margin move 3 in 1h'],
    zero: { name: 'the pass threshold', value: marginWords },
    adjective: (threshold) => `${exact(threshold)}-point`,
  },
  move: { least: '0.1', most: '100', unit: 'points', by: 'difference', example: 'margin move 3' },
  value: marginWords,
  brief: points,
  before: (from) => marginWords(from),
  subject: (who) => `The margin of ${who}`,
  moved: (since, now) => ` by ${pointsText(absolute(subtract(now, since)))}`,
} satisfies MeasureSpec;

/** The pass price minus the fail price, in percent of the fail price. */
const worthSpec = {
  ...ofMarket,
  recent: true,
  name: 'worth of passing',
  threshold: {
    least: '-100',
    most: '10000',
    unit: '%',
    hysteresis: { least: '0.1', most: '100', unit: 'points', usual: { fixed: '0.5' }, offered: [], example: 'worth>2 band 0.5' },
    examples: ['worth>2'],
  },
  move: { least: '0.1', most: '10000', unit: 'points', by: 'difference', example: 'worth move 2' },
  value: (value) => `passing is priced at ${percent(value)}`,
  brief: percent,
  before: (from) => percent(from),
  subject: (who) => `The worth of passing ${who}`,
  moved: (since, now) => ` by ${pointsText(absolute(subtract(now, since)))}`,
} satisfies MeasureSpec;

const priceOfOutcome = (outcome: 'pass' | 'fail') =>
  ({
    ...ofMarket,
    name: `${outcome} price`,
    threshold: {
      ...DOLLARS,
      least: '0',
      hysteresis: { ...DOLLARS, least: '0.000000000001', usual: { percent: '2' }, offered: [], example: `${outcome}>1.5 band 0.05` },
      examples: [`${outcome}>1.5`],
    },
    move: { ...PERCENT, by: 'percent', example: `${outcome} move 5%` },
    value: price,
    brief: price,
    before: (from: Decimal) => price(from),
    subject: (who: string) => `${who} ${outcome} price`,
  }) as const satisfies MeasureSpec;

/** The value is in USD since the market opened. */
const volumeSpec = {
  ...ofMarket,
  grows: true,
  name: 'volume',
  threshold: {
    ...DOLLARS,
    least: '0',
    hysteresis: { ...DOLLARS, usual: { percent: '10' }, offered: [], example: 'volume>50000 band 5000' },
    examples: ['volume>50000'],
  },
  move: { ...PERCENT, by: 'percent', example: 'volume move 50%' },
  value: usd,
  brief: usd,
  before: (from) => usd(from),
  subject: (who) => `The volume of ${who}`,
} satisfies MeasureSpec;

const tradersSpec = {
  ...ofMarket,
  grows: true,
  name: 'traders',
  threshold: {
    least: '0',
    most: '1000000',
    unit: '',
    hysteresis: { least: '1', most: '100000', unit: '', usual: { fixed: '5' }, offered: [], example: 'traders>100 band 5' },
    examples: ['traders>100'],
  },
  move: { least: '1', most: '100000', unit: '', by: 'difference', example: 'traders move 20' },
  value: (value) => `${exact(value)} traders`,
  brief: exact,
  before: (from) => exact(from),
  subject: (who) => `The number of traders of ${who}`,
  moved: (since, now) => ` by ${exact(absolute(subtract(now, since)))}`,
} satisfies MeasureSpec;

/** The stake of a draft in percent of what it needs to go live. */
const stakeSpec = {
  ...ofMarket,
  name: 'stake',
  threshold: {
    least: '0',
    most: '1000',
    unit: '%',
    hysteresis: { least: '0.1', most: '100', unit: 'points', usual: { fixed: '5' }, offered: [], example: 'stake>80 band 5' },
    examples: ['stake>80'],
  },
  move: { least: '0.1', most: '1000', unit: 'points', by: 'difference', example: 'stake move 10' },
  value: (value) => `${share(value)} of the stake needed`,
  brief: share,
  before: (from) => share(from),
  subject: (who) => `The stake of ${who}`,
  moved: (since, now) => ` by ${pointsText(absolute(subtract(now, since)))}`,
} satisfies MeasureSpec;

/** The size of a single trade in USD. */
const tradeSpec = {
  ...ofMarket,
  each: true,
  name: 'trade',
  threshold: {
    ...DOLLARS,
    least: '0',
    hysteresis: { ...DOLLARS, usual: { percent: '10' }, offered: [], example: 'trade>10000' },
    examples: ['trade>10000'],
  },
  move: { ...PERCENT, by: 'percent', example: 'trade>10000' },
  value: usd,
  brief: usd,
  before: (from) => usd(from),
  subject: (who) => `A trade on ${who}`,
} satisfies MeasureSpec;

export const MARKET_TABLE = {
  margin: marginSpec,
  worth: worthSpec,
  pass: priceOfOutcome('pass'),
  fail: priceOfOutcome('fail'),
  volume: volumeSpec,
  traders: tradersSpec,
  stake: stakeSpec,
  trade: tradeSpec,
} satisfies Record<string, MeasureSpec>;
