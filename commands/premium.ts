/** /premium <project> [range] [at]: the premium over NAV/share. */
import { z } from 'zod';
import type { Answer } from '../src/analytics/analytics.js';
import { NAV_RANGES, navAsChart, premiumBreakdown } from '../src/analytics/endpoints/treasury.js';
import { reply, type BlockDraft, type Reply } from '../src/chat/reply.js';
import { lineText } from '../src/chat/plain-text.js';
import {
  ages,
  choiceActions,
  commandLine,
  doubtful,
  earlierSnapshot,
  figuresOf,
  isPast,
  isoText,
  line,
  needOne,
  optional,
  pastMoment,
  pastOption,
  premiumChart,
  premiumCheck,
  projectOption,
  right,
  tableOf,
  type Figure,
  type ProjectViewDeps,
} from '../src/reply/index.js';
import { defineCommand } from '../src/dispatch/command.js';
import { compare } from '../src/domain/decimal.js';
import { clockTime, date, percent, premium as inWords, price, wholePercent } from '../src/domain/format.js';
import { gapOf, gapRange, premiumRank, recorded, type GapPoint, type GapRange, type Prices } from '../src/domain/premium.js';
import type { Decimal, Instant, Slug } from '../src/domain/scalars.js';

type Range = (typeof NAV_RANGES)[number];

const SPANS = {
  '1D': 'hour',
  '1W': 'hour',
  '1M': 'day',
  '3M': 'day',
  ALL: 'day',
} as const satisfies Record<Range, 'hour' | 'day'>;

const MAX_ROWS = 8;

export default defineCommand({
  name: 'premium',
  summary: 'Premium or discount to NAV, with its range',
  args: z.object({
    project: projectOption,
    range: z.enum(NAV_RANGES).default('3M').describe('time range'),
    at: pastOption,
  }),
  examples: ['/premium tide', '/premium tide 1M', '/premium project:"Heron Flats" range:ALL', '/premium tide at:2026-11-01'],
  phrases: {
    '/premium {project} {range?}': `premium of {project} | {project} premium | {project} discount | discount of {project} | is {project} cheap | is {project}
      expensive | is {project} overvalued | is {project} undervalued | how cheap is {project} | is {project} trading above nav |
      {project} below nav | how far below nav is {project} | {project} price vs nav | what is the discount of {project} today |
      {project} premium last month | {project} discount 3m | premium chart of {project} all time | {project} price chart | chart of
      {project} last week | {project} since last friday | does {project} trade above or below nav | {project} p/nav | price to nav of
      {project} | price to book of {project} | how deep is the discount of {project} | how low did the discount of {project} get past
      3 months | {project} worst ever discount | is {project} at a premium or a discount | is the discount of {project} widening or
      closing | is {project} still under nav | what is {project} trading at vs nav | {project} weekly | {project} 1d | history of the
      premium of {project} | am I overpaying for {project} | how has the premium of {project} evolved | price of {project} over the
      past month | lowest discount {project} ever had | {project} price last 90 days | how much do people pay for one dollar of
      {project} | has {project} gotten more expensive this week | {project} since march | is {project} fairly priced | how far off its
      real value is {project} | trend of the {project} premium | {project} gap to nav | where does {project} trade relative to book |
      is {project} selling for less than what it owns | {project} historical discount | {project} performance this week | how did
      {project} do this month`,
    '/premium {project} {at}': `premium of {project} yesterday | {project} price on nov 1 | price of {project} yesterday | what was the premium of {project} on
      october 5 | where was {project} vs nav yesterday | {project} discount a week ago | {project} premium on 2026-11-01 | what did
      {project} trade at last monday | at which price was {project} on 15/10/2026 | what was the discount of {project} back then on
      october 5th | {project} premium at 14:00 on nov 1 | how much was {project} a month ago | the premium of {project} at the 1.
      november`,
  },

  async run({ project: text, range, at }, { analytics, directory, signal, now, zone }) {
    const project = await directory.find(text, signal);
    const past = pastMoment(at, { now, zone });
    if (past !== undefined) return pastPremium({ analytics, project, at: past, now, signal });
    const { slug } = project;
    const [current, chart] = await Promise.all([
      optional(analytics.call(premiumBreakdown, { slug }, { signal })),
      optional(analytics.call(navAsChart, { slug, range }, { signal })),
    ]);
    needOne(current, chart);
    const per = SPANS[range];
    const over = gapRange(chart.answer?.data.rows ?? [], per);
    const said = current.answer?.data;
    // A range without points does not show the age of NAV/share, so the whole history is read.
    const whole =
      over === undefined && chart.answer !== undefined && said?.navPerShare !== undefined && range !== 'ALL'
        ? (await optional(analytics.call(navAsChart, { slug, range: 'ALL' }, { signal }))).answer
        : undefined;
    const last = (over ?? gapRange(whole?.data.rows ?? [], 'day'))?.ends.at(-1);
    // Without a gap in the answer, the last point of the chart is used.
    const tells = said !== undefined && gapOf(said).percent !== undefined;
    const old =
      oldPoint({ last, said: current.answer, chart: over === undefined ? whole : chart.answer }, now) ??
      (said && !tells ? last : undefined);
    const latest = old ?? said ?? last;
    const gap = gapOf(latest ?? {});
    const ends = over?.ends ?? [];
    const rank = gap.percent === undefined || ends.length < 2 ? undefined : premiumRank(gap.percent, ends);
    const name = project.symbol ?? project.name;
    const finding =
      gap.percent === undefined
        ? [{ strong: `${name} has no premium or discount` }, ': no NAV published']
        : [
            { strong: `${name} ${old === undefined ? 'trades' : 'traded'} ${inWords(gap.percent)}` },
            ...(old === undefined ? [] : [` on ${date(old.at, now)} (latest data)`]),
          ];
    return reply({
      finding,
      chart: over && premiumChart(over, lineText(finding, now)),
      blocks: [
        figuresOf([
          ['Price', price(latest?.price)],
          ['NAV/share', price(latest?.navPerShare)],
          ...(over ? extremes(over, { per, now, zone, range }) : reported(said ?? {}, now)),
          rank && [`${rank.than} than`, `${wholePercent(rank.share)} of ${per}s`],
        ]),
        ...premiumCheck(gap),
        ...(over ? [course(over.ends, { per, now, zone })] : [line('No NAV/share history for this range. Try another one.')]),
        ...doubtful(said?.doubts ?? []),
      ],
      actions: [
        ...choiceActions(NAV_RANGES, range, (other) => commandLine('premium', slug, other)),
        { label: 'Treasury', line: commandLine('treasury', slug, 'summary') },
        { label: 'Watch', line: commandLine('watch', slug) },
      ],
      ...ages(current.answer, chart.answer, whole),
    });
  },
});

interface Latest {
  readonly last: GapPoint | undefined;
  readonly said: Answer<Prices> | undefined;
  readonly chart: Pick<Answer<unknown>, 'at' | 'dataAt'> | undefined;
}

function oldPoint({ last, said, chart }: Latest, now: Instant): (Prices & { readonly at: Instant }) | undefined {
  if (said?.dataAt !== undefined) return isPast(said, now) ? { ...said.data, at: said.dataAt } : undefined;
  if (last === undefined || !isPast({ at: last.at, ...chart }, now)) return undefined;
  const [before, today] = [last.navPerShare, said?.data.navPerShare];
  return today === undefined || before === undefined || compare(today, before) === 0 ? last : undefined;
}

interface Scale {
  readonly per: 'hour' | 'day';
  readonly now: Instant;
  readonly zone: string | undefined;
}

const when = (at: Instant, { per, now, zone }: Scale): string => (per === 'hour' ? clockTime(at, now, zone) : date(at, now));

const extremes = ({ low, high, mean }: GapRange, { range, ...scale }: Scale & { readonly range: Range }): readonly Figure[] => [
  [
    range === 'ALL' ? 'all-time range' : `${range} range`,
    `${percent(low.gap)} (${when(low.at, scale)}) to ${percent(high.gap)} (${when(high.at, scale)})`,
  ],
  ['average', percent(mean)],
];

interface Reported {
  readonly low?: Decimal;
  readonly lowAt?: Instant;
  readonly mean?: Decimal;
  readonly high?: Decimal;
  readonly highAt?: Instant;
}

/** Shows the service's own figures. The service does not state their range. */
function reported(data: Reported, now: Instant): readonly Figure[] {
  if (data.low === undefined && data.mean === undefined && data.high === undefined) return [];
  const dated = (at: Instant | undefined) => (at === undefined ? '' : ` (${date(at, now)})`);
  return [
    ['reported range', `${percent(data.low)}${dated(data.lowAt)} to ${percent(data.high)}${dated(data.highAt)}`],
    ['average', percent(data.mean)],
  ];
}

function course(ends: readonly GapPoint[], scale: Scale): BlockDraft {
  const step = Math.max(1, Math.ceil(ends.length / MAX_ROWS));
  const shown = ends.filter((_, index) => (ends.length - 1 - index) % step === 0).toReversed();
  return tableOf(
    ['Date', right('Price'), right('NAV/share'), right('Premium')],
    shown.map((point) => [when(point.at, scale), price(point.price), price(point.navPerShare), percent(recorded(point))]),
  );
}

interface PastPremiumDeps extends Omit<ProjectViewDeps, 'page'> {
  readonly at: Instant;
}

/** Returns the first point of the history; undefined if the service does not state it. */
async function firstPoint({
  analytics,
  slug,
  signal,
}: Pick<PastPremiumDeps, 'analytics' | 'signal'> & { readonly slug: Slug }): Promise<Instant | undefined> {
  const { answer } = await optional(analytics.call(navAsChart, { slug, range: 'ALL' }, { signal }));
  return gapRange(answer?.data.rows ?? [], 'day')?.ends[0]?.at;
}

interface BeforeData {
  readonly name: string;
  readonly slug: Slug;
  readonly at: Instant;
  readonly first: Instant;
  readonly now: Instant;
}

/** The reply for a moment before the first figures. "No premium" would mean that price and NAV were equal. */
const beforeData = ({ name, slug, at, first, now }: BeforeData): Reply =>
  reply({
    finding: [{ strong: `No premium of ${name} is known for ${date(at, now)}` }, `: its data starts ${date(first, now)}`],
    blocks: [],
    actions: [
      { label: 'First day', line: commandLine('premium', slug, `at:${isoText(first).slice(0, 10)}`) },
      { label: 'All of it', line: commandLine('premium', slug, 'ALL') },
    ],
  });

/** Shows the premium at a past moment. */
async function pastPremium({ analytics, project, at, now, signal }: PastPremiumDeps): Promise<Reply> {
  const { slug } = project;
  const answer = await analytics.call(premiumBreakdown, { slug, timestamp: isoText(at) }, { signal });
  const { data } = answer;
  const gap = gapOf(data);
  const name = project.symbol ?? project.name;
  if (gap.percent === undefined) {
    const first = await firstPoint({ analytics, slug, signal });
    if (first !== undefined && at < first) return beforeData({ name, slug, at, first, now });
  }
  const dated = (moment: Instant | undefined): string => (moment === undefined ? '' : ` (${date(moment, now)})`);
  return reply({
    finding: [
      { at, exact: true },
      ': ',
      { strong: gap.percent === undefined ? `${name} had no premium or discount` : `${name} traded ${inWords(gap.percent)}` },
    ],
    blocks: [
      figuresOf([
        ['Price', price(data.price)],
        ['NAV/share', price(data.navPerShare)],
        ['reported range', `${percent(data.low)}${dated(data.lowAt)} to ${percent(data.high)}${dated(data.highAt)}`],
        ['average', percent(data.mean)],
      ]),
      ...premiumCheck(gap),
      ...earlierSnapshot(data.at, at),
      ...doubtful(data.doubts),
    ],
    actions: [
      ...choiceActions(NAV_RANGES, '', (range) => commandLine('premium', slug, range)),
      { label: 'NAV then', line: commandLine('treasury', slug, 'nav', `at:${isoText(at)}`) },
      { label: 'Watch', line: commandLine('watch', slug) },
    ],
    ...ages(answer),
  });
}
