/** Moves of NAV by the rules of docs/alerts.md: each time it has moved by so many percent since the last alerted value. */
import { MINUTE } from '../../../src/base/clock.js';
import type { Nav } from '../world/world.js';
import type { Span } from './chat-state.js';
import { alertOf, followed, isOfAbsence, isUndisturbed, type Outcome, type Segment } from './followed.js';
import type { ChatView } from './ledger.js';
import { alertsOf } from './texts.js';
import type { Tally, Violation } from './verdict.js';

/** Before the first of the world. */
const FIRST = 10_000_000;
const SLACK = 5 * MINUTE;
const ALERT = /NAV (?:rose|fell) by [\d.]+%(?: again)?: \$([\d.]+)M/gu;
/** A text shows three digits. */
const ROUNDED = 0.006;
const MILLION = 1_000_000;

interface State {
  /** Undefined: nothing was seen yet. */
  readonly reference: number | undefined;
  readonly alerted: Span | undefined;
  /** It has seen no change since it was set. */
  readonly isNew: boolean;
}

export function judgeNav(view: ChatView, tally: Tally): readonly Violation[] {
  const { played, chat, platform, troubles, wishes, skew } = view;
  const { scenario, endedAt } = played;
  const rule = wishes.flatMap((wish) => (wish.ask.kind === 'move' ? [{ ...wish, ask: wish.ask }] : []))[0];
  if (rule === undefined || rule.doneAt === Number.POSITIVE_INFINITY || skew > 0) return [];
  const { percent, project } = rule.ask;
  const every = 2 * scenario.pollSeconds * 1_000 + SLACK;
  // A mute delays the message, not the rule.
  const blind = troubles.filter((one) => played.disturbances.some((other) => other.from === one.from && other.to === one.to));
  const isSeen = (span: Span): boolean => isUndisturbed(span, every, blind);
  const segments = segmentsOf(scenario.world.navs, project, endedAt);
  const [first] = segments;
  if (first === undefined || first.from < rule.doneAt) return [];
  const posts = alertsOf(platform, chat).flatMap((post) =>
    [...post.text.matchAll(ALERT)].map(([, shown]) => ({ at: post.at, value: Number(shown) * MILLION })),
  );
  // Each belongs to the latest value that it can show.
  const shownBy = new Set(
    posts.map(({ at, value }) => segments.findLast((one) => one.from <= at && Math.abs(one.value / value - 1) < ROUNDED)),
  );
  const seen = (state: State, segment: Segment): readonly Outcome<State>[] => {
    const { reference } = state;
    const begun: Outcome<State> = { state: { ...state, reference: segment.value }, alerts: false };
    if (reference === undefined) return [begun];
    const changed: State = { ...state, isNew: false };
    const afterAbsence = state.isNew && isOfAbsence(view, segment) ? [begun] : [];
    if (Math.abs(segment.value / reference - 1) * 100 < percent) return [...afterAbsence, { state: changed, alerts: false }];
    const after = (alerted: Span): State => ({ reference: segment.value, alerted, isNew: false });
    return [...afterAbsence, ...alertOf(changed, segment, { every, isSeen, troubles: blind, after })];
  };
  const begin: State = { reference: FIRST, alerted: undefined, isNew: true };
  const hasBegun = isSeen({ from: rule.doneAt, to: first.from });
  return followed(
    view,
    {
      states: hasBegun ? [begin] : [begin, { ...begin, reference: undefined }],
      ...{ segments, isUnsure: (segment) => !isSeen(segment), seen },
      wasPosted: (segment) => shownBy.has(segment),
      name: ({ text }) => `an alert of the NAV ${text}`,
    },
    tally,
  );
}

const segmentsOf = (navs: readonly Nav[], project: string, end: number): readonly Segment[] => {
  const own = navs.filter((one) => one.project === project);
  return own.map(({ at, dollars }, index) => ({ from: at, to: own[index + 1]?.at ?? end, value: dollars, text: `$${dollars}` }));
};
