/** Applies the watchlist files of a folder (WATCHLISTS), at the start and when one changes: docs/watchlist-file.md */
import { readdir, readFile, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { targetName } from '../../alerts/watchlist/entry.js';
import { MAX_EDITS, entryFor, type Chat, type Watchlists } from '../../alerts/watchlist/watchlists.js';
import { AnalyticsError } from '../../analytics/errors.js';
import { MINUTE, SECOND, instant, later, type Clock, type Instant } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import type { Log } from '../../base/log.js';
import { brief, cut, oneLine } from '../../base/one-line.js';
import { both, several } from '../../base/sentence-lists.js';
import { addressSchema, type Address } from '../../chat/address.js';
import { LARGEST_FILE } from '../../chat/inbound.js';
import type { Context } from '../context.js';
import { settingsOf } from './list-file.js';
import { changesAnything, fingerprint, planOf, type ImportPlan, type RefusedItem } from './list-plan.js';
import { readList, type ImportedList } from './read-list.js';
import { resolve, type ResolvedList } from './resolve-list.js';

export const MAX_FILES = 200;
const POLL = 15 * SECOND;
/** A refused file is tried again, because the service may know its projects by then. */
const RETRY = 5 * MINUTE;
const MAX_SAID = 300;

const headSchema = z.looseObject({ chat: addressSchema.max(200), force: z.boolean().optional() });

interface ListFile {
  readonly name: string;
  readonly chat: Address;
  /** The file wins over what a person edited. */
  readonly isForced: boolean;
  readonly list: ImportedList;
  readonly hash: string;
}

interface Unusable {
  readonly name: string;
  /** It is a sentence with the remedy. */
  readonly says: string;
}

type ReadFile = ListFile | Unusable;

/** What was read of a file whose time and size did not change since. */
type Cache = Map<string, { readonly signature: string; readonly file: ReadFile }>;

/** It never rejects. A text says why the folder has no files. */
async function readFolder(folder: string, cache: Cache = new Map()): Promise<readonly ReadFile[] | string> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).filter((name) => /^[^.].*[.]json$/iu.test(name)).toSorted();
  } catch (error) {
    return `The folder ${folder} cannot be read (${codeOf(error)}). Check WATCHLISTS.`;
  }
  if (names.length > MAX_FILES) return `The folder has ${names.length} files, and at most ${MAX_FILES} are read. Remove some.`;
  for (const name of cache.keys()) if (!names.includes(name)) cache.delete(name);
  const files: ReadFile[] = [];
  for (const name of names) files.push(await readOne(folder, name, cache));
  const first = new Map<Address, string>();
  return files.map((file): ReadFile => {
    if ('says' in file) return file;
    const other = first.get(file.chat);
    first.set(file.chat, other ?? file.name);
    return other === undefined ? file : { name: file.name, says: `It is for the same chat as ${other}. Join the two.` };
  });
}

async function readOne(folder: string, name: string, cache: Cache): Promise<ReadFile> {
  try {
    const path = join(folder, name);
    const { size, mtimeMs, ino } = await stat(path);
    const signature = `${size} ${mtimeMs} ${ino}`;
    const known = cache.get(name);
    if (known?.signature === signature) return known.file;
    if (size > LARGEST_FILE) return { name, says: `It has more than ${LARGEST_FILE / 1024} KB. Split the list.` };
    const file = await parsed(name, await readFile(path, 'utf8'));
    cache.set(name, { signature, file });
    return file;
  } catch (error) {
    return { name, says: `It cannot be read (${codeOf(error)}).` };
  }
}

async function parsed(name: string, text: string): Promise<ReadFile> {
  const read = await readList(text);
  if (!read.read) return { name, says: read.says };
  const head = headSchema.safeParse(jsonOf(text));
  if (!head.success) return { name, says: 'It needs its chat, such as "chat": "console/main", and "force" is true or false.' };
  const { list } = read;
  if (list.settings === undefined) return { name, says: 'It is not a whole watchlist. Export one with /watchlist export.' };
  const fault = list.items.find((item) => item.fault !== undefined);
  if (fault !== undefined) return { name, says: `${fault.where} (${fault.what}): ${fault.fault}.` };
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

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'no access');

/** What the doctor says of the folder. */
export async function folderFindings(folder: string): Promise<readonly Finding[]> {
  const files = await readFolder(folder);
  if (typeof files === 'string') return [{ mark: 'fail', about: 'watchlists', says: files }];
  if (files.length === 0) return [{ mark: 'none', about: 'watchlists', says: `there are no .json files in ${folder}` }];
  return files.map((file): Finding =>
    'says' in file
      ? { mark: 'fail', about: 'watchlists', says: `${brief(file.name)}: ${file.says}` }
      : {
          mark: 'ok',
          about: 'watchlists',
          says: `${brief(file.name)}: ${file.list.items.length} ${file.list.items.length === 1 ? 'entry' : 'entries'} for ${file.chat}${file.isForced ? ', over what is edited there' : ''}`,
        },
  );
}

export interface FolderDeps extends Pick<Context, 'directory' | 'kinds'> {
  readonly folder: string;
  readonly watchlists: Watchlists;
  /** Whether alerts can reach this chat; a text says why not. */
  readonly unreachable: (chat: Address) => string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export class WatchlistFolder {
  readonly #deps: FolderDeps;
  readonly #cache: Cache = new Map();
  /** What was logged last of each file, and when it is tried again. */
  readonly #refused = new Map<string, { readonly says: string; readonly hash: string; readonly until: Instant }>();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(deps: FolderDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the bot is stopping'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.pass().catch((error: unknown) => log.error('watchlists.failed', { error }));
      await clock.sleep(POLL, signal).catch(() => undefined);
    }
  }

  /** Applies what is new. Rejects with the store's error. */
  async pass(): Promise<void> {
    const files = await readFolder(this.#deps.folder, this.#cache);
    if (typeof files === 'string') return this.#refuse({ name: '', hash: '' }, files);
    this.#refused.delete('');
    for (const file of files) {
      if (this.#stopping.signal.aborted) return;
      if ('says' in file) this.#refuse({ name: file.name, hash: file.says }, file.says);
      else await this.#consider(file);
    }
  }

  async #consider(file: ListFile): Promise<void> {
    const { watchlists, kinds, clock, unreachable } = this.#deps;
    const chat = watchlists.read(file.chat);
    const { fromFile } = chat;
    const isSame = fromFile?.text === file.hash;
    if (isSame && (fromFile.list === listOf(chat, kinds) || !file.isForced))
      return this.#watchEdits(file, fromFile.list === listOf(chat, kinds));
    const refused = this.#refused.get(file.name);
    if (refused?.hash === file.hash && clock.now() < refused.until) return;
    const because = unreachable(file.chat) ?? (chat.left === undefined ? undefined : `The bot is not in ${file.chat}. Invite it again.`);
    if (because !== undefined) return this.#refuse(file, because);
    const resolved = await this.#resolved(file);
    if (typeof resolved === 'string') this.#refuse(file, resolved);
    else await this.#apply(file, resolved);
  }

  /** An edit in the chat stays until the file changes, and then it has to be decided. */
  #watchEdits({ name, chat, hash }: ListFile, isAsApplied: boolean): void {
    if (isAsApplied) this.#refused.delete(name);
    else
      this.#refuse({ name, hash }, `${chat} was edited since this file was applied, and keeps the edit. Export it, or set "force": true.`);
  }

  async #resolved({ list, chat }: ListFile): Promise<ResolvedList | string> {
    const { directory, watchlists, kinds, clock } = this.#deps;
    const asker = { mayMention: async () => true };
    try {
      const resolved = await resolve(list, { directory, watchlists, kinds, chat, asker, now: clock.now(), signal: this.#stopping.signal });
      const [refused] = resolved.refused;
      if (refused !== undefined) return refusedText(refused);
      return resolved.notes[0] ?? resolved;
    } catch (error) {
      if (!(error instanceof AnalyticsError)) throw error;
      return 'The analytics service does not answer, so the projects are not known. The file is tried again.';
    }
  }

  async #apply(file: ListFile, { wanted, settings }: ResolvedList): Promise<void> {
    const { watchlists, kinds, clock, log } = this.#deps;
    const ids = kinds.map(({ id }) => id);
    const now = clock.now();
    let done: ImportPlan | string = '';
    await watchlists.change(file.chat, (before) => {
      const plan = planOf({
        chat: before,
        wanted: wanted.map((item) =>
          item.settings === undefined ? item : { ...item, settings: withMutes(item.settings, entryFor(before, item.target)) },
        ),
        settings: { ...withMutes(settings ?? {}, before), mutedTopics: settings?.mutedTopics ?? before.mutedTopics },
        mode: 'replace',
        by: { by: `the file ${oneLine(cut(file.name, 60))}` },
        now,
        kinds: ids,
      });
      const [refused] = plan.refused;
      if (refused !== undefined) {
        done = refusedText(refused);
        return before;
      }
      const isDifferent = changesAnything(plan);
      if (isDifferent && !file.isForced && isEdited(before, kinds)) {
        done = `${file.chat} was edited by a person. Export its list and start from that, or set "force": true. It would ${both(differences(plan))}.`;
        return before;
      }
      done = plan;
      const edit = { at: now, by: `file ${cut(oneLine(file.name), 60)}`, line: cut(both(differences(plan)), MAX_SAID) };
      return {
        ...plan.after,
        fromFile: { name: file.name, text: file.hash, list: listOf(plan.after, kinds) },
        ...(isDifferent ? { edits: [edit, ...(before.edits ?? [])].slice(0, MAX_EDITS) } : {}),
      };
    });
    if (typeof done === 'string') return this.#refuse(file, done);
    this.#refused.delete(file.name);
    if (changesAnything(done)) log.info('watchlists.applied', { file: file.name, chat: file.chat, changes: differences(done) });
  }

  /** It is logged once for each reason. */
  #refuse({ name, hash, chat }: Pick<ListFile, 'name' | 'hash'> & Partial<Pick<ListFile, 'chat'>>, says: string): void {
    const { clock, log } = this.#deps;
    if (this.#refused.get(name)?.says !== says) log.warn('watchlists.refused', { file: name, chat, because: says });
    this.#refused.set(name, { says, hash, until: later(clock.now(), RETRY) });
  }
}

const refusedText = ({ where, what, because }: RefusedItem): string => `${where} (${what}): ${because}. Nothing was applied.`;

/** Mutes are a person's for a while, so a file that has none leaves them, and they are no edit of the list. */
function withMutes<T extends Pick<Chat, 'mutedUntil' | 'mutedKinds'>>(
  wanted: T,
  old: Pick<Chat, 'mutedUntil' | 'mutedKinds'> | undefined,
): T {
  return { ...wanted, mutedUntil: wanted.mutedUntil ?? old?.mutedUntil, mutedKinds: wanted.mutedKinds ?? old?.mutedKinds };
}

const listOf = (chat: Chat, kinds: Context['kinds']): string =>
  fingerprint(
    {
      ...chat,
      mutedUntil: undefined,
      mutedKinds: undefined,
      mutedTopics: undefined,
      entries: chat.entries.map((entry) => ({ ...entry, mutedUntil: undefined, mutedKinds: undefined })),
    },
    kinds.map(({ id }) => id),
  );

function isEdited(chat: Chat, kinds: Context['kinds']): boolean {
  if (chat.fromFile !== undefined) return chat.fromFile.list !== listOf(chat, kinds);
  // A mute is no edit, and at this time none holds any more.
  const settings = settingsOf(chat, { kinds: [], now: chat.mutedUntil ?? instant(0) });
  return chat.entries.length > 0 || Object.keys(settings).length > 0;
}

/** It gives "add tide and heron", "change alder (rules)", and so on. */
function differences({ added, changed, removed, settings }: ImportPlan): readonly string[] {
  const names = (entries: readonly Pick<Chat['entries'][number], 'target'>[]): string =>
    several(entries.map(({ target }) => targetName(target)));
  return [
    ...(added.length === 0 ? [] : [`add ${names(added)}`]),
    ...(changed.length === 0
      ? []
      : [`change ${several(changed.map(({ entry, parts }) => `${targetName(entry.target)} (${both(parts)})`))}`]),
    ...(removed.length === 0 ? [] : [`remove ${names(removed)}`]),
    ...(settings.length === 0 ? [] : [`change the chat's ${both(settings)}`]),
  ];
}
