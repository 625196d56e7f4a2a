/** What the bot lacks in each channel, kept until the gateway announces a change. */
import type { RestCall } from './rest.js';
import { channelAt, missingIn, type MissingPermissions } from './permissions.js';

const MAX_CACHED = 10_000;

/** As in Discord's settings. */
export interface ChannelPermissions extends MissingPermissions {
  readonly guild: string | undefined;
}

export interface PermissionCache {
  /** Undefined if unknown, or a change could have been missed. */
  known(channel: string): ChannelPermissions | undefined;
  /** Rejects with the library's errors. */
  read(channel: string): Promise<ChannelPermissions>;
  /** Default: all channels. */
  forget(guild?: string): void;
  forgetChannel(channel: string): void;
}

export interface PermissionCacheDeps {
  readonly call: RestCall;
  /** Rejects with the library's errors. */
  readonly me: () => Promise<string>;
  /** Without the gateway nothing is kept. */
  readonly isListening: () => boolean;
}

export function openPermissionCache({ call, me, isListening }: PermissionCacheDeps): PermissionCache {
  const cached = new Map<string, ChannelPermissions>();
  let changes = 0;
  const known: PermissionCache['known'] = (channel) => (isListening() ? cached.get(channel) : undefined);
  return {
    known,
    async read(channel) {
      const kept = known(channel);
      if (kept !== undefined) return kept;
      const before = changes;
      const found = await channelAt(call, channel);
      const read = { guild: found.guild_id, ...(await missingIn(call, { channel: found, me: await me() })) };
      // An answer from before a change may be out of date.
      if (before !== changes || !isListening()) return read;
      const [oldest] = cached.keys();
      if (cached.size >= MAX_CACHED && oldest !== undefined) cached.delete(oldest);
      cached.set(channel, read);
      return read;
    },
    forget(guild) {
      changes += 1;
      if (guild === undefined) return cached.clear();
      for (const [channel, { guild: its }] of cached) if (its === guild) cached.delete(channel);
      return undefined;
    },
    forgetChannel(channel) {
      changes += 1;
      cached.delete(channel);
    },
  };
}
