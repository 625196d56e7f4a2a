/** What tells one schema from another, so that documents checked by a schema of an earlier build are checked again. Pure. */
import { crc32 } from 'node:zlib';
import { z } from 'zod';

/** A number of 32 bits. It differs when a field, a bound, a pattern, a default or the text of a function in the schema does. */
export function fingerprintOf(schema: z.ZodType): number {
  const known = fingerprints.get(schema) ?? crc32(textOf(schema, new Map()));
  fingerprints.set(schema, known);
  return known;
}

/** A schema never changes, and some are part of several collections. */
const fingerprints = new WeakMap<z.ZodType, number>();

/** `seen` numbers the objects on the way: a schema may contain itself, and what repeats is not described twice. */
function textOf(value: unknown, seen: Map<object, number>): string {
  if (typeof value === 'function' || typeof value === 'bigint' || value instanceof RegExp) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const before = seen.get(value);
  if (before !== undefined) return `#${before}`;
  seen.set(value, seen.size);
  const parts = partsOf(value);
  return `{${parts.map(([name, part]) => `${name}:${textOf(part, seen)}`).join()}}`;
}

/** What a schema, and each of its checks, was made from; of anything else its entries. */
function partsOf(value: object): readonly (readonly [name: string, part: unknown])[] {
  if (value instanceof Map || value instanceof Set) return [...value.entries()].map(([name, part]) => [String(name), part]);
  // A schema that is named before it is made: what it stands for, not the function.
  if (value instanceof z.ZodLazy) return [['lazy', value.unwrap()]];
  const internals: unknown = Reflect.get(value, '_zod');
  const definition: unknown = typeof internals === 'object' && internals !== null ? Reflect.get(internals, 'def') : undefined;
  return Object.entries(typeof definition === 'object' && definition !== null ? definition : value);
}
