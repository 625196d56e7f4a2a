/** Stores documents as `{"v": version, "s": checksum, "d": document}`; a large one has `"z"` (deflated, base64) for `"d"`. Errors name key and path, never content. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { yieldToEventLoop } from '../base/yield.js';
import { startingWith, type Backend, type KeyRange, type StoredText } from './backend.js';
import { StoreError, type CollectionSpec, type StoreTrouble, type Collection, type Listing } from './store.js';

export type Decoded<T> =
  | { readonly kind: 'document'; readonly document: T }
  | { readonly kind: 'trouble'; readonly trouble: StoreTrouble; readonly because: string };

const envelope = z.object({ v: z.int().positive(), d: z.unknown().refine((document) => document !== undefined) });

/** Encodes a document. Throws a `StoreError` if the schema rejects it or JSON would change it. */
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

/** The value is in characters. Compressing smaller documents would save less than a page and cost more than the rest of the write. */
export const MIN_COMPRESSED = 2_048;
/** Lengths are padded to a multiple of these characters, because SQLite writes fewer pages if a text keeps its length (decision 36). */
const FILLED_TO = 256;
/** The largest size of a decompressed document in bytes, so that a damaged one cannot fill the memory. */
const MAX_DECOMPRESSED = 256 * 1024 * 1024;

/** Compresses a text and pads it with blanks, which Base64 may contain: https://nodejs.org/api/buffer.html#buffers-and-character-encodings */
function compressed(body: string): string {
  const text = deflateRawSync(body).toString('base64');
  return text.padEnd(Math.ceil(text.length / FILLED_TO) * FILLED_TO);
}

function decompressed(text: string): string | undefined {
  try {
    return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_DECOMPRESSED }).toString();
  } catch {
    return undefined; // The text is damaged; the caller reports it.
  }
}

/** Computes a checksum of the body and the schema, so that a changed schema makes the document be parsed in full. */
const checksum = <T>({ schema }: CollectionSpec<T>, body: string): number => crc32(body, fingerprintOf(schema));

/** Decodes a stored text. Never throws. */
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

/** Tells whether this schema has accepted exactly this text before. Any other text is parsed in full. */
const isAccepted = <T>(spec: CollectionSpec<T>, _document: unknown, { version, sum, body }: WrittenParts): _document is T =>
  version === spec.version && sum === checksum(spec, body);

const unreadable = (because: string) => ({ kind: 'trouble', trouble: 'unreadable', because }) as const;

/** Tells whether a text has the stored form. Its collection's schema may still refuse it. */
export const isDocument = (text: string): boolean => unwrap(text, writtenParts(text)) !== undefined;

function unwrap(text: string, written: WrittenParts | undefined): z.infer<typeof envelope> | undefined {
  const opened = written?.isCompressed === true ? { v: written.version, d: parsedJson(written.body) } : parsedJson(text);
  return envelope.safeParse(opened).data;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The text is not JSON; the caller reports it without quoting it.
  }
}

const named = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'the whole document' : path.map(String).join('.'));

/** Describes the first issue without Zod's message, which may quote the value. */
function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return `"${named(issue?.path ?? [])}" does not fit its schema (${issue?.code ?? 'unknown'})`;
}

interface Change {
  readonly what: string;
  readonly path: string[];
}

/** Finds a value that JSON would change, such as a Date, NaN, a bigint, a Map or a hole in a list. */
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

/** Computes a schema's fingerprint over its fields, bounds, patterns, defaults and the source of its functions. */
export function fingerprintOf(schema: z.ZodType): number {
  const known = fingerprints.get(schema) ?? crc32(textOf(schema, new Map()));
  fingerprints.set(schema, known);
  return known;
}

const fingerprints = new WeakMap<z.ZodType, number>();

/** Writes a schema as text. A schema may contain itself, so a part in `seen` is written as its number. */
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
  // For a lazy schema the target is written, not its function.
  if (value instanceof z.ZodLazy) return [['lazy', value.unwrap()]];
  const internals: unknown = Reflect.get(value, '_zod');
  const definition: unknown = typeof internals === 'object' && internals !== null ? Reflect.get(internals, 'def') : undefined;
  return Object.entries(typeof definition === 'object' && definition !== null ? definition : value);
}

const SCAN_PAGE = 100;

/** The characters that keys must not have, because some databases lose control characters and unpaired surrogates. */
const UNFIT = /[\p{Cc}\p{Cs}\u{10FFFF}]/u;

/** The form of a collection's prefix. Prefixes with a leading dot are the store's own. */
const PREFIX = /^[^!-/\s\p{C}][^/\s\p{C}]*$/u;

/** Tells whether a name is the key of a document, with its prefix. */
export function isKey(name: string): boolean {
  const slash = name.indexOf('/');
  return PREFIX.test(name.slice(0, Math.max(0, slash))) && slash < name.length - 1 && !UNFIT.test(name);
}

const remedies: Partial<Record<StoreTrouble, string>> = {
  newer: 'run that newer Navwatch, or restore a backup made before it',
  unreadable: 'restore a backup',
};

/** Opens a collection. Throws if the prefix or the version is invalid. */
export function openCollection<T>(spec: CollectionSpec<T>, backend: Backend): Collection<T> {
  if (!PREFIX.test(spec.prefix)) throw new StoreError('failed', `store: "${spec.prefix}" is no prefix; use one plain word`);
  if (!Number.isInteger(spec.version) || spec.version < 1) {
    throw new StoreError('failed', `store: the version of "${spec.prefix}" must be a whole number from 1`);
  }
  const start = `${spec.prefix}/`;
  const full = (key: string): string => {
    if (key === '' || UNFIT.test(key)) {
      throw new StoreError('failed', `store: ${JSON.stringify(start + key)} is no key; it must not be empty or hold control characters`);
    }
    return start + key;
  };

  const rangeOf = (under: string): KeyRange => startingWith(under === '' ? start : full(under));
  return {
    async get(key) {
      const name = full(key);
      const text = await backend.get(name);
      if (text === undefined) return undefined;
      const decoded = decode(spec, text);
      if (decoded.kind === 'document') return decoded.document;
      const { trouble, because } = decoded;
      throw new StoreError(trouble, `store: ${name} in ${backend.place} cannot be read: ${because}; ${remedies[trouble] ?? 'see the log'}`);
    },
    async set(key, document) {
      await backend.set(full(key), encode(spec, { key, document }), spec.writers);
    },
    async setIfAbsent(key, document) {
      return backend.setIfAbsent(full(key), encode(spec, { key, document }), spec.writers);
    },
    async delete(key) {
      await backend.delete(full(key), spec.writers);
    },
    async list(under = '') {
      return listing(spec, await backend.range(rangeOf(under)));
    },
    scan: (under = '') => scan(spec, backend, rangeOf(under)),
  };
}

function listing<T>(spec: CollectionSpec<T>, entries: readonly StoredText[]): Listing<T> {
  const found: [string, T][] = [];
  const unreadable: { key: string; because: string }[] = [];
  for (const [name, text] of entries) {
    const key = name.slice(`${spec.prefix}/`.length);
    const decoded = decode(spec, text);
    if (decoded.kind === 'document') found.push([key, decoded.document]);
    else unreadable.push({ key, because: decoded.because });
  }
  return { found, unreadable };
}

async function* scan<T>(spec: CollectionSpec<T>, backend: Backend, range: KeyRange): AsyncGenerator<Listing<T>> {
  let next: ReturnType<Backend['range']> | undefined = backend.range({ ...range, limit: SCAN_PAGE });
  while (next !== undefined) {
    const page: readonly StoredText[] = await next;
    const last: StoredText | undefined = page.length === SCAN_PAGE ? page.at(-1) : undefined;
    // The next page is read while this one is parsed.
    next = last && backend.range({ ...range, after: last[0], limit: SCAN_PAGE });
    // If the caller stops early, nobody handles the rejection.
    next?.catch(() => undefined);
    if (page.length > 0) yield listing(spec, page);
    await yieldToEventLoop();
  }
}
