/**
 * The refresher against the simulated service under a hand-turned clock. A recorder stands between them and writes down what the service saw, and
 * when. Processes come and go on one store; one can be killed at the moment a request of its choice arrives.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createAnalytics } from '../../src/analytics/client.js';
import { DAY, HOUR, SECOND, type Clock, type Instant } from '../../src/base/clock.js';
import { walletAddress, type WalletAddress } from '../../src/domain/wallet.js';
import { Refresher } from '../../src/jobs/refresh.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { handClock, settled } from '../support/clock.js';
import { methodsOf } from './refresh/scripted.js';

const KEY = 'a-key-for-tests';
const PREFIX = '/v1/trading-activity/special-wallet';
export const NOON = Date.UTC(2026, 10, 21, 12);

/** What the service saw, without the prefix that all of it has. */
export interface Request {
  readonly at: Instant;
  readonly what: 'overview' | 'ask' | 'ask-token' | 'status' | 'other';
  readonly wallet: string | undefined;
  /** As it was answered; undefined while it was not. */
  status?: number;
  body?: string;
}

const WHAT: Readonly<Record<string, Request['what']>> = {
  [`GET ${PREFIX}/overview`]: 'overview',
  [`POST ${PREFIX}/holdings/refresh`]: 'ask',
  [`POST ${PREFIX}/holdings/project/refresh`]: 'ask-token',
  [`GET ${PREFIX}/holdings/refresh-status`]: 'status',
};

export async function openWallets() {
  const clock = handClock(NOON);
  const simulator = await startSimulator({ seed: 'harbor', pace: 1, clock, journal: memoryJournal(), apiKey: KEY });
  const store = await openStore('memory://');
  const requests: Request[] = [];
  let onArrival: (request: Request) => void = () => {};
  let cut: (request: Request) => boolean = () => false;
  let isSilent: (request: Request) => boolean = () => false;

  const recorder = createServer((incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
      const body = Buffer.concat(chunks).toString();
      const url = new URL(incoming.url ?? '/', 'http://service');
      const wallet = url.searchParams.get('walletPublicKey') ?? (body === '' ? undefined : String(JSON.parse(body).walletPublicKey));
      const request: Request = { at: clock.now(), what: WHAT[`${incoming.method} ${url.pathname}`] ?? 'other', wallet };
      requests.push(request);
      onArrival(request);
      const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
      const answer = await fetch(`${simulator.url}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        ...(body === '' ? {} : { body }),
      });
      request.status = answer.status;
      request.body = await answer.text();
      if (cut(request)) return response.destroy();
      if (isSilent(request)) return undefined;
      const retryAfter = answer.headers.get('retry-after');
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
      });
      response.end(request.body);
    })();
  });
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    recorder.closeAllConnections();
    await new Promise((resolve) => recorder.close(resolve));
    await simulator.close();
    await store.close();
  });

  const wallets = Array.from({ length: 60 }, (_, number) => walletAddress(simulator.world.wallets.some(number + 1)));
  const wallet = wallets[0] ?? walletAddress('');
  const written: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];

  /** Starts a process on the store. After `kill` nothing of it reaches the store any more. */
  const boot = async ({
    watched = [wallet],
    maxAge = HOUR,
    plannedAge,
    onChange = async () => {},
  }: {
    watched?: readonly WalletAddress[];
    maxAge?: number;
    plannedAge?: number;
    onChange?: (changed: WalletAddress) => Promise<void>;
  } = {}) => {
    const life = { over: false };
    const own = untilOver(store, life);
    const write =
      () =>
      (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
        void written.push({ event, fields });
    const log = { error: write(), warn: write(), info: write(), debug: write() };
    const address = recorder.address() as AddressInfo;
    const analytics = createAnalytics({
      baseUrl: `http://127.0.0.1:${address.port}`,
      apiKey: KEY,
      requestsPerSecond: 1_000,
      store: own,
      clock: hasty(clock),
      random: () => 1,
      log,
    });
    await analytics.ready();
    onTestFinished(async () => analytics.close());
    const changed: { readonly wallet: WalletAddress; readonly at: Instant }[] = [];
    const chats = { watched: new Set(watched), away: new Set<WalletAddress>() };
    const refresher = await Refresher.open({
      ...{ analytics, store: own, clock, log, maxAge },
      watched: () => chats.watched,
      kept: () => new Set([...chats.watched, ...chats.away]),
      plannedAge: () => plannedAge,
      changed: async (moved) => {
        changed.push({ wallet: moved, at: clock.now() });
        await onChange(moved);
      },
    });
    /** Ticks each second for so long, each tick's turns coming to their end within it. */
    const run = async (milliseconds: number, step = SECOND): Promise<void> => {
      for (let gone = 0; gone < milliseconds && !life.over; gone += step) {
        await refresher.tick();
        await refresher.idle();
        await clock.advance(step);
      }
    };
    const kill = (): void => {
      life.over = true;
    };
    return { ...methodsOf(refresher), run, kill, changed, chats, analytics };
  };

  return {
    clock,
    store,
    wallet,
    wallets,
    world: simulator.world,
    requests,
    written,
    boot,
    of: (what: Request['what'], of: string = wallet) => requests.filter((request) => request.what === what && request.wallet === of),
    posts: () => requests.filter(({ what }) => what === 'ask' || what === 'ask-token'),
    /** Called when a request has arrived and is not answered yet. */
    onArrival: (listener: (request: Request) => void) => void (onArrival = listener),
    /** Cuts the line of these once they are carried out, in the place of their answer. */
    cutting: (which: (request: Request) => boolean) => void (cut = which),
    /** Carries these out and never answers them. */
    leavingUnanswered: (which: (request: Request) => boolean) => void (isSilent = which),
    sim: async (command: unknown): Promise<void> => {
      const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
      const alerted = await fetch(`${simulator.url}/__sim`, { method: 'POST', body: JSON.stringify(command), headers });
      if (!alerted.ok) throw new Error(`the simulator did not take that: ${await alerted.text()}`);
    },
  };
}

/** A store that takes nothing more once the process is killed. */
function untilOver(store: Store, life: { readonly over: boolean }): Store {
  return {
    ...store,
    collection: (spec) => {
      const real = store.collection(spec);
      const alive =
        <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
        async (...args: A): Promise<R> => {
          if (life.over) throw new Error('killed');
          return work(...args);
        };
      return { ...real, set: alive(async (key, document) => real.set(key, document)), delete: alive(async (key) => real.delete(key)) };
    },
  };
}

/** Short waits of the client pass by themselves; deadlines never come. */
const hasty = (clock: Clock): Clock => ({
  now: () => clock.now(),
  sleep: async (milliseconds, signal) => (milliseconds < 10 * SECOND ? settled() : clock.sleep(Math.max(milliseconds, DAY), signal)),
});
