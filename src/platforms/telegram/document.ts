/** Describes the document `platform/telegram`. */
import { z } from 'zod';
import type { Log } from '../../base/log.js';
import type { Store } from '../../store/store.js';
import { openCachedDocument, type CachedDocument } from '../cached-document.js';
import { incomingUpdateSchema } from './incoming-update.js';

const pendingUpdate = z.object({
  update: z.int(),
  /** So many processes began it. */
  tries: z.int(),
  incoming: incomingUpdateSchema,
});
export type PendingUpdate = z.infer<typeof pendingUpdate>;

const recordSchema = z.object({
  /** Hashes, by bot and scope or part of its profile. */
  menus: z.record(z.string(), z.string()),
  pendingUpdates: z.array(pendingUpdate).readonly(),
  /** Telegram repeats the latest updates after a crash. */
  recent: z.array(z.int()).readonly(),
  /** Nobody added the bot to these. */
  upgraded: z.array(z.int()).readonly(),
  /** Hash of the bytes and `file_id`, the latest at the end. */
  pictures: z.array(z.object({ hash: z.string(), file: z.string() })).readonly(),
  /** The latest is at the end. */
  pictureReplies: z.array(z.object({ chat: z.int(), message: z.int(), picture: z.int() })).readonly(),
});
type TelegramRecord = z.infer<typeof recordSchema>;

const EMPTY: TelegramRecord = { menus: {}, pendingUpdates: [], recent: [], upgraded: [], pictures: [], pictureReplies: [] };

export type TelegramDocument = CachedDocument<TelegramRecord>;

/** Rejects with the store's error. */
export const openDocument = async ({ store, log }: { store: Store; log: Log }): Promise<TelegramDocument> =>
  openCachedDocument({
    store,
    key: 'telegram',
    schema: recordSchema,
    empty: EMPTY,
    onUnreadable: (error) => log.error('telegram.memory-unreadable', { error }),
  });
