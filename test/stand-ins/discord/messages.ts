/** Messages of the bot in channels: who may write where, the nonce, edits and deletions. */
import { compose, type Composed } from './compose.js';
import { Intent, MessageFlag, Permission } from './flags.js';
import { pingsOf } from './mentions.js';
import { readMessage, type MessageForm } from './message-form.js';
import { channelPermissions, may } from './permissions.js';
import { refusal, refuseFlaws, type Flaw } from './refusal.js';
import type { Payload } from './request.js';
import { refuseContents, refuseEmpty, refuseSending, replyTarget } from './sending.js';
import { momentOf } from './snowflake.js';
import type { StandInContext } from './context.js';
import type { Id } from './types.js';
import { fileUrl, wireMessage } from './wire-message.js';
import { wireChannel } from './wire.js';
import type { Channel, Message } from './world.js';

/** The channel, if the bot sees it: else 10003 where there is none and 50001 where it may not look. */
export function visibleChannel({ world }: StandInContext, id: Id): Channel {
  const channel = world.channels.get(id);
  if (channel === undefined || channel.deleted) throw refusal('unknownChannel');
  if (!may(channelPermissions(world, channel, world.applicationId), Permission.VIEW_CHANNEL)) throw refusal('missingAccess');
  return channel;
}

/** A message of a channel that everyone sees: 10008 for none, deleted and ephemeral ones. */
export function standingMessage({ world }: StandInContext, channel: Channel, id: Id): Message {
  const message = world.messages.get(id);
  if (message === undefined || message.channel !== channel.id || message.deleted || message.ephemeral) throw refusal('unknownMessage');
  return message;
}

/** Posts as the bot, or returns the message that stands under the same enforced nonce. */
/** What a bot may set. https://docs.discord.com/developers/resources/message#create-message-jsonform-params */
const CREATE_FLAGS = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2;

const createFlagFlaws = (flags: number): readonly Flaw[] =>
  (flags & ~CREATE_FLAGS) === 0 ? [] : [{ path: ['flags'], code: 'BASE_TYPE_CHOICES', message: 'This flag cannot be set.' }];

export function postMessage(context: StandInContext, channelId: Id, payload: Payload): Message {
  const { world } = context;
  const channel = visibleChannel(context, channelId);
  const form = readMessage('MessageCreateRequestSchema', payload.body);
  refuseFlaws(createFlagFlaws(form.flags ?? 0));
  const permissions = channelPermissions(world, channel, world.applicationId);
  refuseSending(context, channel, permissions);
  const { mayEmbed } = refuseContents({ form, payload, permissions, uploadBytes: context.uploadBytes });
  const repliesTo = replyTarget(context, channel, form, permissions);
  if (typeof form.nonce !== 'undefined' && form.nonce !== null && form.enforce_nonce === true) {
    const standing = world.messages.get(context.nonces.find(form.nonce) ?? '');
    if (standing !== undefined) return standing;
  }
  if (channel.archived) unarchive(context, channel);
  const message = addMessage(context, {
    channel,
    form,
    payload,
    mayEmbed,
    repliesTo,
    mayMentionEveryone: may(permissions, Permission.MENTION_EVERYONE),
  });
  return message;
}

export interface NewMessage {
  /** The first message of a post has the id of its thread. */
  readonly id?: Id;
  readonly channel: Channel;
  readonly form: MessageForm;
  readonly payload: Payload;
  readonly mayEmbed: boolean;
  readonly mayMentionEveryone: boolean;
  readonly repliesTo?: Id | undefined;
  readonly interaction?: Id;
  /** Flags that the platform adds, as "ephemeral" and "thinking". */
  readonly flags?: number;
}

/** Adds a message of the bot, permissions having been looked at, and tells of it. Throws 50006 when nothing would be left to show. */
export function addMessage(context: StandInContext, delivery: NewMessage): Message {
  const { world } = context;
  const { channel, form } = delivery;
  // An interaction may outlive its channel.
  if (channel.deleted) throw refusal('unknownChannel');
  const flags = (form.flags ?? 0) | (delivery.flags ?? 0);
  const thinking = (flags & MessageFlag.LOADING) !== 0;
  const composed = composeHere(context, { channel, form, payload: delivery.payload, mayEmbed: delivery.mayEmbed, before: undefined });
  if (!thinking) refuseEmpty(composed, flags);
  const pings = pingsOf({
    world,
    content: composed.content,
    allowed: form.allowed_mentions,
    mayMentionEveryone: delivery.mayMentionEveryone,
    repliedTo: delivery.repliesTo === undefined ? undefined : world.messages.get(delivery.repliesTo)?.author,
  });
  const id = delivery.id ?? world.newId();
  const message: Message = {
    ...composed,
    id,
    channel: channel.id,
    author: world.applicationId,
    createdAt: momentOf(id),
    nonce: form.nonce ?? undefined,
    repliesTo: delivery.repliesTo,
    interaction: delivery.interaction,
    ephemeral: (flags & MessageFlag.EPHEMERAL) !== 0,
    flags,
    pings,
    editedAt: undefined,
    edits: 0,
    deleted: false,
  };
  world.messages.set(id, message);
  if (message.nonce !== undefined && delivery.interaction === undefined) context.nonces.remember(message.nonce, id);
  if (!message.ephemeral) tell(context, 'MESSAGE_CREATE', message);
  context.bus.happened();
  return message;
}

/** Edits what the bot wrote in a channel. */
export function editMessage(
  context: StandInContext,
  { channelId, messageId, payload }: { channelId: Id; messageId: Id; payload: Payload },
): Message {
  const { world } = context;
  const channel = visibleChannel(context, channelId);
  const message = standingMessage(context, channel, messageId);
  if (message.author !== world.applicationId) throw refusal('notYours');
  if (channel.archived) throw refusal('archived');
  const form = readMessage('MessageEditRequestPartialSchema', payload.body);
  const permissions = channelPermissions(world, channel, world.applicationId);
  const { mayEmbed } = refuseContents({ form, payload, permissions, uploadBytes: context.uploadBytes });
  return changeMessage(context, { message, form, payload, mayEmbed });
}

export interface Change {
  readonly message: Message;
  readonly form: MessageForm;
  readonly payload: Payload;
  readonly mayEmbed: boolean;
}

/** Changes a message, permissions having been looked at; what was "thinking" is so no more. */
export function changeMessage(context: StandInContext, { message, form, payload, mayEmbed }: Change): Message {
  const channel = context.world.channels.get(message.channel);
  if (channel === undefined || channel.deleted) throw refusal('unknownChannel');
  const wasThinking = (message.flags & MessageFlag.LOADING) !== 0;
  const composed = composeHere(context, { channel, form, payload, mayEmbed, before: message });
  refuseEmpty(composed, form.flags ?? message.flags);
  // An edit pings nobody, except that the first words after "thinking" do.
  const pings = wasThinking
    ? pingsOf({
        world: context.world,
        content: composed.content,
        allowed: form.allowed_mentions,
        mayMentionEveryone: true,
        repliedTo: undefined,
      })
    : message.pings;
  Object.assign(message, composed, {
    pings,
    flags: (message.flags & ~MessageFlag.LOADING) | ((form.flags ?? 0) & MessageFlag.SUPPRESS_EMBEDS),
    edits: message.edits + 1,
    editedAt: context.clock.now(),
  });
  if (!message.ephemeral) tell(context, 'MESSAGE_UPDATE', message);
  context.bus.happened();
  return message;
}

/** Takes a message away and tells of it. */
export function removeMessage(context: StandInContext, message: Message): void {
  message.deleted = true;
  const guild = context.world.channels.get(message.channel)?.guild;
  const data = { id: message.id, channel_id: message.channel, ...(guild !== undefined && { guild_id: guild }) };
  if (!message.ephemeral)
    context.dispatch({ name: 'MESSAGE_DELETE', data, intent: guild === undefined ? Intent.DIRECT_MESSAGES : Intent.GUILD_MESSAGES });
  context.bus.happened();
}

export function tell(context: StandInContext, name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
  const channel = context.world.channels.get(message.channel);
  // Of what it cannot see the bot hears nothing.
  if (channel === undefined || !may(channelPermissions(context.world, channel, context.world.applicationId), Permission.VIEW_CHANNEL))
    return;
  const { guild } = channel;
  context.dispatch({
    name,
    data: { ...wireMessage(context.view, message), ...(guild !== undefined && { guild_id: guild }) },
    intent: guild === undefined ? Intent.DIRECT_MESSAGES : Intent.GUILD_MESSAGES,
    content:
      guild !== undefined && message.author !== context.world.applicationId && !message.pings.users.includes(context.world.applicationId),
  });
}

function composeHere(
  context: StandInContext,
  { channel, form, payload, mayEmbed, before }: Omit<Change, 'message'> & { channel: Channel; before: Message | undefined },
): Composed {
  return compose({
    form,
    uploads: payload.uploads,
    before,
    mayEmbed,
    newId: () => context.world.newId(),
    urlOf: (file) => fileUrl(context.view, channel.id, file),
  });
}

function unarchive(context: StandInContext, thread: Channel): void {
  thread.archived = false;
  context.dispatch({ name: 'THREAD_UPDATE', data: wireChannel(context.world, thread), intent: Intent.GUILDS });
}
