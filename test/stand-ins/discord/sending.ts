/** What keeps the bot from sending something somewhere: rights, closed chats, locked threads, size, and nothing to show. */
import type { Composed } from './compose.js';
import { showsSomething } from './embed-rules.js';
import { ChannelType, MessageFlag, Permission, isThreadType } from './flags.js';
import type { MessageForm } from './message-form.js';
import { may } from './permissions.js';
import { refusal, refuseFlaws } from './refusal.js';
import type { Payload } from './request.js';
import type { StandInContext } from './context.js';
import type { Id } from './types.js';
import type { Channel } from './world.js';

/** Channels that hold posts or channels, and no messages. */
const NOT_TEXT: ReadonlySet<number> = new Set([ChannelType.forum, ChannelType.media, ChannelType.category]);

/** Whether the bot may write here at all. */
export function refuseSending({ world }: StandInContext, channel: Channel, permissions: bigint): void {
  if (channel.type === ChannelType.direct) {
    if (world.users.get(channel.recipient ?? '')?.closed !== false) throw refusal('cannotMessage');
    return;
  }
  if (NOT_TEXT.has(channel.type)) throw refusal('notText');
  const needed = isThreadType(channel.type) ? Permission.SEND_MESSAGES_IN_THREADS : Permission.SEND_MESSAGES;
  if (!may(permissions, needed)) throw refusal('missingPermissions');
  // Writing opens an archived thread again, unless it was locked too.
  if (channel.archived && channel.locked && !may(permissions, Permission.MANAGE_THREADS)) throw refusal('archived');
}

interface Contents {
  readonly form: MessageForm;
  readonly payload: Payload;
  readonly permissions: bigint;
  readonly uploadBytes: number;
}

/** Embeds that may not be shown vanish beside anything else, and are refused alone; files are refused always. */
export function refuseContents({ form, payload, permissions, uploadBytes }: Contents): { readonly mayEmbed: boolean } {
  refuseUploads(payload, uploadBytes);
  if (payload.uploads.length > 0 && !may(permissions, Permission.ATTACH_FILES)) throw refusal('missingPermissions');
  const mayEmbed = may(permissions, Permission.EMBED_LINKS);
  const embeds = (form.embeds ?? []).filter(showsSomething);
  const alone = (form.content ?? '') === '' && payload.uploads.length === 0;
  if (!mayEmbed && embeds.length > 0 && alone) throw refusal('missingPermissions');
  return { mayEmbed };
}

/** Throws 40005 for files that are too large together. */
export function refuseUploads({ uploads }: Payload, uploadBytes: number): void {
  if (uploads.reduce((sum, { bytes }) => sum + bytes.length, 0) > uploadBytes) throw refusal('tooLarge');
}

/** Throws 50006 when nothing would be left to show. */
export function refuseEmpty({ content, embeds, files, components }: Composed, flags: number): void {
  const laidOut = (flags & MessageFlag.COMPONENTS_V2) !== 0;
  // Buttons alone make no message.
  if (content === '' && embeds.length === 0 && files.length === 0 && !(laidOut && components.length > 0)) throw refusal('empty');
}

/** The message that is replied to, if it may be; undefined for a reply to none, or to one that may be missing. */
export function replyTarget({ world }: StandInContext, channel: Channel, form: MessageForm, permissions: bigint): Id | undefined {
  const reference = form.message_reference;
  if (!reference) return undefined;
  if (!may(permissions, Permission.READ_MESSAGE_HISTORY)) throw refusal('noHistory');
  const target = world.messages.get(reference.message_id);
  if (target !== undefined && !target.deleted && !target.ephemeral && target.channel === channel.id) return target.id;
  if (reference.fail_if_not_exists === false) return undefined;
  refuseFlaws([{ path: ['message_reference'], code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }]);
  return undefined;
}
