/** Cache, single flight, rate limit, booking, retries, parsing. On failure it returns the last good copy, marked as stale. */
import type { z } from 'zod';
import { SECOND, instant, later, type Clock } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { withDeadline } from '../base/deadline.js';
import type { Log } from '../base/log.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Instant } from '../domain/scalars.js';
import { counterRate, type Store } from '../store/store.js';
import {
  MAX_TEXT_BYTES,
  addressOf,
  isUnreadable,
  longestText,
  type Meta,
  type Row,
  type Rows,
  type ServiceAddress,
} from './endpoint-row.js';
import type { Analytics, Answer, Meter } from './analytics.js';
import { MAX_ATTEMPTS, attempts, countedAttempts, retryWait } from './retries.js';
import { Budget } from './budget.js';
import { Cache, type Kept } from './cache.js';
import { PlanLimits } from './plan-limits.js';
import { dataTime } from './data-time.js';
import { openEnvelope, readKept, readParsed, type Content } from './envelope.js';
import { AnalyticsError, type Trouble } from './errors.js';
import { SingleFlight, type SharedCall } from './single-flight.js';
import { RateLimiter, type Priority } from './rate-limiter.js';
import { ServicePause, type Trial } from './service-pause.js';
import { createPager, type PageOptions } from './paging.js';
import { createParsedAnswers, type Parsed, type ParsedReading } from './parse-cache.js';
import { createReport } from './service-health.js';
import { plausibleTotal } from './page-accumulator.js';
import { createTransport, type Connect, type TransportResponse } from './transport.js';
import { interpretResponse, type Interpretation } from './interpret-response.js';

export interface AnalyticsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** In stored responses. Default: `baseUrl`. */
  readonly source?: string;
  readonly requestsPerSecond: number;
  /** Undefined: no limit. */
  readonly requestsPerMonth?: number | undefined;
  /** 1 to 28. Default: 1. */
  readonly budgetResetDay?: number | undefined;
  /** False in a process that does not write; the engine counts its calls. Default: true. */
  readonly writesLedger?: boolean | undefined;
  readonly maxRows?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly store: Store;
  readonly clock: Clock;
  /** For jitter. */
  readonly random: () => number;
  readonly log: Log;
  /** Of a call in ms, with queueing and retries. */
  readonly deadlines?: Readonly<Record<'question' | 'poll', number>>;
  /** After decompression. */
  readonly maxBytes?: number;
  /** Asked directly before each POST. Absent: always. */
  readonly isActive?: (() => boolean) | undefined;
  /** Gets the `Date` header of each response. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
  /** Default: HTTP to `baseUrl`. */
  readonly connect?: Connect | undefined;
  /** After every request, for metrics. `answer`: the status, or why there is none. */
  readonly exchanged?: ((exchange: { readonly row: string; readonly ms: number; readonly answer: string | number }) => void) | undefined;
}

export interface AnalyticsClient extends Analytics {
  ready(): Promise<void>;
  flush(): Promise<void>;
  /** Running calls reject as `unreachable`; pending data is written. Idempotent. */
  close(): Promise<void>;
}

const DEADLINES = { question: 15 * SECOND, poll: 60 * SECOND } as const;
const MAX_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 4;
/** As multiples of `deadlines`, for all pages. */
const WALK_DEADLINES = { question: 1, poll: 5 } as const;

/** An older copy would contradict them. */
const DEFINITE: ReadonlySet<Trouble> = new Set(['unknown', 'rejected', 'forbidden']);

const isPage = (data: unknown): data is Rows<unknown> =>
  typeof data === 'object' &&
  data !== null &&
  'rows' in data &&
  Array.isArray(data.rows) &&
  'broken' in data &&
  typeof data.broken === 'number';

/** Drops a `totalItems` that the number of rows contradicts. */
function believable({ data, meta }: Pick<Answer<unknown>, 'data' | 'meta'>, page: unknown): Meta {
  if (!isPage(data)) return meta;
  const rows = data.rows.length + data.broken;
  return { ...meta, totalItems: plausibleTotal(meta.totalItems, { page: typeof page === 'number' ? page : 1, rows }) };
}

type CallMode = Required<Pick<PageOptions, 'priority' | 'ifFailing'>> & {
  readonly [Name in 'signal' | 'meter' | 'by']: PageOptions[Name] | undefined;
};

/** Longer bodies are processed in steps. */
const LARGE = 256 * 1024;

interface Arrival {
  readonly text: string;
  readonly kept: Kept;
  readonly content?: Content;
}

interface Attempt {
  readonly shared: SharedCall;
  readonly attempt: number;
  readonly meter: Meter | undefined;
}

const overdrawn = (row: string, until: Instant) =>
  new AnalyticsError({ trouble: 'allowance-spent', row, detail: 'whoever asks has used up their allowance', until });

export function createAnalytics(options: AnalyticsOptions): AnalyticsClient {
  const { clock, random, log, store, connect = createTransport } = options;
  const deadlines = options.deadlines ?? DEADLINES;
  const transport = connect({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    connections: CONCURRENCY,
    isActive: options.isActive,
    onDate: options.onDate,
  });
  const rateLimiter = new RateLimiter({ clock, perSecond: options.requestsPerSecond, concurrency: CONCURRENCY });
  const pause = new ServicePause(clock);
  const budget = new Budget({
    store,
    clock,
    log,
    limit: options.requestsPerMonth,
    resetDay: options.budgetResetDay,
    writesLedger: options.writesLedger,
  });
  const planLimits = new PlanLimits({
    store,
    clock,
    log,
    source: options.source ?? options.baseUrl,
    rows: options.maxRows,
    pages: options.maxPages,
    isThrifty: options.requestsPerMonth !== undefined,
  });
  const cache = new Cache({
    store,
    clock,
    log,
    source: options.source ?? options.baseUrl,
    storesAll: options.requestsPerMonth !== undefined,
  });
  const parsed = createParsedAnswers();
  const singleFlight = new SingleFlight<Arrival>((key, asker) => rateLimiter.hasten(key, asker));
  const report = createReport({ clock, log, budget: () => budget.state() });
  const end = new AbortController();

  /** All processes together. While the engine is away, each keeps its own pace. */
  const sharedPace = async (signal: AbortSignal): Promise<void> => {
    const rate = counterRate({ max: options.requestsPerSecond, per: SECOND });
    const wait = async (): Promise<number> => (await store.shared?.take('pace', rate).catch(() => 0)) ?? 0;
    for (let ms = await wait(); ms > 0; ms = await wait()) await clock.sleep(ms, signal);
  };

  const limited = (row: string, priority: Priority) =>
    new AnalyticsError({
      ...{ trouble: 'limited', row, detail: 'the service asked for a pause', until: pause.from(priority) },
      requested: pause.state()?.askedUntil !== undefined,
    });

  const judge = (row: Row, answer: TransportResponse, { attempt, trial, shared }: Attempt & { readonly trial: Trial }): Interpretation => {
    const names = Object.keys(row.input.shape).some((field) => field !== 'limit' && field !== 'page');
    const changes = row.method === 'POST';
    const judged = interpretResponse(answer, { row: row.id, names, now: clock.now(), backoff: retryWait(attempt, random), changes });
    if (answer.kind === 'broken' || (answer.kind === 'status' && answer.status >= 500)) return judged;
    if (answer.kind !== 'status' || answer.status !== 429) trial.answered();
    // A pause for a `POST` applies to that operation only.
    if (answer.kind !== 'status' || answer.status !== 429 || changes || judged.kind !== 'failed') return judged;
    rateLimiter.slow();
    trial.refused(judged.wait, judged.requested);
    const priority = shared.urgent() ? 'question' : 'poll';
    return { ...judged, error: limited(row.id, priority), wait: Math.max(judged.wait, pause.from(priority) - clock.now()) };
  };

  /** `wasSent`: it stays counted. */
  const exchange = async (row: Row, { path, body }: ServiceAddress, attempt: Attempt) => {
    const { shared, meter } = attempt;
    const trial = pause.begin();
    let wasSent = false;
    try {
      await sharedPace(shared.signal);
      const until = await meter?.spentUntil?.();
      if (until !== undefined) throw overdrawn(row.id, until);
      const booking = await budget.book(row.id, shared.urgent() ? 'question' : 'poll');
      wasSent = true;
      meter?.count();
      const accept = row.answers === 'csv' ? 'text/csv' : undefined;
      const begun = clock.now();
      try {
        const answer = await transport.send({ path, body, accept, signal: shared.signal, unsent: () => (wasSent = false) });
        const done = { row: row.id, ms: clock.now() - begun, answer: answer.kind === 'status' ? answer.status : answer.kind };
        report.exchange({ ...done, attempt: attempt.attempt });
        options.exchanged?.(done);
        return { judged: judge(row, answer, { ...attempt, trial }), wasSent };
      } finally {
        if (!wasSent) await Promise.all([meter?.giveBack(), budget.giveBack(booking)]);
      }
    } finally {
      trial.ended(wasSent);
    }
  };

  const request = async (row: Row, address: ServiceAddress, attempt: Attempt): Promise<{ judged: Interpretation; wasSent: boolean }> => {
    const { shared, meter } = attempt;
    const { signal, by } = shared;
    const priority = (): Priority => (shared.urgent() ? 'question' : 'poll');
    return rateLimiter.run(async () => exchange(row, address, attempt), {
      ...{ id: address.key, priority: priority(), asker: meter?.asker, signal },
      ready: async () => pause.ready({ priority, by, signal, refusal: () => limited(row.id, priority()) }),
    });
  };

  const ask = async (row: Row, address: ServiceAddress, { shared, meter }: Omit<Attempt, 'attempt'>): Promise<Arrival> => {
    let counted = 0;
    const text = await attempts({
      clock,
      // Do not retry while the service is down, nor any `POST`.
      most: report.away() || row.method === 'POST' ? 1 : MAX_ATTEMPTS,
      by: shared.by,
      signal: shared.signal,
      once: async (attempt) => {
        const { judged, wasSent } = await request(row, address, { shared, attempt, meter });
        if (wasSent) counted += 1;
        const isLast = counted >= countedAttempts(options.requestsPerMonth, shared.urgent() ? 'question' : 'poll');
        return judged.kind === 'failed' && wasSent && isLast ? { ...judged, again: false } : judged;
      },
    });
    const before = parsed.bodyOf({ key: address.key, schema: row.data }, text);
    if (before !== undefined) return { text, kept: { at: clock.now(), body: before } };
    // A CSV file has no envelope, so wrap it to cache it like the others.
    const opened = row.answers === 'csv' ? ({ ok: true, value: { data: text, meta: null } } as const) : await openEnvelope(row, text);
    if (!opened.ok) throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: opened.because, tooLarge: opened.tooLarge });
    if (text.length > LARGE) await yieldToEventLoop();
    const body = JSON.stringify(opened.value);
    if (text.length > LARGE) await yieldToEventLoop();
    return { text, kept: { at: clock.now(), body }, content: opened.value };
  };

  const callShared = async (row: Row, address: ServiceAddress, { priority, signal, meter, by: last }: CallMode) => {
    const by = instant(Math.min(later(clock.now(), deadlines[priority]), last ?? Infinity));
    if (pause.from(priority) >= by) throw limited(row.id, priority);
    const late = () =>
      pause.from(priority) > clock.now()
        ? limited(row.id, priority)
        : new AnalyticsError({ trouble: 'timeout', row: row.id, detail: 'no whole answer within the deadline' });
    const stops = [end.signal, ...(signal === undefined ? [] : [signal])];
    return withDeadline({ clock, milliseconds: by - clock.now(), stops, late }, async (limit) =>
      singleFlight.join({ key: address.key, signal: limit, by, urgent: priority === 'question', asker: meter?.asker }, async (shared) =>
        ask(row, address, { shared, meter }),
      ),
    );
  };

  /** Files bypass the parse cache. */
  const contentOf = async <D>(
    row: Row<z.ZodObject, D>,
    { key }: ServiceAddress,
    { text, kept: { body }, content }: Omit<Arrival, 'text'> & Partial<Arrival>,
  ): Promise<ParsedReading<Parsed<D>>> => {
    const parse = async () => (content === undefined ? readKept(row, body) : readParsed(row, content));
    return row.freshFor === 0 || row.answers === 'csv' ? parse() : parsed.of({ key, schema: row.data, body, text }, parse);
  };

  const answerOf = <D>({ data, meta, dates }: Parsed<D>, { at }: Kept, { past }: ServiceAddress): Answer<D> => {
    const dataAt = past === true ? undefined : dataTime(dates, clock.now());
    return { data, meta, at, ...(dataAt === undefined ? {} : { dataAt }) };
  };

  const copyOf = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress, kept: Kept | undefined): Promise<Answer<D> | undefined> => {
    const read = kept === undefined ? undefined : await contentOf(row, address, { kept });
    return kept !== undefined && read?.ok === true ? answerOf(read.value, kept, address) : undefined;
  };
  const lastCopy = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress) => copyOf(row, address, await cache.read(address.key));

  /** A list without readable rows never replaces one with some. */
  const fresh = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress, how: CallMode): Promise<Answer<D>> => {
    const arrival = await callShared(row, address, how);
    const read = await contentOf(row, address, arrival);
    if (!read.ok) throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: read.because });
    const better = row.freshFor > 0 && isUnreadable(read.value.data) ? await lastCopy(row, address) : undefined;
    const isWorse = better !== undefined && !isUnreadable(better.data);
    if (isWorse && how.ifFailing === 'serve')
      throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: 'no row of the list can be read' });
    if (row.freshFor > 0 && !isWorse) cache.keep(address.key, arrival.kept, how.priority === 'question');
    return answerOf(read.value, arrival.kept, address);
  };

  /** Without fallback: for a `POST` and for rows with `freshFor` 0. */
  const askOnly = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress, how: CallMode): Promise<Answer<D>> => {
    try {
      const answer = await fresh(row, address, how);
      report.good();
      return answer;
    } catch (error) {
      // A rate-limited `POST` says nothing about the service's health.
      if (error instanceof AnalyticsError && !(row.method === 'POST' && error.trouble === 'limited')) report.failed(error);
      throw error;
    }
  };

  const call = async <D>(
    row: Row<z.ZodObject, D>,
    input: Readonly<Record<string, unknown>>,
    { priority = 'question', maxAge = row.freshFor, ifFailing = 'serve', signal, meter, failed, by }: PageOptions = {},
  ): Promise<Answer<D>> => {
    const fields = row.input.parse(input);
    signal?.throwIfAborted();
    const textBytes = longestText(fields);
    if (textBytes > MAX_TEXT_BYTES)
      throw new AnalyticsError({ trouble: 'unknown', row: row.id, detail: 'a text too long for an address', textBytes });
    const address = addressOf(row, fields);
    if (address === undefined) throw new AnalyticsError({ trouble: 'unknown', row: row.id, detail: 'no name that a path can carry' });
    const checked = (answer: Answer<D>): Answer<D> => {
      if (priority === 'question') cache.use(address.key);
      return { ...answer, meta: believable(answer, fields['page']) };
    };
    if (row.freshFor === 0) return askOnly(row, address, { priority, ifFailing, signal, meter, by });
    const kept = await cache.read(address.key, maxAge);
    const age = kept === undefined ? Number.POSITIVE_INFINITY : clock.now() - kept.at;
    const copy = age >= 0 && age < maxAge ? await copyOf(row, address, kept) : undefined;
    if (copy !== undefined) return checked(copy);
    try {
      if (failed !== undefined) throw failed;
      const answer = await fresh(row, address, { priority, ifFailing, signal, meter, by });
      report.good();
      return checked(answer);
    } catch (error) {
      if (!(error instanceof AnalyticsError)) throw error;
      report.failed(error);
      if (ifFailing === 'refuse' || DEFINITE.has(error.trouble)) throw error;
      const last = await lastCopy(row, address);
      if (last === undefined) throw error;
      return { ...checked(last), stale: error.trouble };
    }
  };

  const whole = { question: WALK_DEADLINES.question * deadlines.question, poll: WALK_DEADLINES.poll * deadlines.poll };
  const pager = createPager({ call, planLimits, clock, deadlines: whole });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const reason = new AnalyticsError({ trouble: 'unreachable', row: 'any', detail: 'the bot is stopping' });
    end.abort(reason);
    await singleFlight.close(reason);
    await transport.close();
    await Promise.all([cache.settled(), planLimits.settled(), budget.close()]);
  };

  return {
    call: async (row, input, how) => call(row, input, how),
    async kept(row, input) {
      const address = addressOf(row, row.input.parse(input));
      return address === undefined ? undefined : lastCopy(row, address);
    },
    walk: async (row, input, identify, how) => pager(row, input, { identify, how: how ?? {} }),
    state: () => ({
      ...report.state(),
      ...omitUndefined({ pause: pause.state() }),
      pace: { now: rateLimiter.pace(), full: options.requestsPerSecond },
      planLimits: planLimits.state(),
    }),
    ready: async () => void (await Promise.all([budget.ready(), planLimits.ready()])),
    flush: async () => cache.flush(),
    close: async () => (closing ??= close()),
  };
}
