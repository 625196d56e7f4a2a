/** The analytics service of a simulation behind the transport of the client, with faults and a log of what it was asked and what it answered. */
import { SECOND } from '../../../src/base/clock.js';
import type { Connect, Request, Transport, TransportResponse } from '../../../src/analytics/transport.js';
import type { Life, Time } from '../machine/time.js';
import type { Random } from '../machine/random.js';
import type { Sign, SpoiltBy } from '../scenario/scenario.js';
import { listStatus } from './global-lists.js';
import { respond } from './responses.js';
import { walletJobs, type WalletJobs } from './wallet-jobs.js';
import type { World } from './world.js';

/** A request that reached the service, by its clock. */
export interface Exchange {
  readonly at: number;
  readonly path: string;
  readonly slug: string;
  /** Whether a whole and true answer left for the bot. */
  isAnswered: boolean;
}

export interface Service {
  /** Of one process. */
  connect(life: Life): Connect;
  /** Whether it answers at all. */
  fails(isDown: boolean): void;
  /** Faults by chance no more. */
  heal(): void;
  readonly exchanges: readonly Exchange[];
  readonly jobs: Pick<WalletJobs, 'tooEarly' | 'asked' | 'firstSnapshot'>;
  readonly faults: readonly { readonly what: string; readonly at: number }[];
}

export interface ServiceOptions {
  readonly world: World;
  readonly start: number;
  readonly time: Time;
  readonly random: Random;
  /** The chance of a fault per request. */
  readonly faultRate: number;
  /** Milliseconds. */
  readonly slowestAnswer: number;
  /** Whether absurd waits are among the faults: they stop checks for a day. */
  readonly isPatient: boolean;
  readonly began: () => void;
  /** Something that shows outside the bot has happened. */
  readonly signed: (sign: Sign) => void;
  /** What the next request of this kind is spoiled by, if anything. */
  readonly spoilt: (of: 'check' | 'other') => SpoiltBy | undefined;
}

const LEDGERS: ReadonlySet<string> = new Set(['/v1/dao/token-supply', '/v1/movement']);
const MARKETS = '/v1/proposal';
const LIST = '/v1/global-dashboard/projects-launch';
/** By how much an old answer is behind, and what a slow one takes, in ms. */
const OLD = 10 * SECOND;
const SLOW = [500, 4_000] as const;
const ROWS_A_PAGE = 20;
const MAX_ROWS = 100;

type Fault =
  'slow' | 'old' | 'silent' | 'reset' | '429' | '429 odd' | '5xx' | 'truncated' | 'wrong shape' | 'empty list' | 'answer lost' | 'html';
const FAULTS: readonly Fault[] = [
  'silent',
  'reset',
  '429',
  '429 odd',
  '5xx',
  'truncated',
  'wrong shape',
  'empty list',
  'answer lost',
  'html',
];

export function simulatedService(options: ServiceOptions): Service {
  const { world, start, time, random, faultRate, isPatient, slowestAnswer, began, signed, spoilt } = options;
  const jobs = walletJobs(world, start);
  const exchanges: Exchange[] = [];
  const faults: { readonly what: string; readonly at: number }[] = [];
  let isDown = false;
  let rate = faultRate;

  const body = (request: Request, url: URL, fault: Fault | undefined): TransportResponse => {
    const input = Object.fromEntries(url.searchParams);
    const now = fault === 'old' ? time.now() - OLD : time.now();
    if (request.body !== undefined) return posted(url.pathname, request.body);
    const found = respond({ path: url.pathname, input, now }, world, jobs);
    if (found === undefined) return { kind: 'status', status: 404, retryAfter: undefined };
    if (fault === 'wrong shape') return text({ data: random.pick<unknown>([42, 'soon', { rows: 'none' }, null, [null, 7]]) });
    if (!('rows' in found)) return text(found);
    if (fault === 'empty list') return text({ data: [], meta: { totalItems: 0 } });
    const size = Math.min(MAX_ROWS, Number(input['limit'] ?? ROWS_A_PAGE));
    const page = Number(input['page'] ?? 1);
    const rows = found.rows.slice((page - 1) * size, page * size);
    return text({ data: disturbed(rows), meta: { totalItems: found.rows.length } });
  };
  /** No order is promised, and a row may come twice. */
  const disturbed = (rows: readonly unknown[]): readonly unknown[] => {
    const [first] = rows;
    const all = rate > 0 && first !== undefined && random.chance(0.1) ? [...rows, first] : rows;
    return random.chance(0.5) ? all : all.toReversed();
  };
  const posted = (path: string, given: string): TransportResponse => {
    const wallet = /"walletPublicKey":"([^"]+)"/u.exec(given)?.[1] ?? '';
    if (!path.endsWith('/refresh')) return { kind: 'status', status: 404, retryAfter: undefined };
    const job = jobs.refresh(wallet, time.now());
    if (job !== undefined) return text({ data: { ...job, status: 'queued' } });
    const wait = jobs.wait(wallet, time.now());
    return { kind: 'status', status: 429, retryAfter: `${wait}`, text: JSON.stringify({ refreshRetryAfterSeconds: wait }) };
  };
  const spoiltIn = (of: 'check' | 'other'): Fault | undefined => {
    const by = spoilt(of);
    return by === '429' || by === 'old' || by === 'slow' ? by : undefined;
  };
  const odd = (): string => random.pick(isPatient ? ['31536000', '-5', 'soon', '0', 'Wed, 21 Oct 2099 07:28:00 GMT'] : ['-5', 'soon', '0']);

  const send = async (life: Life, request: Request): Promise<TransportResponse> => {
    const url = new URL(request.path, 'http://service.test');
    const isCheck = LEDGERS.has(url.pathname);
    const fault = spoiltIn(isCheck ? 'check' : 'other') ?? (random.chance(rate) ? random.pick(FAULTS) : undefined);
    if (fault !== undefined) faults.push({ what: fault, at: time.now() });
    if (isCheck) signed('check');
    if (url.pathname === MARKETS) signed('markets');
    if (url.pathname === LIST) signed('list');
    began();
    await life.clock.sleep(random.whole(0, slowestAnswer), request.signal);
    const exchange: Exchange = { at: time.now(), path: url.pathname, slug: url.searchParams.get('slug') ?? '', isAnswered: false };
    exchanges.push(exchange);
    if (isDown) return { kind: 'status', status: 503, retryAfter: undefined };
    if (fault === 'reset') return { kind: 'broken', code: 'ECONNRESET' };
    if (fault === '429') return { kind: 'status', status: 429, retryAfter: `${random.whole(1, 8)}`, text: '' };
    if (fault === '429 odd') return { kind: 'status', status: 429, retryAfter: odd(), text: '' };
    if (fault === '5xx') return { kind: 'status', status: random.pick([500, 502, 503, 504]), retryAfter: undefined };
    if (fault === 'html') return { kind: 'body', text: '<html>maintenance</html>' };
    const refused = listStatus(url.pathname, { world, now: time.now() });
    if (refused !== undefined) return { kind: 'status', status: refused, retryAfter: undefined };
    const answer = body(request, url, fault);
    began();
    // A reader that gives up aborts it.
    await life.clock.sleep(
      fault === 'silent' ? 3_600 * SECOND : fault === 'slow' ? random.whole(...SLOW) : random.whole(0, slowestAnswer),
      request.signal,
    );
    if (fault === 'answer lost') return { kind: 'broken', code: 'ECONNRESET' };
    if (fault === 'truncated' && answer.kind === 'body')
      return { kind: 'body', text: answer.text.slice(0, Math.floor(answer.text.length / 2)) };
    exchange.isAnswered = fault === undefined && answer.kind === 'body';
    return answer;
  };

  return {
    exchanges,
    jobs,
    faults,
    fails: (down) => {
      isDown = down;
    },
    heal: () => {
      isDown = false;
      rate = 0;
    },
    connect:
      (life) =>
      ({ onDate }): Transport => ({
        async send(request) {
          const answer = await life.survive(send(life, request));
          if (answer.kind !== 'broken') onDate?.(new Date(time.now()).toUTCString());
          return answer;
        },
        close: async () => {},
      }),
  };
}

const text = (value: unknown): TransportResponse => ({ kind: 'body', text: JSON.stringify(value) });
