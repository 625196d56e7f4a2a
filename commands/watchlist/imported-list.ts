/** A watchlist that was read for an import. */
import { omitUndefined } from '../../src/base/omit-undefined.js';
import type { FileEntry, FileSettings } from './list-file.js';

/** Per list. */
export const MAX_LINES = 1_000;

/** `fault`: why it has no `entry`. */
export interface ListItem {
  readonly where: string;
  readonly what: string;
  readonly entry?: FileEntry;
  readonly fault?: string;
}

export interface ImportedList {
  readonly items: readonly ListItem[];
  readonly settings?: FileSettings;
  readonly seen?: string;
}

/** `says` is a sentence with the remedy. */
export type ReadList = { readonly read: true; readonly list: ImportedList } | { readonly read: false; readonly says: string };

export const refuse = (says: string): ReadList => ({ read: false, says });

export const tooMany = (lines: number): ReadList =>
  refuse(`A list has at most ${MAX_LINES.toLocaleString('en-US')} lines; this one has ${lines.toLocaleString('en-US')}. Split it.`);

export function withinLimit(items: readonly ListItem[], settings: FileSettings | undefined, seen?: string): ReadList {
  if (items.length > MAX_LINES) return tooMany(items.length);
  return {
    read: true,
    list: omitUndefined({ items, settings, seen }),
  };
}
