/** Reads the files of WATCHLISTS and checks what can be checked without the service: docs/watchlist-file.md */
import { constants, open, readdir, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { brief } from '../../base/one-line.js';
import { addressSchema, type Address } from '../../chat/address.js';
import { MAX_ENTRIES } from '../../alerts/watchlist/watchlists.js';
import { LARGEST_FILE } from '../../chat/inbound.js';
import { slugSchema } from '../../domain/scalars.js';
import type { Context } from '../context.js';
import { planOf, type RefusedItem } from './list-plan.js';
import { readList, type ImportedList } from './read-list.js';
import { resolve, type ResolveContext } from './resolve-list.js';

export const MAX_FILES = 200;

const headSchema = z.looseObject({ chat: addressSchema.max(200), force: z.boolean().optional() });

export interface ListFile {
  readonly name: string;
  readonly chat: Address;
  /** The file overrides edits that were made in the chat. */
  readonly isForced: boolean;
  readonly list: ImportedList;
  readonly hash: string;
}

interface UnusableFile {
  readonly name: string;
  /** A sentence with the remedy. */
  readonly says: string;
  /** The chat that the file names, or named before it became invalid. */
  readonly chat?: Address;
}

type ReadFile = ListFile | UnusableFile;

/** Caches parsed files by name. An entry is valid while the time and size of its file are unchanged. */
export type FileCache = Map<string, { readonly signature: string; readonly file: ReadFile }>;

interface Reading {
  readonly cache?: FileCache;
  /** Returns the file that set the chat's list last. */
  readonly ownerOf?: (chat: Address) => string | undefined;
  readonly signal?: AbortSignal;
}

/** Reads all files. Resolves with a text if the folder cannot be read. Rejects only with the reason of `signal`. */
export async function readFolder(
  folder: string,
  { cache = new Map(), ownerOf = () => undefined, signal }: Reading = {},
): Promise<readonly ReadFile[] | string> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).filter((name) => /^[^.].*[.]json$/iu.test(name)).toSorted();
  } catch (error) {
    return `The folder ${folder} cannot be read (${codeOf(error)}). Check WATCHLISTS.`;
  }
  if (names.length > MAX_FILES) return `The folder has ${names.length} files, and at most ${MAX_FILES} are read. Remove some.`;
  for (const name of cache.keys()) if (!names.includes(name)) cache.delete(name);
  const files: ReadFile[] = [];
  for (const name of names) {
    signal?.throwIfAborted();
    files.push(await readOne(folder, name, cache));
  }
  return withOneForEachChat(files, ownerOf);
}

/** Keeps one file for each chat: the one that set its list, even while it is invalid. Another file would remove its entries. */
function withOneForEachChat(files: readonly ReadFile[], ownerOf: (chat: Address) => string | undefined): readonly ReadFile[] {
  const first = new Map<Address, string>();
  for (const { name, chat } of files) if (chat !== undefined && !first.has(chat)) first.set(chat, name);
  const claimant = (chat: Address): string | undefined => {
    const owner = ownerOf(chat);
    return files.some((file) => file.name === owner && (file.chat ?? chat) === chat) ? owner : first.get(chat);
  };
  return files.map((file): ReadFile => {
    if ('says' in file) return file;
    const { name, chat } = file;
    const other = claimant(chat) ?? name;
    return other === name ? file : { name, chat, says: `It is for the same chat as ${other}. Join the two.` };
  });
}

async function readOne(folder: string, name: string, cache: FileCache): Promise<ReadFile> {
  const before = cache.get(name);
  const unusable = (says: string): UnusableFile => omitUndefined({ name, says, chat: before?.file.chat });
  try {
    const path = join(folder, name);
    const found = await stat(path);
    // Opening a pipe or a device could block for ever.
    if (!found.isFile()) return unusable('It is not a regular file. Put a file there, or a link to one.');
    const signature = `${found.size} ${found.mtimeMs} ${found.ino}`;
    if (before?.signature === signature) return before.file;
    const text = await textOf(path);
    if (text === undefined)
      return unusable(
        `It has more than ${LARGEST_FILE / 1024} KB, the most that is read. A watchlist of ${MAX_ENTRIES} entries is smaller; start from a file of /watchlist export.`,
      );
    const file = await parsed(name, text, before?.file.chat);
    cache.set(name, { signature, file });
    return file;
  } catch (error) {
    return unusable(`It cannot be read (${codeOf(error)}).`);
  }
}

/** Returns undefined for a file that is too large. Counts the bytes while reading, because the file may grow meanwhile. */
async function textOf(path: string): Promise<string | undefined> {
  // A pipe may have replaced the file since the check: `O_NONBLOCK` keeps the open from waiting for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(LARGEST_FILE + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length > LARGEST_FILE ? undefined : bytes.toString('utf8', 0, length);
  } finally {
    await handle.close();
  }
}

async function parsed(name: string, text: string, chatBefore: Address | undefined): Promise<ReadFile> {
  const head = headSchema.safeParse(jsonOf(text));
  const unusable = (says: string): UnusableFile => omitUndefined({ name, says, chat: head.data?.chat ?? chatBefore });
  const plain = text.replace(/^\u{FEFF}/u, '').trim();
  if (plain !== '' && !plain.startsWith('{'))
    return unusable('It is not a JSON watchlist in UTF-8. Start from a file of /watchlist export, and name its chat.');
  if (plain === '') return unusable('It is empty. Start from a file of /watchlist export, and name its chat.');
  const fault = jsonFault(text);
  if (fault !== undefined) return unusable(`It is no valid JSON: ${fault}. Correct it there.`);
  const read = await readList(text);
  if (!read.read) return unusable(read.says);
  if (!head.success) return unusable('It needs its chat, such as "chat": "console/main", and "force" is true or false.');
  const { list } = read;
  if (list.settings === undefined) return unusable('It is not a whole watchlist. Export one with /watchlist export.');
  const wrong = list.items.find((item) => item.fault !== undefined);
  if (wrong !== undefined) return unusable(refusedText({ where: wrong.where, what: wrong.what, because: wrong.fault ?? 'it is invalid' }));
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { name, chat: head.data.chat, isForced: head.data.force === true, list, hash };
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\u{FEFF}/u, ''));
  } catch {
    return undefined;
  }
};

/** Returns where a JSON text is broken; undefined if it is not. The parser's own message would quote the text. */
function jsonFault(text: string): string | undefined {
  const plain = text.replace(/^\u{FEFF}/u, '');
  try {
    JSON.parse(plain);
    return undefined;
  } catch (cause) {
    const at = /position (\d+)/u.exec(String(cause))?.[1];
    const before = plain.slice(0, at === undefined ? plain.length : Number(at)).split('\n');
    return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}${at === undefined ? ', where it ends too early' : ''}`;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'no access');

const NOTHING = 'Nothing was applied.';

/** Words a refused item. A full stop at the end of the reason is removed. */
export const refusedText = ({ where, what, because }: RefusedItem): string =>
  `${where} (${what}): ${because.replace(/[.]+$/u, '')}${because.endsWith('?') ? '' : '.'} ${NOTHING}`;

/** Rewords a note for a file. An import drops the noted part; a file is refused because of it. */
export function noteText(note: string): string {
  const text = note.replace(/^Ignored: /u, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${NOTHING}`;
}

interface ChecksOfFiles extends Pick<Context, 'kinds'> {
  /** Says why alerts cannot reach this chat; undefined if they can. */
  readonly unreachable: (chat: Address) => string | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** Returns the findings of the doctor on the folder. */
export async function folderFindings(folder: string, checks: ChecksOfFiles): Promise<readonly Finding[]> {
  const files = await readFolder(folder);
  if (typeof files === 'string') return [{ mark: 'fail', about: 'watchlists', says: files }];
  if (files.length === 0) return [{ mark: 'none', about: 'watchlists', says: `there are no .json files in ${folder}` }];
  return Promise.all(
    files.map(async (file): Promise<Finding> => {
      const fault = 'says' in file ? file.says : await faultWithoutService(file, checks);
      if ('says' in file || fault !== undefined) return { mark: 'fail', about: 'watchlists', says: `${brief(file.name)}: ${fault}` };
      const { items } = file.list;
      const projects = items.some(({ entry }) => entry?.project !== undefined || entry?.exceptions !== undefined);
      return {
        mark: 'ok',
        about: 'watchlists',
        says: `${brief(file.name)}: ${items.length} ${items.length === 1 ? 'entry' : 'entries'} for ${file.chat}${file.isForced ? ', over what is edited there' : ''}${projects ? '; only the bot checks whether its projects exist' : ''}`,
      };
    }),
  );
}

async function faultWithoutService({ list, chat }: ListFile, { kinds, unreachable, clock }: ChecksOfFiles): Promise<string | undefined> {
  const because = unreachable(chat);
  if (because !== undefined) return because;
  const [empty, now, asker] = [{ address: chat, entries: [] }, clock.now(), { mayMention: async () => true }];
  const context = { ...NOTHING_KNOWN, watchlists: { read: () => empty }, kinds, chat, asker, now, readsOver: true };
  const { wanted, settings, refused, notes } = await resolve(list, context);
  const by = { by: 'the file' };
  const plan = planOf({ chat: empty, wanted, settings, mode: 'replace', by, now, kinds: kinds.map(({ id }) => id) });
  const [first] = [...refused, ...plan.refused];
  if (first !== undefined) return refusedText(first);
  const [note] = notes;
  return note === undefined ? undefined : noteText(note);
}

const anyProject = (text: string) => ({ slug: slugSchema.parse(text.toLowerCase()), name: text });

/** A directory that accepts every name, because only the service knows which projects exist. */
const ANY_PROJECT: ResolveContext['directory'] = {
  all: async () => [],
  named: async (text) => [anyProject(text)],
  find: async (text) => anyProject(text),
};

const NOTHING_KNOWN = {
  directory: ANY_PROJECT,
  analytics: { kept: async () => undefined },
  why: { marketNamed: async () => undefined },
};
