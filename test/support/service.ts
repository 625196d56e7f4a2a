/** A small analytics service on the loopback, alerted what to answer, and the real client talking to it under a hand-turned clock. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { createAnalytics, type AnalyticsClient, type AnalyticsOptions } from '../../src/analytics/client.js';
import { openStore } from '../../src/store/open.js';
import { handClock, type HandClock } from './clock.js';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  /** Counted from 1. */
  readonly number: number;
}

export interface Service {
  readonly url: string;
  /** Everything that was asked so far. */
  readonly asked: readonly Asked[];
  /** Resolves when so many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Cuts every line and stops listening; also done when the test ends. */
  close(): Promise<void>;
}

/** Serves `answer` on a free port until the test ends. */
export async function serve(answer: (asked: Asked) => void): Promise<Service> {
  const asked: Asked[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service');
    const one: Asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      response,
      number: asked.length + 1,
    };
    asked.push(one);
    for (const look of waiting) look();
    answer(one);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (asked.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** An answer with any status, headers and body. */
export function reply(
  { response }: Pick<Asked, 'response'>,
  body: string | Buffer,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** A well-formed answer: `{data, meta}`. */
export const answerWith = (asked: Pick<Asked, 'response'>, data: unknown, meta?: unknown): void =>
  reply(asked, JSON.stringify(meta === undefined ? { data } : { data, meta }));

/** A page of `all`, as a service with its own largest page would cut it. */
export function answerPage(
  asked: Asked,
  all: readonly unknown[],
  { most = 1_000, meta = {} }: { most?: number; meta?: Record<string, unknown> } = {},
): void {
  const limit = Math.min(Number(asked.query.get('limit') ?? most), most);
  const page = Number(asked.query.get('page') ?? 1);
  answerWith(asked, all.slice((page - 1) * limit, page * limit), { totalItems: all.length, ...meta });
}

/** The real client for this service, on a memory store and a clock of your own unless given; closed when the test ends. */
export async function connect(
  url: string,
  options: Partial<AnalyticsOptions> & { readonly clock?: HandClock } = {},
): Promise<{ analytics: AnalyticsClient; clock: HandClock; store: AnalyticsOptions['store'] }> {
  const clock = options.clock ?? handClock();
  const store = options.store ?? (await openStore('memory://'));
  const analytics = createAnalytics({
    baseUrl: url,
    apiKey: 'key-of-the-test',
    requestsPerSecond: 1_000,
    random: () => 1,
    log: silentLog,
    ...options,
    clock,
    store,
  });
  onTestFinished(async () => analytics.close());
  return { analytics, clock, store };
}

/** A supply overview as the service sends it, and the project it is asked for. */
export const OVERVIEW = { totalMint: '130', totalBurn: '30', resultingSupply: '100', netChange: '-2', symbol: 'TIDE', publicKey: 'mint1' };
export const tide = { slug: 'tide' };

/** The `AnalyticsError` a call fails with; anything else fails the test. */
export async function caught(promise: Promise<unknown>): Promise<AnalyticsError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AnalyticsError) return error;
  throw new Error('expected an AnalyticsError', { cause: error });
}
