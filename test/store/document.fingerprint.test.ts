import { expect, test } from 'vitest';
import { z } from 'zod';
import { fingerprintOf } from '../../src/store/document.js';

const MAKERS: Readonly<Record<string, () => z.ZodType>> = {
  object: () => z.object({ text: z.string() }),
  'with a field more': () => z.object({ text: z.string(), count: z.int().optional() }),
  'of another name': () => z.object({ texts: z.string() }),
  optional: () => z.object({ text: z.string().optional() }),
  'with a default': () => z.object({ text: z.string().default('') }),
  'with another default': () => z.object({ text: z.string().default('tide') }),
  'with a pattern': () => z.object({ text: z.string().regex(/a/u) }),
  'with another pattern': () => z.object({ text: z.string().regex(/b/u) }),
  'with a length': () => z.object({ text: z.string().min(1) }),
  'with another length': () => z.object({ text: z.string().min(2) }),
  'with a refinement': () => z.object({ text: z.string().refine((text) => text !== 'a') }),
  'with another refinement': () => z.object({ text: z.string().refine((text) => text !== 'b') }),
  'with a transform': () => z.object({ text: z.string().transform((text) => text.trim()) }),
  'with another transform': () => z.object({ text: z.string().transform((text) => text.toUpperCase()) }),
  enum: () => z.enum(['a', 'b']),
  'longer enum': () => z.enum(['a', 'b', 'c']),
  union: () => z.union([z.string(), z.number()]),
  'tagged union': () => z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
  list: () => z.array(z.string()),
  'bounded list': () => z.array(z.string()).max(3),
  record: () => z.record(z.string(), z.int()),
  'record of texts': () => z.record(z.string(), z.string()),
  anything: () => z.unknown(),
};

test('schemas that accept different documents, or make other ones of them, have different fingerprints', () => {
  const found = Object.values(MAKERS).map((make) => fingerprintOf(make()));
  expect(new Set(found).size).toBe(found.length);
});

test('a schema made the same way has the same fingerprint, also after it was used', () => {
  for (const make of Object.values(MAKERS)) {
    const used = make();
    used.safeParse({ text: 'tide' });
    used.safeParse(undefined);
    expect(fingerprintOf(used)).toBe(fingerprintOf(make()));
  }
});

test('a schema that contains itself has one, and a change inside it shows', () => {
  interface Node {
    readonly name: string;
    readonly below: readonly Node[];
  }
  const tree = (name: z.ZodType<string>) => {
    const node: z.ZodType<Node> = z.object({ name, below: z.lazy(() => z.array(node)) });
    return node;
  };
  expect(fingerprintOf(tree(z.string()))).toBe(fingerprintOf(tree(z.string())));
  expect(fingerprintOf(tree(z.string().min(1)))).not.toBe(fingerprintOf(tree(z.string())));
  const late = (name: z.ZodType<string>) => z.object({ inner: z.lazy(() => name) });
  expect(fingerprintOf(late(z.string().min(1)))).not.toBe(fingerprintOf(late(z.string())));
});
