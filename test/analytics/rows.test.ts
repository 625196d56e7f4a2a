/** Properties of reading: whatever order, spelling or company a value comes in, it means the same, and a broken row costs only itself. */
import { z } from 'zod';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/analytics/endpoints/index.js';
import { completedLaunches, graveyardLaunches, recentLaunches } from '../../src/analytics/endpoints/launches.js';
import { proposals } from '../../src/analytics/endpoints/proposals.js';
import { supplyEvents } from '../../src/analytics/endpoints/supply.js';
import { navAsChart, treasuryHoldings } from '../../src/analytics/endpoints/treasury.js';
import { parseJson } from '../../src/analytics/field-reader.js';
import { list, rowsIn } from '../../src/analytics/endpoint-row.js';
import { readParsed } from '../../src/analytics/interpret-response.js';
import { decimal, maybe, moment, words } from '../../src/analytics/wire-values.js';
import { runs } from '../support/properties.js';

type Fields = Readonly<Record<string, unknown>>;

/** A whole row of each list, with the fields that may be null, and those a number may stand for as text and back. */
const SAMPLES = [
  {
    row: supplyEvents,
    whole: {
      id: 91,
      timestamp: '2026-11-20T10:00:00Z',
      type: 'Mint',
      amount: '250000.5',
      resultingSupply: '13150000',
      change: '1.94',
      priceAtTime: '0.6289',
      usdValue: '157225.31',
      signature: '5xY',
      proposal: { proposalTitle: 'Pay', publicKey: 'k' },
    },
    nullable: ['signature', 'proposal'],
    needed: ['id', 'timestamp', 'amount'],
    numeric: ['id', 'amount', 'resultingSupply', 'change', 'priceAtTime', 'usdValue'],
  },
  {
    row: recentLaunches,
    whole: {
      launchAddr: 'l1',
      baseMint: 'm1',
      title: 'Tide',
      organizationSlug: 'tide',
      tokenSymbol: 'TIDE',
      state: 'Live',
      minimumRaiseAmount: '750000000000',
      committedAmount: '154900000000001',
      fundsAccepted: '3000000000000',
      unixTimestampStarted: '1763640000',
      secondsForLaunch: '345600',
      tokenUsdPrice: '0.3',
      icoReturn: 1.5,
      fdv: '7500000',
    },
    nullable: ['fundsAccepted', 'fdv'],
    needed: ['launchAddr'],
    numeric: [
      'minimumRaiseAmount',
      'committedAmount',
      'fundsAccepted',
      'unixTimestampStarted',
      'secondsForLaunch',
      'tokenUsdPrice',
      'icoReturn',
      'fdv',
    ],
  },
  {
    row: completedLaunches,
    whole: {
      launchAddr: 'l1',
      baseMint: 'm1',
      title: 'Tide',
      state: 'Complete',
      minimumRaiseAmount: '1',
      committedAmount: '2',
      fundsAccepted: '3',
      tokenSymbol: 'TIDE',
      tokenUsdPrice: '0.3',
      holdersCount: '10518',
    },
    nullable: [],
    needed: ['launchAddr'],
    numeric: ['minimumRaiseAmount', 'fundsAccepted', 'tokenUsdPrice', 'holdersCount'],
  },
  {
    row: graveyardLaunches,
    whole: {
      launchAddr: 'l1',
      title: 'Wreck',
      state: 'Complete',
      reasonStatus: 'liquidated',
      dateEnded: '2026-05-01T00:00:00Z',
      fundsAccepted: '3',
      fundRaised: '960000',
      targetRaise: '1',
      icoPrice: '0.1',
      icoInvestors: '12',
      organizationSlug: 'wreck',
    },
    nullable: [],
    needed: ['launchAddr'],
    numeric: ['fundsAccepted', 'fundRaised', 'icoPrice', 'icoInvestors'],
  },
  {
    row: proposals,
    whole: {
      id: 7,
      title: 'Pay',
      publicKey: 'k7',
      creationDate: '2026-11-18T00:00:00Z',
      endDate: '2026-11-21T00:00:00Z',
      status: 'live',
      result: 'x',
      totalTrade: 12,
      totalTradeVolume: '3400.5',
      organizationSlug: 'tide',
    },
    nullable: ['result'],
    needed: [],
    numeric: ['id', 'totalTrade', 'totalTradeVolume'],
  },
  {
    row: navAsChart,
    whole: { timestamp: '2026-11-20T10:00:00Z', navPerAdjustedShare: '0.6977', tokenPrice: '0.6289' },
    nullable: [],
    needed: [],
    numeric: ['navPerAdjustedShare', 'tokenPrice'],
  },
  {
    row: treasuryHoldings,
    whole: { symbol: 'USDC', name: 'USD Coin', address: 'a', amount: '10.5', usdPrice: '1', value: '10.5' },
    nullable: [],
    needed: [],
    numeric: ['amount', 'usdPrice', 'value'],
  },
] as const;

const read = (row: (typeof SAMPLES)[number]['row'], items: unknown): { rows: readonly unknown[]; broken: number } => {
  const body: unknown = parseJson(JSON.stringify(items));
  return row.data.parse(body);
};
const rewritten = (fields: Fields, numeric: readonly string[], asText: boolean): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, numeric.includes(name) ? (asText ? String(value) : Number(value)) : value]),
  );

for (const { row, whole, nullable, needed, numeric } of SAMPLES) {
  describe(`a row of ${row.id}`, () => {
    test('order of fields, text or number, and fields that the interface does not state change nothing', () => {
      const expected = read(row, [whole]);
      expect(expected).toMatchObject({ broken: 0, rows: [expect.anything() as unknown] });
      const strangers = fc.dictionary(
        fc.stringMatching(/^zz[a-z]{1,8}$/),
        fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean()),
        { maxKeys: 4 },
      );
      fc.assert(
        fc.property(
          fc.shuffledSubarray(Object.entries(whole), { minLength: Object.keys(whole).length }),
          fc.boolean(),
          strangers,
          (fields, asText, extra) => {
            expect(read(row, [{ ...extra, ...rewritten(Object.fromEntries(fields), numeric, asText), ...extra }])).toEqual(expected);
          },
        ),
        { numRuns: runs(50) },
      );
    });

    test('what may be null may be null or absent', () => {
      fc.assert(
        fc.property(fc.subarray([...nullable]), fc.boolean(), (names, asNull) => {
          const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => !names.some((one) => one === name)));
          expect(read(row, [{ ...rest, ...(asNull ? Object.fromEntries(names.map((name) => [name, null])) : {}) }])).toMatchObject({
            broken: 0,
          });
        }),
      );
    });

    test('broken rows cost themselves and no other, and reading never throws', () => {
      const broken = fc.oneof(
        fc.constantFrom<unknown>(null, 7, 'row', [], true),
        needed.length === 0
          ? fc.constant<unknown>(null)
          : fc.constantFrom(...needed).map((name): unknown => ({ ...whole, [name]: { not: 'it' } })),
      );
      fc.assert(
        fc.property(fc.array(broken, { maxLength: 4 }), fc.array(broken, { maxLength: 4 }), (before, after) => {
          const expected = read(row, [whole]).rows;
          const found = read(row, [...before, whole, ...after]);
          expect(found.broken).toBe(before.length + after.length);
          expect(found.rows).toEqual(expected);
        }),
      );
    });
  });
}

test('no answer whatever makes a row throw', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: false }), fc.constantFrom(...ENDPOINTS), (value, row) => {
      expect(typeof row.data.safeParse(value).success).toBe('boolean');
    }),
    { numRuns: runs(500) },
  );
});

test('a decimal keeps its value exactly, in every way it can be written', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(18), (digits, places) => {
      const plain = decimal.parse(`${digits}e-${places}`);
      expect(decimal.parse(plain)).toBe(plain);
      expect(decimal.parse(`${digits}.0E-${places}`)).toBe(plain);
      expect(BigInt(decimal.parse(`${plain}e${places}`).replace(/\.0*$/u, ''))).toBe(digits);
    }),
  );
});

test('a moment is the same as ISO text, seconds and milliseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100_000_000, max: 4_000_000_000 }), (seconds) => {
      const iso = new Date(seconds * 1_000).toISOString();
      expect(
        new Set([iso, seconds, String(seconds), seconds * 1_000, String(seconds * 1_000)].map((value) => moment.parse(value))),
      ).toEqual(new Set([seconds * 1_000]));
    }),
  );
});

describe('several lists in one answer', () => {
  const row = z.object({ symbol: maybe(words), amount: maybe(decimal), price: maybe(decimal) });
  const TOKENS = [{ symbol: 'USDC', amount: '5', price: '1' }];
  const WARNINGS = [{ code: 1, symbol: '⚠' }];
  const BARE = [{ symbol: 'SOL', amount: '1', price: null }];

  test.each<[string, unknown, unknown]>([
    ['the one whose rows hold most, although another shares a name with them', { warnings: WARNINGS, inner: { tokens: TOKENS } }, TOKENS],
    ['the nearest of two that both fit', { tokens: TOKENS, history: { tokens: [...TOKENS, ...TOKENS] } }, TOKENS],
    ['none of two that fit as well at one depth', { dao: TOKENS, opco: [{ symbol: 'SOL', amount: '1', price: '9' }] }, undefined],
    ['none of two at one depth that can be read, although one fits better', { mints: TOKENS, burns: BARE }, undefined],
    ['none of two under names of their own one level down', { log: { open: BARE, retired: TOKENS } }, undefined],
    ['none of two that have the same known name', { a: { rows: TOKENS }, b: { rows: BARE } }, undefined],
    ['the one with the stated name beside another that fits better', { holdings: BARE, sold: TOKENS }, BARE],
    ['the one with an ordinary name beside another that fits better', { rows: BARE, sold: TOKENS }, BARE],
    ['the one with rows beside another that has none', { mints: [], burns: BARE }, BARE],
    ['the one beside records of another kind that share a name with it', { tokens: TOKENS, notes: WARNINGS }, TOKENS],
    ['the named one, also where it is empty and others fit', { sold: TOKENS, holdings: [] }, []],
    ['the named one where it is null', { sold: TOKENS, holdings: null }, []],
    ['another where the named one is something else', { holdings: [{ code: 1 }], tokens: TOKENS }, TOKENS],
    ['the empty one where the others are something else', { tokens: [], notes: [{ code: 1 }] }, []],
    ['none where all are something else', { a: [{ code: 1 }], b: [{ code: 2 }] }, undefined],
  ])('%s', (_, data, expected) => expect(rowsIn(data, row, ['holdings'])).toEqual(expected));
});

const MINT = { id: 1, timestamp: '2026-11-20T10:00:00Z', type: 'Mint', amount: '5', resultingSupply: '15', signature: '5xY' };
const BURN = { id: 2, timestamp: '2026-11-20T11:00:00Z', type: 'Burn', amount: '2' };

test.each<[string, unknown, unknown]>([
  [
    'mints and burns side by side',
    { mints: [MINT], burns: [BURN] },
    'the answer does not fit the interface at "data" (no list, or several that could be meant)',
  ],
  ['records of another kind beside them', { events: [MINT, BURN], log: [{ code: 1, note: 'a word' }] }, ['1', '2']],
])('%s: a ledger is whole or unreadable', async (_, data, expected) => {
  const read = await readParsed(supplyEvents, { data, meta: null });
  expect(read.ok ? read.value.data.rows.map(({ id }) => id) : read.because).toEqual(expected);
});

test('the data of a list is dated by its own rows, whatever other lists are there', async () => {
  const row = list({
    id: 'a.list',
    path: '/v1/a',
    spec: '§4.9',
    input: z.object({}),
    freshFor: 0,
    dated: 'oldest-row',
    row: z.looseObject({ symbol: words }),
  });
  const data = { log: [{ code: 1, updatedAt: '2020-01-01T00:00:00Z' }], tokens: [{ symbol: 'USDC', updatedAt: '2026-11-20T10:00:00Z' }] };
  const read = await readParsed(row, { data, meta: null });
  expect(read.ok && read.value.dates.listed).toEqual([Date.UTC(2026, 10, 20, 10)]);
});
