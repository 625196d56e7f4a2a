/** This module composes a digest as one message, most important first. It is pure. */
import { capitalised } from '../../base/sentence-lists.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { DateTime } from 'luxon';
import { WHY, reply, type ActionDraft, type BlockDraft, type Line, type Reply, type Tone } from '../../chat/reply.js';
import { bareText } from '../../chat/plain-text.js';
import { countsOf, shortened, totalOf, withTotals, wordsFor } from '../../alerts/delivery/event-totals.js';
import { byImportance, clipped, isGroup, type ListPart } from '../../alerts/delivery/event-list.js';
import { DAY, instant, type Instant } from '../../base/clock.js';
import { momentOf } from '../../domain/event.js';
import { duration, percent, points, premium, usd } from '../../domain/format.js';
import type { CountWords } from '../../feeds/alert-kind.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import { feedOf } from '../../feeds/index.js';
import type { DigestEvent, DigestFacts, FilteringRule } from './gather.js';
import type { DigestSpan, ProjectMove } from './moves.js';
import type { ChartDraft } from '../../chat/chart.js';
import { cardChart, leftOutText } from './card.js';

export interface DigestHead {
  /** Text such as "Daily digest". */
  readonly title: string;
  /** A valid timezone. */
  readonly zone: string;
  /** The delivery's id. Absent in the answer to a question. */
  readonly id?: string | undefined;
  /** Lists filtered events by rule. By default one line counts them. */
  readonly hasReceipt?: boolean | undefined;
}

/** Maximum characters of the text. A Telegram caption has 1,024. */
const MAX_TEXT = 980;
/** Sizes of sections to try, largest first. */
const SIZES = [
  { rows: 4, line: 110 },
  { rows: 3, line: 100 },
  { rows: 2, line: 90 },
  { rows: 1, line: 90 },
  { rows: 1, line: 50 },
] as const;
type Size = (typeof SIZES)[number];
const MIN_SIZE: Size = { rows: 1, line: 50 };
const MAX_ROWS = SIZES[0].rows;

export function composeDigest(facts: DigestFacts, head: DigestHead): Reply {
  if (facts.moves.length + facts.events.length === 0) return emptyDigest(facts, head);
  const { span } = facts;
  // Sort once: there are hundreds of events, and several sizes are tried.
  const events = facts.events.toSorted((a, b) => byImportance(a.event, b.event));
  const sorted = { ...facts, events };
  const sections = sectionsOf(events);
  for (const size of SIZES) {
    const made = digestOf(sorted, head, { size, sections });
    if (bareText(made, span.to).length <= MAX_TEXT) return made;
  }
  // If one row of each section is too long, drop sections from the end.
  const least = digestOf(sorted, head, { size: MIN_SIZE, sections });
  let blocks = least.blocks;
  while (blocks.length > 1 && bareText({ ...least, blocks }, span.to).length > MAX_TEXT) blocks = blocks.slice(0, -1);
  return { ...least, blocks };
}

function digestOf(
  facts: DigestFacts,
  head: DigestHead,
  { size, sections }: { readonly size: Size; readonly sections: readonly Section[] },
): Reply {
  const { moves, span } = facts;
  const chart = pictureOf(facts, head) ?? movesChart(moves, { from: shortTime(span.from, head.zone), to: shortTime(span.to, head.zone) });
  return reply(
    omitUndefined({
      finding: findingOf(facts, head),
      isSummary: true as const,
      blocks: [
        { kind: 'line', line: [periodText(facts, head)] },
        ...moveBlocks(moves, span, size),
        ...sections.flatMap((section) => sectionBlocks(section, { span, head, size })),
        ...otherLines(facts, head),
      ],
      chart,
      asOf: asOf(facts),
      actions: actionsOf(facts, head),
    }),
  );
}

const pictureOf = ({ card, span }: DigestFacts, { zone }: DigestHead): ChartDraft | undefined => card && cardChart(card, { span, zone });

function emptyDigest(facts: DigestFacts, head: DigestHead): Reply {
  const chart = pictureOf(facts, head);
  return reply({
    finding: [
      { strong: `${head.title}: nothing new${facts.isCut ? ' among the latest events' : ''}` },
      ` ${lowerFirst(periodText(facts, head))}`,
    ],
    blocks: otherLines(facts, head),
    ...(chart === undefined ? {} : { chart }),
    asOf: asOf(facts),
    actions: actionsOf(facts, head),
  });
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns text such as "Daily digest: TIDE −6.1 pts". */
function findingOf({ moves, events, isCut }: DigestFacts, { title }: DigestHead): Line {
  const [move] = moves;
  const counts = events.length === 0 ? '' : atLeast(leadCounts(events), isCut);
  if (move === undefined) return [{ strong: `${title}: ${counts}` }];
  return [{ strong: `${title}: ${leadOf(move)}` }, counts === '' ? '' : `, ${counts}`];
}

const atLeast = (counts: string, isCut: boolean): string => (isCut ? `at least ${counts}` : counts);

const MAX_LEAD_COUNTS = 3;
const CROSSED: CountWords = ['threshold crossed', 'thresholds crossed'];

/** Returns text such as "1 proposal passed, 12 mints", most important first. */
function leadCounts(events: readonly DigestEvent[]): string {
  const groups = new Map<string, { readonly several: string; readonly count: number }>();
  for (const { event } of events) {
    // A crossing in a digest was not alerted, so it has words of its own.
    const [one, several] = event.stage === THRESHOLD_STAGE ? CROSSED : wordsFor(event);
    groups.set(one, { several, count: (groups.get(one)?.count ?? 0) + 1 });
  }
  const counts = [...groups].map(([one, { several, count }]) => `${count} ${count === 1 ? one : several}`);
  const rest = [...groups.values()].slice(MAX_LEAD_COUNTS).reduce((total, { count }) => total + count, 0);
  return [...counts.slice(0, MAX_LEAD_COUNTS), ...(rest === 0 ? [] : [`${rest} more`])].join(', ');
}

const leadOf = ({ name, gap, gapChange, nav, navChange }: ProjectMove): string =>
  gapChange === undefined
    ? `${shortened(name)} NAV ${percent(navChange)} to ${usd(nav)}`
    : `${shortened(name)} ${points(gapChange)} to ${premium(gap)}`;

const shortTime = (at: Instant, zone: string): string => DateTime.fromMillis(at, { zone, locale: 'en-US' }).toFormat('LLL d, HH:mm');

/** Returns "From Nov 22, 09:00 to Nov 23, 09:00 (Europe/Berlin) · 14 projects". Moves may begin before the watch, events do not. */
function periodText({ span, moves, watchedSince, projects, wallets }: DigestFacts, { zone, id }: DigestHead): string {
  const counts = [
    ...(projects === 0 ? [] : [`${projects} ${projects === 1 ? 'project' : 'projects'}`]),
    ...(wallets === 0 ? [] : [`${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}`]),
  ];
  const from = shortTime((moves.length === 0 ? watchedSince : undefined) ?? span.from, zone);
  const events = moves.length === 0 || watchedSince === undefined ? '' : `, events since ${shortTime(watchedSince, zone)}`;
  const period = id === undefined ? `Since ${from}` : `From ${from} to ${shortTime(span.to, zone)}`;
  return `${period} (${zone.replaceAll('_', ' ')})${events}${counts.length === 0 ? '' : ` · ${counts.join(', ')}`}`;
}

function moveBlocks(moves: readonly ProjectMove[], span: DigestSpan, { rows }: Size): readonly BlockDraft[] {
  const shown = moves.slice(0, rows * 2);
  return [{ kind: 'list', items: shown.map((move) => moveItem(move, span)), more: moves.length - shown.length }];
}

function moveItem({ name, gap, gapChange, nav, navChange, foundAt }: ProjectMove, { to }: DigestSpan): { tone: Tone; line: Line } {
  const change = gapChange ?? navChange;
  const old = to - foundAt >= DAY ? ` ⚠ ${duration(to - foundAt)} old` : '';
  return {
    tone: change === undefined ? 'plain' : change.startsWith('-') ? 'down' : 'up',
    line: [
      { strong: shortened(name) },
      ` ${premium(gap)}${gapChange === undefined ? '' : ` (${points(gapChange)})`}`,
      ` · NAV ${usd(nav)}${navChange === undefined ? '' : ` (${percent(navChange)})`}${old}`,
    ],
  };
}

const SECTIONS: readonly { readonly title: string; readonly feeds: readonly string[] }[] = [
  { title: 'Thresholds', feeds: ['premium', 'treasury'] },
  { title: 'Proposals', feeds: ['proposals'] },
  { title: 'Launches', feeds: ['launches'] },
  { title: 'Supply and treasury', feeds: ['supply', 'movements'] },
  { title: 'Wallets', feeds: ['wallet'] },
  { title: 'Vesting', feeds: ['vesting'] },
  { title: 'Growth', feeds: ['growth'] },
];

interface SectionRow {
  readonly tone: Tone;
  readonly line: Line;
  /** Text about the price change since a result. */
  readonly since?: string | undefined;
  /** Undefined for a total. */
  readonly at: Instant | undefined;
}

interface Section {
  readonly title: string;
  readonly rows: readonly SectionRow[];
  /** Number of events in each row. */
  readonly counts: readonly number[];
}

/** Returns the sections, most important first. */
function sectionsOf(events: readonly DigestEvent[]): readonly Section[] {
  return SECTIONS.flatMap(({ title, feeds }) => {
    const parts = withTotals(events.filter(({ event }) => feeds.includes(event.feed)));
    if (parts.length === 0) return [];
    return [{ title, rows: parts.slice(0, MAX_ROWS).map(rowOf), counts: parts.map((part) => (isGroup(part) ? part.length : 1)) }];
  });
}

function rowOf(part: ListPart<DigestEvent>): SectionRow {
  if (isGroup(part)) return { ...totalOf(part), at: undefined };
  const { event, content, priceSince } = part;
  const since = priceSince === undefined ? undefined : `price ${percent(priceSince)} since`;
  return { tone: content.tone, line: content.headline, since, at: momentOf(event) };
}

function sectionBlocks(
  { title, rows, counts }: Section,
  { span, head: { zone }, size }: { readonly span: DigestSpan; readonly head: DigestHead; readonly size: Size },
): readonly BlockDraft[] {
  const clock = (at: Instant): string =>
    DateTime.fromMillis(at, { zone, locale: 'en-US' }).toFormat(span.to - span.from > DAY + DAY / 2 ? 'LLL d' : 'HH:mm');
  return [
    { kind: 'line', line: [{ strong: title }] },
    {
      kind: 'list',
      more: counts.slice(size.rows).reduce((total, count) => total + count, 0),
      items: rows.slice(0, size.rows).map(({ tone, line, since, at }) => ({
        tone,
        line: [
          ...clipped(line, span.to, size.line),
          ...(since === undefined ? [] : [` · ${since}`]),
          ...(at === undefined ? [] : [` · ${clock(at)}`]),
        ],
      })),
    },
  ];
}

const MAX_RULES = 3;

/** Returns "Filtered this week: 14 treasury movements (tide: $10K and up)". Rules that filtered most come first. */
function receiptText({ filtered, isCut }: DigestFacts, { id }: DigestHead): string | undefined {
  const rules = filteredByRule(filtered);
  if (rules.length === 0) return undefined;
  const texts = rules.slice(0, MAX_RULES).map(({ by: { name, rule }, events: [first, ...others] }) => {
    const [one, several] = feedOf(first.event.feed)?.alerts.words ?? ['event', 'events'];
    return `${others.length + 1} ${others.length === 0 ? one : several} (${name}: ${rule})`;
  });
  const rest = rules.slice(MAX_RULES).reduce((sum, { events }) => sum + events.length, 0);
  return `Filtered ${id === undefined ? 'so far' : 'this week'}: ${atLeast([...texts, ...(rest === 0 ? [] : [`${rest} more`])].join(', '), isCut)}`;
}

interface RuleCount {
  readonly by: FilteringRule;
  readonly events: readonly [DigestEvent, ...DigestEvent[]];
}

function filteredByRule(filtered: readonly DigestEvent[]): readonly RuleCount[] {
  const rules = new Map<string, { readonly by: FilteringRule; readonly events: [DigestEvent, ...DigestEvent[]] }>();
  for (const one of filtered) {
    if (one.by === undefined) continue;
    const key = `${one.by.line} ${one.by.rule}`;
    const known = rules.get(key);
    if (known === undefined) rules.set(key, { by: one.by, events: [one] });
    else known.events.push(one);
  }
  return [...rules.values()].toSorted((a, b) => b.events.length - a.events.length);
}

function otherLines(facts: DigestFacts, head: DigestHead): readonly BlockDraft[] {
  const { filtered, suppressed, undelivered, unknown, failing, isCut } = facts;
  const receipt = head.hasReceipt === true ? receiptText(facts, head) : undefined;
  const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;
  const alerts = [
    ...(suppressed === 0 ? [] : [`${counted(suppressed, 'alert is', 'alerts are')} suppressed`]),
    ...(undelivered === 0 ? [] : [`${counted(undelivered, 'alert was', 'alerts were')} not delivered`]),
    ...(filtered.length === 0 || receipt !== undefined
      ? []
      : [`below your filters: ${atLeast(countsOf(filtered.map(({ event, content }) => ({ event, about: content.about }))), isCut)}`]),
  ].join(' · ');
  const doubts = [
    ...(unknown.length === 0 ? [] : [`Premium and NAV of ${counted(unknown.length, 'project', 'projects')}: n/a`]),
    ...(failing === 0 ? [] : [`${counted(failing, 'check is', 'checks are')} failing`]),
    ...(isCut ? ['too many events for one digest: counts and totals leave out the oldest'] : []),
  ].join(' · ');
  const leftOut = facts.card && leftOutText(facts.card);
  const texts = [
    ...(leftOut === undefined ? [] : [leftOut]),
    ...(receipt === undefined ? [] : [receipt]),
    ...(alerts === '' ? [] : [capitalised(alerts)]),
    ...(doubts === '' ? [] : [`⚠ ${capitalised(doubts)}`]),
  ];
  return texts.map((text) => ({ kind: 'line', line: [text] }));
}

/** Returns the time of the oldest value shown, or else of the oldest check. */
function asOf({ moves, checkedAt, card }: DigestFacts): Instant | undefined {
  const shown = [...moves, ...(card?.rows ?? [])];
  return shown.length === 0 ? checkedAt : instant(Math.min(...shown.map(({ foundAt }) => foundAt)));
}

function actionsOf({ moves, events, filtered }: DigestFacts, { id, hasReceipt }: DigestHead): readonly ActionDraft[] {
  const [move] = moves;
  const [first] = events;
  const [about] = first?.content.actions ?? [];
  const [widest] = hasReceipt === true ? filteredByRule(filtered) : [];
  return [
    ...(move === undefined ? [] : [{ label: `${shortened(move.name)} premium`, line: `/premium ${move.slug}` }]),
    ...(about === undefined ? [] : [about]),
    ...(widest === undefined
      ? []
      : [{ label: `Widen ${shortened(widest.by.name)} ${widest.events[0].event.feed}…`, line: widest.by.line }]),
    { label: 'Alert history', line: '/history' },
    { label: 'Digest…', line: '/digest' },
    ...(id === undefined ? [] : [{ label: WHY, line: `/why ${id}` }]),
  ];
}

const MAX_PROJECTS = 6;
const MAX_NAME = 12;

/** Draws premiums at the beginning and the end of the period; undefined if no premium moved. */
function movesChart(moves: readonly ProjectMove[], { from, to }: { readonly from: string; readonly to: string }): ChartDraft | undefined {
  const known = moves.flatMap(({ name, gap, gapBefore }) =>
    gap === undefined || gapBefore === undefined ? [] : [{ name: shortened(name).slice(0, MAX_NAME), gap, gapBefore }],
  );
  const shown = known.slice(0, MAX_PROJECTS);
  if (shown.length === 0) return undefined;
  return {
    kind: 'xy',
    title: `Premium to NAV since ${from}`,
    categories: shown.map(({ name }) => name),
    series: [
      { name: from, draw: 'bar', unit: 'percent', tone: 'quiet', points: shown.map(({ gapBefore }, index) => [index, Number(gapBefore)]) },
      { name: to, draw: 'bar', unit: 'percent', tone: 'main', points: shown.map(({ gap }, index) => [index, Number(gap)]) },
    ],
  };
}
