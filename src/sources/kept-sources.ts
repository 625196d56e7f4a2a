/** Sources of replies, for `/sources`. A crash loses those of the last minute. */
import { hash as digest } from 'node:crypto';
import { RecentMap } from '../base/bounded-cache.js';
import { DAY, later, type Clock } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Log } from '../base/log.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Address } from '../chat/address.js';
import type { Reply } from '../chat/reply.js';
import type { Collection, Store } from '../store/store.js';
import type { Recorder } from './recorder.js';
import { figuresOf, hasFigure, placesOf } from './figures.js';
import { MAX_LINE_KEPT, snapshotSchema, type SourcesSnapshot, type SourceFigure } from './snapshot.js';

export const SOURCES_KEPT_FOR = 30 * DAY;
/** The line stays, so that people can ask again. */
const LINE_KEPT_FOR = 90 * DAY;
export const MAX_PER_CHAT = 100;
/** Characters of the figures of a snapshot. */
const MAX_SIZE = 24_000;
/** Keys of other chats are read when they are needed. */
export const MAX_REMEMBERED_CHATS = 200;
/** Then they are written before the next flush. */
const MAX_PENDING = 200;

interface AnsweredQuestion {
  readonly chat: Address;
  /** `Person.id`, where the reply is for them alone. */
  readonly person: string | undefined;
  readonly line: string;
  readonly reply: Reply;
  readonly recorder: Recorder;
}

export type FoundSources =
  | { readonly kind: 'found'; readonly snapshot: SourcesSnapshot; readonly personal: boolean }
  | { readonly kind: 'expired'; readonly line: string | undefined }
  /** Or never existed. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-theirs' };

export interface Sources {
  /** The key; undefined without figures. Writes nothing yet. */
  keep(answered: AnsweredQuestion): string | undefined;
  /** Of this chat only. Rejects with a `StoreError`. */
  read(key: string, by: { readonly chat: Address; readonly person: string }): Promise<FoundSources>;
  /** How many of the chat are stored. */
  count(chat: Address): Promise<number>;
  /** Deletes a chat's oldest beyond the limit. */
  flush(): Promise<void>;
  sweep(): Promise<void>;
  forgetChat(chat: Address): Promise<void>;
  /** Of replies for them alone. */
  forgetPerson(person: string): Promise<void>;
}

const hash = (text: string, length: number): string => digest('sha256', text, 'base64url').slice(0, length);
/** One address may begin another. */
const folderOf = (chat: Address): string => `${hash(chat, 20)}/`;
const folderIn = (key: string): string => key.slice(0, key.indexOf('/') + 1);
const personHash = (person: string): string => hash(`person ${person}`, 20);

export function openSources({ store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log }): Sources {
  const documents: Collection<SourcesSnapshot> = store.collection({
    prefix: 'sources',
    version: 1,
    schema: snapshotSchema,
    writers: 'any',
  });
  const pending = new Map<string, () => SourcesSnapshot>();
  /** Oldest first; of the chats that asked last. */
  const known = new RecentMap<string, readonly string[]>(MAX_REMEMBERED_CHATS);
  let flushing: Promise<void> = Promise.resolve();
  const recount = (folder: string): void => void (store.shared === undefined || known.delete(folder));

  async function keysOf(folder: string): Promise<readonly string[]> {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const { found, unreadable } = await documents.list(folder);
    const sorted = found.toSorted(([, a], [, b]) => a.at - b.at).map(([key]) => key);
    return [...unreadable.map(({ key }) => key), ...sorted];
  }

  /** One that fails stays, and rejects. */
  async function write(): Promise<void> {
    const folders = new Map<string, string[]>();
    const due: { readonly key: string; readonly composed: () => SourcesSnapshot }[] = [];
    for (const [key, compose] of [...pending]) {
      try {
        const snapshot = compose();
        const composed = (): SourcesSnapshot => snapshot;
        pending.set(key, composed);
        due.push({ key, composed });
      } catch (error) {
        pending.delete(key);
        log.error('sources.not-composed', { error });
      }
      await yieldToEventLoop();
    }
    const written = await Promise.allSettled(
      due.map(async ({ key, composed }) => {
        await documents.set(key, composed());
        if (pending.get(key) === composed) pending.delete(key);
        folders.set(folderIn(key), [...(folders.get(folderIn(key)) ?? []), key]);
      }),
    );
    for (const [folder, fresh] of folders) {
      const keys = [...new Set([...(await keysOf(folder)).filter((key) => !fresh.includes(key)), ...fresh])];
      const old = keys.slice(0, Math.max(0, keys.length - MAX_PER_CHAT));
      for (const key of old) await documents.delete(key);
      known.set(folder, keys.slice(old.length));
    }
    const failed = written.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
  const flush = async (): Promise<void> => {
    const done = flushing.then(write);
    flushing = done.catch(() => undefined);
    return done;
  };

  const drop = async (folder: string, keys: readonly string[]): Promise<void> => {
    for (const key of keys) await documents.delete(key);
    const left = known.get(folder)?.filter((key) => !keys.includes(key));
    if (left !== undefined) known.set(folder, left);
  };

  return {
    keep({ chat, person, line, reply, recorder }) {
      const now = clock.now();
      const records = recorder.records();
      const { finding, blocks, zone } = reply;
      if (records.length === 0 || !hasFigure(placesOf({ finding, blocks, zone }, now), recorder.log.shown)) return undefined;
      const key = hash(JSON.stringify([chat, person, now, finding, blocks]), 10);
      pending.set(folderOf(chat) + key, () => ({
        at: now,
        ...omitUndefined({ line: line.length <= MAX_LINE_KEPT ? line : undefined, person: person && personHash(person) }),
        records: records.map(({ record }) => record),
        ...bounded(figuresOf({ finding, blocks, zone }, { log: recorder.log, records: records.map(({ data }) => data), now })),
      }));
      // Where the store fails, the oldest are lost.
      for (const oldest of pending.keys()) {
        if (pending.size <= 2 * MAX_PENDING) break;
        pending.delete(oldest);
      }
      // On a shared engine the button may be pressed in another process.
      if (store.shared !== undefined || pending.size >= MAX_PENDING)
        void flush().catch((error: unknown) => log.warn('sources.not-written', { error }));
      return key;
    },

    async read(key, { chat, person }) {
      const place = folderOf(chat) + key;
      const snapshot = pending.get(place)?.() ?? (await documents.get(place));
      if (snapshot === undefined) return { kind: 'unknown' };
      if (snapshot.person !== undefined && snapshot.person !== personHash(person)) return { kind: 'not-theirs' };
      if (later(snapshot.at, SOURCES_KEPT_FOR) <= clock.now()) return { kind: 'expired', line: snapshot.line };
      return { kind: 'found', snapshot, personal: snapshot.person !== undefined };
    },

    async count(chat) {
      await flush();
      recount(folderOf(chat));
      return (await keysOf(folderOf(chat))).length;
    },

    flush,

    async sweep() {
      await flush();
      const now = clock.now();
      for await (const { found } of documents.scan()) {
        for (const [key, snapshot] of found) {
          if (later(snapshot.at, LINE_KEPT_FOR) <= now) await drop(folderIn(key), [key]);
          else if (later(snapshot.at, SOURCES_KEPT_FOR) <= now && snapshot.records.length > 0)
            await documents.set(key, { ...snapshot, records: [], figures: [], more: 0 });
        }
        await yieldToEventLoop();
      }
    },

    async forgetChat(chat) {
      const folder = folderOf(chat);
      await flush();
      recount(folder);
      await drop(folder, await keysOf(folder));
      known.delete(folder);
    },

    async forgetPerson(person) {
      await flush();
      const theirs = personHash(person);
      for await (const { found } of documents.scan())
        for (const [key, snapshot] of found) if (snapshot.person === theirs) await drop(folderIn(key), [key]);
    },
  };
}

/** Values of the service go first. */
function bounded(figures: readonly SourceFigure[]): Pick<SourcesSnapshot, 'figures' | 'more'> {
  let size = 0;
  const kept = new Set<SourceFigure>();
  for (const figure of figures.toSorted((a, b) => Number(a.formula === undefined) - Number(b.formula === undefined))) {
    size += JSON.stringify(figure).length;
    if (size > MAX_SIZE) break;
    kept.add(figure);
  }
  return { figures: figures.filter((figure) => kept.has(figure)), more: figures.length - kept.size };
}
