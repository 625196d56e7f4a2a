/** What people do: speak, rewrite, press, come and go. Each is stored as the platform would, and alerted to the bot only where it may hear it. */
import type { CallbackQuery, Message, User } from 'grammy/types';
import { botIn } from './access.js';
import type { At, InlineAnswer, Press, PressAnswer, PressButton, Say, SeenMessage, SentDocument, StoredFile } from './control.js';
import { post, type Draft } from './post.js';
import { format } from './text/format.js';
import { seen, topicOf } from './views.js';
import { ANONYMOUS, chatOf, isAdmin, isInside, memberOf, seconds, serial, storedAt, type Chat, type Stored, type World } from './world.js';

export interface Hearing {
  readonly privacyMode: boolean;
}

export function say(
  world: World,
  { privacyMode }: Hearing,
  { chat: id, from, text, document, thread, replyTo, ephemeral, forwarded = false }: Say,
): SeenMessage {
  const chat = chatOf(world, id);
  if (!from && chat.kind !== 'channel')
    throw new Error('telegram stand-in: only channels speak for themselves; say who speaks with `from`');
  if (thread !== undefined && !chat.topics.has(thread))
    throw new Error(`telegram stand-in: chat ${id} has no topic ${thread}; General is no thread`);
  const asChat = from !== undefined && chat.kind !== 'channel' && memberOf(chat, from).anonymous;
  const stored = post(world, chat, {
    by: 'person',
    from: chat.kind === 'channel' ? undefined : asChat ? ANONYMOUS : from,
    asChat,
    thread,
    receiver: ephemeral === undefined ? undefined : world.me,
    replyTo: replyTo && storedAt(world, replyTo).raw,
    ...(document === undefined ? { content: written(world, text ?? '') } : sent(world, document, text ?? '')),
  });
  if (forwarded)
    stored.raw = { ...stored.raw, forward_origin: { type: 'hidden_user', date: seconds(world), sender_user_name: 'Somebody' } };
  // Bots do not see what other bots write. https://core.telegram.org/bots/faq#why-doesn-39t-my-bot-see-messages-from-other-bots
  if (from?.is_bot !== true && hears(world, chat, stored, privacyMode)) tell(world, chat, stored, 'new');
  return seen(stored);
}

function written(world: World, text: string): Partial<Message> {
  const { text: shown, entities } = format({ text, parseMode: '', entities: undefined, person: (id) => world.people.get(id) });
  if (shown === '') throw new Error('telegram stand-in: a message without a document has a text');
  return { text: shown, ...(entities.length > 0 ? { entities: [...entities] } : {}) };
}

function sent(world: World, { name, content, alerted }: SentDocument, text: string): Pick<Draft, 'content' | 'file'> {
  const bytes = Buffer.from(content);
  const file: StoredFile = { kind: 'document', fileId: `BQACAgIAAx${serial(world)}`, name, mime: 'application/octet-stream', bytes };
  world.files.set(file.fileId, { ...file, alerted });
  const { text: caption, entities } = format({ text, parseMode: '', entities: undefined, person: (id) => world.people.get(id) });
  const size = alerted === undefined ? bytes.length : alerted;
  return {
    file,
    content: {
      document: {
        file_id: file.fileId,
        file_unique_id: `u${file.fileId}`,
        file_name: name,
        mime_type: file.mime,
        ...(size === null ? {} : { file_size: size }),
      },
      ...(caption === '' ? {} : { caption }),
      ...(entities.length > 0 ? { caption_entities: [...entities] } : {}),
    },
  };
}

/**
 * Privacy mode: in a group a bot that is no administrator hears commands and replies to it, and no mentions:
 * https://core.telegram.org/bots/features#privacy-mode. Whether a command beside a file counts is nowhere said; here it does with the
 * bot's name behind it, which says whom it is for, and not without.
 */
function hears(world: World, chat: Chat, { raw, by }: Stored, privacyMode: boolean): boolean {
  const bot = botIn(world, chat);
  if (chat.kind === 'channel') return isAdmin(bot);
  if (!isInside(bot)) return false;
  if (chat.kind === 'private' || by === 'service' || !privacyMode || isAdmin(bot)) return true;
  if (raw.reply_to_message?.from?.id === world.me.id) return true;
  const suffix = `@${world.me.username.toLowerCase()}`;
  const isCaption = raw.text === undefined;
  return (raw.entities ?? raw.caption_entities ?? []).some(({ type, offset, length }) => {
    const word = (raw.text ?? raw.caption ?? '').slice(offset, offset + length).toLowerCase();
    return type === 'bot_command' && ((!isCaption && !word.includes('@')) || word.endsWith(suffix));
  });
}

function tell(world: World, chat: Chat, { raw }: Stored, what: 'new' | 'edited'): void {
  const kind = `${what === 'new' ? '' : 'edited_'}${chat.kind === 'channel' ? 'channel_post' : 'message'}`;
  world.updates.push({ [kind]: raw });
}

export function rewrite(world: World, hearing: Hearing, at: At, text: string): SeenMessage {
  const stored = storedAt(world, at);
  if (stored.by !== 'person') throw new Error('telegram stand-in: people rewrite only what people wrote');
  const { text: _, entities: __, ...rest } = stored.raw;
  stored.raw = { ...rest, ...written(world, text), edit_date: seconds(world) };
  stored.edits += 1;
  const chat = chatOf(world, at.chat);
  if (hears(world, chat, stored, hearing.privacyMode)) tell(world, chat, stored, 'edited');
  world.changed();
  return seen(stored);
}

/** A service message, which the bot hears wherever it is. */
export function announce(
  world: World,
  chat: Chat,
  draft: { readonly from: User; readonly content: Partial<Message>; readonly thread?: number },
): Stored {
  const stored = post(world, chat, { by: 'service', ...draft, from: chat.kind === 'channel' ? undefined : draft.from });
  if (hears(world, chat, stored, true)) tell(world, chat, stored, 'new');
  return stored;
}

export function press(world: World, { message, button, from }: PressButton): Press {
  const { raw } = storedAt(world, message);
  const rows = raw.reply_markup?.inline_keyboard ?? [];
  const found = typeof button === 'string' ? rows.flat().find(({ text }) => text === button) : rows[button.row]?.[button.column];
  if (!found || !('callback_data' in found)) {
    const there = rows.flat().map(({ text }) => `"${text}"`);
    throw new Error(`telegram stand-in: no such button to press; the message has ${there.length === 0 ? 'none' : there.join(', ')}`);
  }
  const id = String(4_000_000_000_000_000_000n + BigInt(serial(world)));
  const query: CallbackQuery = {
    id,
    from,
    message: raw,
    chat_instance: String(-7_000_000_000_000n - BigInt(Math.abs(message.chat))),
    data: found.callback_data,
  };
  let settle: (answer: PressAnswer) => void = () => undefined;
  const answered = new Promise<PressAnswer>((resolve) => {
    settle = resolve;
  });
  world.presses.set(id, { query, at: world.clock.now(), settle });
  world.updates.push({ callback_query: query });
  return { id, query, answered };
}

export async function typeInline(world: World, { from, query }: { readonly from: User; readonly query: string }): Promise<InlineAnswer> {
  if (!world.me.supports_inline_queries) throw new Error('telegram stand-in: inline mode is off; start it with inlineMode');
  const id = String(5_000_000_000_000_000_000n + BigInt(serial(world)));
  return new Promise<InlineAnswer>((resolve) => {
    world.inlineQueries.set(id, { at: world.clock.now(), settle: resolve });
    world.updates.push({ inline_query: { id, from, query, offset: '', chat_type: 'private' } });
  });
}

/** Whether it stands in the wanted topic; `general` means in none. */
export const standsIn = ({ raw }: Stored, thread: number | 'general' | undefined): boolean =>
  thread === undefined || topicOf(raw) === (thread === 'general' ? undefined : thread);
