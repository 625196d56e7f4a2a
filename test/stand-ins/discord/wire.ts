/** People, servers, roles and channels in the platform's own shapes. Messages are in `wire-message.ts`. */
import { ChannelType, Permission, isThreadType } from './flags.js';
import { channelPermissions, may } from './permissions.js';
import { momentOf } from './snowflake.js';
import { channelsOf, known, rolesOf, type Channel, type Guild, type Member, type Role, type User, type World } from './world.js';

export type Wire = Record<string, unknown>;

/** A moment as the platform writes it. */
export const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const wireUser = (user: User): Wire => ({
  id: user.id,
  username: user.name,
  discriminator: '0',
  global_name: user.isBot ? null : user.name,
  avatar: null,
  avatar_decoration_data: null,
  banner: null,
  accent_color: null,
  primary_guild: null,
  public_flags: 0,
  flags: 0,
  ...(user.isBot && { bot: true }),
});

export const wireMember = (world: World, member: Member): Wire => ({
  user: wireUser(known(world.users, member.user, 'user')),
  nick: null,
  avatar: null,
  banner: null,
  roles: [...member.roles],
  joined_at: isoOf(member.joinedAt),
  premium_since: null,
  communication_disabled_until: null,
  pending: false,
  deaf: false,
  mute: false,
  flags: 0,
});

export const wireRole = (world: World, role: Role): Wire => ({
  id: role.id,
  name: role.name,
  permissions: role.permissions.toString(),
  position: role.position,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  managed: role.managed,
  mentionable: role.mentionable,
  icon: null,
  unicode_emoji: null,
  flags: 0,
  ...(role.managed && { tags: { bot_id: world.applicationId } }),
});

export function wireChannel(world: World, channel: Channel): Wire {
  const common = { id: channel.id, type: channel.type, flags: 0, last_message_id: null };
  if (channel.type === ChannelType.direct)
    return { ...common, recipients: [wireUser(known(world.users, channel.recipient ?? '', 'user'))] };
  const placed = { ...common, guild_id: channel.guild, name: channel.name, parent_id: channel.parent ?? null, rate_limit_per_user: 0 };
  if (isThreadType(channel.type)) return { ...placed, ...wireThread(world, channel) };
  return {
    ...placed,
    position: channel.position,
    nsfw: false,
    topic: null,
    permission_overwrites: [...channel.overwrites.values()].map(({ target, kind, allow, deny }) => ({
      id: target,
      type: kind,
      allow: allow.toString(),
      deny: deny.toString(),
    })),
    ...(channel.type === ChannelType.voice && { bitrate: 64_000, user_limit: 0, rtc_region: null }),
    ...(channel.type === ChannelType.forum && {
      ...{ flags: channel.needsTag ? REQUIRE_TAG : 0, default_reaction_emoji: null, default_sort_order: null },
      available_tags: channel.tags.map((tag) => ({ ...tag, emoji_id: null, emoji_name: null })),
    }),
  };
}

const REQUIRE_TAG = 1 << 4;
const OBFUSCATED = 1 << 17;

/** Whether the bot sees a channel; of a category, whether it sees any channel in it. */
export function isSeen(world: World, channel: Channel): boolean {
  if (channel.guild === undefined || may(channelPermissions(world, channel, world.applicationId), Permission.VIEW_CHANNEL)) return true;
  return (
    channel.type === ChannelType.category && channelsOf(world, channel.guild).some((one) => one.parent === channel.id && isSeen(world, one))
  );
}

/** A channel as the gateway tells it: of one that the bot cannot see only the id, the type and the position are true. */
export function wireToldChannel(world: World, channel: Channel): Wire {
  if (isThreadType(channel.type) || isSeen(world, channel)) return wireChannel(world, channel);
  return {
    ...{ id: channel.id, type: channel.type, guild_id: channel.guild, position: channel.position, parent_id: null },
    ...{ name: '___hidden___', flags: OBFUSCATED, nsfw: false, topic: null, last_message_id: null, rate_limit_per_user: 0 },
    permission_overwrites: [{ id: channel.guild, type: 0, allow: '0', deny: Permission.VIEW_CHANNEL.toString() }],
  };
}

function wireThread(world: World, thread: Channel): Wire {
  const at = isoOf(momentOf(thread.id));
  const isPost = world.channels.get(thread.parent ?? '')?.type === ChannelType.forum;
  return {
    owner_id: thread.owner ?? known(world.guilds, thread.guild ?? '', 'guild').owner,
    message_count: 0,
    member_count: 1,
    total_message_sent: 0,
    ...(isPost && { applied_tags: thread.appliedTags }),
    thread_metadata: {
      archived: thread.archived,
      locked: thread.locked,
      auto_archive_duration: 4320,
      archive_timestamp: thread.archivedAt === undefined ? at : isoOf(thread.archivedAt),
      create_timestamp: at,
      ...(thread.type === ChannelType.privateThread && { invitable: true }),
    },
  };
}

/** A server as `GET /guilds/{id}` answers it. */
export const wireGuild = (world: World, guild: Guild): Wire => ({
  id: guild.id,
  name: guild.name,
  icon: null,
  description: null,
  home_header: null,
  splash: null,
  discovery_splash: null,
  features: [],
  banner: null,
  owner_id: guild.owner,
  application_id: null,
  region: 'deprecated',
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: guild.systemChannel ?? null,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 0,
  roles: rolesOf(world, guild.id).map((role) => wireRole(world, role)),
  default_message_notifications: 1,
  mfa_level: 0,
  explicit_content_filter: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  vanity_url_code: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: 'en-US',
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  public_updates_channel_id: null,
  premium_progress_bar_enabled: false,
  nsfw: false,
  nsfw_level: 0,
  emojis: [],
  stickers: [],
  incidents_data: null,
});

/** A server as the gateway tells it when the bot connects or joins: with its channels, threads and the bot as its only member. */
export function wireGuildCreate(world: World, guild: Guild): Wire {
  const channels = channelsOf(world, guild.id);
  const bot = guild.members.get(world.applicationId);
  return {
    ...wireGuild(world, guild),
    joined_at: isoOf(bot?.joinedAt ?? 0),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: bot === undefined ? [] : [wireMember(world, bot)],
    channels: channels.filter(({ type }) => !isThreadType(type)).map((channel) => wireToldChannel(world, channel)),
    threads: channels
      .filter(({ type, archived, botJoined }) => isThreadType(type) && !archived && botJoined)
      .map((thread) => wireChannel(world, thread)),
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** The application as `GET /applications/@me` answers it. */
export const wireApplication = (world: World): Wire => ({
  id: world.applicationId,
  name: 'navwatch',
  icon: null,
  description: '',
  type: null,
  flags: 0,
  flags_new: '0',
  bot: wireUser(known(world.users, world.applicationId, 'user')),
  bot_public: true,
  bot_require_code_grant: false,
  verify_key: world.endpoint.publicKey,
  redirect_uris: [],
  interactions_endpoint_url: world.endpoint.url ?? null,
  role_connections_verification_url: null,
  owner: wireUser(known(world.users, world.applicationOwner, 'user')),
  approximate_guild_count: [...world.guilds.values()].filter(({ members }) => members.has(world.applicationId)).length,
  approximate_user_install_count: 0,
  approximate_user_authorization_count: 0,
  event_webhooks_url: null,
  explicit_content_filter: 0,
  team: null,
  eligible_oauth2_scopes: [],
});
