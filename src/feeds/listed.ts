/**
 * This module defines what lists for all projects show of a subject. Lists may be late, wrong or incomplete: they call for checks, never
 * alert.
 */
import { z } from 'zod';
import type { Analytics } from '../analytics/analytics.js';
import type { ProjectRow } from '../analytics/endpoints/dashboard.js';
import { proposalIdentity, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { isZero } from '../domain/decimal.js';
import { decimalSchema, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';

/** The lists that sweeps read, each for all projects at once. */
export const LISTS = ['projects', 'markets'] as const;
export type ListName = (typeof LISTS)[number];

/** The part of a subject's rows that is kept until the next check. Later rows are compared with it. */
export const listedBaseSchema = z.object({
  at: instantSchema,
  updatedAt: instantSchema.optional(),
  price: decimalSchema.optional(),
  navPerShare: decimalSchema.optional(),
  premium: decimalSchema.optional(),
  treasury: decimalSchema.optional(),
  runway: decimalSchema.optional(),
  allowance: decimalSchema.optional(),
  supply: decimalSchema.optional(),
  /** Identities of open proposals; absent if their list was not read whole. */
  open: z.array(z.string()).readonly().optional(),
});
export type ListedBase = z.infer<typeof listedBaseSchema>;

/** The newest rows of a subject. A part is absent if its list was not read or lacks the subject. */
export interface Listed extends ListedBase {
  readonly markets?: readonly ProposalRow[];
}

export interface ListedOf {
  readonly slug: string;
  readonly now: Listed;
  /** What the list showed when the subject was last checked, or first swept. */
  readonly base: ListedBase | undefined;
  /** Gives cached responses only, because a sweep makes no request for a single project. */
  readonly analytics: Pick<Analytics, 'kept'>;
}

/** What a feed can learn from lists. */
export interface ListedSpec<M, S> {
  readonly list: ListName;
  /** Returns what a check would read; `same` if nothing changed; undefined if the list shows nothing usable of the subject. */
  snapshot(of: ListedOf): Promise<S | 'same' | undefined> | S | 'same' | undefined;
  /** Tells whether the list shows a change that is not in the watermark and that only the project's own endpoints can explain. */
  isChanged?(now: Listed, base: ListedBase, watermark: M | undefined): boolean;
}

/** Returns a value; a zero counts as unknown, because stale rows have zeros in place of values. */
const told = (value: Decimal | undefined): Decimal | undefined => (value === undefined || isZero(value) ? undefined : value);

export const listedProject = (at: Instant, row: ProjectRow): Listed =>
  omitUndefined({
    at,
    updatedAt: row.updatedAt,
    price: told(row.price),
    navPerShare: told(row.navPerShare),
    premium: row.premium,
    treasury: told(row.treasury),
    runway: row.runway,
    allowance: row.allowance,
    supply: told(row.supply),
  });

export const listedMarkets = (at: Instant, markets: readonly ProposalRow[], isWhole: boolean): Listed => ({
  at,
  markets,
  ...(isWhole ? { open: markets.map(proposalIdentity) } : {}),
});

export function baseOf({ markets: _markets, ...base }: Listed): ListedBase {
  return base;
}
