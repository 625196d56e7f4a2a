/** This module stores watchlists that wait for a confirmed import as `import/<key>`, for a day. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY, type Clock } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';

const KEPT_FOR = DAY;

const importSchema = z.object({ text: z.string(), shownAt: instantSchema });

export interface PendingImports {
  /** Stores a list and returns its key. Rejects with a `StoreError`. */
  keep(chat: Address, text: string): Promise<string>;
  read(chat: Address, key: string): Promise<string | undefined>;
  sweep(): Promise<void>;
}

export function openPendingImports({ store, clock }: { readonly store: Store; readonly clock: Clock }): PendingImports {
  const documents = store.collection({ prefix: 'import', version: 1, schema: importSchema });
  const idOf = (chat: Address, key: string): string => createHash('sha256').update(`${chat} ${key}`).digest('base64url').slice(0, 20);
  return {
    async keep(chat, text) {
      const key = idOf(chat, text);
      await documents.set(idOf(chat, key), { text, shownAt: clock.now() });
      return key;
    },
    read: async (chat, key) => (await documents.get(idOf(chat, key)))?.text,
    async sweep() {
      const { found } = await documents.list();
      for (const [id, { shownAt }] of found) if (clock.now() - shownAt >= KEPT_FOR) await documents.delete(id);
    },
  };
}
