/** Which channel belongs to which server, and which of them we lost: remembered, so that a removal while we were away is noticed. */
import { z } from 'zod';
import type { Store } from '../../store/store.js';

const placeSchema = z.object({
  /** Absent for a private chat. */
  guild: z.string().optional(),
  /** Why nothing can be posted there: the channel itself is gone, or we are gone from its server. */
  lost: z.enum(['channel', 'guild']).optional(),
});
export type Place = z.infer<typeof placeSchema>;

export interface Places {
  get(channel: string): Promise<Place | undefined>;
  /** Writes only what changes. */
  set(channel: string, place: Place): Promise<void>;
  all(): Promise<readonly (readonly [channel: string, place: Place])[]>;
  /** Forgets a channel. */
  forget(channel: string): Promise<void>;
}

/** Loaded at the first use; kept in memory from then on, because each question passes here. */
export function openPlaces(store: Store): Places {
  const documents = store.collection({ prefix: 'discord-chat', version: 1, schema: placeSchema });
  let loading: Promise<Map<string, Place>> | undefined;
  const load = async (): Promise<Map<string, Place>> => new Map((await documents.list()).found);
  const known = async (): Promise<Map<string, Place>> => {
    loading ??= load();
    try {
      return await loading;
    } catch (cause) {
      // A store that was locked is read again the next time.
      loading = undefined;
      throw cause;
    }
  };
  return {
    get: async (channel) => (await known()).get(channel),
    async set(channel, place) {
      const places = await known();
      const before = places.get(channel);
      if (before !== undefined && before.guild === place.guild && before.lost === place.lost) return;
      await documents.set(channel, place);
      places.set(channel, place);
    },
    all: async () => [...(await known())],
    async forget(channel) {
      const places = await known();
      await documents.delete(channel);
      places.delete(channel);
    },
  };
}
