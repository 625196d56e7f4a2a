/**
 * Threshold alerts by the rules of docs/alerts.md, from the values of the world alone: armed again only when the price is back by the hysteresis, two alerts
 * at least an hour apart, and where a value must last only after it has.
 */
import { HOUR, MINUTE } from '../../../src/base/clock.js';
import type { Ask } from '../scenario/scenario.js';
import type { Value } from '../world/world.js';
import type { Span } from './chat-state.js';
import { alertOf, followed, isAwaited, isOfAbsence, isUndisturbed, type Outcome, type Segment } from './followed.js';
import { tolerance, type ChatView } from './ledger.js';
import { misleadingOf, PUT_OFF } from './lists.js';
import { alertsOf } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { HANDLED, isCalmAt } from './windows.js';

interface State {
  readonly armed: boolean;
  /** The last alert, between the two. */
  readonly alerted: Span | undefined;
  /** It has seen no change since it was set. */
  readonly isNew: boolean;
  /** A check first saw the value beyond the threshold between the two. */
  readonly held?: Span | undefined;
}

export type Rule = Extract<Ask, { kind: 'rule' }>;

/** How each measure is read in the world and in a text: whole numbers that grow towards and beyond the threshold. */
export const MEASURES = {
  price: {
    units: (text: string): number => Math.round(Number(text) * 1_000),
    in: ({ price }: Value): string => price,
    alert:
      /(?:price (?:rose|is|has been) above your \$[\d.]+ threshold(?: again| for [^:]+)?|(?:has|has had) a price above \$[\d.]+ and a runway above [^:]+): \$([\d.]+)/gu,
  },
  premium: {
    units: (text: string): number => Math.round(Number(text) * 10),
    in: ({ price, navPerShare }: Value): string => ((Number(price) / Number(navPerShare) - 1) * 100).toFixed(1),
    alert: /(?:rose|is) above your \+?50% threshold(?: again)?: ([\d.]+)% above NAV/gu,
  },
  runway: {
    units: (text: string): number => -Math.round(Number(text) * 10),
    in: ({ runway }: Value): string => runway,
    alert: /runway (?:dropped|fell|is) below your 4-month threshold(?: again)?: ([\d.]+) mo/gu,
  },
} as const;

/** A check of values comes every second interval; this much later it has surely come. */
export const SLACK = 5 * MINUTE;

export function judgeThresholds(view: ChatView, tally: Tally): readonly Violation[] {
  const rules = view.wishes.flatMap((wish) => (wish.ask.kind === 'rule' ? [{ ...wish, ask: wish.ask }] : []));
  const [rule] = rules;
  if (rule === undefined || rules.length > 1 || rule.doneAt === Number.POSITIVE_INFINITY) return [];
  const { requestsPerMonth, profile } = view.played.scenario;
  if ((requestsPerMonth !== undefined && profile !== 'limited') || view.skew > 0) return [];
  return follow(view, { rule: rule.ask, from: rule.askedAt, to: rule.doneAt }, tally);
}

function follow(view: ChatView, { rule, from, to }: { readonly rule: Rule } & Span, tally: Tally): readonly Violation[] {
  const { played, chat, platform, troubles } = view;
  const { scenario, endedAt } = played;
  const every = 2 * scenario.pollSeconds * 1_000 + SLACK;
  const { units, alert } = MEASURES[rule.measure];
  const level = units(rule.level);
  const back = level - Math.abs(units(rule.band));
  const segments = segmentsOf(scenario.world.values, rule, endedAt);
  // A mute delays the message, not the rule.
  const blind = troubles.filter((one) => played.disturbances.some((other) => other.from === one.from && other.to === one.to));
  const misled = [...blind, ...misleadingOf(scenario, 'projects', rule.project)].toSorted((a, b) => a.from - b.from);
  // With a monthly limit nothing is seen by a certain time but what a response showed. Without one, a response may have been read for another kind alone.
  const isSeen = (span: Span): boolean =>
    scenario.requestsPerMonth !== undefined
      ? wasShown(view, rule.project, span)
      : isUndisturbed(span, every, misled) || (scenario.world.troubles !== undefined && isUndisturbed(span, PUT_OFF * every, blind));
  const posts = alertsOf(platform, chat).flatMap(({ at, text }) =>
    [...text.matchAll(alert)].map(([, shown]) => ({ at, value: units(shown ?? '') })),
  );
  const posted = new Set(posts.map(({ value }) => value));
  const begins = segments.filter((one) => one.from < to + every && one.to > from - every);
  const isFirstOpen = begins.length > 1;
  const wrong = posts.flatMap(({ at, value }, index): readonly Violation[] => {
    const says = `${chat}: an alert of the ${rule.measure} ${value}`;
    if (!segments.some((one) => one.value === value && one.from <= at)) return [{ kind: 'invented', says }];
    const earlier = posts.slice(0, index).filter((one) => one.value === value).length;
    return earlier > tolerance(view).repeats ? [{ kind: 'duplicated', says }] : [];
  });
  const missed = followed<State>(
    view,
    {
      states: [...new Set(begins.map(({ value }) => value <= level))].map((armed) => ({ armed, alerted: undefined, isNew: true })),
      segments: segments.filter((one) => one.to > from && (isFirstOpen || one.from > to)),
      isUnsure: (segment) => begins.includes(segment) || !(isSeen(segment) || isAwaited(view, segment)),
      seen: (state, segment) => [
        ...seen({ ...state, isNew: false }, segment, { level, back, every, isSeen, lasts: (rule.lasts ?? 0) * MINUTE, troubles }),
        ...(state.isNew && (isOfAbsence(view, segment) || mayBegin(view, rule, segment))
          ? [{ state: { ...state, armed: segment.value <= level }, alerts: false }]
          : []),
      ],
      wasPosted: ({ value }) => posted.has(value) && value > level,
      name: ({ text }) => `an alert of the ${rule.measure} ${text}`,
    },
    tally,
  );
  return [...wrong, ...missed];
}

/**
 * With a monthly limit a first check may come hours after the watch. A rule begins there with the value of that check, unless the project's own history and
 * a list agree on the one at the watch.
 */
function mayBegin({ played: { scenario, service } }: ChatView, { project, measure }: Rule, { from }: Span): boolean {
  if (scenario.profile !== 'limited') return false;
  const { start } = scenario;
  const troubles = scenario.world.troubles ?? [];
  const isBelieved =
    measure !== 'runway' && !troubles.some((one) => one.list === 'projects' && one.from < start + FIRST_SWEEP && one.to > start);
  return (
    !isBelieved &&
    !service.exchanges.some(({ path, slug, isAnswered, at }) => path === OVERVIEW && slug === project && isAnswered && at < from)
  );
}

/** By then a list has been read for a watch. */
const FIRST_SWEEP = 10 * MINUTE;
const OVERVIEW = '/v1/dao/treasury/overview';

/** The project's own endpoint showed it, and the process lived on. */
const wasShown = ({ played, troubles }: ChatView, project: string, { from, to }: Span): boolean =>
  played.service.exchanges.some(
    ({ path, slug, isAnswered, at }) =>
      path === OVERVIEW && slug === project && isAnswered && at > from && at < to - HANDLED && isCalmAt(at, troubles),
  );

export const segmentsOf = (values: readonly Value[], rule: Rule, end: number): readonly Segment[] => {
  const own = values.filter((one) => one.project === rule.project);
  const { in: valueIn } = MEASURES[rule.measure];
  return own.map((one, index) => ({ from: one.at, to: own[index + 1]?.at ?? end, value: joinedUnits(one, rule), text: valueIn(one) }));
};

/** Of joined conditions it is the first one's value where all hold, else that of the end of the hysteresis where one is back, and else one between the two. */
function joinedUnits(value: Value, { measure, level, band, and }: Rule): number {
  const { units, in: valueIn } = MEASURES[measure];
  const own = units(valueIn(value));
  if (and === undefined) return own;
  const [other, limit, distance] = [value.runway, and.level, and.band].map((text) => Math.round(Number(text) * 10));
  const [over, back] = [units(level), units(level) - Math.abs(units(band))];
  if (other === undefined || limit === undefined || distance === undefined)
    throw new Error('the simulation: a joined rule without a level');
  if (own <= back || other <= limit - distance) return back;
  return own > over && other > limit ? own : over - 1;
}

interface Sight {
  readonly level: number;
  readonly back: number;
  readonly every: number;
  readonly isSeen: (span: Span) => boolean;
  /** In ms, and 0 if a value alerts at once. */
  readonly lasts: number;
  readonly troubles: readonly Span[];
}

function seen(state: State, segment: Segment, { level, back, ...sight }: Sight): readonly Outcome<State>[] {
  const { value } = segment;
  if (value <= level) return [{ state: { ...state, armed: state.armed || value <= back, held: undefined }, alerts: false }];
  if (!state.armed) return [{ state, alerts: false }];
  if (sight.lasts > 0) return afterLasting(state, segment, sight);
  return alertOf(state, segment, { ...sight, after: (alerted) => ({ armed: false, alerted, isNew: false }) });
}

/** The time of a value goes on from one to the next as long as they are beyond. What disturbs meanwhile may begin it again. */
function afterLasting(
  state: State,
  { from, to }: Segment,
  { every, isSeen, lasts, troubles }: Pick<Sight, 'every' | 'isSeen' | 'lasts' | 'troubles'>,
): readonly Outcome<State>[] {
  const begun = state.held ?? { from, to: from + every };
  const again = troubles.filter((one) => one.from < to && one.to > begun.from).map((one) => Math.min(to, one.to + every));
  const held = { from: begun.from, to: Math.max(begun.to, ...again) };
  const { alerted } = state;
  const earliest = Math.max(held.from + lasts, (alerted?.from ?? 0) + HOUR);
  const latest = Math.max(held.to + lasts, (alerted?.to ?? 0) + HOUR);
  const silent: Outcome<State> = { state: { ...state, held }, alerts: false };
  if (to <= earliest) return [silent];
  const at = { from: Math.max(from, earliest), to: Math.min(to, latest + every) };
  const alert: Outcome<State> = { state: { armed: false, alerted: at, isNew: false }, alerts: true };
  return isSeen({ from: Math.max(from, latest), to }) ? [alert] : [alert, silent];
}
