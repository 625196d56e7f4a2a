/** An interaction as Discord sends it becomes what was asked, by whom and where. Pure. https://docs.discord.com/developers/interactions/receiving-and-responding */
import { InteractionType, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import type { Address } from '../../chat/address.js';
import { addressOf } from './address.js';

const userSchema = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() });
const optionSchema = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().default(false),
});
const commandSchema = z.object({ name: z.string(), options: z.array(optionSchema).default([]) });
const pressSchema = z.object({ custom_id: z.string(), values: z.array(z.string()).default([]) });
const messageSchema = z.object({
  flags: z.int().default(0),
  interaction_metadata: z.object({ user: z.object({ id: z.string() }) }).nullish(),
  components: z.array(z.object({ components: z.array(z.object({ custom_id: z.string().optional() })).default([]) })).default([]),
});

const common = {
  id: z.string(),
  token: z.string(),
  application_id: z.string(),
  guild_id: z.string().optional(),
  channel_id: z.string(),
  channel: z.object({ parent_id: z.string().nullish() }).optional(),
  member: z.object({ user: userSchema, nick: z.string().nullish(), permissions: z.string().regex(/^\d+$/u) }).optional(),
  user: userSchema.optional(),
  /** How many bytes of a file may come with the answer; a server that is boosted takes more. */
  attachment_size_limit: z.int().positive().optional(),
};
const interactionSchema = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal(InteractionType.ApplicationCommand), data: commandSchema }),
  z.object({ ...common, type: z.literal(InteractionType.ApplicationCommandAutocomplete), data: commandSchema }),
  z.object({ ...common, type: z.literal(InteractionType.MessageComponent), data: pressSchema, message: messageSchema }),
]);
type Interaction = z.infer<typeof interactionSchema>;

export interface Asked {
  readonly id: string;
  readonly token: string;
  readonly application: string;
  readonly channel: string;
  readonly guild: string | undefined;
  readonly chat: Address;
  readonly person: { readonly id: string; readonly name: string };
  /** Whether they may manage the channel; in a private chat everybody manages their own. */
  readonly manages: boolean;
  readonly circles: readonly string[];
  /** How many bytes of files an answer may carry. */
  readonly mostBytes: number;
  readonly what:
    | { readonly kind: 'command'; readonly command: string; readonly options: Readonly<Record<string, string>> }
    | { readonly kind: 'complete'; readonly command: string; readonly option: string; readonly partial: string }
    | {
        readonly kind: 'press';
        readonly payload: string;
        /** Whether the message is an answer that this very person got. */
        readonly own: boolean;
        /** Whether only they can see the message. */
        readonly hidden: boolean;
        /** The payloads of all buttons of the message. */
        readonly beside: readonly string[];
      };
}

/** What every server takes, https://docs.discord.com/developers/reference#uploading-files */
const MOST_BYTES = 10 * 1024 * 1024;

/** Throws a `ZodError` on what is no interaction that we know. */
export function askedOf(data: unknown): Asked {
  const interaction = interactionSchema.parse(data);
  const { id, token, application_id: application, channel_id: channel, guild_id: guild, member } = interaction;
  const user = userSchema.parse(member?.user ?? interaction.user);
  const parent = interaction.channel?.parent_id;
  return {
    ...{ id, token, application, channel, guild },
    chat: addressOf(channel),
    person: { id: user.id, name: member?.nick ?? user.global_name ?? user.username },
    manages: guild === undefined || mayManage(BigInt(member?.permissions ?? '0')),
    circles: [
      ...(guild === undefined ? [] : [`discord/guild/${guild}`]),
      `discord/channel/${channel}`,
      // Who lets a channel in lets its threads in.
      ...(guild === undefined || typeof parent !== 'string' ? [] : [`discord/channel/${parent}`]),
      `discord/user/${user.id}`,
    ],
    mostBytes: interaction.attachment_size_limit ?? MOST_BYTES,
    what: whatOf(interaction, user.id),
  };
}

/** The permissions that come with an interaction have the channel's overwrites in them already. */
const mayManage = (permissions: bigint): boolean =>
  (permissions & (PermissionFlagsBits.ManageChannels | PermissionFlagsBits.Administrator)) !== 0n;

function whatOf(interaction: Interaction, user: string): Asked['what'] {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand: {
      const { name: command, options } = interaction.data;
      return { kind: 'command', command, options: Object.fromEntries(options.map(({ name, value = '' }) => [name, String(value)])) };
    }
    case InteractionType.ApplicationCommandAutocomplete: {
      const { name: command, options } = interaction.data;
      const focused = options.find((option) => option.focused);
      return { kind: 'complete', command, option: focused?.name ?? '', partial: String(focused?.value ?? '') };
    }
    case InteractionType.MessageComponent: {
      const { data, message } = interaction;
      return {
        kind: 'press',
        payload: data.values[0] ?? data.custom_id,
        own: message.interaction_metadata?.user.id === user,
        hidden: (message.flags & MessageFlags.Ephemeral) !== 0,
        beside: message.components.flatMap(({ components }) => components.flatMap(({ custom_id: one }) => one ?? [])),
      };
    }
  }
}
