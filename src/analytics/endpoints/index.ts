/** The table: every operation the bot knows, by its id. */
import * as dashboard from './dashboard.js';
import * as finances from './finances.js';
import * as holders from './holders.js';
import * as ico from './ico.js';
import * as launches from './launches.js';
import * as project from './project.js';
import * as proposals from './proposals.js';
import * as proposalsAnalytics from './proposals-analytics.js';
import * as proposalsMarket from './proposals-market.js';
import * as supply from './supply.js';
import * as trading from './trading.js';
import * as treasury from './treasury.js';
import * as walletActivity from './wallet-activity.js';
import * as wallets from './wallets.js';

export const ENDPOINTS = {
  'supply.overview': supply.supplyOverview,
  'supply.events': supply.supplyEvents,
  'supply.chart': supply.supplyChart,
  'holders.list': holders.tokenHolders,
  'holders.distribution': holders.tokenDistribution,
  'holders.package': holders.performancePackage,
  'holders.tranches': holders.trancheLadder,
  'holders.unlocks': holders.unlockSchedule,
  'ico.details': ico.icoDetails,
  'ico.contributors': ico.icoContributors,
  'ico.ranges': ico.icoRanges,
  'ico.others': ico.icoOthers,
  'ico.investors': ico.icoInvestors,
  'finances.revenues': finances.revenues,
  'finances.total-revenue': finances.totalRevenue,
  'finances.expenses': finances.expenses,
  'finances.total-expense': finances.totalExpense,
  'launches.recent': launches.recentLaunches,
  'launches.completed': launches.completedLaunches,
  'launches.graveyard': launches.graveyardLaunches,
  'treasury.overview': treasury.treasuryOverview,
  'treasury.holdings': treasury.treasuryHoldings,
  'treasury.chart': treasury.treasuryChart,
  'treasury.nav-as-chart': treasury.navAsChart,
  'treasury.nav-breakdown': treasury.navBreakdown,
  'treasury.premium-breakdown': treasury.premiumBreakdown,
  'treasury.runway-breakdown': treasury.runwayBreakdown,
  'project.url': project.projectUrl,
  'project.overview': project.projectOverview,
  'project.market-metrics': project.marketMetrics,
  'project.legals': project.legals,
  'project.legal-entities': project.legalEntities,
  'project.growth-feed': project.growthFeed,
  'project.dao': project.daoOverview,
  'project.timeline': project.projectTimeline,
  'proposals.list': proposals.proposals,
  'proposals.titles': proposals.proposalTitles,
  'proposals.outcomes': proposals.proposalOutcomes,
  'proposals.detail': proposals.proposalDetail,
  'proposals.orders': proposalsMarket.proposalOrders,
  'proposals.orders-csv': proposalsMarket.proposalOrdersCsv,
  'proposals.traders-csv': proposalsMarket.proposalTradersCsv,
  'proposals.volume-csv': proposalsMarket.proposalVolumeCsv,
  'proposals.traders': proposalsMarket.proposalTraders,
  'proposals.price-chart': proposalsMarket.proposalPrices,
  'proposals.market': proposalsMarket.proposalMarket,
  'proposals.status': proposalsMarket.proposalStatus,
  'proposals.threshold-chart': proposalsMarket.proposalThreshold,
  'proposals.flow-chart': proposalsMarket.proposalFlow,
  'proposals.pass-edge': proposalsMarket.proposalPassEdge,
  'proposals.trade-overview': proposalsAnalytics.proposalTradeOverview,
  'proposals.outcome-strength': proposalsAnalytics.proposalStrength,
  'proposals.conviction-chart': proposalsAnalytics.proposalConviction,
  'proposals.trade-frequency': proposalsAnalytics.proposalFrequency,
  'proposals.comparable-metrics': proposalsAnalytics.proposalAgainst,
  'proposals.comparables': proposalsAnalytics.proposalComparables,
  'trading.statistics': trading.tradingStatistics,
  'trading.trades': trading.tradingActivities,
  'wallets.overview': wallets.walletOverview,
  'wallets.holdings-overview': wallets.walletHoldingsOverview,
  'wallets.holdings': wallets.walletHoldings,
  'wallets.token-flow': wallets.walletTokenFlow,
  'wallets.refresh': wallets.refreshHoldings,
  'wallets.refresh-token': wallets.refreshToken,
  'wallets.refresh-status': wallets.refreshStatus,
  'wallets.markets': walletActivity.walletMarkets,
  'wallets.proposal': walletActivity.walletProposal,
  'wallets.proposal-trades': walletActivity.walletProposalTrades,
  'wallets.trades': walletActivity.walletTrades,
  'wallets.ico-totals': walletActivity.walletIcoTotals,
  'wallets.icos': walletActivity.walletIcos,
  'dashboard.projects-launch': dashboard.projectsLaunch,
  'dashboard.projects': dashboard.projects,
  'dashboard.search': dashboard.search,
  'dashboard.market-totals': dashboard.marketTotals,
  'dashboard.markets': dashboard.allMarkets,
  'dashboard.live-markets': dashboard.liveMarkets,
} as const;

export type EndpointId = keyof typeof ENDPOINTS;
