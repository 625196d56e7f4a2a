/** A connection that is replaced when the server does not answer in time. */
import KeyvRedis, { createClient } from '@keyv/redis';
import { Keyv } from 'keyv';
import { z } from 'zod';
import { backoff } from '../base/backoff.js';
import { redisFailure } from './redis-errors.js';
import { NAMESPACE, type Script } from './redis-scripts.js';
import { StoreError } from './store.js';
import { plainTexts } from './text.js';

export interface RedisConnection {
  /** All reject with a `StoreError`, after `withinMs` at the latest. */
  get(key: string, withinMs: number): Promise<string | undefined>;
  command(words: readonly [string, ...string[]], withinMs: number): Promise<unknown>;
  run(script: Script, call: ScriptCall, withinMs: number): Promise<unknown>;
  close(): Promise<void>;
}

export interface ScriptCall {
  readonly keys: readonly string[];
  readonly given: readonly (string | number)[];
}

const CONNECT_MS = 2_000;
const PAUSE = { first: 50, most: 500 };

/** `name`: how people call the server. */
export function openRedisConnection(url: string, place: string): RedisConnection {
  let lastError: unknown;

  const fresh = () => {
    let isKnown = false;
    const client = createClient({
      url,
      name: 'navwatch',
      // A command that waits for a connection would be sent long after its caller was refused.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        // The first connection shows a wrong address or password at once; a later one is repeated until it is there.
        reconnectStrategy: (retries, cause) => (isKnown ? backoff(PAUSE, retries + 1) : cause),
      },
    });
    client.on('error', (error: unknown) => {
      lastError = error;
    });
    const adapter = new KeyvRedis<string>(client, { namespace: NAMESPACE, throwOnErrors: true });
    // Its calls reject by themselves.
    adapter.on('error', () => {});
    const keyv = new Keyv<string>({ ...plainTexts, namespace: NAMESPACE, store: adapter });
    let connecting: Promise<void> | undefined;
    const connect = async (): Promise<void> => {
      connecting ??= client.connect().then(() => {
        isKnown = true;
      });
      await connecting;
      if (client.isReady) return;
      throw redisFailure(place, lastError ?? new Error('the connection was lost'));
    };
    const end = (): void => {
      if (client.isOpen) client.destroy();
    };
    return { client, keyv, connect, end, wasConnected: () => isKnown };
  };

  let current = fresh();
  let isClosed = false;
  /** What is under way is refused. */
  const replace = (old: typeof current): void => {
    if (current !== old || isClosed) return;
    current = fresh();
    old.end();
  };

  const within = async <T>(withinMs: number, work: (connection: typeof current) => Promise<T>): Promise<T> => {
    const own = current;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        replace(own);
        reject(new StoreError('unreachable', `store: Redis at ${place} did not answer in time; see its log and its load`));
      }, withinMs);
    });
    const worked = (async () => {
      await own.connect().catch((error: unknown) => {
        // A client that never connected cannot be used again.
        if (!own.client.isReady) replaceUnconnected(own);
        throw error;
      });
      return work(own);
    })();
    try {
      return await Promise.race([worked, late]);
    } catch (error) {
      throw redisFailure(place, error);
    } finally {
      clearTimeout(timer);
      worked.catch(() => {}); // The time was over first.
    }
  };
  const replaceUnconnected = (own: typeof current): void => {
    if (!own.wasConnected()) replace(own);
  };

  const command: RedisConnection['command'] = async (words, withinMs) =>
    within(withinMs, async ({ client }) => client.sendCommand([...words]));
  return {
    get: async (key, withinMs) => within(withinMs, async ({ keyv }) => keyv.get(key)),
    command,
    run: async ({ text, sha }, { keys, given }, withinMs) =>
      within(withinMs, async ({ client }): Promise<unknown> => {
        const rest = [String(keys.length), ...keys, ...given.map(String)];
        try {
          return await client.sendCommand<unknown>(['EVALSHA', sha, ...rest]);
        } catch (error) {
          if (!isMissingScript.safeParse(error).success) throw error;
          return client.sendCommand<unknown>(['EVAL', text, ...rest]);
        }
      }),
    close: async () => {
      isClosed = true;
      current.end();
    },
  };
}

const isMissingScript = z.object({ message: z.string().startsWith('NOSCRIPT') });
