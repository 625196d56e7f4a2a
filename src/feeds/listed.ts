/** Global lists may lag, lie or omit a project. What they show of a subject decides what is checked next, never what is alerted. */
import { z } from 'zod';
import type { Analytics } from '../analytics/analytics.js';
import type { ProjectRow } from '../analytics/endpoints/dashboard.js';
import { proposalIdentity, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { isZero } from '../domain/decimal.js';
import { decimalSchema, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';

/** Sweeps read these lists, each for every project at once. */
export const LISTS = ['projects', 'markets'] as const;
export type ListName = (typeof LISTS)[number];

/** It is the part of a subject's rows that is kept until its own endpoints are read. Later rows are compared with it. */
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
  /** These are identities of open proposals, absent while their list was not read whole. */
  open: z.array(z.string()).readonly().optional(),
});
export type ListedBase = z.infer<typeof listedBaseSchema>;

/** These are the newest rows of a subject. A part is absent if its list was not read, or does not name the subject. */
export interface Listed extends ListedBase {
  readonly markets?: readonly ProposalRow[];
}

export interface ListedOf {
  readonly slug: string;
  readonly now: Listed;
  /** It is the base as listed when the subject was last checked, or when it was first swept. */
  readonly base: ListedBase | undefined;
  /** It gives responses that are kept already, because a sweep makes no request for one project. */
  readonly analytics: Pick<Analytics, 'kept'>;
}

/** It says what a feed can learn from lists. */
export interface ListedSpec<M, S> {
  readonly list: ListName;
  /** It gives what a check would read, `same` if the lists show no change, or undefined if they say nothing usable of the subject. */
  snapshot(of: ListedOf): Promise<S | 'same' | undefined> | S | 'same' | undefined;
  /** Only the project's own endpoints can explain such a change, and the watermark does not know it yet. */
  isChanged?(now: Listed, base: ListedBase, watermark: M | undefined): boolean;
}

/** A stale row has zeros where the project has values. */
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
