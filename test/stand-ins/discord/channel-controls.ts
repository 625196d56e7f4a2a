/** Channels, threads and what people write in them, as a test makes and changes them; the client is alerted of each change. */
import { ChannelType, Intent, Permission, isThreadType } from './flags.js';
import { join } from './guild-controls.js';
import { removeMessage, tell } from './messages.js';
import { NO_PINGS, pingsOf } from './mentions.js';
import { channelPermissions, may } from './permissions.js';
import { momentOf } from './snowflake.js';
import type { StandInContext } from './context.js';
import type { Controls, Id } from './types.js';
import { wireToldChannel } from './wire.js';
import { channelsOf, known, type Channel, type Message } from './world.js';

export type ChannelControls = Pick<
  Controls,
  | 'addChannel'
  | 'addThread'
  | 'setForum'
  | 'posts'
  | 'tagPost'
  | 'openDirect'
  | 'rewrite'
  | 'setPermission'
  | 'botPermissions'
  | 'setThread'
  | 'deleteChannel'
  | 'deleteMessage'
  | 'say'
>;

export interface SaidWords {
  readonly channel: Id;
  readonly user: Id;
  readonly content: string;
  readonly replyTo?: Id;
  /** Whether the reply mentions the author of the message above, as clients do unless it is switched off; default true. */
  readonly ping?: boolean;
  /** Files that were added with `addFile`. */
  readonly files?: readonly Id[];
  /** A webhook wrote it, under the name of the user. */
  readonly byWebhook?: boolean;
}

/** The private chat of the bot and a person, made when it is not there yet. */
export function directChannel({ world }: StandInContext, user: Id): Channel {
  known(world.users, user, 'user');
  const standing = [...world.channels.values()].find(({ type, recipient }) => type === ChannelType.direct && recipient === user);
  if (standing !== undefined) return standing;
  const channel = newChannel({ id: world.newId(), type: ChannelType.direct, recipient: user });
  world.channels.set(channel.id, channel);
  return channel;
}

/** The channel, for a person who acts in it: in a server they join when they are not in it yet. Throws a sentence for who cannot see it. */
export function channelFor(context: StandInContext, { channel: id, user }: { readonly channel: Id; readonly user: Id }): Channel {
  const { world } = context;
  const channel = known(world.channels, id, 'channel');
  known(world.users, user, 'user');
  if (channel.deleted) throw new Error(`Channel ${id} was deleted; nobody can act in it.`);
  const guild = channel.guild === undefined ? undefined : known(world.guilds, channel.guild, 'guild');
  if (guild !== undefined && !guild.members.has(user)) join(context, guild, { user });
  if (!may(channelPermissions(world, channel, user), Permission.VIEW_CHANNEL)) throw new Error(`User ${user} cannot see channel ${id}.`);
  return channel;
}

export const newChannel = (channel: Partial<Channel> & Pick<Channel, 'id' | 'type'>): Channel => ({
  guild: undefined,
  name: 'channel',
  owner: undefined,
  parent: undefined,
  position: 0,
  overwrites: new Map(),
  recipient: undefined,
  botJoined: true,
  archived: false,
  archivedAt: undefined,
  locked: false,
  deleted: false,
  tags: [],
  needsTag: false,
  appliedTags: [],
  ...channel,
});

export function channelControls(context: StandInContext): ChannelControls {
  const { world, bus } = context;
  const channelOf = (id: Id): Channel => known(world.channels, id, 'channel');
  const add = (channel: Channel): Id => {
    world.channels.set(channel.id, channel);
    const isThread = isThreadType(channel.type);
    // Of a thread that it cannot see the bot hears nothing.
    if (!isThread || may(channelPermissions(world, channel, world.applicationId), Permission.VIEW_CHANNEL))
      announce(isThread ? 'THREAD_CREATE' : 'CHANNEL_CREATE', channel);
    bus.happened();
    return channel.id;
  };
  const announce = (name: string, channel: Channel): void => {
    context.dispatch({ name, data: wireToldChannel(world, channel), intent: Intent.GUILDS });
    bus.happened();
  };
  const remove = (channel: Channel): void => {
    channel.deleted = true;
    if (!isThreadType(channel.type)) return announce('CHANNEL_DELETE', channel);
    const { id, guild, parent, type } = channel;
    context.dispatch({ name: 'THREAD_DELETE', data: { id, guild_id: guild, parent_id: parent, type }, intent: Intent.GUILDS });
    return bus.happened();
  };
  /** Names in code are no mentions. */
  const pingsIn = (content: string, { channel, user, repliedTo }: { channel: Channel; user: Id; repliedTo: Id | undefined }) =>
    pingsOf({
      ...{ world, repliedTo, allowed: undefined, content: content.replaceAll(/`[^`]*`/gu, '') },
      mayMentionEveryone: may(channelPermissions(world, channel, user), Permission.MENTION_EVERYONE),
    });
  return {
    addChannel: ({ guild, kind = 'text', id = world.newId(), name = kind, parent, position = 0 }) =>
      add(newChannel({ id, type: ChannelType[kind], guild: known(world.guilds, guild, 'guild').id, name, parent, position })),
    setForum(id, { tags, needsTag }) {
      const forum = channelOf(id);
      forum.tags = tags?.map(({ name, moderated = false }) => ({ id: world.newId(), name, moderated })) ?? forum.tags;
      forum.needsTag = needsTag ?? forum.needsTag;
      announce('CHANNEL_UPDATE', forum);
    },
    posts: (id) =>
      channelsOf(world, channelOf(id).guild ?? '')
        .filter(({ parent, type }) => parent === id && isThreadType(type))
        .map(({ id: post, name, archived, appliedTags }) => ({
          ...{ id: post, name, archived },
          tags: appliedTags.flatMap((tag) => channelOf(id).tags.find((one) => one.id === tag)?.name ?? []),
        })),
    tagPost(id, name) {
      const post = channelOf(id);
      const tag = channelOf(post.parent ?? '').tags.find((one) => one.name === name);
      if (tag === undefined) throw new Error(`The forum has no tag "${name}".`);
      post.appliedTags = [...post.appliedTags, tag.id];
      announce('THREAD_UPDATE', post);
    },
    addThread({ parent, id = world.newId(), name = 'thread', archived = false, locked = false, isPrivate = false, withBot = true }) {
      const above = channelOf(parent);
      const shared = above.type === ChannelType.announcement ? ChannelType.newsThread : ChannelType.thread;
      const type = isPrivate ? ChannelType.privateThread : shared;
      return add(newChannel({ id, type, guild: above.guild, name, parent, archived, locked, botJoined: withBot }));
    },
    openDirect: (user) => directChannel(context, user).id,
    setPermission({ channel: id, target, allow = 0n, deny = 0n, inherit = 0n }) {
      const channel = channelOf(id);
      if (channel.guild === undefined || isThreadType(channel.type))
        throw new Error(`Channel ${id} is a thread or a private chat, which have no overwrites of their own.`);
      const whom = target === 'bot' ? world.applicationId : target === 'everyone' ? channel.guild : target;
      const before = channel.overwrites.get(whom) ?? { allow: 0n, deny: 0n };
      channel.overwrites.set(whom, {
        target: whom,
        kind: world.roles.has(whom) ? 0 : 1,
        allow: ((before.allow & ~deny) | allow) & ~inherit,
        deny: ((before.deny & ~allow) | deny) & ~inherit,
      });
      announce('CHANNEL_UPDATE', channel);
    },
    botPermissions: (id) => channelPermissions(world, channelOf(id), world.applicationId),
    setThread(id, { archived, locked }) {
      const thread = channelOf(id);
      thread.archived = archived ?? thread.archived;
      thread.locked = locked ?? thread.locked;
      announce('THREAD_UPDATE', thread);
    },
    deleteChannel(id) {
      const channel = channelOf(id);
      // Its threads go with it.
      for (const thread of channelsOf(world, channel.guild ?? ''))
        if (thread.parent === id && isThreadType(thread.type)) thread.deleted = true;
      remove(channel);
    },
    deleteMessage: (id) => removeMessage(context, known(world.messages, id, 'message')),
    say({ channel: id, user, content, replyTo, ping = true, files = [], byWebhook = false }) {
      const channel = channelFor(context, { channel: id, user });
      const above = replyTo === undefined ? undefined : known(world.messages, replyTo, 'message');
      const message: Message = {
        ...said({ id: world.newId(), channel: channel.id, author: user, content }),
        ...{ repliesTo: above?.id, pings: pingsIn(content, { channel, user, repliedTo: ping ? above?.author : undefined }), byWebhook },
        files: files.map((file) => ({ ...known(world.attachments, file, 'file'), description: undefined })),
      };
      world.messages.set(message.id, message);
      tell(context, 'MESSAGE_CREATE', message);
      bus.happened();
      return message.id;
    },
    rewrite(id, content) {
      const message = known(world.messages, id, 'message');
      const channel = known(world.channels, message.channel, 'channel');
      Object.assign(message, {
        ...{ content, edits: message.edits + 1, editedAt: context.clock.now() },
        pings: pingsIn(content, { channel, user: message.author, repliedTo: undefined }),
      });
      tell(context, 'MESSAGE_UPDATE', message);
      bus.happened();
    },
  };
}

const said = (words: Pick<Message, 'id' | 'channel' | 'author' | 'content'>): Message => ({
  ...words,
  createdAt: momentOf(words.id),
  nonce: undefined,
  repliesTo: undefined,
  interaction: undefined,
  ephemeral: false,
  embeds: [],
  components: [],
  files: [],
  flags: 0,
  pings: NO_PINGS,
  editedAt: undefined,
  edits: 0,
  deleted: false,
});
