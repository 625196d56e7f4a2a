/** An ICO and its contributors (§4.6, fields §2.12), in quote currency. An investor's total spans all ICOs. */
import { z } from 'zod';
import { HOUR } from '../../base/clock.js';
import { decimal as toDecimal, type Decimal } from '../../domain/scalars.js';
import { bySlug, get, list, paging } from '../endpoint-row.js';
import { attempt, count, decimal, maybe, moment, seconds, some, UNREADABLE, words } from '../wire-values.js';

export const icoDetails = get({
  id: 'ico.details',
  path: '/v1/project-overview/ico-details',
  spec: '§4.6',
  input: bySlug,
  freshFor: HOUR,
  data: z
    .object({
      icoPrice: maybe(decimal),
      unixTimestampStarted: maybe(moment),
      secondsForLaunch: maybe(seconds),
      totalSupply: maybe(decimal),
      icoSupply: maybe(decimal),
    })
    .transform((row) => ({
      /** The value is in USD. */
      price: row.icoPrice,
      startedAt: row.unixTimestampStarted,
      /** The value is in milliseconds. */
      runsFor: row.secondsForLaunch,
      totalSupply: row.totalSupply,
      /** The value is in tokens. */
      icoSupply: row.icoSupply,
    })),
});

export const icoContributors = get({
  id: 'ico.contributors',
  path: '/v1/project-overview/ico-contributor',
  spec: '§4.6',
  input: bySlug,
  freshFor: HOUR,
  data: z
    .object({
      totalContributors: maybe(count),
      totalTransactions: maybe(count),
      totalQuoteAmount: maybe(decimal),
      averageContribution: maybe(decimal),
      medianContribution: maybe(decimal),
      committedAmount: maybe(decimal),
      minimumRaiseAmount: maybe(decimal),
      fundsAccepted: maybe(decimal),
    })
    .transform((row) => ({
      contributors: row.totalContributors,
      transactions: row.totalTransactions,
      given: row.totalQuoteAmount,
      average: row.averageContribution,
      median: row.medianContribution,
      committed: row.committedAmount,
      minimum: row.minimumRaiseAmount,
      /** Less than what was committed if oversubscribed. */
      accepted: row.fundsAccepted,
    })),
});

/** Matches `<low>-<high>` or `<low>+`, in the quote currency. */
const RANGE = /^\$?([\d,]+(?:\.\d+)?)\s*(?:[-–]\s*\$?([\d,]+(?:\.\d+)?)|\+)$/u;

/** Recognises the name of a range: in every format it begins with an amount. */
const BEGINS_WITH_AMOUNT = /^\s*[<>≤≥~]?\s*\$?\d/u;

export interface ContributionRange {
  readonly label: string;
  /** Undefined for an unknown format. */
  readonly low?: Decimal;
  /** Undefined for an open range. */
  readonly high?: Decimal;
  readonly wallets: number;
}

const amountOf = (text: string | undefined): Decimal | undefined => (text === undefined ? undefined : toDecimal(text.replaceAll(',', '')));

const rangeOf = (label: string, wallets: number): ContributionRange => {
  const [, low, high] = RANGE.exec(label.trim()) ?? [];
  return { label: label.trim(), low: amountOf(low), high: amountOf(high), wallets };
};

export const icoRanges = get({
  id: 'ico.ranges',
  path: '/v1/project-overview/ico-contributor/chart',
  spec: '§4.6',
  input: bySlug,
  freshFor: HOUR,
  /** Maps ranges to counts; the smallest range first, unreadable ones last. */
  data: z.record(z.string(), z.unknown()).transform((answer) => {
    const read = Object.entries(answer).filter(([label]) => BEGINS_WITH_AMOUNT.test(label));
    const ranges = read.flatMap(([label, value]) => {
      const wallets = attempt(count, value);
      return wallets === UNREADABLE ? [] : [rangeOf(label, wallets)];
    });
    return {
      ranges: ranges.toSorted((a, b) => Number(a.low ?? Infinity) - Number(b.low ?? Infinity)),
      broken: read.length - ranges.length,
    };
  }),
});

export const icoOthers = list({
  id: 'ico.others',
  path: '/v1/project-overview/ico-contributor/ico-list',
  spec: '§4.6',
  input: bySlug,
  freshFor: HOUR,
  row: z.object({ organization: words }),
});

const investor = z
  .object({
    funderAddr: words,
    totalContribution: maybe(decimal),
    organizations: some(words),
    organizationsConcat: maybe(words),
  })
  .transform((row) => ({
    address: row.funderAddr,
    /** The sum of the wallet's contributions to all ICOs. */
    inAllIcos: row.totalContribution,
    organizations:
      row.organizations ?? (row.organizationsConcat === undefined ? [] : row.organizationsConcat.split(',').map((name) => name.trim())),
  }));
export type Investor = z.output<typeof investor>;

export const icoInvestors = list({
  id: 'ico.investors',
  path: '/v1/project-overview/ico-contributor/investors',
  spec: '§4.6',
  input: bySlug.extend(paging),
  freshFor: HOUR,
  row: investor,
});
