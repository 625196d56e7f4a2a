/** What global lists show of a subject. A list may lag, lie or omit a project: it decides what is checked next, never what is alerted. */
import { z } from 'zod';
import type { Analytics } from '../analytics/analytics.js';
import type { ProjectRow } from '../analytics/endpoints/dashboard.js';
import { proposalIdentity, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { isZero } from '../domain/decimal.js';
import { decimalSchema, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';

/** The lists that sweeps read, each for every project at once. */
export const LISTS = ['projects', 'markets'] as const;
export type ListName = (typeof LISTS)[number];

/** What is kept of a subject's rows until its own endpoints are read: the state that later rows are compared with. */
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
  /** Identities of open proposals; absent while their list was not read whole. */
  open: z.array(z.string()).readonly().optional(),
});
export type ListedBase = z.infer<typeof listedBaseSchema>;

/** The newest rows of a subject. Absent parts: their list was not read, or does not name the subject. */
export interface Listed extends ListedBase {
  readonly markets?: readonly ProposalRow[];
}

export interface ListedOf {
  readonly slug: string;
  readonly now: Listed;
  /** As listed when the subject was last checked, or when it was first swept. */
  readonly base: ListedBase | undefined;
  /** For responses that are kept already: a sweep makes no request for one project. */
  readonly analytics: Pick<Analytics, 'kept'>;
}

/** What a feed can learn from lists. */
export interface ListedSpec<M, S> {
  readonly list: ListName;
  /** As a check would read it; `same` if the lists show no change, undefined if they say nothing usable of the subject. */
  snapshot(of: ListedOf): Promise<S | 'same' | undefined> | S | 'same' | undefined;
  /** A change that only the project's own endpoints can explain, and that the watermark does not know yet. */
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
