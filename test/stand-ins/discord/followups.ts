/** What the bot does under an interaction's token after the first answer. */
import { MessageFlag } from './flags.js';
import type { Asked } from './interactions.js';
import { addMessage, changeMessage } from './messages.js';
import { readMessage } from './message-form.js';
import type { Payload } from './request.js';
import { refuseUploads } from './sending.js';
import type { StandInContext } from './context.js';
import { known, type Message } from './world.js';

/** A followup. Right after a deferral it fills the waiting message instead, whose ephemeral flag stays as it was. */
export function followUp(stand: StandInContext, record: Asked, payload: Payload): Message {
  refuseUploads(payload, stand.uploadBytes);
  const form = readMessage('IncomingWebhookInteractionRequestSchema', payload.body);
  const waiting = stand.world.messages.get(record.original ?? '');
  if (waiting !== undefined && !waiting.deleted && (waiting.flags & MessageFlag.LOADING) !== 0)
    return changeMessage(stand, { message: waiting, form, payload, mayEmbed: true });
  const message = addMessage(stand, {
    channel: known(stand.world.channels, record.channel, 'channel'),
    form,
    payload,
    mayEmbed: true,
    mayMentionEveryone: true,
    interaction: record.id,
  });
  record.left.push(message.id);
  stand.bus.happened();
  return message;
}

/** Edits `@original` or a followup. An update that was only announced shows with its first edit. */
export function editAnswer(
  stand: StandInContext,
  { record, message, payload }: { record: Asked; message: Message; payload: Payload },
): Message {
  refuseUploads(payload, stand.uploadBytes);
  const form = readMessage('IncomingWebhookUpdateRequestPartialSchema', payload.body);
  if (!record.left.includes(message.id)) record.left.push(message.id);
  return changeMessage(stand, { message, form, payload, mayEmbed: true });
}
