/** Opens a Redis database: refuses what would lose data, leaves its mark. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { APPLICATION, FORMAT } from './format.js';
import type { RedisConnection } from './redis-connection.js';
import { CLAIM, STORE } from './redis-scripts.js';
import { newer } from './server-engine.js';
import { StoreError, type ServerFacts } from './store.js';

/** A value is undefined where the server does not say. */
interface Durability {
  readonly appendonly: string | undefined;
  readonly appendfsync: string | undefined;
  readonly policy: string | undefined;
}

/** The option in STORE_URL that vouches for what INFO does not show. */
export const VOUCHED = 'appendfsync';

const pairs = z.array(z.string());
const info = z.string();

/** `vouched` is the value of that option. Rejects with a `StoreError`. */
export async function claimRedis(
  connection: RedisConnection,
  { place, vouched, withinMs }: { place: string; vouched: string | null; withinMs: number },
): Promise<{ readonly id: string; readonly now: number }> {
  // Shows a refused login, which is not the refusal of a command.
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

export async function factsOf(connection: RedisConnection, vouched: string | null, withinMs: number): Promise<ServerFacts> {
  const { appendonly, appendfsync, policy } = await durabilityOf(connection, vouched, withinMs);
  const server = await answered(connection.command(['INFO', 'server'], withinMs));
  const version = fieldOf(info.safeParse(server).data, 'redis_version') ?? 'of an unknown version';
  return {
    version: `Redis ${version}`,
    durability: `appendonly ${appendonly ?? 'unknown'}, appendfsync ${appendfsync ?? 'unknown'}, maxmemory-policy ${policy ?? 'unknown'}`,
  };
}

/** Managed servers often forbid CONFIG. */
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

/** It is undefined where the server forbids the command. */
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
