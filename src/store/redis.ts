/** `redis://`: Keyv on Redis, shared by processes (docs/decisions/0031-shared-engines.md). Only `get` goes through Keyv. */
import { z } from 'zod';
import type { Backend, StoredText } from './backend.js';
import { FORMAT } from './format.js';
import { VOUCHED, claimRedis, factsOf } from './redis-claim.js';
import { RedisConnection } from './redis-connection.js';
import { ACQUIRE, ADD, COUNTER, HOLDER, KEYS, RANGE, RELEASE, STORE, TAKE, WRITE } from './redis-scripts.js';
import { moved, newer, openServerClock, placeOf, serverUrl, type ServerClock, type ServerEngine } from './server-engine.js';
import { openServerBackend } from './server-backend.js';
import { DEFAULT_SERVER_WAIT_MS, openPatience, type ServerOptions } from './server-patience.js';

/** Milliseconds. A whole collection takes longer than a document. */
const RANGE_MS = 60_000;
/** This is how long an answer may take after the server refused a late write. */
const ANSWER_MS = 500;

const NO_LIMIT = -1;

/** `scheme`: `rediss` is over TLS. Rejects with a `StoreError`. */
export async function openRedis(
  rest: string,
  { scheme, serverWaitMs = DEFAULT_SERVER_WAIT_MS, onTime }: ServerOptions & { readonly scheme: string },
): Promise<Backend> {
  const url = serverUrl(scheme, rest);
  const place = placeOf(url);
  const vouched = url.searchParams.get(VOUCHED);
  url.search = '';
  const connection = new RedisConnection(String(url), place);
  const patiently = openPatience(serverWaitMs);
  const clock = openServerClock(onTime);
  try {
    const sentAt = performance.now();
    const { id, now } = await patiently(async (withinMs) => claimRedis(connection, { place, vouched, withinMs }));
    clock.observe({ sentAt, receivedAt: performance.now(), serverMs: now });
    const inspect = async () => factsOf(connection, vouched, serverWaitMs);
    return openServerBackend({ ...openEngine({ id, place, connection, clock, waitMs: serverWaitMs }), inspect }, patiently);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

interface Session {
  readonly id: string;
  readonly place: string;
  readonly connection: RedisConnection;
  readonly clock: ServerClock;
  readonly waitMs: number;
}

function openEngine({ id, place, connection, clock, waitMs }: Session): Omit<ServerEngine, 'inspect'> {
  const run = async (...call: Parameters<RedisConnection['run']>): Promise<unknown> => connection.run(...call);
  return {
    place,
    get: async (key) => connection.get(key, waitMs),
    range: async ({ from, to, after, limit = NO_LIMIT }) => {
      const begins = after === undefined ? `[${from}` : `(${after}`;
      const found = texts.parse(await run(RANGE, { keys: [KEYS], given: [begins, `(${to}`, limit] }, RANGE_MS));
      return found.flatMap((key, index): StoredText[] => (index % 2 === 0 ? [[key, found[index + 1] ?? '']] : []));
    },
    write: async ({ lease, writes, withinMs }) => {
      const sentAt = performance.now();
      const given = [
        ...[id, lease?.owner ?? '', lease?.epoch ?? '', clock.atServer(sentAt + withinMs)],
        ...writes.flatMap(({ key, text, ifAbsent }) => [
          text === undefined ? 'delete' : ifAbsent === true ? 'add' : 'set',
          key,
          text ?? '',
        ]),
      ];
      const [kind, now, ...kept] = verdicts.parse(await run(WRITE, { keys: [STORE, KEYS], given }, withinMs + ANSWER_MS));
      clock.observe({ sentAt, receivedAt: performance.now(), serverMs: now });
      return kind === 'written' ? { kind, kept: new Set(kept) } : { kind };
    },
    acquire: async ({ owner, holder, ttlMs }) => {
      const given = [id, owner, holder, ttlMs, FORMAT];
      const [kind, value] = leases.parse(await run(ACQUIRE, { keys: [STORE], given }, waitMs));
      if (kind === 'moved') throw moved(place);
      if (kind === 'newer') throw newer(place, value ?? FORMAT + 1);
      return kind === 'taken' && value !== undefined ? { epoch: value } : undefined;
    },
    release: async (owner) => void (await run(RELEASE, { keys: [STORE], given: [id, owner] }, waitMs)),
    holder: async () => {
      const found = holders.parse(await run(HOLDER, { keys: [STORE], given: [] }, waitMs));
      return found.length === 0 ? undefined : { holder: found[0], epoch: found[1], remainingMs: found[2] };
    },
    take: async (counter, { intervalMs, burst }) =>
      amounts.parse(await run(TAKE, { keys: [`${COUNTER}rate/${counter}`], given: [intervalMs, burst] }, waitMs)) ?? 0,
    add: async (counter, amount, { limit, ttlMs }) =>
      amounts.parse(await run(ADD, { keys: [`${COUNTER}sum/${counter}`], given: [amount, limit, ttlMs] }, waitMs)) ?? undefined,
    // Redis forgets counters by itself.
    tidy: async () => {},
    close: async () => connection.close(),
  };
}

const texts = z.array(z.string());
const verdicts = z.tuple([z.enum(['written', 'superseded', 'moved', 'late']), z.coerce.number()], z.string());
const leases = z.tuple([z.enum(['taken', 'held', 'moved', 'newer']), z.coerce.number().optional()]);
const holders = z.union([z.tuple([]), z.tuple([z.string(), z.coerce.number(), z.coerce.number()])]);
const amounts = z.union([z.null(), z.coerce.number()]);
