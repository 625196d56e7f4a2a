/** What is true of a project or a market at a moment, in the fields of the service. */
import type { LedgerRow, Market, World } from './world.js';

export const iso = (moment: number): string => new Date(moment).toISOString();

export const nameOf = (slug: string): string => `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)}`;

/** How often a market's edge rises, in ms. */
const EDGE_RISES = 7_000;
const TENTHS = 10;

/** When a market of flips begins to be passing or failing. */
export const sidesOf = ({ liveAt, flipsAt = [] }: Market): readonly number[] => [liveAt, ...flipsAt];

/** In points, different for each side it was on: passing at first. */
export function marginOf(market: Market, now: number): string {
  const turn = sidesOf(market).findLastIndex((at) => at <= now);
  return `${turn % 2 === 0 ? '' : '-'}${(1 + turn / 10).toFixed(1)}`;
}

export function proposalRow(market: Market, now: number) {
  const { title, project, createdAt, liveAt, endsAt, result, flipsAt, moved } = market;
  const status = now < liveAt ? 'draft' : now < endsAt ? 'live' : result;
  const edge = Math.floor((Math.min(now, endsAt) - liveAt) / EDGE_RISES) / TENTHS;
  return {
    publicKey: keyOf(market),
    projectSlug: project,
    proposalTitle: title,
    status,
    createdAt: iso(createdAt),
    startDate: iso(liveAt),
    endDate: iso(moved !== undefined && now < moved.at ? moved.from : endsAt),
    ...(now < liveAt ? {} : { passEdge: `${edge}` }),
    ...(flipsAt === undefined || now < liveAt ? {} : { twapThresholdMargin: marginOf(market, now) }),
    threshold: '0.1',
  };
}

export const keyOf = ({ key, title }: Pick<Market, 'key' | 'title'>): string => key ?? title.replaceAll(/[^A-Za-z0-9]/gu, '');

const FIRST_SUPPLY = 12_900_000;

const isOf =
  (project: string) =>
  (row: LedgerRow): boolean =>
    row.ledger === 'supply' && row.project === project;
const changeOf = ({ amount, direction }: LedgerRow): number => (direction === 'in' ? amount : -amount);

/** What was minted and burned by then, as the ledger shows it; `isAhead`: also what it does not show yet. A restated row changes nothing. */
export const supplyAt = (world: World, project: string, { now, isAhead }: { readonly now: number; readonly isAhead: boolean }): number =>
  world.rows
    .filter((row) => isOf(project)(row) && (isAhead ? row.at : row.shownAt) <= now)
    .reduce((total, row) => total + changeOf(row), FIRST_SUPPLY);

/** By world and project, then by amount: a page of a long ledger would add them up again for each row. */
const supplies = new WeakMap<World, Map<string, ReadonlyMap<number, number>>>();

/** The supply after a row, in the order in which rows happened. */
export function supplyAfter(world: World, { project, amount }: Pick<LedgerRow, 'project' | 'amount'>): number {
  const known = supplies.get(world) ?? new Map<string, ReadonlyMap<number, number>>();
  supplies.set(world, known);
  let own = known.get(project);
  if (own === undefined) {
    let total = FIRST_SUPPLY;
    const rows = world.rows.filter(isOf(project)).toSorted((a, b) => a.at - b.at);
    own = new Map(rows.map((row) => [row.amount, (total += changeOf(row))]));
    known.set(project, own);
  }
  return own.get(amount) ?? FIRST_SUPPLY;
}

/** Undefined where the world has no value of the project. */
export function treasuryAt(world: World, project: string, now: number) {
  const value = world.values.findLast((one) => one.project === project && one.at <= now);
  if (value === undefined) return undefined;
  const nav = world.navs.findLast((one) => one.project === project && one.at <= now);
  return {
    netAssetValueUsd: `${nav?.dollars ?? 10_000_000}`,
    navPerAdjustedShare: value.navPerShare,
    spotPrice: value.price,
    monthsOfRunway: value.runway,
    monthlyAllowance: '100000',
    updatedAt: iso(Math.max(value.at, nav?.at ?? value.at)),
  };
}
