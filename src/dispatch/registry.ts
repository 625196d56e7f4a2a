/** Reads the commands folder: `x.ts` or `x/index.ts` is /x. */
import { omitUndefined } from '../base/omit-undefined.js';
import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import type { Directory } from '../analytics/directory.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Catalogue } from '../chat/catalogue.js';
import { isClosed, optionsOf, type Command } from './command.js';
import { splitAsk } from './other-channel.js';
import { createCompletion, type LiveProposals } from './completion.js';
import { changesBy, parse, type ParsedCommand, type RegisteredCommand } from './parse.js';
import type { Inbound } from '../chat/inbound.js';
import { UserError } from '../reply/index.js';

export interface Registry {
  readonly commands: ReadonlyMap<string, RegisteredCommand>;
  readonly catalogue: Catalogue;
}

export interface RegistryDeps {
  readonly kinds: readonly string[];
  readonly directory: Directory;
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly liveProposals: LiveProposals;
  readonly folder?: URL;
}

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const defaultFolder = new URL('../../commands/', import.meta.url);

/** Loads all commands. Rejects with the name of a file that is no command, misnamed or ambiguous. */
export async function loadRegistry({
  kinds,
  directory,
  watchlists,
  liveProposals,
  folder = defaultFolder,
}: RegistryDeps): Promise<Registry> {
  const commands = new Map<string, RegisteredCommand>();
  for (const { name, file, command } of await loadCommands(folder)) {
    if (command.name !== name)
      throw new Error(`dispatch: commands/${file} calls itself "${command.name}"; a command is named as its file or folder`);
    if (commands.has(name)) throw new Error(`dispatch: commands/${name} is both a file and a folder; keep one of them`);
    const options = optionsOf(command, kinds);
    checkOptions(command, options);
    commands.set(command.name, { command, options });
  }
  const entries = [...commands.values()].map(
    ({ command: { name, summary, examples, phrases, group, audience, personal, managersOnly, elsewhere, upload, ...own }, options }) =>
      omitUndefined({
        name,
        summary,
        examples,
        phrases,
        group,
        audience,
        personal,
        managersOnly,
        elsewhere,
        upload,
        reads: isAlwaysReading({ ...own, managersOnly }) || undefined,
        options: options.map(({ name: option, summary: help, required, completes, choices, mentions, file }) =>
          omitUndefined({ name: option, summary: help, required, completes, choices, mentions, file }),
        ),
      }),
  );
  return { commands, catalogue: { commands: entries, ...createCompletion({ commands, directory, watchlists, liveProposals }) } };
}

/** Cached for the process, because commands do not change and tests start the bot several times. */
let own: ReturnType<typeof readCommands> | undefined;
export const loadCommands = async (folder = defaultFolder): ReturnType<typeof readCommands> =>
  folder === defaultFolder ? (own ??= readCommands(folder)) : readCommands(folder);

async function readCommands(folder: URL): Promise<readonly (CommandFile & { readonly command: Command })[]> {
  const commands = [];
  for (const one of await commandFiles(folder)) commands.push({ ...one, command: await load(one.file, folder) });
  return commands;
}

interface CommandFile {
  readonly name: string;
  readonly file: string;
}

async function commandFiles(folder: URL): Promise<readonly CommandFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .flatMap((entry): CommandFile[] => {
      if (entry.isDirectory()) return [{ name: entry.name, file: `${entry.name}/index${extension}` }];
      const isCommand = entry.name.endsWith(extension) && !entry.name.endsWith('.d.ts');
      return isCommand ? [{ name: entry.name.slice(0, -extension.length), file: entry.name }] : [];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const commandSchema = z.custom<Command>((value) => shape.safeParse(value).success);
const shape = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  summary: z.string().min(1),
  args: z.instanceof(z.ZodObject),
  examples: z.array(z.string().startsWith('/')).min(1),
  run: z.function(),
});

async function load(file: string, folder: URL): Promise<Command> {
  const { href } = new URL(file, folder);
  const module: unknown = await import(href).catch((cause: unknown) => {
    throw new Error(`dispatch: commands/${file} cannot be loaded`, { cause });
  });
  const exported = z.object({ default: commandSchema }).safeParse(module);
  if (exported.success) return exported.data.default;
  throw new Error(`dispatch: commands/${file} does not export a command; end it with "export default defineCommand({ … })"`);
}

function checkOptions(command: Command, options: RegisteredCommand['options']): void {
  const complain = (why: string): never => {
    throw new Error(`dispatch: commands/${command.name}: ${why}`);
  };
  const free = options.filter((option) => !isClosed(option));
  if (free.some(({ required }, index) => required && free.slice(0, index).some((before) => !before.required)))
    complain('a required option stands behind one that may be left out; put it first');
  if (options.some(({ rest, verbatim }, index) => (rest || verbatim === true) && index < options.length - 1))
    complain('only the last option can take the rest of the line');
  if (options.some(({ required, file }) => required && file === true))
    complain('an option in whose place a file can be sent must be one that may be left out');
  if (options.some(({ verbatim }) => verbatim) && free.length > 1)
    complain('an option that takes the line as it was written can stand behind choices and forms only');
  const unexplained = options.find(({ summary }) => summary === '');
  if (unexplained) complain(`option ${unexplained.name} has no help; add .describe()`);
}

/**
 * Tells whether the command never changes a chat. A command with `changes: true`, such as /wallet, only refreshes data of the service,
 * unless it is for managers, such as /unmute. A costly one counts as a change.
 */
const isAlwaysReading = ({
  manages,
  changes,
  costly,
  managersOnly,
}: Pick<Command, 'manages' | 'changes' | 'costly' | 'managersOnly'>): boolean =>
  (manages === undefined || manages === false) &&
  typeof changes !== 'function' &&
  (changes !== true || managersOnly !== true) &&
  costly !== true;

interface ChangeDeps {
  readonly registry: Pick<Registry, 'commands'>;
  readonly directory: Directory;
}

/** Tells from the command's declaration whether a question changes no chat. A line that cannot be parsed changes nothing. */
export async function isReading({ ask }: Pick<Inbound, 'ask'>, deps: ChangeDeps): Promise<boolean> {
  const command = await meantBy(ask, deps);
  return command === undefined || isAlwaysReading(command.command) || !changesBy(command);
}

/** Tells from the command's declaration whether only the active process may answer. A line that cannot be parsed changes nothing. */
export async function isChange(
  { ask, files = [] }: Pick<Inbound, 'ask' | 'files'>,
  { registry: { commands }, directory }: ChangeDeps,
): Promise<boolean> {
  if (files.length > 0) return true;
  const meant = await meantBy(ask, { registry: { commands }, directory });
  return meant !== undefined && changesBy(meant);
}

/** Returns the command that a question runs; undefined if the line cannot be parsed. */
async function meantBy(ask: Inbound['ask'], { registry: { commands }, directory }: ChangeDeps): Promise<ParsedCommand | undefined> {
  const isName = async (text: string): Promise<boolean> => (await directory.named(text)).length > 0;
  try {
    const asked = await parse(splitAsk(ask, commands).ask, { commands, isName });
    const instead = await asked.command.instead?.(asked.values, { directory });
    return instead === undefined ? asked : await parse({ line: instead }, { commands, isName });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
