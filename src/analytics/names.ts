/**
 * Which field carries which concept in answers whose layout the interface does not show. `stated` names are in the interface;
 * `guessed` ones were seen with other clients of such services and may be wrong; `common` ones are guesses so ordinary that they count only at
 * the top of an answer or row, because deeper they belong to something else. This file is the only place that knows them.
 */
export interface Names {
  readonly stated: readonly string[];
  readonly guessed: readonly string[];
  readonly common?: readonly string[];
}

export const NAMES = {
  navPerShare: { stated: ['navPerAdjustedShare'], guessed: ['navPerShare', 'navAs'] },
  spotPrice: { stated: ['spotPrice'], guessed: ['baseMintCurrentPrice', 'tokenPrice', 'tokenUsdPrice', 'price', 'usdPrice'] },
  netAssetValue: { stated: ['netAssetValueUsd'], guessed: ['netAssetValue', 'totalBalance', 'treasuryValue'] },
  /** The global project list calls NAV per token so. */
  navPerToken: { stated: [], guessed: ['netAssetValue'] },
  treasuryPart: { stated: ['nonNativeTreasuryValueUsd'], guessed: [] },
  lpPart: { stated: ['nonNativeLpValueUsd'], guessed: [] },
  runway: { stated: ['monthsOfRunway'], guessed: ['monthOfRunway', 'runway'] },
  runwayWithoutLp: { stated: [], guessed: ['monthsOfRunwayWithoutLp', 'monthsOfRunwayExcludingLp', 'runwayWithoutLp'] },
  allowance: { stated: [], guessed: ['spendingLimit', 'monthlyAllowance', 'allowance'] },
  premium: { stated: [], guessed: ['premiumDiscountPercent', 'premiumPct', 'premDisc', 'premium', 'current', 'pct'] },
  premiumLow: { stated: [], guessed: ['low', 'lowPct', 'min'] },
  premiumMean: { stated: [], guessed: ['mean', 'meanPct', 'average'] },
  premiumHigh: { stated: [], guessed: ['high', 'highPct', 'max'] },
  lowAt: { stated: [], guessed: ['lowAt', 'lowTimestamp', 'lowDate'] },
  highAt: { stated: [], guessed: ['highAt', 'highTimestamp', 'highDate'] },
  adjustedSupply: { stated: [], guessed: ['adjustedSupply', 'adjustedShares'] },
  circulating: { stated: [], guessed: ['circulatingSupply', 'tokenCirculatingSupply'] },
  totalSupply: { stated: [], guessed: ['totalSupply', 'tokenTotalSupply'] },
  baseMint: { stated: ['baseMint'], guessed: [] },
  marketCap: { stated: [], guessed: ['marketCap'] },
  fdv: { stated: [], guessed: ['fdv'] },
  volume: { stated: [], guessed: ['volume24h', 'volume'] },
  liquidity: { stated: [], guessed: ['liquidity', 'liquidityUsd'] },
  symbol: { stated: [], guessed: ['tokenSymbol'], common: ['symbol'] },
  name: { stated: [], guessed: ['organizationName', 'projectName'], common: ['name', 'title', 'project'] },
  projectName: { stated: ['projectName'], guessed: ['organizationName'], common: ['project'] },
  slug: { stated: [], guessed: ['organizationSlug', 'projectSlug', 'slug'] },
  description: { stated: [], guessed: ['projectDescription'], common: ['description'] },
  icoPrice: { stated: [], guessed: ['icoPrice'] },
  change1h: { stated: [], guessed: ['tokenPriceChangePercentage1h', 'priceChangePercentage1h', 'change1h'] },
  change24h: { stated: [], guessed: ['tokenPriceChangePercentage24h', 'priceChangePercentage24h', 'tokenPriceUSDChange24h', 'change24h'] },
  change7d: { stated: [], guessed: ['tokenPriceChangePercentage7d', 'priceChangePercentage7d', 'change7d'] },
  updatedAt: { stated: [], guessed: [], common: ['updatedAt'] },
  amount: { stated: [], guessed: [], common: ['amount', 'balance'] },
  value: { stated: [], guessed: ['usdValue', 'totalValue', 'valueUsd'], common: ['value'] },
  address: { stated: [], guessed: ['mint', 'tokenAddress'], common: ['address'] },
  timestamp: { stated: [], guessed: [], common: ['timestamp', 'time', 'date', 'period'] },
  from: { stated: [], guessed: ['startDate', 'earliest'], common: ['from', 'start'] },
  to: { stated: [], guessed: ['endDate', 'latest'], common: ['to', 'end'] },
  url: { stated: [], guessed: [], common: ['url', 'link', 'href'] },
  state: { stated: [], guessed: ['launchState'], common: ['state', 'status'] },

  proposalId: { stated: ['proposalId'], guessed: [], common: ['id'] },
  proposalKey: { stated: ['publicKey', 'proposalPublicKey'], guessed: ['proposalAddress'] },
  proposalTitle: { stated: ['proposalTitle', 'proposalName'], guessed: [], common: ['title', 'name', 'proposal'] },
  proposalStatus: { stated: [], guessed: ['proposalStatus', 'proposalState'], common: ['status', 'state'] },
  proposalResult: { stated: [], guessed: ['result', 'outcome'] },
  createdAt: { stated: [], guessed: ['creationDate', 'proposalCreationDate', 'createdAt'] },
  startsAt: { stated: [], guessed: ['startDate', 'proposalStartDate', 'startedAt'] },
  endsAt: { stated: [], guessed: ['endDate', 'proposalEndDate', 'endsAt'] },
  twapStartsAt: { stated: ['twapStartTime'], guessed: ['twapStartDate', 'twapStartsAt'] },
  twapStatus: { stated: [], guessed: ['twapStatus'] },
  passEdge: { stated: [], guessed: ['passEdge', 'twapPassEdge', 'finalPassEdge', 'currentPassEdge'] },
  margin: { stated: [], guessed: ['twapThresholdMargin', 'twapMargin'] },
  threshold: { stated: [], guessed: ['threshold', 'passThreshold', 'passThresholdPercent'] },
  thresholdBps: { stated: [], guessed: ['passedThresholdBps', 'passThresholdBps'] },
  traders: { stated: [], guessed: ['totalUniqueTraders', 'uniqueTraders', 'traders'] },
  tradeVolume: { stated: [], guessed: ['totalTradeVolume', 'totalVolume', 'tradeVolume'] },
  trades: { stated: [], guessed: ['totalTrade', 'totalTrades', 'trades'] },
  staked: { stated: [], guessed: ['stakedAmount', 'totalStaked', 'staked'] },
  stakeNeeded: { stated: [], guessed: ['requiredStake', 'stakeThreshold', 'stakeRequired'] },
  proposalCount: { stated: [], guessed: ['proposalCount', 'totalProposals'] },
} satisfies Record<string, Names>;

export type Concept = keyof typeof NAMES;
