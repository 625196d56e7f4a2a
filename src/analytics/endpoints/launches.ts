/** Recent, completed and ended launches (§4.8, fields §2.14). Amounts are raw with six decimals, except `fundRaised` of ended ones in USD. */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { fromRaw } from '../../domain/scalars.js';
import { list, paging } from '../endpoint-row.js';
import { count, decimal, flag, marketPrice, maybe, moment, priced, raw, seconds, withConversions, words } from '../wire-values.js';

const QUOTE_DECIMALS = 6;
const dollars = (amount: bigint | undefined) => (amount === undefined ? undefined : fromRaw(amount, QUOTE_DECIMALS));
const conversion = (amount: bigint | undefined) => (amount === undefined ? undefined : `${amount} raw / 10^${QUOTE_DECIMALS}`);

const common = {
  launchAddr: words,
  title: maybe(words),
  tokenSymbol: maybe(words),
  state: maybe(words),
  minimumRaiseAmount: maybe(raw),
  committedAmount: maybe(raw),
  fundsAccepted: maybe(raw),
};

/** Amounts are in USD, and undefined if a list lacks them. */
const named = (row: z.output<z.ZodObject<typeof common>>) => ({
  address: row.launchAddr,
  title: row.title,
  symbol: row.tokenSymbol,
  state: row.state,
  minimum: dollars(row.minimumRaiseAmount),
  committed: dollars(row.committedAmount),
  accepted: dollars(row.fundsAccepted),
});

const converting = <T extends ReturnType<typeof named>>(launch: T, row: z.output<z.ZodObject<typeof common>>): T =>
  withConversions(launch, {
    minimum: conversion(row.minimumRaiseAmount),
    committed: conversion(row.committedAmount),
    accepted: conversion(row.fundsAccepted),
  });

const recent = z
  .object({
    ...common,
    baseMint: maybe(words),
    subDescription: maybe(words),
    organizationSlug: maybe(words),
    unixTimestampStarted: maybe(moment),
    secondsForLaunch: maybe(seconds),
    isFeatured: maybe(flag),
    isPermissionLess: maybe(flag),
    tokenUsdPrice: maybe(marketPrice),
    icoReturn: maybe(decimal),
    fdv: maybe(decimal),
  })
  .transform((row) =>
    converting(
      {
        ...named(row),
        mint: row.baseMint,
        slug: row.organizationSlug,
        startedAt: row.unixTimestampStarted,
        /** The value is in milliseconds. Grows when a live launch is extended. */
        runsFor: row.secondsForLaunch,
        permissionless: row.isPermissionLess,
        price: row.tokenUsdPrice,
        /** A multiple of the ICO price. */
        icoReturn: priced(row.tokenUsdPrice, row.icoReturn),
        fdv: priced(row.tokenUsdPrice, row.fdv),
      },
      row,
    ),
  );
export type RecentLaunch = z.output<typeof recent>;

export const recentLaunches = list({
  id: 'launches.recent',
  path: '/v1/global-dashboard/recent-launches',
  spec: '§4.8',
  input: z.object(paging),
  freshFor: MINUTE,
  row: recent,
});

const completed = z
  .object({ ...common, baseMint: maybe(words), tokenUsdPrice: maybe(marketPrice), holdersCount: maybe(count), isFeatured: maybe(flag) })
  .transform((row) => converting({ ...named(row), mint: row.baseMint, price: row.tokenUsdPrice, holders: row.holdersCount }, row));
export type CompletedLaunch = z.output<typeof completed>;

export const completedLaunches = list({
  id: 'launches.completed',
  path: '/v1/global-dashboard/completed-launches/info',
  spec: '§4.8',
  input: z.object(paging),
  freshFor: MINUTE,
  row: completed,
});

const ended = z
  .object({
    ...common,
    reasonStatus: maybe(words),
    dateEnded: maybe(moment),
    fundRaised: maybe(decimal),
    targetRaise: maybe(decimal),
    icoPrice: maybe(decimal),
    icoInvestors: maybe(count),
    organizationSlug: maybe(words),
  })
  .transform((row) =>
    converting(
      {
        ...named(row),
        slug: row.organizationSlug,
        reason: row.reasonStatus,
        endedAt: row.dateEnded,
        /** The value is in USD. */
        raised: row.fundRaised,
        target: row.targetRaise,
        icoPrice: row.icoPrice,
        investors: row.icoInvestors,
      },
      row,
    ),
  );
export type EndedLaunch = z.output<typeof ended>;

export const graveyardLaunches = list({
  id: 'launches.graveyard',
  path: '/v1/global-dashboard/graveyard-launches',
  spec: '§4.8',
  input: z.object(paging),
  freshFor: MINUTE,
  row: ended,
});
