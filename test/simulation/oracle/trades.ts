/** Single trades by docs/alerts.md: each that is above the rule's size once, none that is not, and none from before the rule or before trades were first read. */
import type { Market, Trade } from '../world/world.js';
import { tradesPath } from '../world/trades.js';
import { entryForOne, MOMENT, statesBetween, type ChatState } from './chat-state.js';
import { isOfAbsence } from './followed.js';
import { tolerance, troublesOfOne, type ChatView } from './ledger.js';
import { alertsOf, namesAll } from './texts.js';
import { count, type Verdict } from './undated.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, knownFrom, settledBy } from './windows.js';

/** docs/alerts.md: of a check, the largest so many are considered. */
const MOST = 20;
/** A total of ten and more names the largest. */
const TOTAL = /\d+ market alerts at [^\n]+\n+Largest: /u;
const ALERT = /A trade on "([^"]+)" above your [^:\n]+: \$([\d.]+)(K?)/gu;

export function judgeTrades(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const alerts = alertsOf(platform, chat);
  const posts = alerts.flatMap(({ at, text }) =>
    [...text.matchAll(ALERT)].map(([, title, size, thousands]) => ({
      ...{ at, title },
      usd: Math.round(Number(size) * (thousands === 'K' ? 1_000 : 1)),
    })),
  );
  const { repeats, losses } = tolerance(view);
  const isNamed = namesAll(alerts) && !alerts.some(({ text }) => TOTAL.test(text));
  const { markets } = played.scenario.world;
  const violations: Violation[] = posts
    .filter((post) => !markets.some(({ title, trades = [] }) => title === post.title && trades.some(({ usd }) => usd === post.usd)))
    .map(({ usd }) => ({ kind: 'invented', says: `${chat}: a trade of $${usd}` }));
  for (const market of markets)
    for (const trade of market.trades ?? []) {
      const own = posts.filter(({ title, usd }) => title === market.title && usd === trade.usd);
      const { verdict, by } = expected(view, market, trade);
      const says = `${chat}: the trade of $${trade.usd} on ${market.title}: ${own.length} alerts`;
      const [first] = own;
      count(tally, verdict);
      tally.delivered += own.length;
      if (verdict === 'no' && first !== undefined) violations.push({ kind: 'unwanted', says });
      if (own.length > 1 + repeats) violations.push({ kind: 'duplicated', says });
      if (verdict !== 'yes') continue;
      if (first === undefined && losses === 0 && isNamed) violations.push({ kind: 'lost', says });
      if (first !== undefined && first.at > by) violations.push({ kind: 'late', says });
    }
  return violations;
}

function expected(view: ChatView, market: Market, trade: Trade): { readonly verdict: Verdict; readonly by: number } {
  const { played, wishes, skew } = view;
  const { delivery } = boundsOf(played.scenario);
  const troubles = troublesOfOne(view, market);
  const by = settledBy(trade.shownAt, delivery(EVERY.proposals), troubles);
  const states = statesBetween(wishes, trade.at - MOMENT - skew, by + skew);
  const verdicts = new Set(states.map((state) => verdictOf(state, market, { trade, skew })));
  const [only = 'no'] = verdicts;
  if (verdicts.size > 1) return { verdict: 'maybe', by };
  if (only !== 'yes') return { verdict: only, by };
  const { earliest, surely } = firstRead(view, market);
  // A first answer that lists less than there is leaves open what it would have listed.
  if (earliest === undefined) return { verdict: 'maybe', by };
  if (trade.shownAt < earliest) return { verdict: 'no', by };
  const isFew = (market.trades ?? []).filter(({ usd }) => usd >= trade.usd).length <= MOST;
  // docs/alerts.md: one that was made before the first read begins nothing, even if it is listed after a later one.
  const isOfBefore = trade.at <= surely && (market.trades ?? []).some(({ at, shownAt }) => at >= trade.at && shownAt <= surely);
  // Nor does it where a check that had read the later one was cut off before it was recorded.
  const overtakers = (market.trades ?? []).filter(({ at, shownAt }) => at >= trade.at && shownAt < trade.shownAt);
  const isCutOff = played.disturbances.some(
    ({ what, from, to }) => (what === 'down' || what === 'disk') && overtakers.some(({ shownAt }) => from < by && to > shownAt),
  );
  // The check that finds the result is the last one that reads trades.
  const isRead = trade.shownAt > surely && !isOfBefore && trade.shownAt < market.endsAt;
  // Nor one that a check read while this chat was away: one for another chat, or one that was under way as it left.
  const isMissed =
    isOfAbsence(view, { from: trade.shownAt, to: by }) ||
    played.disturbances.some(({ what, chat, from }) => what === 'gone' && chat === view.chat && from >= trade.shownAt && from < by);
  return { verdict: isFew && isRead && !isCutOff && !isMissed && by < played.givesUpAt ? 'yes' : 'maybe', by };
}

function verdictOf(state: ChatState, market: Market, { trade, skew }: { readonly trade: Trade; readonly skew: number }): Verdict {
  const entry = entryForOne(state, market);
  if (entry?.trades === undefined || trade.usd <= entry.trades.above || trade.shownAt < entry.since.from - MOMENT - skew) return 'no';
  // One that was made before the rule may be found after it.
  return trade.at > entry.trades.since.to + skew ? 'yes' : 'maybe';
}

/** When trades were first read since a chat has had a rule on them: no earlier than the first request, and surely by the first that nothing disturbed. */
function firstRead({ played, wishes }: ChatView, market: Market): { readonly earliest: number | undefined; readonly surely: number } {
  const { requests, service } = played;
  const path = tradesPath(market);
  const rules = requests.filter(({ ask }) => ask.kind === 'trade');
  const isDropped = requests.some(({ ask }) => ask.kind === 'unwatch');
  // What is known of a project goes when the last chat gives it up.
  const ofOwn = wishes.filter(({ ask }) => ask.kind === 'trade');
  const from = Math.min(...(isDropped ? ofOwn : rules).map(({ doneAt }) => doneAt));
  const first = service.exchanges.find((one) => one.path === path);
  const earliest = first?.isAnswered === false ? undefined : (first?.at ?? Number.POSITIVE_INFINITY);
  return { earliest, surely: knownFrom(played, [path], { from, slug: '' }) };
}
