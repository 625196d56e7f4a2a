/** Proposals: their stages as messages, and the live message that is edited as they proceed. */
import type { Market } from '../world/world.js';
import { entryForOne, MOMENT, statesBetween } from './chat-state.js';
import { judgeEdits, type LiveTopic } from './edits.js';
import { tolerance, troublesOfOne, type ChatView } from './ledger.js';
import { foundLater } from './lists.js';
import { alertsOf, namesAll, stagesIn, type MarketStage } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, settledBy } from './windows.js';

export function judgeMarkets(view: ChatView, tally: Tally): readonly Violation[] {
  return view.played.scenario.world.markets.flatMap((market) => [...judgeStages(view, market, tally), ...judgeEdits(view, liveOf(market))]);
}

function judgeStages(view: ChatView, market: Market, tally: Tally): readonly Violation[] {
  const { chat, platform, played, wishes, skew } = view;
  const troubles = troublesOfOne(view, market);
  const bounds = boundsOf(played.scenario);
  const [bound, check] = [bounds.delivery(EVERY.proposals), bounds.check(EVERY.proposals)];
  const posts = alertsOf(platform, chat);
  const said = posts.flatMap(({ text }) => stagesIn(text));
  const isNamed = namesAll(posts);
  const violations: Violation[] = [];
  const { losses } = tolerance(view);
  const moments: Readonly<Record<MarketStage, number>> = { live: market.liveAt, result: market.endsAt };
  for (const stage of ['live', 'result'] as const) {
    const at = moments[stage];
    const { scenario } = played;
    const later = foundLater(scenario, { list: 'markets', project: market.project, every: EVERY.proposals, at, shownAt: at });
    const by = scenario.profile === 'limited' ? played.givesUpAt - 1 : settledBy(at, bound + later, troubles);
    const verdicts = new Set(
      statesBetween(wishes, at - MOMENT - skew, by + skew).map((state) => {
        const entry = entryForOne(state, market);
        if (entry === undefined) return 'no';
        // A result is dated when a check finds it, because the service shows it after the end.
        if (stage === 'result' && at < entry.since.from - skew && at > entry.since.from - skew - bound) return 'maybe';
        if (at < entry.since.from - skew) return 'no';
        // What begins before the watch may be known to its first check or not, unless that check surely came before the stage.
        const isChecked = scenario.requestsPerMonth === undefined && at > settledBy(entry.since.to, check, troubles) + skew;
        return market.createdAt > entry.since.to + skew || isChecked ? 'yes' : 'maybe';
      }),
    );
    const times = said.filter((one) => one === `${market.title} ${stage}`).length;
    // Several stages that are found together are one message with the last.
    const isAlone = stage === 'result' || by < market.endsAt;
    const isReadable = isNamed && (platform.deletions.get(chat) ?? 0) === 0;
    const isMust = verdicts.size === 1 && verdicts.has('yes') && by < played.givesUpAt && isAlone && isReadable;
    tally[isMust ? 'must' : verdicts.size === 1 && verdicts.has('no') ? 'mustNot' : 'may'] += 1;
    tally.delivered += times;
    const says = `${chat}: ${market.title}, ${stage}: ${times} messages`;
    if (isMust && times === 0 && losses === 0) violations.push({ kind: 'lost', says });
    if (verdicts.size === 1 && verdicts.has('no') && times > 0) violations.push({ kind: 'unwanted', says });
  }
  return violations;
}

/** In percent; 0 before the market is live. */
const edgeIn = (text: string): number => Number(/\(\+?([\d.]+)%/u.exec(text)?.[1] ?? 0);

const liveOf = ({ title, project, endsAt }: Market): LiveTopic => ({
  ...{ title, project, endsAt, feed: 'proposals' },
  names: (text) => text.includes(`"${title}"`),
  isBegin: (text) => /^(?:● Live|○ New proposal)/u.test(text),
  isResult: (text) => /^\S (?:Passed|Failed)/u.test(text),
  progress: edgeIn,
});
