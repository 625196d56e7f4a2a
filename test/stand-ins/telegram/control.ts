/** What a test may see of the Telegram stand-in and do to it: the people's side, the platform's side and the faults. */
import type { CallbackQuery, Message, MessageEntity, Update, User } from 'grammy/types';
import type { Clock } from '../../../src/base/clock.js';

export interface TelegramOptions {
  /** What the path must carry (`/bot<token>/…`); everything else is 401. */
  readonly token: string;
  /** Without the `@`; default `navwatch_bot`. */
  readonly username?: string;
  /** Dates, waits of a long poll, ages of presses and flood rates follow it; default: the system's. */
  readonly clock?: Clock;
  /** Measures what the bot sends against Telegram's flood limits and answers 429; default: off. */
  readonly rates?: boolean;
  /** Default true, as the platform has it: in groups the bot hears only commands and replies to it, unless it is an administrator. */
  readonly privacyMode?: boolean;
  /** Whether inline mode is switched on with BotFather; default false, as the platform has it. */
  readonly inlineMode?: boolean;
  /** A Bot API server of one's own, which takes http addresses of webhooks; default false. */
  readonly localServer?: boolean;
  /** What an older Bot API server does not know; default: nothing. */
  readonly lacks?: readonly Feature[];
}

/** Quotes came with Bot API 7.0, local times with 9.5, ephemeral messages with 10.2. */
export type Feature = 'local-times' | 'ephemeral' | 'quotes';

/** How someone stands in a chat. `banned` is the platform's `kicked`. */
export type MemberStatus = 'creator' | 'administrator' | 'member' | 'left' | 'banned';

/** What an administrator may be granted or denied. What is left out is granted. */
export interface Rights {
  /** Channels: post. */
  readonly can_post_messages?: boolean;
  /** Channels: edit what others wrote. */
  readonly can_edit_messages?: boolean;
  readonly can_delete_messages?: boolean;
  readonly can_pin_messages?: boolean;
  readonly can_manage_topics?: boolean;
}

export interface NewChat {
  /** Default: a name after its kind. */
  readonly title?: string;
  /** Of a public chat, without the `@`: the bot may then send to `@username`. Not for plain groups. */
  readonly username?: string;
  /** How the bot stands at the beginning; default `member`, in a channel `administrator`. No update tells of it. */
  readonly bot?: MemberStatus;
  readonly botRights?: Rights;
  /** People who are ordinary members from the beginning. */
  readonly members?: readonly User[];
  /** The creator; default: somebody invented. */
  readonly owner?: User;
}

/** A message, by where it stands; the ids of ephemeral messages are negative. What `say`, `messages` and `posted` return can be given as it is. */
export interface At {
  readonly chat: number;
  readonly id: number;
}

export interface Button {
  readonly text: string;
  readonly style?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A file as it arrived. */
export interface StoredFile {
  readonly kind: 'photo' | 'document';
  readonly fileId: string;
  /** As the upload named it; a photo that was sent by file id keeps the first one's. */
  readonly name: string;
  readonly mime: string;
  readonly bytes: Buffer;
}

/** What makes a client open the reply to a message by itself. */
export interface ForcedReply {
  readonly placeholder: string | undefined;
  /** Before whom it opens; with `selective` only whoever the text names, or whoever wrote what the message replies to. */
  readonly opensFor: 'everyone' | readonly number[];
}

/** Something in a text that rings somebody's telephone: `@name`, or a name linked to an account. */
export interface Ping {
  readonly kind: 'mention' | 'text_mention';
  readonly text: string;
}

/** A message as a reader of the chat sees it. */
export interface SeenMessage extends At {
  /** The topic; undefined in the General topic and where there are no topics. */
  readonly thread: number | undefined;
  readonly by: 'bot' | 'person' | 'service';
  /** Absent in channels. */
  readonly from: User | undefined;
  /** The text, or the caption beside a file; plain, as after entity parsing. */
  readonly text: string;
  /** Formatting that was asked for, and what the platform found by itself (links, mentions, commands, hashtags, cashtags). */
  readonly entities: readonly MessageEntity[];
  readonly buttons: readonly (readonly Button[])[];
  readonly forcedReply: ForcedReply | undefined;
  /** The buttons that clients show in the place of the letters. */
  readonly replyKeyboard: readonly string[] | undefined;
  readonly file: StoredFile | undefined;
  /** Who would be notified, beside the chat's own notification. Empty is what a careful bot wants. */
  readonly pings: readonly Ping[];
  /** The address a preview would be shown of; undefined when there is none or previews are switched off. */
  readonly preview: string | undefined;
  readonly silent: boolean;
  readonly pinned: boolean;
  readonly replyTo: number | undefined;
  /** How often it was edited. */
  readonly edits: number;
  /** The whole object as the Bot API gives it. */
  readonly raw: Message;
}

/** One edit that changed something. */
export interface Edit extends At {
  readonly before: SeenMessage;
  readonly after: SeenMessage;
}

/** What `answerCallbackQuery` alerted the one who pressed. */
export interface PressAnswer {
  readonly text: string | undefined;
  readonly alert: boolean;
  readonly url: string | undefined;
}

export interface Press {
  readonly id: string;
  readonly query: CallbackQuery;
  /** Resolves with the first answer; stays pending while the button spins. */
  readonly answered: Promise<PressAnswer>;
}

/** One of the results that a person may choose from. */
export interface InlineResult {
  readonly kind: 'article' | 'photo';
  readonly id: string;
  readonly title: string;
  /** What would be posted: the text, or the caption of the photo. */
  readonly text: string;
  readonly buttons: readonly (readonly Button[])[];
  readonly file: StoredFile | undefined;
}

/** What `answerInlineQuery` shows to the one who types. */
export interface InlineAnswer {
  readonly results: readonly InlineResult[];
  readonly personal: boolean;
  readonly cacheSeconds: number;
  readonly button: { readonly text: string; readonly start_parameter: string } | undefined;
}

/** One request, finished or not. */
export interface Call {
  /** As Telegram knows it: `sendMessage`, whatever case the request used; `file` for a download. */
  readonly method: string;
  /** The parameters after decoding; a file is `{ name, mime, size }`. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** Undefined while it waits, and for good when the line was cut before an answer. */
  readonly answer: Answer | undefined;
  /** The fault that hit it. */
  readonly fault: Fault['kind'] | undefined;
}

/** Telegram's envelope. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error_code: number;
      readonly description: string;
      readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
    };

export type Fault =
  /** 429; in seconds. Nothing is carried out. */
  | { readonly kind: 'too-many'; readonly retryAfter: number }
  /** An envelope of your own (500 "Internal Server Error", 403 …). Nothing is carried out. */
  | { readonly kind: 'refuse'; readonly code: number; readonly description: string; readonly parameters?: Readonly<Record<string, number>> }
  /** 502 from a proxy, with a page of HTML. Nothing is carried out. */
  | { readonly kind: 'bad-gateway' }
  /** Answers as usual after so many milliseconds of the clock. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The request is read and the line cut: nothing is carried out. */
  | { readonly kind: 'cut-before' }
  /** Carried out (the message stands, the press is answered), and the line is cut instead of an answer. */
  | { readonly kind: 'cut-after' }
  /** Never answered and never carried out; ends when the caller gives up or the stand-in closes. */
  | { readonly kind: 'hang' }
  /** Carried out and never answered. */
  | { readonly kind: 'hang-after' }
  /** Carried out, and half of the answer's body arrives. */
  | { readonly kind: 'half-answer' };

export interface FaultPlan {
  readonly fault: Fault;
  /** Only calls of this method; `file` are downloads, `webhook` deliveries to one. Default: every method but getUpdates, and neither of these. */
  readonly method?: string;
  /** Only calls for this chat. */
  readonly chat?: number;
  /** How many calls it hits; default 1. `always` until it is lifted. */
  readonly times?: number | 'always';
}

export interface Say {
  readonly chat: number;
  /** An administrator who is anonymous speaks as the chat. Left out in a channel: a post. */
  readonly from?: User;
  /** Beside a document it is the caption, and may be left out. */
  readonly text?: string;
  readonly document?: SentDocument;
  /** The topic; General when left out. */
  readonly thread?: number;
  readonly replyTo?: At;
  /** A command that the client sends to the bot alone. */
  readonly ephemeral?: true;
  /** Somebody wrote it elsewhere, and it is forwarded. */
  readonly forwarded?: boolean;
}

/** A document as somebody sends it. */
export interface SentDocument {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What the platform tells of its size, in bytes; default: the truth. `null`: nothing. */
  readonly alerted?: number | null;
}

export interface PressButton {
  readonly message: At;
  /** Its text, or its place. Throws when there is no such button or it carries no data. */
  readonly button: string | { readonly row: number; readonly column: number };
  readonly from: User;
}

/** The stand-in. Ids are numbers as the Bot API has them: groups negative, supergroups and channels below -1000000000000. */
export interface Telegram {
  /** The `apiRoot` for grammY: no slash at the end. Files are under `<url>/file/bot<token>/<file_path>`. */
  readonly url: string;
  /** The bot itself. */
  readonly me: User;
  /** Cuts what is open, rejects what waits, frees the port. Idempotent. */
  close(): Promise<void>;

  // Who and where.
  /** Somebody. Names default to a number after "Person". */
  person(names?: { readonly first_name?: string; readonly username?: string; readonly language_code?: string }): User;
  /** The private chat with someone, who has pressed Start; its id is the person's. Throws for bots. */
  privateChat(person: User): number;
  group(chat?: NewChat): number;
  /** Somebody makes a plain group with the bot in it: `my_chat_member`, and the message that it was created. */
  createGroup(chat?: Omit<NewChat, 'bot'>): number;
  supergroup(chat?: NewChat & { readonly forum?: boolean }): number;
  channel(chat?: NewChat): number;
  /** A topic of a forum; returns its thread id, which is never 1 (that is General). */
  topic(chat: number, name?: string): number;

  // What people do.
  /** Stores it and, where the bot is entitled to hear it, queues `message` or `channel_post`. */
  say(what: Say): SeenMessage;
  /** Changes what someone said: `edited_message` or `edited_channel_post`. */
  rewrite(message: At, text: string): SeenMessage;
  /** Someone deletes a message: no update tells the bot. */
  remove(message: At): void;
  press(what: PressButton): Press;
  /**
   * Somebody picks a chat with a button of the latest keyboard in their private chat: `chat_shared`, after the bot got the rights that the
   * button asks for. Throws for a chat that Telegram would not list.
   */
  pick(what: { readonly from: User; readonly button: string; readonly chat: number }): void;
  /** Somebody types `@bot` and this text in any chat. Throws where inline mode is off. Resolves with the first answer. */
  inline(what: { readonly from: User; readonly query: string }): Promise<InlineAnswer>;
  /** How somebody stands in a chat from now on; `chat_member` is queued where the bot is an administrator and asked for it. */
  setMember(chat: number, person: User, standing: MemberStatus, how?: { readonly anonymous?: boolean; readonly rights?: Rights }): void;
  makeAdmin(chat: number, person: User, how?: { readonly anonymous?: boolean }): void;

  // What happens to the bot: each queues `my_chat_member`.
  setBot(chat: number, standing: MemberStatus, rights?: Rights): void;
  addBot(chat: number): void;
  kickBot(chat: number): void;
  /** In a private chat: the person blocks the bot. */
  blockBot(chat: number): void;
  unblockBot(chat: number): void;
  /** Nobody but administrators may write (400 "not enough rights to send text messages to the chat"); no update tells of it. */
  muteMembers(chat: number, muted?: boolean): void;
  /** The person's account is deleted: 403 "user is deactivated". */
  deactivate(chat: number): void;
  /** 403 "the group chat was deleted". */
  deleteGroup(chat: number): void;
  /** A plain group becomes a supergroup: `my_chat_member` of the new one, then both service messages; returns the new id. */
  migrate(chat: number): number;
  /** TOPIC_CLOSED for everyone but administrators with `can_manage_topics`. */
  closeTopic(chat: number, thread: number | 'general'): void;
  reopenTopic(chat: number, thread: number | 'general'): void;
  deleteTopic(chat: number, thread: number): void;
  /** Queues an update as it is given, whatever the bot asked for: repeats, shapes the stand-in has no control for. */
  push(update: Omit<Update, 'update_id'>): Update;

  // What went wrong.
  /** Plans a fault; returns what lifts it. Earlier plans go first. */
  fail(plan: FaultPlan): () => void;
  /** Another program with the same token sets its webhook. */
  hookElsewhere(url: string): void;
  /** Lifts every fault. */
  mend(): void;
  /** Switches the flood limits on or off. */
  limitRates(on: boolean): void;

  // What can be seen.
  /** What stands in a chat, oldest first, deleted ones left out. `general` means without a topic; left out means everywhere. */
  messages(chat: number, thread?: number | 'general'): readonly SeenMessage[];
  /** Of these, what the bot wrote. */
  posted(chat: number, thread?: number | 'general'): readonly SeenMessage[];
  /** What the bot shows to single people, oldest first; `raw.receiver_user` is who. */
  ephemeral(chat: number): readonly SeenMessage[];
  /** Edits by the bot, oldest first. */
  edits(chat?: number): readonly Edit[];
  /** What the bot deleted, oldest first. */
  deleted(chat?: number): readonly At[];
  /** Every request, oldest first, getUpdates included. */
  readonly transcript: readonly Call[];
  /** The transcript of one method. */
  calls(method: string): readonly Call[];
  /** The command menu that somebody would see in a chat; the most specific scope wins, as the clients do it. */
  menu(chat: number, person: User): readonly { readonly command: string; readonly description: string }[];
  /** Updates not yet confirmed by an offset. */
  readonly pending: readonly Update[];
  /** Whether a long poll waits right now. */
  readonly polling: boolean;
  /**
   * Resolves with the first truthy value of `look`, which is asked now and after everything that happens here (a request arrives or is
   * answered, a message changes, a poll begins). Rejects when the stand-in closes first.
   */
  waitFor<T>(look: () => T | undefined | null | false): Promise<T>;
}
