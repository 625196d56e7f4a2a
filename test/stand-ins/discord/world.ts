/** What there is: servers, channels, people, messages. Plain records and look-ups; what they look like on the wire is in `wire.ts`. */
import type { Clock } from '../../../src/base/clock.js';
import { snowflakes } from './snowflake.js';
import type { Id, Pings, SeenComponent, SeenEmbed } from './types.js';
import { openInteractionsEndpoint, type InteractionsEndpoint } from './interactions-endpoint.js';

export interface Role {
  readonly id: Id;
  readonly guild: Id;
  readonly name: string;
  permissions: bigint;
  position: number;
  /** The bot's own role, which the platform made and manages. */
  readonly managed: boolean;
  /** Whether everybody may ping it. */
  readonly mentionable: boolean;
}

export interface Member {
  readonly user: Id;
  readonly roles: Set<Id>;
  readonly joinedAt: number;
}

export interface Guild {
  readonly id: Id;
  readonly name: string;
  readonly owner: Id;
  readonly botRole: Id;
  readonly members: Map<Id, Member>;
  unavailable: boolean;
  /** Where the server posts its notices. */
  systemChannel: Id | undefined;
}

export interface Overwrite {
  readonly target: Id;
  /** 0 for a role, 1 for a member. */
  readonly kind: 0 | 1;
  allow: bigint;
  deny: bigint;
}

export interface ForumTag {
  readonly id: Id;
  readonly name: string;
  readonly moderated: boolean;
}

export interface Channel {
  readonly id: Id;
  readonly type: number;
  readonly guild: Id | undefined;
  name: string;
  /** It is who made the thread, if the bot did. */
  readonly owner: Id | undefined;
  readonly parent: Id | undefined;
  readonly position: number;
  readonly overwrites: Map<Id, Overwrite>;
  /** The person of a private chat. */
  readonly recipient: Id | undefined;
  /** Whether the bot was added to a private thread; true for every other channel. */
  botJoined: boolean;
  archived: boolean;
  /** Unix milliseconds, once it was archived or opened again. */
  archivedAt: number | undefined;
  locked: boolean;
  deleted: boolean;
  /** What posts of a forum can have. */
  tags: readonly ForumTag[];
  needsTag: boolean;
  /** What a post has. */
  appliedTags: readonly Id[];
}

export interface User {
  readonly id: Id;
  readonly name: string;
  readonly isBot: boolean;
  closed: boolean;
}

export interface File {
  readonly id: Id;
  readonly name: string;
  readonly description: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** What a person attached to a command, before any message has it. */
export interface Attachment extends Omit<File, 'description'> {
  /** What is alerted of it, which need not be true. */
  readonly size: number;
  readonly trouble: 'gone' | 'cut' | 'hang' | undefined;
}

export interface Row {
  readonly type: number;
  readonly components?: readonly SeenComponent[] | undefined;
}

export interface Message {
  readonly id: Id;
  readonly channel: Id;
  readonly author: Id;
  readonly createdAt: number;
  readonly nonce: string | number | undefined;
  readonly repliesTo: Id | undefined;
  /** The interaction that it answers. */
  readonly interaction: Id | undefined;
  readonly ephemeral: boolean;
  readonly byWebhook?: boolean;
  content: string;
  embeds: readonly SeenEmbed[];
  components: readonly Row[];
  files: readonly File[];
  flags: number;
  pings: Pings;
  editedAt: number | undefined;
  edits: number;
  deleted: boolean;
  pinned?: boolean;
}

export interface World {
  readonly applicationId: Id;
  /** The person who registered the application. */
  readonly applicationOwner: Id;
  readonly guilds: Map<Id, Guild>;
  readonly roles: Map<Id, Role>;
  readonly channels: Map<Id, Channel>;
  readonly users: Map<Id, User>;
  /** People who installed the application for themselves. */
  readonly installedBy: Set<Id>;
  /** By id, in the order they were made. */
  readonly messages: Map<Id, Message>;
  readonly attachments: Map<Id, Attachment>;
  readonly clock: Clock;
  /** Where interactions are posted; over the gateway without a URL. */
  readonly endpoint: InteractionsEndpoint;
  newId(): Id;
}

export function createWorld(clock: Clock, applicationId: Id | undefined): World {
  const newId = snowflakes(clock);
  const bot: User = { id: applicationId ?? newId(), name: 'navwatch', isBot: true, closed: false };
  const owner: User = { id: newId(), name: 'application-owner', isBot: false, closed: false };
  return {
    applicationId: bot.id,
    applicationOwner: owner.id,
    guilds: new Map(),
    roles: new Map(),
    channels: new Map(),
    users: new Map([bot, owner].map((user) => [user.id, user])),
    installedBy: new Set(),
    messages: new Map(),
    attachments: new Map(),
    clock,
    endpoint: openInteractionsEndpoint(clock),
    newId,
  };
}

/** The entry, or a sentence for whoever wrote the test. */
export function known<T>(from: ReadonlyMap<Id, T>, id: Id, what: string): T {
  const found = from.get(id);
  if (found === undefined) throw new Error(`The stand-in knows no ${what} ${id}; make it first with the controls.`);
  return found;
}

export const botIsIn = (world: World, guild: Guild): boolean => guild.members.has(world.applicationId);

/** Whether the bot is not in the server of this channel. */
export const isOutside = (world: World, { guild }: Channel): boolean =>
  guild !== undefined && !botIsIn(world, known(world.guilds, guild, 'guild'));

export const rolesOf = (world: World, guild: Id): readonly Role[] => [...world.roles.values()].filter((role) => role.guild === guild);

export const channelsOf = (world: World, guild: Id): readonly Channel[] =>
  [...world.channels.values()].filter((channel) => channel.guild === guild && !channel.deleted);

/** What a channel shows to everyone, oldest first. */
export const messagesIn = (world: World, channel: Id): readonly Message[] =>
  [...world.messages.values()].filter((message) => message.channel === channel && !message.deleted && !message.ephemeral);
