/** Parses an interaction. https://docs.discord.com/developers/interactions/receiving-and-responding */
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord.js';
import { z } from 'zod';
import type { Address } from '../../chat/address.js';
import { addressOf } from './address.js';
import { TYPED } from './components.js';

const userSchema = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() });
const optionSchema = z.object({
  type: z.int().default(ApplicationCommandOptionType.String),
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().default(false),
});
const ATTACHMENT: number = ApplicationCommandOptionType.Attachment;
/** The option that chooses another channel. It is added to commands without an option of this name. */
export const CHANNEL = 'channel';
const fileSchema = z.object({ filename: z.string(), size: z.int().nonnegative(), url: z.url() });
const embedSchema = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});
/** The message that a message command was used on. */
const targetSchema = z.object({ content: z.string().default(''), embeds: z.array(embedSchema).default([]) });
const commandSchema = z.object({
  type: z.int().default(ApplicationCommandType.ChatInput),
  name: z.string(),
  target_id: z.string().optional(),
  options: z.array(optionSchema).default([]),
  resolved: z
    .object({
      attachments: z.record(z.string(), fileSchema).default({}),
      messages: z.record(z.string(), targetSchema).default({}),
      roles: z.record(z.string(), z.unknown()).default({}),
    })
    .default({ attachments: {}, messages: {}, roles: {} }),
});
const pressSchema = z.object({ custom_id: z.string(), values: z.array(z.string()).default([]) });
const inputSchema = z.object({
  type: z.int().optional(),
  custom_id: z.string(),
  value: z.string().nullish(),
  values: z.array(z.string()).default([]),
});
const submitSchema = z.object({
  custom_id: z.string(),
  resolved: z.object({ attachments: z.record(z.string(), fileSchema).default({}) }).default({ attachments: {} }),
  components: z.array(
    z.union([
      z.object({ component: inputSchema }).transform(({ component }) => [component]),
      z.object({ components: z.array(inputSchema) }).transform(({ components }) => components),
    ]),
  ),
});
const componentSchema = z.object({
  custom_id: z.string().optional(),
  label: z.string().nullish(),
  options: z.array(z.object({ value: z.string() })).default([]),
});
const messageSchema = z.object({
  id: z.string().optional(),
  referenced_message: z.object({ author: z.object({ id: z.string() }) }).nullish(),
  flags: z.int().default(0),
  interaction_metadata: z.object({ id: z.string().optional(), user: z.object({ id: z.string() }) }).nullish(),
  components: z.array(z.object({ components: z.array(componentSchema).default([]) })).default([]),
});
type Message = z.infer<typeof messageSchema>;

const common = {
  id: z.string(),
  token: z.string(),
  application_id: z.string(),
  guild_id: z.string().optional(),
  channel_id: z.string(),
  channel: z.object({ parent_id: z.string().nullish() }).optional(),
  member: z.object({ user: userSchema, nick: z.string().nullish(), permissions: z.string().regex(/^\d+$/u) }).optional(),
  user: userSchema.optional(),
  context: z.int().optional(),
  /** Who installed the application: key "0" holds the server, key "1" the person. */
  authorizing_integration_owners: z.record(z.string(), z.string()).optional(),
  /** The largest upload in bytes; a boosted server allows more. */
  attachment_size_limit: z.int().positive().optional(),
};
const interactionSchema = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal(InteractionType.ApplicationCommand), data: commandSchema }),
  z.object({ ...common, type: z.literal(InteractionType.ApplicationCommandAutocomplete), data: commandSchema }),
  z.object({ ...common, type: z.literal(InteractionType.MessageComponent), data: pressSchema, message: messageSchema }),
  z.object({ ...common, type: z.literal(InteractionType.ModalSubmit), data: submitSchema, message: messageSchema.optional() }),
]);
type RawInteraction = z.infer<typeof interactionSchema>;

/** A file of a person. Its URL contains a signature and must not be logged. */
export interface AttachmentInfo {
  readonly name: string;
  /** The size is in bytes. */
  readonly size: number;
  readonly url: string;
}

export interface PressedMessage {
  /** True if the message answers a question of the person who pressed. */
  readonly own: boolean;
  readonly origin: string | undefined;
  /** True if the message is ephemeral. */
  readonly hidden: boolean;
  readonly payloads: readonly string[];
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly application: string;
  readonly channel: string;
  readonly guild: string | undefined;
  /** The channel of a thread, or the category of a channel. */
  readonly parent: string | undefined;
  readonly chat: Address;
  readonly person: { readonly id: string; readonly name: string };
  /** The person's permissions in the channel, with its overwrites; 0 in a private chat. */
  readonly permissions: bigint;
  /** True if the person may change the watchlist; always true in a private chat with the bot. */
  readonly manages: boolean;
  /** True if the person has installed the application and the server has not. */
  readonly isOutside: boolean;
  readonly circles: readonly string[];
  readonly maxUploadBytes: number;
  /** The interaction as JSON. */
  readonly raw: unknown;
  /** True if another process has acknowledged and forwarded the interaction. */
  readonly isForwarded: boolean;
  /** Lets later forwarded interactions of the chat begin. */
  readonly endTurn?: () => void;
  readonly request:
    | {
        readonly kind: 'command';
        readonly command: string;
        readonly options: Readonly<Record<string, string>>;
        readonly files: readonly AttachmentInfo[];
      }
    | { readonly kind: 'message command'; readonly command: string; readonly texts: readonly string[] }
    | {
        readonly kind: 'complete';
        readonly command: string;
        readonly option: string;
        readonly partial: string;
        readonly elsewhere: boolean;
      }
    | {
        readonly kind: 'press';
        readonly payload: string;
        readonly label: string;
        readonly on: PressedMessage;
      }
    | {
        readonly kind: 'submit';
        readonly payload: string;
        readonly typed: string;
        /** What the person typed or chose in each part of the form, by the part's id. */
        readonly parts: Readonly<Record<string, readonly string[]>>;
        readonly files: readonly AttachmentInfo[];
        readonly on: PressedMessage;
      };
}

/** https://docs.discord.com/developers/reference#uploading-files */
export const DEFAULT_MAX_UPLOAD = 10 * 1024 * 1024;

/** Parses an interaction. Throws a `ZodError` for an unknown kind. */
export function readInteraction(data: unknown, isForwarded = false): Interaction {
  const interaction = interactionSchema.parse(data);
  const { id, token, application_id: application, channel_id: channel, guild_id: guild, member } = interaction;
  const user = userSchema.parse(member?.user ?? interaction.user);
  const parent = interaction.channel?.parent_id;
  const { context, authorizing_integration_owners: owners } = interaction;
  const isOutside = context === PRIVATE_CHANNEL || (guild !== undefined && owners !== undefined && !(GUILD_INSTALL in owners));
  // The permissions of an interaction include the channel's overwrites.
  const permissions = guild === undefined ? 0n : BigInt(member?.permissions ?? '0');
  return {
    id,
    token,
    application,
    channel,
    guild,
    permissions,
    parent: parent ?? undefined,
    chat: addressOf(channel),
    person: { id: user.id, name: member?.nick ?? user.global_name ?? user.username },
    isOutside,
    manages: !isOutside && (guild === undefined || has(permissions, PermissionFlagsBits.ManageChannels)),
    // If the server has not installed the bot, only the person counts.
    circles: [...(isOutside ? [] : placesOf({ guild, channel, parent })), `discord/user/${user.id}`],
    maxUploadBytes: interaction.attachment_size_limit ?? DEFAULT_MAX_UPLOAD,
    raw: data,
    isForwarded,
    request: requestOf(interaction, user.id),
  };
}

const GUILD_INSTALL = String(ApplicationIntegrationType.GuildInstall);
const PRIVATE_CHANNEL: number = InteractionContextType.PrivateChannel;

const placesOf = ({ guild, channel, parent }: { guild: string | undefined; channel: string; parent: string | null | undefined }) => [
  ...(guild === undefined ? [] : [`discord/guild/${guild}`]),
  `discord/channel/${channel}`,
  ...(guild === undefined || typeof parent !== 'string' ? [] : [`discord/channel/${parent}`]),
];

/** Tells whether the permissions include `right`. Administrators have every right. */
export const has = (permissions: bigint, right: bigint): boolean => (permissions & (right | PermissionFlagsBits.Administrator)) !== 0n;

function requestOf(interaction: RawInteraction, user: string): Interaction['request'] {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return interaction.data.type === MESSAGE
        ? { kind: 'message command', command: interaction.data.name, texts: textsOf(interaction.data) }
        : { kind: 'command', ...commandOf(interaction.data) };
    case InteractionType.ApplicationCommandAutocomplete: {
      const { name: command, options } = interaction.data;
      const focused = options.find((option) => option.focused);
      const elsewhere = options.some(({ type }) => type === CHANNEL_OPTION);
      return { kind: 'complete', command, option: focused?.name ?? '', partial: String(focused?.value ?? ''), elsewhere };
    }
    case InteractionType.MessageComponent: {
      const { data, message } = interaction;
      const pressed = inside(message).find(({ custom_id: id }) => id === data.custom_id);
      return { kind: 'press', payload: data.values[0] ?? data.custom_id, label: pressed?.label ?? '', on: pressedMessage(message, user) };
    }
    case InteractionType.ModalSubmit: {
      const { data, message } = interaction;
      const inputs = data.components.flat();
      const typed = inputs.find(({ custom_id: id }) => id === TYPED)?.value ?? '';
      const parts = Object.fromEntries(
        inputs.map(({ custom_id: id, value, values }) => [id, typeof value === 'string' ? [value] : values]),
      );
      const files = inputs
        .filter(({ type }) => type === FILE_UPLOAD)
        .flatMap(({ values }) => values.slice(0, MAX_FILES).flatMap((id) => fileNamed(id, data.resolved.attachments)));
      return { kind: 'submit', payload: data.custom_id, typed, parts, files, on: pressedMessage(message, user) };
    }
  }
}

const FILE_UPLOAD: number = ComponentType.FileUpload;
/** Discord accepts this many files in one part of a form. */
const MAX_FILES = 10;
const MESSAGE: number = ApplicationCommandType.Message;
const CHANNEL_OPTION: number = ApplicationCommandOptionType.Channel;

/** Writes an id as a mention, so that a form and a typed line give the same text. */
function writtenValue({ type, value = '' }: z.infer<typeof optionSchema>, { roles }: z.infer<typeof commandSchema>['resolved']): string {
  const id = String(value);
  if (type === CHANNEL_OPTION) return `<#${id}>`;
  return type === MENTIONABLE_OPTION ? `<@${id in roles ? '&' : ''}${id}>` : id;
}
const MENTIONABLE_OPTION: number = ApplicationCommandOptionType.Mentionable;

function textsOf({ target_id: id = '', resolved }: z.infer<typeof commandSchema>): readonly string[] {
  const { content, embeds } = resolved.messages[id] ?? { content: '', embeds: [] };
  const inEmbeds = embeds.flatMap(({ title, description, url, fields }) => [
    ...[title, url, description].flatMap((text) => text ?? []),
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]);
  return [content, ...inEmbeds];
}

function commandOf({ name: command, options, resolved }: z.infer<typeof commandSchema>) {
  const isFile = ({ type }: z.infer<typeof optionSchema>): boolean => type === ATTACHMENT;
  return {
    command,
    options: Object.fromEntries(options.filter((option) => !isFile(option)).map((option) => [option.name, writtenValue(option, resolved)])),
    files: options.filter(isFile).flatMap(({ value }) => fileNamed(String(value), resolved.attachments)),
  };
}

function fileNamed(id: string, attachments: Readonly<Record<string, z.infer<typeof fileSchema>>>): readonly AttachmentInfo[] {
  const file = attachments[id];
  return file === undefined ? [] : [{ name: file.filename, size: file.size, url: file.url }];
}

const inside = (message: Message) => message.components.flatMap(({ components }) => components);

const pressedMessage = (message: Message | undefined, user: string): PressedMessage =>
  message === undefined
    ? { own: false, origin: undefined, hidden: false, payloads: [] }
    : {
        // An alert is no answer to a person, so it is nobody's own.
        own: message.interaction_metadata?.user.id === user || message.referenced_message?.author.id === user,
        origin: message.interaction_metadata?.id ?? message.id,
        hidden: (message.flags & MessageFlags.Ephemeral) !== 0,
        payloads: inside(message).flatMap(({ custom_id: id, options }) => [
          ...(id === undefined ? [] : [id]),
          ...options.map(({ value }) => value),
        ]),
      };
