/** Makes the menus of a kind's rules. */
import { COMMON_METRICS, NO_STAGE, alertKind, hasHistory, stageChoices } from '../../src/alerts/rules/kinds.js';
import { KIND_MODES, areEventsInDigest, modeOf, rulesFor } from '../../src/alerts/rules/presets.js';
import { lifetimeTyped } from '../../src/alerts/rules/rule-end.js';
import { MAX_THRESHOLD_RULES, filterWords, quoted, sizeText, type Rules } from '../../src/alerts/rules/rule.js';
import { LABELS, type Filters, type Label } from '../../src/domain/filters.js';
import { targetName, type Entry } from '../../src/alerts/watchlist/entry.js';
import { DAY, HOUR } from '../../src/base/clock.js';
import type { FieldDraft, ReplyFormDraft } from '../../src/chat/reply.js';
import { MEASURES, defaultHysteresis, hysteresisWords, thresholdOf } from '../../src/domain/measures.js';
import { lastsTime, type LineRule, type ThresholdRule } from '../../src/domain/threshold-rule.js';
import { usdLimit } from '../../src/domain/format.js';
import { decimal } from '../../src/domain/scalars.js';
import { capitalised } from '../../src/base/sentence-lists.js';
import { MAX_MENU_OPTIONS, commandLine } from '../../src/reply/index.js';
import { ruleOf, sameLine, typed, typedThreshold } from './edit.js';
import { shortRuleText, thresholdRuleText } from '../../src/dispatch/watchlists/rule-text.js';

type Menu = Extract<FieldDraft, { kind: 'menu' }>;
type Option = Menu['options'][number];

/** The names that menus offer, besides the chosen ones. */
export type OfferedLabels = Readonly<Partial<Record<Label, readonly string[]>>>;

const MAX_MENUS = 4;

/** Makes at most five fields. The last is for typing, because some rules fit into no menu. */
export function fieldsOf(entry: Entry, kind: string, offered: OfferedLabels): readonly FieldDraft[] {
  const hasBacktests = entry.target.kind === 'project' && hasHistory(kind);
  const of: Of = { name: targetName(entry.target), kind, rules: rulesFor(entry, kind), hasBacktests, offered };
  const first = [sizes(of), stages(of), messages(of), metrics(of), ...labels(of)];
  const all = [...first, lines(of), moves(of), removal(of), bands(of)];
  const isCrowded = all.filter((one) => one !== undefined).length > MAX_MENUS;
  const menus = isCrowded ? [...first, additions(of), removal(of), bands(of)] : all;
  return [
    ...menus.filter((one) => one !== undefined).slice(0, MAX_MENUS),
    { kind: 'text', label: 'Type a rule', hint: alertKind(kind)?.offers.hint ?? 'usd>10000', line: `${to(of)} {}` },
  ];
}

const MODE_LABELS = { on: 'On', silent: 'Silent: no sound and no mentions', off: 'Off' } as const;
const MAX_CHOICES = 10;

/** Makes a form of a kind's rules. Reminders and the message at the end of an alert are not in it and stay unchanged. */
export function formOf(entry: Entry, kind: string, title: string): ReplyFormDraft {
  const { filters } = rulesFor(entry, kind);
  const has = alertKind(kind)?.filters ?? [];
  const mode = areEventsInDigest(entry, kind) ? undefined : modeOf(entry, kind);
  const several = (label: string, before: string, chosen: readonly string[] | undefined, offered: readonly string[]) =>
    offered.length === 0
      ? []
      : [
          {
            ...{ kind: 'several' as const, label, before, hint: 'None or all of them: no limit' },
            choices: [...new Set([...offered, ...(chosen ?? [])])].map((word) => ({
              ...{ label: word, words: word },
              on: chosen === undefined || chosen.includes(word),
            })),
          },
        ];
  const sized = sizeChoices(kind, filters);
  return {
    ...{ label: 'Edit…', title, line: `${commandLine('alerts', targetName(entry.target), kind, 'set')} {}` },
    parts: [
      {
        ...{ kind: 'one', label: 'Alerts' },
        choices: KIND_MODES.map((one) => ({ label: MODE_LABELS[one], words: `mode:${one}`, on: one === mode })),
      },
      ...(sized.length < 2 ? [] : [{ kind: 'one' as const, label: 'Minimum size', choices: sized }]),
      ...several('Stages', 'stages:', filters.stages, stageChoices(kind)),
      ...several('Metrics', 'metrics:', filters.metrics, has.includes('metrics') ? COMMON_METRICS : []),
      ...updateChoices(kind, filters.updates),
      ...((alertKind(kind)?.measures ?? []).length === 0
        ? []
        : [{ kind: 'text' as const, label: 'Add a threshold', hint: alertKind(kind)?.offers.hint ?? '' }]),
    ],
  };
}

function sizeChoices(kind: string, filters: Filters) {
  const has = alertKind(kind)?.filters ?? [];
  const { leastUsd, leastPercent, eitherSize } = filters;
  const now = filterWords({ leastUsd, leastPercent, eitherSize });
  const usd = has.includes('leastUsd')
    ? USD.map((least) => ({ label: `${usdLimit(decimal(least))} and up`, words: filterWords({ leastUsd: decimal(least) }) }))
    : [];
  const percent = has.includes('leastPercent')
    ? (alertKind(kind)?.offers.percents ?? []).map((least) => ({
        label: `${least}% and up`,
        words: filterWords({ leastPercent: decimal(least) }),
      }))
    : [];
  const offered = [{ label: 'Any size', words: '' }, ...usd, ...percent].slice(0, MAX_CHOICES - 1);
  const isOffered = offered.some(({ words: one }) => one === now);
  return [...offered, ...(isOffered ? [] : [{ label: capitalised(sizeText(filters)), words: now }])].map((one) => ({
    ...one,
    on: one.words === now,
  }));
}

function updateChoices(kind: string, chosen: Filters['updates']) {
  const { notices } = alertKind(kind)?.live ?? {};
  if (notices === undefined) return [];
  const now = chosen?.join(',');
  const choice = (label: string, word: string | undefined) => ({
    ...{ label, words: word === undefined ? '' : `updates:${word}`, on: word === now },
  });
  const offered = [
    choice(`Edited, with new messages for ${notices.join(', ')}`, undefined),
    choice('Edited, without new messages', 'none'),
    choice('Off: a new message for every stage', 'off'),
  ];
  const isOffered = offered.some(({ on }) => on);
  return [
    {
      ...{ kind: 'one' as const, label: 'Live message' },
      choices: [...offered, ...(isOffered ? [] : [choice(`Edited, with new messages for ${now ?? ''}`, now)])],
    },
  ];
}

interface Of {
  readonly name: string;
  readonly kind: string;
  readonly rules: Rules;
  readonly hasBacktests: boolean;
  readonly offered: OfferedLabels;
}

const to = ({ name, kind }: Of, ...words: readonly string[]): string => commandLine('alerts', name, kind, ...words);

const menu = (label: string, options: readonly Option[]): Menu | undefined =>
  options.length === 0 ? undefined : { kind: 'menu', label, options: options.slice(0, MAX_MENU_OPTIONS) };
const USD = ['1000', '10000', '100000'] as const;

function sizes(of: Of): Menu | undefined {
  const { leastUsd, leastPercent } = of.rules.filters;
  const has = alertKind(of.kind)?.filters ?? [];
  const usd = has.includes('leastUsd')
    ? USD.map((least) => ({ label: `${usdLimit(decimal(least))} and up`, line: to(of, `usd>${least}`), on: leastUsd === least }))
    : [];
  const percent = has.includes('leastPercent')
    ? (alertKind(of.kind)?.offers.percents ?? []).map((least) => ({
        label: `${least}% and up`,
        line: to(of, `percent>${least}`),
        on: leastPercent === least,
      }))
    : [];
  const offered = [...usd, ...percent];
  const any = { label: 'Any size', line: to(of, 'remove', 'usd', 'percent'), on: leastUsd === undefined && leastPercent === undefined };
  return menu('Minimum size', offered.length === 0 ? [] : [any, ...offered]);
}

const words = (
  of: Of,
  {
    name,
    all,
    chosen = [],
    offered,
    isAll = chosen.length === 0,
  }: { name: string; all: string; chosen: readonly string[] | undefined; offered: readonly string[]; isAll?: boolean },
) =>
  offered.length === 0
    ? []
    : [
        { label: all, line: to(of, 'remove', name), on: isAll },
        ...offered.map((word) => {
          const on = chosen.includes(word);
          const after = on ? chosen.filter((other) => other !== word) : [...chosen, word];
          return {
            label: word, // Two choices must not have the same line, so removing the last name uses the singular.
            line: after.length === 0 ? to(of, 'remove', singular(name)) : to(of, `${name}:${after.map(quoted).join(',')}`),
            on,
          };
        }),
      ];

const singular = (name: string): string => (name === 'categories' ? 'category' : name === 'title' ? 'titles' : name.slice(0, -1));

function stages(of: Of): Menu | undefined {
  const chosen = of.rules.filters.stages;
  const hasNone = (alertKind(of.kind)?.measures ?? []).length > 0;
  const isNone = chosen?.includes(NO_STAGE) === true;
  const all = words(of, {
    ...{ name: 'stages', all: 'Every stage', offered: stageChoices(of.kind), isAll: chosen === undefined },
    chosen: chosen?.filter((stage) => stage !== NO_STAGE),
  });
  return menu('Which stages', [
    ...all,
    ...(hasNone && all.length > 0 ? [{ label: 'No stage, only rules', line: to(of, `stages:${NO_STAGE}`), on: isNone }] : []),
  ]);
}

function metrics(of: Of): Menu | undefined {
  if (alertKind(of.kind)?.filters.includes('metrics') !== true) return undefined;
  const chosen = of.rules.filters.metrics;
  return menu(
    'Which metrics',
    words(of, { name: 'metrics', all: 'Every metric', chosen, offered: [...new Set([...COMMON_METRICS, ...(chosen ?? [])])] }),
  );
}

/** Makes the menu for the live message and the end of an alert. They share a menu, because there are at most five. */
function messages(of: Of): Menu | undefined {
  const [live, ends] = [updates(of), backs(of)];
  if (live.length === 0) return menu('When an alert is over', ends);
  const both = ends.map((option) => ({ ...option, label: `When over: ${option.label.charAt(0).toLowerCase()}${option.label.slice(1)}` }));
  return menu(ends.length === 0 ? 'Live message' : 'Live message, and the end of an alert', [...live, ...both]);
}

const LABEL_MENUS: Readonly<Record<Label, readonly [label: string, all: string]>> = {
  tokens: ['Which tokens', 'Every token'],
  categories: ['Which categories', 'Every category'],
  accounts: ['Which accounts', 'Every account'],
  title: ['Which words of the title', 'Every title'],
  projects: ['Which projects', 'Every project'],
};

/** Makes the menus of name filters. A filter without known names has one only while it is set, to remove it. */
const labels = (of: Of): readonly (Menu | undefined)[] =>
  LABELS.filter((label) => alertKind(of.kind)?.filters.includes(label) === true).map((label) => {
    const [title, all] = LABEL_MENUS[label];
    const chosen = of.rules.filters[label] ?? [];
    const isChosen = (name: string): boolean => chosen.some((one) => one.toLowerCase() === name.toLowerCase());
    const offered = [...chosen, ...(of.offered[label] ?? []).filter((name) => !isChosen(name))].slice(0, MAX_MENU_OPTIONS - 1);
    return menu(title, words(of, { name: label, all, chosen, offered }));
  });

function updates(of: Of): readonly Option[] {
  const { notices } = alertKind(of.kind)?.live ?? {};
  if (notices === undefined) return [];
  const chosen = of.rules.filters.updates?.join(',');
  const option = (label: string, word: string): Option => ({ label, line: to(of, `updates:${word}`), on: chosen === word });
  return [
    { label: `Edited, with new messages for ${notices.join(', ')}`, line: to(of, 'remove', 'updates'), on: chosen === undefined },
    option('Edited, without new messages', 'none'),
    option('Off: a new message for every stage', 'off'),
  ];
}

function backs(of: Of): readonly Option[] {
  if (alertKind(of.kind)?.filters.includes('back') !== true) return [];
  const { back = 'edit' } = of.rules.filters;
  const option = (label: string, word: string): Option => ({ label, line: to(of, `back:${word}`), on: back === word });
  return [option('Its message is edited', 'edit'), option('A new message says so', 'message'), option('Nothing is said', 'off')];
}

const thresholds = (of: Of, offered: readonly string[]): readonly Option[] =>
  offered
    .flatMap((text) =>
      ruleOf(of.kind, text).thresholds.map((threshold) => ({
        label: capitalised(shortRuleText(of.kind, threshold)),
        line: to(of, ...text.split(' ')),
        on: of.rules.thresholds.some((one) => sameLine(one, threshold)),
      })),
    )
    .filter(({ on }) => on || of.rules.thresholds.length < MAX_THRESHOLD_RULES);

/** Makes one menu with every rule to add, if there would be too many menus. */
const additions = (of: Of): Menu | undefined =>
  menu('Add a rule', [
    ...thresholds(of, alertKind(of.kind)?.offers.thresholds ?? []),
    ...thresholds(of, alertKind(of.kind)?.offers.moves ?? []),
  ]);
const lines = (of: Of): Menu | undefined => menu('Add a threshold', thresholds(of, alertKind(of.kind)?.offers.thresholds ?? []));
const moves = (of: Of): Menu | undefined => menu('Add a move or an extreme', thresholds(of, alertKind(of.kind)?.offers.moves ?? []));

/** The most thresholds in a menu, and the most with choices of their times. Others have to be typed. */
const MAX_LINES = { all: 8, timed: 4 };
const TIMES = [HOUR, 6 * HOUR, DAY] as const;

function bands(of: Of): Menu | undefined {
  // Joined conditions are left out: each has its own hysteresis, which has to be typed.
  const set = of.rules.thresholds.filter(isLine).slice(0, MAX_LINES.all);
  const isTimed = set.length <= MAX_LINES.timed;
  return menu(
    isTimed ? 'Re-arm distance, or how long it lasts' : 'Re-arm distance of a threshold',
    set.flatMap((threshold) => [
      ...bandsOf(of, threshold),
      ...(isTimed && !MEASURES[threshold.measure].each ? timesOf(of, threshold) : []),
    ]),
  );
}

const toLine = (of: Of, threshold: LineRule, more = ''): string => {
  const text = [typedThreshold(of.kind, threshold), more, lifetimeTyped(threshold)].filter((part) => part !== '').join(' ');
  return to(of, ...text.split(' '));
};

const bandsOf = (of: Of, threshold: LineRule): readonly Option[] =>
  (threshold.and === undefined ? thresholdOf(threshold.measure).hysteresis.offered : []).map((size) => ({
    label: `${capitalised(shortRuleText(of.kind, threshold))}: ${hysteresisWords(threshold.measure, decimal(size))}`,
    // The line contains the default explicitly, so that it can be chosen.
    line: toLine(of, { ...threshold, hysteresis: defaultHysteresis(threshold.measure, threshold.threshold) }, `band ${size}`),
    on: threshold.hysteresis === decimal(size),
  }));

function timesOf(of: Of, { lasts, ...threshold }: LineRule): readonly Option[] {
  const name = capitalised(shortRuleText(of.kind, threshold));
  const some = TIMES.map((time) => ({
    label: `${name} for ${lastsTime(time)}`,
    line: toLine(of, { ...threshold, lasts: time }),
    on: lasts === time,
  }));
  return lasts === undefined ? some : [{ label: `${name}, at once`, line: toLine(of, threshold) }, ...some];
}

const isLine = (threshold: ThresholdRule): threshold is LineRule => threshold.when === 'above' || threshold.when === 'below';

const withBacktests = ({ rules: { thresholds: all }, hasBacktests }: Of): boolean =>
  hasBacktests && all.length > 1 && all.length * 3 <= MAX_MENU_OPTIONS;

const removal = (of: Of): Menu | undefined =>
  menu(
    withBacktests(of) ? 'End, remove or backtest a rule' : 'End or remove a rule',
    of.rules.thresholds.flatMap((threshold) => {
      const { once, ...always } = threshold;
      const line = once === true ? typed(of.kind, always) : typed(of.kind, { ...threshold, once: true });
      return [
        { label: `Only once: ${shortRuleText(of.kind, threshold)}`, line: to(of, ...line.split(' ')), on: once === true },
        { label: `Remove: ${thresholdRuleText(of.kind, threshold)}`, line: to(of, 'remove', ...typed(of.kind, threshold).split(' ')) },
        ...(withBacktests(of)
          ? [{ label: `Backtest: ${shortRuleText(of.kind, threshold)}`, line: to(of, ...typed(of.kind, threshold).split(' '), 'backtest') }]
          : []),
      ];
    }),
  );
