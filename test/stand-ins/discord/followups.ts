/** What the bot does under an interaction's token after the first answer. */
import { MessageFlag } from './flags.js';
import type { InteractionRecord } from './interactions.js';
import { addMessage, changeMessage } from './messages.js';
import { readMessage } from './message-form.js';
import type { Payload } from './request.js';
import { refuseUploads } from './sending.js';
import type { StandInContext } from './context.js';
import { refusal } from './refusal.js';
import { isOutside, known, type Message } from './world.js';

/** Of an application that a person installed for themselves. https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
const OUTSIDE_FOLLOWUPS = 5;

/** A followup. Right after a deferral it fills the waiting message instead, whose ephemeral flag stays as it was. */
export function followUp(context: StandInContext, record: InteractionRecord, payload: Payload): Message {
  refuseUploads(payload, context.uploadBytes);
  const form = readMessage('IncomingWebhookInteractionRequestSchema', payload.body);
  const waiting = context.world.messages.get(record.original ?? '');
  if (waiting !== undefined && !waiting.deleted && (waiting.flags & MessageFlag.LOADING) !== 0)
    return changeMessage(context, { message: waiting, form, payload, mayEmbed: true });
  const channel = known(context.world.channels, record.channel, 'channel');
  if (isOutside(context.world, channel) && (record.followups += 1) > OUTSIDE_FOLLOWUPS) throw refusal('tooManyFollowups');
  const message = addMessage(context, {
    channel,
    form,
    payload,
    mayEmbed: true,
    mayMentionEveryone: true,
    interaction: record.id,
  });
  record.left.push(message.id);
  context.bus.happened();
  return message;
}

/** Edits `@original` or a followup. An update that was only announced shows with its first edit. */
export function editAnswer(
  context: StandInContext,
  { record, message, payload }: { record: InteractionRecord; message: Message; payload: Payload },
): Message {
  refuseUploads(payload, context.uploadBytes);
  const form = readMessage('IncomingWebhookUpdateRequestPartialSchema', payload.body);
  if (!record.left.includes(message.id)) record.left.push(message.id);
  return changeMessage(context, { message, form, payload, mayEmbed: true });
}
