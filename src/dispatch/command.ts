/** Definition of a command, registered by its file. */
import type { z } from 'zod';
import type { CommandEntry } from '../chat/catalogue.js';
import type { Reply } from '../chat/reply.js';
import type { Context } from './context.js';

export interface CommandSpec<A extends z.ZodObject> {
  readonly name: string;
  /** One short sentence without a full stop. */
  readonly summary: string;
  /** Fields read text, in the order of words. `.meta()`: see `command-options.ts`. */
  readonly args: A;
  readonly examples: readonly string[];
  readonly group?: CommandEntry['group'];
  /** Default: everyone. */
  readonly audience?: CommandEntry['audience'];
  readonly personal?: CommandEntry['personal'];
  readonly managersOnly?: CommandEntry['managersOnly'];
  /** Concerns the asker's private chat. */
  readonly direct?: { readonly option: string; readonly value: string };
  /** Only managers may. */
  readonly manages?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** Writes what only the active process writes. Default: none. */
  readonly changes?: boolean | ((options: Readonly<Record<string, string>>) => boolean);
  /** With the permissions of its own command. */
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
