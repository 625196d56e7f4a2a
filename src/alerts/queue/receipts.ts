/** This module records how deliveries ended. Older receipts are in pages, `receipt/<address>/<number>`. */
import { z } from 'zod';
import type { Address } from '../../chat/address.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import { HOUR } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { StoreError, type Store } from '../../store/store.js';
import { memberSchema } from './queued-event.js';

/** The stored form of `EarlierAttempt`. */
const earlierSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['recognised', 'found', 'absent']) }),
  z.object({ kind: z.literal('unknown'), because: z.string() }),
]);

export const receiptSchema = z.object({
  id: z.string(),
  members: z.array(memberSchema).readonly(),
  end: z.enum(['sent', 'maybe sent', 'refused', 'expired', 'dropped']),
  endedAt: instantSchema,
  attempts: z.int(),
  /** Attempts that may have arrived, besides the confirmed one. */
  maybeSent: z.int().optional(),
  /** An attempt before the last one may have arrived. */
  earlier: earlierSchema.optional(),
  messageId: z.string().optional(),
  because: z.string().optional(),
  summary: z.string().optional(),
  /** Set if an earlier message was edited. */
  live: z.literal(true).optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** Returns receipts of an old address that are not `known`, without message ids, which are not valid at the new address. */
export const atOldAddress = (receipts: readonly Receipt[], known: ReadonlySet<string>): readonly Receipt[] =>
  receipts
    .filter(({ id }) => !known.has(id))
    .map((receipt) => {
      const { messageId: _, ...rest } = receipt;
      return rest;
    });

/** Pages from `first` to before `next`. `firstEndedAt` is when the first page's newest receipt ended; absent if unknown. */
export const pagesSchema = z.object({
  first: z.int(),
  next: z.int(),
  firstEndedAt: instantSchema.optional(),
  /** How many receipts each of the last pages has. Older pages were written before this was counted, and are full. */
  sizes: z.array(z.int()).readonly().optional(),
});
export type Pages = z.infer<typeof pagesSchema>;

const NONE: Pages = { first: 0, next: 0 };

const MIN_KEPT = 20;
/** Above this number all but `MIN_KEPT` receipts move to pages. */
const MAX_KEPT = 40;
/** Above this number of events half of them move, so that a page has many receipts although each has many events. */
const MAX_KEPT_MEMBERS = 200;
const PAGE_RECEIPTS = 20;
/** The newest messages that stay in pages, however many events each has. */
const MAX_PAGED = 300;
/** Limits what is read for `/history` if messages have more than about 30 events each. */
const MAX_PAGES = 100;

interface Paged {
  readonly receipts: readonly Receipt[];
  readonly pages?: Pages | undefined;
}

/** Returns the receipts of the next page, newest first. The oldest move first, so that pages are in order. */
function overflowing({ receipts }: Pick<Paged, 'receipts'>): readonly Receipt[] {
  const within = (members: number): number => fitting(receipts, members);
  if (within(MAX_KEPT_MEMBERS) === receipts.length && receipts.length <= MAX_KEPT) return [];
  const moving = receipts.slice(Math.min(MIN_KEPT, within(MAX_KEPT_MEMBERS / 2))).toReversed();
  const size = Math.max(1, Math.min(PAGE_RECEIPTS, fitting(moving, MAX_KEPT_MEMBERS)));
  return moving.slice(0, size).toReversed();
}

/** Counts the first receipts that have at most so many events together. */
function fitting(receipts: readonly Receipt[], most: number): number {
  let members = 0;
  const beyond = receipts.findIndex((receipt) => (members += receipt.members.length) > most);
  return beyond === -1 ? receipts.length : beyond;
}

/** Adds a page to the sizes, and leaves out the oldest pages that the newest messages do not need. */
function sizesWith({ first, next, sizes = [] }: Pages, added: number): readonly number[] {
  const all = [...Array.from({ length: next - first - sizes.length }, () => PAGE_RECEIPTS), ...sizes, added];
  let paged = all.reduce((total, size) => total + size, 0);
  let gone = 0;
  for (const size of all) {
    if (paged - size < MAX_PAGED && all.length - gone <= MAX_PAGES) break;
    paged -= size;
    gone += 1;
  }
  return all.slice(gone);
}

/** Removes old receipts from the queue document; pages may still have some. */
export function withoutOldReceipts<Q extends Paged>(queue: Q, before: Instant): Q {
  const receipts = queue.receipts.filter(({ endedAt }) => endedAt >= before);
  return receipts.length === queue.receipts.length ? queue : { ...queue, receipts };
}

const openPages = (store: Store) =>
  store.collection({ prefix: 'receipt', schema: z.object({ receipts: z.array(receiptSchema).readonly() }), version: 1 });

/** The pages of older receipts, which are written before the queue drops these. */
export class ReceiptPages {
  readonly #documents: ReturnType<typeof openPages>;

  constructor(store: Store) {
    this.#documents = openPages(store);
  }

  /** Writes receipts above the limit to a page. Resolves with the queue to write next. */
  async moved<Q extends Paged>(address: Address, queue: Q): Promise<Q> {
    let { receipts, pages } = queue;
    for (let old = overflowing({ receipts }); old.length > 0; old = overflowing({ receipts })) {
      const { first, next } = pages ?? NONE;
      await this.#documents.set(keyOf(address, next), { receipts: old });
      receipts = receipts.slice(0, receipts.length - old.length);
      const sizes = sizesWith(pages ?? NONE, old.length);
      const kept = next + 1 - sizes.length;
      const firstEndedAt = first === next ? old[0]?.endedAt : kept === first ? pages?.firstEndedAt : undefined;
      pages = { first: kept, next: next + 1, ...(firstEndedAt === undefined ? {} : { firstEndedAt }), sizes };
    }
    return receipts === queue.receipts ? queue : { ...queue, receipts, pages };
  }

  /** Removes the first page if all its receipts ended before `before`. Removes one at a time, so that a crash leaves at most one behind. */
  async expired<Q extends Paged>(address: Address, queue: Q, before: Instant): Promise<Q> {
    const { first, next, firstEndedAt, sizes } = queue.pages ?? NONE;
    if (first === next) return queue;
    const endedAt = firstEndedAt ?? (await this.#endOf(address, first));
    // The age of a damaged page is unknown. It is deleted when there are too many pages.
    if (endedAt === 'unreadable' || (endedAt !== undefined && endedAt >= before)) return queue;
    const following = first + 1 === next ? undefined : await this.#endOf(address, first + 1);
    const isKnown = following !== undefined && following !== 'unreadable';
    const left = { first: first + 1, next, ...omitUndefined({ sizes: sizes?.slice(Math.max(0, sizes.length - (next - first - 1))) }) };
    return { ...queue, pages: { ...left, ...(isKnown ? { firstEndedAt: following } : {}) } };
  }

  /** Deletes pages that are missing in `after`. */
  async release(
    address: Address,
    { pages: had = NONE }: Pick<Paged, 'pages'>,
    { pages: has = NONE }: Pick<Paged, 'pages'> = {},
  ): Promise<void> {
    // A crash may have left the page before the first or after the last.
    for (let number = Math.max(0, had.first - 1); number <= Math.max(had.next, has.first - 1); number += 1)
      if (number < has.first || number >= has.next) await this.#documents.delete(keyOf(address, number));
  }

  /** Reads all receipts, newest first. */
  async read(address: Address, queue: Paged): Promise<readonly Receipt[]> {
    const { first, next } = queue.pages ?? NONE;
    const numbers = Array.from({ length: next - first }, (_, index) => first + index);
    const pages = await Promise.all(numbers.map(async (number) => this.#documents.get(keyOf(address, number))));
    return [...queue.receipts, ...pages.toReversed().flatMap((page) => page?.receipts ?? [])];
  }

  async #endOf(address: Address, number: number): Promise<Instant | 'unreadable' | undefined> {
    try {
      return (await this.#documents.get(keyOf(address, number)))?.receipts[0]?.endedAt;
    } catch (cause) {
      if (cause instanceof StoreError && cause.trouble === 'unreadable') return 'unreadable';
      throw cause;
    }
  }
}

const keyOf = (address: Address, number: number): string => `${address}/${number}`;

export const sentSchema = z.record(z.string().regex(/^\d+$/u), z.int());
export type SentByHour = z.infer<typeof sentSchema>;

const HOURS = 24;
const hourOf = (at: number): number => Math.floor(at / HOUR);

export function countSent(sent: SentByHour, at: Instant): SentByHour {
  const hour = hourOf(at);
  const recent = Object.entries(sent).filter(([one]) => hour - Number(one) <= HOURS);
  return { ...Object.fromEntries(recent), [hour]: (sent[hour] ?? 0) + 1 };
}

export const sentLately = (sent: SentByHour | undefined, now: Instant): number =>
  Object.entries(sent ?? {}).reduce((total, [hour, count]) => total + (hourOf(now) - Number(hour) < HOURS ? count : 0), 0);
