/** Parses `{data, meta?}` (§2.1). It is pure. */
import { z } from 'zod';
import { yieldToEventLoop } from '../base/yield.js';
import { datesOf } from './data-time.js';
import { TooLargeError } from './untrusted-json.js';
import type { Parsed, ParsedReading } from './parse-cache.js';
import { parsing } from './field-reader.js';
import { metaSchema, type Meta, type Row } from './endpoint-row.js';
import { inSteps, readInSteps, stepwise } from './chunked-parsing.js';

const envelope = z
  .looseObject({ data: z.unknown().optional(), meta: z.unknown().optional() })
  // `data: null` is valid (§4.9: a canonical address); a missing `data` is not.
  .refine((value) => Object.hasOwn(value, 'data'), { path: ['data'], message: 'missing' });

export interface Content {
  readonly data: unknown;
  readonly meta: unknown;
}

const refused = (because: string, tooLarge = false) => ({ ok: false, tooLarge, because }) as const;

const MAX_SINGLE_VALUES = 30_000;

/** Numbers too long for JavaScript become text. */
export const openEnvelope = async (row: Pick<Row, 'data'>, body: string): Promise<ParsedReading<Content>> =>
  opening(async () => inSteps(parsing(body, stepwise.has(row.data) ? undefined : MAX_SINGLE_VALUES)));

async function opening(parse: () => unknown): Promise<ParsedReading<Content>> {
  try {
    const read = envelope.safeParse(await parse());
    if (!read.success) return refused('the answer has no "data"');
    return { ok: true, value: { data: read.data['data'], meta: read.data['meta'] ?? null } };
  } catch (error) {
    // The parser's message quotes the text.
    if (!(error instanceof TooLargeError)) return refused('the answer is not JSON');
    return refused(`the answer is larger than any answer should be: ${error.message}`, true);
  }
}

async function readContent<D>(
  row: Pick<Row<z.ZodObject, D>, 'data'>,
  { data, meta }: Content,
): Promise<ParsedReading<{ readonly data: D; readonly meta: Meta }>> {
  const read = await readInSteps(row.data, data);
  if (read.ok) return { ok: true, value: { data: read.data, meta: metaSchema.parse(meta) } };
  // The error names only path and code, because zod's message may quote a value.
  return refused(`the answer does not fit the interface at "${['data', ...read.path].join('.')}" (${read.code})`);
}

type Readable<D> = Pick<Row<z.ZodObject, D>, 'data' | 'dated' | 'items'>;

export async function readParsed<D>(row: Readable<D>, content: Content): Promise<ParsedReading<Parsed<D>>> {
  const read = await readContent(row, content);
  if (!read.ok) return read;
  return { ok: true, value: { ...read.value, dates: datesOf({ ...content, dated: row.dated, items: row.items?.(content.data) }) } };
}

/** Characters. Parsing and reading longer ones takes two turns of the event loop. */
const LARGE = 256 * 1024;

/** Reads a cached body. */
export async function readKept<D>(row: Readable<D>, body: string): Promise<ParsedReading<Parsed<D>>> {
  const opened = await opening(() => JSON.parse(body));
  if (body.length > LARGE) await yieldToEventLoop();
  return opened.ok ? readParsed(row, opened.value) : opened;
}
