/** Stores inbound records, `inbound/<platform>/<chat>/<id>`: updates that other processes forward to the active one. */
import { z } from 'zod';
import { RecentMap } from '../base/bounded-cache.js';
import { DAY, HOUR, SECOND, later, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { ForwardedUpdate, Forwarding } from '../chat/forwarding.js';
import { instantSchema } from '../domain/scalars.js';
import type { SharedEngine, Store } from '../store/store.js';

export interface InboundRecord {
  readonly key: string;
  readonly platform: string;
  /** The chat as `<platform>/<chat>`. */
  readonly chat: string;
  readonly id: string;
  readonly raw: unknown;
  readonly isHeld: boolean;
}

export interface InboundRecords extends Pick<Forwarding, 'keep' | 'waits' | 'drop'> {
  /** Returns the waiting records, those of one chat in order. Rejects with a `StoreError`. */
  waiting(): Promise<readonly InboundRecord[]>;
  has(update: Pick<ForwardedUpdate, 'platform' | 'chat' | 'id'>): Promise<boolean>;
  isHandled(record: InboundRecord): Promise<boolean>;
  /** Deletes a record. Its id stays known, so that a repeat is recognised. */
  finish(record: InboundRecord): Promise<void>;
  /** Deletes old records. Resolves with the number of those that nobody handled. */
  sweep(): Promise<number>;
}

/** How long a handled id is known; Telegram repeats an update for a day. */
const KNOWN_FOR = DAY;
/** The most records of a chat. */
export const MAX_WAITING = 20;
const MAX_KNOWN = 100;
/** The value is in characters. */
const MAX_SIZE = 256 * 1024;
/** The most records of one read. */
const MAX_READ = 2_000;
const ID_LENGTH = 20;
/** How many flooding chats are remembered. Each is logged once an hour. */
const MAX_FLOODING = 1_000;

const recordSchema = z.object({
  raw: z.string(),
  at: instantSchema,
  /** Until when another process works on the update. */
  heldUntil: instantSchema.optional(),
});
const handledSchema = z.object({ ids: z.array(z.object({ id: z.string(), at: instantSchema })).readonly() });

export interface InboundRecordsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

class StoredInboundRecords implements InboundRecords {
  readonly #clock: InboundRecordsDeps['clock'];
  readonly #log: InboundRecordsDeps['log'];
  readonly #records;
  readonly #handled;
  /** Flooding chats. `count` is the number of records left out since the last log line. */
  readonly #flooding = new RecentMap<string, { readonly at: Instant; readonly count: number }>(MAX_FLOODING);

  constructor({ store, clock, log }: InboundRecordsDeps) {
    this.#clock = clock;
    this.#log = log;
    this.#records = store.collection({ prefix: 'inbound', version: 1, schema: recordSchema, writers: 'any' });
    this.#handled = store.collection({ prefix: 'inbound-handled', version: 1, schema: handledSchema });
  }

  async keep(...[update, heldFor]: Parameters<Forwarding['keep']>): ReturnType<Forwarding['keep']> {
    const raw = JSON.stringify(update.raw);
    const leftOut = (because: 'full' | 'too-large') => {
      const chat = this.#folderOf(update);
      const { at, count } = this.#flooding.get(chat) ?? { at: undefined, count: 0 };
      const isSilent = at !== undefined && this.#clock.now() - at < HOUR;
      this.#flooding.set(chat, isSilent ? { at, count: count + 1 } : { at: this.#clock.now(), count: 0 });
      if (!isSilent) this.#log.warn('inbound.left-out', { chat, because, before: count });
      return because;
    };
    if (raw.length > MAX_SIZE) return leftOut('too-large');
    if (await this.#isKnown(this.#folderOf(update), update.id)) return 'known';
    const { found, unreadable } = await this.#records.list(`${this.#folderOf(update)}/`);
    const key = this.#keyOf(update);
    if (found.length + unreadable.length >= MAX_WAITING) return found.some(([other]) => other === key) ? 'known' : leftOut('full');
    return (await this.#records.setIfAbsent(key, {
      raw,
      at: this.#clock.now(),
      ...(heldFor === undefined ? {} : { heldUntil: later(this.#clock.now(), heldFor) }),
    }))
      ? 'kept'
      : 'known';
  }

  async drop(update: ForwardedUpdate): Promise<void> {
    return this.#records.delete(this.#keyOf(update));
  }

  async waits(chat: Parameters<Forwarding['waits']>[0]): Promise<boolean> {
    const { found, unreadable } = await this.#records.list(`${this.#folderOf(chat)}/`);
    return found.length + unreadable.length > 0;
  }

  async waiting(): Promise<readonly InboundRecord[]> {
    const all: InboundRecord[] = [];
    for await (const { found } of this.#records.scan()) {
      all.push(...found.map(([key, { raw, heldUntil = 0 }]) => ({ ...recordOf(key, raw), isHeld: heldUntil > this.#clock.now() })));
      if (all.length >= MAX_READ) break;
    }
    return all;
  }

  async has(update: Pick<ForwardedUpdate, 'platform' | 'chat' | 'id'>): Promise<boolean> {
    return (await this.#records.get(this.#keyOf(update))) !== undefined;
  }

  async isHandled({ chat, id }: InboundRecord): Promise<boolean> {
    return this.#isKnown(chat, id);
  }

  async finish({ key, chat, id }: InboundRecord): Promise<void> {
    const ids = [...(await this.#known(chat)).filter((one) => one.id !== id), { id, at: this.#clock.now() }].slice(-MAX_KNOWN);
    await this.#handled.set(chat, { ids });
    await this.#records.delete(key);
  }

  async sweep(): Promise<number> {
    const isOld = (at: number): boolean => this.#clock.now() - at >= KNOWN_FOR;
    let dropped = 0;
    for await (const { found, unreadable } of this.#records.scan()) {
      const old = [...found.filter(([, { at }]) => isOld(at)).map(([key]) => key), ...unreadable.map(({ key }) => key)];
      for (const key of old) await this.#records.delete(key);
      dropped += old.length;
    }
    for await (const { found, unreadable } of this.#handled.scan()) {
      const old = [
        ...found.filter(([, { ids }]) => ids.every(({ at }) => isOld(at))).map(([key]) => key),
        ...unreadable.map(({ key }) => key),
      ];
      for (const key of old) await this.#handled.delete(key);
    }
    return dropped;
  }

  #folderOf({ platform, chat }: Pick<ForwardedUpdate, 'platform' | 'chat'>): string {
    return `${platform}/${chat}`;
  }

  #keyOf(update: Pick<ForwardedUpdate, 'platform' | 'chat' | 'id'>): string {
    return `${this.#folderOf(update)}/${update.id.padStart(ID_LENGTH, '0')}`;
  }

  async #known(chat: string) {
    return ((await this.#handled.get(chat))?.ids ?? []).filter(({ at }) => later(at, KNOWN_FOR) > this.#clock.now());
  }

  async #isKnown(chat: string, id: string): Promise<boolean> {
    return (await this.#known(chat)).some((one) => one.id === id);
  }
}

export const openInboundRecords = (deps: InboundRecordsDeps): InboundRecords => new StoredInboundRecords(deps);

function recordOf(key: string, raw: string): Omit<InboundRecord, 'isHeld'> {
  const [platform = '', ...rest] = key.split('/');
  const id = (rest.at(-1) ?? '').replace(/^0+(?=\d)/u, '');
  const parsed: unknown = JSON.parse(raw);
  return { key, platform, chat: [platform, ...rest.slice(0, -1)].join('/'), id, raw: parsed };
}

/** After this many crashes the question is taken for their cause and given up. */
const MAX_TRIES = 2;
const CHECKED_EVERY = 5 * SECOND;
/** Checks continue for two minutes, longer than the 15 s for which a killed process's lease lasts. */
const MAX_CHECKS = 24;

interface ForwardingDeps {
  readonly role: Forwarding['role'];
  readonly records: InboundRecords;
  readonly shared: Pick<SharedEngine, 'holder' | 'add'>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createForwarding({ role, records, shared, clock, log }: ForwardingDeps): Forwarding {
  const nameOf = ({ platform, chat, id }: ForwardedUpdate): string => `tries/${platform}/${chat}/${id}`;
  return {
    role,
    keep: async (update, heldFor) => records.keep(update, heldFor),
    drop: async (update) => records.drop(update),
    waits: async (chat) => records.waits(chat),
    async mayTry(update) {
      try {
        return (await shared.add(nameOf(update), 1, { limit: MAX_TRIES, ttlMs: HOUR })) !== undefined;
      } catch (error) {
        log.debug('inbound.tries-not-counted', { error });
        return true;
      }
    },
    async isStuck(update, signal) {
      try {
        let isFree = false;
        for (let checks = 0; checks < MAX_CHECKS; checks += 1) {
          await clock.sleep(CHECKED_EVERY, signal);
          if (!(await records.has(update))) return false;
          const wasFree = isFree;
          isFree = (await shared.holder()) === undefined;
          if (isFree && wasFree) return true;
        }
        return false;
      } catch {
        return false; // At a stop, or while the engine is unreachable, nothing is known of the active process.
      }
    },
  };
}
