/** The outer shape of every answer, `{data, meta?}` (§2.1), and how a row reads what is inside. Pure. */
import { z } from 'zod';
import type { Instant } from '../domain/scalars.js';
import { metaSchema, type Meta, type Row } from './row.js';
import { parseJson } from './reading.js';

const envelope = z
  .looseObject({ data: z.unknown().optional(), meta: z.unknown().optional() })
  // `data: null` is an answer (§4.9: a canonical address is null today); no `data` at all is none.
  .refine((value) => Object.hasOwn(value, 'data'), { path: ['data'], message: 'missing' });

/** What was read, or why it could not be, in words that quote nothing of the answer. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly because: string };

/** Opens a body. Numbers too long for JavaScript become text, so that no digit is lost. */
export function openEnvelope(body: string): Reading<{ readonly data: unknown; readonly meta: unknown }> {
  try {
    const read = envelope.safeParse(parseJson(body));
    if (!read.success) return { ok: false, because: 'the answer has no "data"' };
    return { ok: true, value: { data: read.data['data'], meta: read.data['meta'] ?? null } };
  } catch {
    return { ok: false, because: 'the answer is not JSON' }; // The parser's own message quotes the text.
  }
}

function readAnswer<D>(
  row: Pick<Row<z.ZodObject, D>, 'data'>,
  { data, meta }: { readonly data: unknown; readonly meta: unknown },
): Reading<{ readonly data: D; readonly meta: Meta }> {
  const read = row.data.safeParse(data);
  if (read.success) return { ok: true, value: { data: read.data, meta: metaSchema.parse(meta) } };
  const [issue] = read.error.issues;
  // Only where and what kind: zod's own sentence may name a value.
  return {
    ok: false,
    because: `the answer does not fit the interface at "${['data', ...(issue?.path ?? [])].join('.')}" (${issue?.code ?? 'unreadable'})`,
  };
}

/** A kept answer, read with a row's schema. */
export function readKept<D>(
  row: Pick<Row<z.ZodObject, D>, 'data'>,
  { at, body }: { readonly at: Instant; readonly body: string },
): Reading<{ readonly data: D; readonly meta: Meta; readonly at: Instant }> {
  const opened = openEnvelope(body);
  const read = opened.ok ? readAnswer(row, opened.value) : opened;
  return read.ok ? { ok: true, value: { ...read.value, at } } : read;
}
