/** Replies to a rule that was set: the rule and the distance from it in one line, and buttons for the rest. */
import { knownIn } from '../../src/alerts/checks/check-records.js';
import { hasHistory, hasHistoryOf } from '../../src/alerts/rules/kinds.js';
import { areEventsInDigest } from '../../src/alerts/rules/presets.js';
import { choosesAlerts, type KindRules } from '../../src/alerts/rules/rule.js';
import { projectOfMarket, targetName, type Entry, type Target } from '../../src/alerts/watchlist/entry.js';
import { navAsChart, premiumBreakdown, treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { reply, type ActionDraft, type BlockDraft, type Line, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { inDigestLines, ruleText, shortRuleText, thresholdRuleText, undoActions } from '../../src/dispatch/watchlists/rule-text.js';
import { capitalised } from '../../src/base/sentence-lists.js';
import { date, duration } from '../../src/domain/format.js';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import { absolute, subtract } from '../../src/domain/decimal.js';
import { MEASURES, isUnlisted, type Measure } from '../../src/domain/measures.js';
import { gapOf, type DatedPrice } from '../../src/domain/premium.js';
import { decimal, type Decimal, type Instant } from '../../src/domain/scalars.js';
import { lifetimeWords } from '../../src/alerts/rules/rule-end.js';
import { LASTS, conditionsOf, isMet, lastsTime, type LineRule, type ThresholdRule } from '../../src/domain/threshold-rule.js';
import { UserError, commandLine, counted, line as textLine } from '../../src/reply/index.js';
import { typedRules, typedThreshold } from './edit.js';
import { suppressionBlocks } from './pages.js';

export interface RuleSet {
  /** The name of the target. */
  readonly title: string;
  readonly entry: Entry;
  readonly rule: KindRules;
  /** The rule existed already, so nothing changed. */
  readonly isSame?: boolean;
  /** The kind has rules besides this one. */
  readonly isOneOfSeveral: boolean;
  readonly notes?: readonly BlockDraft[];
  /** Replaces the usual Undo button. */
  readonly undo?: ActionDraft;
}

export async function ruleSet({ title, entry, rule, isSame, isOneOfSeveral, notes = [], undo }: RuleSet, context: Context): Promise<Reply> {
  const { kind, thresholds, filters } = rule;
  const line = (...words: readonly string[]): string => commandLine('alerts', targetName(entry.target), kind, ...words);
  const parts = [
    ...(Object.keys(filters).length === 0 ? [] : [ruleText(kind, { filters, thresholds: [] })]),
    ...thresholds.map((threshold) =>
      (/ band /u.test(typedThreshold(kind, threshold)) ? thresholdRuleText : shortRuleText)(kind, threshold),
    ),
  ];
  const [threshold, ...more] = thresholds;
  const far = threshold === undefined || more.length > 0 ? [] : await farFrom(threshold, entry, context);
  const ends: Line = more.length === 0 && threshold !== undefined ? lifetimeWords(threshold) : [];
  const isProject = entry.target.kind === 'project';
  // Reminders and the message at the end of an alert cannot be tested, and alone they are no rule.
  const isRule = choosesAlerts(rule);
  return reply({
    finding: [isSame === true ? 'Already set: ' : 'Alert set: ', { strong: `${title}, ${kind}: ${parts.join(' · ')}` }, ...ends, ...far],
    blocks: [
      ...notes,
      ...inDigestLines(entry, [kind]),
      ...(more.length === 0 ? [] : await eachFar(rule, entry, context)),
      ...joinedLines(thresholds),
      ...unreadLines(thresholds, context),
      ...suppressionBlocks(entry, kind, context),
    ],
    actions: [
      { label: 'Rules', line: line() },
      ...(isRule && isProject && hasHistory(kind) && thresholds.every((one) => hasHistoryOf(kind, one))
        ? [{ label: 'Backtest', line: line(...typedRules(rule), 'backtest') }]
        : []),
      ...(isRule && isOneOfSeveral ? [{ label: 'Only this', line: line('only', ...typedRules(rule)) }] : []),
      ...(areEventsInDigest(entry, kind) ? [{ label: 'Alert on events too', line: line('on') }] : []),
      // What Undo would take back is another, earlier change.
      ...(isSame === true ? [] : undo === undefined ? undoActions(entry) : [undo]),
    ],
  });
}

async function farFrom(threshold: ThresholdRule, entry: Entry, context: Context): Promise<Line> {
  if (MEASURES[threshold.measure].of === 'topic') return marketDistance(threshold, entry.target, context);
  if (entry.target.kind === 'project') return distance(threshold, entry.target.slug, context);
  return entry.target.kind === 'all' ? thereOfAll(threshold, entry, context) : [];
}

/** Returns a line with the distance of each of several rules, where it is known. */
async function eachFar({ kind, thresholds }: KindRules, entry: Entry, context: Context): Promise<readonly BlockDraft[]> {
  const distances = await Promise.all(thresholds.map(async (threshold) => ({ threshold, far: await farFrom(threshold, entry, context) })));
  return distances.flatMap(({ threshold, far }) => (far.length === 0 ? [] : [textLine(shortRuleText(kind, threshold), ...far)]));
}

/** Throws a `UserError` for a threshold that is never crossed, or if a value must last for less time than the interval between checks. */
export function requireFollowable(
  { kind, thresholds }: KindRules,
  { target, title }: { readonly target: Target; readonly title: string },
  { firstChecks }: Context,
): void {
  const fallen = thresholds.find((rule) => rule.when === 'below' && MEASURES[rule.measure].grows);
  if (fallen !== undefined) {
    const { threshold } = MEASURES[fallen.measure];
    throw new UserError(
      `${capitalised(thresholdRuleText(kind, fallen).replace(/ \(.*/u, ''))} is never crossed, because within a market it only grows. Write a threshold above it, such as ${threshold?.examples[0] ?? ''}. Nothing is changed.`,
    );
  }
  const times = thresholds.flatMap((rule) => ('lasts' in rule && rule.lasts !== undefined ? [rule.lasts] : []));
  const within = times.length === 0 ? undefined : firstChecks.checkedWithin(target, kind);
  // Checks that are paused until next month have no finite interval; they will continue.
  if (within === undefined || !Number.isFinite(within) || times.every((time) => time >= within)) return;
  const least = within > HOUR ? Math.ceil(within / HOUR) * HOUR : Math.ceil(within / TENTH) * TENTH;
  const whose = target.kind === 'project' ? `${title}, ${kind}` : kind;
  const works =
    least > LASTS.most
      ? 'No rule with "for" works on this plan.'
      : `Choose ${least === LASTS.most ? lastsTime(least) : `${lastsTime(least)} to ${lastsTime(LASTS.most)}`}, such as "for ${lastsTime(least).replace(' ', '')}".`;
  throw new UserError(
    `${whose}: changes are seen about every ${duration(within)} on this plan, so whether one lasts ${lastsTime(Math.min(...times))} is unknown. ${works}`,
  );
}

const TENTH = 10 * MINUTE;

/** Explains joined conditions. Their values come from one response, so they have the same age. */
const joinedLines = (thresholds: readonly ThresholdRule[]): readonly BlockDraft[] =>
  thresholds.some((rule) => 'threshold' in rule && rule.and !== undefined)
    ? [textLine('Alerts when one check finds that all conditions hold. A value that the service does not give counts as not met.')]
    : [];

const unreadLines = (thresholds: readonly ThresholdRule[], { analytics }: Context): readonly BlockDraft[] =>
  analytics.state().budget.limit !== undefined && thresholds.some(({ measure }) => isUnlisted(measure))
    ? [textLine('⚠ Prices and trades of markets are not read on a plan with a monthly limit, so this rule cannot alert.')]
    : [];

/** "; now +15.8%, last there Jul 29": from what was read for other questions and checks. It makes no request. */
async function distance(threshold: ThresholdRule, slug: string, context: Context): Promise<Line> {
  const { analytics, now, zone } = context;
  if (threshold.when !== 'above' && threshold.when !== 'below') return [];
  if (threshold.and !== undefined) return joinedDistance(threshold, slug, context);
  if (threshold.measure !== 'premium' && threshold.measure !== 'price') {
    const value = await valueNow(threshold.measure, slug, context);
    return value === undefined ? [] : [`; now ${farText(threshold, value)}`];
  }
  const valueOf = (point: DatedPrice): Decimal | undefined => (threshold.measure === 'price' ? point.price : gapOf(point).percent);
  const [chart, current] = await Promise.all([
    analytics.kept(navAsChart, { slug, range: 'ALL' }),
    analytics.kept(premiumBreakdown, { slug }),
  ]);
  const points = (chart?.data.rows ?? [])
    .flatMap((point) => {
      const value = valueOf(point);
      return value === undefined || point.at === undefined ? [] : [{ at: point.at, value }];
    })
    .toSorted((a, b) => a.at - b.at);
  const last = points.at(-1);
  const value =
    (current === undefined ? undefined : valueOf(current.data)) ?? checkedValue(threshold.measure, slug, context) ?? last?.value;
  if (value === undefined) return [];
  const isThere = (of: Decimal): boolean => isMet(threshold, of);
  const shown = `; now ${MEASURES[threshold.measure].brief(value)}`;
  if (isThere(value)) return [`${shown}, already there: alerts when it comes back and crosses again`];
  const there = points.findLast((point) => isThere(point.value));
  return [shown, ...lastThere({ there: there?.at, first: points[0]?.at, now, zone })];
}

/** "; now +1.2 pts (0.8 pts away)": from the last check. It names the markets where several are live. */
function marketDistance(rule: ThresholdRule, target: Target, { lastChecks }: Context): Line {
  const project = target.kind === 'project' ? target.slug : target.kind === 'market' ? projectOfMarket(target) : undefined;
  if (project === undefined || MEASURES[rule.measure].each) return [];
  const record = lastChecks().find(({ feed, subject }) => feed === 'proposals' && subject === project);
  const markets = (record?.measurements ?? []).flatMap(({ series, name, values: { [rule.measure]: value } }) =>
    value === undefined || (target.kind === 'market' && series !== target.topic) ? [] : [{ name, value }],
  );
  const isOne = markets.length === 1;
  const shown = markets
    .slice(0, MAX_MARKETS)
    .map(({ name, value }) => `${isOne || name === undefined ? '' : `"${name}" `}${farText(rule, value)}`);
  const more = markets.length - shown.length;
  return shown.length === 0 ? [] : [`; now ${shown.join(', ')}${more === 0 ? '' : ` and ${counted(more, 'more market')}`}`];
}

const MAX_MARKETS = 3;

/** Returns text such as "+1.2 pts (0.8 pts away)". */
function farText(rule: ThresholdRule, value: Decimal): string {
  const { brief } = MEASURES[rule.measure];
  if ('threshold' in rule && isMet(rule, value)) return `${brief(value)} (already there: alerts when it comes back and crosses again)`;
  const from = 'threshold' in rule ? rule.threshold : rule.when === 'flip' ? decimal('0') : undefined;
  if (from === undefined) return brief(value);
  return `${brief(value)} (${brief(absolute(subtract(value, from))).replace(/^\+/u, '')} away)`;
}

/** Says that the values meet the rule already only if all of them are known. */
async function joinedDistance(rule: LineRule, slug: string, context: Context): Promise<Line> {
  const known = await Promise.all(
    conditionsOf(rule).map(async (condition) => ({ condition, value: await valueNow(condition.measure, slug, context) })),
  );
  if (known.every(({ value }) => value === undefined)) return [];
  const shown = known.map(({ condition: { measure }, value }) =>
    value === undefined ? `${MEASURES[measure].name} not read yet` : `${MEASURES[measure].name} now ${MEASURES[measure].brief(value)}`,
  );
  const isAlready = known.every(({ condition, value }) => value !== undefined && isMet(condition, value));
  return [`; ${shown.join(', ')}${isAlready ? '; already met: alerts when one has come back and all are met again' : ''}`];
}

/** Returns the value that a question or a check read last. It makes no request. */
async function valueNow(measure: Measure, slug: string, context: Context): Promise<Decimal | undefined> {
  const { analytics } = context;
  const ofOverview = measure === 'nav' || measure === 'runway' || measure === 'allowance';
  const overview = ofOverview ? (await analytics.kept(treasuryOverview, { slug }))?.data : undefined;
  const current = measure === 'premium' || measure === 'price' ? (await analytics.kept(premiumBreakdown, { slug }))?.data : undefined;
  const kept: Partial<Record<Measure, Decimal | undefined>> = {
    premium: current && gapOf(current).percent,
    price: current?.price,
    ...{ nav: overview?.netAssetValue, runway: overview?.runway, allowance: overview?.allowance },
  };
  return kept[measure] ?? checkedValue(measure, slug, context);
}

const checkedValue = (measure: Measure, slug: string, { lastChecks }: Context): Decimal | undefined =>
  lastChecks()
    .filter(({ subject }) => subject === slug)
    .flatMap(({ measurements = [] }) => measurements.flatMap((one) => knownIn(one)[measure] ?? []))[0];

const MAX_NAMED = 5;

/** Names the projects that are beyond the threshold already, from the last checks. */
async function thereOfAll(rule: ThresholdRule, { exceptions = {} }: Entry, context: Context): Promise<Line> {
  if (!('threshold' in rule)) return [];
  const there = context.lastChecks().flatMap(({ feed, subject, measurements: [first] = [] }) => {
    if (feed !== MEASURES[rule.measure].kind || first === undefined || exceptions[subject]?.excluded === true) return [];
    const values = knownIn(first);
    const value = values[rule.measure];
    const isThere = conditionsOf(rule).every(({ measure, ...condition }) => {
      const known = values[measure];
      return known !== undefined && isMet({ measure, ...condition }, known);
    });
    return value === undefined || !isThere ? [] : [{ subject, value }];
  });
  if (there.length === 0) return [];
  const names = await Promise.all(
    there.slice(0, MAX_NAMED).map(async ({ subject, value }) => {
      const [project] = await context.directory.named(subject);
      return `${project?.name ?? subject} (${MEASURES[rule.measure].brief(value)})`;
    }),
  );
  const more = there.length - names.length;
  const alert = there.length === 1 ? 'alerts when it comes back and crosses again' : 'each alerts when it comes back and crosses again';
  return [`; already there: ${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}: ${alert}`];
}

function lastThere({
  there,
  first,
  now,
  zone,
}: { readonly there: Instant | undefined; readonly first: Instant | undefined } & Pick<Context, 'now' | 'zone'>): Line {
  if (there !== undefined) return [`, last there ${date(there, now, zone)}`];
  return first === undefined ? [] : [`, never there since ${date(first, now, zone)}`];
}
