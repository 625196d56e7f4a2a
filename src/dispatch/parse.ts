/** Parses a typed line, or the options of a form. */
import { brief } from '../base/one-line.js';
import { either } from '../base/sentence-lists.js';
import type { Inbound } from '../chat/inbound.js';
import type { ActionDraft } from '../chat/reply.js';
import { fitting, isClosed, type Command, type Option } from './command.js';
import { isNameSized } from '../domain/project.js';
import { UserError, commandLine, nearest, unread } from '../reply/index.js';
import { assignClosed, assignFree, beginsWithName, joinScreen, splitWords, type IsName } from './words.js';

export interface RegisteredCommand {
  readonly command: Command;
  readonly options: readonly Option[];
}

export interface ParsedCommand extends RegisteredCommand {
  readonly values: Readonly<Record<string, string>>;
}

/** Tells whether the command concerns the asker's private chat. */
export const isDirect = ({ command: { direct }, values }: ParsedCommand): boolean =>
  direct !== undefined && values[direct.option] === direct.value;

const declared = (
  by: boolean | ((options: Readonly<Record<string, string>>) => boolean) | undefined,
  { values }: ParsedCommand,
): boolean => (typeof by === 'function' ? by(values) : by === true);

/** Tells whether the command writes data that only the active process may write. */
export const changesBy = (parsed: ParsedCommand): boolean => isDirect(parsed) || declared(parsed.command.changes, parsed);

export const isCostly = (parsed: ParsedCommand): boolean => declared(parsed.command.costly, parsed);

export interface ParseDeps {
  readonly commands: ReadonlyMap<string, RegisteredCommand>;
  readonly isName: IsName;
  /** Tells whether the text names an entry of the chat's watchlist. */
  readonly isEntry?: (text: string) => boolean;
  /** Called before names are looked up; rejects if the asker may not run the command. */
  readonly permit?: (asked: ParsedCommand) => Promise<void>;
}

/** Parses a question. Rejects with a `UserError`, or with the error of `permit`. */
export async function parse(ask: Inbound['ask'], deps: ParseDeps): Promise<ParsedCommand> {
  const { commands, isName, permit = async () => {} } = deps;
  const whole = verbatimOf(ask, commands);
  if (whole !== undefined) {
    await permit(whole);
    return whole;
  }
  const { known, values, words: read } = 'line' in ask ? await typed(ask.line, deps) : await filledIn(ask, deps);
  const words = known.options.some(takesNames) ? joinScreen(read) : read;
  const open = known.options.filter(({ name }) => values[name] === undefined);
  const closed = assignClosed(words, open);
  const names = open.filter((option) => !isClosed(option));
  const unsplit = names[0] === undefined || closed.left.length === 0 ? {} : { [names[0].name]: closed.left.join(' ') };
  await permit({ ...known, values: { ...values, ...closed.options, ...unsplit } });
  const free = await assignFree(closed.left, names, isName);
  if (free.left.length > 0) throw tooMany(free.left, { ...values, ...closed.options, ...free.options }, known);
  return { ...known, values: { ...values, ...closed.options, ...free.options } };
}

interface Request {
  readonly known: RegisteredCommand;
  readonly values: Readonly<Record<string, string>>;
  /** Words that are not assigned to options yet. */
  readonly words: readonly string[];
}

async function typed(line: string, deps: ParseDeps): Promise<Request> {
  const { commands } = deps;
  const [head = '', ...all] = splitWords(line.trim());
  const known = find(head, all, commands);
  if (known === undefined) throw unknownCommand(nameOf(head), all, commands);
  const { values, rest: words } = takeNamed(all, known);
  const [[name, value] = [known.options.find((option) => !isClosed(option))?.name, words[0]]] = Object.entries(values);
  const isAlone = Object.keys(values).length + words.length === 1;
  // A single word is the value of its option; only several words may be a whole line.
  const isRead = isAlone && name !== undefined && value !== undefined && /\s/u.test(value);
  const read = isRead ? await readAsLine({ name, value, isAlone }, known, deps) : undefined;
  return { known, ...(read ?? { values, words }) };
}

async function filledIn(ask: Extract<Inbound['ask'], { command: string }>, deps: ParseDeps): Promise<Request> {
  const known = commandOf(ask.command, deps.commands);
  const given = givenOptions(ask);
  const values: Record<string, string> = {};
  const words: string[] = [];
  for (const [name, value] of given) {
    const read = ask.isExact === true ? undefined : await readAsLine({ name, value, isAlone: given.length === 1 }, known, deps);
    const pairs = read === undefined ? [named({ name, value }, known)] : Object.entries(read.values);
    for (const [option] of pairs) if (values[option] !== undefined) throw setTwice(option, known);
    Object.assign(values, Object.fromEntries(pairs));
    words.push(...(read?.words ?? []));
  }
  return { known, values, words };
}

const givenOptions = ({ options }: Extract<Inbound['ask'], { command: string }>): readonly (readonly [string, string])[] =>
  Object.entries(options).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()] as const]));

function commandOf(name: string, commands: ReadonlyMap<string, RegisteredCommand>): RegisteredCommand {
  const known = find(name, [], commands);
  if (known === undefined) throw unknownCommand(nameOf(name), [], commands);
  return known;
}

/**
 * Reads an option's value as the rest of a line, because people who know the line type it into the first field that opens.
 * Returns undefined if the value fits its option, or if none of its words fits another option or a name.
 */
async function readAsLine(
  { name, value, isAlone }: { readonly name: string; readonly value: string; readonly isAlone: boolean },
  known: RegisteredCommand,
  { isName, isEntry = () => false }: ParseDeps,
): Promise<Pick<Request, 'values' | 'words'> | undefined> {
  const option = known.options.find((one) => one.name === name.toLowerCase());
  if (option === undefined || option.anyWords === true) return undefined;
  const isFirst = option === known.options[0] || option === known.options.find((one) => !isClosed(one));
  if (!isFirst && !(isAlone && /\s/u.test(value))) return undefined;
  if (isClosed(option) && fitting(option, value) !== undefined) return undefined;
  const isCalled = async (text: string): Promise<boolean> => isEntry(text) || isName(text);
  if (takesNames(option) && isNameSized(value) && (await isCalled(value))) return undefined;
  const split = wordsOf(value);
  if (split === undefined) return undefined;
  const { values, rest } = takeNamed(split, known);
  const fits = assignClosed(
    rest,
    known.options.filter((one) => values[one.name] === undefined),
  );
  const isRead = Object.keys(values).length > 0 || Object.keys(fits.options).length > 0;
  if (!isRead && !(known.options.some(takesNames) && (await beginsWithName(rest, isCalled)))) return undefined;
  return { values, words: rest };
}

/** Splits a value into words. Returns undefined for an open quote, which is then part of the value. */
function wordsOf(value: string): readonly string[] | undefined {
  try {
    return splitWords(value);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const takesNames = ({ complete }: Option): boolean => complete !== undefined && complete !== 'command';

function verbatimOf(ask: Inbound['ask'], commands: ReadonlyMap<string, RegisteredCommand>): ParsedCommand | undefined {
  if ('line' in ask) {
    const verbatim = commandOfVerbatim(ask.line, commands);
    return verbatim && asWritten(ask.line, verbatim);
  }
  const known = commandOf(ask.command, commands);
  if (!known.options.some(({ verbatim }) => verbatim)) return undefined;
  const given = givenOptions(ask);
  const [[name, value] = ['', '']] = given;
  const option = known.options.find((one) => one.name === name);
  if (ask.isExact !== true && given.length === 1 && option !== undefined && /\s/u.test(value) && fitting(option, value) === undefined)
    return asWritten(`/${known.command.name} ${value}`, known);
  return { ...known, values: Object.fromEntries(given.map(([one, text]) => named({ name: one, value: text }, known))) };
}

function commandOfVerbatim(line: string, commands: ReadonlyMap<string, RegisteredCommand>): RegisteredCommand | undefined {
  const known = commands.get(nameOf(/^\S*/u.exec(line.trim())?.[0] ?? ''));
  return known?.options.some(({ verbatim }) => verbatim) === true ? known : undefined;
}

function asWritten(line: string, known: RegisteredCommand): ParsedCommand {
  const last = known.options.at(-1)?.name ?? '';
  const values: Record<string, string> = {};
  let left = line.trim().replace(/^\S*\s*/u, '');
  while (left !== '') {
    const [whole = '', word = ''] = /^(\S+)\s*/u.exec(left) ?? [];
    const [, name = '', value = ''] = /^([a-z][\w-]*):(.*)$/isu.exec(word) ?? [];
    if (name.toLowerCase() === last) return { ...known, values: { ...values, [last]: left.slice(name.length + 1).trim() } };
    const option = known.options.find((one) => one.name === name.toLowerCase() && values[one.name] === undefined);
    const fits =
      option === undefined
        ? assignClosed(
            [word],
            known.options.filter((one) => values[one.name] === undefined),
          ).options
        : Object.fromEntries([named({ name, value }, known)]);
    if (Object.keys(fits).length === 0) return { ...known, values: { ...values, [last]: left } };
    Object.assign(values, fits);
    left = left.slice(whole.length);
  }
  return { ...known, values };
}

/** Returns the command's name at the beginning of a line, as typed. */
export const nameOf = (line: string): string => (/^\s*(\S*)/u.exec(line)?.[1] ?? '').replace(/^\//u, '').replace(/@.*$/u, '').toLowerCase();

const ALIASES: ReadonlyMap<string, { readonly name: string; readonly behind: readonly string[] }> = new Map([
  ['backtest', { name: 'alerts', behind: ['backtest'] }],
  ['snooze', { name: 'mute', behind: [] }],
  ['quiet', { name: 'settings', behind: [] }],
  ['timezone', { name: 'settings', behind: [] }],
]);

const HELP: ActionDraft = { label: 'Help', line: '/help' };

function unknownCommand(name: string, words: readonly string[], commands: ReadonlyMap<string, RegisteredCommand>): UserError {
  if (name === '') return unread('Type a command, such as /watch. /help shows what you can do.', { actions: [HELP] });
  const near = nearest(name, [...commands.keys()]);
  const says = `No command "${brief(name)}".`;
  return unread(
    near.length === 0 ? `${says} /help shows what you can do.` : `${says} Did you mean ${either(near.map((other) => `/${other}`))}?`,
    { actions: [...near.map((other) => ({ label: `/${other}`, line: lineOf(other, words, commands) })), HELP] },
  );
}

function lineOf(name: string, words: readonly string[], commands: ReadonlyMap<string, RegisteredCommand>): string {
  const isShort = words.length === 0 && commands.get(name)?.options.some(({ required }) => required) === true;
  return isShort ? commandLine('help', name) : commandLine(name, ...words);
}

/** Finds a command, ignoring case. Throws a `UserError` that suggests the command for an alias. */
function find(word: string, words: readonly string[], commands: ReadonlyMap<string, RegisteredCommand>): RegisteredCommand | undefined {
  const name = nameOf(word);
  const known = commands.get(name);
  if (known) return known;
  const other = ALIASES.get(name);
  if (other === undefined) return undefined;
  const line = commandLine(other.name, ...words, ...other.behind);
  throw new UserError([`No command "${brief(name)}". Use `, { code: brief(line) }, '.'], { actions: [{ label: `/${other.name}`, line }] });
}

/** Takes `option:value` and `option: value`. */
function takeNamed(words: readonly string[], known: RegisteredCommand): { values: Record<string, string>; rest: readonly string[] } {
  const values: Record<string, string> = {};
  const rest: string[] = [];
  let compared = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [, name = '', value = ''] = /^([a-z][\w-]*):(?!\/\/)(.*)$/isu.exec(word) ?? [];
    if (name === '' || !isOption(name, known)) {
      // Short words resemble too many options, and names may contain colons, so only the first longer word is compared.
      if (!compared && name.length >= 3) refuseNearOption(name, known);
      compared ||= name.length >= 3;
      rest.push(word);
    } else {
      if (value === '') index += 1;
      const [option, fit] = named({ name, value: value === '' ? (words[index] ?? '') : value }, known);
      if (values[option] !== undefined) throw setTwice(option, known);
      values[option] = fit;
    }
  }
  return { values, rest };
}

const setTwice = (option: string, { command }: RegisteredCommand): UserError =>
  new UserError(`"${option}" is set twice. Leave one out.`, { usage: command.name });

const isOption = (name: string, { options }: RegisteredCommand): boolean => options.some((option) => option.name === name.toLowerCase());

/** Throws a `UserError` for a word before a colon that resembles an option. */
function refuseNearOption(name: string, { command, options }: RegisteredCommand): void {
  const [near] = nearest(
    name,
    options.map((option) => option.name),
  );
  if (near === undefined) return;
  // Beside free text such as "stage:mint" the first letter must be equal; typing errors seldom change it.
  if (options.some(({ rest }) => rest) && near.charAt(0) !== name.charAt(0).toLowerCase()) return;
  throw unread(`/${command.name} has no option "${brief(name)}". Did you mean "${near}:"?`, { usage: command.name });
}

function named({ name, value }: { name: string; value: string }, { command, options }: RegisteredCommand): readonly [string, string] {
  const option = options.find((one) => one.name === name.toLowerCase());
  if (option === undefined) throw unread(`/${command.name} has no option "${brief(name)}".`, { usage: command.name });
  if (value === '') throw unread(`"${option.name}" needs a value.`, { usage: command.name });
  const fit = fitting(option, value);
  if (fit === undefined) throw unread(`Invalid ${option.name} "${brief(value)}". ${takes(option, value)}`, { usage: command.name });
  return [option.name, fit];
}

export function takes(option: Option, value?: string): string {
  if (option.choices === undefined) return `Expected: ${option.summary}.`;
  const [near] = value === undefined ? [] : nearest(value, option.choices);
  return `${near === undefined ? '' : `Did you mean "${near}"? `}Choose ${either(option.choices)}.${option.otherwise === undefined ? '' : ` ${option.otherwise}`}`;
}

function tooMany(left: readonly string[], values: Readonly<Record<string, string>>, { command, options }: RegisteredCommand): UserError {
  const word = left[0] ?? '';
  const twice = options.find((option) => values[option.name] !== undefined && isClosed(option) && fitting(option, word) !== undefined);
  if (twice) return setTwice(twice.name, { command, options });
  const open = options.filter(({ name, choices }) => choices !== undefined && values[name] === undefined);
  const option = open.find(({ choices }) => nearest(word, choices ?? []).length > 0) ?? open[0];
  const forms = options.filter((one) => one.choices === undefined && one.pattern !== undefined && values[one.name] === undefined);
  const otherwise =
    options.length === 0
      ? 'It has no options.'
      : forms.length === 0
        ? 'Leave it out.'
        : `Expected: ${either(forms.map(({ name, summary }) => `${name} (${summary})`))}.`;
  const why = option === undefined ? otherwise : takes(option, word);
  return unread(`/${command.name} doesn't understand "${brief(word)}". ${why}`, { usage: command.name });
}

/** Writes the line with the name of each option. */
export const namedLine = ({ command, options, values }: ParsedCommand, replaced: Readonly<Record<string, string>> = {}): string => {
  const all = { ...values, ...replaced };
  return commandLine(command.name, ...options.flatMap(({ name }) => (all[name] === undefined ? [] : [`${name}:${all[name]}`])));
};

/** Returns a typed line unchanged. Writes a form as a line, without option names if that parses to the same values. */
export async function typedLine(ask: Inbound['ask'], parsed: ParsedCommand, deps: Omit<ParseDeps, 'permit'>): Promise<string> {
  const { command, options, values } = parsed;
  if ('line' in ask && !/[\r\n]/u.test(ask.line)) return ask.line.trim().replace(/^\S+/u, `/${command.name}`);
  const named = namedLine(parsed);
  const words = options.flatMap(({ name, rest }) => {
    const value = values[name];
    if (value === undefined) return [];
    return rest ? value.split(' ') : [value];
  });
  const line = commandLine(command.name, ...words);
  const again = await parse({ line }, deps).catch(() => undefined);
  return again?.command === command && options.every(({ name }) => again.values[name] === values[name]) ? line : named;
}
