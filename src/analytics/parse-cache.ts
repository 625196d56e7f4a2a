/** Caches parsed bodies, so that equal bodies are parsed once and share a value. */
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Dates } from './data-time.js';
import type { Meta } from './endpoint-row.js';
import { inSteps } from './untrusted-json.js';

export type ParsedReading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly tooLarge: boolean; readonly because: string };

/** A parsed body. `data` is frozen because callers share it. */
export interface Parsed<D> {
  readonly data: D;
  readonly meta: Meta;
  readonly dates: Dates;
}

interface Place<D> {
  readonly key: string;
  readonly schema: z.ZodType<D>;
}

interface Entry<D> {
  readonly schema: unknown;
  readonly body: string;
  readonly text: string | undefined;
  readonly reading: Promise<ParsedReading<Parsed<D>>>;
  /** The number of fields and items. */
  readonly values: number;
}

/** The value is in characters. */
const MAX_SIZE = 16 * 1024 * 1024;
/** The size of a parsed value, in characters. */
const VALUE_SIZE = 16;
const MAX_ENTRIES = 1_000;

/** Values per step: about a millisecond of work. */
const VALUES_A_STEP = 5_000;

const isOf = <D>(entry: Entry<unknown> | undefined, schema: z.ZodType<D>): entry is Entry<D> => entry?.schema === schema;
const sizeOf = ({ body, text = body, values }: Entry<unknown>): number =>
  Math.max(1, body.length + (text === body ? 0 : text.length) + VALUE_SIZE * values);

export class ParsedAnswers {
  readonly #entries = new LRUCache<string, Entry<unknown>>({ max: MAX_ENTRIES, maxSize: MAX_SIZE, sizeCalculation: sizeOf });

  /** Returns the cached body of a text that was received before. */
  bodyOf({ key, schema }: Place<unknown>, text: string): string | undefined {
    const entry = this.#entries.get(key);
    return isOf(entry, schema) && entry.text === text ? entry.body : undefined;
  }

  /** Parses a body or returns the cached result. `text` is the body as received. */
  async of<D>(
    { key, schema, body, text }: Place<D> & { readonly body: string; readonly text?: string | undefined },
    parse: () => Promise<ParsedReading<Parsed<D>>>,
  ): Promise<ParsedReading<Parsed<D>>> {
    const entries = this.#entries;
    const known = entries.get(key);
    if (isOf(known, schema) && known.body === body) {
      entries.set(key, { ...known, text: text ?? known.text });
      return known.reading;
    }
    let values = 0;
    const reading = (async () => {
      const read = await parse();
      if (read.ok) values = (await inSteps(freezing(read.value))) ?? 0;
      return read;
    })();
    entries.set(key, { schema, body, text, reading, values });
    const isRead = await reading.then(
      ({ ok }) => ok,
      () => false,
    );
    const entry = entries.get(key);
    // The cache does not keep unreadable bodies.
    if (entry?.reading === reading) {
      if (isRead) entries.set(key, { ...entry, values });
      else entries.delete(key);
    }
    return reading;
  }
}

function* freezing(root: unknown): Generator<undefined, number> {
  const waiting: unknown[] = [root];
  let count = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) continue;
    Object.freeze(value);
    for (const part of Object.values(value)) {
      count += 1;
      if (typeof part === 'object') waiting.push(part);
      if (count % VALUES_A_STEP === 0) yield;
    }
  }
  return count;
}
