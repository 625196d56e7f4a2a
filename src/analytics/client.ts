/** Answers calls from the cache or by a shared request. A failed call is answered with the last good copy, marked as stale. */
import type { z } from 'zod';
import { SECOND, instant, later, type Clock } from '../base/clock.js';
import { withDeadline } from '../base/deadline.js';
import type { Log } from '../base/log.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Store } from '../store/store.js';
import {
  MAX_TEXT_BYTES,
  addressOf,
  isUnreadable,
  longestText,
  type ListRow,
  type Meta,
  type Row,
  type Rows,
  type ServiceAddress,
} from './endpoint-row.js';
import type { Analytics, Answer, ListOptions, ServiceState, Walk } from './analytics.js';
import { Budget } from './budget.js';
import { Cache, type Kept } from './cache.js';
import { openEnvelope, readKept, readParsed, type Content } from './interpret-response.js';
import { PlanLimits } from './plan-limits.js';
import { dataTime } from './data-time.js';
import { AnalyticsError, type Trouble } from './errors.js';
import { SingleFlight } from './single-flight.js';
import type { Priority } from './rate-limiter.js';
import { Requests, type Asked, Report } from './requests.js';
import { createPager, plausibleTotal, type PageOptions, type Pager } from './paging.js';
import { ParsedAnswers, type Parsed, type ParsedReading } from './parse-cache.js';
import type { Connect } from './transport.js';

export interface AnalyticsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Names the service in stored responses. By default `baseUrl`. */
  readonly source?: string;
  readonly requestsPerSecond: number;
  /** Undefined means no limit. */
  readonly requestsPerMonth?: number | undefined;
  /** The range is 1 to 28, the default 1. */
  readonly budgetResetDay?: number | undefined;
  /** False in a process that only answers; the shared engine counts its calls. By default true. */
  readonly writesLedger?: boolean | undefined;
  readonly maxRows?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly store: Store;
  readonly clock: Clock;
  /** Random numbers in [0, 1) for jitter. */
  readonly random: () => number;
  readonly log: Log;
  /** The longest time of a call in milliseconds, including queueing and retries. */
  readonly deadlines?: Readonly<Record<'question' | 'poll', number>>;
  /** The largest size of a body after decompression. */
  readonly maxBytes?: number;
  /** Called directly before each POST. By default the process is always active. */
  readonly isActive?: (() => boolean) | undefined;
  /** Called with the `Date` header of each response. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
  /** The default connects over HTTP to `baseUrl`. */
  readonly connect?: Connect | undefined;
  /** Called after every request, for metrics. `answer` is the status, or why there is none. */
  readonly exchanged?: ((exchange: { readonly row: string; readonly ms: number; readonly answer: string | number }) => void) | undefined;
}

export interface AnalyticsClient extends Analytics {
  ready(): Promise<void>;
  flush(): Promise<void>;
  /** Rejects running calls as `unreachable` and writes pending data. Idempotent. */
  close(): Promise<void>;
}

const DEADLINES = { question: 15 * SECOND, poll: 60 * SECOND } as const;
/** The deadlines of a walk over all pages, as multiples of those of a call. */
const WALK_DEADLINES = { question: 1, poll: 5 } as const;

/** After these answers no older copy is served, because it would contradict them. */
const DEFINITE: ReadonlySet<Trouble> = new Set(['unknown', 'rejected', 'forbidden']);

const isPage = (data: unknown): data is Rows<unknown> =>
  typeof data === 'object' &&
  data !== null &&
  'rows' in data &&
  Array.isArray(data.rows) &&
  'broken' in data &&
  typeof data.broken === 'number';

/** Removes a `totalItems` that contradicts the number of rows. */
function believable({ data, meta }: Pick<Answer<unknown>, 'data' | 'meta'>, page: unknown): Meta {
  if (!isPage(data)) return meta;
  const rows = data.rows.length + data.broken;
  return { ...meta, totalItems: plausibleTotal(meta.totalItems, { page: typeof page === 'number' ? page : 1, rows }) };
}

type CallMode = Required<Pick<PageOptions, 'priority' | 'ifFailing'>> & {
  readonly [Name in 'signal' | 'meter' | 'by']: PageOptions[Name] | undefined;
};

/** The value is in characters. Longer bodies are processed in steps. */
const LARGE = 256 * 1024;

interface Arrival {
  readonly text: string;
  readonly kept: Kept;
  readonly content?: Content;
}

export function createAnalytics(options: AnalyticsOptions): AnalyticsClient {
  const client = new Client(options);
  return {
    call: async (row, input, how) => client.call(row, input, how),
    kept: async (row, input) => client.kept(row, input),
    walk: async (row, input, identify, how) => client.walk(row, input, identify, how),
    state: () => client.state(),
    ready: async () => client.ready(),
    flush: async () => client.flush(),
    close: async () => client.close(),
  };
}

class Client {
  readonly #options: AnalyticsOptions;
  readonly #deadlines: Readonly<Record<Priority, number>>;
  readonly #budget: Budget;
  readonly #report: Report;
  readonly #requests: Requests;
  readonly #planLimits: PlanLimits;
  readonly #cache: Cache;
  readonly #pager: Pager;
  readonly #parsed = new ParsedAnswers();
  readonly #singleFlight = new SingleFlight<Arrival>((key, asker) => this.#requests.hasten(key, asker));
  readonly #end = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(options: AnalyticsOptions) {
    const { clock, log, store, requestsPerMonth: limit, deadlines = DEADLINES } = options;
    const source = options.source ?? options.baseUrl;
    this.#options = options;
    this.#deadlines = deadlines;
    this.#budget = new Budget({ store, clock, log, limit, resetDay: options.budgetResetDay, writesLedger: options.writesLedger });
    this.#report = new Report({ clock, log, budget: () => this.#budget.state() });
    this.#requests = new Requests({ ...options, budget: this.#budget, report: this.#report });
    this.#planLimits = new PlanLimits({
      ...{ store, clock, log, source },
      rows: options.maxRows,
      pages: options.maxPages,
      isThrifty: limit !== undefined,
    });
    this.#cache = new Cache({ store, clock, log, source, storesAll: limit !== undefined });
    this.#pager = createPager({
      call: async (row, input, how) => this.call(row, input, how),
      planLimits: this.#planLimits,
      clock,
      deadlines: { question: WALK_DEADLINES.question * deadlines.question, poll: WALK_DEADLINES.poll * deadlines.poll },
    });
  }

  async call<D>(
    row: Row<z.ZodObject, D>,
    input: Readonly<Record<string, unknown>>,
    { priority = 'question', maxAge = row.freshFor, ifFailing = 'serve', signal, meter, failed, by }: PageOptions = {},
  ): Promise<Answer<D>> {
    const fields = row.input.parse(input);
    signal?.throwIfAborted();
    const address = addressed(row, fields);
    const how: CallMode = { priority, ifFailing, signal, meter, by };
    if (row.freshFor === 0) return this.#askOnly(row, address, how);
    const checked = (answer: Answer<D>): Answer<D> => {
      if (priority === 'question') this.#cache.use(address.key);
      return { ...answer, meta: believable(answer, fields['page']) };
    };
    const kept = await this.#cache.read(address.key, maxAge);
    const age = kept === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.now() - kept.at;
    const copy = age >= 0 && age < maxAge ? await this.#copyOf(row, address, kept) : undefined;
    if (copy !== undefined) return checked(copy);
    try {
      if (failed !== undefined) throw failed;
      const answer = await this.#fresh(row, address, how);
      this.#report.good();
      return checked(answer);
    } catch (error) {
      if (!(error instanceof AnalyticsError)) throw error;
      this.#report.failed(error);
      if (ifFailing === 'refuse' || DEFINITE.has(error.trouble)) throw error;
      const last = await this.#lastCopy(row, address);
      if (last === undefined) throw error;
      return { ...checked(last), stale: error.trouble };
    }
  }

  async kept<D>(row: Row<z.ZodObject, D>, input: Readonly<Record<string, unknown>>): Promise<Answer<D> | undefined> {
    const address = addressOf(row, row.input.parse(input));
    return address === undefined ? undefined : this.#lastCopy(row, address);
  }

  async walk<T>(
    row: ListRow<z.ZodObject, T>,
    input: Readonly<Record<string, unknown>>,
    identify: (row: T) => string,
    how: ListOptions<T> = {},
  ): Promise<Walk<T>> {
    return this.#pager(row, input, { identify, how });
  }

  state(): ServiceState {
    return { ...this.#report.state(), ...this.#requests.state(), planLimits: this.#planLimits.state() };
  }

  async ready(): Promise<void> {
    await Promise.all([this.#budget.ready(), this.#planLimits.ready()]);
  }

  async flush(): Promise<void> {
    await this.#cache.flush();
  }

  async close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const reason = new AnalyticsError({ trouble: 'unreachable', row: 'any', detail: 'the bot is stopping' });
    this.#end.abort(reason);
    await this.#singleFlight.close(reason);
    await this.#requests.close();
    await Promise.all([this.#cache.settled(), this.#planLimits.settled(), this.#budget.close()]);
  }

  /** Makes a call that no copy may answer: a `POST`, or one with `freshFor` 0. */
  async #askOnly<D>(row: Row<z.ZodObject, D>, address: ServiceAddress, how: CallMode): Promise<Answer<D>> {
    try {
      const answer = await this.#fresh(row, address, how);
      this.#report.good();
      return answer;
    } catch (error) {
      // A rate-limited `POST` says nothing about the service's health.
      if (error instanceof AnalyticsError && !(row.method === 'POST' && error.trouble === 'limited')) this.#report.failed(error);
      throw error;
    }
  }

  /** Makes a request and caches the response. A list without readable rows never replaces one with some. */
  async #fresh<D>(row: Row<z.ZodObject, D>, address: ServiceAddress, how: CallMode): Promise<Answer<D>> {
    const arrival = await this.#callShared(row, address, how);
    const read = await this.#contentOf(row, address, arrival);
    if (!read.ok) throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: read.because });
    const better = row.freshFor > 0 && isUnreadable(read.value.data) ? await this.#lastCopy(row, address) : undefined;
    const isWorse = better !== undefined && !isUnreadable(better.data);
    if (isWorse && how.ifFailing === 'serve')
      throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: 'no row of the list can be read' });
    if (row.freshFor > 0 && !isWorse) this.#cache.keep(address.key, arrival.kept, how.priority === 'question');
    return this.#answerOf(read.value, arrival.kept, address);
  }

  async #callShared(row: Row, address: ServiceAddress, { priority, signal, meter, by: last }: CallMode): Promise<Arrival> {
    const { clock } = this.#options;
    const by = instant(Math.min(later(clock.now(), this.#deadlines[priority]), last ?? Infinity));
    if (this.#requests.from(priority) >= by) throw this.#requests.limited(row.id, priority);
    const late = () =>
      this.#requests.from(priority) > clock.now()
        ? this.#requests.limited(row.id, priority)
        : new AnalyticsError({ trouble: 'timeout', row: row.id, detail: 'no whole answer within the deadline' });
    const stops = [this.#end.signal, ...(signal === undefined ? [] : [signal])];
    return withDeadline({ clock, milliseconds: by - clock.now(), stops, late }, async (limit) =>
      this.#singleFlight.join(
        { key: address.key, signal: limit, by, urgent: priority === 'question', asker: meter?.asker },
        async (shared) => this.#arrive(row, address, { shared, meter }),
      ),
    );
  }

  async #arrive(row: Row, address: ServiceAddress, asked: Asked): Promise<Arrival> {
    const { clock } = this.#options;
    const text = await this.#requests.ask(row, address, asked);
    const before = this.#parsed.bodyOf({ key: address.key, schema: row.data }, text);
    if (before !== undefined) return { text, kept: { at: clock.now(), body: before } };
    // A CSV file has no envelope, so it is wrapped to be cached like other responses.
    const opened = row.answers === 'csv' ? ({ ok: true, value: { data: text, meta: null } } as const) : await openEnvelope(row, text);
    if (!opened.ok) throw new AnalyticsError({ trouble: 'malformed', row: row.id, detail: opened.because, tooLarge: opened.tooLarge });
    if (text.length > LARGE) await yieldToEventLoop();
    const body = JSON.stringify(opened.value);
    if (text.length > LARGE) await yieldToEventLoop();
    return { text, kept: { at: clock.now(), body }, content: opened.value };
  }

  /** Parses a body. Files bypass the parse cache. */
  async #contentOf<D>(
    row: Row<z.ZodObject, D>,
    { key }: ServiceAddress,
    { text, kept: { body }, content }: Omit<Arrival, 'text'> & Partial<Arrival>,
  ): Promise<ParsedReading<Parsed<D>>> {
    const parse = async () => (content === undefined ? readKept(row, body) : readParsed(row, content));
    return row.freshFor === 0 || row.answers === 'csv' ? parse() : this.#parsed.of({ key, schema: row.data, body, text }, parse);
  }

  #answerOf<D>({ data, meta, dates }: Parsed<D>, { at }: Kept, { past }: ServiceAddress): Answer<D> {
    const dataAt = past === true ? undefined : dataTime(dates, this.#options.clock.now());
    return { data, meta, at, ...(dataAt === undefined ? {} : { dataAt }) };
  }

  async #copyOf<D>(row: Row<z.ZodObject, D>, address: ServiceAddress, kept: Kept | undefined): Promise<Answer<D> | undefined> {
    const read = kept === undefined ? undefined : await this.#contentOf(row, address, { kept });
    return kept !== undefined && read?.ok === true ? this.#answerOf(read.value, kept, address) : undefined;
  }

  async #lastCopy<D>(row: Row<z.ZodObject, D>, address: ServiceAddress): Promise<Answer<D> | undefined> {
    return this.#copyOf(row, address, await this.#cache.read(address.key));
  }
}

/** Makes the address of a call. Throws an `AnalyticsError` for fields that no URL can contain. */
function addressed(row: Row, fields: Readonly<Record<string, unknown>>): ServiceAddress {
  const textBytes = longestText(fields);
  if (textBytes > MAX_TEXT_BYTES)
    throw new AnalyticsError({ trouble: 'unknown', row: row.id, detail: 'a text too long for an address', textBytes });
  const address = addressOf(row, fields);
  if (address === undefined) throw new AnalyticsError({ trouble: 'unknown', row: row.id, detail: 'no name that a path can carry' });
  return address;
}
