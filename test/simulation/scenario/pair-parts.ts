/** What the situations and disturbances of a pair are made from. */
import { SECOND } from '../../../src/base/clock.js';
import type { Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { LedgerRow, World } from '../world/world.js';
import { PROJECTS, type Ask, type Kind, type Step, type Timed, type When } from './scenario.js';

export const [PROJECT] = PROJECTS;
/** Checks come so often. */
export const CHECK = 15 * SECOND;

export interface Base {
  readonly random: Random;
  readonly start: number;
  /** When its chats have begun to watch. */
  readonly watched: number;
  readonly chats: readonly Address[];
  readonly chat: Address;
}

export interface Situation {
  readonly world?: Partial<World>;
  readonly steps?: readonly Timed[];
  /** Where a disturbance can fall into it: after a sign, or at a time. */
  readonly moment: Omit<When, 'wait'> | { readonly at: number };
  readonly processes?: 1 | 2;
  /** Where it takes longer than most; checks and ticks are further apart then. */
  readonly lasts?: number;
  /** It takes longer, with checks and ticks as close together as usual. */
  readonly isDense?: boolean;
  /** Kinds of which nothing happens, and which cost requests all the same. */
  readonly on?: readonly Kind[];
}

export interface MakeSituation {
  /** Default: one or two. */
  readonly chats?: number;
  /** An hour begins in it. */
  readonly atHour?: boolean;
  readonly make: (base: Base) => Situation;
}

/** `near`: a step at the moment, or so many ms later. */
export type MakeDisturbance = (base: Base, near: (step: Step, later?: number) => Timed) => readonly Timed[];

export const ask = (chat: Address, what: Ask): Extract<Step, { kind: 'ask' }> => ({ kind: 'ask', chat, ask: what });

const FIRST_AMOUNT = 101;

export const rowAt = (about: Pick<LedgerRow, 'usd' | 'direction'> & Partial<LedgerRow>, at: number, index: number): LedgerRow => ({
  ...{ ledger: 'supply', project: PROJECT, amount: FIRST_AMOUNT + index, at, shownAt: at },
  ...about,
});

/** One or two that the second check finds, one for the third, and one for the last. */
export function rowsOf({ random, watched }: Base): readonly LedgerRow[] {
  const times = [
    ...Array.from({ length: random.whole(1, 2) }, () => random.whole(3_000, CHECK - 3_000)),
    random.whole(CHECK + 1_000, 2 * CHECK),
    random.whole(2 * CHECK, 3 * CHECK),
  ];
  return times.map((later, index) =>
    rowAt({ usd: random.pick([500, 20_000, 20_000, 20_000]), direction: random.pick(['in', 'out'] as const) }, watched + later, index),
  );
}
