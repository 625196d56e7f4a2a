/** Numbers of the platform, under their names. https://docs.discord.com/developers/topics/permissions and …/events/gateway#gateway-intents */

export const Permission = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  MANAGE_ROLES: 1n << 28n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
  PIN_MESSAGES: 1n << 51n,
} as const;

/** Every permission there is, for an owner or an administrator. */
export const ALL_PERMISSIONS = (1n << 52n) - 1n;

/** What a bot is usually invited with here. */
export const USUAL_BOT_PERMISSIONS =
  Permission.VIEW_CHANNEL |
  Permission.SEND_MESSAGES |
  Permission.SEND_MESSAGES_IN_THREADS |
  Permission.EMBED_LINKS |
  Permission.ATTACH_FILES |
  Permission.READ_MESSAGE_HISTORY;

/**
 * What everyone, the bot included, may do in a server: to see, to run commands, and (as servers really begin) to mention everyone, so that
 * a careless mention does ping. Writing comes with the bot's own role, so that `setBotPermissions` can take it away.
 */
export const USUAL_EVERYONE_PERMISSIONS = Permission.VIEW_CHANNEL | Permission.USE_APPLICATION_COMMANDS | Permission.MENTION_EVERYONE;

/** The intents that are looked at here. */
export const Intent = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_PRESENCES: 1 << 8,
  GUILD_MESSAGES: 1 << 9,
  DIRECT_MESSAGES: 1 << 12,
  MESSAGE_CONTENT: 1 << 15,
} as const;

export const PRIVILEGED_INTENTS = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT;
/** Bits 0 to 16, 20, 21, 24 and 25 have a meaning. */
export const KNOWN_INTENTS = 0x1ffff | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

export const ChannelType = {
  text: 0,
  direct: 1,
  voice: 2,
  category: 4,
  announcement: 5,
  newsThread: 10,
  thread: 11,
  privateThread: 12,
  forum: 15,
  media: 16,
} as const;
const THREADS: ReadonlySet<number> = new Set([ChannelType.newsThread, ChannelType.thread, ChannelType.privateThread]);
export const isThreadType = (type: number): boolean => THREADS.has(type);

export const MessageFlag = {
  CROSSPOSTED: 1 << 0,
  EPHEMERAL: 1 << 6,
  LOADING: 1 << 7,
  SUPPRESS_EMBEDS: 1 << 2,
  SUPPRESS_NOTIFICATIONS: 1 << 12,
  COMPONENTS_V2: 1 << 15,
} as const;
