/** Server of each known channel. */
import { z } from 'zod';
import type { Store } from '../../store/store.js';

const recordSchema = z.object({
  /** Absent for a private chat. */
  guild: z.string().optional(),
  /** Deleted, or the bot is no longer in its server. */
  lost: z.enum(['channel', 'guild']).optional(),
});
export type ChannelRecord = z.infer<typeof recordSchema>;

export interface ChannelRecords {
  get(channel: string): Promise<ChannelRecord | undefined>;
  set(channel: string, record: ChannelRecord): Promise<void>;
  all(): Promise<readonly (readonly [channel: string, record: ChannelRecord])[]>;
  forget(channel: string): Promise<void>;
}

export function openChannelRecords(store: Store): ChannelRecords {
  const documents = store.collection({ prefix: 'discord-chat', version: 1, schema: recordSchema });
  let loading: Promise<Map<string, ChannelRecord>> | undefined;
  const load = async (): Promise<Map<string, ChannelRecord>> => new Map((await documents.list()).found);
  const known = async (): Promise<Map<string, ChannelRecord>> => {
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
    async set(channel, record) {
      const records = await known();
      const before = records.get(channel);
      if (before !== undefined && before.guild === record.guild && before.lost === record.lost) return;
      await documents.set(channel, record);
      records.set(channel, record);
    },
    all: async () => [...(await known())],
    async forget(channel) {
      const records = await known();
      await documents.delete(channel);
      records.delete(channel);
    },
  };
}
