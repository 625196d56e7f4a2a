/** The global lists of the simulated service: what is known of every project in one row, and the markets that are live. They tell the truth, but for troubles. */
import { iso, nameOf, proposalRow, supplyAt, treasuryAt } from './truth.js';
import type { ListTrouble, World } from './world.js';

const PROJECTS_PATH = '/v1/global-dashboard/projects-launch';
const MARKETS_PATH = '/v1/global-dashboard/projects/decision-markets';

interface Moment {
  readonly world: World;
  readonly now: number;
}

type About = Pick<ListTrouble, 'list'> & { readonly project?: string };

const troubleOf = ({ world: { troubles = [] }, now }: Moment, { list, project }: About): ListTrouble | undefined =>
  troubles.find(
    (one) =>
      one.list === list &&
      one.from <= now &&
      now < one.to &&
      (one.project === undefined || project === undefined || one.project === project),
  );

/** A list that is refused instead of answered. */
export function listStatus(path: string, moment: Moment): number | undefined {
  const list = path === PROJECTS_PATH ? 'projects' : path === MARKETS_PATH ? 'markets' : undefined;
  const how =
    list && moment.world.troubles?.find((one) => one.list === list && one.from <= moment.now && moment.now < one.to && isRefusal(one));
  return how === undefined ? undefined : how.how === '404' ? 404 : 503;
}

const isRefusal = ({ how }: ListTrouble): boolean => how === '404' || how === '503';

/** The time whose truth is shown. */
const shownTime = (trouble: ListTrouble | undefined, now: number): number =>
  trouble?.how === 'frozen' ? trouble.from : trouble?.how === 'lags' ? now - trouble.by : now;

export function projectRows(world: World, now: number): readonly unknown[] {
  return world.projects.flatMap((slug) => {
    const trouble = troubleOf({ world, now }, { list: 'projects', project: slug });
    if (trouble?.how === 'omits') return [];
    const at = shownTime(trouble, now);
    const supply = supplyAt(world, slug, { now: at, isAhead: trouble?.how === 'ahead' });
    const row = { organizationSlug: slug, organizationName: nameOf(slug), tokenSymbol: slug.toUpperCase(), totalSupply: `${supply}` };
    const treasury = treasuryAt(world, slug, at);
    if (treasury === undefined) return [row];
    if (trouble?.how === 'zeros') return [{ ...row, ...ZEROS, updatedAt: iso(trouble.from) }];
    const { netAssetValueUsd, navPerAdjustedShare, spotPrice, monthsOfRunway, monthlyAllowance, updatedAt } = treasury;
    const price = claimedPrice(trouble, { spotPrice, navPerAdjustedShare });
    return [
      {
        ...row,
        spotPrice: price,
        navPerToken: navPerAdjustedShare,
        premium: ((Number(price) / Number(navPerAdjustedShare) - 1) * 100).toFixed(4),
        runway: monthsOfRunway,
        allowance: monthlyAllowance,
        treasuryTotal: netAssetValueUsd,
        // A list that lies dates its rows now.
        updatedAt: trouble === undefined || trouble.how === 'lags' || trouble.how === 'ahead' ? updatedAt : iso(now),
      },
    ];
  });
}

/** As of a project that is not computed yet. */
const ZEROS = { spotPrice: '0', navPerToken: '0', premium: '0', runway: '0', allowance: '0', treasuryTotal: '0', totalSupply: '0' };

function claimedPrice(
  trouble: ListTrouble | undefined,
  { spotPrice, navPerAdjustedShare }: { readonly spotPrice: string; readonly navPerAdjustedShare: string },
): string {
  if (trouble?.how === 'at NAV') return navPerAdjustedShare;
  return trouble?.how === 'below NAV' ? (Number(navPerAdjustedShare) * 0.95).toFixed(4) : spotPrice;
}

export function liveMarketRows(world: World, now: number): readonly unknown[] {
  return world.markets.flatMap((market) => {
    const trouble = troubleOf({ world, now }, { list: 'markets', project: market.project });
    const at = shownTime(trouble, now);
    return trouble?.how === 'omits' || at < market.liveAt || at >= market.endsAt ? [] : [proposalRow(market, at)];
  });
}
