/** Server of each known channel. */
import { z } from 'zod';
import { DAY } from '../../base/clock.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';

const recordSchema = z.object({
  /** Absent for a private chat. */
  guild: z.string().optional(),
  /** Deleted, or the bot is no longer in its server. */
  lost: z.enum(['channel', 'guild']).optional(),
  /** When a sweep first saw it lost. */
  lostAt: instantSchema.optional(),
});
export type ChannelRecord = z.infer<typeof recordSchema>;

export interface ChannelRecords {
  get(channel: string): Promise<ChannelRecord | undefined>;
  set(channel: string, record: ChannelRecord): Promise<void>;
  all(): Promise<readonly (readonly [channel: string, record: ChannelRecord])[]>;
  forget(channel: string): Promise<void>;
  /** Deletes those that are lost for long. */
  sweep(now: Instant): Promise<void>;
}

/** As long as the watchlist of a chat that is away. */
const LOST_KEPT_FOR = 30 * DAY;

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
  const set = async (channel: string, { lostAt, ...rest }: ChannelRecord): Promise<void> => {
    const records = await known();
    const before = records.get(channel);
    const record = rest.lost === undefined || lostAt === undefined ? rest : { ...rest, lostAt };
    if (before !== undefined && before.guild === record.guild && before.lost === record.lost && before.lostAt === lostAt) return;
    await documents.set(channel, record);
    records.set(channel, record);
  };
  const forget = async (channel: string): Promise<void> => {
    const records = await known();
    await documents.delete(channel);
    records.delete(channel);
  };
  return {
    get: async (channel) => (await known()).get(channel),
    set,
    all: async () => [...(await known())],
    forget,
    async sweep(now) {
      for (const [channel, record] of await known()) {
        if (record.lost === undefined) continue;
        // A clock that was set back must not keep it for good.
        if (record.lostAt === undefined || record.lostAt > now) await set(channel, { ...record, lostAt: now });
        else if (now - record.lostAt >= LOST_KEPT_FOR) await forget(channel);
      }
    },
  };
}
