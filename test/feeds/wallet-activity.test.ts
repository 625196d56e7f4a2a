import { describe, expect, test } from 'vitest';
import type { Participation, WalletMarket } from '../../src/analytics/endpoints/wallet-activity.js';
import { HOUR, later, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import {
  diffIcos,
  diffMarkets,
  icosWatermarkSchema,
  marketsWatermarkSchema,
  type IcosWatermark,
  type MarketsWatermark,
} from '../../src/feeds/wallet-activity.js';
import { NOON } from './reading.js';

const hour = (n: number): Instant => later(NOON, n * HOUR);

const market = (publicKey: string, extra: Partial<WalletMarket> = {}): WalletMarket => ({
  ...{ id: undefined, publicKey, title: 'Fund the second audit', state: 'live', project: 'Tidewater', slug: 'tide', symbol: 'TIDE' },
  ...{ net: undefined, side: 'pass', passVolume: undefined, failVolume: undefined, volume: undefined, trades: undefined },
  ...{ volumeShare: undefined, lastTradeAt: undefined, twapStartsAt: undefined, ...extra },
});
const ico = (launch: string, at?: Instant): Participation => ({
  ...{ launch, slug: 'heron', project: 'Heron Flats', symbol: 'HERN', contribution: decimal('1000'), refund: undefined },
  ...{ allocation: undefined, at },
});

interface Seen<T> {
  readonly rows: readonly T[];
  readonly whole?: boolean;
}
/** What each of these lists finds, the watermark going through JSON in between. */
const traded = (...lists: readonly Seen<WalletMarket>[]) => {
  let watermark: MarketsWatermark | undefined;
  return lists.map(({ rows, whole = true }) => {
    const after = diffMarkets(watermark, { rows, whole });
    watermark = marketsWatermarkSchema.parse(JSON.parse(JSON.stringify(after.watermark)));
    return after.traded.map(({ key, trades, lastAt, more, moreVolume }) => ({ key, trades, lastAt, more, moreVolume }));
  });
};
const joined = (...lists: readonly Seen<Participation>[]) => {
  let watermark: IcosWatermark | undefined;
  return lists.map(({ rows, whole = true }) => {
    const after = diffIcos(watermark, { rows, whole });
    watermark = icosWatermarkSchema.parse(JSON.parse(JSON.stringify(after.watermark)));
    return after.joined.map(({ key }) => key);
  });
};
const keys = (found: ReturnType<typeof traded>) => found.map((events) => events.map(({ key }) => key));

describe('trades', () => {
  test('a list that shows a proposal twice counts the row with more trades, or with the later trade, once', () => {
    const [old, grown] = [market('p1', { trades: 2, lastTradeAt: hour(1) }), market('p1', { trades: 5, lastTradeAt: hour(2) })];
    for (const rows of [
      [old, grown],
      [grown, old],
    ])
      expect(traded({ rows: [] }, { rows })).toMatchObject([[], [{ key: 'p1', trades: 5, lastAt: hour(2), more: 5 }]]);
    const later = market('p1', { trades: 2, lastTradeAt: hour(3) });
    for (const rows of [
      [old, later],
      [later, old],
    ])
      expect(traded({ rows: [] }, { rows })).toMatchObject([[], [{ key: 'p1', trades: 2, lastAt: hour(3) }]]);
  });

  test('an undated proposal is new only once a list has been whole, and is known from then on', () => {
    const rows = [market('p1', { trades: 1 })];
    expect(keys(traded({ rows: [] }, { rows }))).toEqual([[], ['p1']]);
    expect(keys(traded({ rows: [], whole: false }, { rows }, { rows }))).toEqual([[], [], []]);
    const other = [...rows, market('p2', { trades: 1 })];
    expect(keys(traded({ rows: [], whole: false }, { rows }, { rows: other }))).toEqual([[], [], ['p2']]);
    // A list that was cut short does not undo that.
    expect(keys(traded({ rows: [] }, { rows: [], whole: false }, { rows }))).toEqual([[], [], ['p1']]);
  });

  test('a dated proposal is new though no list has been whole, and so are more trades on an undated one that is known', () => {
    expect(keys(traded({ rows: [], whole: false }, { rows: [market('p1', { trades: 1, lastTradeAt: hour(1) })], whole: false }))).toEqual([
      [],
      ['p1'],
    ]);
    const of = (trades: number) => ({ rows: [market('p1', { trades })], whole: false });
    expect(keys(traded(of(1), of(2)))).toEqual([[], ['p1']]);
  });

  test('a proposal without trades is none until there are some', () => {
    const of = (trades: number, lastTradeAt?: Instant) => ({ rows: [market('p1', { trades, lastTradeAt })] });
    expect(traded({ rows: [] }, of(0), of(2, hour(1)))).toMatchObject([[], [], [{ trades: 2, more: 2 }]]);
  });

  test('without a count the date of the last trade shows that there were more, and without both the volume', () => {
    const dated = (lastTradeAt: Instant) => ({ rows: [market('p1', { lastTradeAt })] });
    expect(traded(dated(hour(1)), dated(hour(1)), dated(hour(2)), dated(hour(1)))).toEqual([
      [],
      [],
      [{ key: 'p1', trades: undefined, lastAt: hour(2), more: undefined, moreVolume: undefined }],
      [],
    ]);
    const worth = (volume: string | undefined) => ({
      rows: [market('p1', { volume: volume === undefined ? undefined : decimal(volume) })],
    });
    expect(traded(worth(undefined), worth('10'), worth('10'), worth('25'), worth('20'), worth(undefined))).toMatchObject([
      [],
      [{ key: 'p1', moreVolume: '10' }],
      [],
      [{ key: 'p1', moreVolume: '15' }],
      [],
      [],
    ]);
  });

  test('a count or a date that stays as it was is not overruled by the volume, which may be restated', () => {
    const counted = (volume: string) => ({ rows: [market('p1', { trades: 3, volume: decimal(volume) })] });
    expect(keys(traded(counted('10'), counted('25')))).toEqual([[], []]);
    const dated = (volume: string) => ({ rows: [market('p1', { lastTradeAt: hour(1), volume: decimal(volume) })] });
    expect(keys(traded(dated('10'), dated('25')))).toEqual([[], []]);
  });

  test('what a later list does not state stays known: the volume, the count and the date', () => {
    const first = { rows: [market('p1', { trades: 2, lastTradeAt: hour(1), volume: decimal('10') })] };
    const bare = { rows: [market('p1', { trades: 3 })] };
    const last = { rows: [market('p1', { trades: 4, lastTradeAt: hour(2), volume: decimal('16') })] };
    expect(traded(first, bare, last)).toEqual([
      [],
      [{ key: 'p1', trades: 3, lastAt: hour(1), more: 1, moreVolume: '0' }],
      [{ key: 'p1', trades: 4, lastAt: hour(2), more: 1, moreVolume: '6' }],
    ]);
  });

  test('are found in the order of their last trade, those without one first, by key where that is the same', () => {
    const rows = [
      market('p4', { trades: 9, lastTradeAt: hour(2) }),
      market('p2', { trades: 1, lastTradeAt: hour(1) }),
      market('p3', { trades: 3, lastTradeAt: hour(1) }),
      market('p1', { trades: 2 }),
    ];
    for (const list of [rows, rows.toReversed()]) expect(keys(traded({ rows: [] }, { rows: list }))[1]).toEqual(['p1', 'p2', 'p3', 'p4']);
  });
});

describe('ICOs', () => {
  test('an undated one is new only once a list has been whole; a dated one always is', () => {
    const rows = [ico('l1')];
    expect(joined({ rows: [] }, { rows })).toEqual([[], ['l1']]);
    expect(joined({ rows: [], whole: false }, { rows }, { rows: [...rows, ico('l2')] })).toEqual([[], [], ['l2']]);
    expect(joined({ rows: [] }, { rows: [], whole: false }, { rows })).toEqual([[], [], ['l1']]);
    expect(joined({ rows: [], whole: false }, { rows: [ico('l1', hour(1))], whole: false })).toEqual([[], ['l1']]);
  });

  test('are found in the same order whatever the order of the list', () => {
    const rows = [ico('l2', hour(1)), ico('l1', hour(2)), ico('l3')];
    for (const list of [rows, rows.toReversed()]) expect(joined({ rows: [] }, { rows: list })[1]).toEqual(['l1', 'l2', 'l3']);
  });
});
