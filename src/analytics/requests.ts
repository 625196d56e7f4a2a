/** Sends requests within rate limit, pauses and budget, and retries them until their deadline. Logs when the service fails and recovers. */
import pRetry from 'p-retry';
import { backoff, jittered } from '../base/backoff.js';
import { SECOND, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Instant } from '../domain/scalars.js';
import { counterRate, type Store } from '../store/store.js';
import type { Meter, ServiceState } from './analytics.js';
import type { Budget } from './budget.js';
import type { Row, ServiceAddress } from './endpoint-row.js';
import { AnalyticsError, type Trouble } from './errors.js';
import { interpretResponse, type Interpretation } from './interpret-response.js';
import { RateLimiter, type Priority } from './rate-limiter.js';
import { ServicePause, type Trial } from './service-pause.js';
import type { SharedCall } from './single-flight.js';
import { createTransport, type Connect, type Transport, type TransportResponse } from './transport.js';

const MAX_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 4;

export interface RequestsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly requestsPerSecond: number;
  readonly requestsPerMonth?: number | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxBytes?: number;
  readonly isActive?: (() => boolean) | undefined;
  readonly onDate?: ((header: string | undefined) => void) | undefined;
  readonly connect?: Connect | undefined;
  readonly exchanged?: ((exchange: { readonly row: string; readonly ms: number; readonly answer: string | number }) => void) | undefined;
  readonly budget: Budget;
  readonly report: Report;
}

/** The call that waits for a request, and the meter that pays for it. */
export interface Asked {
  readonly shared: SharedCall;
  readonly meter: Meter | undefined;
}

interface Attempt extends Asked {
  readonly attempt: number;
}

interface Outcome {
  readonly judged: Interpretation;
  /** Whether a request was sent. It then stays counted. */
  readonly wasSent: boolean;
}

export class Requests {
  readonly #options: RequestsOptions;
  readonly #transport: Transport;
  readonly #rateLimiter: RateLimiter;
  readonly #pause: ServicePause;
  /** A call that nobody waits for any more ends before its request does, which may still have a booking to give back. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: RequestsOptions) {
    const { apiKey, baseUrl, clock, connect = createTransport, isActive, maxBytes = MAX_BYTES, onDate } = options;
    this.#options = options;
    this.#transport = connect({ baseUrl, apiKey, maxBytes, connections: CONCURRENCY, isActive, onDate });
    this.#rateLimiter = new RateLimiter({ clock, perSecond: options.requestsPerSecond, concurrency: CONCURRENCY });
    this.#pause = new ServicePause(clock);
  }

  /** Resolves with the text of a good response. */
  async ask(row: Row, address: ServiceAddress, { shared, meter }: Asked): Promise<string> {
    const { clock, report, requestsPerMonth } = this.#options;
    let counted = 0;
    return attempts({
      clock,
      // Neither a `POST` nor a call to a failing service is retried.
      most: report.isAway() || row.method === 'POST' ? 1 : MAX_ATTEMPTS,
      by: shared.by,
      signal: shared.signal,
      once: async (attempt) => {
        const { judged, wasSent } = await this.#request(row, address, { shared, attempt, meter });
        if (wasSent) counted += 1;
        const isLast = counted >= countedAttempts(requestsPerMonth, priorityOf(shared));
        return judged.kind === 'failed' && wasSent && isLast ? { ...judged, again: false } : judged;
      },
    });
  }

  /** Raises the rank of a request, because a question of `asker` also waits for it. */
  hasten(key: string, asker: string | undefined): void {
    this.#rateLimiter.hasten(key, asker);
  }

  /** Returns when the next request may be made. The time is in the past if there is no pause. */
  from(priority: Priority): Instant {
    return this.#pause.from(priority);
  }

  limited(row: string, priority: Priority): AnalyticsError {
    return new AnalyticsError({
      ...{ trouble: 'limited', row, detail: 'the service asked for a pause', until: this.#pause.from(priority) },
      requested: this.#pause.state()?.askedUntil !== undefined,
    });
  }

  state(): Pick<ServiceState, 'pause' | 'pace'> {
    const pace = { now: this.#rateLimiter.pace(), full: this.#options.requestsPerSecond };
    return { ...omitUndefined({ pause: this.#pause.state() }), pace };
  }

  async close(): Promise<void> {
    await this.#transport.close();
    await Promise.allSettled(this.#running);
  }

  async #request(row: Row, address: ServiceAddress, attempt: Attempt): Promise<Outcome> {
    const { shared, meter } = attempt;
    const { signal, by } = shared;
    const priority = (): Priority => priorityOf(shared);
    const exchanging = async (): Promise<Outcome> => {
      const exchange = this.#exchange(row, address, attempt);
      this.#running.add(exchange);
      try {
        return await exchange;
      } finally {
        this.#running.delete(exchange);
      }
    };
    return this.#rateLimiter.run(exchanging, {
      ...{ id: address.key, priority: priority(), asker: meter?.asker, signal },
      ready: async () => this.#pause.ready({ priority, by, signal, refusal: () => this.limited(row.id, priority()) }),
    });
  }

  async #exchange(row: Row, { path, body }: ServiceAddress, attempt: Attempt): Promise<Outcome> {
    const { budget, clock, exchanged, report } = this.#options;
    const { shared, meter } = attempt;
    const trial = this.#pause.begin();
    let wasSent = false;
    try {
      await this.#sharedPace(shared.signal);
      const until = await meter?.spentUntil?.();
      if (until !== undefined) throw overdrawn(row.id, until);
      const booking = await budget.book(row.id, priorityOf(shared));
      wasSent = true;
      meter?.count();
      const accept = row.answers === 'csv' ? 'text/csv' : undefined;
      const begun = clock.now();
      try {
        const answer = await this.#transport.send({ path, body, accept, signal: shared.signal, unsent: () => (wasSent = false) });
        const done = { row: row.id, ms: clock.now() - begun, answer: answer.kind === 'status' ? answer.status : answer.kind };
        report.exchange({ ...done, attempt: attempt.attempt });
        exchanged?.(done);
        return { judged: this.#judge(row, answer, { ...attempt, trial }), wasSent };
      } finally {
        if (!wasSent) await Promise.all([meter?.giveBack(), budget.giveBack(booking)]);
      }
    } finally {
      trial.ended(wasSent);
    }
  }

  #judge(row: Row, answer: TransportResponse, { attempt, trial, shared }: Attempt & { readonly trial: Trial }): Interpretation {
    const { clock, random } = this.#options;
    const names = Object.keys(row.input.shape).some((field) => field !== 'limit' && field !== 'page');
    const changes = row.method === 'POST';
    const judged = interpretResponse(answer, { row: row.id, names, now: clock.now(), backoff: retryWait(attempt, random), changes });
    if (answer.kind === 'broken' || (answer.kind === 'status' && answer.status >= 500)) return judged;
    if (answer.kind !== 'status' || answer.status !== 429) trial.answered();
    // A pause for a `POST` applies to that operation only.
    if (answer.kind !== 'status' || answer.status !== 429 || changes || judged.kind !== 'failed') return judged;
    this.#rateLimiter.slow();
    trial.refused(judged.wait, judged.requested);
    const priority = priorityOf(shared);
    return { ...judged, error: this.limited(row.id, priority), wait: Math.max(judged.wait, this.#pause.from(priority) - clock.now()) };
  }

  /** Waits for the rate limit that all processes share. While the engine is unreachable, each process limits only itself. */
  async #sharedPace(signal: AbortSignal): Promise<void> {
    const { clock, requestsPerSecond, store } = this.#options;
    const rate = counterRate({ max: requestsPerSecond, per: SECOND });
    const wait = async (): Promise<number> => (await store.shared?.take('pace', rate).catch(() => 0)) ?? 0;
    for (let ms = await wait(); ms > 0; ms = await wait()) await clock.sleep(ms, signal);
  }
}

const priorityOf = ({ urgent }: SharedCall): Priority => (urgent() ? 'question' : 'poll');

const overdrawn = (row: string, until: Instant): AnalyticsError =>
  new AnalyticsError({ trouble: 'allowance-spent', row, detail: 'whoever asks has used up their allowance', until });

interface AttemptOptions {
  readonly clock: Clock;
  readonly most: number;
  /** The latest deadline of the callers. It bounds every wait. */
  readonly by: () => Instant;
  readonly signal: AbortSignal;
  readonly once: (attempt: number) => Promise<Interpretation>;
}

/** Retries `once`. Rejects with the last error or the signal's reason. */
async function attempts({ clock, most, by, signal, once }: AttemptOptions): Promise<string> {
  let next: { again: boolean; wait: number } = { again: false, wait: 0 };
  return pRetry(
    async (attempt) => {
      next = { again: false, wait: 0 };
      const verdict = await once(attempt);
      if (verdict.kind === 'good') return verdict.text;
      next = verdict;
      throw verdict.error;
    },
    {
      retries: most - 1,
      signal,
      // The library must not wait: the waits below use the injected clock.
      minTimeout: 0,
      factor: 1,
      shouldRetry: async () => {
        if (!next.again || clock.now() + next.wait >= by()) return false;
        await clock.sleep(next.wait, signal);
        return true;
      },
    },
  );
}

/** The most attempts of a call, including those that do not reach the service. */
const MAX_ATTEMPTS = 3;

/** Requests per month from which on all attempts may be counted. On smaller plans a retry takes too much of a day's requests. */
const LARGE_PLAN = 30_000;
const MEDIUM_PLAN = 3_000;

/** Returns how many attempts of a call may count against the monthly limit. Fewer for a check, because it is repeated anyway. */
function countedAttempts(limit: number | undefined, priority: Priority): number {
  if (limit === undefined || limit >= LARGE_PLAN) return MAX_ATTEMPTS;
  return limit >= MEDIUM_PLAN || priority === 'question' ? 2 : 1;
}

const WAIT = { first: 0.5 * SECOND, most: 2 * SECOND };

/** The value is in milliseconds. */
const retryWait = (attempt: number, random: () => number): number => Math.round(jittered(backoff(WAIT, attempt), random()));

const ANSWERED: ReadonlySet<Trouble> = new Set(['unknown', 'rejected', 'forbidden']);

const isLeft = ({ used, limit }: ServiceState['budget']): boolean => limit === undefined || used < limit;

interface ReportDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly budget: () => ServiceState['budget'];
}

/** The health of the service as seen by our calls. */
export class Report {
  readonly #deps: ReportDeps;
  #trouble: Trouble | undefined;
  #isCalled = false;
  #lastOkAt: Instant | undefined;
  #lastMs: number | undefined;

  constructor(deps: ReportDeps) {
    this.#deps = deps;
  }

  exchange(exchange: { readonly row: string; readonly ms: number; readonly answer: string | number; readonly attempt: number }): void {
    this.#lastMs = exchange.ms;
    this.#deps.log.debug('analytics.exchange', exchange);
  }

  good(): void {
    const { clock, log } = this.#deps;
    if (this.#trouble !== undefined) log.info('analytics.recovered', { after: this.#trouble });
    this.#isCalled = true;
    this.#trouble = undefined;
    this.#lastOkAt = clock.now();
  }

  failed({ trouble, message, until }: AnalyticsError): void {
    const { log, budget } = this.#deps;
    if (ANSWERED.has(trouble)) return this.good();
    // The service is not the cause: an allowance or the checks' part of the budget is used up.
    if (trouble === 'allowance-spent' || (trouble === 'budget-spent' && isLeft(budget()))) return;
    if (this.#trouble !== trouble) log.warn('analytics.trouble', { trouble, detail: message, until });
    this.#isCalled = true;
    this.#trouble = trouble;
  }

  isAway(): boolean {
    return this.#trouble === 'unreachable' || this.#trouble === 'timeout';
  }

  state(): ServiceState {
    return {
      ...(this.#isCalled ? { ok: this.#trouble === undefined } : {}),
      ...omitUndefined({ trouble: this.#trouble, lastOkAt: this.#lastOkAt, lastMs: this.#lastMs }),
      budget: this.#deps.budget(),
    };
  }
}
