/** Proposals: their stages as messages, and the live message that is edited as they proceed. */
import type { Market } from '../world/world.js';
import { entryFor, statesBetween, type Wish } from './chat-state.js';
import { tolerance, type ChatView } from './ledger.js';
import { isDigest, postsOf, stagesIn, type MarketStage } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, settledBy } from './windows.js';

/** An edit that left before the unwatch may arrive shortly after it. */
const ON_ITS_WAY = 1_000;
const MOMENT = 1_000;

export function judgeMarkets(view: ChatView, tally: Tally): readonly Violation[] {
  return view.played.scenario.world.markets.flatMap((market) => [...judgeStages(view, market, tally), ...judgeEdits(view, market)]);
}

function judgeStages(view: ChatView, market: Market, tally: Tally): readonly Violation[] {
  const { chat, platform, played, wishes, troubles, skew } = view;
  const bound = boundsOf(played.scenario).delivery(EVERY.proposals);
  const said = postsOf(platform, chat).flatMap((post) => (isDigest(post) ? [] : stagesIn(post.text)));
  const violations: Violation[] = [];
  const { losses } = tolerance(view);
  const moments: Readonly<Record<MarketStage, number>> = { live: market.liveAt, result: market.endsAt };
  for (const stage of ['live', 'result'] as const) {
    const at = moments[stage];
    const by = settledBy(at, bound, troubles);
    const verdicts = new Set(
      statesBetween(wishes, at - MOMENT - skew, by + skew).map((state) => {
        const entry = entryFor(state, market.project);
        if (entry === undefined) return 'no';
        // A result is dated when a check finds it, because the service shows it after the end.
        if (stage === 'result' && at < entry.since.from - skew && at > entry.since.from - skew - bound) return 'maybe';
        if (at < entry.since.from - skew) return 'no';
        // What begins before the watch may be known to its first check or not.
        return market.createdAt > entry.since.to + skew ? 'yes' : 'maybe';
      }),
    );
    const times = said.filter((one) => one === `${market.title} ${stage}`).length;
    // Several stages that are found together are one message with the last.
    const isAlone = stage === 'result' || by < market.endsAt;
    const isMust =
      verdicts.size === 1 && verdicts.has('yes') && Number.isFinite(by) && isAlone && (platform.deletions.get(chat) ?? 0) === 0;
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
const isResult = (text: string): boolean => /^\S (?:Passed|Failed)/u.test(text);

/** The latest status wins, nothing is edited after an unwatch, and a deleted message is posted again once at most. */
function judgeEdits({ chat, platform, wishes, played, skew }: ChatView, { title, project, endsAt }: Market): readonly Violation[] {
  const own = postsOf(platform, chat);
  const edits = platform.edits.filter((edit) => edit.chat.startsWith(chat) && edit.text.includes(`"${title}"`));
  const violations: Violation[] = [];
  const add = (says: string): number => violations.push({ kind: 'edit wrong', says: `${chat}, ${title}: ${says}` });
  const { arrived } = platform.unknown(chat);
  const messages = new Set(edits.map(({ message }) => message));
  const watches = wishes.filter(({ ask }) => ask.kind === 'watch' || ask.kind === 'import').length;
  const moves = played.disturbances.filter((one) => one.what === 'moved' && one.chat === chat).length;
  // Where no repeat is recognised, the first message of an unclear attempt is not known.
  const most = watches + moves + Math.min(1, platform.deletions.get(chat) ?? 0) + (platform.isExact ? 0 : arrived + played.fleet.kills());
  if (messages.size > most) add(`${messages.size} messages were edited`);
  const values = edits.map(({ text }) => (isResult(text) ? Number.POSITIVE_INFINITY : edgeIn(text)));
  if (values.some((value, index) => value < (values[index - 1] ?? -1))) add(`edits went back: ${values.join(', ')}`);
  const gone = statesBetween(wishes, played.endedAt, played.endedAt).every((state) => entryFor(state, project) === undefined);
  const unwatch = wishes.findLast(({ ask }) => ask.kind === 'unwatch');
  if (gone && unwatch !== undefined && edits.some(({ at }) => at > unwatch.doneAt + ON_ITS_WAY)) add('edited after the unwatch');
  const first = own.find((post) => post.at < endsAt && /^(?:● Live|○ New proposal)/u.test(post.text) && post.text.includes(`"${title}"`));
  const isOfOthers = ({ ask }: Wish): boolean => ask.kind === 'hostile' || (ask.kind === 'mode' && ask.feed !== 'proposals');
  const isUndisturbed =
    wishes.every((wish) => wish.ask.kind === 'watch' || wish.ask.kind === 'preset' || isOfOthers(wish)) && watches === 1 && skew === 0;
  // What was posted in a chat that never takes the bot back cannot be edited.
  const isLeft = played.disturbances.some((one) => one.what === 'gone' && one.chat === chat && one.to === Number.POSITIVE_INFINITY);
  const isFollowed =
    first !== undefined && isUndisturbed && !isLeft && moves === 0 && platform.deletions.get(chat) === undefined && platform.isExact;
  if (isFollowed && values.at(-1) !== Number.POSITIVE_INFINITY) add(`the last edit shows ${values.at(-1)}`);
  return violations;
}
