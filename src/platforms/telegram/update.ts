/** Telegram's updates. https://core.telegram.org/bots/api#update */
import { z } from 'zod';

const chat = z.object({ id: z.int(), type: z.string(), title: z.string().optional() });

const user = z.object({ id: z.int(), first_name: z.string(), last_name: z.string().optional() });

const document = z.object({ file_id: z.string(), file_name: z.string().optional(), file_size: z.int().optional() });
export type Document = z.infer<typeof document>;

const message = z.object({
  message_id: z.int(),
  chat,
  from: user.optional(),
  /** The bot whose inline result it is. */
  via_bot: z.object({ id: z.int() }).optional(),
  sender_chat: chat.optional(),
  author_signature: z.string().optional(),
  text: z.string().optional(),
  document: document.optional(),
  caption: z.string().optional(),
  /** Replies have it too. */
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  is_automatic_forward: z.boolean().optional(),
  migrate_to_chat_id: z.int().optional(),
  migrate_from_chat_id: z.int().optional(),
  forum_topic_reopened: z.object({}).optional(),
  photo: z.array(z.object({})).optional(),
  /** Of a pressed message. */
  reply_markup: z
    .object({ inline_keyboard: z.array(z.array(z.object({ callback_data: z.string().optional() }))) })
    .optional()
    .catch(undefined),
  reply_to_message: z
    .object({
      message_id: z.int(),
      from: z.object({ id: z.int() }).optional(),
      text: z.string().optional(),
      document: document.optional(),
      photo: z.array(z.object({})).optional(),
      reply_markup: z.object({}).optional(),
    })
    .optional(),
});
export type TelegramMessage = z.infer<typeof message>;

const press = z.object({ id: z.string(), from: user, data: z.string().optional(), message: message.optional() });
export type CallbackQueryUpdate = z.infer<typeof press>;

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
  /** Seconds. */
  date: z.int(),
  old_chat_member: member,
  new_chat_member: member,
});
export type MembershipUpdate = z.infer<typeof membership>;

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
