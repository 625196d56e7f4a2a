/** Rules with a memory: where it is open what the bot saw, every possibility is followed, and what was posted decides. */
import { HOUR } from '../../../src/base/clock.js';
import type { Span } from './chat-state.js';
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf, unnamedIn } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { settledBy } from './windows.js';

export interface Outcome<State> {
  readonly state: State;
  readonly alerts: boolean;
}

/** A value, as long as it stood. */
export interface Segment extends Span {
  readonly value: number;
  readonly text: string;
}

export interface Following<State> {
  readonly states: readonly State[];
  readonly segments: readonly Segment[];
  /** Whether the bot may not have seen it. */
  readonly isUnsure: (segment: Segment) => boolean;
  readonly seen: (state: State, segment: Segment) => readonly Outcome<State>[];
  readonly wasPosted: (segment: Segment) => boolean;
  readonly name: (segment: Segment) => string;
}

export function followed<State>(view: ChatView, following: Following<State>, tally: Tally): readonly Violation[] {
  const { played, chat, platform } = view;
  const counts = alertsOf(platform, chat).filter(({ text }) => unnamedIn(text) > 0);
  const { segments, isUnsure, seen, wasPosted, name } = following;
  const violations: Violation[] = [];
  let { states } = following;
  for (const segment of segments) {
    const outcomes = states.flatMap((state) => [...(isUnsure(segment) ? [{ state, alerts: false }] : []), ...seen(state, segment)]);
    const isPosted = wasPosted(segment);
    const mayBeCounted = counts.some(({ at }) => at >= segment.from);
    const isMust = !mayBeCounted && outcomes.every(({ alerts }) => alerts);
    const isLast = isAwaited(view, segment);
    const isOwed = isLast ? played.endedAt >= played.givesUpAt : segment.to < played.scenario.calm;
    if (isLast && isMust && !isPosted && !isOwed) tally.owed += 1;
    tally[isMust && (isOwed || isLast) ? 'must' : outcomes.some(({ alerts }) => alerts) ? 'may' : 'mustNot'] += 1;
    if (isPosted) tally.delivered += 1;
    // A message that was cut off and is not repeated was alerted all the same.
    const mayBeHidden = mayBeCounted || tolerance(view).losses > 0;
    const kept = !isPosted && mayBeHidden ? outcomes : outcomes.filter(({ alerts }) => alerts === isPosted);
    if (kept.length === 0 && isPosted) violations.push({ kind: 'unwanted', says: `${chat}: ${name(segment)}` });
    if (kept.length === 0 && !isPosted && isOwed && tolerance(view).losses === 0)
      violations.push({ kind: 'lost', says: `${chat}: not ${name(segment)}` });
    states = distinct((kept.length === 0 ? outcomes : kept).map(({ state }) => state));
  }
  return violations;
}

/** Where lists mislead, what stands at the end is waited for: any check finds it. */
export const isAwaited = ({ played: { scenario, endedAt } }: Pick<ChatView, 'played'>, { from, to }: Span): boolean =>
  scenario.world.troubles !== undefined && to >= endedAt && from < scenario.calm;

interface Alerting<State> {
  readonly every: number;
  readonly isSeen: (span: Span) => boolean;
  /** What may delay the check that alerts, such as an absence of the chat. */
  readonly troubles: readonly Span[];
  /** Once it has alerted, at some time within the span. */
  readonly after: (alerted: Span) => State;
}

/** Two alerts of a rule are at least an hour apart: what comes sooner is alerted when the hour is over, if it is still so. */
export function alertOf<State extends { readonly alerted: Span | undefined }>(
  state: State,
  { from, to }: Span,
  { every, isSeen, troubles, after }: Alerting<State>,
): readonly Outcome<State>[] {
  const { alerted } = state;
  if (alerted === undefined || from >= alerted.to + HOUR)
    return [{ state: after({ from, to: seenBy(from, { to, every, troubles }) }), alerts: true }];
  const silent: Outcome<State> = { state, alerts: false };
  const [earliest, latest] = [alerted.from + HOUR, alerted.to + HOUR];
  if (to <= earliest) return [silent];
  const late = { state: after({ from: Math.max(from, earliest), to: Math.min(to, latest + every) }), alerts: true };
  return isSeen({ from: Math.max(from, latest), to }) ? [late] : [late, silent];
}

/** By when a value that stands from `from` to `to` has been checked at the latest. */
const seenBy = (
  from: number,
  { to, every, troubles }: { readonly to: number; readonly every: number; readonly troubles: readonly Span[] },
): number => Math.max(from + every, Math.min(to, settledBy(from, every, troubles)));

/**
 * docs/alerts.md: a rule that had seen no change before an absence begins with the value at the return, where others had it checked meanwhile. Whether the
 * chat was away at a time of the segment.
 */
export const isOfAbsence = ({ played, chat }: ChatView, { from, to }: Span): boolean =>
  played.scenario.chats.length > 1 &&
  played.disturbances.some((one) => one.what === 'gone' && one.chat === chat && one.from < to && one.to > from);

/** Whether nothing disturbs for long enough within it. */
export function isUndisturbed({ from, to }: Span, length: number, troubles: readonly Span[]): boolean {
  let free = from;
  for (const trouble of troubles) {
    if (trouble.to <= free || trouble.from >= to) continue;
    if (trouble.from - free >= length) return true;
    free = Math.max(free, trouble.to);
  }
  return to - free >= length;
}

const distinct = <State>(states: readonly State[]): readonly State[] => [
  ...new Map(states.map((state) => [JSON.stringify(state), state])).values(),
];
