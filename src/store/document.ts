/** The stored form `{"v": version, "s": checksum, "d": document}`, of a large one `"z"` (deflated, base64). Messages contain key and path, never content. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { StoreError, type CollectionSpec, type StoreTrouble } from './store.js';

export type Decoded<T> =
  | { readonly kind: 'document'; readonly document: T }
  | { readonly kind: 'trouble'; readonly trouble: StoreTrouble; readonly because: string };

const envelope = z.object({ v: z.int().positive(), d: z.unknown().refine((document) => document !== undefined) });

/** Throws a `StoreError` if the schema rejects the document or JSON would change it. */
export function encode<T>(spec: CollectionSpec<T>, { key, document }: { key: string; document: T }): string {
  const refuse = (because: string) =>
    new StoreError('failed', `store: ${spec.prefix}/${key} was not stored: ${because}; this is a mistake in Navwatch, please report it`);
  const parsed = spec.schema.safeParse(document);
  if (!parsed.success) throw refuse(firstIssue(parsed.error));
  const changed = changedByJson(parsed.data);
  if (changed !== undefined) throw refuse(`"${named(changed.path.toReversed())}" is ${changed.what}, which cannot be stored`);
  const body = JSON.stringify(parsed.data);
  const head = `{"v":${spec.version},"s":${checksum(spec, body)}`;
  return body.length < MIN_COMPRESSED ? `${head},"d":${body}}` : `${head},"z":"${compressed(body)}"}`;
}

/** Characters. Most documents are smaller: compressing them would save less than a page, and cost more than the rest of the write. */
export const MIN_COMPRESSED = 2_048;
/** Characters. SQLite writes fewer pages when a text keeps its length (decision 36). */
const FILLED_TO = 256;
/** Bytes. A damaged document must not fill the memory. */
const MAX_DECOMPRESSED = 256 * 1024 * 1024;

/** Base64 may contain blanks: https://nodejs.org/api/buffer.html#buffers-and-character-encodings */
function compressed(body: string): string {
  const text = deflateRawSync(body).toString('base64');
  return text.padEnd(Math.ceil(text.length / FILLED_TO) * FILLED_TO);
}

function decompressed(text: string): string | undefined {
  try {
    return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_DECOMPRESSED }).toString();
  } catch {
    return undefined; // Damaged; the caller reports it.
  }
}

/** Covers the schema. */
const checksum = <T>({ schema }: CollectionSpec<T>, body: string): number => crc32(body, fingerprintOf(schema));

/** It never throws. */
export function decode<T>(spec: CollectionSpec<T>, text: string): Decoded<T> {
  const written = writtenParts(text);
  if (written !== undefined) {
    const document = parsedJson(written.body);
    if (isAccepted(spec, document, written)) return { kind: 'document', document };
  }
  const opened = unwrap(text, written);
  if (opened === undefined) return unreadable('it is not a document of Navwatch');
  if (opened.v > spec.version) {
    const because = `it was written by a newer Navwatch (document version ${opened.v}, this one knows ${spec.version})`;
    return { kind: 'trouble', trouble: 'newer', because };
  }
  let current: unknown = opened.d;
  if (opened.v < spec.version) {
    if (spec.upgrade === undefined) return unreadable(`document version ${opened.v} is too old for this Navwatch`);
    try {
      current = spec.upgrade(opened.d, opened.v);
    } catch {
      return unreadable(`it could not be brought from document version ${opened.v} to ${spec.version}`);
    }
  }
  const parsed = spec.schema.safeParse(current);
  return parsed.success ? { kind: 'document', document: parsed.data } : unreadable(firstIssue(parsed.error));
}

interface WrittenParts {
  readonly version: number;
  readonly sum: number;
  readonly body: string;
  readonly isCompressed: boolean;
}

const HEAD = /^\{"v":(\d+),"s":(\d+),"(?:d":|z":")/;

function writtenParts(text: string): WrittenParts | undefined {
  const [head, version, sum] = HEAD.exec(text) ?? [];
  if (head === undefined || !text.endsWith('}')) return undefined;
  const isCompressed = head.endsWith('z":"');
  const body = isCompressed ? decompressed(text.slice(head.length, -'"}'.length)) : text.slice(head.length, -1);
  return body === undefined ? undefined : { version: Number(version), sum: Number(sum), body, isCompressed };
}

/** Anything else is parsed in full. */
const isAccepted = <T>(spec: CollectionSpec<T>, _document: unknown, { version, sum, body }: WrittenParts): _document is T =>
  version === spec.version && sum === checksum(spec, body);

const unreadable = (because: string) => ({ kind: 'trouble', trouble: 'unreadable', because }) as const;

/** Its schema may still refuse it. */
export const isDocument = (text: string): boolean => unwrap(text, writtenParts(text)) !== undefined;

function unwrap(text: string, written: WrittenParts | undefined): z.infer<typeof envelope> | undefined {
  const opened = written?.isCompressed === true ? { v: written.version, d: parsedJson(written.body) } : parsedJson(text);
  return envelope.safeParse(opened).data;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON; the caller reports it without quoting it.
  }
}

const named = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'the whole document' : path.map(String).join('.'));

/** Zod's message may quote the value. */
function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return `"${named(issue?.path ?? [])}" does not fit its schema (${issue?.code ?? 'unknown'})`;
}

interface Change {
  readonly what: string;
  readonly path: string[];
}

/** That JSON would change (Date, NaN, bigint, Map, a hole in a list). */
function changedByJson(value: unknown, above: object[] = []): Change | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { what: 'not a finite number', path: [] };
  if (typeof value !== 'object') return { what: `of type ${typeof value}`, path: [] };
  if (above.includes(value)) return { what: 'a circle', path: [] };
  above.push(value);
  const found = Array.isArray(value) ? changedInList(value, above) : changedInObject(value, above);
  above.pop();
  return found;
}

function changedInList(list: readonly unknown[], above: object[]): Change | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const found = changedByJson(list[index], above);
    if (found !== undefined) return within(String(index), found);
  }
  return undefined;
}

function changedInObject(value: object, above: object[]): Change | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return { what: 'no plain object', path: [] };
  for (const name of Object.keys(value)) {
    const item: unknown = Reflect.get(value, name);
    const found = item === undefined ? undefined : changedByJson(item, above);
    if (found !== undefined) return within(name, found);
  }
  return undefined;
}

function within(name: string, found: Change): Change {
  found.path.push(name);
  return found;
}

/** The fingerprint of a schema: over fields, bounds, patterns, defaults and the source of functions. */
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
