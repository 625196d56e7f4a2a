import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, later, MINUTE, type Instant } from '../../src/base/clock.js';
import type { WalletHolding } from '../../src/analytics/endpoints/wallets.js';
import type { Crossing } from '../../src/domain/crossing.js';
import { decimal } from '../../src/domain/scalars.js';
import { walletAddress } from '../../src/domain/wallet.js';
import { wallet } from '../../src/feeds/wallet.js';
import { figuresOf, idsOf, snapshotOf, measuredLines, NOON, sameOf, alertedFigures } from './reading.js';

const { spec } = wallet;
type Snapshot = Awaited<ReturnType<typeof spec.read>>['data'];
const ADDRESS = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
const SUBJECT = { address: ADDRESS };

const holding = (token: string, rank: number | undefined, extra: Partial<WalletHolding> = {}): WalletHolding => ({
  ...{ token, symbol: token.toUpperCase(), name: token, slug: token, balance: decimal('1000'), price: undefined, rank },
  ...{ ofSupply: decimal('0.01'), value: undefined, basketShare: undefined, syncedAt: undefined, ...extra },
});
/** Snapshot number `n` is made at the n-th hour and seen a minute later. */
const hour = (n: number): Instant => later(NOON, n * HOUR);
const see = (snapshot: number, rows: readonly WalletHolding[], { ranked = true, seen = snapshot } = {}) =>
  snapshotOf<Snapshot>({ holdings: { rows, snapshotAt: hour(snapshot), whole: true, ranked } }, { at: later(hour(seen), MINUTE) });
const read = (checkRecords: readonly ReturnType<typeof see>[]) =>
  figuresOf(spec, checkRecords, SUBJECT).map((all) =>
    all.map(({ id, values }) => `${id.replace(`wallet/${ADDRESS}/`, '')} ${values.rank}`),
  );

describe('ranks as measurements', () => {
  test('each holding with a rank is one, in the first snapshot too, with its wallet and its project', () => {
    const checkRecords = [see(0, [holding('tide', 12), holding('aldr', undefined), holding('glas', 3, { slug: undefined })])];
    expect(figuresOf(spec, checkRecords, SUBJECT)[0]).toMatchObject([
      { id: `wallet/${ADDRESS}/glas/rank/${NOON}`, wallet: ADDRESS, at: NOON, values: { rank: '3' } },
      { id: `wallet/${ADDRESS}/tide/rank/${NOON}`, wallet: ADDRESS, project: 'tide', values: { rank: '12' } },
    ]);
    expect(figuresOf(spec, checkRecords, SUBJECT)[0]![0]).not.toHaveProperty('project');
  });

  test('a snapshot is read once, and one whose ranks were not recalculated says nothing of them', () => {
    expect(
      read([
        see(0, [holding('tide', 12)]),
        see(0, [holding('tide', 9)], { seen: 1 }),
        see(2, [holding('tide', 9)], { ranked: false }),
        see(3, [holding('tide', 9)]),
      ]),
    ).toEqual([[`tide/rank/${hour(0)} 12`], [], [], [`tide/rank/${hour(3)} 9`]]);
  });

  test('what is found as it was is a rank that a check shows again, and none of what was sold or stands elsewhere now', () => {
    const [tide, aldr] = [holding('tide', 12), holding('aldr', 4)];
    const sold = holding('aldr', 4, { balance: decimal('0') });
    const checkRecords = [
      see(0, [tide, aldr]),
      see(0, [tide, aldr], { seen: 1 }),
      see(1, [tide, sold], { seen: 2, ranked: false }),
      see(3, [tide]),
      see(3, [holding('tide', 13)], { seen: 4 }),
    ];
    const ranks = (...tokens: readonly string[]) => tokens.map((token) => `wallet/${ADDRESS}/${token}/rank`);
    expect(sameOf(spec, checkRecords, SUBJECT)).toEqual([[], ranks('tide', 'aldr'), ranks('tide'), [], []]);
  });

  test('a refresh of one token leaves the ranks of the others, so none is read', () => {
    const rows = [holding('tide', 9, { syncedAt: hour(2) }), holding('aldr', 4, { syncedAt: hour(0) })];
    expect(read([see(0, [holding('tide', 12), holding('aldr', 4)]), see(2, rows)])[1]).toEqual([]);
  });

  test('what was sold has no rank', () => {
    expect(read([see(0, [holding('tide', 12)]), see(1, [holding('tide', 12, { balance: decimal('0') })])])[1]).toEqual([]);
  });

  test('no id is that of events about the balance', () => {
    const checkRecords = [
      see(0, [holding('tide', 12)]),
      see(1, [holding('tide', 9, { balance: decimal('5') })]),
      see(2, [holding('tide', 8, { balance: decimal('5') })]),
    ];
    const measurements = figuresOf(spec, checkRecords, SUBJECT).flatMap((all) => all.map(({ id }) => id));
    const events = idsOf(spec, checkRecords, SUBJECT).flat();
    expect(events).toHaveLength(2);
    expect(measurements.filter((id) => events.includes(id))).toEqual([]);
  });

  test('whatever the order of rows, the split into checks and the repetition, each snapshot that is later than all before it is read once', () => {
    const snapshots = fc.array(
      fc.record({ at: fc.nat(20), ranks: fc.array(fc.nat(30), { minLength: 2, maxLength: 2 }), turned: fc.boolean() }),
      {
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(snapshots, (all) => {
        const checkRecords = all.map(({ at, ranks, turned }, index) => {
          const rows = ranks.map((rank, token) => holding(`t${token}`, rank + 1));
          return see(at, turned ? rows.toReversed() : rows, { seen: 30 + index });
        });
        const expected = all.map(({ at, ranks }, index) =>
          all.slice(0, index).some((earlier) => earlier.at >= at)
            ? []
            : ranks.map((rank, token) => `t${token}/rank/${hour(at)} ${rank + 1}`),
        );
        expect(read(checkRecords)).toEqual(expected);
      }),
    );
  });
});

describe('in words', () => {
  const [, [measurements] = []] = figuresOf(spec, [see(0, [holding('tide', 12)]), see(1, [holding('tide', 9)])], SUBJECT);
  const crossing: Crossing = {
    rule: { when: 'move', measure: 'rank', by: decimal('3') },
    ...{ side: 'low', now: { at: hour(1), value: decimal('9') } },
    was: { at: hour(0), value: decimal('12') },
    since: { at: hour(0), value: decimal('12') },
  };

  test('a smaller number is a rise, by the name that the chat gave the wallet', () => {
    expect(
      alertedFigures(wallet, measurements!, { alertContext: { name: 'fund-1', crossings: [crossing] }, detectedAt: hour(2) }).split('\n'),
    ).toEqual(['▲ | "fund-1" | 3 | 12 | 9', '0.01%', '13:00 UTC', `/wallet ${ADDRESS}`]);
    const [headline] = measuredLines(wallet, measurements!, { alertContext: { name: 'fund-1', crossings: [crossing] } });
    expect(headline).toMatch(/^"fund-1" rose 3 places\b.*\bTIDE\b/u);
  });

  test('without a crossing it is reported as it stands', () => {
    expect(alertedFigures(wallet, measurements!).split('\n')[0]).toBe(' | #9 | #12');
    expect(measuredLines(wallet, measurements!)[0]).toMatch(/^Wallet 7Hq2…x9Pd\b.*\bTIDE\b/u);
  });
});
