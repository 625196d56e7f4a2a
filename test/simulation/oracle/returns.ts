/**
 * Threshold alerts that are over, by docs/alerts.md: the message is edited, or a message follows, or nothing is said, as the chat chose; never before the
 * value was back by the hysteresis, and with the value furthest beyond the threshold.
 */
import { MINUTE } from '../../../src/base/clock.js';
import type { Span } from './chat-state.js';
import { isUndisturbed, type Segment } from './followed.js';
import { isSteady, type ChatView } from './ledger.js';
import { alertsOf, editsOf, isDigest } from './texts.js';
import { MEASURES, segmentsOf, SLACK, type Rule } from './thresholds.js';
import type { Tally, Violation } from './verdict.js';

/** "Back below $1.50 after 1 h, high $1.503", in the message of the alert; "After 1 h, high $1.503", below the headline in one of its own. */
const EDITED = /[Bb]ack (?:below|above) [^\n]+? after [^\n,]+, (?:price )?(?:high|low) \$?([\d.]+)/u;
const MESSAGE = /is back (?:below|above) your [^\n]+ threshold[^\n]*\n\s*[Aa]fter [^\n,]+, (?:price )?(?:high|low) \$?([\d.]+)/gu;

type Way = 'edit' | 'message' | 'off';

/** Where it stands: when the message arrived, and how far into its text. */
interface Place {
  readonly at: number;
  readonly index: number;
}

const isBefore = (one: Place, other: Place | undefined): boolean =>
  other === undefined || one.at < other.at || (one.at === other.at && one.index < other.index);

interface Told extends Place {
  readonly way: Exclude<Way, 'off'>;
  /** It is the alert that is said to be over, as far as the text names it. */
  readonly alert: number | undefined;
  readonly furthest: number;
}

export function judgeReturns(view: ChatView, tally: Tally): readonly Violation[] {
  const { wishes, played } = view;
  const rules = wishes.flatMap((wish) => (wish.ask.kind === 'rule' ? [{ ...wish, ask: wish.ask }] : []));
  const [rule] = rules;
  if (rule === undefined || rules.length > 1 || rule.ask.measure === 'premium' || view.skew > 0) return [];
  const chosen = wishes.flatMap(({ ask, askedAt, doneAt }) => (ask.kind === 'back' ? [{ way: ask.way, askedAt, doneAt }] : []));
  const ways = (at: number): readonly Way[] => {
    const [one] = chosen;
    if (one === undefined || at < one.askedAt) return ['edit'];
    return at > one.doneAt + every(view) ? [one.way] : ['edit', one.way];
  };
  const segments = segmentsOf(played.scenario.world.values, rule.ask, played.endedAt);
  const told = toldIn(view, rule.ask);
  return [...wrongIn(view, { told, segments, rule: rule.ask, ways }), ...missedIn(view, { told, segments, rule: rule.ask, ways }, tally)];
}

const every = ({ played }: ChatView): number => 2 * played.scenario.pollSeconds * 1_000 + SLACK;

interface Returns {
  readonly told: readonly Told[];
  readonly segments: readonly Segment[];
  readonly rule: Rule;
  readonly ways: (at: number) => readonly Way[];
}

function toldIn({ platform, chat }: ChatView, { measure }: Rule): readonly Told[] {
  const { units, alert } = MEASURES[measure];
  const told: Told[] = [];
  for (const { at, text } of editsOf(platform, chat)) {
    const [, furthest] = EDITED.exec(text) ?? [];
    const [, alerted] = [...text.matchAll(alert)][0] ?? [];
    if (furthest === undefined) continue;
    told.push({ at, index: 0, way: 'edit', alert: alerted === undefined ? undefined : units(alerted), furthest: units(furthest) });
  }
  for (const post of alertsOf(platform, chat).filter((one) => !isDigest(one)))
    for (const { index, 1: furthest = '' } of post.text.matchAll(MESSAGE))
      told.push({ at: post.at, index, way: 'message', alert: undefined, furthest: units(furthest) });
  return told;
}

function levelsOf({ measure, level, band }: Rule): { readonly level: number; readonly back: number } {
  const { units } = MEASURES[measure];
  return { level: units(level), back: units(level) - Math.abs(units(band)) };
}

/** What is said is true: the value had been that far, and was back by the hysteresis since. */
function wrongIn({ chat }: ChatView, { told, segments, rule, ways }: Returns): readonly Violation[] {
  const { level, back } = levelsOf(rule);
  const { units } = MEASURES[rule.measure];
  return told.flatMap(({ at, way, alert, furthest }): readonly Violation[] => {
    const about = `${chat}: an end (${way}) of the ${rule.measure} alert, furthest ${furthest},`;
    const wrong = (says: string): readonly Violation[] => [{ kind: 'return wrong', says: `${about} ${says}` }];
    if (ways(at).every((one) => one === 'off')) return wrong('although nothing was to be said');
    if (way === 'message' && !ways(at).includes('message')) return [];
    const reached = segments.find(({ text, from }) => units(text) === furthest && from <= at);
    if (reached === undefined || furthest <= level) return wrong('which never was');
    if (!segments.some(({ value, from }) => value <= back && from > reached.from && from <= at)) return wrong('before it was back');
    const begun = alert === undefined ? undefined : segments.find(({ value }) => value === alert);
    return begun !== undefined && furthest < begun.value ? wrong('less far than the alert itself') : [];
  });
}

/** What was surely alerted and is surely over is said, where messages stand as they were sent. */
function missedIn(view: ChatView, { told, segments, rule, ways }: Returns, tally: Tally): readonly Violation[] {
  const { platform, chat, played, troubles } = view;
  const { scenario, disturbances } = played;
  const { units, alert } = MEASURES[rule.measure];
  const { back } = levelsOf(rule);
  const isAway = disturbances.some(({ what, chat: other }) => (what === 'gone' || what === 'moved') && other === chat);
  if (scenario.requestsPerMonth !== undefined || isAway || !isSteady(view)) return [];
  const isSeen = (span: Span): boolean => isUndisturbed(span, every(view), troubles);
  const alerts = alertsOf(platform, chat).flatMap(({ at, text }) =>
    [...text.matchAll(alert)].map(({ index, 1: shown = '' }) => ({
      ...{ at, index, value: units(shown) },
      isAlone: !/alerts for|Catching up/u.test(text),
    })),
  );
  return alerts.flatMap(({ at, value, isAlone }): readonly Violation[] => {
    const over = segments.find(
      (one) => one.from > at && one.value <= back && isSeen({ from: one.from, to: Math.min(one.to, scenario.calm) }),
    );
    const way = over === undefined ? [] : ways(over.from);
    const next = alerts.find((one) => one.at > at);
    if (over === undefined || !isAlone || way.length !== 1 || way[0] === 'off' || alerts.filter((one) => one.value === value).length > 1)
      return [];
    tally.must += 1;
    const isTold = told.some(
      (one) => one.at > at && (one.alert === value || (one.alert === undefined && one.furthest >= value && isBefore(one, next))),
    );
    if (isTold || played.endedAt < over.from + every(view) + MINUTE) return [];
    return [{ kind: 'lost', says: `${chat}: not the end of the ${rule.measure} alert ${value}` }];
  });
}
