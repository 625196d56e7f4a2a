/** This port gives the projects that a chat watches with their last known figures, for the list of the page. It makes no request. */
import type { Instant } from '../domain/scalars.js';
import type { Address } from './address.js';

/** The text is as replies show it. `at` is the time of the data. */
export interface DatedFigure {
  readonly text: string;
  readonly at: Instant;
}

export interface WatchedProject {
  readonly slug: string;
  readonly name: string;
  /** It is false where only the entry for all projects covers it. */
  readonly isOwn?: boolean;
  readonly symbol?: string | undefined;
  readonly price?: DatedFigure | undefined;
  readonly nav?: DatedFigure | undefined;
  readonly premium?: (DatedFigure & { readonly isDiscount: boolean }) | undefined;
  /** The premium of the last days in percent, as [Unix milliseconds, value], the oldest first. */
  readonly history: readonly (readonly [at: number, value: number])[];
  /** What ends or unlocks next. It is undefined if nothing was checked, and null if there is nothing. */
  readonly deadline?: { readonly kind: 'market' | 'vesting'; readonly endsAt: Instant; readonly at: Instant } | null | undefined;
}

export interface WatchedProjectsState {
  /** It counts what matches the search. */
  readonly total: number;
  /** The chat watches at least one project, whatever the search. */
  readonly isAny: boolean;
  readonly projects: readonly WatchedProject[];
}

export interface WatchedProjects {
  /** The projects are in the order of their names. */
  read(chat: Address, search: string): Promise<WatchedProjectsState>;
}

/** A list of the page has at most so many projects; a search finds the others. */
export const MAX_WATCHED_SHOWN = 60;
