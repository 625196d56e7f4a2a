import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, instant, later, MINUTE, SECOND, type Instant } from '../../src/base/clock.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { decimal } from '../../src/domain/scalars.js';
import { walletAddress } from '../../src/domain/wallet.js';
import type { WalletHolding } from '../../src/analytics/endpoints/wallets.js';
import type { WalletMarket } from '../../src/analytics/endpoints/wallet-activity.js';
import { wallet } from '../../src/feeds/wallet.js';
import { answerPage, answerWith, connect, reply, serve, type Asked } from '../support/service.js';
import { alertLines, background, found, hastyClock, idsOf, snapshotOf, NOON, alerted } from './reading.js';

const { spec } = wallet;
type Snapshot = Awaited<ReturnType<typeof spec.read>>['data'];
const ADDRESS = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
const SUBJECT = { address: ADDRESS };

const holding = (token: string, balance: string, extra: Partial<WalletHolding> = {}): WalletHolding => ({
  token,
  symbol: token.toUpperCase(),
  name: token,
  slug: token,
  balance: decimal(balance),
  price: decimal('0.5'),
  rank: 12,
  ofSupply: decimal('0.01'),
  value: undefined,
  basketShare: undefined,
  syncedAt: undefined,
  ...extra,
});
const market = (publicKey: string, trades: number, lastTradeAt: Instant, extra: Partial<WalletMarket> = {}): WalletMarket => ({
  ...{ id: undefined, publicKey, title: 'Fund the second audit', state: 'live', project: 'Tidewater', slug: 'tide', symbol: 'TIDE' },
  ...{ net: decimal('120'), side: 'pass', passVolume: undefined, failVolume: undefined, volume: decimal(String(trades * 100)), trades },
  ...{ volumeShare: undefined, lastTradeAt, twapStartsAt: undefined, ...extra },
});
const ico = (launch: string, extra = {}) => ({
  ...{ launch, slug: 'heron', project: 'Heron Flats', symbol: 'HERN', contribution: decimal('1000'), refund: undefined },
  ...{ allocation: undefined, at: NOON, ...extra },
});

/** Snapshot number `n` is made at the n-th hour and seen a minute later. */
const hour = (n: number): Instant => later(NOON, n * HOUR);
interface Seen {
  readonly snapshot: number;
  readonly rows: readonly WalletHolding[];
  readonly seen?: Instant;
  readonly whole?: boolean;
  readonly ranked?: boolean;
  readonly rest?: Partial<Snapshot>;
}
const see = ({ snapshot, rows, seen = later(hour(snapshot), MINUTE), whole = true, ranked = true, rest = {} }: Seen) =>
  snapshotOf<Snapshot>({ holdings: { rows, snapshotAt: hour(snapshot), whole, ranked }, ...rest }, { at: seen });
const ids = (checkRecords: readonly ReturnType<typeof see>[]) => idsOf(spec, checkRecords, SUBJECT);
const of = (token: string, n: number, what = ''): string => `wallet/${ADDRESS}/${token}/${hour(n)}${what}`;
const stages = (checkRecords: readonly ReturnType<typeof see>[]) =>
  found(spec, checkRecords, SUBJECT).map((events) => events.map(({ stage }) => stage));

describe('holdings', () => {
  test('what changed since a snapshot that was old already when the watch began is no event, and what changes from then on is', () => {
    const late = later(hour(72), MINUTE);
    expect(
      stages([
        see({ snapshot: 0, rows: [holding('tide', '100')], seen: late }),
        see({ snapshot: 73, rows: [holding('tide', '250')] }),
        see({ snapshot: 74, rows: [holding('tide', '251')] }),
      ]),
    ).toEqual([[], [], ['balance']]);
  });

  test('the first check returns no events, nor does a snapshot that changed nothing', () => {
    const rows = [holding('tide', '100'), holding('aldr', '5')];
    expect(ids([see({ snapshot: 0, rows }), see({ snapshot: 1, rows }), see({ snapshot: 2, rows })])).toEqual([[], [], []]);
  });

  test('a balance that changed, a new holding and an exit are each reported once, by the snapshot that shows them', () => {
    const checkRecords = [
      see({ snapshot: 0, rows: [holding('tide', '100'), holding('aldr', '5')] }),
      see({ snapshot: 1, rows: [holding('tide', '150'), holding('aldr', '5'), holding('hern', '7')] }),
      see({ snapshot: 2, rows: [holding('tide', '150'), holding('aldr', '0'), holding('hern', '7')] }),
      see({ snapshot: 3, rows: [holding('tide', '150'), holding('hern', '7')] }),
    ];
    expect(ids(checkRecords)).toEqual([[], [of('hern', 1), of('tide', 1)], [of('aldr', 2)], []]);
    expect(stages(checkRecords)).toEqual([[], ['new', 'balance'], ['exit'], []]);
  });

  test('the first snapshot that the service ever makes of a wallet is no event', () => {
    const never = snapshotOf<Snapshot>({ holdings: { rows: [], snapshotAt: undefined, whole: true, ranked: true } });
    expect(ids([never, see({ snapshot: 1, rows: [holding('tide', '100')] }), see({ snapshot: 2, rows: [holding('tide', '90')] })])).toEqual(
      [[], [], [of('tide', 2)]],
    );
  });

  test('an empty or shorter list deletes nothing until two complete checks agree', () => {
    const rows = [holding('tide', '100'), holding('aldr', '5')];
    const first = see({ snapshot: 0, rows });
    const empty = see({ snapshot: 1, rows: [] });
    const again = { ...empty, at: later(empty.at, 15 * MINUTE) };
    expect(stages([first, empty, again])).toEqual([[], [], ['exit', 'exit']]);
    // The same answer seen twice is one piece of evidence.
    expect(stages([first, empty, empty, empty])).toEqual([[], [], [], []]);
    // A list that was cut short is none, and neither is one of the snapshot that is known.
    const short = see({ snapshot: 1, rows: [], whole: false });
    expect(stages([first, short, { ...short, at: again.at }])).toEqual([[], [], []]);
    const same = see({ snapshot: 0, rows: [], seen: later(NOON, HOUR) });
    expect(stages([first, same, { ...same, at: later(NOON, 2 * HOUR) }])).toEqual([[], [], []]);
    // What comes back in between was never gone.
    expect(stages([first, empty, see({ snapshot: 2, rows }), see({ snapshot: 3, rows: [] })])).toEqual([[], [], [], []]);
  });

  test('what left and comes back is a new holding', () => {
    const gone = see({ snapshot: 1, rows: [holding('tide', '0')] });
    const back = see({ snapshot: 2, rows: [holding('tide', '40')] });
    expect(stages([see({ snapshot: 0, rows: [holding('tide', '100')] }), gone, back])).toEqual([[], ['exit'], ['new']]);
  });

  test('a token is reported by its own time of measurement, so a token that is refreshed alone yields no events for the others', () => {
    const before = see({ snapshot: 0, rows: [holding('tide', '100', { syncedAt: hour(0) }), holding('aldr', '5', { syncedAt: hour(0) })] });
    // The list was read while the next snapshot was made: the time that was asked before is older than the rows.
    const torn = see({
      snapshot: 0,
      rows: [holding('tide', '120', { syncedAt: hour(1) }), holding('aldr', '5', { syncedAt: hour(0) })],
      seen: later(hour(1), MINUTE),
    });
    const whole = see({ snapshot: 1, rows: [holding('tide', '120', { syncedAt: hour(1) }), holding('aldr', '6', { syncedAt: hour(0) })] });
    expect(ids([before, torn, whole])).toEqual([[], [of('tide', 1)], []]);
  });

  test('a copy of an older snapshot says nothing', () => {
    const checkRecords = [
      see({ snapshot: 0, rows: [holding('tide', '100')] }),
      see({ snapshot: 2, rows: [holding('tide', '80')] }),
      see({ snapshot: 1, rows: [holding('tide', '100'), holding('aldr', '3')], seen: later(hour(2), 5 * MINUTE) }),
      see({ snapshot: 2, rows: [holding('tide', '80')], seen: later(hour(2), 9 * MINUTE) }),
    ];
    expect(ids(checkRecords)).toEqual([[], [of('tide', 2)], [], []]);
  });

  test('what an earlier check could not read is no new holding when it can be read', () => {
    const partly = see({ snapshot: 0, rows: [holding('tide', '100')], whole: false });
    const all = see({ snapshot: 1, rows: [holding('tide', '100'), holding('aldr', '5')] });
    expect(ids([partly, all])).toEqual([[], []]);
  });
});

describe('ranks', () => {
  const at = (n: number, rank: number, balance = '100', ranked = true) =>
    see({ snapshot: n, rows: [holding('tide', balance, { rank })], ranked });

  test('a rank that moved is reported; with a balance that changed it is part of that event', () => {
    expect(ids([at(0, 12), at(1, 10)])).toEqual([[], [of('tide', 1, '/rank')]]);
    const [, events] = found(spec, [at(0, 12), at(1, 10, '150')], SUBJECT);
    expect(events?.map(({ stage, facts }) => [stage, facts])).toMatchObject([['balance', { rank: 10, wasRank: 12 }]]);
  });

  test('after a refresh of one token no rank is reported, and the next whole one reports how far it moved in all', () => {
    const checkRecords = [at(0, 12), at(1, 9, '100', false), at(2, 8)];
    expect(ids(checkRecords)).toEqual([[], [], [of('tide', 2, '/rank')]]);
    expect(found(spec, checkRecords, SUBJECT)[2]?.[0]?.facts).toMatchObject({ rank: 8, wasRank: 12 });
  });

  test('a token that alone is younger than the others is known for a refresh of one token', () => {
    const row = (token: string, n: number, rank: number) => holding(token, '100', { rank, syncedAt: hour(n) });
    const checkRecords = [
      see({ snapshot: 0, rows: [row('tide', 0, 12), row('aldr', 0, 40)] }),
      see({ snapshot: 1, rows: [row('tide', 1, 9), row('aldr', 0, 40)] }),
      see({ snapshot: 2, rows: [row('tide', 2, 9), row('aldr', 2, 41)] }),
    ];
    expect(ids(checkRecords)).toEqual([[], [], [of('aldr', 2, '/rank'), of('tide', 2, '/rank')]]);
  });
});

describe('what a wallet did', () => {
  const base = { snapshot: 0, rows: [] };
  const marketsSnapshot = (rows: readonly WalletMarket[], n: number, whole = true) =>
    see({ ...base, seen: hour(n), rest: { markets: { rows, whole } } });

  test('trades on a market are reported by how many there are, with what came since', () => {
    const checkRecords = [
      marketsSnapshot([], 0),
      marketsSnapshot([market('p1', 2, hour(1))], 1),
      marketsSnapshot([market('p1', 5, hour(2))], 2),
    ];
    const id = `wallet/${ADDRESS}/trades/p1`;
    expect(ids(checkRecords)).toEqual([[], [`${id}/2@${hour(1)}`], [`${id}/5@${hour(2)}`]]);
    expect(found(spec, checkRecords, SUBJECT)[2]?.[0]).toMatchObject({
      topic: id,
      occurredAt: hour(2),
      facts: { slug: 'tide', trades: 5, more: 3, moreVolume: '300' },
    });
  });

  test('the same list again, in any order, reports nothing, nor does one that forgets', () => {
    const rows = [market('p1', 2, hour(1)), market('p2', 1, hour(1))];
    const checkRecords = [
      marketsSnapshot(rows, 1),
      marketsSnapshot(rows.toReversed(), 2),
      marketsSnapshot([], 3),
      marketsSnapshot([market('p1', 1, hour(0))], 4),
      marketsSnapshot(rows, 5),
    ];
    expect(ids(checkRecords).flat()).toEqual([]);
  });

  test('a part that could not be had at first begins silently when it can', () => {
    const checkRecords = [see(base), marketsSnapshot([market('p1', 2, hour(1))], 1), marketsSnapshot([market('p1', 3, hour(2))], 2)];
    expect(ids(checkRecords).map((events) => events.length)).toEqual([0, 0, 1]);
  });

  test('an ICO that was joined is reported once', () => {
    const check = (rows: readonly ReturnType<typeof ico>[], n: number) =>
      see({ ...base, seen: hour(n), rest: { icos: { rows, whole: true } } });
    const checkRecords = [
      check([ico('l1')], 0),
      check([ico('l1'), ico('l2')], 1),
      check([ico('l2'), ico('l1')], 2),
      check([], 3),
      check([ico('l2')], 4),
    ];
    expect(ids(checkRecords)).toEqual([[], [`wallet/${ADDRESS}/ico/l2`], [], [], []]);
  });
});

test('whatever order rows come in and however often a check is repeated, the events are the same', () => {
  const tokens = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 0, maxLength: 4 });
  const snapshot = fc.record({
    held: tokens,
    balances: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
    ranks: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 }),
    traded: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 2 }),
    seed: fc.array(fc.nat(5), { minLength: 4, maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(snapshot, { minLength: 1, maxLength: 6 }), fc.integer({ min: 2, max: 4 }), (snapshots, times) => {
      const check = (n: number, detectedAt: Instant, shuffled: boolean) => {
        const { held = [], balances = [], ranks = [], traded = [], seed = [] } = snapshots[n] ?? {};
        const rows = held.map((token, index) => holding(token, String(balances[index]), { rank: ranks[index] }));
        const markets = traded.map((count, index) => market(`p${index}`, count, hour(count)));
        const order = (index: number) => (shuffled ? (seed[index] ?? 0) : index);
        const mixed = <T>(all: readonly T[]): readonly T[] =>
          all
            .map((one, index) => ({ one, index }))
            .toSorted((a, b) => order(a.index) - order(b.index))
            .map(({ one }) => one);
        return see({ snapshot: n, rows: mixed(rows), seen: detectedAt, rest: { markets: { rows: mixed(markets), whole: true } } });
      };
      // Each snapshot is checked twice at least, which is what an exit takes.
      const checkRecords = (repeats: number, shuffled: boolean) =>
        snapshots.flatMap((_, n) => Array.from({ length: repeats }, (__, time) => check(n, later(hour(n), (time + 1) * MINUTE), shuffled)));
      const once = ids(checkRecords(2, false)).flat().toSorted();
      expect(ids(checkRecords(times, true)).flat().toSorted()).toEqual(once);
      expect(new Set(once).size).toBe(once.length);
    }),
  );
});

describe('a check', () => {
  const PREFIX = '/v1/trading-activity/special-wallet';
  const HOLDING = { tokenAddress: 'tide', tokenSymbol: 'TIDE', balance: 100.5, holderRank: '12', syncedAt: 1_795_262_411 };
  const answers = (asked: Asked, hides: readonly string[] = []): void => {
    if (hides.includes(asked.path)) return reply(asked, '{}', { status: 403 });
    if (asked.path === `${PREFIX}/holdings/overview`) return answerWith(asked, { holdingsLastUpdate: 1_795_262_411, needsRefresh: true });
    if (asked.path === `${PREFIX}/holdings`) return answerPage(asked, [HOLDING]);
    return answerPage(asked, []);
  };

  test('reads the time of the snapshot, every holding, and what the wallet did', async () => {
    const service = await serve((asked) => answers(asked));
    const { analytics } = await connect(service.url, { clock: hastyClock() });
    const at = instant(1_795_262_411 * SECOND);
    const { data: snapshot, complete, hidden, broken } = await spec.read(SUBJECT, background(analytics));
    expect({ complete, hidden, broken }).toEqual({ complete: true, hidden: 0, broken: 0 });
    expect(snapshot.holdings).toMatchObject({
      snapshotAt: at,
      whole: true,
      ranked: true,
      rows: [{ balance: '100.5', rank: 12, syncedAt: at }],
    });
    expect(service.asked.every(({ query }) => query.get('walletPublicKey') === ADDRESS)).toBe(true);
    const partial = await spec.read(SUBJECT, { ...background(analytics), unranked: () => [at] });
    expect(partial.data.holdings.ranked).toBe(false);
  });

  test('does without what the plan hides, but not without the holdings', async () => {
    const service = await serve((asked) => answers(asked, [`${PREFIX}/decision-markets`, `${PREFIX}/ico-participation`]));
    const { analytics } = await connect(service.url, { clock: hastyClock() });
    const { data: snapshot } = await spec.read(SUBJECT, background(analytics));
    expect([snapshot.markets, snapshot.icos, snapshot.holdings.rows.length]).toEqual([undefined, undefined, 1]);
    const poor = await serve((asked) => answers(asked, [`${PREFIX}/holdings`]));
    const other = await connect(poor.url, { clock: hastyClock() });
    await expect(spec.read(SUBJECT, background(other.analytics))).rejects.toMatchObject({ trouble: 'forbidden' });
  });

  test('of a project is refused loudly', async () => {
    await expect(spec.read('all', background({} as never))).rejects.toThrow('per-wallet');
  });
});

describe('in words', () => {
  const [, changed = []] = found(
    spec,
    [
      see({
        snapshot: 0,
        rows: [holding('tide', '1000'), holding('aldr', '5'), holding('glas', '8', { rank: 4 })],
        rest: { markets: { rows: [], whole: true }, icos: { rows: [], whole: true } },
      }),
      see({
        snapshot: 1,
        rows: [
          holding('tide', '1250.5', { value: decimal('625.25') }),
          holding('aldr', '0'),
          holding('hern', '7'),
          holding('glas', '8', { rank: 3 }),
        ],
        rest: { markets: { rows: [market('p1', 3, hour(1))], whole: true }, icos: { rows: [ico('l1')], whole: true } },
      }),
    ],
    SUBJECT,
  );
  const feed = (called?: string) =>
    called === undefined ? wallet : { ...wallet, content: (event: FeedEvent) => wallet.content(event, { name: called }) };
  const texts = (called?: string) => changed.map((events) => alerted(feed(called), events, hour(1)));
  const lines = (called?: string) => changed.map((events) => alertLines(feed(called), events, hour(1)));

  test('each alert kind is a sentence with exact amounts, and says between which snapshots it lies', () => {
    expect(texts('fund-1').map((text) => text.split('\n').slice(0, -1).join('\n'))).toEqual([
      '▼ | "fund-1" | 5\n12:00 UTC | 13:00 UTC',
      '▲ | "fund-1" | #3 | #4\n0.01%\n12:00 UTC | 13:00 UTC',
      '▲ | "fund-1" | 7 HERN\n0.01%\n13:00 UTC',
      '▲ | "fund-1" | 1,251 TIDE | +250.5 | +25.1%\n$625.25 | 0.01%\n12:00 UTC | 13:00 UTC',
      '● | "fund-1" | "Fund the second audit" | 3 trades | $300.00\n$120.00',
      '● | "fund-1" | Heron Flats | $1.00K',
    ]);
    const [exit, rank, opened, more, trades, ico] = lines('fund-1');
    expect(exit?.[0]).toMatch(/\bexited ALDR\b/u);
    expect(rank?.[0]).toMatch(/#3 holder of GLAS\b.*\bwas #4\b/u);
    expect(opened?.[0]).toMatch(/\bopened\b/u);
    expect(more?.[0]).toMatch(/\bnow holds\b/u);
    expect(trades?.[0]).toMatch(/\btraded\b.*\(Tidewater\)/u);
    expect(trades?.[1]).toMatch(/\bnet on pass\b.*\blive$/u);
    expect(ico?.[0]).toMatch(/\bjoined\b.*\bICO\b/u);
  });

  test('a wallet without a label is known by the ends of its key, and its buttons carry all of it', () => {
    expect(texts()[0]).toContain(
      [
        '▼ | 5',
        '12:00 UTC | 13:00 UTC',
        '/wallet 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd /wallet 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd flow aldr',
      ].join('\n'),
    );
    for (const [headline] of lines()) expect(headline).toMatch(/^Wallet 7Hq2…x9Pd\b/u);
    for (const text of texts()) expect(text).toContain(`/wallet ${ADDRESS}`);
  });
});
