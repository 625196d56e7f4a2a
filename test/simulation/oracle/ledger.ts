/** Rows of ledgers: which chat should have which, once, in order and in time. */
import { DAY, SECOND } from '../../../src/base/clock.js';
import type { Address } from '../../../src/chat/address.js';
import type { Platform } from '../platform/platform.js';
import type { Played } from '../run/play.js';
import type { LedgerRow } from '../world/world.js';
import {
  type ChatState,
  entryFor,
  isFiltered,
  MOMENT,
  mutesOf,
  quietOf,
  type Span,
  statesBetween,
  type Wish,
  wishesOf,
} from './chat-state.js';
import { expires } from './expiry.js';
import { foundLater, PUT_OFF } from './lists.js';
import { judgeSums } from './sums.js';
import { amountsIn, isDigest, postsOf } from './texts.js';
import type { Expectation, Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, LEDGER_PATHS, settledBy, skewOf, troublesOf } from './windows.js';

export interface ChatView {
  readonly played: Played;
  readonly chat: Address;
  readonly platform: Platform;
  readonly wishes: readonly Wish[];
  readonly troubles: readonly Span[];
  /** By how much the bot's clock may have been wrong, in ms. */
  readonly skew: number;
}

/** Longer than a simulation goes on. */
const AHEAD = 2 * DAY;

export function viewOf(played: Played, chat: Address): ChatView | undefined {
  const platform = played.platforms.find(({ name }) => chat.startsWith(`${name}/`));
  if (platform === undefined) return undefined;
  const wishes = wishesOf(played, chat);
  const skew = skewOf(played.disturbances);
  const perhaps = [{}, ...played.scenario.world.projects.map((project) => ({ project }))].flatMap((of) => mutesOf(wishes, of).perhaps);
  const quiet = quietOf(wishes, played.scenario.calm + AHEAD);
  const troubles = [...troublesOf(played, chat), ...perhaps, ...quiet].toSorted((a, b) => a.from - b.from);
  return { played, chat, platform, wishes, troubles, skew };
}

export interface Expected {
  readonly row: LedgerRow;
  readonly expectation: Expectation;
  readonly settledBy: number;
  readonly lateAfter: number;
  /** Nothing disturbed it. */
  readonly isCalm: boolean;
}

export function expectedRows(view: ChatView): readonly Expected[] {
  const { played, wishes, troubles, skew } = view;
  const bounds = boundsOf(played.scenario);
  return played.scenario.world.rows.map((row) => {
    const later = row.ledger === 'supply' ? foundLater(played.scenario, { ...row, list: 'projects', every: EVERY.supply }) : 0;
    const bound = bounds.delivery(EVERY[row.ledger]) + later;
    // With a monthly limit a check that nothing calls for may come days later, so it is owed by the end.
    const isOwedAtEnd = played.scenario.profile === 'limited';
    const ofOthers = new Set(troublesOfOthers(view, row.project));
    const own = troubles.filter(({ from, to }) => !ofOthers.has(`${from} ${to}`));
    const by = isOwedAtEnd ? played.givesUpAt - 1 : settledBy(row.shownAt, bound, own);
    // An answer that lacks rows looks like a call in vain, after which a check waits longer.
    const isSpoilt = played.service.exchanges.some(
      ({ path, slug, isAnswered, at }) =>
        !isAnswered && path === LEDGER_PATHS[row.ledger] && slug === row.project && at >= row.shownAt && at < by,
    );
    const lateAfter = by + (isSpoilt ? PUT_OFF * EVERY[row.ledger] * played.scenario.pollSeconds * SECOND : 0);
    const states = statesBetween(wishes, Math.min(row.shownAt, row.at) - MOMENT - skew, by + skew);
    const verdicts = new Set(states.map((state) => verdictOf(row, state, skew)));
    const expired = expires(view, row, by);
    if (expired === 'maybe') verdicts.add('maybe');
    // It may be listed no more before a check finds it.
    if (row.restated?.to === 'removed' && row.restated.at < by) verdicts.add('maybe');
    // With a budget, and where a disturbance outlasts the patience, nothing is owed by a certain time.
    const isOwed = by < played.givesUpAt && (isOwedAtEnd || played.scenario.requestsPerMonth === undefined);
    const expectation: Expectation =
      expired === 'surely' || (verdicts.size === 1 && verdicts.has('no'))
        ? 'must not'
        : verdicts.size === 1 && verdicts.has('yes') && isOwed
          ? 'must'
          : 'may';
    return { row, expectation, settledBy: by, lateAfter, isCalm: by === row.shownAt + bound };
  });
}

/** The mute of a proposal or launch delays it alone. */
export const troublesOfOne = (
  { troubles, wishes }: Pick<ChatView, 'troubles' | 'wishes'>,
  { title }: { readonly title: string },
): readonly Span[] => [...troubles, ...mutesOf(wishes, { title }).perhaps].toSorted((a, b) => a.from - b.from);

/** A mute of one project delays no other one. */
const troublesOfOthers = ({ played, wishes }: ChatView, project: string): readonly string[] =>
  played.scenario.world.projects
    .filter((other) => other !== project)
    .flatMap((other) => mutesOf(wishes, { project: other }).perhaps.map(({ from, to }) => `${from} ${to}`));

function verdictOf(row: LedgerRow, state: ChatState, skew: number): 'yes' | 'no' | 'maybe' {
  const entry = entryFor(state, row.project);
  if (entry === undefined || row.at < entry.since.from - MOMENT - skew || entry.off.has(row.ledger)) return 'no';
  if (isFiltered(row, entry)) return 'no';
  return row.at > entry.since.to + skew ? 'yes' : 'maybe';
}

export const hasMoved = ({ played, chat }: ChatView): boolean =>
  played.disturbances.some((one) => one.what === 'moved' && one.chat === chat);

/** docs/alerts.md: a message of up to nine events is edited. */
export const MAX_EDITED = 9;

/** What was posted stands where it was, and the bot knows it: a correction is owed there. */
export const isSteady = (view: ChatView): boolean =>
  view.platform.isExact && tolerance(view).losses === 0 && view.platform.deletions.get(view.chat) === undefined && !hasMoved(view);

/** How often a message may come twice, and how many may be lost, where the platform does not recognise a repeat. */
export function tolerance(view: ChatView): { readonly repeats: number; readonly losses: number } {
  const { played, chat, platform } = view;
  const { arrived, lost } = platform.unknown(chat);
  const kills = played.fleet.kills() + played.fleet.takeovers();
  const isRepeated = played.scenario.ambiguous === 'repeat';
  const isMoved = hasMoved(view);
  // No repeat is recognised at another address.
  if (platform.isExact) return { repeats: isMoved ? arrived + kills : 0, losses: isMoved && !isRepeated ? lost + kills : 0 };
  // A kill after the answer and before its receipt makes an attempt unclear to the next life.
  return isRepeated ? { repeats: arrived + kills, losses: 0 } : { repeats: 0, losses: lost + kills };
}

export function judgeRows(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const violations: Violation[] = [];
  const alerts = postsOf(platform, chat).filter((post) => !isDigest(post));
  const posted = new Map<number, number[]>();
  for (const { text, at } of alerts) for (const amount of amountsIn(text)) posted.set(amount, [...(posted.get(amount) ?? []), at]);
  const { repeats, losses } = tolerance(view);
  const add = (kind: Violation['kind'], what: string): number => violations.push({ kind, says: `${chat}: ${what}` });
  const name = (row: LedgerRow): string => `${row.ledger} ${row.amount} (${row.project}, $${row.usd})`;
  const expected = expectedRows(view);
  const missing: Expected[] = [];
  for (const { row, expectation, ...one } of expected) {
    const times = posted.get(row.amount) ?? [];
    tally[expectation === 'must not' ? 'mustNot' : expectation] += 1;
    tally.delivered += times.length;
    const [first] = times;
    if (expectation === 'must not' && first !== undefined) add('unwanted', `got ${name(row)}`);
    if (times.length > 1 + repeats) add('duplicated', `got ${name(row)} ${times.length} times`);
    else if (times.length > 1) tally.maybeSent += times.length - 1;
    if (expectation === 'must' && first === undefined) missing.push({ row, expectation, ...one });
    if (expectation === 'must' && first !== undefined && first > one.lateAfter)
      add('late', `got ${name(row)} ${first - one.lateAfter} ms too late`);
  }
  const unnamed = expected.filter(({ row, expectation }) => expectation === 'may' && !posted.has(row.amount)).map(({ row }) => row);
  const { lost, wrong } = judgeSums({ alerts, missing: missing.map(({ row }) => row), unnamed });
  for (const says of wrong) add('summary wrong', says);
  if (losses === 0) for (const row of lost) add('lost', `did not get ${name(row)}`);
  else tally.maybeLost += lost.length;
  for (const amount of posted.keys())
    if (!played.scenario.world.rows.some((row) => row.amount === amount)) add('invented', `got ${amount}, which never was`);
  return [...violations, ...judgeOrder(expected, posted).map((says): Violation => ({ kind: 'out of order', says: `${chat}: ${says}` }))];
}

/** Of undisturbed rows of one ledger: what was surely found by an earlier check does not come later. */
function judgeOrder(expected: readonly Expected[], posted: ReadonlyMap<number, readonly number[]>): readonly string[] {
  const calm = expected.filter(({ expectation, isCalm }) => expectation === 'must' && isCalm);
  return calm.flatMap(({ row, settledBy: by }) =>
    calm.flatMap(({ row: later }) => {
      const [first, second] = [posted.get(row.amount)?.[0], posted.get(later.amount)?.[0]];
      const isSame = later.ledger === row.ledger && later.project === row.project;
      if (!isSame || later.shownAt <= by || first === undefined || second === undefined || first <= second) return [];
      return [`got ${later.amount} before ${row.amount}`];
    }),
  );
}
