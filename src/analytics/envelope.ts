/** The outer shape of every answer, `{data, meta?}` (§2.1), and how a row reads what is inside. Pure. */
import { z } from 'zod';
import { datesOf } from './data-time.js';
import { TooLargeError } from './json.js';
import type { Parsed, ParsedReading } from './parsed.js';
import { parsing } from './reading.js';
import { metaSchema, type Meta, type Row } from './row.js';
import { inSteps, readInSteps, stepwise } from './stepwise.js';

const envelope = z
  .looseObject({ data: z.unknown().optional(), meta: z.unknown().optional() })
  // `data: null` is an answer (§4.9: a canonical address is null today); no `data` at all is none.
  .refine((value) => Object.hasOwn(value, 'data'), { path: ['data'], message: 'missing' });

/** What an answer holds, as parsed. */
export interface Content {
  readonly data: unknown;
  readonly meta: unknown;
}

const refused = (because: string, tooLarge = false) => ({ ok: false, tooLarge, because }) as const;

/** The most values in an answer that is not a list: it is read without a pause. */
const MAX_SINGLE_VALUES = 30_000;

/** Opens a body as it arrived for a row. Numbers too long for JavaScript become text, so that no digit is lost. */
export const openEnvelope = async (row: Pick<Row, 'data'>, body: string): Promise<ParsedReading<Content>> =>
  opening(async () => inSteps(parsing(body, stepwise.has(row.data) ? undefined : MAX_SINGLE_VALUES)));

async function opening(parse: () => unknown): Promise<ParsedReading<Content>> {
  try {
    const read = envelope.safeParse(await parse());
    if (!read.success) return refused('the answer has no "data"');
    return { ok: true, value: { data: read.data['data'], meta: read.data['meta'] ?? null } };
  } catch (error) {
    // The parser's own message quotes the text.
    if (!(error instanceof TooLargeError)) return refused('the answer is not JSON');
    return refused(`the answer is larger than any answer should be: ${error.message}`, true);
  }
}

/** What is under `data` and `meta`, read with a row's schema. */
async function readContent<D>(
  row: Pick<Row<z.ZodObject, D>, 'data'>,
  { data, meta }: Content,
): Promise<ParsedReading<{ readonly data: D; readonly meta: Meta }>> {
  const read = await readInSteps(row.data, data);
  if (read.ok) return { ok: true, value: { data: read.data, meta: metaSchema.parse(meta) } };
  // Only where and what kind: zod's own sentence may name a value.
  return refused(`the answer does not fit the interface at "${['data', ...read.path].join('.')}" (${read.code})`);
}

/** What an answer holds with the times it states, read with a row's schema. */
export async function readParsed<D>(row: Pick<Row<z.ZodObject, D>, 'data' | 'dated'>, content: Content): Promise<ParsedReading<Parsed<D>>> {
  const read = await readContent(row, content);
  return read.ok ? { ok: true, value: { ...read.value, dates: datesOf({ ...content, dated: row.dated }) } } : read;
}

/** A kept answer, read with a row's schema. We wrote its text, so it needs no measuring and holds no number that is too long. */
export async function readKept<D>(row: Pick<Row<z.ZodObject, D>, 'data' | 'dated'>, body: string): Promise<ParsedReading<Parsed<D>>> {
  const opened = await opening(() => JSON.parse(body));
  return opened.ok ? readParsed(row, opened.value) : opened;
}
