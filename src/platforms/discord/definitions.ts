/** The catalogue as slash commands. Pure. https://docs.discord.com/developers/interactions/application-commands */
import { ApplicationCommandOptionType, ApplicationCommandType, ApplicationIntegrationType, InteractionContextType } from 'discord.js';
import { z } from 'zod';
import type { CommandEntry, OptionEntry } from '../../chat/catalogue.js';
import { truncate } from '../truncate.js';

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

const definitionSchema = z.object({
  type: z.int().default(ApplicationCommandType.ChatInput),
  name: z.string(),
  description: text,
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

export const definitionsOf = (commands: readonly CommandEntry[]): readonly Definition[] =>
  commands.map(({ name, summary, options }) => ({
    type: ApplicationCommandType.ChatInput,
    name,
    description: truncate(summary, MAX_TEXT) || name,
    // Discord requires the required options first.
    options: options
      .flatMap((option) => (option.file === true ? fileOptions(option, options) : [optionOf(option)]))
      .toSorted((a, b) => Number(b.required) - Number(a.required))
      .slice(0, MAX_OPTIONS),
  }));

const FILE = 'file';

/** An option for a file and one for its text; only the latter where the name is taken. */
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

/** Too many choices for a list are offered while typing. */
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

/** Contexts and installations can be set for all servers only. */
export const bodyOf = (definition: Definition, guild: string | undefined): object =>
  guild === undefined
    ? {
        ...definition,
        contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
        integration_types: [ApplicationIntegrationType.GuildInstall],
      }
    : definition;

export const isSame = (a: Definition, b: Definition): boolean =>
  JSON.stringify(definitionSchema.parse(a)) === JSON.stringify(definitionSchema.parse(b));
