/** The port that lists the projects that a chat watches, with their last known measurements. It makes no request. */
import type { Instant } from '../domain/scalars.js';
import type { Address } from './address.js';

/** A measurement as replies show it. `at` is the time of the data. */
export interface DatedFigure {
  readonly text: string;
  readonly at: Instant;
}

export interface WatchedProject {
  readonly slug: string;
  readonly name: string;
  /** False if only the entry for all projects covers the project. */
  readonly isOwn?: boolean;
  readonly symbol?: string | undefined;
  readonly price?: DatedFigure | undefined;
  readonly nav?: DatedFigure | undefined;
  readonly premium?: (DatedFigure & { readonly isDiscount: boolean }) | undefined;
  /** The premium of the last days in percent, as [Unix milliseconds, value], the oldest first. */
  readonly history: readonly (readonly [at: number, value: number])[];
  /** What ends or unlocks next; undefined if that was not checked, null if there is nothing. */
  readonly deadline?: { readonly kind: 'market' | 'vesting'; readonly endsAt: Instant; readonly at: Instant } | null | undefined;
}

export interface WatchedProjectsState {
  /** The number of projects that match the search. */
  readonly total: number;
  /** True if the chat watches at least one project, whatever the search. */
  readonly isAny: boolean;
  readonly projects: readonly WatchedProject[];
}

export interface WatchedProjects {
  /** Returns the projects, ordered by name. */
  read(chat: Address, search: string): Promise<WatchedProjectsState>;
}

/** The most projects that the page lists; a search finds the others. */
export const MAX_WATCHED_SHOWN = 60;
