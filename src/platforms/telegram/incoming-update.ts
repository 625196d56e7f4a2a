/** Parses Telegram's updates and decides what each one means to the bot. */
import { z } from 'zod';
import { SECOND } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { truncateLine } from '../truncate.js';
import { messageNumber } from './ephemeral.js';
import { leavesMessage, panelKeyOf } from './keyboard.js';
import { isPrompt } from './prompts.js';

// https://core.telegram.org/bots/api#update
const chat = z.object({ id: z.int(), type: z.string(), title: z.string().optional() });

const user = z.object({ id: z.int(), is_bot: z.boolean().optional(), first_name: z.string(), last_name: z.string().optional() });

const keyboard = z
  .object({ inline_keyboard: z.array(z.array(z.object({ callback_data: z.string().optional() }))) })
  .optional()
  .catch(undefined);

/** Offsets and lengths count UTF-16 units. */
const entities = z
  .array(z.object({ type: z.string(), offset: z.int(), length: z.int() }))
  .optional()
  .catch(undefined);

const document = z.object({ file_id: z.string(), file_name: z.string().optional(), file_size: z.int().optional() });
type Document = z.infer<typeof document>;

const message = z.object({
  message_id: z.int(),
  ephemeral_message_id: z.int().optional(),
  chat,
  from: user.optional(),
  /** The bot whose inline result the person posted. */
  via_bot: z.object({ id: z.int() }).optional(),
  sender_chat: chat.optional(),
  author_signature: z.string().optional(),
  text: z.string().optional(),
  document: document.optional(),
  caption: z.string().optional(),
  /** Telegram sets this in replies as well as in topics, so `is_topic_message` decides. */
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  is_automatic_forward: z.boolean().optional(),
  migrate_to_chat_id: z.int().optional(),
  migrate_from_chat_id: z.int().optional(),
  /** The chat that the person picked with the bot's "choose a chat" button. */
  chat_shared: z.object({ chat_id: z.int() }).optional(),
  forum_topic_reopened: z.object({}).optional(),
  photo: z.array(z.object({})).optional(),
  entities,
  caption_entities: entities,
  forward_origin: z.object({}).optional(),
  /** The keyboard of a pressed message. */
  reply_markup: keyboard,
  reply_to_message: z
    .object({
      message_id: z.int(),
      from: z.object({ id: z.int() }).optional(),
      text: z.string().optional(),
      document: document.optional(),
      photo: z.array(z.object({})).optional(),
      reply_markup: keyboard,
      /** Telegram makes every message of a topic a reply to the topic's first message. */
      forum_topic_created: z.object({}).optional(),
    })
    .optional(),
});
type TelegramMessage = z.infer<typeof message>;

const press = z.object({ id: z.string(), from: user, data: z.string().optional(), message: message.optional() });
type CallbackQueryUpdate = z.infer<typeof press>;

/** https://core.telegram.org/bots/api#inlinequery */
const inlineQuery = z.object({ id: z.string(), from: user, query: z.string() });
export type InlineQuery = z.infer<typeof inlineQuery>;

const member = z.object({
  status: z.string(),
  is_member: z.boolean().optional(),
  can_send_messages: z.boolean().optional(),
  can_post_messages: z.boolean().optional(),
});

const membership = z.object({
  chat,
  from: user.optional(),
  /** The time is in seconds since 1970. */
  date: z.int(),
  old_chat_member: member,
  new_chat_member: member,
});
type MembershipUpdate = z.infer<typeof membership>;

export const updateSchema = z.object({
  update_id: z.int(),
  message: message.optional(),
  channel_post: message.optional(),
  callback_query: press.optional(),
  inline_query: inlineQuery.optional(),
  my_chat_member: membership.optional(),
});
export type Update = z.infer<typeof updateSchema>;

export const ALLOWED_UPDATES = ['message', 'channel_post', 'callback_query', 'inline_query', 'my_chat_member'] as const;

const place = z.object({ chat: z.int(), topic: z.int().optional() });

/** `chat` means a channel or an anonymous administrator, and `other` a message sent as another chat. */
const sender = z.object({ as: z.enum(['person', 'chat', 'other']), id: z.int(), name: z.string() });
export type Sender = z.infer<typeof sender>;

const scene = z.enum(['private', 'group', 'channel']);
export type ChatKind = z.infer<typeof scene>;

/** `id` is the `file_id`. `size` is in bytes, 0 if Telegram does not state it. */
const file = z.object({ id: z.string(), name: z.string(), size: z.int() });
export type IncomingFile = z.infer<typeof file>;

/** An update as the store keeps it until it is handled. */
export const incomingUpdateSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ask'),
    place,
    scene,
    from: sender,
    message: z.int(),
    line: z.string(),
    /** Files of the message, or of the one that it replies to. */
    files: z.array(file).readonly().optional(),
    /** How a question without a command was addressed to the bot in a group. */
    addressing: z.enum(['mention', 'reply to answer', 'reply to alert']).optional(),
    /** The prompt that the message answers. The line is then the text that the person filled in. */
    prompt: z.int().optional(),
  }),
  z.object({
    kind: z.literal('press'),
    place,
    scene,
    from: sender,
    message: z.int(),
    picture: z.int().optional(),
    query: z.string(),
    data: z.string(),
    /** The key of the keyboard's stored pages; absent for a keyboard of one page. */
    panel: z.string().optional(),
    /** No button may edit the pressed message, as under an alert. Read from the message, because a client can forge the pressed data. */
    fixed: z.literal(true).optional(),
  }),
  /** A file without a caption, sent in a private chat. */
  z.object({ kind: z.literal('file'), place, message: z.int() }),
  z.object({ kind: z.literal('moved'), from: z.int(), to: z.int() }),
  z.object({ kind: z.literal('gone'), chat: z.int(), because: z.string() }),
  z.object({ kind: z.literal('back'), place }),
  /** `settled` is when we know whether a group became this supergroup. */
  z.object({
    kind: z.literal('joined'),
    chat: z.int(),
    settled: z.int().optional(),
    /** The person who added the bot to a channel. */
    by: z.int().optional(),
    title: z.string().optional(),
  }),
]);
export type IncomingUpdate = z.infer<typeof incomingUpdateSchema>;
export type TypedQuestion = Extract<IncomingUpdate, { kind: 'ask' }>;
export type ButtonPress = Extract<IncomingUpdate, { kind: 'press' }>;

const MAX_NAME = 64;

export function readUpdate(update: Update, bot: BotIdentity): IncomingUpdate | undefined {
  const message = update.message ?? update.channel_post;
  if (message !== undefined) return fromMessage(message, bot);
  if (update.callback_query !== undefined) return fromPress(update.callback_query);
  return update.my_chat_member === undefined ? undefined : readMembership(update.my_chat_member);
}

function fromMessage(message: TelegramMessage, bot: BotIdentity): IncomingUpdate | undefined {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (to !== undefined) return { kind: 'moved', from: chat.id, to };
  if (from !== undefined) return { kind: 'moved', from, to: chat.id };
  if (message.chat_shared !== undefined) return fromPick(message, message.chat_shared.chat_id);
  if (message.forum_topic_reopened !== undefined) return { kind: 'back', place: placeIn(message) };
  // The channel's own update already brought a forwarded command, and the bot's inline results are not questions.
  if (message.is_automatic_forward === true || message.via_bot?.id === bot.me) return undefined;
  return fromWords(message, bot);
}

/** The picked chat is checked like a typed one, because a client can send any id. */
function fromPick(message: TelegramMessage, picked: number): IncomingUpdate | undefined {
  const scene = sceneOf(message.chat.type);
  if (scene !== 'private') return undefined;
  return {
    kind: 'ask',
    place: placeIn(message),
    scene,
    from: senderOf(message),
    message: messageNumber(message),
    line: `/manage ${picked}`,
  };
}

function fromWords(message: TelegramMessage, bot: BotIdentity): IncomingUpdate | undefined {
  const scene = sceneOf(message.chat.type);
  const where = { place: placeIn(message), message: messageNumber(message) };
  const words = message.text ?? (message.document === undefined ? undefined : message.caption);
  if (words === undefined) return message.document !== undefined && scene === 'private' ? { kind: 'file', ...where } : undefined;
  const prompt = promptOf(message, bot);
  const asked = prompt === undefined ? askedIn(message, { words, scene }, bot) : { line: words };
  if (asked === undefined) return undefined;
  const files = [message.reply_to_message?.document, message.document].flatMap((document) =>
    document === undefined ? [] : [fileOf(document)],
  );
  return omitUndefined({
    kind: 'ask',
    ...where,
    scene,
    from: senderOf(message),
    ...asked,
    files: files.length === 0 ? undefined : files,
    prompt,
  });
}

function promptOf({ text, reply_to_message: above }: TelegramMessage, { me }: BotIdentity): number | undefined {
  if (text === undefined || text.trimStart().startsWith('/') || above?.from?.id !== me) return undefined;
  return isPrompt(above.text ?? '') ? above.message_id : undefined;
}

const fileOf = ({ file_id: id, file_name: name = '', file_size: size = 0 }: Document): IncomingFile => ({
  id,
  name: truncateLine(name, MAX_NAME).trim() || 'The file',
  size,
});

function fromPress({ id, from, data, message }: CallbackQueryUpdate): IncomingUpdate | undefined {
  if (data === undefined || message === undefined) return undefined;
  const who: Sender = { as: 'person', id: from.id, name: nameOf(from) };
  const payloads = payloadsIn(message);
  return {
    kind: 'press',
    place: placeIn(message),
    scene: sceneOf(message.chat.type),
    from: who,
    message: messageNumber(message),
    picture: pictureIn(message),
    query: id,
    data,
    ...omitUndefined({
      panel: payloads.flatMap((payload) => panelKeyOf(payload) ?? [])[0],
      fixed: leavesMessage(payloads) ? (true as const) : undefined,
    }),
  };
}

const payloadsIn = ({ reply_markup: keyboard }: Pick<TelegramMessage, 'reply_markup'>): readonly string[] =>
  (keyboard?.inline_keyboard ?? []).flat().flatMap(({ callback_data: data }) => data ?? []);

/** The picture of a long answer is the message that the text replies to. */
function pictureIn(message: TelegramMessage): number | undefined {
  const { photo, reply_to_message: above } = message;
  if (photo !== undefined) return messageNumber(message);
  return above?.photo !== undefined && above.reply_markup === undefined ? above.message_id : undefined;
}

/** Some updates give the General topic the id 1. */
const GENERAL = 1;

const placeIn = ({ chat, is_topic_message: isTopic, message_thread_id: topic }: TelegramMessage) =>
  isTopic === true && topic !== undefined && topic !== GENERAL ? { chat: chat.id, topic } : { chat: chat.id };

const sceneOf = (type: string): ChatKind => (type === 'private' || type === 'channel' ? type : 'group');

function senderOf({ chat, from, sender_chat: speaker, author_signature: signed }: TelegramMessage): Sender {
  if (speaker !== undefined && speaker.id !== chat.id) return { as: 'other', id: speaker.id, name: shown(speaker.title) };
  if (speaker !== undefined || from === undefined) return { as: 'chat', id: chat.id, name: shown(signed ?? chat.title) };
  return { as: 'person', id: from.id, name: nameOf(from) };
}

const nameOf = (person: { readonly first_name: string; readonly last_name?: string | undefined }): string =>
  shown([person.first_name, person.last_name ?? ''].join(' '));

const shown = (name = ''): string => truncateLine(name, MAX_NAME).trim() || 'somebody';

export interface BotIdentity {
  readonly me: number;
  readonly username: string;
  readonly commands: ReadonlySet<string>;
  /** False in privacy mode, in which Telegram does not deliver mentions in groups. */
  readonly readsGroups: boolean;
}

/** Telegram clients send this command when a person opens a private chat with the bot. */
const START = 'start';

type Asked = Pick<TypedQuestion, 'line' | 'addressing'>;

/** Takes all text in private chats; elsewhere commands and mentions, and in groups also replies to the bot. */
function askedIn(
  message: TelegramMessage,
  { words, scene }: { readonly words: string; readonly scene: ChatKind },
  bot: BotIdentity,
): Asked | undefined {
  const { username, commands } = bot;
  const said = words.trim();
  const [, command, addressee, rest = ''] = /^\/(\w{1,64})(?:@(\w+))?(?=\s|$)(.*)$/su.exec(said) ?? [];
  if (command !== undefined) {
    const mine = addressee?.toLowerCase() === username.toLowerCase();
    if (addressee !== undefined && !mine) return undefined;
    const name = command.toLowerCase();
    return scene === 'private' || mine || name === START || commands.has(name) ? { line: `/${command}${rest}` } : undefined;
  }
  if (scene === 'private') return said === '' ? undefined : { line: said };
  // A channel has many readers, so the bot answers only posts that begin with its name.
  if (scene === 'channel') {
    const [, name = '', asked = ''] = /^@(\w+)[\s,:]*(.*)$/su.exec(said) ?? [];
    return name.toLowerCase() === username.toLowerCase() ? { line: asked === '' ? HELP : asked } : undefined;
  }
  return addressedIn(message, words, bot);
}

/** The command for a mention without text. */
const HELP = '/help';

/** Ignores forwarded messages, which the sender did not write, and messages of bots, which must not answer each other. */
function addressedIn(message: TelegramMessage, words: string, bot: BotIdentity): Asked | undefined {
  const { forward_origin: origin, from, sender_chat: speaker, reply_to_message: above } = message;
  if (origin !== undefined || (from?.is_bot === true && speaker === undefined)) return undefined;
  const rest = withoutMention(message, words, bot);
  if (rest !== undefined) return { line: rest === '' ? HELP : rest, addressing: 'mention' };
  if (above?.from?.id !== bot.me || above.forum_topic_created !== undefined || words.trim() === '') return undefined;
  return { line: words.trim(), addressing: leavesMessage(payloadsIn(above)) ? 'reply to alert' : 'reply to answer' };
}

/** Returns the text without the bot's name; undefined if the text does not name the bot. */
function withoutMention(message: TelegramMessage, words: string, { username }: BotIdentity): string | undefined {
  const wanted = `@${username.toLowerCase()}`;
  const marked = (message.text === undefined ? message.caption_entities : message.entities) ?? [];
  const mention = marked.find(
    ({ type, offset, length }) => type === 'mention' && words.slice(offset, offset + length).toLowerCase() === wanted,
  );
  if (mention === undefined) return undefined;
  const [before, after] = [words.slice(0, mention.offset), words.slice(mention.offset + mention.length)];
  return `${before.replace(/[\s,:]+$/u, '')} ${after.replace(/^[\s,:]+/u, '')}`.trim();
}

type Member = MembershipUpdate['new_chat_member'];

/** `settled` is when we know whether a group became this supergroup. */
export type MembershipChange =
  | { readonly kind: 'gone'; readonly chat: number; readonly because: string }
  | { readonly kind: 'back'; readonly place: { readonly chat: number } }
  | { readonly kind: 'joined'; readonly chat: number; readonly settled?: number; readonly by?: number; readonly title?: string };

/** Telegram reports an upgrade to a supergroup within this time after the bot's join. */
const UPGRADE_TOLD_WITHIN = 3 * SECOND;

function readMembership({
  chat,
  from,
  date,
  old_chat_member: before,
  new_chat_member: now,
}: MembershipUpdate): MembershipChange | undefined {
  if (!isInside(now))
    return {
      kind: 'gone',
      chat: chat.id,
      because: chat.type === 'private' ? 'this person blocked the bot' : 'the bot was removed from the chat',
    };
  const mute = now.status === 'restricted' && now.can_send_messages === false;
  // Without the right to post, nothing could be sent to the chat now.
  if (mute || (chat.type === 'channel' && now.can_post_messages !== true)) return undefined;
  // A promotion is not a join, and a new private chat is greeted by /start.
  if (isInside(before) || chat.type === 'private') return { kind: 'back', place: { chat: chat.id } };
  if (chat.type === 'channel' && from !== undefined && from.is_bot !== true)
    return { kind: 'joined', chat: chat.id, by: from.id, title: shown(chat.title) };
  return { kind: 'joined', chat: chat.id, ...(chat.type === 'supergroup' ? { settled: date * SECOND + UPGRADE_TOLD_WITHIN } : {}) };
}

const isInside = ({ status, is_member: isMember }: Member): boolean =>
  ['creator', 'administrator', 'member'].includes(status) || (status === 'restricted' && isMember === true);
