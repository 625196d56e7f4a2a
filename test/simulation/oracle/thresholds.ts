/**
 * Threshold alerts by the rules of docs/alerts.md, from the values of the world alone: armed again only when the price is back by the hysteresis, and two
 * alerts at least an hour apart. Where it is open what the bot saw, every possibility is followed, and what was posted decides.
 */
import { HOUR, MINUTE } from '../../../src/base/clock.js';
import type { Ask } from '../scenario/scenario.js';
import type { Value } from '../world/world.js';
import { tolerance, type ChatView } from './ledger.js';
import type { Span } from './chat-state.js';
import { isDigest, postsOf } from './texts.js';
import type { Tally, Violation } from './verdict.js';

interface State {
  readonly armed: boolean;
  /** The last alert, between the two. */
  readonly alerted: Span | undefined;
}
interface Outcome {
  readonly state: State;
  readonly alerts: boolean;
}
interface Segment extends Span {
  /** Larger is further beyond the threshold. */
  readonly value: number;
  readonly text: string;
}

type Rule = Extract<Ask, { kind: 'rule' }>;

/** How each measure is read in the world and in a text: whole numbers that grow towards and beyond the threshold. */
const MEASURES = {
  price: {
    units: (text: string): number => Math.round(Number(text) * 1_000),
    in: ({ price }: Value): string => price,
    alert: /price (?:rose|is) above your \$[\d.]+ threshold(?: again)?: \$([\d.]+)/gu,
  },
  runway: {
    units: (text: string): number => -Math.round(Number(text) * 10),
    in: ({ runway }: Value): string => runway,
    alert: /runway (?:dropped|fell|is) below your 4-month threshold(?: again)?: ([\d.]+) mo/gu,
  },
} as const;

/** A check of values comes every second interval; this much later it has surely come. */
const SLACK = 5 * MINUTE;

export function judgeThresholds(view: ChatView, tally: Tally): readonly Violation[] {
  const rules = view.wishes.flatMap((wish) => (wish.ask.kind === 'rule' ? [{ ...wish, ask: wish.ask }] : []));
  const [rule] = rules;
  if (rule === undefined || rules.length > 1 || rule.doneAt === Number.POSITIVE_INFINITY) return [];
  if (view.played.scenario.requestsPerMonth !== undefined || view.skew > 0) return [];
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
  const isSeen = (span: Span): boolean => isUndisturbed(span, every, blind);
  const posted = new Set(
    postsOf(platform, chat).flatMap((post) =>
      isDigest(post) ? [] : [...post.text.matchAll(alert)].map(([, shown]) => units(shown ?? '')),
    ),
  );
  const violations: Violation[] = [];
  const begins = segments.filter((one) => one.from < to + every && one.to > from - every);
  let states: readonly State[] = [...new Set(begins.map(({ value }) => value <= level))].map((armed) => ({ armed, alerted: undefined }));
  const isFirstOpen = begins.length > 1;
  for (const segment of segments.filter((one) => one.to > from && (isFirstOpen || one.from > to))) {
    const isOpen = begins.includes(segment);
    const outcomes = states.flatMap((state) => [
      ...(isOpen || !isSeen(segment) ? [{ state, alerts: false }] : []),
      ...seen(state, segment, { level, back, every, isSeen }),
    ]);
    const wasPosted = posted.has(segment.value) && segment.value > level;
    const isMust = outcomes.every(({ alerts }) => alerts);
    const isOwed = segment.to < scenario.calm;
    tally[isMust && isOwed ? 'must' : outcomes.some(({ alerts }) => alerts) ? 'may' : 'mustNot'] += 1;
    if (wasPosted) tally.delivered += 1;
    const kept = outcomes.filter(({ alerts }) => alerts === wasPosted);
    if (kept.length === 0 && wasPosted)
      violations.push({ kind: 'unwanted', says: `${chat}: an alert of the ${rule.measure} ${segment.text}` });
    if (kept.length === 0 && !wasPosted && isOwed && tolerance(view).losses === 0)
      violations.push({ kind: 'lost', says: `${chat}: no alert of the ${rule.measure} ${segment.text}` });
    states = distinct((kept.length === 0 ? outcomes : kept).map(({ state }) => state));
  }
  return violations;
}

const segmentsOf = (values: readonly Value[], { project, measure }: Rule, end: number): readonly Segment[] => {
  const own = values.filter((one) => one.project === project);
  const { units, in: valueIn } = MEASURES[measure];
  return own.map((one, index) => ({ from: one.at, to: own[index + 1]?.at ?? end, value: units(valueIn(one)), text: valueIn(one) }));
};

interface Sight {
  readonly level: number;
  readonly back: number;
  readonly every: number;
  readonly isSeen: (span: Span) => boolean;
}

function seen(state: State, { value, from, to }: Segment, { level, back, every, isSeen }: Sight): readonly Outcome[] {
  if (value <= level) return [{ state: { ...state, armed: state.armed || value <= back }, alerts: false }];
  if (!state.armed) return [{ state, alerts: false }];
  const { alerted } = state;
  const now: Outcome = { state: { armed: false, alerted: { from, to: from + every } }, alerts: true };
  if (alerted === undefined || from >= alerted.to + HOUR) return [now];
  const silent: Outcome = { state, alerts: false };
  // Once the hour is over, if the price is still so.
  const [earliest, latest] = [alerted.from + HOUR, alerted.to + HOUR];
  const late: Outcome = {
    state: { armed: false, alerted: { from: Math.max(from, earliest), to: Math.min(to, latest + every) } },
    alerts: true,
  };
  if (to <= earliest) return [silent];
  return isSeen({ from: Math.max(from, latest), to }) ? [late] : [late, silent];
}

/** Whether nothing disturbs for long enough within it. */
function isUndisturbed({ from, to }: Span, length: number, troubles: readonly Span[]): boolean {
  let free = from;
  for (const trouble of troubles) {
    if (trouble.to <= free || trouble.from >= to) continue;
    if (trouble.from - free >= length) return true;
    free = Math.max(free, trouble.to);
  }
  return to - free >= length;
}

const distinct = (states: readonly State[]): readonly State[] => [
  ...new Map(states.map((state) => [JSON.stringify(state), state])).values(),
];
