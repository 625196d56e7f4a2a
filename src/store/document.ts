/**
 * A document as it is stored: `{"v": version, "d": document}`. Pure. No message carries a document's content, only its key and the
 * path inside it, since a document may hold what should not stand in a log.
 * A schema parses what it wrote, so it must accept its own output: brands and defaults are fine, a change of type is not.
 */
import { z } from 'zod';
import { StoreError, type CollectionSpec, type StoreTrouble } from './store.js';

export type Decoded<T> =
  | { readonly kind: 'document'; readonly document: T }
  | { readonly kind: 'trouble'; readonly trouble: StoreTrouble; readonly because: string };

const envelope = z.object({ v: z.int().positive(), d: z.unknown() });

/** The text of a document. Throws a `StoreError` when the schema refuses it or JSON would change it. */
export function encode<T>(spec: CollectionSpec<T>, { key, document }: { key: string; document: T }): string {
  const refuse = (because: string, cause?: unknown) =>
    new StoreError('failed', `store: ${spec.prefix}/${key} was not stored: ${because}; this is a mistake in Navwatch, please report it`, {
      cause,
    });
  const parsed = spec.schema.safeParse(document);
  if (!parsed.success) throw refuse(firstIssue(parsed.error));
  const changed = changedByJson(parsed.data);
  if (changed !== undefined) throw refuse(changed);
  return JSON.stringify({ v: spec.version, d: parsed.data });
}

/** What a text holds, or why it cannot be read. Never throws. */
export function decode<T>(spec: CollectionSpec<T>, text: string): Decoded<T> {
  const opened = unwrap(text);
  if (opened === undefined) return unreadable('it is not a document of Navwatch');
  if (opened.v > spec.version) {
    const because = `it was written by a newer Navwatch (document version ${opened.v}, this one knows ${spec.version})`;
    return { kind: 'trouble', trouble: 'newer', because };
  }
  let current = opened.d;
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

const unreadable = (because: string) => ({ kind: 'trouble', trouble: 'unreadable', because }) as const;

function unwrap(text: string): z.infer<typeof envelope> | undefined {
  try {
    return envelope.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // Not JSON at all: the caller says so, without quoting it.
  }
}

const named = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'the whole document' : path.map(String).join('.'));

/** Zod's own message may quote the value; its code and path do not. */
function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return `"${named(issue?.path ?? [])}" does not fit its schema (${issue?.code ?? 'unknown'})`;
}

/**
 * The first value that would come back from JSON as something else (a Date, NaN, a bigint, a Map, a hole in a list), in words.
 * An undefined property is fine: it comes back absent, which reads the same.
 */
function changedByJson(value: unknown, path: readonly string[] = [], above: readonly object[] = []): string | undefined {
  const complain = (what: string) => `"${named(path)}" is ${what}, which cannot be stored`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : complain('not a finite number');
  if (typeof value !== 'object') return complain(`of type ${typeof value}`);
  if (above.includes(value)) return complain('a circle');
  const inside = [...above, value];
  if (Array.isArray(value)) {
    return firstDefined(value.keys(), (index) => changedByJson(value[index], [...path, String(index)], inside));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return complain('no plain object');
  return firstDefined(Object.entries(value), ([name, item]) =>
    item === undefined ? undefined : changedByJson(item, [...path, name], inside),
  );
}

function firstDefined<T>(items: Iterable<T>, look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
