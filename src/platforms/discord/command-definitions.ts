/** Catalogue as slash commands. Pure. https://docs.discord.com/developers/interactions/application-commands */
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
} from 'discord.js';
import { z } from 'zod';
import type { CommandEntry, OptionEntry } from '../../chat/catalogue.js';
import { truncate } from '../truncate.js';
import { WATCH_WALLET } from './watch-wallet.js';

const MAX_TEXT = 100;
const MAX_OPTIONS = 25;
const MAX_CHOICES = 25;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const list = <T extends z.ZodType>(of: T) =>
  z
    .array(of)
    .nullish()
    .transform((value) => value ?? []);

/** Discord returns them in any order. */
const kinds = list(z.int()).transform((all) => all.toSorted((a, b) => a - b));

const definitionSchema = z.object({
  type: z.int().default(ApplicationCommandType.ChatInput),
  name: z.string(),
  description: text,
  /** Of members who see it; null for all. */
  default_member_permissions: z
    .string()
    .nullish()
    .transform((bits) => bits ?? null),
  contexts: kinds,
  integration_types: kinds,
  options: list(
    z.object({
      type: z.int(),
      name: z.string(),
      description: text,
      required: flag,
      autocomplete: flag,
      choices: list(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })),
    }),
  ),
});
export type Definition = z.infer<typeof definitionSchema>;

export const registeredSchema = definitionSchema.extend({ id: z.string() });
export type Registered = z.infer<typeof registeredSchema>;

/** Servers and private chats, of bot or installers. */
const EVERYWHERE = {
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};
/** Discord refuses them for the commands of one server. */
const IN_ONE_SERVER = { contexts: [], integration_types: [] };

const MANAGERS = PermissionFlagsBits.ManageChannels.toString();

export function definitionsOf(commands: readonly CommandEntry[], guild: string | undefined): readonly Definition[] {
  const places = guild === undefined ? EVERYWHERE : IN_ONE_SERVER;
  const watch = commands.some(({ name }) => name === 'watch') ? [messageCommand(WATCH_WALLET)] : [];
  return [...commands.map(slashCommand), ...watch].map((definition) => ({ ...definition, ...places }));
}

const messageCommand = (name: string): Definition => ({
  ...{ type: ApplicationCommandType.Message, name, description: '', options: [] },
  ...{ default_member_permissions: null, ...IN_ONE_SERVER },
});

const slashCommand = ({ name, summary, options, managersOnly = false }: CommandEntry): Definition => ({
  type: ApplicationCommandType.ChatInput,
  name,
  description: truncate(summary, MAX_TEXT) || name,
  default_member_permissions: managersOnly ? MANAGERS : null,
  ...IN_ONE_SERVER,
  // Discord requires the required options first.
  options: options
    .flatMap((option) => (option.file === true ? fileOptions(option, options) : [optionOf(option)]))
    .toSorted((a, b) => Number(b.required) - Number(a.required))
    .slice(0, MAX_OPTIONS),
});

const FILE = 'file';

/** For file and text. */
function fileOptions(option: OptionEntry, all: readonly OptionEntry[]): readonly Definition['options'][number][] {
  const words = { ...optionOf(option), required: false };
  const isAlone = all.some(({ name }) => name === FILE);
  const file = {
    ...words,
    type: ApplicationCommandOptionType.Attachment,
    name: isAlone ? option.name : FILE,
    required: isAlone && option.required,
    autocomplete: false,
    choices: [],
  };
  return isAlone ? [file] : [file, { ...words, description: truncate(`Instead of a file: ${option.summary}`, MAX_TEXT) }];
}

/** Too many choices are offered while typing. */
const optionOf = ({ name, summary, required, choices = [], completes }: OptionEntry): Definition['options'][number] => {
  const isList = choices.length > 0 && choices.length <= MAX_CHOICES;
  return {
    type: ApplicationCommandOptionType.String,
    name,
    description: truncate(summary, MAX_TEXT) || name,
    required,
    autocomplete: completes && !isList,
    choices: isList ? choices.map((choice) => ({ name: truncate(choice, MAX_TEXT), value: choice })) : [],
  };
};

const CHAT_INPUT: number = ApplicationCommandType.ChatInput;

/** Message commands lack options, server commands contexts. */
export function bodyOf({ contexts, integration_types: installs, options, ...definition }: Definition): object {
  return {
    ...definition,
    ...(definition.type === CHAT_INPUT ? { options } : {}),
    ...(contexts.length === 0 ? {} : { contexts, integration_types: installs }),
  };
}

export const isSame = (a: Definition, b: Definition): boolean =>
  JSON.stringify(definitionSchema.parse(a)) === JSON.stringify(definitionSchema.parse(b));
