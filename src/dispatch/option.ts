/** The options of a command, derived from its one schema: what parsing, help, completion and slash definitions need to know of them. */
import { omitUndefined } from '../base/omit-undefined.js';
import { z } from 'zod';
import { derived } from '../base/derived.js';
import type { CommandEntry, OptionEntry } from '../chat/catalogue.js';
import type { Command } from './command.js';

const COMPLETIONS = ['project', 'wallet', 'entry', 'command'] as const;

/** What `.meta()` of a field may say beside its description. */
const fieldSchema = z.object({
  description: z.string().default(''),
  enum: z.array(z.string()).optional(),
  pattern: z.string().optional(),
  /** Where its values are found: the projects, or what the chat watches, its wallets alone, or the commands. */
  complete: z.enum(COMPLETIONS).optional(),
  /** Its choices are the alert kinds, which no schema can list. */
  choices: z.literal('kinds').optional(),
  /** Takes all remaining words. */
  rest: z.boolean().default(false),
  /** Takes everything behind the closed options before it as it was written, line breaks and quotes included. */
  verbatim: z.boolean().default(false),
  /** A file can be sent in its place. */
  file: z.boolean().default(false),
});

export interface Option extends OptionEntry {
  /** The only form its values have, where they have one: a number, a length of time. */
  readonly pattern?: RegExp;
  readonly complete?: (typeof COMPLETIONS)[number];
  readonly rest: boolean;
  /** Takes what is left of the line as it was written. Absent is no. */
  readonly verbatim?: boolean;
}

const writtenSchema = z.object({ required: z.array(z.string()).default([]), properties: z.record(z.string(), z.unknown()) });

/** The fields of a command's schema, as JSON Schema. */
const fieldsOf = derived((args: Command['args']) => writtenSchema.parse(z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' })));

/** Derives the options in the order of the schema's fields. `kinds` are the alert kinds there are. Throws when a field does not read text. */
export function optionsOf(command: Command, kinds: readonly string[]): readonly Option[] {
  const { required, properties } = fieldsOf(command.args);
  return Object.entries(properties).map(([name, property]): Option => {
    const field = fieldSchema.safeParse(property);
    if (!field.success)
      throw new Error(`dispatch: option ${name} of /${command.name} is not readable from text; use z.string() or z.enum()`);
    const { description, pattern, complete, rest, verbatim, file } = field.data;
    const choices = field.data.choices === 'kinds' ? kinds : field.data.enum;
    return omitUndefined({
      name,
      summary: description,
      required: required.includes(name),
      rest,
      completes: complete !== undefined && choices === undefined,
      choices,
      pattern: pattern === undefined ? undefined : new RegExp(pattern, 'iu'),
      complete,
      verbatim: verbatim || undefined,
      file: file || undefined,
    });
  });
}

/** The value as the option writes it: a choice regardless of its case. Undefined when a choice or a form does not fit. */
export function fitting(option: Option, value: string): string | undefined {
  if (option.choices !== undefined) return option.choices.find((choice) => choice.toLowerCase() === value.toLowerCase());
  return option.pattern === undefined || option.pattern.test(value) ? value : undefined;
}

/** Whether it takes only certain words, so that a word tells by itself where it belongs. */
export const isClosed = (option: Option): boolean => option.choices !== undefined || option.pattern !== undefined;

/** "/premium <project> [range]". */
export const usage = (entry: Pick<CommandEntry, 'name' | 'options'>): string =>
  [`/${entry.name}`, ...entry.options.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))].join(' ');
