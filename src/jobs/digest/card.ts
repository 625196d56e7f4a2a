/** This module gathers the card of a digest from stored checks: premiums within their year, and live votes. It makes no request. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { datesOf, type CheckRecords } from '../../alerts/checks/check-records.js';
import { covering } from '../../alerts/watchlist/match.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import type { Analytics } from '../../analytics/analytics.js';
import { DAY, type Instant } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { ChartDraft } from '../../chat/chart.js';
import { absolute, compare, isNegative } from '../../domain/decimal.js';
import { clockTime, percent, premium, relative } from '../../domain/format.js';
import { isPassing, marginOf, verdict } from '../../domain/market-phase.js';
import { gapOf } from '../../domain/premium.js';
import { decimalSchema, type Decimal } from '../../domain/scalars.js';
import { MIN_VALUES } from '../../domain/z-score.js';
import { shortened } from '../../alerts/delivery/event-totals.js';
import { keptNavHistory } from '../../feeds/nav-history.js';
import { proposals } from '../../feeds/proposals.js';
import { moveOf, type DigestSpan, type MeasuredProject } from './moves.js';

/** A row of the card. Values are premiums in percent. */
export interface CardRow {
  readonly name: string;
  readonly foundAt: Instant;
  readonly value: Decimal;
  readonly before: Decimal | undefined;
  readonly low: Decimal;
  readonly high: Decimal;
  /** Days that the range covers, if that is clearly less than a year. */
  readonly days: number | undefined;
}

export interface CardVote {
  readonly title: string;
  readonly project: string;
  /** The value is in percentage points. */
  readonly margin: Decimal | undefined;
  readonly endsAt: Instant;
}

export interface CardFacts {
  /** Highest premium first. */
  readonly rows: readonly CardRow[];
  /** Soonest end first. */
  readonly votes: readonly CardVote[];
  readonly moreVotes: number;
  /** `known` is the number of projects with a premium; `below` is how many of them trade below NAV. */
  readonly known: number;
  readonly below: number;
  /** Projects whose range is not known, or whose premium is old. */
  readonly leftOut: readonly string[];
}

interface CardContext {
  readonly checkRecords: Pick<CheckRecords, 'all'>;
  readonly analytics: Pick<Analytics, 'kept'>;
}

/** More rows would not be legible on platforms that show pictures at half size. */
const MAX_ROWS = 6;
const MAX_VOTES = 3;
/** Maximum number of projects whose cached history is read. */
const MAX_TRIED = 24;
const YEAR = 365 * DAY;
/** Days. A range of at least this counts as a year. */
const WHOLE_YEAR = 335;
const OLD = DAY;

/** Gathers the card; undefined if no range is known. */
export async function gatherCard(
  chat: Chat,
  { projects, span }: { readonly projects: readonly MeasuredProject[]; readonly span: DigestSpan },
  { checkRecords, analytics }: CardContext,
): Promise<CardFacts | undefined> {
  const known = projects.flatMap((project) => {
    const move = moveOf(project, span);
    return move?.gap === undefined ? [] : [{ project, move, gap: move.gap }];
  });
  const size = (change: Decimal | undefined): Decimal | undefined => change && absolute(change);
  const largestFirst = known.toSorted((a, b) => compareKnown(size(b.move.gapChange), size(a.move.gapChange)));
  const [rows, leftOut]: [CardRow[], string[]] = [[], []];
  for (const { project, move, gap } of largestFirst.slice(0, MAX_TRIED)) {
    if (rows.length === MAX_ROWS) break;
    const { name, foundAt, gapBefore: before } = move;
    const range = span.to - foundAt >= OLD ? undefined : await rangeOf(project, span.to, analytics);
    if (range === undefined) leftOut.push(name);
    else rows.push({ name, foundAt, value: gap, before, ...range });
  }
  if (rows.length === 0) return undefined;
  const votes = votesOf(chat, span.to, checkRecords);
  return {
    rows: rows.toSorted((a, b) => compare(b.value, a.value)),
    votes: votes.slice(0, MAX_VOTES),
    moreVotes: Math.max(0, votes.length - MAX_VOTES),
    known: known.length,
    below: known.filter(({ gap }) => isNegative(gap)).length,
    leftOut,
  };
}

/** Compares values; an unknown one is the smallest. */
const compareKnown = (a: Decimal | undefined, b: Decimal | undefined): number =>
  a === undefined || b === undefined ? Number(a !== undefined) - Number(b !== undefined) : compare(a, b);

interface YearPoint {
  readonly at: Instant;
  readonly gap: Decimal;
}

async function rangeOf(
  { slug, past, last }: MeasuredProject,
  now: Instant,
  analytics: Pick<Analytics, 'kept'>,
): Promise<Pick<CardRow, 'low' | 'high' | 'days'> | undefined> {
  const within = (points: readonly { readonly at: Instant; readonly gap?: Decimal | undefined }[]): readonly YearPoint[] =>
    points.flatMap(({ at, gap }) => (gap === undefined || at > now || at < now - YEAR ? [] : [{ at, gap }]));
  const held = within([...past, ...(last === undefined ? [] : [last])]);
  const all = isEnough(held) ? held : [...held, ...within(await keptGaps(slug, analytics))];
  if (!isEnough(all)) return undefined;
  const [first, ...others] = all.map(({ gap }) => gap);
  if (first === undefined) return undefined;
  const days = Math.round((now - Math.min(...all.map(({ at }) => at))) / DAY);
  return {
    low: others.reduce((least, gap) => (compare(gap, least) < 0 ? gap : least), first),
    high: others.reduce((most, gap) => (compare(gap, most) > 0 ? gap : most), first),
    days: days < WHOLE_YEAR ? days : undefined,
  };
}

/** Tells whether values are from enough different days to show a range. */
const isEnough = (points: readonly YearPoint[]): boolean => new Set(points.map(({ at }) => Math.floor(at / DAY))).size >= MIN_VALUES;

const keptGaps = async (slug: string, analytics: Pick<Analytics, 'kept'>) =>
  (await keptNavHistory(slug, analytics)).map(({ at, premium: reported, price, navPerShare }) => ({
    at,
    gap: gapOf({ premium: reported, price, navPerShare }).percent,
  }));

/** The parts of a proposal's facts that the card needs. */
const voteSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  margin: decimalSchema.optional(),
  passEdge: decimalSchema.optional(),
  threshold: decimalSchema.optional(),
});

/** Returns live votes. Only these have an `end` date in check records. */
function votesOf(chat: Chat, now: Instant, checkRecords: CardContext['checkRecords']): readonly CardVote[] {
  const ends = datesOf(checkRecords.all()).filter(
    (date) => date.feed === proposals.id && date.what === 'end' && date.at > now && covering(date, chat).length > 0,
  );
  return ends
    .flatMap(({ at: endsAt, facts }): readonly CardVote[] => {
      const { data } = voteSchema.safeParse(facts);
      return data === undefined
        ? []
        : [{ title: data.title ?? 'an untitled proposal', project: data.name, margin: marginOf(data), endsAt }];
    })
    .toSorted((a, b) => a.endsAt - b.endsAt);
}

const shortTime = (at: Instant, zone: string): string => DateTime.fromMillis(at, { zone, locale: 'en-US' }).toFormat('LLL d, HH:mm');

export function cardChart(facts: CardFacts, { span, zone }: { readonly span: DigestSpan; readonly zone: string }): ChartDraft {
  const { rows, votes, moreVotes, known } = facts;
  const items = votes.map((vote) => voteItem(vote, span.to, zone));
  const isMoved = rows.some(({ before }) => before !== undefined);
  const tail = isMoved ? ` · tail: since ${shortTime(span.from, zone)}` : '';
  const title = titleOf(facts);
  return omitUndefined({
    kind: 'ranges' as const,
    title,
    subtitle: `Premium, 1Y low to high · tick: NAV${tail}`,
    alternative: [
      title,
      ...rows.map((row) => `${shortened(row.name)} ${percent(row.value)}, ${rangeName(row)} ${percent(row.low)} to ${percent(row.high)}`),
      ...items.map(({ name, value, note }) => `${name}: ${value}, ${note}`),
    ].join('; '),
    unit: 'percent' as const,
    middle: 0,
    rows: rows.map(({ name, days, low, high, value, before }) =>
      omitUndefined({
        name: shortened(name),
        note: days === undefined ? undefined : `${days}D`,
        low: Number(low),
        high: Number(high),
        value: Number(value),
        before: before === undefined ? undefined : Number(before),
      }),
    ),
    foot: known > rows.length ? `${rows.length} of ${known} projects${isMoved ? ', those that moved most' : ''}` : undefined,
    items:
      items.length === 0
        ? undefined
        : {
            title: moreVotes === 0 ? 'Live votes' : `Live votes: the next ${items.length} of ${items.length + moreVotes} to end`,
            rows: items,
          },
  });
}

const rangeName = ({ days }: CardRow): string => `${days === undefined ? '1Y' : `${days}D`} range`;

function titleOf({ rows: [row], known, below }: CardFacts): string {
  if (known === 1 && row !== undefined) return `${shortened(row.name)} trades ${premium(row.value)}`;
  if (below === 0) return `None of ${known} projects trades below NAV`;
  return below === known
    ? `All ${known} projects trade below NAV`
    : `${below} of ${known} projects ${below === 1 ? 'trades' : 'trade'} below NAV`;
}

function voteItem({ title, project, margin, endsAt }: CardVote, now: Instant, zone: string) {
  const tone = margin === undefined ? ('quiet' as const) : isPassing(margin) ? ('up' as const) : ('down' as const);
  return {
    ...{ name: title, value: verdict('live', margin), tone },
    note: `${project} · ends ${clockTime(endsAt, now, zone)}, ${relative(endsAt, now)}`,
  };
}

const MAX_NAMED = 3;

/** Says what the card lacks, such as "Not on the card: HERN, REEF (no premium of today, or under 30 days of values)". */
export function leftOutText({ leftOut }: CardFacts): string | undefined {
  if (leftOut.length === 0) return undefined;
  const rest = leftOut.length - MAX_NAMED;
  const names = [...leftOut.slice(0, MAX_NAMED).map(shortened), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return `Not on the card: ${names} (under ${MIN_VALUES} days of premiums, or not checked today)`;
}
