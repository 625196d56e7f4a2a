/** Events as announced, `event/<id>`: they outlive every hold, so that whatever waits can still be told and explained. Written by the poller. */
import { DAY, instant } from '../base/clock.js';
import { eventSchema, type NewsEvent } from '../domain/event.js';
import type { Instant } from '../domain/scalars.js';
import type { Store } from '../store/store.js';

/** How long an event is kept: as long as the list of a chat that went away, so that nothing explainable is lost before it. */
const KEPT_FOR = 30 * DAY;

export interface Archive {
  /** Keeps an event; an event that is kept already stays as it was first announced. */
  keep(event: NewsEvent): Promise<void>;
  get(id: string): Promise<NewsEvent | undefined>;
  /** Events whose id begins so, latest seen first: `supply/tide/`. */
  under(prefix: string): Promise<readonly NewsEvent[]>;
  /** Forgets events seen long ago, unless `wanted` says somebody waits for them. */
  sweep(now: Instant, wanted: (id: string) => boolean): Promise<void>;
}

export function openArchive(store: Store): Archive {
  const documents = store.collection({ prefix: 'event', schema: eventSchema, version: 1 });
  return {
    async keep(event) {
      if ((await documents.get(event.id)) === undefined) await documents.set(event.id, event);
    },
    get: async (id) => documents.get(id),
    async under(prefix) {
      const { found } = await documents.list(prefix);
      return found.map(([, event]) => event).toSorted((a, b) => b.seenAt - a.seenAt);
    },
    async sweep(now, wanted) {
      const { found } = await documents.list();
      const old = found.filter(([id, event]) => event.seenAt < instant(now - KEPT_FOR) && !wanted(id));
      for (const [id] of old) await documents.delete(id);
    },
  };
}
