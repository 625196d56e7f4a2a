/** Serves the lists of launches (§4.8, §2.14). Amounts are raw with six decimals, except the graveyard's `fundRaised`, `targetRaise` and `icoPrice`. */
import { human, jsonNumber, ratio, valueOf } from '../world/amounts.js';
import { contributorCount } from '../world/contributors.js';
import type { WorldLaunch } from '../world/launches.js';
import { iso, many, unix, type RouteRequest } from '../route.js';

const ICO_TOKENS = 10_000_000;
export const icoPrice = (one: WorldLaunch): string => ratio(human(one.accepted), String(ICO_TOKENS), 6);

function priceOf(one: WorldLaunch, { world, at }: RouteRequest): string | null {
  const who = world.find(one.slug);
  return who && world.born(who) <= at ? world.price(who, at) : null;
}

const holders = ({ world }: RouteRequest, one: WorldLaunch): string | null => {
  const who = world.find(one.slug);
  return who === undefined ? null : String(world.wallets.holderCount(who));
};

export const recentLaunches = many({
  meta: ['totalItems'],
  items: ({ world, at }) => world.launches.all(at).filter((one) => world.launches.isRecent(one, at)),
  show(one, ask) {
    const now = ask.world.launches.view(one, ask.at);
    const { roll } = ask.world.scene;
    const price = now.state === 'Complete' ? priceOf(one, ask) : null;
    const who = ask.world.find(one.slug);
    return {
      launchAddr: one.launchAddr,
      baseMint: one.baseMint,
      title: one.title,
      subDescription: who?.about ?? 'Raises before it has a token.',
      organizationSlug: one.slug,
      tokenSymbol: one.symbol,
      state: now.state,
      minimumRaiseAmount: jsonNumber(one.minimum.toString()),
      committedAmount: jsonNumber(now.committed.toString()),
      fundsAccepted: now.accepted === null ? null : jsonNumber(now.accepted.toString()),
      unixTimestampStarted: String(unix(one.startedAt)),
      secondsForLaunch: String(now.seconds),
      isFeatured: roll('featured', one.launchAddr) < 0.3,
      isPermissionLess: roll('open', one.launchAddr) < 0.6,
      tokenUsdPrice: price,
      icoReturn: price === null ? null : jsonNumber(ratio(price, icoPrice(one), 4)),
      fdv: price === null || !who ? null : valueOf(ask.world.supply.supplyAt({ who, when: ask.at, asOf: ask.at }), price),
    };
  },
});

const amounts = (one: WorldLaunch) => ({
  minimumRaiseAmount: one.minimum.toString(),
  committedAmount: one.committed.toString(),
  fundsAccepted: one.accepted.toString(),
});

export const completedLaunches = many({
  meta: ['totalItems', 'currentPage'],
  items: ({ world, at }) => world.launches.all(at).filter((one) => world.launches.view(one, at).state === 'Complete'),
  show: (one, ask) => ({
    launchAddr: one.launchAddr,
    baseMint: one.baseMint,
    title: one.title,
    state: 'Complete',
    ...amounts(one),
    tokenSymbol: one.symbol,
    tokenUsdPrice: priceOf(one, ask),
    holdersCount: holders(ask, one),
    isFeatured: ask.world.scene.roll('featured', one.launchAddr) < 0.3,
  }),
});

export const graveyardLaunches = many({
  items: ({ world, at }) =>
    world.launches.all(at).flatMap((one) => (one.ended && one.ended.at <= at ? [{ ...one, ended: one.ended }] : [])),
  show: (one, ask) => ({
    launchAddr: one.launchAddr,
    title: one.title,
    tokenSymbol: one.symbol,
    state: 'Complete',
    reasonStatus: one.ended.reason,
    dateEnded: iso(one.ended.at),
    ...amounts(one),
    fundRaised: human(one.accepted),
    targetRaise: human(one.minimum),
    icoPrice: icoPrice(one),
    icoInvestors: String(contributorCount(ask.world.scene, one)),
    organizationSlug: one.slug,
  }),
});
