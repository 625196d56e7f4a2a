/** Requests to the service: in turn, at its pace, outside its pauses, booked before they are sent, and repeated within their deadline. */
import { SECOND, type Clock } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Instant } from '../domain/scalars.js';
import { counterRate, type Store } from '../store/store.js';
import type { Meter, ServiceState } from './analytics.js';
import type { Budget } from './budget.js';
import type { Row, ServiceAddress } from './endpoint-row.js';
import { AnalyticsError } from './errors.js';
import { interpretResponse, type Interpretation } from './interpret-response.js';
import { RateLimiter, type Priority } from './rate-limiter.js';
import { attempts, countedAttempts, MAX_ATTEMPTS, retryWait } from './retries.js';
import type { Report } from './service-health.js';
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

/** Who waits for a request, and who pays for it. */
export interface Asked {
  readonly shared: SharedCall;
  readonly meter: Meter | undefined;
}

interface Attempt extends Asked {
  readonly attempt: number;
}

interface Outcome {
  readonly judged: Interpretation;
  /** A request that was sent stays counted. */
  readonly wasSent: boolean;
}

export class Requests {
  readonly #options: RequestsOptions;
  readonly #transport: Transport;
  readonly #rateLimiter: RateLimiter;
  readonly #pause: ServicePause;

  constructor(options: RequestsOptions) {
    const { apiKey, baseUrl, clock, connect = createTransport, isActive, maxBytes = MAX_BYTES, onDate } = options;
    this.#options = options;
    this.#transport = connect({ baseUrl, apiKey, maxBytes, connections: CONCURRENCY, isActive, onDate });
    this.#rateLimiter = new RateLimiter({ clock, perSecond: options.requestsPerSecond, concurrency: CONCURRENCY });
    this.#pause = new ServicePause(clock);
  }

  /** Returns the text of a good response. */
  async ask(row: Row, address: ServiceAddress, { shared, meter }: Asked): Promise<string> {
    const { clock, report, requestsPerMonth } = this.#options;
    let counted = 0;
    return attempts({
      clock,
      // Do not retry while the service is down, nor any `POST`.
      most: report.away() || row.method === 'POST' ? 1 : MAX_ATTEMPTS,
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

  /** A question of `asker` waits for this request as well. */
  hasten(key: string, asker: string | undefined): void {
    this.#rateLimiter.hasten(key, asker);
  }

  /** A request may be made from then on, which is in the past where the service asks for no pause. */
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
  }

  async #request(row: Row, address: ServiceAddress, attempt: Attempt): Promise<Outcome> {
    const { shared, meter } = attempt;
    const { signal, by } = shared;
    const priority = (): Priority => priorityOf(shared);
    return this.#rateLimiter.run(async () => this.#exchange(row, address, attempt), {
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

  /** All processes together. While the engine is away, each keeps its own pace. */
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
