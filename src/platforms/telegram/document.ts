/** Describes the document `platform/telegram`. */
import { z } from 'zod';
import type { Log } from '../../base/log.js';
import type { Store } from '../../store/store.js';
import { openCachedDocument, type CachedDocument } from '../cached-document.js';
import { incomingUpdateSchema } from './incoming-update.js';

const pendingUpdate = z.object({
  update: z.int(),
  /** How many processes have begun to handle the update. */
  tries: z.int(),
  incoming: incomingUpdateSchema,
});
export type PendingUpdate = z.infer<typeof pendingUpdate>;

const recordSchema = z.object({
  /** Hashes of what was set at Telegram, by bot and command scope or part of the profile. */
  menus: z.record(z.string(), z.string()),
  pendingUpdates: z.array(pendingUpdate).readonly(),
  /** Ids of the latest updates, which Telegram repeats after a crash. */
  recent: z.array(z.int()).readonly(),
  /** Supergroups that were groups with the bot, so nobody added it there. */
  upgraded: z.array(z.int()).readonly(),
  /** The hash of the bytes and the `file_id` of each picture, the latest last. */
  pictures: z.array(z.object({ hash: z.string(), file: z.string() })).readonly(),
  /** The separate picture of each long answer, the latest last. */
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
