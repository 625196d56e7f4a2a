/** Reminders before the end of a market: one for each offset and end, not before its time, and none after the end. */
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import type { Market } from '../world/world.js';
import { entryFor, MOMENT, statesBetween } from './chat-state.js';
import { hasMoved, tolerance, type ChatView } from './ledger.js';
import { alertsOf } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY } from './windows.js';

/** A message is on its way for some seconds, and an attempt that was cut off may have arrived before. */
const ON_ITS_WAY = 15 * SECOND;

export function judgeReminders(view: ChatView, tally: Tally): readonly Violation[] {
  const asked = view.wishes.flatMap(({ ask, askedAt, doneAt }) => (ask.kind === 'remind' ? [{ ...ask, askedAt, doneAt }] : []));
  const [first] = asked;
  const { markets } = view.played.scenario.world;
  if (first === undefined) return markets.flatMap((market) => neverAsked(view, market));
  return markets.flatMap((market) => judgeOne(view, { market, wish: first }, tally));
}

const remindersIn = ({ platform, chat }: ChatView, { title }: Market) =>
  alertsOf(platform, chat).flatMap(({ text, at }) => {
    const [, left] = new RegExp(String.raw`Ends in (\d+) (?:min|m)\b[^"\n]*: "${title}"`, 'u').exec(text) ?? [];
    return left === undefined ? [] : [{ at, left: Number(left) }];
  });

const neverAsked = (view: ChatView, market: Market): readonly Violation[] =>
  remindersIn(view, market).length === 0 ? [] : [{ kind: 'unwanted', says: `${view.chat}: a reminder of ${market.title}, not asked for` }];

interface Asked {
  readonly market: Market;
  readonly wish: { readonly minutes: number; readonly doneAt: number };
}

function judgeOne(view: ChatView, { market, wish }: Asked, tally: Tally): readonly Violation[] {
  const { chat, played, skew, troubles, wishes } = view;
  const { title, endsAt, moved, project } = market;
  const sent = remindersIn(view, market);
  const due = endsAt - wish.minutes * MINUTE;
  const { repeats, losses } = tolerance(view);
  const violations: Violation[] = [];
  const add = (kind: Violation['kind'], what: string): number =>
    violations.push({ kind, says: `${chat}: the reminder of ${title} ${what}` });
  if (sent.some(({ at }) => at > endsAt + ON_ITS_WAY + skew)) add('late', 'came after the end');
  // The old end may be known until the check after the move.
  const check = boundsOf(played.scenario).check(EVERY.proposals);
  const isMoveKnown = moved === undefined || moved.at + check < moved.from - wish.minutes * MINUTE;
  if (isMoveKnown && sent.some(({ at }) => at < due - MOMENT - skew)) add('unwanted', 'came before its time');
  const ends = isMoveKnown ? 1 : 2;
  if (sent.length > ends + repeats && !hasMoved(view)) add('duplicated', `came ${sent.length} times`);
  const isDisturbed = skew > 0 || troubles.some(({ from, to }) => to > due - check && from < endsAt);
  const isWatched = statesBetween(wishes, due - check, endsAt).every((state) => {
    const entry = entryFor(state, project);
    return entry !== undefined && !entry.off.has('proposals') && entry.since.to < due;
  });
  const isMust = !isDisturbed && isWatched && isMoveKnown && wish.doneAt < due - MOMENT && losses === 0 && endsAt < played.endedAt;
  tally[isMust ? 'must' : 'may'] += 1;
  tally.delivered += sent.length;
  if (isMust && sent.length === 0) add('lost', 'did not come');
  if (isMust && sent.some(({ left }) => Math.abs(left - wish.minutes) > 2)) add('invented', 'says another time');
  return violations;
}
