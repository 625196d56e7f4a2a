/** Reads a watchlist from JSON. */
import { z } from 'zod';
import { MAX_AGE_HOURS } from '../../src/alerts/watchlist/entry.js';
import { several } from '../../src/base/sentence-lists.js';
import { brief } from '../../src/base/one-line.js';
import { MAX_LINES, refuse, tooMany, withinLimit, type ListItem, type ReadList } from './imported-list.js';
import { FILE_VERSION, FIRST_FILE_VERSION, fileEntrySchema, fileSchema, fileSettingsSchema, type FileEntry } from './list-file.js';
import { itemsOf } from './list-items.js';

export function readJson(text: string): ReadList {
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
  if (version !== FILE_VERSION && version !== FIRST_FILE_VERSION)
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
  const items = entries.map(fileItem);
  return withinLimit(version === FIRST_FILE_VERSION && keep !== true ? items.map(withEverything) : items, settings, seen);
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

/** An entry of the first version alerts everything. */
const withEverything = (item: ListItem): ListItem =>
  item.entry === undefined ? item : { ...item, entry: { preset: 'everything', ...item.entry } };

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

/** `["<key>", …]`, or `[{ "address": "<key>", "name": "fund-1" }, …]`. */
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
  watch: '“all” or “launches”',
  label: 'a text of 1 to 200 characters',
  project: 'a text of 1 to 200 characters',
  wallet: 'a public key',
  preset: '“important”, “most” or “everything”',
  on: KINDS_LIST,
  silent: KINDS_LIST,
  off: KINDS_LIST,
  rules: 'a list of rules as /alerts takes them, such as ["supply usd>10000"]',
  maxAgeHours: `a whole number of hours from 1 to ${MAX_AGE_HOURS}`,
  mutedUntil: 'a moment, such as "2026-12-01T08:00:00Z"',
  mutedKinds: 'kinds with moments, such as { "growth": "2026-12-01T08:00:00Z" }',
  mentions: 'a list of roles, such as ["discord role 123"]',
  timezone: 'a name, such as "Europe/Berlin"',
  quiet: 'two times of day, such as { "from": "22:00", "to": "07:00" }',
  entries: 'a list',
};

function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it does not fit';
  if (issue.code === 'unrecognized_keys') return `I do not know ${several(issue.keys.map((key) => `“${brief(key)}”`))} in it`;
  const name = issue.path.map(String).join('.');
  if (name === '') return 'it is no entry';
  const takes = FITTING[String(issue.path[0])];
  return `its “${brief(name)}” does not fit${takes === undefined ? '' : `; it takes ${takes}`}`;
}

const nameOf = ({ watch, project, wallet, label }: FileEntry): string =>
  brief([watch ?? project ?? wallet ?? '', ...(label === undefined ? [] : [label])].join(' '));

function written(value: unknown): string {
  try {
    return brief(JSON.stringify(value));
  } catch {
    return '…';
  }
}
