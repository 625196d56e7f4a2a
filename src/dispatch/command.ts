/** Defines commands, and derives their options from their schemas. */
import { z } from 'zod';
import type { CommandEntry, OptionEntry } from '../chat/catalogue.js';
import type { Reply } from '../chat/reply.js';
import type { Context } from './context.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { memoize } from '../base/bounded-cache.js';

export interface CommandSpec<A extends z.ZodObject> {
  readonly name: string;
  /** One short sentence without a full stop. */
  readonly summary: string;
  /** Each field parses a text; the order of fields is the order of typed words. `fieldSchema` lists what `.meta()` may hold. */
  readonly args: A;
  readonly examples: readonly string[];
  readonly phrases?: CommandEntry['phrases'];
  readonly group?: CommandEntry['group'];
  /** The answer is for everyone unless this says otherwise. */
  readonly audience?: CommandEntry['audience'];
  readonly personal?: CommandEntry['personal'];
  readonly managersOnly?: CommandEntry['managersOnly'];
  readonly elsewhere?: CommandEntry['elsewhere'];
  /** People who are not listed may run the command too. It must not show data of the service, and must check each chat itself. */
  readonly open?: boolean;
  readonly upload?: CommandEntry['upload'];
  /** With this value the command concerns the asker's private chat. */
  readonly direct?: { readonly option: string; readonly value: string };
  /** Only managers may run it. */
  readonly manages?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** The command writes data that only the active process may write. */
  readonly changes?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** The answer takes many requests, so plain words that mean this command wait for a press. */
  readonly costly?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** The option whose text is read as plain words instead of running the command. */
  readonly reads?: string;
  /** Returns a line to run instead. The permissions of the other command apply. */
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
  /** What is said to who writes something else than a choice, behind the choices. */
  otherwise: z.string().optional(),
  /** Values offered by completion; others are valid too. */
  offers: z.array(z.string()).optional(),
  /** The choice that is offered first after free words. */
  ends: z.string().optional(),
  /** The option's choices are the alert kinds. */
  choices: z.literal('kinds').optional(),
  /** The option takes all remaining words. */
  rest: z.boolean().default(false),
  /** Line breaks and quotes are kept. */
  verbatim: z.boolean().default(false),
  /** Words after a colon that stand in quotes stay together: `title:"buy back"`. */
  phrases: z.boolean().default(false),
  /** The option accepts any words, so none of them is tried as another option. */
  anyWords: z.boolean().default(false),
  /** The option is a role or a person, chosen from a list if the platform has one. */
  mentions: z.boolean().default(false),
  /** A file may be sent instead of the text. */
  file: z.boolean().default(false),
});

export interface Option extends OptionEntry {
  readonly pattern?: RegExp;
  readonly complete?: (typeof COMPLETIONS)[number];
  readonly otherwise?: string;
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
    const { description, pattern, complete, otherwise, offers, ends, rest, verbatim, phrases, anyWords, mentions, file } = field.data;
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
      otherwise,
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

/** Returns undefined if the value does not fit. */
export function fitting(option: Option, value: string): string | undefined {
  if (option.choices !== undefined) return option.choices.find((choice) => choice.toLowerCase() === value.toLowerCase());
  return option.pattern === undefined || option.pattern.test(value) ? value : undefined;
}

export const isClosed = (option: Option): boolean => option.choices !== undefined || option.pattern !== undefined;

/** Returns the usage of a typed line. Mentions are left out, because they are chosen from a list of the platform. */
export const usage = (entry: Pick<CommandEntry, 'name' | 'options'>): string =>
  [
    `/${entry.name}`,
    ...entry.options.filter(({ mentions }) => mentions !== true).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)),
  ].join(' ');
