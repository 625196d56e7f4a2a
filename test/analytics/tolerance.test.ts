/**
 * Tolerant reading, proved: valid answers of the simulated service are disordered within what the interface allows, and every row must still read what it
 * read before. A new row is covered by standing in the table.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectsLaunch } from '../../src/analytics/endpoints/dashboard.js';
import { marketMetrics, projectOverview } from '../../src/analytics/endpoints/project.js';
import { proposals } from '../../src/analytics/endpoints/proposals.js';
import { navAsChart, navBreakdown, premiumBreakdown, runwayBreakdown, treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { walletProposal, walletProposalTrades } from '../../src/analytics/endpoints/wallet-activity.js';
import { parseJson } from '../../src/analytics/field-reader.js';
import type { Row } from '../../src/analytics/endpoint-row.js';
import { openBox } from '../simulator/box.js';
import {
  at,
  canonical,
  chances,
  crowded,
  isTree,
  leaves,
  listPath,
  renested,
  reordered,
  replaced,
  respelled,
  withOtherLists,
  type Chance,
} from './disorder.js';
import { ask, dataOf, knownOf, listed, needed, rows } from './questions.js';
import { runs } from '../support/properties.js';

const RUNS = { numRuns: runs(20) };
/** So many rows of a list tell as much as all of them. */
const KEPT = 6;
const readable = rows.filter(({ answers }) => answers !== 'csv');
const samples = new Map<string, unknown>();

/** Short lists, wherever they stand: an answer with a year of hours is read as one with six. */
const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, KEPT).map(shortened);
  return isTree(value) ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)])) : value;
};

beforeAll(async () => {
  const box = await openBox({ onClose: (close) => afterAll(close) });
  const known = await knownOf(box, 'tide');
  for (const row of readable) samples.set(row.id, shortened(dataOf(row, (await ask(box, row, await needed(box, row, known))).text)));
});

/** Reads an answer as it would arrive: through its text. Nothing may throw. */
const read = (row: Row, data: unknown) => row.data.safeParse(isTree(data) || Array.isArray(data) ? parseJson(JSON.stringify(data)) : data);

/** Numbers of a layout that the interface does not show are read under their own labels, unknown ones as well. */
const LABELLED: ReadonlySet<string> = new Set(['all', 'parameters']);
const withoutLabelled = (value: unknown): unknown =>
  isTree(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !LABELLED.has(name))) : value;

/** Where the row reads something else when its answer is disordered, whatever the order of what it reads. */
function differences(row: Row, disorder: (data: unknown, chance: Chance) => unknown): readonly unknown[] {
  const data = samples.get(row.id);
  const reading = (value: unknown): string => {
    const { data: found, error } = read(row, value);
    return error === undefined ? canonical(withoutLabelled(found)) : `unreadable: ${error.message}`;
  };
  const before = reading(data);
  if (before.startsWith('unreadable')) return [row.id, before];
  const { counterexample } = fc.check(
    fc.property(fc.integer(), (seed) => reading(disorder(data, chances(seed))) === before),
    RUNS,
  );
  return (counterexample ?? []).flatMap((seed) => [row.id, before, reading(disorder(data, chances(seed)))]);
}

/** Answers in which any number is a count under its own word, so that one more is one more word. */
const NUMBERS_ARE_ROWS: ReadonlySet<string> = new Set(['proposals.outcomes']);
/** Text that looks like a number and is a label. */
const LABELS: ReadonlySet<string> = new Set(['tradesPerTrader', 'range']);

describe.each(readable.map((row) => [row.id, row] as const))('%s', (_, row) => {
  test('the order of fields and rows changes nothing', () => expect(differences(row, reordered)).toEqual([]));

  test('a number may be text, and text a number', () =>
    expect(differences(row, (data, chance) => respelled(data, chance, LABELS))).toEqual([]));

  test('whatever is null, nothing throws, and at most its row is missing', () => {
    const data = samples.get(row.id);
    const before = listed(read(row, data).data);
    const paths = leaves(data);
    if (paths.length === 0) return;
    fc.assert(
      fc.property(fc.constantFrom(...paths), (path) => {
        const after = read(row, replaced(data, path, null));
        const now = listed(after.data);
        if (before === undefined || now === undefined) return;
        expect(now.rows.length + now.broken).toBe(before.rows.length);
        expect(now.broken).toBeLessThanOrEqual(1);
        const old = before.rows.map(canonical);
        expect(now.rows.filter((one) => !old.includes(canonical(one))).length).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });

  test('a broken row costs itself', () => {
    const data = samples.get(row.id);
    const before = listed(read(row, data).data);
    const path = listPath(data);
    const items = path === undefined ? undefined : at(data, path);
    if (before === undefined || path === undefined || !Array.isArray(items) || items.length !== before.rows.length || items.length === 0)
      return;
    const nonsense = fc.constantFrom<unknown>(7, null, true, {}, [], [[]], { zzOther: 'thing' });
    fc.assert(
      fc.property(fc.nat({ max: items.length - 1 }), nonsense, (index, instead) => {
        const after = read(row, replaced(data, [...path, index], instead));
        const now = listed(after.data);
        expect(after.error?.message).toBeUndefined();
        expect((now?.rows.length ?? 0) + (now?.broken ?? 0)).toBe(items.length);
        const left = new Set(now?.rows.map(canonical));
        expect(before.rows.filter((one, place) => place !== index && !left.has(canonical(one)))).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe.each(readable.map((row) => [row.id, row] as const))('%s', (_, row) => {
  test('fields that the interface does not state change nothing, whatever they hold', () =>
    expect(differences(row, (data, chance) => crowded(data, chance, !NUMBERS_ARE_ROWS.has(row.id)))).toEqual([]));

  test('lists of other records beside, above and below its own change nothing', () =>
    expect(
      differences(row, (data, chance) => (Array.isArray(data) && row.items !== undefined ? withOtherLists(data, chance) : data)),
    ).toEqual([]));

  test('without a row its list is read as empty, whatever other lists are there', () => {
    const data = samples.get(row.id);
    const path = listPath(data);
    if (row.items === undefined || path === undefined) return;
    const empty = replaced(data, path, []);
    const reading = listed(read(row, Array.isArray(empty) ? withOtherLists([], chances(1)) : crowded(empty, chances(1))).data);
    expect(reading).toMatchObject({ rows: [], broken: 0 });
  });
});

/** Names the interface states where it shows no layout, and where the row puts what they say. */
const STATED: readonly (readonly [row: Row, names: Readonly<Record<string, string>>])[] = [
  [treasuryOverview, { navPerAdjustedShare: 'navPerShare', monthsOfRunway: 'runway' }],
  [
    navBreakdown,
    {
      netAssetValueUsd: 'netAssetValue',
      nonNativeTreasuryValueUsd: 'treasuryPart',
      nonNativeLpValueUsd: 'lpPart',
      navPerAdjustedShare: 'navPerShare',
      excludedFromNav: 'excluded',
      supplyAdjustments: 'supplyAdjustments',
    },
  ],
  [premiumBreakdown, { spotPrice: 'price', navPerAdjustedShare: 'navPerShare' }],
  [runwayBreakdown, { monthsOfRunway: 'runway' }],
  [navAsChart, { navPerAdjustedShare: 'navPerShare' }],
  [projectOverview, { baseMint: 'mint' }],
  [marketMetrics, { baseMint: 'mint', discount: 'premium', navPerAdjustedShare: 'navPerShare' }],
  [projectsLaunch, { baseMint: 'mint', monthsOfRunway: 'runway' }],
  [proposals, { publicKey: 'publicKey' }],
  [walletProposal, { proposalId: 'proposalId' }],
  [walletProposalTrades, { timeStamp: 'at' }],
];

describe.each(STATED.map(([row, names]) => [row.id, row, names] as const))('%s', (_, row, names) => {
  test(`${Object.keys(names).join(', ')}: found however the rest is named and nested`, () => {
    const data = samples.get(row.id);
    const alerted = (value: unknown): readonly unknown[] => Object.values(names).map((name) => (isTree(value) ? value[name] : undefined));
    const results = (value: unknown): readonly unknown[] => listed(value)?.rows ?? [value];
    const before = results(read(row, data).data).map(alerted);
    for (const [index, name] of Object.keys(names).entries())
      expect([name, before.some((one) => one[index] !== undefined)]).toEqual([name, true]);
    const keep = new Set(Object.keys(names));
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const chance = chances(seed);
        const other = Array.isArray(data) ? data.map((item: unknown) => renested(item, chance, keep)) : renested(data, chance, keep);
        expect(results(read(row, other).data).map(alerted)).toEqual(before);
      }),
      RUNS,
    );
  });
});

test('a word of an enumeration that nobody knows is carried as it came, and costs no row', () => {
  const words =
    /^(state|status|type|marketType|direction|custodyType|entityType|trackingMode|chain|result|reasonStatus|proposalState|historySyncStatus|marketAlignment)$/u;
  let met = 0;
  for (const row of readable) {
    const data = samples.get(row.id);
    for (const path of leaves(data)) {
      if (!words.test(String(path.at(-1))) || typeof at(data, path) !== 'string') continue;
      met += 1;
      const after = read(row, replaced(data, path, 'Quantum'));
      expect([row.id, path, after.error?.message, listed(after.data)?.broken ?? 0]).toEqual([row.id, path, undefined, 0]);
    }
  }
  expect(met).toBeGreaterThan(30);
});
