/** What exists on the stand-in's platform: people, chats, members, topics, messages. Plain data; who may do what is decided elsewhere. */
import type { BotCommand, CallbackQuery, ForceReply, Message, User, UserFromGetMe } from 'grammy/types';
import type { Clock } from '../../../src/base/clock.js';
import type { At, Edit, Feature, InlineAnswer, MemberStatus, PressAnswer, Rights, StoredFile } from './control.js';
import type { ReplyKeyboard } from './keyboard.js';
import type { Updates } from './updates.js';

export interface Member {
  readonly user: User;
  readonly status: MemberStatus;
  readonly anonymous: boolean;
  readonly rights: Rights;
}

export interface Topic {
  readonly name: string;
  closed: boolean;
  /** The service message every message of the topic is a reply to, unless it replies to something else. */
  readonly opened: Message;
}

/** A message as it is kept. */
export interface Stored {
  raw: Message;
  readonly by: 'bot' | 'person' | 'service';
  file: StoredFile | undefined;
  preview: string | undefined;
  readonly silent: boolean;
  readonly force: ForceReply | undefined;
  /** The keyboard that clients show in the place of the letters. */
  readonly reply: ReplyKeyboard | undefined;
  edits: number;
  pinned?: boolean;
}

export interface Chat {
  readonly id: number;
  readonly kind: 'private' | 'group' | 'supergroup' | 'channel';
  readonly title: string;
  readonly username: string | undefined;
  readonly forum: boolean;
  readonly members: Map<number, Member>;
  readonly topics: Map<number, Topic>;
  readonly messages: Map<number, Stored>;
  generalClosed: boolean;
  /** Only administrators may write. */
  muted: boolean;
  /** Why nothing can be sent there any more, the bot's own standing apart. */
  fate: 'alive' | 'deleted' | 'deactivated';
  /** The supergroup that this group became. */
  movedTo: number | undefined;
  lastId: number;
}

/** A press that waits for its answer, or had it. */
export interface Pressed {
  readonly query: CallbackQuery;
  readonly at: number;
  readonly settle: (answer: PressAnswer) => void;
}

export interface World {
  readonly token: string;
  readonly me: UserFromGetMe;
  readonly clock: Clock;
  readonly updates: Updates;
  /** Whether a webhook may be an http address, as with a Bot API server of one's own. */
  readonly localServer: boolean;
  readonly lacks: ReadonlySet<Feature>;
  webhook:
    | { readonly url: string; readonly secret: string | undefined; error: { readonly date: number; readonly message: string } | undefined }
    | undefined;
  readonly people: Map<number, User>;
  readonly chats: Map<number, Chat>;
  /** `alerted`: what is said of the size, where that is not the truth. */
  readonly files: Map<string, StoredFile & { readonly alerted?: number | null | undefined }>;
  readonly presses: Map<string, Pressed>;
  readonly inlineQueries: Map<string, { readonly at: number; readonly settle: (answer: InlineAnswer) => void }>;
  /** By scope and language, in the words of `methods/commands.ts`. */
  readonly menus: Map<string, readonly BotCommand[]>;
  readonly profile: { description: string; short: string; menuButton: string };
  readonly edits: Edit[];
  readonly deleted: At[];
  /** Private chats and plain groups count their messages together. */
  sharedId: number;
  lastSerial: number;
  /** Something happened that somebody may wait for. */
  readonly changed: () => void;
}

/** Who speaks for an anonymous administrator. */
export const ANONYMOUS: User = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };

/** A number nobody had before. */
export const serial = (world: World): number => (world.lastSerial += 1);

export const seconds = (world: World): number => Math.floor(world.clock.now() / 1_000);

/** The chat of a control call; a test that names one that does not exist is alerted so. */
export function chatOf(world: World, id: number): Chat {
  const chat = world.chats.get(id);
  if (!chat) throw new Error(`telegram stand-in: there is no chat ${id}; make one with privateChat, group, supergroup or channel`);
  return chat;
}

export function storedAt(world: World, { chat, id }: At): Stored {
  const stored = chatOf(world, chat).messages.get(id);
  if (!stored) throw new Error(`telegram stand-in: there is no message ${id} in chat ${chat}; it may have been deleted`);
  return stored;
}

export const memberOf = (chat: Chat, user: User): Member =>
  chat.members.get(user.id) ?? { user, status: 'left', anonymous: false, rights: {} };

export const isInside = ({ status: standing }: Member): boolean => standing !== 'left' && standing !== 'banned';

export const isAdmin = ({ status: standing }: Member): boolean => standing === 'creator' || standing === 'administrator';

/** Whether an administrator has a right; what was not denied is granted. */
export const may = (member: Member, right: keyof Rights): boolean =>
  member.status === 'creator' || (member.status === 'administrator' && member.rights[right] !== false);
