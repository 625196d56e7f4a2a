/** Computes what a list would change in a watchlist. */
import { createHash } from 'node:crypto';
import { DEFAULT_PRESET } from '../../alerts/rules/presets.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import {
  MAX_MENTIONS,
  targetName,
  withPrevious,
  type Entry,
  type Exception,
  type Exceptions,
  type Target,
} from '../../alerts/watchlist/entry.js';
import { withHours } from '../../alerts/queue/quiet-hours.js';
import { entryFor, MAX_ENTRIES, type Chat } from '../../alerts/watchlist/watchlists.js';
import { instant, type Instant } from '../../base/clock.js';
import { shortKey } from '../../domain/wallet.js';
import { fileEntryOf, fileText, settingsOf, type FileEntry, type FileSettings } from './list-file.js';

export type EntrySettings = Pick<
  Entry,
  'preset' | 'modes' | 'rules' | 'maxAgeHours' | 'mutedUntil' | 'mutedKinds' | 'mentions' | 'exceptions'
>;
export type ChatSettings = Pick<Chat, 'timezone' | 'preset' | 'quiet' | 'digest' | 'mutedUntil' | 'mutedKinds' | 'mutedTopics'>;

/** An entry of a list. Without settings, an existing entry keeps its own. */
export interface WantedEntry {
  readonly where: string;
  readonly what: string;
  readonly target: Target;
  readonly settings?: EntrySettings;
  readonly written: FileEntry;
}

export interface RefusedItem {
  readonly where: string;
  readonly what: string;
  readonly because: string;
}

/** `replace` also removes other entries. */
export type ImportMode = 'add' | 'replace';

export interface EntryChange {
  readonly old: Entry;
  readonly entry: Entry;
  readonly parts: readonly string[];
}

export interface ImportPlan {
  readonly before: Chat;
  readonly after: Chat;
  readonly added: readonly Entry[];
  readonly changed: readonly EntryChange[];
  readonly unchanged: readonly Entry[];
  readonly removed: readonly Entry[];
  readonly refused: readonly RefusedItem[];
  readonly settings: readonly string[];
  readonly wanted: readonly WantedEntry[];
}

export interface ImportRequest {
  readonly chat: Chat;
  readonly wanted: readonly WantedEntry[];
  readonly settings?: ChatSettings | undefined;
  readonly mode: ImportMode;
  readonly by: Pick<Entry, 'by' | 'byId'>;
  readonly now: Instant;
  readonly kinds: readonly string[];
}

export function planOf(planned: ImportRequest): ImportPlan {
  const { chat, mode, now, kinds } = planned;
  const { wanted, refused } = fitting(chat, planned.wanted, mode);
  const made = wanted.map((item) => {
    const old = entryFor(chat, item.target);
    const entry = entryOf(item, old, planned);
    const parts =
      old === undefined
        ? []
        : differing(
            fileEntryOf({ entry: old, chat: chat.address }, { kinds, now }),
            fileEntryOf({ entry, chat: chat.address }, { kinds, now }),
          );
    return { old, entry, parts };
  });
  const changed = made.flatMap(({ old, entry, parts }) => (old === undefined || parts.length === 0 ? [] : [{ old, entry, parts }]));
  const added = made.flatMap(({ old, entry }) => (old === undefined ? [entry] : []));
  const removed = mode === 'replace' ? chat.entries.filter((entry) => made.every(({ old }) => old !== entry)) : [];
  const set = withSettings(planned);
  const kept = chat.entries
    .filter((entry) => !removed.includes(entry))
    .map((entry) => changed.find(({ old }) => old === entry)?.entry ?? entry);
  return {
    before: chat,
    after: { ...set, entries: [...kept, ...added] },
    added,
    changed,
    unchanged: made.flatMap(({ old, parts }) => (old === undefined || parts.length > 0 ? [] : [old])),
    removed,
    refused,
    settings: differing(settingsOf(chat, { kinds, now }), settingsOf(set, { kinds, now })),
    wanted,
  };
}

export const changesAnything = ({ added, changed, removed, settings }: ImportPlan): boolean =>
  added.length + changed.length + removed.length + settings.length > 0;

/** Hashes the watchlist, so that a preview is not applied after the list has changed. */
export const fingerprint = (chat: Chat, kinds: readonly string[]): string =>
  createHash('sha256')
    // Includes expired mutes, so that the end of a mute does not change the fingerprint.
    .update(fileText(chat, { kinds, now: instant(0) }))
    .digest('base64url')
    .slice(0, 12);

function fitting(chat: Chat, requested: readonly WantedEntry[], mode: ImportMode): Pick<ImportPlan, 'wanted' | 'refused'> {
  const refused: RefusedItem[] = [];
  const refuse = ({ where, what }: WantedEntry, because: string): void => void refused.push({ where, what, because });
  const firsts = new Map<string, WantedEntry>();
  for (const item of requested) {
    const first = firsts.get(targetName(item.target));
    if (first === undefined) firsts.set(targetName(item.target), item);
    else refuse(item, `same as ${first.where}`);
  }
  let wanted = [...firsts.values()];
  // Refusing an entry may restore a wallet's old label, which may clash with another entry. Ends, because each entry is refused at most once.
  for (let found = clashes(chat, wanted, mode); found.size > 0; found = clashes(chat, wanted, mode)) {
    for (const [item, because] of found) refuse(item, because);
    wanted = wanted.filter((item) => !found.has(item));
  }
  let room = MAX_ENTRIES - (mode === 'replace' ? 0 : chat.entries.length);
  const fit = wanted.filter((item) => {
    if (mode === 'add' && entryFor(chat, item.target) !== undefined) return true;
    room -= 1;
    if (room < 0) refuse(item, `a chat watches at most ${MAX_ENTRIES} entries`);
    return room >= 0;
  });
  return { wanted: fit, refused: inOrderOf(requested, refused) };
}

const inOrderOf = (requested: readonly WantedEntry[], refused: readonly RefusedItem[]): readonly RefusedItem[] => {
  const keyOf = ({ where, what }: Pick<RefusedItem, 'where' | 'what'>): string => JSON.stringify([where, what]);
  const places = new Map(requested.map((item, place) => [keyOf(item), place] as const).toReversed());
  const place = (one: RefusedItem): number => places.get(keyOf(one)) ?? -1;
  return refused.toSorted((a, b) => place(a) - place(b));
};

function clashes(chat: Chat, wanted: readonly WantedEntry[], mode: ImportMode): ReadonlyMap<WantedEntry, string> {
  const found = new Map<WantedEntry, string>();
  const named = new Map(wanted.map((item) => [targetName(item.target), item]));
  const taken = new Map<string, string>();
  for (const { target } of chat.entries) {
    const item = named.get(targetName(target));
    if (target.kind !== 'wallet' || target.label === undefined) continue;
    if (item === undefined ? mode === 'add' : keepsLabel(item)) taken.set(target.label.toLowerCase(), target.address);
  }
  for (const item of wanted) {
    if (item.target.kind !== 'wallet' || item.target.label === undefined) continue;
    const { label, address } = item.target;
    const other = taken.get(label.toLowerCase());
    if (other !== undefined && other !== address) found.set(item, `"${label}" is already the label of wallet ${shortKey(other)}`);
    else taken.set(label.toLowerCase(), address);
  }
  return found;
}

const keepsLabel = ({ target, settings }: WantedEntry): boolean =>
  settings === undefined && target.kind === 'wallet' && target.label === undefined;

function entryOf(item: WantedEntry, old: Entry | undefined, { by, now, chat }: ImportRequest): Entry {
  const { target, settings } = item;
  if (old === undefined) return { target, since: now, ...by, preset: chat.preset ?? DEFAULT_PRESET, ...settings };
  // A list does not contain the end of a proposal or launch, so the old one is kept: it must not be followed again.
  const ended = old.target.kind === 'market' && old.target.endedAt !== undefined;
  const renamed = { ...old, target: keepsLabel(item) || ended ? old.target : target };
  if (settings === undefined) return renamed;
  const { mentions = [] } = settings;
  return withPrevious(old, {
    ...renamed,
    ...settings,
    mutedUntil: endOf(old.mutedUntil, settings.mutedUntil, now),
    mutedKinds: endsOf(old.mutedKinds, settings.mutedKinds, now),
    exceptions: exceptionsAfter(old.exceptions, settings.exceptions, now),
    // A file contains no people and only roles of its own platform, so other mentions are kept.
    mentions:
      mentions.length === 0
        ? old.mentions
        : [...(old.mentions ?? []).filter(({ kind }) => kind === 'person'), ...mentions].slice(0, MAX_MENTIONS),
  });
}

function withSettings({ chat, settings, mode, now }: ImportRequest): Chat {
  if (settings === undefined) return chat;
  const digest = digestAfter(chat.digest, settings.digest);
  const { timezone, quiet } = mode === 'add' ? { ...chat, ...settings } : settings;
  const set = withHours(chat, { timezone, quiet }, now);
  if (mode === 'add')
    return {
      ...set,
      ...settings,
      ...(digest && { digest }),
      ...(settings.mutedKinds ? { mutedKinds: { ...chat.mutedKinds, ...settings.mutedKinds } } : {}),
      ...(settings.mutedTopics ? { mutedTopics: { ...chat.mutedTopics, ...settings.mutedTopics } } : {}),
    };
  return {
    ...set,
    preset: settings.preset,
    digest,
    mutedUntil: endOf(set.mutedUntil, settings.mutedUntil, now),
    mutedKinds: endsOf(chat.mutedKinds, settings.mutedKinds, now),
    mutedTopics: endsOf(chat.mutedTopics, settings.mutedTopics, now),
  };
}

const digestAfter = (old: Chat['digest'], wanted: Chat['digest']): Chat['digest'] =>
  wanted !== undefined && old?.every === wanted.every ? { ...wanted, since: old.since } : wanted;

const endOf = (old: Instant | undefined, wanted: Instant | undefined, now: Instant): Instant | undefined =>
  wanted ?? (old === undefined || old <= now ? old : now);

function endsOf(old: Chat['mutedKinds'], wanted: Chat['mutedKinds'], now: Instant): Chat['mutedKinds'] {
  const ended = Object.entries(old ?? {}).flatMap(([kind, end]) => {
    const until = endOf(end, undefined, now);
    return until === undefined ? [] : [[kind, until] as const];
  });
  const both = { ...Object.fromEntries(ended), ...wanted };
  return Object.keys(both).length === 0 ? undefined : both;
}

/** Sets the start of watching to now for a project that is no longer excluded. */
function exceptionsAfter(old: Exceptions = {}, wanted: Exceptions = {}, now: Instant): Exceptions | undefined {
  const all = Object.keys({ ...old, ...wanted }).map((project): readonly [string, Exception] => {
    const [before, after] = [old[project], wanted[project] ?? {}];
    if (before === undefined) return [project, after];
    const since = after.excluded === true ? undefined : before.excluded === true ? now : before.since;
    const mutes = {
      mutedUntil: endOf(before.mutedUntil, after.mutedUntil, now),
      mutedKinds: endsOf(before.mutedKinds, after.mutedKinds, now),
    };
    return [project, omitUndefined({ ...after, ...mutes, since })];
  });
  const left = all.filter(([, exception]) => Object.keys(exception).length > 0);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

const PARTS = {
  label: 'label',
  preset: 'alerts',
  on: 'active kinds',
  silent: 'silent kinds',
  off: 'disabled kinds',
  rules: 'rules',
  maxAgeHours: 'maximum age',
  mutedUntil: 'mute',
  mutedKinds: 'muted kinds',
  mutedTopics: 'muted proposals',
  mentions: 'mentions',
  exceptions: 'exceptions',
  timezone: 'timezone',
  quiet: 'quiet hours',
  digest: 'digest',
} as const;

function differing(before: FileEntry & FileSettings, after: FileEntry & FileSettings): readonly string[] {
  return Object.entries(PARTS).flatMap(([name, words]) =>
    JSON.stringify(Reflect.get(before, name)) === JSON.stringify(Reflect.get(after, name)) ? [] : [words],
  );
}
