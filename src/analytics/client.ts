/**
 * One `call` for every row: kept answer, else single flight, gate, booking, one request and its retries, then the row's schema.
 * A failure that is the service's, not its verdict, is answered with the last good copy, marked with its age.
 */
import type { z } from 'zod';
import { instant, later, SECOND, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { pause } from '../base/pause.js';
import type { Instant } from '../domain/scalars.js';
import type { Store } from '../store/store.js';
import { addressOf, longestText, MAX_TEXT_BYTES, type ServiceAddress } from './address.js';
import type { Analytics, Answer, Meter } from './analytics.js';
import { attempts, backoff } from './attempts.js';
import { createBudget } from './budget.js';
import { createCache, type Kept } from './cache.js';
import { createCaps } from './caps.js';
import { deadline } from './deadline.js';
import { dataTime } from './data-time.js';
import { openEnvelope, readKept, readParsed, type Content } from './envelope.js';
import { AnalyticsError, type Trouble } from './errors.js';
import { createFlights, type Ride } from './flight.js';
import { createGate } from './gate.js';
import { createPager, type PageOptions } from './paging.js';
import { createParsedAnswers, type Parsed, type ParsedReading } from './parsed.js';
import { isUnreadable, type Meta, type Row, type Rows } from './row.js';
import { createReport } from './report.js';
import { plausibleTotal } from './tally.js';
import { createTransport } from './transport.js';
import { verdict, type Verdict } from './verdict.js';

export interface AnalyticsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** What the service is called where its answers are kept, so that those of another one are never served. Default: `baseUrl`. */
  readonly source?: string;
  readonly requestsPerSecond: number;
  /** Unset: no limit; calls are counted all the same. */
  readonly requestsPerMonth?: number | undefined;
  /** The day of the month, 1 to 28, on which the service begins to count anew. Default: 1. */
  readonly budgetResetDay?: number | undefined;
  /** What the plan gives, where that is known: rows a page and pages of a list. */
  readonly maxRows?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly store: Store;
  readonly clock: Clock;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  readonly log: Log;
  /** How long a call may take in all, waiting in line and retries included, in milliseconds. */
  readonly deadlines?: Readonly<Record<'question' | 'poll', number>>;
  /** The most bytes of an answer, unpacked. */
  readonly maxBytes?: number;
}

export interface AnalyticsClient extends Analytics {
  /** Resolves when this month's ledger has been read, so that `state().budget` is true. */
  ready(): Promise<void>;
  /** Writes what is to be kept and is not written at once. Run each minute. */
  flush(): Promise<void>;
  /** Ends what is under way (it rejects as `unreachable`) and writes what is to be kept. Idempotent. */
  close(): Promise<void>;
}

/** A person waits a quarter of a minute at most; a poll may stand in line for a while. */
const DEADLINES = { question: 15 * SECOND, poll: 60 * SECOND } as const;
const MAX_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 4;
/** A person waits for all pages as long as for one; a poll of many pages waits its turn for each. */
const WALK_DEADLINES = { question: 1, poll: 5 } as const;
const MOST_ATTEMPTS = 3;

/** The service's own verdict on the question; an older copy would contradict it. */
const DEFINITE: ReadonlySet<Trouble> = new Set(['unknown', 'rejected', 'forbidden']);

const isPage = (data: unknown): data is Rows<unknown> =>
  typeof data === 'object' &&
  data !== null &&
  'rows' in data &&
  Array.isArray(data.rows) &&
  'broken' in data &&
  typeof data.broken === 'number';

/** What an answer says about its list, without a total that its own rows contradict. */
function believable({ data, meta }: Pick<Answer<unknown>, 'data' | 'meta'>, page: unknown): Meta {
  if (!isPage(data)) return meta;
  const rows = data.rows.length + data.broken;
  return { ...meta, totalItems: plausibleTotal(meta.totalItems, { page: typeof page === 'number' ? page : 1, rows }) };
}

/** How a call is made that has to be made. */
type Flying = Required<Pick<PageOptions, 'priority' | 'ifFailing'>> & {
  readonly [Name in 'signal' | 'meter' | 'by']: PageOptions[Name] | undefined;
};

/** A body of so many characters takes milliseconds to go through; others run between one pass and the next. */
const LARGE = 256 * 1024;

/** An answer as it came, the body to be kept, and what that holds where it was not parsed before. */
interface Arrival {
  readonly text: string;
  readonly kept: Kept;
  readonly content?: Content;
}

/** One attempt: who waits for it, and who pays. */
interface Trip {
  readonly ride: Ride;
  readonly attempt: number;
  readonly meter: Meter | undefined;
}

const overdrawn = (row: string, until: Instant) =>
  new AnalyticsError({ trouble: 'allowance-spent', row, detail: 'whoever asks has used up their allowance', until });

export function createAnalytics(options: AnalyticsOptions): AnalyticsClient {
  const { clock, random, log, store } = options;
  const deadlines = options.deadlines ?? DEADLINES;
  const transport = createTransport({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    connections: CONCURRENCY,
  });
  const gate = createGate({ clock, perSecond: options.requestsPerSecond, concurrency: CONCURRENCY });
  const budget = createBudget({ store, clock, log, limit: options.requestsPerMonth, resetDay: options.budgetResetDay });
  const caps = createCaps({ store, clock, log, source: options.source ?? options.baseUrl, rows: options.maxRows, pages: options.maxPages });
  const cache = createCache({
    ...{ store, clock, log, source: options.source ?? options.baseUrl },
    storesAll: options.requestsPerMonth !== undefined,
  });
  const parsed = createParsedAnswers();
  const flights = createFlights<Arrival>((key) => gate.hasten(key));
  const report = createReport({ clock, log, budget: () => budget.state() });
  const end = new AbortController();

  const limited = (row: string) =>
    new AnalyticsError({ trouble: 'limited', row, detail: 'the service asked for a pause', until: gate.heldUntil() });

  const request = async (row: Row, { key, path, body }: ServiceAddress, { ride, attempt, meter }: Trip): Promise<Verdict> => {
    if (gate.heldUntil() >= ride.by()) throw limited(row.id);
    const heard = await gate.run(
      async () => {
        const until = meter?.spentUntil?.();
        if (until !== undefined) throw overdrawn(row.id, until);
        await budget.book(row.id, ride.urgent() ? 'question' : 'poll');
        meter?.count();
        const begun = clock.now();
        const answer = await transport.send({ path, body, accept: row.answers === 'csv' ? 'text/csv' : undefined, signal: ride.signal });
        report.exchange({ row: row.id, ms: clock.now() - begun, heard: answer.kind === 'status' ? answer.status : answer.kind, attempt });
        return answer;
      },
      { id: key, priority: ride.urgent() ? 'question' : 'poll', signal: ride.signal },
    );
    const names = Object.keys(row.input.shape).some((field) => field !== 'limit' && field !== 'page');
    const changes = row.method === 'POST';
    const judged = verdict(heard, { row: row.id, names, now: clock.now(), backoff: backoff(attempt, random), changes });
    if (heard.kind === 'status' && heard.status === 429 && !changes) gate.slow();
    // What may not be changed again yet keeps nobody from asking something else.
    if (judged.kind === 'failed' && judged.error.until !== undefined && !changes) gate.hold(judged.error.until);
    return judged;
  };

  /** Asks the service; what comes back is whole and has the outer shape of an answer. */
  const ask = async (row: Row, address: ServiceAddress, { ride, meter }: Omit<Trip, 'attempt'>): Promise<Arrival> => {
    const text = await attempts({
      clock,
      // While the service is known to be away, one attempt tells as much as three, and costs the budget less.
      most: report.away() || row.method === 'POST' ? 1 : MOST_ATTEMPTS,
      by: ride.by,
      signal: ride.signal,
      once: async (attempt) => request(row, address, { ride, attempt, meter }),
    });
    const before = parsed.bodyOf({ key: address.key, schema: row.data }, text);
    if (before !== undefined) return { text, kept: { at: clock.now(), body: before } };
    // A file has no envelope; it is kept in one, so that there is one way to keep an answer.
    const opened = row.answers === 'csv' ? ({ ok: true, value: { data: text, meta: null } } as const) : await openEnvelope(row, text);
    if (!opened.ok) throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: opened.because, tooLarge: opened.tooLarge });
    if (text.length > LARGE) await pause();
    const body = JSON.stringify(opened.value);
    if (text.length > LARGE) await pause();
    return { text, kept: { at: clock.now(), body }, content: opened.value };
  };

  const fly = async (row: Row, address: ServiceAddress, { priority, signal, meter, by: last }: Flying) => {
    const by = instant(Math.min(later(clock.now(), deadlines[priority]), last ?? Infinity));
    if (gate.heldUntil() >= by) throw limited(row.id);
    const late = () =>
      gate.heldUntil() > clock.now()
        ? limited(row.id)
        : new AnalyticsError({ trouble: 'timeout', row: row.id, detail: 'no whole answer within the deadline' });
    const limit = deadline({ clock, by, late, signals: [end.signal, ...(signal === undefined ? [] : [signal])] });
    try {
      return await flights.join({ key: address.key, signal: limit.signal, by, urgent: priority === 'question' }, async (ride) =>
        ask(row, address, { ride, meter }),
      );
    } finally {
      limit.cancel();
    }
  };

  /** What a body holds. Files are large and seldom asked for, and what is not kept is not asked for again. */
  const contentOf = async <D>(
    row: Row<z.ZodObject, D>,
    { key }: ServiceAddress,
    { text, kept: { body }, content }: Omit<Arrival, 'text'> & Partial<Arrival>,
  ): Promise<ParsedReading<Parsed<D>>> => {
    const parse = async () => (content === undefined ? readKept(row, body) : readParsed(row, content));
    return row.freshFor === 0 || row.answers === 'csv' ? parse() : parsed.of({ key, schema: row.data, body, text }, parse);
  };

  /** Nothing dates the answer to a question about the past, for which an old answer is the right one. */
  const answerOf = <D>({ data, meta, dates }: Parsed<D>, { at }: Kept, { past }: ServiceAddress): Answer<D> => {
    const dataAt = past === true ? undefined : dataTime(dates, clock.now());
    return { data, meta, at, ...(dataAt === undefined ? {} : { dataAt }) };
  };

  /** A kept answer; undefined where it cannot be read any more, which is as good as none. */
  const copyOf = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress, kept: Kept | undefined): Promise<Answer<D> | undefined> => {
    const read = kept === undefined ? undefined : await contentOf(row, address, { kept });
    return kept !== undefined && read?.ok === true ? answerOf(read.value, kept, address) : undefined;
  };
  const lastCopy = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress) => copyOf(row, address, await cache.read(address.key));

  /** Each one aboard reads with its own schema; only what could be read is kept. A list without a readable row never replaces one with some. */
  const fresh = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress, how: Flying): Promise<Answer<D>> => {
    const arrival = await fly(row, address, how);
    const read = await contentOf(row, address, arrival);
    if (!read.ok) throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: read.because });
    const better = row.freshFor > 0 && isUnreadable(read.value.data) ? await lastCopy(row, address) : undefined;
    const isWorse = better !== undefined && !isUnreadable(better.data);
    if (isWorse && how.ifFailing === 'serve')
      throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: 'no row of the list can be read' });
    if (row.freshFor > 0 && !isWorse) cache.keep(address.key, arrival.kept);
    return answerOf(read.value, arrival.kept, address);
  };

  /** Without any copy: what changes something, and what is only true when it arrives. */
  const asked = async <D>(row: Row<z.ZodObject, D>, address: ServiceAddress, how: Flying): Promise<Answer<D>> => {
    try {
      const answer = await fresh(row, address, how);
      report.good();
      return answer;
    } catch (error) {
      // A change that has to wait says nothing about the service.
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
    if (row.freshFor === 0) return asked(row, address, { priority, ifFailing, signal, meter, by });
    const kept = await cache.read(address.key);
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
  const pager = createPager({ call, caps, clock, deadlines: whole });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const reason = new AnalyticsError({ trouble: 'unreachable', row: 'any', detail: 'the bot is stopping' });
    end.abort(reason);
    await flights.close(reason);
    await transport.close();
    await Promise.all([cache.settled(), caps.settled(), budget.close()]);
  };

  return {
    call: async (row, input, how) => call(row, input, how),
    walk: async (row, input, identify, how) => pager(row, input, { identify, how: how ?? {} }),
    state: () => ({ ...report.state(), pace: { now: gate.pace(), full: options.requestsPerSecond }, caps: caps.state() }),
    ready: async () => void (await Promise.all([budget.ready(), caps.ready()])),
    flush: async () => cache.flush(),
    close: async () => (closing ??= close()),
  };
}
