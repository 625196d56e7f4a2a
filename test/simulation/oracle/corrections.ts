/** Rows that the service dates otherwise or lists no more: their alert says so, and no other alert does. */
import type { Posted } from '../platform/platform.js';
import type { LedgerRow } from '../world/world.js';
import { entryFor, statesBetween } from './chat-state.js';
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf, amountsIn, followedUpIn, isCorrected, namesAll, totalsIn } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, settledBy } from './windows.js';

const MOMENT = 1_000;
/** docs/alerts.md: a message of up to nine events is edited, another one is followed up; those are left open here. */
const MAX_EDITED = 9;
/** A row has vanished when two complete lists lack it. */
const CHECKS = { removed: 2, dated: 1 } as const;

export function judgeCorrections(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const posted = alertsOf(platform, chat);
  const edits = platform.edits.filter((edit) => edit.chat.startsWith(chat));
  return played.scenario.world.rows.flatMap((row): readonly Violation[] => {
    const posts = posted.filter(({ text }) => amountsIn(text).includes(row.amount));
    const marked = [...posted, ...edits].filter(({ text }) => isCorrected(text, row.amount));
    const wrong = (says: string): readonly Violation[] => [
      { kind: 'correction wrong', says: `${chat}: ${row.ledger} ${row.amount} (${row.project}) ${says}` },
    ];
    const { restated } = row;
    if (restated === undefined) return marked.length === 0 ? [] : wrong('is corrected, but the service never restated it');
    tally.corrections += Math.min(1, marked.length);
    if (marked.some(({ at }) => at < restated.at)) return wrong('is corrected before the service restated it');
    const [post] = posts;
    const isNamed = namesAll(posted) && posted.every(({ text }) => totalsIn(text).length === 0);
    if (post === undefined && isNamed && tolerance(view).losses === 0 && posted.some(({ text }) => followedUpIn(text).includes(row.amount)))
      return wrong('is corrected, but its alert never came');
    if (marked.some(({ at }) => post !== undefined && at < post.at)) return wrong('is corrected before it is alerted');
    const by = mustBeCorrectedBy(view, row, posts);
    const isOver = by !== undefined && by < played.endedAt;
    tally[isOver ? 'must' : 'may'] += 1;
    if (marked.length > 0 || by === undefined) return [];
    if (!isOver) tally.owed += 1;
    return isOver ? wrong('is not corrected') : [];
  });
}

/** Undefined: it need not be. */
function mustBeCorrectedBy(view: ChatView, row: LedgerRow, posts: readonly Posted[]): number | undefined {
  const { played, chat, platform, wishes, troubles, skew } = view;
  const { restated } = row;
  const [first] = posts;
  if (restated === undefined || first === undefined || posts.length > 1) return undefined;
  if (first.at >= restated.at && !wasFoundBefore(view, row, restated)) return undefined;
  if (skew > 0 || tolerance(view).losses > 0 || !platform.isExact || platform.deletions.get(chat) !== undefined) return undefined;
  if (played.disturbances.some((one) => one.what === 'moved' && one.chat === chat)) return undefined;
  if (amountsIn(first.text).length > MAX_EDITED) return undefined;
  const kind = restated.to === 'removed' ? ('removed' as const) : ('dated' as const);
  // An empty list shows nothing of what vanished.
  const isListed = (one: LedgerRow): boolean =>
    one.project === row.project && one.ledger === row.ledger && one.shownAt <= restated.at && one.restated?.to !== 'removed';
  if (kind === 'removed' && !played.scenario.world.rows.some(isListed)) return undefined;
  const bounds = boundsOf(played.scenario);
  const from = Math.max(restated.at, first.at);
  const by = settledBy(from, CHECKS[kind] * bounds.delivery(EVERY[row.ledger]), troubles);
  const states = statesBetween(wishes, Math.min(first.at, restated.at) - MOMENT, by);
  const isWatched = states.every((state) => entryFor(state, row.project)?.off.has(row.ledger) === false);
  return Number.isFinite(by) && isWatched ? by : undefined;
}

const PATHS = { supply: '/v1/dao/token-supply', movements: '/v1/movement' } as const;
/** Until what an answer showed is surely stored. */
const HANDLED = 5_000;

/** What came although it is listed no more was found before; what is dated otherwise, if a check surely saw it. */
function wasFoundBefore({ played }: ChatView, row: LedgerRow, restated: NonNullable<LedgerRow['restated']>): boolean {
  if (restated.to === 'removed') return true;
  const isCalm = (at: number): boolean =>
    !played.disturbances.some(
      (one) => one.platform === undefined && one.chat === undefined && one.from < at + HANDLED && one.to > at - HANDLED,
    );
  return played.service.exchanges.some(
    ({ at, path, slug, isAnswered }) =>
      isAnswered && path === PATHS[row.ledger] && slug === row.project && at >= row.shownAt && at < restated.at && isCalm(at),
  );
}
