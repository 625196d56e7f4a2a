/** Stores API keys, `api-key/<id>`, and their rate limits. The text of a key leaves this file only when it is created. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { HOUR, SECOND, later, type Clock, type Instant } from '../../base/clock.js';
import { API_KEY_PREFIX, hashOf, isSameHash, newToken } from '../../base/secret-tokens.js';
import { address, addressSchema, type Address } from '../../chat/address.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Collection, Store } from '../../store/store.js';

export const MAX_KEYS = 50;
export const MAX_KEY_NAME = 60;
export const SCOPES = ['read', 'manage'] as const;

const keySchema = z.object({
  id: z.string().regex(/^[a-z0-9]{10}$/u),
  name: z.string().max(MAX_KEY_NAME),
  scope: z.enum(SCOPES),
  /** The only chat of the key. A key that manages always has one; a key that reads and has none sees every chat. */
  chat: addressSchema.optional(),
  hash: z.string(),
  createdAt: instantSchema,
  usedAt: instantSchema.optional(),
});
export type ApiKey = z.infer<typeof keySchema>;

/** The rate limit of a key, a token bucket: requests at once, and requests per second. */
const BURST = 100;
const PER_SECOND = 50;
/** The time of the last use is written at most this often. */
const USE_WRITTEN_AFTER = HOUR;

interface Bucket {
  tokens: number;
  at: Instant;
}

const TOKEN = new RegExp(String.raw`^${API_KEY_PREFIX}_([a-z0-9]{10})_[\w-]{43}$`, 'u');

/** Returns the chat in which a key's questions run unless it names another. */
export const chatOf = ({ id, chat }: Pick<ApiKey, 'id' | 'chat'>): Address => chat ?? address('api', id);

export class ApiKeys {
  readonly #documents: Collection<ApiKey>;
  readonly #clock: Clock;
  readonly #keys = new Map<string, ApiKey>();
  readonly #buckets = new Map<string, Bucket>();
  #creating = 0;

  private constructor(documents: Collection<ApiKey>, clock: Clock) {
    this.#documents = documents;
    this.#clock = clock;
  }

  /** Opens the keys. An unreadable key is left out; it must be created again. */
  static async open({ store, clock }: { readonly store: Store; readonly clock: Clock }): Promise<ApiKeys> {
    const keys = new ApiKeys(store.collection({ prefix: 'api-key', schema: keySchema, version: 1 }), clock);
    for (const [, key] of (await keys.#documents.list()).found) keys.#keys.set(key.id, key);
    return keys;
  }

  all(): readonly ApiKey[] {
    return [...this.#keys.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  }

  isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  /** Returns undefined if there are already as many keys as permitted. */
  async create(parts: Pick<ApiKey, 'name' | 'scope' | 'chat'>): Promise<{ readonly key: ApiKey; readonly token: string } | undefined> {
    if (this.#keys.size + this.#creating >= MAX_KEYS) return undefined;
    this.#creating += 1;
    try {
      const id = newId();
      const token = newToken(API_KEY_PREFIX, id);
      const key = { ...parts, id, hash: hashOf(token), createdAt: this.#clock.now() };
      await this.#documents.set(id, key);
      this.#keys.set(id, key);
      return { key, token };
    } finally {
      this.#creating -= 1;
    }
  }

  /** Revokes a key at once. Resolves when that is stored, with undefined if there is no such key. */
  async revoke(id: string): Promise<ApiKey | undefined> {
    const key = this.#keys.get(id);
    if (key === undefined) return undefined;
    this.#keys.delete(id);
    this.#buckets.delete(id);
    await this.#documents.delete(id);
    return key;
  }

  /** Returns the key of a bearer token. */
  find(token: string): ApiKey | undefined {
    const key = this.#keys.get(TOKEN.exec(token)?.[1] ?? '');
    return key !== undefined && isSameHash(hashOf(token), key.hash) ? key : undefined;
  }

  /** Counts a request against the key's rate. Returns the wait in seconds if there were too many. */
  take({ id }: Pick<ApiKey, 'id'>): 'permitted' | number {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(id) ?? { tokens: BURST, at: now };
    this.#buckets.set(id, bucket);
    // If the clock was set back, no tokens are added.
    const passed = Math.max(0, now - bucket.at) / SECOND;
    bucket.tokens = Math.min(BURST, bucket.tokens + passed * PER_SECOND);
    bucket.at = now;
    if (bucket.tokens < 1) return 1;
    bucket.tokens -= 1;
    return 'permitted';
  }

  /** Records the use of a key. Writes at most once in `USE_WRITTEN_AFTER`. */
  async used(id: string): Promise<void> {
    const key = this.#keys.get(id);
    const now = this.#clock.now();
    if (key === undefined || (key.usedAt !== undefined && now < later(key.usedAt, USE_WRITTEN_AFTER))) return;
    const after = { ...key, usedAt: now };
    this.#keys.set(id, after);
    await this.#documents.set(id, after);
    // The key was revoked during the write, which must not bring it back.
    if (!this.#keys.has(id)) await this.#documents.delete(id);
  }

  forChat(chat: Address): readonly ApiKey[] {
    return this.all().filter((key) => chatOf(key) === chat);
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const newId = (): string => Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
