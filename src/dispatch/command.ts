/** The definition of a command. The command is named as its file `commands/x.ts` or its folder `commands/x/index.ts`, which registers it. */
import type { z } from 'zod';
import type { CommandEntry } from '../chat/catalogue.js';
import type { Reply } from '../chat/reply.js';
import type { Context } from './context.js';

export interface CommandSpec<A extends z.ZodObject> {
  readonly name: string;
  /** What it answers, in one short sentence without a full stop. */
  readonly summary: string;
  /**
   * One schema for typed text and for named options; the order of its fields is the order of words in a line. Every field reads text.
   * `.describe()` is the option's help, an enum its choices, `.meta({ complete: 'project' })` its completion (also `wallet`, `entry`, `command`),
   * `.meta({ choices: 'kinds' })` makes the alert kinds its choices, and `.meta({ rest: true })` lets the last field take all remaining words,
   * `.meta({ verbatim: true })` lets it take them as they were written, and `.meta({ file: true })` lets a file be sent in its place, which the
   * command finds in `context.files`.
   */
  readonly args: A;
  /** Whole lines a person could type. */
  readonly examples: readonly string[];
  /** Under which heading `/help` lists it. Default: asking. */
  readonly group?: CommandEntry['group'];
  /** Who sees the answer where a platform can choose. Default: everyone. */
  readonly audience?: CommandEntry['audience'];
  /**
   * Whether it changes the chat's watchlist, which only people who manage the chat may do; a function where that depends on the options. It is asked
   * before names are looked up, so it may depend on whether an option is given, not on which words are the name.
   */
  readonly manages?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** The line that stands for this one where there is one: it is answered, with its own rights, in the place of this command. */
  instead?(options: Readonly<Record<string, string>>, context: Pick<Context, 'directory'>): Promise<string | undefined>;
  run(args: z.output<A>, context: Context): Promise<Reply>;
}

/** A command whose argument types are its own business. */
export interface Command extends Omit<CommandSpec<z.ZodObject>, 'run'> {
  /** Parses the options and runs. Rejects with a ZodError when they do not fit. */
  run(options: Readonly<Record<string, string>>, context: Context): Promise<Reply>;
}

export const defineCommand = <A extends z.ZodObject>(spec: CommandSpec<A>): Command => ({
  ...spec,
  run: async (options, context) => spec.run(spec.args.parse(options), context),
});
