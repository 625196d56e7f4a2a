/**
 * What Telegram's side of the bot remembers over a restart, as one document, `platform/telegram`: which menus it has set, which
 * questions it has taken over from Telegram and not finished, which groups became supergroups, and which pictures it has uploaded
 * and sent.
 */
import { z } from 'zod';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import { StoreError, type Store } from '../../store/store.js';
import { incomingUpdateSchema } from './incoming-update.js';

const pendingUpdate = z.object({
  update: z.int(),
  /** In how many lives of this process it was begun. */
  tries: z.int(),
  heard: incomingUpdateSchema,
});
export type PendingUpdate = z.infer<typeof pendingUpdate>;

const recordSchema = z.object({
  /** By the bot and the scope: a mark of what stands there. */
  menus: z.record(z.string(), z.string()),
  inHand: z.array(pendingUpdate).readonly(),
  /** The updates taken last: after a kill Telegram hands them out again. */
  recent: z.array(z.int()).readonly(),
  /** The supergroups that groups became last: there we were not added by anybody. */
  upgraded: z.array(z.int()).readonly().default([]),
  /** The pictures that Telegram has, the one sent last at the end: the hash of their bytes, and their `file_id`. */
  pictures: z
    .array(z.object({ hash: z.string(), file: z.string() }))
    .readonly()
    .default([]),
  /** The pictures that answer their text, the one sent last at the end. */
  pictured: z
    .array(z.object({ chat: z.int(), message: z.int(), picture: z.int() }))
    .readonly()
    .default([]),
});
export type TelegramRecord = z.infer<typeof recordSchema>;

const EMPTY: TelegramRecord = { menus: {}, inHand: [], recent: [], upgraded: [], pictures: [], pictured: [] };

export interface TelegramDocument {
  read(): TelegramRecord;
  /** One change after another; resolves when it is durable. Returning the same document writes nothing. */
  change(to: (now: TelegramRecord) => TelegramRecord): Promise<TelegramRecord>;
}

/** Rejects with the store's error when it cannot be read now. What can never be read is given up: it holds nothing that cannot be asked again. */
export async function openDocument({ store, log }: { store: Store; log: Log }): Promise<TelegramDocument> {
  const documents = store.collection({ prefix: 'platform', schema: recordSchema, version: 1 });
  const writing = lanes();
  let current = await documents.get('telegram').catch((error: unknown) => {
    if (!(error instanceof StoreError) || error.trouble !== 'unreadable') throw error;
    log.error('telegram.memory-unreadable', { error });
    return undefined;
  });
  return {
    read: () => current ?? EMPTY,
    change: async (to) =>
      writing.run('telegram', async () => {
        const before = current ?? EMPTY;
        const after = to(before);
        if (after !== before) await documents.set('telegram', after);
        return (current = after);
      }),
  };
}
