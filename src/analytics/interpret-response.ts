/** Turns an HTTP exchange into a response or an error, and opens the envelope `{data, meta?}` of a response (§2.1). No error quotes a body. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { DAY, later, SECOND } from '../base/clock.js';
import { never } from '../base/never.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Instant } from '../domain/scalars.js';
import { datesOf } from './data-time.js';
import { metaSchema, type Meta, type Row } from './endpoint-row.js';
import { AnalyticsError, type Trouble } from './errors.js';
import { parseJson, reader, parsing } from './field-reader.js';
import type { Parsed, ParsedReading } from './parse-cache.js';
import type { TransportResponse } from './transport.js';
import { TooLargeError, inSteps, readInSteps, stepwise } from './untrusted-json.js';
import { decimal } from './wire-values.js';

export type Interpretation =
  | { readonly kind: 'good'; readonly text: string }
  /** With `again` a retry may help, after `wait` ms. `requested` is the wait that the service stated. */
  | {
      readonly kind: 'failed';
      readonly error: AnalyticsError;
      readonly again: boolean;
      readonly wait: number;
      readonly requested?: number | undefined;
    };

export interface Circumstances {
  readonly row: string;
  /** A 404 names something unknown. */
  readonly names: boolean;
  readonly now: Instant;
  /** It is in ms, and counts where the service gives none. */
  readonly backoff: number;
  /** It is a `POST`, which is not retried. */
  readonly changes?: boolean;
}

export function interpretResponse(response: TransportResponse, circumstances: Circumstances): Interpretation {
  const { row, now, backoff, changes = false } = circumstances;
  const failed = (
    trouble: Trouble,
    detail: string,
    next: { again?: boolean; wait?: number; until?: Instant; requested?: number | undefined; tooLarge?: boolean } = {},
  ): Interpretation => ({
    kind: 'failed',
    error: new AnalyticsError(
      omitUndefined({
        trouble,
        row,
        detail,
        until: next.until,
        requested: next.requested !== undefined,
        tooLarge: next.tooLarge,
      }),
    ),
    again: !changes && (next.again ?? false),
    wait: next.wait ?? backoff,
    requested: next.requested,
  });
  switch (response.kind) {
    case 'body':
      return { kind: 'good', text: response.text };
    case 'broken':
      return failed('unreachable', `no answer from the service (${response.code}); check ANALYTICS_BASE_URL and the network`, {
        again: true,
      });
    case 'oversize':
      return failed('malformed', 'the answer is larger than any answer should be and was not read to its end', { tooLarge: true });
    case 'garbled':
      return failed('malformed', 'the body of the answer is not readable text');
    case 'status': {
      const requested = requestedWait(response.retryAfter, now);
      const wait = Math.max(backoff, requested ?? 0);
      if (response.status === 429 && changes) {
        const pause = pauseInBody(response.text) ?? pauseInHeader(response.retryAfter, now);
        const stated = pause === undefined ? {} : { until: later(now, pause), requested: pause };
        return failed('limited', 'this may not be asked again yet (429)', stated);
      }
      if (response.status === 429) {
        return failed('limited', 'the service asks for a pause (429)', { again: true, wait, until: later(now, wait), requested });
      }
      if (response.status >= 500) return failed('unreachable', `the service failed (${response.status})`, { again: true, wait });
      return failed(...definite(response.status, circumstances));
    }
    default:
      return never(response);
  }
}

/** Later times are no dates. */
const MAX_PAUSE = 36_525 * DAY;

/** The pause that a refused refresh states (§7), in ms. */
function pauseInBody(body: string | undefined): number | undefined {
  if (body === undefined || body === '') return undefined;
  try {
    const seconds = reader(parseJson(body)).get('refreshRetryAfter', decimal);
    return seconds === undefined || Number(seconds) <= 0 ? undefined : pauseOf(Number(seconds));
  } catch {
    return undefined; // The body is not JSON.
  }
}

/** Returns a wait in ms, rounded up. */
const pauseOf = (seconds: number): number => Math.min(Math.ceil(seconds) * SECOND, MAX_PAUSE);

const pauseInHeader = (header: string | undefined, now: Instant): number | undefined => {
  const wait = headerWait(header, now);
  return wait === undefined ? undefined : pauseOf(wait / SECOND);
};

function definite(status: number, { names }: Circumstances): [Trouble, string] {
  if (status === 401) return ['key-refused', 'the service refused the key (401); check ANALYTICS_API_KEY'];
  if (status === 403) return ['forbidden', 'the plan behind the key does not include this (403)'];
  if (status === 404 && names) return ['unknown', 'the service does not know it (404)'];
  if (status >= 400)
    return ['rejected', `the service did not accept the request (${status}); check ANALYTICS_BASE_URL if this concerns every call`];
  return ['malformed', `the service answered with a status that carries no data (${status}); check ANALYTICS_BASE_URL`];
}

/** `Retry-After` (seconds or HTTP date) in ms from now. */
function requestedWait(header: string | undefined, now: Instant): number | undefined {
  const wait = headerWait(header, now);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), MAX_PAUSE);
}

/** 0 seconds or a date in the past states no wait. */
function headerWait(header: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) * SECOND : DateTime.fromHTTP(header).toMillis() - now;
  return Number.isFinite(wait) && wait > 0 ? wait : undefined;
}

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

/** It is in characters. Parsing and reading longer ones takes two turns of the event loop. */
const LARGE = 256 * 1024;

/** Reads a cached body. */
export async function readKept<D>(row: Readable<D>, body: string): Promise<ParsedReading<Parsed<D>>> {
  const opened = await opening(() => JSON.parse(body));
  if (body.length > LARGE) await yieldToEventLoop();
  return opened.ok ? readParsed(row, opened.value) : opened;
}
