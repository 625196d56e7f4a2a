/** This module stores the sources of replies, for `/sources`. A crash loses those of the last minute. */
import { hash as digest } from 'node:crypto';
import { RecentMap } from '../base/bounded-cache.js';
import { DAY, later, type Clock } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Log } from '../base/log.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Address } from '../chat/address.js';
import type { Reply } from '../chat/reply.js';
import type { Collection, Store } from '../store/store.js';
import { type Recorder, MAX_LINE_KEPT, snapshotSchema, type SourcesSnapshot, type SourceFigure } from './recorder.js';
import { figuresOf, hasFigure, placesOf } from './figures.js';

export const SOURCES_KEPT_FOR = 30 * DAY;
/** The command line is kept longer than the figures, so that people can ask again. */
const LINE_KEPT_FOR = 90 * DAY;
export const MAX_PER_CHAT = 100;
/** Maximum characters of a snapshot's figures. */
const MAX_SIZE = 24_000;
/** Chats whose keys are in memory. Those of other chats are read when needed. */
export const MAX_REMEMBERED_CHATS = 200;
/** Above this number pending sources are written at once. */
const MAX_PENDING = 200;

interface AnsweredQuestion {
  readonly chat: Address;
  /** `Person.id`, if only this person sees the reply. */
  readonly person: string | undefined;
  readonly line: string;
  readonly reply: Reply;
  readonly recorder: Recorder;
}

export type FoundSources =
  | { readonly kind: 'found'; readonly snapshot: SourcesSnapshot; readonly personal: boolean }
  | { readonly kind: 'expired'; readonly line: string | undefined }
  /** The sources were deleted, or never existed. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-theirs' };

const hash = (text: string, length: number): string => digest('sha256', text, 'base64url').slice(0, length);
/** Returns the key prefix of a chat. It is a hash, because one address may be the beginning of another. */
const folderOf = (chat: Address): string => `${hash(chat, 20)}/`;
const folderIn = (key: string): string => key.slice(0, key.indexOf('/') + 1);
const personHash = (person: string): string => hash(`person ${person}`, 20);

export interface SourcesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

export class Sources {
  readonly #deps: SourcesDeps;
  readonly #documents: Collection<SourcesSnapshot>;
  readonly #pending = new Map<string, () => SourcesSnapshot>();
  /** The keys of the chats that asked last, oldest key first. */
  readonly #known = new RecentMap<string, readonly string[]>(MAX_REMEMBERED_CHATS);
  #flushing: Promise<void> = Promise.resolve();

  constructor(deps: SourcesDeps) {
    this.#deps = deps;
    this.#documents = deps.store.collection({ prefix: 'sources', version: 1, schema: snapshotSchema, writers: 'any' });
  }

  /** Keeps a reply's sources until the next flush. Returns their key, the same for the same answer, or undefined without figures. */
  keep({ chat, person, line, reply, recorder }: AnsweredQuestion): string | undefined {
    const { clock, log, store } = this.#deps;
    const now = clock.now();
    const recorded = recorder.records();
    if (recorded.length === 0) return undefined;
    const { finding, blocks, zone } = reply;
    // The same answer from the same responses has the same sources, so what programs ask again and again is composed once.
    const latest = Math.max(...recorded.map(({ record }) => record.at));
    const key = hash(JSON.stringify([chat, person, latest, finding, blocks]) + (zone ?? ''), 10);
    const place = folderOf(chat) + key;
    if (this.#pending.has(place)) return key;
    if (!hasFigure(placesOf({ finding, blocks, zone }, now), recorder.log.shown)) return undefined;
    this.#pending.set(place, () => ({
      at: now,
      ...omitUndefined({ line: line.length <= MAX_LINE_KEPT ? line : undefined, person: person && personHash(person) }),
      records: recorded.map(({ record }) => record),
      ...bounded(figuresOf({ finding, blocks, zone }, { log: recorder.log, records: recorded.map(({ data }) => data), now })),
    }));
    // If the store keeps failing, the oldest sources are dropped.
    for (const oldest of this.#pending.keys()) {
      if (this.#pending.size <= 2 * MAX_PENDING) break;
      this.#pending.delete(oldest);
    }
    // On a shared engine the button may be pressed in another process, so the sources are written at once.
    if (store.shared !== undefined || this.#pending.size >= MAX_PENDING)
      void this.flush().catch((error: unknown) => log.warn('sources.not-written', { error }));
    return key;
  }

  /** Reads sources of this chat only. Rejects with a `StoreError`. */
  async read(key: string, { chat, person }: { readonly chat: Address; readonly person: string }): Promise<FoundSources> {
    const place = folderOf(chat) + key;
    const snapshot = this.#pending.get(place)?.() ?? (await this.#documents.get(place));
    if (snapshot === undefined) return { kind: 'unknown' };
    if (snapshot.person !== undefined && snapshot.person !== personHash(person)) return { kind: 'not-theirs' };
    if (later(snapshot.at, SOURCES_KEPT_FOR) <= this.#deps.clock.now()) return { kind: 'expired', line: snapshot.line };
    return { kind: 'found', snapshot, personal: snapshot.person !== undefined };
  }

  /** Counts what is stored of the chat. */
  async count(chat: Address): Promise<number> {
    await this.flush();
    this.#recount(folderOf(chat));
    return (await this.#keysOf(folderOf(chat))).length;
  }

  /** Writes pending sources, and deletes a chat's oldest ones beyond the limit. */
  async flush(): Promise<void> {
    const done = this.#flushing.then(async () => this.#write());
    this.#flushing = done.catch(() => undefined);
    return done;
  }

  async sweep(): Promise<void> {
    await this.flush();
    const now = this.#deps.clock.now();
    for await (const { found } of this.#documents.scan()) {
      for (const [key, snapshot] of found) {
        if (later(snapshot.at, LINE_KEPT_FOR) <= now) await this.#drop(folderIn(key), [key]);
        else if (later(snapshot.at, SOURCES_KEPT_FOR) <= now && snapshot.records.length > 0)
          await this.#documents.set(key, { ...snapshot, records: [], figures: [], more: 0 });
      }
      await yieldToEventLoop();
    }
  }

  async forgetChat(chat: Address): Promise<void> {
    const folder = folderOf(chat);
    await this.flush();
    this.#recount(folder);
    await this.#drop(folder, await this.#keysOf(folder));
    this.#known.delete(folder);
  }

  /** Deletes the sources of replies that only this person saw. */
  async forgetPerson(person: string): Promise<void> {
    await this.flush();
    const theirs = personHash(person);
    for await (const { found } of this.#documents.scan())
      for (const [key, snapshot] of found) if (snapshot.person === theirs) await this.#drop(folderIn(key), [key]);
  }

  /** Drops the cached keys if other processes write to the store too, so that they are read again. */
  #recount(folder: string): void {
    if (this.#deps.store.shared !== undefined) this.#known.delete(folder);
  }

  async #keysOf(folder: string): Promise<readonly string[]> {
    const before = this.#known.get(folder);
    if (before !== undefined) return before;
    const { found, unreadable } = await this.#documents.list(folder);
    const sorted = found.toSorted(([, a], [, b]) => a.at - b.at).map(([key]) => key);
    return [...unreadable.map(({ key }) => key), ...sorted];
  }

  /** Writes pending sources. Rejects if some cannot be written; these stay pending. */
  async #write(): Promise<void> {
    const folders = new Map<string, string[]>();
    const written = await Promise.allSettled(
      (await this.#composed()).map(async ({ key, composed }) => {
        await this.#documents.set(key, composed());
        if (this.#pending.get(key) === composed) this.#pending.delete(key);
        folders.set(folderIn(key), [...(folders.get(folderIn(key)) ?? []), key]);
      }),
    );
    for (const [folder, fresh] of folders) {
      const keys = [...new Set([...(await this.#keysOf(folder)).filter((key) => !fresh.includes(key)), ...fresh])];
      const old = keys.slice(0, Math.max(0, keys.length - MAX_PER_CHAT));
      for (const key of old) await this.#documents.delete(key);
      this.#known.set(folder, keys.slice(old.length));
    }
    const failed = written.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Composes each pending snapshot once. One that cannot be composed is dropped. */
  async #composed(): Promise<readonly { readonly key: string; readonly composed: () => SourcesSnapshot }[]> {
    const due: { readonly key: string; readonly composed: () => SourcesSnapshot }[] = [];
    for (const [key, compose] of [...this.#pending]) {
      try {
        const snapshot = compose();
        const composed = (): SourcesSnapshot => snapshot;
        this.#pending.set(key, composed);
        due.push({ key, composed });
      } catch (error) {
        this.#pending.delete(key);
        this.#deps.log.error('sources.not-composed', { error });
      }
      await yieldToEventLoop();
    }
    return due;
  }

  async #drop(folder: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#documents.delete(key);
    const left = this.#known.get(folder)?.filter((key) => !keys.includes(key));
    if (left !== undefined) this.#known.set(folder, left);
  }
}

/** Limits the size of a snapshot. Values from the service are kept first. */
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
