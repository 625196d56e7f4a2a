/** Threads of live messages, and publishing in announcement channels. Neither fails the message that it belongs to. */
import { ChannelType, PermissionFlagsBits, ThreadAutoArchiveDuration } from 'discord.js';
import { RecentMap } from '../../base/bounded-cache.js';
import type { Log } from '../../base/log.js';
import type { EditOutcome, Probe } from '../../chat/notifier.js';
import { truncateLine } from '../truncate.js';
import { editOutcomeOf, inWords, isCode } from './outcome.js';
import type { RestCall } from './rest.js';

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const MAX_NAME = 100;
/** A thread was made from the message before; it has the message's id. */
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

  /** A repeat makes no second one. What fails is tried again with the next edit of the message. */
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

  /** The name says the result. The outcome is why the edit is repeated, or undefined. */
  async closeThread(message: string, name: string): Promise<EditOutcome | undefined> {
    try {
      await this.#call({ method: 'PATCH', path: `/channels/${message}`, body: { name: threadName(name), archived: true } });
      return undefined;
    } catch (error) {
      const outcome = editOutcomeOf(error);
      if (outcome.kind === 'later') return outcome;
      // People deleted or archived it, or no thread could be made.
      this.#log.info('discord.thread-not-archived', { message, because: inWords(error) });
      return undefined;
    }
  }

  /** Discord shares at most ten messages an hour of a channel; what exceeds that stays in the channel alone. */
  async publish(channel: string, message: string): Promise<void> {
    try {
      await this.#call({ method: 'POST', path: `/channels/${channel}/messages/${message}/crosspost` });
    } catch (error) {
      if (!isCode(error, IS_PUBLISHED)) this.#log.warn('discord.not-published', { channel, message, because: inWords(error) });
    }
  }
}

export const threadName = (text: string): string => truncateLine(text, MAX_NAME).trim() || 'Alert';

/** It says what prevents threads and publishing in a channel of a server. */
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
