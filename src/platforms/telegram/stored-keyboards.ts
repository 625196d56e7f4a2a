/** Keyboards with several pages, by the hash of their buttons. */
import { createHash } from 'node:crypto';
import { DAY, HOUR, later, type Clock, type Instant } from '../../base/clock.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';
import { panelSchema, type KeyboardPanel } from './keyboard-pages.js';

export interface Panels {
  /** When durable. */
  keep(panel: KeyboardPanel): Promise<string>;
  /** Undefined if not stored any more. */
  find(key: string): Promise<KeyboardPanel | undefined>;
  sweep(): Promise<void>;
}

/** Since it was last shown. */
const KEPT_FOR = 90 * DAY;
const NOTED_EVERY = HOUR;
const MAX_NOTED = 1_000;

const documentSchema = panelSchema.extend({ shownAt: instantSchema });

/** Rejects with the store's error. */
export function openPanels({ store, clock }: { readonly store: Store; readonly clock: Clock }): Panels {
  const documents = store.collection({ prefix: 'panel', version: 1, schema: documentSchema, writers: 'any' });
  const noted = new Map<string, Instant>();

  return {
    async keep({ main, menus }) {
      const panel = { main, menus };
      const key = createHash('sha256').update(JSON.stringify(panel)).digest('base64url').slice(0, 20);
      const now = clock.now();
      const last = noted.get(key) ?? (await documents.get(key))?.shownAt;
      if (last === undefined || later(last, NOTED_EVERY) <= now) {
        await documents.set(key, { ...panel, shownAt: now });
        if (noted.size >= MAX_NOTED) noted.clear();
        noted.set(key, now);
      }
      return key;
    },
    find: async (key) => documents.get(key),
    async sweep() {
      for await (const { found } of documents.scan())
        for (const [key, { shownAt }] of found)
          if (later(shownAt, KEPT_FOR) <= clock.now()) {
            await documents.delete(key);
            noted.delete(key);
          }
    },
  };
}
