/** Telegram's addresses: `telegram/<chat>` and, for a topic of a forum, `telegram/<chat>/<topic>`. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { address, type Address } from '../../chat/address.js';

/** A chat and its topic, in Telegram's numbers. `topic` is absent in the General topic and where there are no topics. */
export interface ChatTopic {
  readonly chat: number;
  readonly topic?: number;
}

/** The General topic is reached by leaving the id out; with its own id Telegram answers "message thread not found". */
const GENERAL = 1;

export const addressOf = ({ chat, topic }: ChatTopic): Address =>
  topic === undefined || topic === GENERAL ? address('telegram', String(chat)) : address('telegram', String(chat), String(topic));

/** The chat and topic of an address; undefined where it is not of Telegram. */
export function placeOf(where: Address): ChatTopic | undefined {
  const [, chat, topic] = /^telegram\/(-?[1-9]\d{0,15})(?:\/([1-9]\d{0,9}))?$/u.exec(where) ?? [];
  if (chat === undefined) return undefined;
  return topic === undefined || Number(topic) === GENERAL ? { chat: Number(chat) } : { chat: Number(chat), topic: Number(topic) };
}

/** The address after its group became a supergroup; a topic keeps its id. */
export const movedTo = (where: Address, chat: number): Address => addressOf({ ...placeOf(where), chat });

/** The parameters of `sendMessage` and similar methods for a chat and topic. */
export const sendTo = ({ chat, topic }: ChatTopic) => omitUndefined({ chat_id: chat, message_thread_id: topic });
