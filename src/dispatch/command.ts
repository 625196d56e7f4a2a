/** The definition of a command. Its name is its file `commands/x.ts` or its folder `commands/x/index.ts`, which registers it. */
import type { z } from 'zod';
import type { CommandEntry } from '../chat/catalogue.js';
import type { Reply } from '../chat/reply.js';
import type { Context } from './context.js';

export interface CommandSpec<A extends z.ZodObject> {
  readonly name: string;
  /** One short sentence without a full stop. */
  readonly summary: string;
  /**
   * The schema of typed text and of named options; every field reads text. The order of fields is the order of words. `option.ts` explains
   * the `.meta()` keys.
   */
  readonly args: A;
  /** Complete lines that a person can type. */
  readonly examples: readonly string[];
  /** The heading of `/help` that lists the command. Default: asking. */
  readonly group?: CommandEntry['group'];
  /** Who sees the reply on platforms that can choose. Default: everyone. */
  readonly audience?: CommandEntry['audience'];
  /**
   * Whether it changes the watchlist, which only managers may do. Evaluated before names are looked up, so it may depend on whether an
   * option is given, not on which words are the name.
   */
  readonly manages?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** A line to run in place of this one, with the permissions of its own command. */
  instead?(options: Readonly<Record<string, string>>, context: Pick<Context, 'directory'>): Promise<string | undefined>;
  run(args: z.output<A>, context: Context): Promise<Reply>;
}

/** A command with its argument types hidden. */
export interface Command extends Omit<CommandSpec<z.ZodObject>, 'run'> {
  /** Parses the options and runs the command. Rejects with a ZodError when they do not fit. */
  run(options: Readonly<Record<string, string>>, context: Context): Promise<Reply>;
}

export const defineCommand = <A extends z.ZodObject>(spec: CommandSpec<A>): Command => ({
  ...spec,
  run: async (options, context) => spec.run(spec.args.parse(options), context),
});
