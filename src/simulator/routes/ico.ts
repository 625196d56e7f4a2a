/** Serves a token's ICO (§4.6, §2.12). Amounts are in tokens, not raw. Investors' totals span all ICOs. */
import { FULL_META, many, one, projectOf, unix, type RouteRequest } from '../route.js';
import { exactly, human, jsonNumber, rawOf } from '../world/amounts.js';
import { inRanges } from '../world/contributors.js';
import { ICO_TOKENS } from '../world/vesting.js';

const raiseOf = (ask: RouteRequest) => ask.world.contributors.raise(projectOf(ask));

export const icoDetails = one((ask) => {
  const who = projectOf(ask);
  const { launch } = raiseOf(ask);
  return {
    icoPrice: ask.world.vesting.icoPriceOf(who),
    unixTimestampStarted: unix(launch.startedAt),
    secondsForLaunch: launch.seconds,
    totalSupply: human(rawOf(who.genesis)),
    icoSupply: ICO_TOKENS,
  };
});

export const icoContributors = one((ask) => {
  const raise = raiseOf(ask);
  return {
    totalContributors: raise.contributors,
    totalTransactions: raise.transactions,
    totalQuoteAmount: human(raise.total),
    averageContribution: human(raise.average),
    medianContribution: human(raise.median),
    committedAmount: human(raise.launch.committed),
    minimumRaiseAmount: human(raise.launch.minimum),
    fundsAccepted: human(raise.launch.accepted),
  };
});

export const icoRanges = one((ask) =>
  Object.fromEntries(
    inRanges(raiseOf(ask).given)
      .map(([range, count]) => [range, String(count)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
);

export const icoOthers = many({
  items: (ask) => ask.world.contributors.others(projectOf(ask)),
  show: ({ name }) => ({ organization: name }),
});

export const icoInvestors = many({
  meta: FULL_META,
  items: (ask) => raiseOf(ask).given.map((_, place) => place),
  show(place, ask) {
    const one = ask.world.contributors.contributor(projectOf(ask), place);
    const organizations = one.joined.map(({ name }) => name);
    return {
      funderAddr: one.address,
      totalContribution: jsonNumber(exactly(human(one.everywhere)).toFixed()),
      organizations,
      organizationsConcat: organizations.join(', '),
    };
  },
});
