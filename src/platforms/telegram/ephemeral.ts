/** Ephemeral messages, which one person of a group sees. Telegram gives them the message id 0, so our code uses their negated ephemeral id. */
import { GrammyError } from 'grammy/web';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { ChatTopic } from './address.js';

/** The only person who sees a message. Telegram accepts a receiver within 15 seconds after a press or an ephemeral question. */
export interface Receiver {
  readonly person: number;
  /** The callback query that the message answers. */
  readonly query?: string | undefined;
}

interface Numbered {
  readonly message_id: number;
  readonly ephemeral_message_id?: number | undefined;
}

/** A server before Bot API 10.2 ignores the receiver and posts the message for everybody, with an ordinary id. */
export const messageNumber = ({ message_id: id, ephemeral_message_id: ephemeral }: Numbered): number =>
  ephemeral === undefined ? id : -ephemeral;

export const isEphemeral = (message: number): boolean => message < 0;

/** Supergroups have ids below this one; other chats have no ephemeral messages. */
const SUPERGROUPS = -1_000_000_000_000;

const isSupergroup = ({ chat }: ChatTopic): boolean => chat < SUPERGROUPS;

/** A typed question, or a press, which has a `query`. */
interface Incoming {
  readonly place: ChatTopic;
  readonly from: { readonly as: string; readonly id: number };
  readonly message: number;
  readonly query?: string | undefined;
}

/** Answers to an ephemeral message are ephemeral. `isPersonal` means that the answer is for the asker alone and edits no message. */
export function receiverOf({ place, from, message, query }: Incoming, isPersonal: boolean): Receiver | undefined {
  if (from.as !== 'person' || !isSupergroup(place)) return undefined;
  if (!isEphemeral(message) && !(query !== undefined && isPersonal)) return undefined;
  return omitUndefined({ person: from.id, query });
}

export const ephemeralParameters = (receiver: Receiver | undefined) =>
  omitUndefined({
    ephemeral_message_parameters:
      receiver === undefined ? undefined : omitUndefined({ receiver_user_id: receiver.person, callback_query_id: receiver.query }),
  });

/** Telegram takes a reply to an ephemeral message only from an ephemeral message that does not answer a press. */
export function replyParameters(replyTo: number | undefined, receiver: Receiver | undefined) {
  if (replyTo === undefined || (isEphemeral(replyTo) && (receiver === undefined || receiver.query !== undefined))) return undefined;
  // The message may have been deleted, so a missing one must not fail the reply.
  return isEphemeral(replyTo) ? { ephemeral_message_id: -replyTo } : { message_id: replyTo, allow_sending_without_reply: true };
}

/** Sends to everybody if Telegram refuses an ephemeral message, for example after 15 seconds. */
export async function orForEverybody<T>(receiver: Receiver | undefined, send: (receiver: Receiver | undefined) => Promise<T>): Promise<T> {
  try {
    return await send(receiver);
  } catch (error) {
    const isRefused = error instanceof GrammyError && (error.error_code === 400 || error.error_code === 403);
    if (receiver === undefined || !isRefused || error.parameters.migrate_to_chat_id !== undefined) throw error;
    return send(undefined);
  }
}
