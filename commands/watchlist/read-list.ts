/** Reads a watchlist from a file or pasted text: our format, a list of wallets, or names. */
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { parse as parseCsv } from 'csv-parse/sync';
import { z } from 'zod';
import { MAX_AGE_HOURS } from '../../src/alerts/watchlist/entry.js';
import { several } from '../../src/base/listing.js';
import { brief } from '../../src/base/one-line.js';
import { pause } from '../../src/base/pause.js';
import { keyFault, looksLikeKey } from '../../src/domain/wallet.js';
import { FILE_VERSION, fileEntrySchema, fileSchema, fileSettingsSchema, type FileEntry, type FileSettings } from './list-file.js';

/** Entries per list. */
export const MAX_LINES = 1_000;
/** Characters per line: each line is scanned several times. */
const MAX_LINE_LENGTH = 10_000;
/** Line breaks, comments and empty lines included. */
const MAX_BREAKS = 10 * MAX_LINES;
/** Characters read between pauses. */
const STEP = 4_000;

/** One line of a list. `fault` says why it has no `entry`. */
export interface ListItem {
  /** "line 3", "entry 2". */
  readonly where: string;
  /** As written, shortened. */
  readonly what: string;
  readonly entry?: FileEntry;
  readonly fault?: string;
}

export interface ImportedList {
  readonly items: readonly ListItem[];
  /** The chat's settings. Absent if the list contains no settings at all. */
  readonly settings?: FileSettings;
  /** The fingerprint of the chat's list at the preview. */
  readonly seen?: string;
}

/** `says` is a sentence with the remedy. */
export type ReadList = { readonly read: true; readonly list: ImportedList } | { readonly read: false; readonly says: string };

const refuse = (says: string): ReadList => ({ read: false, says });

/** Pauses while it reads: unclosed quotes take long. */
export async function readList(text: string): Promise<ReadList> {
  const plain = text.replace(/^\u{FEFF}/u, '').trim();
  if (plain === '') return refuse('That list is empty. It needs one line for each thing to watch, or is a file of /watchlist export.');
  return /^[[{]/u.test(plain) ? readJson(plain) : readLines(plain);
}

function readJson(text: string): ReadList {
  const value = jsonOf(text);
  if (value instanceof Error)
    return refuse(
      `That begins like a file of /watchlist export and cannot be read to its end (${value.message}). Send the file as it was.`,
    );
  if (Array.isArray(value)) return value.length > MAX_LINES ? tooMany(value.length) : withinLimit(value.flatMap(foreignItems), undefined);
  const outside = z.looseObject({ navwatch: z.literal('watchlist'), version: z.int() }).safeParse(value);
  if (!outside.success)
    return refuse('That is JSON, but no watchlist: it lacks "navwatch": "watchlist". /watchlist export gives such a file.');
  const { version } = outside.data;
  if (version !== FILE_VERSION)
    return refuse(
      version > FILE_VERSION
        ? `That file was written by a newer Navwatch (version ${version} of the file; this one reads ${FILE_VERSION}). Update this bot, or send the list as plain lines.`
        : `There is no version ${version} of that file; this Navwatch reads ${FILE_VERSION}. Export the list again.`,
    );
  const file = fileSchema.safeParse(value);
  if (!file.success) return refuse(`That file cannot be read: ${firstFault(file.error)}. Nothing is changed.`);
  const { entries, keep, seen } = file.data;
  if (entries.length > MAX_LINES) return tooMany(entries.length);
  const settings = keep === true ? undefined : fileSettingsSchema.parse(file.data);
  return withinLimit(entries.map(fileItem), settings, seen);
}

const tooMany = (lines: number): ReadList => refuse(`A list has at most ${MAX_LINES} lines; that one has ${lines}. Split it.`);

function withinLimit(items: readonly ListItem[], settings: FileSettings | undefined, seen?: string): ReadList {
  if (items.length > MAX_LINES) return tooMany(items.length);
  return {
    read: true,
    list: omitUndefined({ items, settings, seen }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message quotes the text; its position is enough.
    const [at] = /position \d+/u.exec(String(cause)) ?? [];
    return new Error(at ?? 'it breaks off');
  }
}

const NAMES = ['watch', 'project', 'wallet'] as const;

function fileItem(value: unknown, index: number): ListItem {
  const where = `entry ${index + 1}`;
  const what = written(value);
  const parsed = fileEntrySchema.safeParse(value);
  if (!parsed.success) return { where, what, fault: firstFault(parsed.error) };
  const named = NAMES.filter((name) => parsed.data[name] !== undefined);
  if (named.length !== 1) return { where, what, fault: 'it needs one of "project", "wallet" and "watch"' };
  if (parsed.data.label !== undefined && parsed.data.wallet === undefined) return { where, what, fault: 'only a wallet has a label' };
  return { where, what: nameOf(parsed.data), entry: parsed.data };
}

/** Lists of other tools: `["<key>", …]`, or `[{ "address": "<key>", "name": "fund-1" }, …]`. */
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

/** The format of each property, for error messages. */
const FITTING: Readonly<Record<string, string>> = {
  watch: '“all” or “launches”',
  label: 'a text of 1 to 200 characters',
  project: 'a text of 1 to 200 characters',
  wallet: 'a public key',
  off: 'a list of kinds, such as ["growth"]',
  rules: 'a list of rules as /alerts takes them, such as ["supply usd>10000"]',
  maxAgeHours: `a whole number of hours from 1 to ${MAX_AGE_HOURS}`,
  mutedUntil: 'a moment, such as "2026-12-01T08:00:00Z"',
  mutedKinds: 'kinds with moments, such as { "growth": "2026-12-01T08:00:00Z" }',
  mentions: 'a list of roles, such as ["discord role 123"]',
  timezone: 'a name, such as "Europe/Berlin"',
  quiet: 'two times of day, such as { "from": "22:00", "to": "07:00" }',
  entries: 'a list',
};

/** "its “maxAgeHours” does not fit; it takes a whole number …", instead of the parser's message. */
function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it does not fit';
  if (issue.code === 'unrecognized_keys') return `I do not know ${several(issue.keys.map((key) => `“${brief(key)}”`))} in it`;
  const name = issue.path.map(String).join('.');
  if (name === '') return 'it is no entry';
  const takes = FITTING[String(issue.path[0])];
  return `its “${brief(name)}” does not fit${takes === undefined ? '' : `; it takes ${takes}`}`;
}

/** A list marker before a line, and a checkbox after it. */
const BULLET = /^(?:[-*•–]|\d{1,4}[.)])\s+(?:\[[ x]\]\s+)?/iu;
const LINK = /https?:\/\/[^\s,;"]+/giu;
const COMMENT = /^(#|\/\/|--)/u;
const HEADER = /^(address|wallet|wallet address|public ?key|pubkey|account|label|name)$/iu;

async function readLines(text: string): Promise<ReadList> {
  const items: ListItem[] = [];
  // Checked before the lines are split, because many empty lines take time too.
  const breaks = text.match(/\r\n|\n|\r/gu)?.length ?? 0;
  if (breaks > MAX_BREAKS) return tooMany(breaks + 1);
  const lines = text.split(/\r\n|\n|\r/u).map((line) => line.trim());
  const isEntry = (line: string): boolean => line !== '' && !COMMENT.test(line);
  // A header is one more line.
  const entries = lines.filter(isEntry).length;
  if (entries > MAX_LINES + 1) return tooMany(entries);
  let sincePause = 0;
  for (const [index, line] of lines.entries()) {
    if (!isEntry(line)) continue;
    const where = `line ${index + 1}`;
    if (line.length > MAX_LINE_LENGTH)
      return refuse(
        `That list has ${line.length} characters in ${where}; at most ${MAX_LINE_LENGTH} are read. Put each wallet or project on a line of its own.`,
      );
    sincePause += line.length;
    if (sincePause > STEP) {
      await pause();
      sincePause = line.length;
    }
    for (const piece of piecesOf(line)) {
      const fields = fieldsOf(piece);
      if (items.length === 0 && fields.length > 1 && fields.every((field) => field === '' || HEADER.test(field))) continue;
      items.push(...itemsOf(where, fields));
    }
  }
  return items.length === 0
    ? refuse('That list has only comments. It needs one line for each thing to watch.')
    : withinLimit(items, undefined);
}

/** Text from a single-line field has no line breaks: each public key begins another piece, or ends one if labels come first. */
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

/** Trims characters at both ends by index: a regular expression takes quadratic time. */
function within(text: string, edge: RegExp): string {
  let [from, to] = [0, text.length];
  while (from < to && edge.test(text.charAt(from))) from += 1;
  while (to > from && edge.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** The public key of an explorer link; other links stay unchanged. */
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
    // An unclosed quote: the line is taken unchanged.
    return line.split(delimiter);
  }
}

/** A public key with its label after it, or before it if the key is not first; else names. */
function itemsOf(where: string, fields: readonly string[]): readonly ListItem[] {
  const cells = fields.map((field) => field.trim());
  const whole = cells.findIndex((cell) => cell !== '' && keyFault(cell) === undefined);
  const at = whole >= 0 ? whole : cells.findIndex(looksLikeKey);
  const wallet = cells[at];
  if (wallet !== undefined) {
    const label = (at === 0 ? cells[1] : cells[at - 1]) ?? '';
    return [{ where, what: brief(`${wallet} ${label}`.trim()), entry: { wallet, ...(label === '' ? {} : { label }) } }];
  }
  const names = cells.filter((cell) => cell !== '');
  if (names.length === 0) return [{ where, what: brief(fields.join(', ')), fault: 'it names nothing' }];
  return names.flatMap((name) => {
    const inner = fieldsOf(name);
    return inner.length > 1 ? itemsOf(where, inner) : [{ where, what: brief(name), entry: namedEntry(name) }];
  });
}

/** The entry of a name or of one of our words. */
export function namedEntry(name: string): FileEntry {
  const word = name.toLowerCase();
  return word === 'all' || word === 'launches' ? { watch: word } : { project: name };
}

const nameOf = ({ watch, project, wallet, label }: FileEntry): string =>
  brief([watch ?? project ?? wallet ?? '', ...(label === undefined ? [] : [label])].join(' '));

/** A value as text for an error message; "…" if it cannot be serialised. */
function written(value: unknown): string {
  try {
    return brief(JSON.stringify(value));
  } catch {
    return '…';
  }
}
