/** Decides which messages are questions: every private message, and in servers mentions and replies to the bot. */
import { MessageType } from 'discord.js';
import { z } from 'zod';
import type { Addressing } from '../../chat/inbound.js';
import type { AttachmentInfo } from './interaction.js';

/** https://docs.discord.com/developers/resources/message#message-object */
const messageSchema = z.object({
  id: z.string(),
  type: z.int().default(MessageType.Default),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  webhook_id: z.string().optional(),
  author: z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish(), bot: z.boolean().default(false) }),
  member: z.object({ nick: z.string().nullish() }).optional(),
  /** Empty if the bot may not read the message. */
  content: z.string().default(''),
  mention_everyone: z.boolean().default(false),
  mentions: z.array(z.object({ id: z.string() })).default([]),
  attachments: z.array(z.object({ filename: z.string(), size: z.int().nonnegative(), url: z.url() })).default([]),
  referenced_message: z
    .object({ id: z.string(), author: z.object({ id: z.string() }), interaction_metadata: z.object({}).nullish() })
    .nullish(),
});

export interface WrittenQuestion {
  readonly kind: 'question';
  readonly message: string;
  readonly channel: string;
  /** Undefined in a private chat. */
  readonly guild: string | undefined;
  readonly person: { readonly id: string; readonly name: string };
  readonly line: string;
  readonly addressing: Addressing | undefined;
  readonly files: readonly AttachmentInfo[];
}

export interface ReadingMessages {
  /** The bot's own id. */
  readonly me: string;
  /** Tells whether a message of the bot was an answer. */
  readonly isAnswer: (message: string) => boolean;
}

/** The message types that people write; the others are notices of Discord. */
const WRITTEN: ReadonlySet<number> = new Set([MessageType.Default, MessageType.Reply]);

/** The command for a mention without text. */
const HELP = '/help';

export type ReadMessage = WrittenQuestion | { readonly kind: 'ignored'; readonly because: string };

/** Throws a `ZodError` if the data is not a message. */
export function readMessage(data: unknown, { me, isAnswer }: ReadingMessages): ReadMessage {
  const message = messageSchema.parse(data);
  const { id, channel_id: channel, guild_id: guild, author, member, content, referenced_message: above } = message;
  // Bots must not answer each other, and nobody reads an answer to a webhook.
  if (author.bot || message.webhook_id !== undefined || author.id === me) return ignored('written by a program');
  if (!WRITTEN.has(message.type)) return ignored('a notice of Discord');
  const name = new RegExp(`\\s*<@!?${me}>[\\s,:]*`, 'gu');
  const words = content.replaceAll(name, ' ').trim();
  const asked = (line: string, addressing?: Addressing): WrittenQuestion => ({
    ...{ kind: 'question', message: id, channel, guild, line, addressing },
    person: { id: author.id, name: member?.nick ?? author.global_name ?? author.username },
    files: message.attachments.map(({ filename, size, url }) => ({ name: filename, size, url })),
  });
  if (guild === undefined) {
    if (words === '' && message.attachments.length === 0) return ignored('no words');
    return asked(words);
  }
  // A mention of everybody makes it an announcement, not a question.
  if (message.mention_everyone) return ignored('everybody is mentioned');
  // A mention of the bot's role, or its name inside code, does not count.
  if (!message.mentions.some((one) => one.id === me)) return ignored('the bot is not mentioned');
  if (name.test(content)) return asked(words === '' ? HELP : words, 'mention');
  // Discord adds the mention to a reply to the bot's message, so the text need not name the bot.
  if (above?.author.id !== me || words === '') return ignored('the bot is not named');
  const isAnswered = typeof above.interaction_metadata === 'object' && above.interaction_metadata !== null;
  return asked(words, isAnswered || isAnswer(above.id) ? 'reply to answer' : 'reply to alert');
}

const ignored = (because: string): ReadMessage => ({ kind: 'ignored', because });
