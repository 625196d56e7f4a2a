/** Shows what a backtest found. */
import { omitUndefined } from '../../src/base/omit-undefined.js';
import {
  BACKTEST_DAYS,
  latestFirings,
  type BacktestAnswer,
  type BacktestPeriod,
  type BacktestReport,
} from '../../src/alerts/backtest/backtest.js';
import type { Firing } from '../../src/alerts/backtest/replay.js';
import type { SuggestedThreshold } from '../../src/alerts/backtest/suggest.js';
import { rulesFor } from '../../src/alerts/rules/presets.js';
import { filterWords, type KindRules, type Rules } from '../../src/alerts/rules/rule.js';
import { targetName, type Entry, type Target } from '../../src/alerts/watchlist/entry.js';
import { DAY, later } from '../../src/base/clock.js';
import { both } from '../../src/base/sentence-lists.js';
import { lineText } from '../../src/chat/plain-text.js';
import { reply, type ActionDraft, type BlockDraft, type Line, type Reply } from '../../src/chat/reply.js';
import { ruleText, shortRuleText, thresholdRuleText } from '../../src/dispatch/watchlists/rule-text.js';
import { date, duration, exact, month, usdLimit } from '../../src/domain/format.js';
import { MEASURES } from '../../src/domain/measures.js';
import { measuresIn } from '../../src/domain/threshold-rule.js';
import type { Crossing } from '../../src/domain/crossing.js';
import { returns } from '../../src/alerts/evaluation/threshold.js';
import type { Instant } from '../../src/domain/scalars.js';
import { ages, brokenRows, commandLine, counted, figuresOf, line, plainLine } from '../../src/reply/index.js';
import { sameLine, typedRules } from './edit.js';
import { type ChartDraft, axisNamesOf, chartUnitOf, thresholdLevels } from '../../src/chat/chart.js';

export interface BacktestSubject {
  readonly target: Target;
  /** Undefined if the target is not watched. */
  readonly entry: Entry | undefined;
  readonly title: string;
  readonly rules: KindRules;
  readonly isTyped: boolean;
  /** Whether the rules of the entry were tested, including those on events. */
  readonly isOfEntry: boolean;
}

type ReportAnswer = Extract<BacktestAnswer, { kind: 'report' }>;
type Shown = BacktestSubject & { readonly who: string; readonly now: Instant };

const toRule = ({ target }: BacktestSubject, rules: KindRules, ...more: readonly string[]): string =>
  commandLine('alerts', targetName(target), rules.kind, ...typedRules(rules), ...more);

const toSet = ({ target }: BacktestSubject, rules: KindRules): string =>
  commandLine('alerts', targetName(target), rules.kind, ...(rules.thresholds.length > 0 ? [] : ['only']), ...typedRules(rules));

const editButton = ({ target, rules }: BacktestSubject): ActionDraft => ({
  label: 'Edit rules',
  line: commandLine('alerts', targetName(target), rules.kind),
});

export const noHistoryReply = (because: readonly string[], subject: BacktestSubject): Reply =>
  reply({
    finding: [{ strong: `No backtest of ${subject.rules.kind} rules` }],
    blocks: because.map((sentence) => line(sentence)),
    actions: subject.entry === undefined ? [] : [editButton(subject)],
  });

export const busyReply = (subject: BacktestSubject): Reply =>
  reply({
    tone: 'warning',
    finding: [{ strong: 'Many backtests are waiting' }, '. Try again in a minute.'],
    actions: [{ label: 'Try again', line: toRule(subject, subject.rules, 'backtest') }],
  });

export const costlyReply = ({ calls, left }: Extract<BacktestAnswer, { kind: 'costly' }>, subject: BacktestSubject): Reply =>
  reply({
    tone: 'warning',
    finding: [{ strong: `This backtest needs about ${counted(calls, 'API call')}` }, `; ${left} are left this month`],
    actions: [{ label: 'Run it', line: toRule(subject, subject.rules, 'confirm', 'backtest') }],
  });

export function backtestReply(answer: ReportAnswer, shown: Shown): Reply {
  const { report, calls, resolution, lacks, without } = answer;
  const { rules, now } = shown;
  const finding = headline(report, now);
  const latest = latestFirings(report.firings);
  return reply({
    finding,
    chart: backtestChart(report, { who: shown.who, now, title: lineText(finding.slice(0, 1), now) }),
    blocks: [
      line({ strong: shown.title }, `, ${rules.kind}: ${ruleText(rules.kind, report.rules)}`),
      figuresOf(report.periods.map((period) => [periodLabel(period, now), countText(period)])),
      ...perRule(report),
      ...leftOutLine(rules, without),
      ...(report.perRule.length > 1 && latest.length > 0 ? [line('Latest:')] : []),
      { kind: 'list', items: latest.map(({ firing, headline: of }) => latestItem(firing, of, shown)) },
      ...flipLine(report),
      ...suggestionLines(report, now),
      line([...notesOf(report, { resolution, now }), ...lacks, costText(calls)].join(' ')),
      ...brokenRows(report.broken),
    ],
    actions: buttonsOf(report, shown),
    ...ages(omitUndefined({ at: report.at, dataAt: report.dataAt, stale: report.stale })),
  });
}

/** Names the rules that were not counted, because a measure of theirs has no past values. */
function leftOutLine({ kind, thresholds }: KindRules, without: ReportAnswer['without']): readonly BlockDraft[] {
  const leftOut = thresholds.filter((rule) => measuresIn(rule).some((measure) => without.includes(measure)));
  return leftOut.length === 0 ? [] : [line(`Not counted: ${leftOut.map((rule) => shortRuleText(kind, rule)).join('; ')}.`)];
}

function headline({ periods, rules, evaluated }: BacktestReport, now: Instant): Line {
  const period = periods.find(({ days }) => days === 90) ?? periods.at(-1);
  if (period === undefined || (evaluated === 0 && rules.thresholds.length > 0)) return [{ strong: 'No past values to try this rule on' }];
  const when = ` ${periodLabel(period, now)}`;
  if (period.alerts === 0 && period.undated > 0) return [{ strong: `Too little is known to count the alerts${when}` }];
  if (period.alerts === 0) return [{ strong: `Would not have alerted${when}` }];
  if (period.undated > 0) return [{ strong: `Would have alerted at least ${times(period.alerts)}${when}` }];
  const span = period.since === undefined ? period.days * DAY : now - period.since;
  return [{ strong: `Would have alerted ${times(period.alerts)}${when}` }, ...paceText(span / period.alerts, period.alerts)];
}

const countText = ({ alerts, undated }: BacktestPeriod): string => {
  if (undated === 0) return String(alerts);
  return alerts === 0 ? 'n/a' : `at least ${alerts}`;
};

const times = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

function paceText(apart: number, count: number): Line {
  if (count < 2) return [];
  const days = Math.round(apart / DAY);
  return [days > 1 ? ` (about every ${days} days)` : days === 1 ? ' (about daily)' : ` (about ${Math.round(DAY / apart)} a day)`];
}

const periodLabel = ({ days, since }: BacktestPeriod, now: Instant): string =>
  since === undefined ? `in ${days} days` : `since ${date(since, now)}`;

const perRule = ({ perRule: all, rules: { kind } }: BacktestReport): readonly BlockDraft[] =>
  all.length < 2
    ? []
    : [
        {
          kind: 'list',
          items: all.map(({ rule, alerts }) => ({ line: [{ strong: thresholdRuleText(kind, rule) }, `: ${times(alerts)}`] })),
        },
      ];

const flipLine = ({ flips }: BacktestReport): readonly BlockDraft[] =>
  flips === undefined ? [] : [line(`${flips.held} of ${counted(flips.count, 'flip')} held to the end of the market`)];

/** Returns ", for 3 d 4 h", or says that the alert is not over. */
function lastedWords({ rule, now, heldSince = now.at }: Crossing, overs: readonly Crossing[] = []): string {
  if (!returns(rule)) return '';
  const over = overs.find((one) => one.rule === rule);
  return over === undefined ? ', not over yet' : `, for ${duration(over.now.at - heldSince)}`;
}

function latestItem({ at, crossings, returns: overs }: Firing, of: Line | undefined, { rules, now }: Shown) {
  const [first] = crossings;
  const when = `${date(at, now)}: `;
  if (first === undefined) return { line: [when, ...plainLine(of ?? [])] };
  const { rule, side } = first;
  const which = rules.thresholds.length > 1 ? ` (${both(crossings.map((one) => shortRuleText(rules.kind, one.rule)))})` : '';
  const rose = side === 'high';
  return {
    tone: rose ? ('up' as const) : ('down' as const),
    line: [when, MEASURES[rule.measure].value(first.now.value), lastedWords(first, overs), which],
  };
}

const PACE_WORDS = { monthly: 'For about one alert a month', weekly: 'For about one alert a week' } as const;

function suggestionLines({ suggestions, rules, periods }: BacktestReport, now: Instant): readonly BlockDraft[] {
  if (suggestions === undefined) {
    const several =
      rules.thresholds.length > 1 ? 'one rule' : rules.filters.leastPercent !== undefined ? 'an amount or a percentage alone' : undefined;
    return several === undefined ? [] : [line(`For suggested thresholds, backtest ${several}.`)];
  }
  const longest = periods.at(-1);
  const when = longest === undefined ? '' : ` ${periodLabel(longest, now)}`;
  return [
    {
      kind: 'list',
      items: suggestions.map(({ pace, found }) => ({
        line: [{ strong: PACE_WORDS[pace] }, `: ${foundText(rules.kind, found, when)}`],
      })),
    },
  ];
}

const foundText = (kind: string, found: SuggestedThreshold['found'], when: string): string => {
  if (found === 'history too short') return 'the history is too short';
  return found === 'none' ? 'no threshold fits' : `${shortText(kind, found.rules)} (${times(found.alerts)}${when})`;
};

const shortText = (kind: string, rules: Rules): string => {
  const [threshold] = rules.thresholds;
  return threshold === undefined ? ruleText(kind, rules) : shortRuleText(kind, threshold);
};

const DAYS_OF_DELAY = 2;

function notesOf(
  { until, hidden, cut, from, rules: { thresholds } }: BacktestReport,
  { resolution, now }: { readonly resolution: ReportAnswer['resolution']; readonly now: Instant },
): readonly string[] {
  return [
    ...(resolution === 'event'
      ? [
          cut === undefined
            ? 'Based on every event that the service lists.'
            : 'The list could not be read to its end: older events are missing.',
        ]
      : [thresholds.length > 0 ? 'Daily values: a crossing within a day is not seen.' : 'Daily values.']),
    ...(resolution === 'day' && thresholds.some((rule) => 'lasts' in rule && rule.lasts !== undefined && rule.lasts < DAY)
      ? ["A time of less than a day is over with the next day's value."]
      : []),
    ...(resolution === 'day' && until !== undefined && now - until > DAYS_OF_DELAY * DAY
      ? [`The newest values are of ${date(until, now)}.`]
      : []),
    ...(hidden > 0 ? [`The data plan hides ${counted(hidden, 'older row')}, so the history begins ${date(from, now)}.`] : []),
  ];
}

const costText = (calls: number): string => (calls === 0 ? 'Cost: no API calls (saved data).' : `Cost: ${counted(calls, 'API call')}.`);

function buttonsOf(report: BacktestReport, shown: Shown): readonly ActionDraft[] {
  const { rules, entry, isTyped, target } = shown;
  const has = entry !== undefined && isSet(entry, rules);
  return [
    ...(entry === undefined ? [{ label: `Watch ${targetName(target)}`, line: commandLine('watch', targetName(target)) }] : []),
    ...(entry !== undefined && isTyped && !has ? [{ label: 'Set this rule', line: toSet(shown, rules) }] : []),
    ...(report.suggestions ?? []).flatMap((one) => suggestionButtons(one, shown)),
    ...(report.rules.thresholds.length > 1
      ? report.rules.thresholds.map((threshold) => ({
          label: `Backtest: ${shortRuleText(rules.kind, threshold)}`,
          line: toRule(shown, { ...rules, filters: {}, thresholds: [threshold] }, 'backtest'),
        }))
      : []),
    ...(entry === undefined ? [] : [editButton(shown)]),
  ];
}

function suggestionButtons({ found }: SuggestedThreshold, shown: Shown): readonly ActionDraft[] {
  if (typeof found === 'string') return [];
  const {
    rules: { kind },
    entry,
  } = shown;
  const rules = { kind, ...found.rules };
  const text = shortText(kind, rules);
  return [
    ...(entry === undefined || isSet(entry, rules) ? [] : [{ label: `Set: ${text}`, line: toSet(shown, rules) }]),
    { label: `Backtest: ${text}`, line: toRule(shown, rules, 'backtest') },
  ];
}

function isSet(entry: Entry, { kind, filters, thresholds }: KindRules): boolean {
  const now = rulesFor(entry, kind);
  return thresholds.length > 0
    ? thresholds.every((threshold) => now.thresholds.some((one) => sameLine(one, threshold)))
    : filterWords(filters) === filterWords(now.filters);
}

const MIN_VALUES = 3;
const MAX_MARKS = 200;

interface About {
  readonly who: string;
  readonly now: Instant;
  readonly title: string;
}

/** Draws past values, the threshold and the alerts. */
function backtestChart(report: BacktestReport, { who, now, title }: About): ChartDraft | undefined {
  const { series, firings, rules } = report;
  if (series === undefined) return monthsChart(report, { who, now, title });
  if (series.points.length < MIN_VALUES) return undefined;
  const points = series.points.map(({ at, value }): [number, number] => [at, Number(value)]);
  const isMeasure = series.of === 'measure';
  const values = new Map(points);
  const own = firings.filter(({ crossings }) => !isMeasure || crossings.some(({ rule }) => rule.measure === series.measure));
  const marked = own.filter(({ at }) => values.has(at)).slice(-MAX_MARKS);
  const name = isMeasure ? MEASURES[series.measure].name : `${rules.kind} by size`;
  return {
    kind: 'xy',
    title,
    subtitle: `${who} ${name}, ${report.from <= now - (BACKTEST_DAYS - 1) * DAY ? 'last 365 days' : `since ${date(report.from, now)}`}; a dot is an alert`,
    series: [
      {
        name,
        points,
        draw: isMeasure ? 'line' : 'bar',
        unit: isMeasure ? chartUnitOf(series.measure) : series.of,
      },
    ],
    ...(isMeasure ? axisNamesOf(series.measure) : {}),
    levels: isMeasure ? thresholdLevels(rules.thresholds.filter(({ measure }) => measure === series.measure)) : filterLevel(report),
    // Without dates, because they would cover one another; the text has the newest.
    marks: marked.map(({ at, crossings }) => ({
      name: '',
      series: 0,
      at,
      value: values.get(at) ?? 0,
      tone: crossings.some(({ side }) => side === 'low') ? ('down' as const) : ('up' as const),
    })),
  };
}

function monthsChart({ firings, from, rules: { kind } }: BacktestReport, { who, now, title }: About): ChartDraft | undefined {
  if (firings.length === 0) return undefined;
  const months = new Map<string, number>();
  for (let at = from; at <= now; at = later(at, DAY)) months.set(month(at), 0);
  for (const { at } of firings) months.set(month(at), (months.get(month(at)) ?? 0) + 1);
  return {
    kind: 'xy',
    title,
    subtitle: `${who} ${kind}, alerts by month since ${date(from, now)}`,
    // Without the year thirteen names fit.
    categories: [...months.keys()].map((name) => name.slice(0, 3)),
    series: [{ name: 'alerts', draw: 'bar', unit: 'count', points: [...months.values()].map((count, index) => [index, count]) }],
  };
}

function filterLevel({ series, rules: { filters } }: BacktestReport): { readonly name: string; readonly value: number }[] {
  const least = series?.of === 'usd' ? filters.leastUsd : series?.of === 'percent' ? filters.leastPercent : undefined;
  if (least === undefined) return [];
  return [{ name: series?.of === 'usd' ? `${usdLimit(least)} and up` : `${exact(least)}% and up`, value: Number(least) }];
}
