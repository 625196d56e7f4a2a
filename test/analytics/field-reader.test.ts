/** Properties of looking a concept up by name: the nearest occurrence answers, whichever of its names it has, and null is an answer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NAMES, type Concept, type Names } from '../../src/analytics/field-names.js';
import { reader, labelled } from '../../src/analytics/field-reader.js';
import { decimal } from '../../src/analytics/wire-values.js';

const concepts = (Object.keys(NAMES) as Concept[]).map((concept): readonly [Concept, Names] => [concept, NAMES[concept]]);
const anywhere = concepts.filter(([, { stated, guessed }]) => stated.length + guessed.length > 0);
const statedOnes = concepts.filter(([, { stated }]) => stated.length > 0);
const withOrdinary = anywhere.filter(([, { common = [] }]) => common.length > 0);
const pick = ({ stated, guessed }: Names) => fc.constantFrom(...stated, ...guessed);

/** A value under `name`, so many objects deep; a stranger beside each keeps any of them from being a wrapper. */
const at = (depth: number, name: string, value: unknown): Readonly<Record<string, unknown>> =>
  depth === 0 ? { [name]: value, zzBeside: 'x' } : { [`zzInner${depth}${name}`]: at(depth - 1, name, value), zzBeside: 'x' };

const shuffled = (...trees: readonly Readonly<Record<string, unknown>>[]) =>
  fc
    .shuffledSubarray(
      trees.flatMap((tree) => Object.entries(tree)),
      { minLength: trees.reduce((sum, tree) => sum + Object.keys(tree).length, 0) },
    )
    .map((fields) => Object.fromEntries(fields));

const two = (from: readonly (readonly [Concept, Names])[]) =>
  fc.constantFrom(...from).chain(([concept, names]) =>
    fc.record({
      concept: fc.constant(concept),
      near: pick(names),
      far: pick(names),
      depth: fc.nat({ max: 3 }),
      further: fc.integer({ min: 1, max: 3 }),
    }),
  );

test('the nearest occurrence answers, stated or guessed', () => {
  fc.assert(
    fc.property(
      two(anywhere).chain((one) =>
        shuffled(at(one.depth, one.near, '1'), at(one.depth + one.further, one.far, '2')).map((root) => ({ ...one, root })),
      ),
      ({ concept, root }) => {
        const from = reader(root);
        expect([from.get(concept, decimal), from.doubts]).toEqual(['1', []]);
      },
    ),
  );
});

test('an ordinary name at the top answers before any name deeper down', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...withOrdinary).chain(([concept, names]) =>
        fc.record({
          concept: fc.constant(concept),
          near: fc.constantFrom(...(names.common ?? [])),
          far: pick(names),
          depth: fc.integer({ min: 1, max: 3 }),
        }),
      ),
      ({ concept, near, far, depth }) => {
        expect(reader({ ...at(depth, far, '2'), [near]: '1' }).get(concept, decimal)).toBe('1');
      },
    ),
  );
});

test.each([null, '∞'])('%s is an answer: nothing deeper stands in for it', (unknown) => {
  fc.assert(
    fc.property(two(anywhere), ({ concept, near, far, depth, further }) => {
      const root = { ...at(depth + further, far, '2'), ...at(depth, near, unknown) };
      expect(reader(root).get(concept, decimal)).toBeUndefined();
    }),
  );
});

test('a stated null is not answered by a guess beside it, and a guessed null is by a stated value', () => {
  for (const [concept, { stated, guessed, common = [] }] of statedOnes) {
    for (const name of stated)
      for (const guess of [...guessed, ...common]) {
        expect([concept, reader({ [guess]: '2', [name]: null, zzBeside: 1 }).get(concept, decimal)]).toEqual([concept, undefined]);
        expect([concept, reader({ [guess]: null, [name]: '1', zzBeside: 1 }).get(concept, decimal)]).toEqual([concept, '1']);
      }
  }
});

test('an object under a name is no value, so what it holds is found', () => {
  fc.assert(
    fc.property(two(anywhere), ({ concept, near, far, depth }) => {
      const root = at(depth, near, { zzNote: 'x', [far]: '1' });
      expect(reader(root).get(concept, decimal)).toBe('1');
    }),
  );
});

test('several at one depth that differ are unknown, and each is reported by its path', () => {
  fc.assert(
    fc.property(fc.constantFrom(...statedOnes), fc.constantFrom('2', null), ([concept, { stated }], other) => {
      const [name = ''] = stated;
      const from = reader({ a: { [name]: '1' }, b: { [name]: other } });
      expect([from.get(concept, decimal), from.doubts]).toEqual([undefined, [`a.${name}`, `b.${name}`]]);
    }),
  );
});

test('fields and objects that nobody knows beside a wrapper leave the names inside it where they were', () => {
  const strangers = fc.array(
    fc.constantFrom<unknown>('text', 7, null, ['text'], [{ zzId: 1 }], { zzNote: 'inside' }, { zzDeep: { zzNumber: 1 } }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...withOrdinary), strangers, fc.boolean(), ([concept, { common = [] }], others, isAfter) => {
      const beside = Object.fromEntries(others.map((value, index) => [`zz${index}`, value]));
      for (const name of common) {
        const wrapped = { zzWrapper: { [name]: '1', zzBeside: 'x' } };
        expect(reader(isAfter ? { ...beside, ...wrapped } : { ...wrapped, ...beside }).get(concept, decimal)).toBe('1');
      }
    }),
  );
});

test('numbers and numeric text are kept exactly, with their names as words; words, lists and nulls are not', () => {
  expect(labelled({ totalUSDVolume: '12.50', note: 'x', list: [1], none: null, flag: true, 'open-interest': { pass_side: 3 } })).toEqual([
    { label: 'total usdvolume', value: '12.5' },
    { label: 'open interest, pass side', value: '3' },
  ]);
});

test('whatever comes, it ends, throws nothing and stays a summary', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 8, withNullPrototype: true }), (value) => {
      expect(labelled(value).length).toBeLessThanOrEqual(24);
    }),
  );
  let deep: unknown = { end: 1 };
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  expect(labelled(deep)).toEqual([]);
});
