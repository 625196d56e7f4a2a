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
  const file = fileSchema.safeParse(value);
  if (!file.success) return refuse(`This file can't be read: ${firstFault(file.error)}. Nothing was imported.`);
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
    return new Error(at === undefined ? 'it ends too early' : `error at ${at}`);
  }
}

const withEverything = (item: ListItem): ListItem =>
  item.entry === undefined ? item : { ...item, entry: { preset: 'everything', ...item.entry } };

const NAMES = ['watch', 'project', 'wallet'] as const;

function fileItem(value: unknown, index: number): ListItem {
  const where = `entry ${index + 1}`;
  const what = written(value);
  const parsed = fileEntrySchema.safeParse(value);
  if (!parsed.success) return { where, what, fault: firstFault(parsed.error) };
  const named = NAMES.filter((name) => parsed.data[name] !== undefined);
  if (named.length !== 1) return { where, what, fault: 'it needs exactly one of "project", "wallet" or "watch"' };
  if (parsed.data.label !== undefined && parsed.data.wallet === undefined) return { where, what, fault: 'only wallets have labels' };
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
  watch: '"all" or "launches"',
  label: 'text of 1 to 200 characters',
  project: 'text of 1 to 200 characters',
  wallet: 'a public key',
  preset: '"important", "most", "everything" or "digest"',
  on: KINDS_LIST,
  silent: KINDS_LIST,
  off: KINDS_LIST,
  rules: 'a list of rules, such as ["supply usd>10000"]',
  maxAgeHours: `a whole number of hours from 1 to ${MAX_AGE_HOURS}`,
  mutedUntil: 'a time, such as "2026-12-01T08:00:00Z"',
  mutedKinds: 'kinds with times, such as { "growth": "2026-12-01T08:00:00Z" }',
  mentions: 'a list of roles, such as ["discord role 123"]',
  timezone: 'a name, such as "Europe/Berlin"',
  digest: 'such as { "every": "day", "at": "09:00" }',
  quiet: 'two times of day, such as { "from": "22:00", "to": "07:00" }',
  entries: 'a list',
};

function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it is invalid';
  if (issue.code === 'unrecognized_keys') return `unknown field ${several(issue.keys.map((key) => `"${brief(key)}"`))}`;
  const name = issue.path.map(String).join('.');
  if (name === '') return 'it is not an entry';
  const takes = FITTING[String(issue.path[0])];
  return `invalid "${brief(name)}"${takes === undefined ? '' : `; use ${takes}`}`;
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
