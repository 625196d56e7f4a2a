/** Rows that the service dates otherwise or lists no more: their alert says so, and no other alert does. */
import type { Posted } from '../platform/platform.js';
import type { LedgerRow } from '../world/world.js';
import { entryFor, MOMENT, statesBetween } from './chat-state.js';
import { isSteady, MAX_EDITED, tolerance, type ChatView } from './ledger.js';
import { alertsOf, amountsIn, editsOf, followedUpIn, isCorrected, namesEach } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, isCalmAt, LEDGER_PATHS, settledBy } from './windows.js';

/** A row has vanished when two complete lists lack it. */
const CHECKS = { removed: 2, dated: 1 } as const;

export function judgeCorrections(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const posted = alertsOf(platform, chat);
  const edits = editsOf(platform, chat);
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
    if (
      post === undefined &&
      namesEach(posted) &&
      tolerance(view).losses === 0 &&
      posted.some(({ text }) => followedUpIn(text).includes(row.amount))
    )
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
  const { played, wishes, troubles, skew } = view;
  const { restated } = row;
  const [first] = posts;
  if (restated === undefined || first === undefined || posts.length > 1) return undefined;
  if (first.at >= restated.at && !wasFoundBefore(view, row, restated)) return undefined;
  if (skew > 0 || !isSteady(view)) return undefined;
  // The correction of a longer message is one of its own, and is left open here.
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

/** What came although it is listed no more was found before; what is dated otherwise, if a check surely saw it. */
function wasFoundBefore({ played }: ChatView, row: LedgerRow, restated: NonNullable<LedgerRow['restated']>): boolean {
  if (restated.to === 'removed') return true;
  const troubles = played.disturbances.filter(({ platform, chat }) => platform === undefined && chat === undefined);
  return played.service.exchanges.some(
    ({ at, path, slug, isAnswered }) =>
      isAnswered &&
      path === LEDGER_PATHS[row.ledger] &&
      slug === row.project &&
      at >= row.shownAt &&
      at < restated.at &&
      isCalmAt(at, troubles),
  );
}
