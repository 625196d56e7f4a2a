/** Telegram's addresses: `telegram/<chat>` and `telegram/<chat>/<topic>`. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { address, type Address } from '../../chat/address.js';

/** `topic` is absent in the General topic. */
export interface ChatTopic {
  readonly chat: number;
  readonly topic?: number;
}

/** The General topic. Telegram answers "message thread not found" if its id is sent. */
const GENERAL = 1;

export const addressOf = ({ chat, topic }: ChatTopic): Address =>
  topic === undefined || topic === GENERAL ? address('telegram', String(chat)) : address('telegram', String(chat), String(topic));

export function placeOf(where: Address): ChatTopic | undefined {
  const [, chat, topic] = /^telegram\/(-?[1-9]\d{0,15})(?:\/([1-9]\d{0,9}))?$/u.exec(where) ?? [];
  if (chat === undefined) return undefined;
  return topic === undefined || Number(topic) === GENERAL ? { chat: Number(chat) } : { chat: Number(chat), topic: Number(topic) };
}

/** The address after a group became a supergroup. A topic keeps its id. */
export const movedTo = (where: Address, chat: number): Address => addressOf({ ...placeOf(where), chat });

export const sendTo = ({ chat, topic }: ChatTopic) => omitUndefined({ chat_id: chat, message_thread_id: topic });
