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
  /** `again`: a retry after `wait` ms may help. `requested` is the wait that the service stated. */
  | {
      readonly kind: 'failed';
      readonly error: AnalyticsError;
      readonly again: boolean;
      readonly wait: number;
      readonly requested?: number | undefined;
    };

export interface Circumstances {
  readonly row: string;
  /** The call names something, so a 404 means that it is unknown. */
  readonly names: boolean;
  readonly now: Instant;
  /** The wait in milliseconds if the service states none. */
  readonly backoff: number;
  /** The call is a `POST`, which is not retried. */
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

/** The value is in milliseconds. Longer waits would exceed the range of dates. */
const MAX_PAUSE = 36_525 * DAY;

/** Returns the pause that the body of a refused refresh states (§7), in milliseconds. */
function pauseInBody(body: string | undefined): number | undefined {
  if (body === undefined || body === '') return undefined;
  try {
    const seconds = reader(parseJson(body)).get('refreshRetryAfter', decimal);
    return seconds === undefined || Number(seconds) <= 0 ? undefined : pauseOf(Number(seconds));
  } catch {
    return undefined; // The body is not JSON.
  }
}

/** Converts to milliseconds, rounded up to whole seconds. */
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

/** Reads `Retry-After` (seconds or an HTTP date) as milliseconds from now. */
function requestedWait(header: string | undefined, now: Instant): number | undefined {
  const wait = headerWait(header, now);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), MAX_PAUSE);
}

/** Reads the wait of a header. 0 seconds or a past date counts as none. */
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

/** Opens the envelope of a body. Numbers that are too long for JavaScript become text. */
export const openEnvelope = async (row: Pick<Row, 'data'>, body: string): Promise<ParsedReading<Content>> =>
  opening(async () => inSteps(parsing(body, stepwise.has(row.data) ? undefined : MAX_SINGLE_VALUES)));

async function opening(parse: () => unknown): Promise<ParsedReading<Content>> {
  try {
    const read = envelope.safeParse(await parse());
    if (!read.success) return refused('the answer has no "data"');
    return { ok: true, value: { data: read.data['data'], meta: read.data['meta'] ?? null } };
  } catch (error) {
    // The parser's message is not used, because it quotes the text.
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

/** The value is in characters. Longer bodies are parsed and read in separate turns of the event loop. */
const LARGE = 256 * 1024;

/** Reads a cached body. */
export async function readKept<D>(row: Readable<D>, body: string): Promise<ParsedReading<Parsed<D>>> {
  const opened = await opening(() => JSON.parse(body));
  if (body.length > LARGE) await yieldToEventLoop();
  return opened.ok ? readParsed(row, opened.value) : opened;
}
