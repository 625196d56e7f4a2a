/** The `redis://` engine, shared by processes (docs/decisions/0031-shared-engines.md). Only `get` goes through Keyv. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Backend, type StoredText, FORMAT, APPLICATION } from './backend.js';
import { RedisConnection } from './redis-connection.js';
import { ACQUIRE, ADD, COUNTER, HOLDER, KEYS, RANGE, RELEASE, STORE, TAKE, WRITE, CLAIM } from './redis-scripts.js';
import { openServerBackend } from './server-backend.js';
import {
  moved,
  newer,
  openServerClock,
  placeOf,
  serverUrl,
  type ServerClock,
  type ServerEngine,
  DEFAULT_SERVER_WAIT_MS,
  openPatience,
  type ServerOptions,
} from './server-engine.js';
import { StoreError, type ServerFacts } from './store.js';

/** The value is in milliseconds. Reading a whole collection takes longer than a document. */
const RANGE_MS = 60_000;
/** How much longer we wait for the server's answer that a write was too late, in milliseconds. */
const ANSWER_MS = 500;

const NO_LIMIT = -1;

/** Opens the engine. The scheme `rediss` means TLS. Rejects with a `StoreError`. */
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
    // Counters expire in Redis by themselves.
    tidy: async () => {},
    close: async () => connection.close(),
  };
}

const texts = z.array(z.string());
const verdicts = z.tuple([z.enum(['written', 'superseded', 'moved', 'late']), z.coerce.number()], z.string());
const leases = z.tuple([z.enum(['taken', 'held', 'moved', 'newer']), z.coerce.number().optional()]);
const holders = z.union([z.tuple([]), z.tuple([z.string(), z.coerce.number(), z.coerce.number()])]);
const amounts = z.union([z.null(), z.coerce.number()]);

/** The server's settings for durability. A value is undefined if the server does not tell it. */
interface Durability {
  readonly appendonly: string | undefined;
  readonly appendfsync: string | undefined;
  readonly policy: string | undefined;
}

/** The option in STORE_URL with which the operator asserts a setting that INFO does not show. */
const VOUCHED = 'appendfsync';

const pairs = z.array(z.string());
const info = z.string();

/** Claims the database, and refuses a server that would lose data. `vouched` is the value of that option. Rejects with a `StoreError`. */
async function claimRedis(
  connection: RedisConnection,
  { place, vouched, withinMs }: { place: string; vouched: string | null; withinMs: number },
): Promise<{ readonly id: string; readonly now: number }> {
  // Fails for a refused login, which differs from a forbidden command.
  await connection.command(['PING'], withinMs);
  const refusal = refusalOf(await durabilityOf(connection, vouched, withinMs), place);
  if (refusal !== undefined) throw refusal;
  const call = { keys: [STORE], given: [randomUUID(), APPLICATION, FORMAT] };
  const [kind, first = '', now] = pairs.parse(await connection.run(CLAIM, call, withinMs));
  if (kind === 'opened') return { id: first, now: Number(now) };
  if (kind === 'newer') throw newer(place, Number(first));
  throw new StoreError(
    'unreadable',
    `store: ${place} holds the data of another program; name an empty database in STORE_URL, such as redis://host:6379/1`,
  );
}

async function factsOf(connection: RedisConnection, vouched: string | null, withinMs: number): Promise<ServerFacts> {
  const { appendonly, appendfsync, policy } = await durabilityOf(connection, vouched, withinMs);
  const server = await answered(connection.command(['INFO', 'server'], withinMs));
  const version = fieldOf(info.safeParse(server).data, 'redis_version') ?? 'of an unknown version';
  return {
    version: `Redis ${version}`,
    durability: `appendonly ${appendonly ?? 'unknown'}, appendfsync ${appendfsync ?? 'unknown'}, maxmemory-policy ${policy ?? 'unknown'}`,
  };
}

/** Reads the durability settings. Managed servers often forbid CONFIG, so INFO is used too. */
async function durabilityOf(connection: RedisConnection, vouched: string | null, withinMs: number): Promise<Durability> {
  const found = await answered(connection.command(['CONFIG', 'GET', 'append*'], withinMs));
  const evicted = await answered(connection.command(['CONFIG', 'GET', 'maxmemory-policy'], withinMs));
  const settings = new Map(entriesOf([...(pairs.safeParse(found).data ?? []), ...(pairs.safeParse(evicted).data ?? [])]));
  const persistence = info.safeParse(await answered(connection.command(['INFO', 'persistence'], withinMs))).data;
  const memory = info.safeParse(await answered(connection.command(['INFO', 'memory'], withinMs))).data;
  const enabled = fieldOf(persistence, 'aof_enabled');
  return {
    appendonly: settings.get('appendonly') ?? (enabled === undefined ? undefined : enabled === '1' ? 'yes' : 'no'),
    appendfsync: settings.get('appendfsync') ?? vouched ?? undefined,
    policy: settings.get('maxmemory-policy') ?? fieldOf(memory, 'maxmemory_policy'),
  };
}

/** Resolves with undefined if the server forbids the command. */
async function answered(reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof StoreError && (error.trouble === 'denied' || error.trouble === 'failed')) return undefined;
    throw error;
  }
}

const entriesOf = (words: readonly string[]): (readonly [string, string])[] =>
  words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1] ?? ''] as const] : []));

const fieldOf = (text: string | undefined, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'mu').exec(text ?? '')?.[1];

function refusalOf({ appendonly, appendfsync, policy }: Durability, place: string): StoreError | undefined {
  const needed = [
    ['appendonly', appendonly, 'yes'],
    ['appendfsync', appendfsync, 'always'],
    ['maxmemory-policy', policy, 'noeviction'],
  ] as const;
  const wrong = needed.filter(([, value, right]) => value !== undefined && value !== right);
  if (wrong.length > 0) {
    const settings = wrong.map(([name, , right]) => `${name} ${right}`).join(', ');
    return new StoreError(
      'failed',
      `store: Redis at ${place} would lose what was stored; it must run with ${settings} (redis.conf, or CONFIG SET and CONFIG REWRITE); then start again`,
    );
  }
  const unknown = needed.filter(([, value]) => value === undefined).map(([name]) => name);
  if (unknown.length === 0) return undefined;
  const vouch = unknown.every((name) => name === VOUCHED) ? `, or add ?${VOUCHED}=always to STORE_URL if you know that it is so` : '';
  return new StoreError(
    'failed',
    `store: Redis at ${place} does not say whether it keeps what is stored (${unknown.join(', ')}); allow this user CONFIG GET and INFO${vouch}`,
  );
}
