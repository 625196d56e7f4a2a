/** Defines a command, which its file registers, and derives its options from its schema. */
import { z } from 'zod';
import type { CommandEntry, OptionEntry } from '../chat/catalogue.js';
import type { Reply } from '../chat/reply.js';
import type { Context } from './context.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { memoize } from '../base/bounded-cache.js';

export interface CommandSpec<A extends z.ZodObject> {
  readonly name: string;
  /** The summary is one short sentence without a full stop. */
  readonly summary: string;
  /** Fields read text, in the order of words. `fieldSchema` says what `.meta()` may hold. */
  readonly args: A;
  readonly examples: readonly string[];
  readonly phrases?: CommandEntry['phrases'];
  readonly group?: CommandEntry['group'];
  /** By default the answer is for everyone. */
  readonly audience?: CommandEntry['audience'];
  readonly personal?: CommandEntry['personal'];
  readonly managersOnly?: CommandEntry['managersOnly'];
  readonly elsewhere?: CommandEntry['elsewhere'];
  /** Whoever is not listed may run it too: it shows nothing of the service and checks each chat itself. */
  readonly open?: boolean;
  readonly upload?: CommandEntry['upload'];
  /** With this value the command concerns the asker's private chat. */
  readonly direct?: { readonly option: string; readonly value: string };
  /** Only managers may run it. */
  readonly manages?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** It writes what only the active process writes. */
  readonly changes?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** Its answer takes many requests, so a reading of plain words waits for a press. */
  readonly costly?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** The option whose text is read as plain words; the command is not run then. */
  readonly reads?: string;
  /** Gives a line to run instead, with the permissions of its own command. */
  instead?(options: Readonly<Record<string, string>>, context: Pick<Context, 'directory'>): Promise<string | undefined>;
  run(args: z.output<A>, context: Context): Promise<Reply>;
}

export interface Command extends Omit<CommandSpec<z.ZodObject>, 'run'> {
  /** Rejects with a ZodError when the options do not fit. */
  run(options: Readonly<Record<string, string>>, context: Context): Promise<Reply>;
}

export const defineCommand = <A extends z.ZodObject>(spec: CommandSpec<A>): Command => ({
  ...spec,
  run: async (options, context) => spec.run(spec.args.parse(options), context),
});

const COMPLETIONS = ['project', 'proposal', 'target', 'wallet', 'entry', 'command'] as const;

const fieldSchema = z.object({
  description: z.string().default(''),
  enum: z.array(z.string()).optional(),
  pattern: z.string().optional(),
  complete: z.enum(COMPLETIONS).optional(),
  /** These values are completed; others are valid too. */
  offers: z.array(z.string()).optional(),
  /** The choice that is offered first after free words. */
  ends: z.string().optional(),
  /** The alert kinds are its choices. */
  choices: z.literal('kinds').optional(),
  /** It takes all remaining words. */
  rest: z.boolean().default(false),
  /** Line breaks and quotes are kept. */
  verbatim: z.boolean().default(false),
  /** Words after a colon that stand in quotes stay together: `title:"buy back"`. */
  phrases: z.boolean().default(false),
  /** Any words fit it, so none is taken for another option. */
  anyWords: z.boolean().default(false),
  /** A role or a person, chosen from a list where the platform has one. */
  mentions: z.boolean().default(false),
  /** A file may replace it. */
  file: z.boolean().default(false),
});

export interface Option extends OptionEntry {
  readonly pattern?: RegExp;
  readonly complete?: (typeof COMPLETIONS)[number];
  readonly offers?: readonly string[];
  readonly ends?: string;
  readonly rest: boolean;
  readonly verbatim?: boolean;
  readonly phrases?: boolean;
  readonly anyWords?: boolean;
}

const writtenSchema = z.object({ required: z.array(z.string()).default([]), properties: z.record(z.string(), z.unknown()) });

const fieldsOf = memoize((args: Command['args']) => writtenSchema.parse(z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' })));

/** Throws when a field does not read text. */
export function optionsOf(command: Command, kinds: readonly string[]): readonly Option[] {
  const { required, properties } = fieldsOf(command.args);
  return Object.entries(properties).map(([name, property]): Option => {
    const field = fieldSchema.safeParse(property);
    if (!field.success)
      throw new Error(`dispatch: option ${name} of /${command.name} is not readable from text; use z.string() or z.enum()`);
    const { description, pattern, complete, offers, ends, rest, verbatim, phrases, anyWords, mentions, file } = field.data;
    const choices = field.data.choices === 'kinds' ? kinds : field.data.enum;
    return omitUndefined({
      name,
      summary: description,
      required: required.includes(name),
      rest,
      completes: (complete !== undefined || offers !== undefined) && choices === undefined,
      choices,
      pattern: pattern === undefined ? undefined : new RegExp(pattern, 'iu'),
      complete,
      offers,
      ends,
      verbatim: verbatim || undefined,
      phrases: phrases || undefined,
      anyWords: anyWords || undefined,
      mentions: mentions || undefined,
      file: file || undefined,
    });
  });
}

/** It is undefined when the value does not fit. */
export function fitting(option: Option, value: string): string | undefined {
  if (option.choices !== undefined) return option.choices.find((choice) => choice.toLowerCase() === value.toLowerCase());
  return option.pattern === undefined || option.pattern.test(value) ? value : undefined;
}

export const isClosed = (option: Option): boolean => option.choices !== undefined || option.pattern !== undefined;

/** A mention is chosen from a list of the platform, so it is no word of a typed line. */
export const usage = (entry: Pick<CommandEntry, 'name' | 'options'>): string =>
  [
    `/${entry.name}`,
    ...entry.options.filter(({ mentions }) => mentions !== true).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)),
  ].join(' ');
