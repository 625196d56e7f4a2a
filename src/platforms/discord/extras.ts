/** Opens threads on live messages and publishes in announcement channels. A failure here does not fail the message. */
import { ChannelType, PermissionFlagsBits, ThreadAutoArchiveDuration } from 'discord.js';
import { RecentMap } from '../../base/bounded-cache.js';
import type { Log } from '../../base/log.js';
import type { EditOutcome, Probe } from '../../chat/notifier.js';
import { truncateLine } from '../truncate.js';
import { editOutcomeOf, inWords, isCode } from './outcome.js';
import type { RestCall } from './rest.js';

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const MAX_NAME = 100;
/** The message has a thread already. Its id is the message's id. */
const HAS_THREAD = 160_004;
/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const IS_PUBLISHED = 40_033;
const MAX_KNOWN = 5_000;

export class Extras {
  readonly #call: RestCall;
  readonly #log: Log;
  readonly #threads = new RecentMap<string, true>(MAX_KNOWN);

  constructor({ call, log }: { readonly call: RestCall; readonly log: Log }) {
    this.#call = call;
    this.#log = log;
  }

  /** Opens a thread, once per message. A failure is retried with the next edit of the message. */
  async openThread(channel: string, message: string, name: string): Promise<void> {
    if (this.#threads.has(message)) return;
    try {
      const body = { name: threadName(name), auto_archive_duration: ThreadAutoArchiveDuration.OneWeek };
      await this.#call({ method: 'POST', path: `/channels/${channel}/messages/${message}/threads`, body });
      this.#threads.set(message, true);
    } catch (error) {
      if (isCode(error, HAS_THREAD)) this.#threads.set(message, true);
      else this.#log.warn('discord.thread-not-made', { channel, message, because: inWords(error) });
    }
  }

  /** Renames and archives the thread; the name states the result. Resolves with an outcome if the edit must be repeated. */
  async closeThread(message: string, name: string): Promise<EditOutcome | undefined> {
    try {
      await this.#call({ method: 'PATCH', path: `/channels/${message}`, body: { name: threadName(name), archived: true } });
      return undefined;
    } catch (error) {
      const outcome = editOutcomeOf(error);
      if (outcome.kind === 'later') return outcome;
      // People deleted or archived the thread, or it could not be opened.
      this.#log.info('discord.thread-not-archived', { message, because: inWords(error) });
      return undefined;
    }
  }

  /** Publishes a message. Discord allows ten an hour per channel; further ones stay unpublished. */
  async publish(channel: string, message: string): Promise<void> {
    try {
      await this.#call({ method: 'POST', path: `/channels/${channel}/messages/${message}/crosspost` });
    } catch (error) {
      if (!isCode(error, IS_PUBLISHED)) this.#log.warn('discord.not-published', { channel, message, because: inWords(error) });
    }
  }
}

export const threadName = (text: string): string => truncateLine(text, MAX_NAME).trim() || 'Alert';

/** Returns what prevents threads and publishing in a channel of a server. */
export function extrasIn(type: ChannelType, granted: bigint): NonNullable<Probe['extras']> {
  const hasThreads = type === ChannelType.GuildText || type === ChannelType.GuildAnnouncement;
  const isForum = type === ChannelType.GuildForum;
  const mayThread = (granted & PermissionFlagsBits.CreatePublicThreads) !== 0n;
  return {
    threads: isForum
      ? 'Each alert of a forum is a post already.'
      : !hasThreads
        ? 'Threads are made in text and announcement channels, and this is neither.'
        : mayThread
          ? undefined
          : "I can't make threads in this channel: I need Create Public Threads. Grant it, then try again.",
    publish: type === ChannelType.GuildAnnouncement ? undefined : 'Only announcement channels can publish, and this is none.',
  };
}
