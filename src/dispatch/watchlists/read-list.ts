/** Reads a watchlist from a file or pasted text. */
import { yieldToEventLoop } from '../../base/yield.js';
import { z } from 'zod';
import { MAX_AGE_HOURS } from '../../alerts/watchlist/entry.js';
import { several } from '../../base/sentence-lists.js';
import { nearestWord } from '../../base/edit-distance.js';
import { brief } from '../../base/one-line.js';
import { KIND_MODES, type KindMode } from '../../alerts/rules/presets.js';
import {
  FILE_VERSION,
  FIRST_FILE_VERSION,
  fileEntrySchema,
  fileSchema,
  fileSettingsSchema,
  type FileEntry,
  type FileSettings,
} from './list-file.js';
import { parse as parseCsv } from 'csv-parse/sync';
import { keyFault, looksLikeKey } from '../../domain/wallet.js';
import { omitUndefined } from '../../base/omit-undefined.js';

/** The most lines that a list may have. */
export const MAX_LINES = 1_000;

/** A line of a list. `fault` says why it has no `entry`. */
export interface ListItem {
  readonly where: string;
  readonly what: string;
  readonly entry?: FileEntry;
  readonly fault?: string;
}

/** A watchlist that was read for an import. */
export interface ImportedList {
  readonly items: readonly ListItem[];
  readonly settings?: FileSettings;
  readonly seen?: string;
}

/** The list, or in `says` a sentence with the remedy. */
type ReadList = { readonly read: true; readonly list: ImportedList } | { readonly read: false; readonly says: string };

const refuse = (says: string): ReadList => ({ read: false, says });

const tooMany = (lines: number): ReadList =>
  refuse(`A list has at most ${MAX_LINES.toLocaleString('en-US')} lines; this one has ${lines.toLocaleString('en-US')}. Split it.`);

function withinLimit(items: readonly ListItem[], settings: FileSettings | undefined, seen?: string): ReadList {
  if (items.length > MAX_LINES) return tooMany(items.length);
  return {
    read: true,
    list: omitUndefined({ items, settings, seen }),
  };
}

const BULLET = /^(?:[-*•–]|\d{1,4}[.)])\s+(?:\[[ x]\]\s+)?/iu;
const LINK = /https?:\/\/[^\s,;"]+/giu;
const HEADER = /^(address|wallet|wallet address|public ?key|pubkey|account|label|name)$/iu;

/** Splits a line at its public keys. A key begins a piece, or ends it if labels come first. */
function piecesOf(line: string): readonly string[] {
  const bare = line
    .replace(BULLET, '')
    .replace(/^\/watch(@\S+)?\s+/iu, '')
    .replaceAll(LINK, walletOfLink);
  const keys = [...bare.matchAll(/(?<![^\s,;"])[A-Za-z0-9]{32,44}(?![^\s,;"])/gu)].filter(([key]) => keyFault(key) === undefined);
  if (keys.length < 2) return [bare];
  const before = within(bare.slice(0, keys[0]?.index), /["\s,;]/u);
  const isHeader = before.split(/[\s,;]+/u).every((word) => word === '' || HEADER.test(word));
  const cuts = isHeader
    ? keys.map(({ index }) => index - (bare[index - 1] === '"' ? 1 : 0))
    : [0, ...keys.map(({ index, 0: key }) => index + key.length + (bare[index + key.length] === '"' ? 1 : 0))];
  return cuts.map((from, at) => within(bare.slice(from, cuts[at + 1]), /[\s,;]/u)).filter((piece) => piece !== '');
}

/** Trims `edge` from both ends. Done in a loop, because a regular expression would take quadratic time. */
function within(text: string, edge: RegExp): string {
  let [from, to] = [0, text.length];
  while (from < to && edge.test(text.charAt(from))) from += 1;
  while (to > from && edge.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function walletOfLink(link: string): string {
  const [, key] = /\/(?:accounts?|address(?:es)?|wallets?)\/([A-Za-z0-9]{32,44})(?![A-Za-z0-9])/iu.exec(link) ?? [];
  return key !== undefined && keyFault(key) === undefined ? key : link;
}

function fieldsOf(line: string): readonly string[] {
  const delimiter = ['\t', ';', ','].find((one) => line.includes(one));
  if (delimiter !== undefined) {
    const cells = cellsOf(line, delimiter).map((cell) => cell.trim());
    // A label may contain a comma: "<key> first, second".
    if (delimiter === '\t' || !/\s/u.test(cells[0] ?? '') || keyFault((cells[0] ?? '').split(/\s/u)[0] ?? '') !== undefined) return cells;
  }
  const words = line.split(/\s+/u);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (looksLikeKey(first)) return [first, line.slice(first.length).trim()];
  return words.length > 1 && keyFault(last) === undefined ? [last, line.slice(0, -last.length).trim()] : [line];
}

function cellsOf(line: string, delimiter: string): readonly string[] {
  try {
    const [cells] = z.array(z.array(z.string())).parse(parseCsv(line, { delimiter, relax_quotes: true, relax_column_count: true }));
    return cells ?? [line];
  } catch {
    // An unclosed quote is part of the text, so the line is split without quoting.
    return line.split(delimiter);
  }
}

function itemsOf(where: string, fields: readonly string[]): readonly ListItem[] {
  const cells = fields.map((field) => field.trim());
  const whole = cells.findIndex((cell) => cell !== '' && keyFault(cell) === undefined);
  const at = whole >= 0 ? whole : cells.findIndex(looksLikeKey);
  const wallet = cells[at];
  if (wallet !== undefined) {
    const label = (at === 0 ? cells[1] : cells[at - 1]) ?? '';
    return [{ where, what: brief(`${wallet} ${label}`.trim()), entry: label === '' ? { wallet } : { wallet, label } }];
  }
  const names = cells.filter((cell) => cell !== '');
  if (names.length === 0) return [{ where, what: brief(fields.join(', ')), fault: 'empty' }];
  return names.flatMap((name) => {
    const inner = fieldsOf(name);
    return inner.length > 1 ? itemsOf(where, inner) : [{ where, what: brief(name), entry: namedEntry(name) }];
  });
}

export function namedEntry(name: string): FileEntry {
  const word = name.toLowerCase();
  return word === 'all' || word === 'launches' ? { watch: word } : { project: name };
}

export async function readList(text: string): Promise<ReadList> {
  const plain = text.replace(/^\u{FEFF}/u, '').trim();
  if (plain === '') return refuse('That list is empty. It needs one line for each thing to watch, or is a file of /watchlist export.');
  return /^[[{]/u.test(plain) ? readJson(plain) : readLines(plain);
}

/** The value is in characters. Limited because each line is scanned several times. */
const MAX_LINE_LENGTH = 10_000;
const MAX_BREAKS = 10 * MAX_LINES;
/** After this many characters the reader lets other work run. */
const STEP = 4_000;
const COMMENT = /^(#|\/\/|--)/u;

async function readLines(text: string): Promise<ReadList> {
  const items: ListItem[] = [];
  // Checked before the lines are split, because splitting many empty lines takes time.
  const breaks = text.match(/\r\n|\n|\r/gu)?.length ?? 0;
  if (breaks > MAX_BREAKS) return tooMany(breaks + 1);
  const lines = text.split(/\r\n|\n|\r/u).map((line) => line.trim());
  const isEntry = (line: string): boolean => line !== '' && !COMMENT.test(line);
  // One more line is allowed for a header.
  const entries = lines.filter(isEntry).length;
  if (entries > MAX_LINES + 1) return tooMany(entries);
  let sincePause = 0;
  for (const [index, line] of lines.entries()) {
    if (!isEntry(line)) continue;
    const where = `line ${index + 1}`;
    if (line.length > MAX_LINE_LENGTH)
      return refuse(
        `Line ${index + 1} is too long (${line.length.toLocaleString('en-US')} characters, at most ${MAX_LINE_LENGTH.toLocaleString('en-US')}). Put each wallet or project on a separate line.`,
      );
    sincePause += line.length;
    if (sincePause > STEP) {
      await yieldToEventLoop();
      sincePause = line.length;
    }
    for (const piece of piecesOf(line)) {
      const fields = fieldsOf(piece);
      if (items.length === 0 && fields.length > 1 && fields.every((field) => field === '' || HEADER.test(field))) continue;
      items.push(...itemsOf(where, fields));
    }
  }
  return items.length === 0 ? refuse('This list is empty. Put each wallet or project on a separate line.') : withinLimit(items, undefined);
}

function readJson(text: string): ReadList {
  const value = jsonOf(text);
  if (value instanceof Error) return refuse(`This file is damaged (${value.message}). Export the list again and send the new file.`);
  if (Array.isArray(value)) return value.length > MAX_LINES ? tooMany(value.length) : withinLimit(value.flatMap(foreignItems), undefined);
  const outside = z.looseObject({ navwatch: z.literal('watchlist'), version: z.int() }).safeParse(value);
  if (!outside.success) return refuse('This JSON file is not a watchlist. Send a file from /watchlist export.');
  const { version } = outside.data;
  if (version !== FILE_VERSION && version !== FIRST_FILE_VERSION)
    return refuse(
      version > FILE_VERSION
        ? `This file is from a newer Navwatch (file version ${version}; this bot reads up to ${FILE_VERSION}). Update this bot, or paste the list as plain lines.`
        : `Unknown file version ${version}; this bot reads up to ${FILE_VERSION}. Export the list again.`,
    );
  const twice = keyWrittenTwice(text);
  if (twice !== undefined) return refuse(`This file has "${brief(twice)}" twice in the same place. Keep one.`);
  const unknown = Object.keys(outside.data).find((name) => !FILE_FIELDS.includes(name));
  if (unknown !== undefined) {
    const meant = nearestWord(unknown, FILE_FIELDS);
    return refuse(`This file has an unknown field "${brief(unknown)}". ${meant === undefined ? 'Remove it.' : `Did you mean "${meant}"?`}`);
  }
  const file = fileSchema.safeParse(value);
  if (!file.success) return refuse(`This file can't be read: ${firstFault(file.error)}. Nothing was imported.`);
  const { entries, keep, seen } = file.data;
  if (entries.length > MAX_LINES) return tooMany(entries.length);
  const settings = keep === true ? undefined : fileSettingsSchema.parse(file.data);
  const items = entries.map(fileItem);
  return withinLimit(version === FIRST_FILE_VERSION && keep !== true ? items.map(withEverything) : items, settings, seen);
}

/** Includes `chat` and `force`, so that a file of WATCHLISTS can also be imported. */
const FILE_FIELDS: readonly string[] = [...Object.keys(fileSchema.shape), 'chat', 'force'];

function unknownField(keys: readonly string[], path: readonly PropertyKey[]): string {
  const [outside] = path;
  const meant = outside === 'digest' || outside === 'quiet' ? undefined : nearestWord(keys[0] ?? '', Object.keys(FITTING));
  return `unknown field ${several(keys.map((key) => `"${brief(key)}"`))}${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

/** Finds a duplicate key, because `JSON.parse` silently keeps the last one. The text must be valid JSON. */
function keyWrittenTwice(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let before = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gu)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    const keys = open.at(-1);
    if (keys !== undefined && token.startsWith('"') && (before === '{' || before === ',')) {
      const key = String(JSON.parse(token));
      if (keys.has(key)) return key;
      keys.add(key);
    }
    before = token;
  }
  return undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message quotes the text, so only its position is shown.
    const [at] = /position \d+/u.exec(String(cause)) ?? [];
    return new Error(at === undefined ? 'it ends too early' : `error at ${at}`);
  }
}

const withEverything = (item: ListItem): ListItem =>
  item.entry === undefined ? item : { ...item, entry: { preset: 'everything', ...item.entry } };

const NAMES = ['watch', 'project', 'wallet', 'market', 'screen'] as const;

function fileItem(value: unknown, index: number): ListItem {
  const where = `entry ${index + 1}`;
  const what = written(value);
  const parsed = fileEntrySchema.safeParse(value);
  if (!parsed.success) return { where, what, fault: firstFault(parsed.error) };
  const named = NAMES.filter((name) => parsed.data[name] !== undefined);
  if (named.length !== 1) return { where, what, fault: 'it needs exactly one of "project", "wallet", "market", "screen" or "watch"' };
  if (parsed.data.label !== undefined && parsed.data.wallet === undefined) return { where, what, fault: 'only wallets have labels' };
  if (parsed.data.exceptions !== undefined && parsed.data.watch !== 'all') return { where, what, fault: 'only "all" has exceptions' };
  const both = kindWithTwoModes(parsed.data) ?? parsed.data.exceptions?.map(kindWithTwoModes).find((fault) => fault !== undefined);
  if (both !== undefined) return { where, what, fault: both };
  return { where, what: nameOf(parsed.data), entry: parsed.data };
}

function kindWithTwoModes(entry: Pick<FileEntry, KindMode>): string | undefined {
  const modes = KIND_MODES.flatMap((mode) => [...new Set(entry[mode])].map((kind) => ({ mode, kind })));
  const second = modes.find(({ kind }, at) => modes.findIndex((one) => one.kind === kind) < at);
  const first = modes.find(({ kind }) => kind === second?.kind);
  return second && first && `"${brief(second.kind)}" is in "${first.mode}" and in "${second.mode}"`;
}

/** Other programs write `["<key>", …]` or `[{ "address": "<key>", "name": "fund-1" }, …]`. */
const foreignSchema = z.union([
  z.string().transform((text) => [text]),
  z
    .looseObject({
      address: z.string().optional(),
      wallet: z.string().optional(),
      publicKey: z.string().optional(),
      trackedWalletAddress: z.string().optional(),
      label: z.string().optional(),
      name: z.string().optional(),
    })
    .transform(({ address, wallet, publicKey, trackedWalletAddress, label, name }) => [
      address ?? wallet ?? publicKey ?? trackedWalletAddress ?? '',
      label ?? name ?? '',
    ]),
]);

function foreignItems(value: unknown, index: number): readonly ListItem[] {
  const where = `entry ${index + 1}`;
  const parsed = foreignSchema.safeParse(value);
  const [first = '', label = ''] = parsed.data ?? [];
  if (first.trim() === '') return [{ where, what: written(value), fault: 'it has no "address"' }];
  return itemsOf(where, [first, label]);
}

const KINDS_LIST = 'a list of kinds, such as ["growth"]';
const FITTING: Readonly<Record<string, string>> = {
  watch: '"all" or "launches"',
  label: 'text of 1 to 200 characters',
  project: 'text of 1 to 200 characters',
  wallet: 'a public key',
  market: 'a proposal or launch, such as "proposals/tide/<public key>"',
  title: 'text of 1 to 200 characters',
  screen: 'a filter, such as "premium<-20 runway>12"',
  preset: '"important", "most", "everything" or "digest"',
  on: KINDS_LIST,
  silent: KINDS_LIST,
  off: KINDS_LIST,
  rules: 'a list of rules, such as ["supply usd>10000"]',
  maxAgeHours: `a whole number of hours from 1 to ${MAX_AGE_HOURS}`,
  mutedUntil: 'a time, such as "2026-12-01T08:00:00Z"',
  mutedKinds: 'kinds with times, such as { "growth": "2026-12-01T08:00:00Z" }',
  exceptions: 'a list of at most 50 projects, such as [{ "project": "tide", "excluded": true }]',
  mentions: 'a list of roles, such as ["discord role 123"]',
  timezone: 'a name, such as "Europe/Berlin"',
  digest: 'such as { "every": "day", "at": "09:00" }',
  quiet: 'two times of day, such as { "from": "22:00", "to": "07:00" }',
  entries: 'a list',
};

function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it is invalid';
  if (issue.code === 'unrecognized_keys') return unknownField(issue.keys, issue.path);
  const name = issue.path.map(String).join('.');
  if (name === '') return 'it is not an entry';
  const takes = FITTING[String(issue.path[0])];
  return `invalid "${brief(name)}"${takes === undefined ? '' : `; use ${takes}`}`;
}

const nameOf = ({ watch, project, wallet, market, screen, label }: FileEntry): string =>
  brief(
    [
      watch ?? project ?? wallet ?? market ?? (screen === undefined ? '' : `screen ${screen}`),
      ...(label === undefined ? [] : [label]),
    ].join(' '),
  );

function written(value: unknown): string {
  try {
    return brief(JSON.stringify(value));
  } catch {
    return '…';
  }
}
