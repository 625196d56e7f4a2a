/** References to shared states in a queue document: the same states as in a record of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compacted,
  joined,
  statesIn,
  statesOf,
  withStates,
  type StateFields,
} from '../../../src/alerts/evaluation/shared-state-references.js';
import { seriesIn, type StoredState } from '../../../src/alerts/evaluation/shared-states.js';
import { instant } from '../../../src/base/clock.js';
import { decimal } from '../../../src/domain/scalars.js';
import { runs } from '../../support/properties.js';

const anchor = { at: instant(5), value: decimal('1') };
const stored = fc.constantFrom<StoredState>(
  { shared: true },
  { shared: true },
  { shared: true, own: { anchor, insteadOf: instant(7) } },
  { armed: false, anchor, last: anchor },
);
const SERIES = ['premium/tide', 'premium/reef', 'wallet/9xQe/USDC'] as const;
const key = fc
  .record({
    series: fc.constantFrom(...SERIES),
    target: fc.constantFrom('tide', 'all'),
    since: fc.constantFrom('1795176000000', '1795176065000', 'later'),
    name: fc.constantFrom('premium above 0 band 2', 'premium moves by 5 once', 'runway below 6 band 1'),
  })
  .map(({ series, target, since, name }) => `${series}/${target}@${since}/${name}`);
const states = fc.dictionary(key, stored);

const record = (of: StateFields): Readonly<Record<string, StoredState>> => Object.fromEntries(statesIn(of));
const grouped = (of: Readonly<Record<string, StoredState>>): ReadonlyMap<string, ReadonlyMap<string, StoredState>> => {
  const all = Object.entries(of);
  const ofSeries = (series: string) => new Map(all.filter(([one]) => seriesIn(one) === series));
  return new Map([...new Set(all.map(([one]) => seriesIn(one)))].map((series) => [series, ofSeries(series)]));
};

test('states that were moved to references and replaced by series are those that were given', () => {
  fc.assert(
    fc.property(states, states, (first, second) => {
      const before = compacted({ ruleStates: first });
      expect(record(before)).toEqual(first);
      const after = withStates(before, grouped(second));
      const replaced = new Set([...grouped(second).keys()]);
      const kept = Object.entries(first).filter(([one]) => !replaced.has(seriesIn(one)));
      expect(record(after)).toEqual({ ...Object.fromEntries(kept), ...second });
      for (const series of SERIES)
        expect(Object.fromEntries(statesOf(after, series))).toEqual(Object.fromEntries(grouped(record(after)).get(series) ?? []));
      expect(record(joined(before, compacted({ ruleStates: second })))).toEqual({ ...second, ...first });
    }),
    { numRuns: runs(300) },
  );
});

test('chats that watch the same since other times share their rules', () => {
  const watching = (since: number): StateFields =>
    compacted({ ruleStates: { [`premium/tide/tide@${since}/premium above 0 band 2`]: { shared: true } } });
  const [one, other] = [watching(1_795_176_000_000), watching(1_795_176_065_000)];
  expect(one.ruleStates).toBeUndefined();
  expect(one.references?.rules[0]).toBe(other.references?.rules[0]);
  expect([one, other].map(({ references }) => references?.since)).toEqual([[1_795_176_000_000], [1_795_176_065_000]]);
});

test('a watch that begins again refers to the same states since then', () => {
  const name = 'premium above 0 band 2';
  const [before, again] = [1_795_176_000_000, 1_795_176_065_000].map((since) => `premium/tide/tide@${since}/${name}`);
  const old = compacted({ ruleStates: { [String(before)]: { shared: true } } });
  const states = withStates(old, new Map([['premium/tide', new Map<string, StoredState>([[String(again), { shared: true }]])]]));
  expect(statesIn(states).map(([one]) => one)).toEqual([again]);
});
