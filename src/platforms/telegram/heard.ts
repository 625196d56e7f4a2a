/** An update becomes what it means to the bot, or nothing: most of what is said in a group is not for it. Pure. */
import { z } from 'zod';
import { visible } from '../visible.js';
import type { Message, PressUpdate, StandingUpdate, Update } from './update.js';

const place = z.object({ chat: z.int(), topic: z.int().optional() });

/** `chat`: the chat itself speaks, in a channel or through an administrator who is anonymous. `other`: another chat speaks in this one. */
const sender = z.object({ as: z.enum(['person', 'chat', 'other']), id: z.int(), name: z.string() });
export type Sender = z.infer<typeof sender>;

const scene = z.enum(['private', 'group', 'channel']);
export type Scene = z.infer<typeof scene>;

/** As it is kept until it is done with, so only what is needed for that. */
export const heardSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ask'), place, scene, from: sender, message: z.int(), line: z.string() }),
  z.object({
    kind: z.literal('press'),
    place,
    scene,
    from: sender,
    message: z.int(),
    /** The message with the picture that belongs to it: itself, or the one that it answers. */
    picture: z.int().optional(),
    query: z.string(),
    data: z.string(),
  }),
  z.object({ kind: z.literal('moved'), from: z.int(), to: z.int() }),
  z.object({ kind: z.literal('gone'), chat: z.int(), because: z.string() }),
  z.object({ kind: z.literal('back'), place }),
]);
export type Heard = z.infer<typeof heardSchema>;
export type Ask = Extract<Heard, { kind: 'ask' }>;
export type Press = Extract<Heard, { kind: 'press' }>;

/** Who we are there, and which commands there are. */
export interface Ears {
  readonly username: string;
  readonly commands: ReadonlySet<string>;
}

const MOST_NAME = 64;

export function hear(update: Update, ears: Ears): Heard | undefined {
  const message = update.message ?? update.channel_post;
  if (message !== undefined) return fromMessage(message, ears);
  if (update.callback_query !== undefined) return fromPress(update.callback_query);
  return update.my_chat_member === undefined ? undefined : fromStanding(update.my_chat_member);
}

function fromMessage(message: Message, ears: Ears): Heard | undefined {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (to !== undefined) return { kind: 'moved', from: chat.id, to };
  if (from !== undefined) return { kind: 'moved', from, to: chat.id };
  if (message.forum_topic_reopened !== undefined) return { kind: 'back', place: placeIn(message) };
  // The channel's own command was heard in the channel already.
  if (message.text === undefined || message.is_automatic_forward === true) return undefined;
  const scene = sceneOf(chat.type);
  const line = lineIn(message.text, scene, ears);
  if (line === undefined) return undefined;
  return { kind: 'ask', place: placeIn(message), scene, from: senderOf(message), message: message.message_id, line };
}

/** A press without data or without its message comes from games and inline results, which this bot has not. */
function fromPress({ id, from, data, message }: PressUpdate): Heard | undefined {
  if (data === undefined || message === undefined) return undefined;
  const who: Sender = { as: 'person', id: from.id, name: nameOf(from) };
  return {
    kind: 'press',
    place: placeIn(message),
    scene: sceneOf(message.chat.type),
    from: who,
    message: message.message_id,
    picture: pictureIn(message),
    query: id,
    data,
  };
}

/** Words that do not fit under their picture answer it. A picture with buttons of its own is another answer. */
function pictureIn({ message_id: id, photo, reply_to_message: above }: Message): number | undefined {
  if (photo !== undefined) return id;
  return above?.photo !== undefined && above.reply_markup === undefined ? above.message_id : undefined;
}

function fromStanding({ chat, new_chat_member: now }: StandingUpdate): Heard | undefined {
  const inside = ['creator', 'administrator', 'member'].includes(now.status) || (now.status === 'restricted' && now.is_member === true);
  if (!inside)
    return {
      kind: 'gone',
      chat: chat.id,
      because: chat.type === 'private' ? 'this person blocked the bot' : 'the bot was removed from the chat',
    };
  const mute = now.status === 'restricted' && now.can_send_messages === false;
  // Inside, but without the right to post: nothing that waits could be sent now.
  if (mute || (chat.type === 'channel' && now.can_post_messages !== true)) return undefined;
  return { kind: 'back', place: { chat: chat.id } };
}

/** The General topic has the number 1 in some updates, and is reached without it. */
const GENERAL = 1;

const placeIn = ({ chat, is_topic_message: isTopic, message_thread_id: topic }: Message) =>
  isTopic === true && topic !== undefined && topic !== GENERAL ? { chat: chat.id, topic } : { chat: chat.id };

const sceneOf = (type: string): Scene => (type === 'private' || type === 'channel' ? type : 'group');

function senderOf({ chat, from, sender_chat: speaker, author_signature: signed }: Message): Sender {
  if (speaker !== undefined && speaker.id !== chat.id) return { as: 'other', id: speaker.id, name: shown(speaker.title) };
  if (speaker !== undefined || from === undefined) return { as: 'chat', id: chat.id, name: shown(signed ?? chat.title) };
  return { as: 'person', id: from.id, name: nameOf(from) };
}

const nameOf = (person: { readonly first_name: string; readonly last_name?: string | undefined }): string =>
  shown([person.first_name, person.last_name ?? ''].join(' '));

const shown = (name = ''): string => visible(name, MOST_NAME).trim() || 'somebody';

/**
 * The line for this bot in a text. In a private chat that is everything; elsewhere a command of ours, a command with our name behind it,
 * or what follows our name at the beginning. A command with another bot's name is that bot's.
 */
function lineIn(text: string, scene: Scene, { username, commands }: Ears): string | undefined {
  const said = text.trim();
  const [, command, addressee, rest = ''] = /^\/(\w{1,64})(?:@(\w+))?(?=\s|$)(.*)$/su.exec(said) ?? [];
  if (command !== undefined) {
    const mine = addressee?.toLowerCase() === username.toLowerCase();
    if (addressee !== undefined && !mine) return undefined;
    // Every private chat begins with this one, and clients offer it in groups.
    if (command.toLowerCase() === 'start' && !commands.has('start')) return scene === 'private' || mine ? '/help' : undefined;
    return scene === 'private' || mine || commands.has(command.toLowerCase()) ? `/${command}${rest}` : undefined;
  }
  if (scene === 'private') return said === '' ? undefined : said;
  const [, name = '', asked = ''] = /^@(\w+)[\s,:]*(.*)$/su.exec(said) ?? [];
  if (name.toLowerCase() !== username.toLowerCase()) return undefined;
  return asked === '' ? '/help' : asked;
}
