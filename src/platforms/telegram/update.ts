/** What Telegram sends, as far as it concerns us, https://core.telegram.org/bots/api#update. Whatever else an update carries is not looked at. */
import { z } from 'zod';

const chat = z.object({ id: z.int(), type: z.string(), title: z.string().optional() });

const user = z.object({ id: z.int(), first_name: z.string(), last_name: z.string().optional() });

const document = z.object({ file_id: z.string(), file_name: z.string().optional(), file_size: z.int().optional() });
export type Document = z.infer<typeof document>;

const message = z.object({
  message_id: z.int(),
  chat,
  from: user.optional(),
  /** Set when a chat speaks: a channel, or a group for an administrator who is anonymous. */
  sender_chat: chat.optional(),
  author_signature: z.string().optional(),
  text: z.string().optional(),
  document: document.optional(),
  /** The words beside a file. */
  caption: z.string().optional(),
  /** Set in ordinary supergroups too, for replies; a topic it is only beside `is_topic_message`. */
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  /** A channel's post, copied into the group that discusses it. */
  is_automatic_forward: z.boolean().optional(),
  migrate_to_chat_id: z.int().optional(),
  migrate_from_chat_id: z.int().optional(),
  forum_topic_reopened: z.object({}).optional(),
  photo: z.array(z.object({})).optional(),
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

const member = z.object({
  status: z.string(),
  is_member: z.boolean().optional(),
  can_send_messages: z.boolean().optional(),
  can_post_messages: z.boolean().optional(),
});

const standing = z.object({
  chat,
  /** In seconds. */
  date: z.int(),
  old_chat_member: member,
  new_chat_member: member,
});
export type MembershipUpdate = z.infer<typeof standing>;

export const updateSchema = z.object({
  update_id: z.int(),
  message: message.optional(),
  channel_post: message.optional(),
  callback_query: press.optional(),
  my_chat_member: standing.optional(),
});
export type Update = z.infer<typeof updateSchema>;

/** What is asked for: nothing that is not handled. */
export const ALLOWED_UPDATES = ['message', 'channel_post', 'callback_query', 'my_chat_member'] as const;
