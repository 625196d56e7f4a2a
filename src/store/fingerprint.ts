/** Fingerprints of schemas. Pure. */
import { crc32 } from 'node:zlib';
import { z } from 'zod';

/** Over fields, bounds, patterns, defaults and the source of functions. */
export function fingerprintOf(schema: z.ZodType): number {
  const known = fingerprints.get(schema) ?? crc32(textOf(schema, new Map()));
  fingerprints.set(schema, known);
  return known;
}

const fingerprints = new WeakMap<z.ZodType, number>();

/** `seen`: a schema may contain itself. */
function textOf(value: unknown, seen: Map<object, number>): string {
  if (typeof value === 'function' || typeof value === 'bigint' || value instanceof RegExp) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const before = seen.get(value);
  if (before !== undefined) return `#${before}`;
  seen.set(value, seen.size);
  const parts = partsOf(value);
  return `{${parts.map(([name, part]) => `${name}:${textOf(part, seen)}`).join()}}`;
}

function partsOf(value: object): readonly (readonly [name: string, part: unknown])[] {
  if (value instanceof Map || value instanceof Set) return [...value.entries()].map(([name, part]) => [String(name), part]);
  // A lazy schema's target, not its function.
  if (value instanceof z.ZodLazy) return [['lazy', value.unwrap()]];
  const internals: unknown = Reflect.get(value, '_zod');
  const definition: unknown = typeof internals === 'object' && internals !== null ? Reflect.get(internals, 'def') : undefined;
  return Object.entries(typeof definition === 'object' && definition !== null ? definition : value);
}
