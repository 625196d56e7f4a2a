/** Applies the watchlist files of a folder (WATCHLISTS), at the start and when one changes: docs/watchlist-file.md */
import { isOver } from '../../alerts/rules/rule-end.js';
import { isSameRule, withFileEndings, withoutRules, type FileEnding } from '../../alerts/watchlist/ended-rules.js';
import { targetName, type Entry } from '../../alerts/watchlist/entry.js';
import { MAX_EDITS, entryFor, type Chat, type CommandWatchlists, type Watchlists } from '../../alerts/watchlist/watchlists.js';
import { AnalyticsError } from '../../analytics/errors.js';
import { MINUTE, SECOND, instant, later, type Clock, type Instant } from '../../base/clock.js';
import { unlessAborted, within } from '../../base/deadline.js';
import type { Finding } from '../../base/finding.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { brief, cut, oneLine } from '../../base/one-line.js';
import { both, several } from '../../base/sentence-lists.js';
import { platformOf, type Address } from '../../chat/address.js';
import type { RefusedFile } from '../../chat/operator-view.js';
import type { Context } from '../context.js';
import { UserError } from '../../reply/index.js';
import { noteText, readFolder, refusedText, type FileCache, type ListFile } from './folder-files.js';
import { settingsOf } from './list-file.js';
import { changesAnything, fingerprint, planOf, type EntrySettings, type ImportPlan, type WantedEntry } from './list-plan.js';
import type { MarketContext } from './markets.js';
import { resolve, type ResolvedList } from './resolve-list.js';

const POLL = 15 * SECOND;
/** After this time a refused file is tried again, because the service may have listed its projects since. */
const RETRY = 5 * MINUTE;
const MAX_SAID = 300;

/** The files with "force": true that set the lists of chats, as the last pass found them. */
export type ForcedFiles = Map<Address, string>;

export interface FolderDeps extends Pick<Context, 'directory' | 'kinds'>, Pick<MarketContext, 'analytics' | 'why'> {
  readonly folder: string;
  readonly watchlists: Watchlists;
  readonly forced: ForcedFiles;
  /** Whether alerts can reach this chat; a text says why not. */
  readonly unreachable: (chat: Address) => string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export class WatchlistFolder {
  readonly #deps: FolderDeps;
  readonly #cache: FileCache = new Map();
  /** The last logged refusal of each file, and when the file is tried again. */
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

  /** Returns the files that the last pass refused. */
  refused(): readonly RefusedFile[] {
    return [...this.#refused].map(([file, { says }]) => ({ file, says }));
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.pass().catch((error: unknown) => (signal.aborted ? undefined : log.error('watchlists.failed', { error })));
      await clock.sleep(POLL, signal).catch(() => undefined);
    }
  }

  /** Applies files that are new or changed. Rejects with the store's error. */
  async pass(): Promise<void> {
    const { folder, watchlists } = this.#deps;
    const { signal } = this.#stopping;
    const ownerOf = (chat: Address): string | undefined => watchlists.read(chat).fromFile?.name;
    // A hanging file system must not prevent the bot from stopping.
    const files = await unlessAborted(signal, readFolder(folder, { cache: this.#cache, ownerOf, signal }));
    if (typeof files === 'string') return this.#refuse({ name: '', hash: '' }, files);
    this.#refused.delete('');
    for (const name of this.#refused.keys()) if (!files.some((file) => file.name === name)) this.#refused.delete(name);
    this.#noteForced(files);
    for (const file of files) {
      if (this.#stopping.signal.aborted) return;
      if ('says' in file) this.#refuse({ name: file.name, hash: file.says }, file.says);
      else await this.#consider(file);
    }
  }

  /** A forced file that broke goes on to own its list, because it will be applied again. */
  #noteForced(files: Awaited<ReturnType<typeof readFolder>> & object): void {
    const { forced } = this.#deps;
    const isForcing = (name: string): boolean => files.some((file) => file.name === name && ('says' in file || file.isForced));
    for (const [chat, name] of forced) if (!isForcing(name)) forced.delete(chat);
    for (const file of files) if (!('says' in file) && file.isForced) forced.set(file.chat, file.name);
  }

  async #consider(file: ListFile): Promise<void> {
    const { watchlists, kinds, clock, unreachable } = this.#deps;
    const chat = watchlists.read(file.chat);
    const { fromFile } = chat;
    const isAsApplied = !isEdited(chat, kinds);
    if (fromFile?.text === file.hash && (isAsApplied || !file.isForced)) return this.#watchEdits(file, isAsApplied);
    const refused = this.#refused.get(file.name);
    if (refused?.hash === file.hash && clock.now() < refused.until) return;
    const because = unreachable(file.chat) ?? (chat.left === undefined ? undefined : botIsAbsent(file.chat));
    if (because !== undefined) return this.#refuse(file, because);
    const resolved = await this.#resolved(file);
    if (typeof resolved === 'string') this.#refuse(file, resolved);
    else await this.#apply(file, resolved);
  }

  /** Logs edits that were made in the chat. They stay until the file changes; then the file is refused unless it is forced. */
  #watchEdits({ name, chat, hash }: ListFile, isAsApplied: boolean): void {
    if (isAsApplied) this.#refused.delete(name);
    else this.#refuse({ name, hash }, keepsEdit(chat));
  }

  async #resolved({ list, chat }: ListFile): Promise<ResolvedList | string> {
    const { directory, watchlists, kinds, clock, analytics, why } = this.#deps;
    const asker = { mayMention: async () => true };
    try {
      const asked = {
        directory,
        watchlists,
        kinds,
        analytics,
        why,
        chat,
        asker,
        now: clock.now(),
        signal: this.#stopping.signal,
        readsOver: true,
      };
      // Proposals and launches that are over do not prevent the rest of the file from being applied.
      const resolved = await resolve(list, asked);
      const [refused] = resolved.refused;
      if (refused !== undefined) return refusedText(refused);
      const [note] = resolved.notes;
      return note === undefined ? resolved : noteText(note);
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
      const endings = endingsOf(before, now);
      const plan = planOf({
        chat: before,
        wanted: wanted.map((item) =>
          item.settings === undefined
            ? item
            : { ...item, settings: withEntryMutes(endings.without(item.settings, item), entryFor(before, item.target)) },
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
        fromFile: omitUndefined({ name: file.name, text: file.hash, list: listOf(plan.after, kinds), ended: endings.kept() }),
        ...(isDifferent ? { edits: [edit, ...(before.edits ?? [])].slice(0, MAX_EDITS) } : {}),
      };
    });
    if (typeof done === 'string') return this.#refuse(file, done);
    this.#refused.delete(file.name);
    if (changesAnything(done)) log.info('watchlists.applied', { file: file.name, chat: file.chat, changes: differences(done) });
  }

  /** Records a refusal and logs it once for each reason. */
  #refuse({ name, hash, chat }: Pick<ListFile, 'name' | 'hash'> & Partial<Pick<ListFile, 'chat'>>, says: string): void {
    const { clock, log } = this.#deps;
    if (this.#refused.get(name)?.says !== says) log.warn('watchlists.refused', { file: name, chat, because: says });
    this.#refused.set(name, { says, hash, until: later(clock.now(), RETRY) });
  }
}

/** Keeps the mutes that people set if the file has none. Mutes are temporary and do not count as an edit of the list. */
function withMutes<T extends Mutes>(wanted: T, old: Mutes | undefined): T {
  return { ...wanted, mutedUntil: wanted.mutedUntil ?? old?.mutedUntil, mutedKinds: wanted.mutedKinds ?? old?.mutedKinds };
}
type Mutes = Pick<Chat, 'mutedUntil' | 'mutedKinds'>;

/** Keeps the mutes of an entry, including exceptions that only mute a project and that the file does not have. */
function withEntryMutes(wanted: EntrySettings, old: Entry | undefined): EntrySettings {
  const muted = Object.entries(old?.exceptions ?? {}).filter(([, one]) => one.mutedUntil !== undefined || one.mutedKinds !== undefined);
  const settings = withMutes(wanted, old);
  if (muted.length === 0) return settings;
  const exceptions = muted.map(([project, one]) => [project, withMutes(wanted.exceptions?.[project] ?? {}, one)] as const);
  return { ...settings, exceptions: { ...wanted.exceptions, ...Object.fromEntries(exceptions) } };
}

const NO_MUTES = { mutedUntil: undefined, mutedKinds: undefined };

/** Writes the list without mutes and without the ends of proposals and launches, so that only edits by people change the text. */
function listOf(chat: Chat, kinds: Context['kinds']): string {
  const entries = chat.entries.map((entry): Entry => {
    const exceptions = Object.entries(entry.exceptions ?? {}).map(([project, one]) => [project, { ...one, ...NO_MUTES }] as const);
    const target = entry.target.kind === 'market' ? { ...entry.target, endedAt: undefined } : entry.target;
    return { ...entry, ...NO_MUTES, target, exceptions: Object.fromEntries(exceptions) };
  });
  return fingerprint(
    { ...chat, ...NO_MUTES, mutedTopics: undefined, entries },
    kinds.map(({ id }) => id),
  );
}

/** Returns the rules that expired and that the file still contains unchanged. They are not set again. */
function endingsOf({ fromFile }: Chat, now: Instant) {
  const kept = new Set<FileEnding>();
  return {
    without: (settings: EntrySettings, { target }: Pick<WantedEntry, 'target'>): EntrySettings =>
      withoutRules(settings, (rule) => {
        const ended = fromFile?.ended?.find((one) => one.entry === targetName(target) && isSameRule(one, rule));
        if (ended !== undefined) kept.add(ended);
        return ended !== undefined || isOver(rule.rule, now);
      }),
    kept: () => (kept.size === 0 ? undefined : [...kept].map((ended) => omitUndefined({ ...ended, place: undefined }))),
  };
}

/** Tells whether people edited the list since the file set it. Expired rules do not count as edits. */
function isEdited(chat: Chat, kinds: Context['kinds']): boolean {
  if (chat.fromFile !== undefined) return ![chat, withFileEndings(chat)].some((list) => chat.fromFile?.list === listOf(list, kinds));
  // At this time the chat's mute has expired, so it does not appear as an edit.
  const settings = settingsOf(chat, { kinds: [], now: chat.mutedUntil ?? instant(0) });
  return chat.entries.length > 0 || Object.keys(settings).length > 0;
}

/** A folder that takes longer is left to the first pass. */
const NOTED_WITHIN = 5 * SECOND;

/** Notes the forced files before the first pass, so that changes of their lists are refused from the beginning. Never rejects. */
export async function noteForced(folder: string, { forced, clock }: Pick<FolderDeps, 'forced' | 'clock'>): Promise<void> {
  // The first pass reports a folder that cannot be read.
  const files = await within(clock, NOTED_WITHIN, readFolder(folder)).catch(() => undefined);
  if (files === undefined || typeof files === 'string') return;
  for (const file of files) if (!('says' in file) && file.isForced && !forced.has(file.chat)) forced.set(file.chat, file.name);
}

/** Watchlists for commands: a change of a list that a forced file sets would be undone within seconds, so it throws a `UserError`. */
export function withoutForced(
  watchlists: CommandWatchlists,
  { forced, noted, kinds }: { readonly forced: ReadonlyMap<Address, string>; readonly noted?: Promise<void> } & Pick<Context, 'kinds'>,
): CommandWatchlists {
  return {
    read: (chat) => watchlists.read(chat),
    compact: (chat) => watchlists.compact(chat),
    addresses: () => watchlists.addresses(),
    formerly: (circle) => watchlists.formerly(circle),
    async change(address, edit) {
      await noted;
      return watchlists.change(address, (before) => {
        const after = edit(before);
        const file = forced.get(address);
        if (file === undefined || before.fromFile?.name !== file || listOf(before, kinds) === listOf(after, kinds)) return after;
        throw new UserError(
          `The operator's file "${brief(oneLine(file))}" sets the watchlist and the settings of this chat, so nothing was changed. Ask the operator to change the file. Mutes work as usual.`,
          { actions: [{ label: 'Watchlist', line: '/watchlist' }] },
        );
      });
    },
  };
}

/** What the doctor says of claims in the store of a bot that does not run, beside `folderFindings`. `chatOf` rejects with the store's error. */
export async function claimFindings(
  folder: string,
  {
    chatOf,
    hasEndpoint,
    kinds,
  }: Pick<Context, 'kinds'> & {
    readonly chatOf: (chat: Address) => Promise<Chat | undefined>;
    readonly hasEndpoint: (chat: Address) => boolean;
  },
): Promise<readonly Finding[]> {
  const chats = new Map<Address, Chat>();
  const ownerOf = (chat: Address): string | undefined => chats.get(chat)?.fromFile?.name;
  const first = await readFolder(folder);
  if (typeof first === 'string') return [];
  for (const { chat } of first) {
    const stored = chat === undefined ? undefined : await chatOf(chat);
    if (stored !== undefined) chats.set(stored.address, stored);
  }
  const files = await readFolder(folder, { ownerOf });
  if (typeof files === 'string') return [];
  return files.flatMap((file): readonly Finding[] => {
    const isKnown = first.some((one) => 'says' in one && 'says' in file && one.name === file.name && one.says === file.says);
    const stored = file.chat && chats.get(file.chat);
    const says = 'says' in file ? (isKnown ? undefined : file.says) : claimFault(file, { stored, hasEndpoint, kinds });
    return says === undefined ? [] : [{ mark: 'warn', about: 'watchlists', says: `${brief(file.name)}: ${says}` }];
  });
}

function claimFault(
  { chat, hash, isForced }: ListFile,
  {
    stored,
    hasEndpoint,
    kinds,
  }: { readonly stored: Chat | undefined; readonly hasEndpoint: (chat: Address) => boolean } & Pick<Context, 'kinds'>,
): string | undefined {
  if (platformOf(chat) === 'webhook' && !hasEndpoint(chat)) return noEndpoint(chat);
  if (stored?.left !== undefined) return botIsAbsent(chat);
  if (stored === undefined || isForced || !isEdited(stored, kinds)) return undefined;
  if (stored.fromFile?.text === hash) return keepsEdit(chat);
  return `${chat} has a list that a person made or edited, so the bot applies this file only if it says the same. Export the list and start from that, or set "force": true.`;
}

export const noEndpoint = (chat: Address): string => `There is no endpoint ${chat}. The page "Webhooks" lists them.`;
const botIsAbsent = (chat: Address): string => `The bot is not in ${chat}. Invite it again.`;
const keepsEdit = (chat: Address): string =>
  `${chat} was edited since this file was applied, and keeps the edit. Export it, or set "force": true.`;

/** Returns "add tide and heron", "change alder (rules)" and the like. */
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
