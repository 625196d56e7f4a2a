/** /overview [view] [period]: totals of all coins, and the largest moves. */
import { z } from 'zod';
import { marketCapChart, marketTotals, treasuryValueChart, type ProjectRow } from '../src/analytics/endpoints/dashboard.js';
import { reply, type BlockDraft, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import {
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  counted,
  dotted,
  figuresOf,
  hiddenRows,
  isPast,
  line,
  missingText,
  needOne,
  optional,
  projectRows,
  rowAge,
  withoutNav,
} from '../src/reply/index.js';
import { absolute, compare, isNegative, isZero, percentChange } from '../src/domain/decimal.js';
import { date, percent, premium, price, usd } from '../src/domain/format.js';
import { gapOf } from '../src/domain/premium.js';
import type { Decimal, Instant } from '../src/domain/scalars.js';
import { DAY } from '../src/base/clock.js';
import type { ChartDraft } from '../src/chat/chart.js';

/** The total value of all projects at one moment. */
interface SumPoint {
  readonly at: Instant;
  readonly value: Decimal;
}

/** Returns the known points, the oldest first. */
const known = (rows: readonly { readonly at?: Instant; readonly value?: Decimal }[]): readonly SumPoint[] =>
  rows.flatMap(({ at, value }) => (at === undefined || value === undefined ? [] : [{ at, value }])).toSorted((a, b) => a.at - b.at);

/** Returns the change in percent; undefined if the history is shorter than `span`. */
function changeOver(points: readonly SumPoint[], span: number): Decimal | undefined {
  const last = points.at(-1);
  const before = last && points.findLast(({ at }) => at <= last.at - span);
  return last && before && percentChange(before.value, last.value);
}

const worth = (last: SumPoint | undefined, past?: Instant): string =>
  `${past === undefined ? 'are' : 'were'} worth ${usd(last?.value)}${onDay(last, past)}`;

const onDay = (last: SumPoint | undefined, past: Instant | undefined): string =>
  last === undefined || past === undefined ? '' : ` on ${date(last.at, past)}`;

function worthText(points: readonly SumPoint[], past?: Instant): string {
  const last = points.at(-1);
  if (last === undefined) return 'n/a';
  const changes = [
    [changeOver(points, DAY), '24 h'],
    [changeOver(points, 7 * DAY), '7 d'],
  ] as const;
  const parts = changes.flatMap(([change, over]) => (change === undefined ? [] : [`${percent(change)} in ${over}`]));
  return `${usd(last.value)}${onDay(last, past)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

const MAX_POINTS = 240;

function thinned(points: readonly SumPoint[]): readonly [number, number][] {
  const step = Math.max(1, Math.ceil(points.length / MAX_POINTS));
  return points.filter((_, index) => (points.length - 1 - index) % step === 0).map(({ at, value }) => [at, Number(value)]);
}

function chartOf(caps: readonly SumPoint[], treasuries: readonly SumPoint[]): ChartDraft | undefined {
  const drawn = [
    { name: 'market cap', points: caps, tone: 'main' },
    { name: 'treasuries', points: treasuries, tone: 'second' },
  ] as const;
  const series = drawn.flatMap(({ name, points, tone }) =>
    points.length < 2 ? [] : [{ name, draw: 'line' as const, unit: 'usd' as const, tone, points: thinned(points) }],
  );
  if (series.length === 0) return undefined;
  const ends = drawn.flatMap(({ name, points }) => (points.length < 2 ? [] : [`${name} ${usd(points.at(-1)?.value)}`]));
  return {
    kind: 'xy',
    title: `All ownership coins: ${ends.join(', ')}`,
    series,
    ...(series.length === 2 ? { gap: true, gapNames: { up: 'above treasuries', down: 'below treasuries' } } : {}),
  };
}

const WINDOWS = ['1h', '24h', '7d'] as const;
type PriceWindow = (typeof WINDOWS)[number];

const CHANGES = {
  '1h': (row: ProjectRow) => row.change1h,
  '24h': (row: ProjectRow) => row.change24h,
  '7d': (row: ProjectRow) => row.change7d,
} satisfies Record<PriceWindow, (row: ProjectRow) => Decimal | undefined>;

/** A project and its price move in one window. */
interface Mover {
  readonly row: ProjectRow;
  readonly change: Decimal;
}

function movers(rows: readonly ProjectRow[], over: PriceWindow): { readonly up: readonly Mover[]; readonly down: readonly Mover[] } {
  const moved = rows
    .flatMap((row): Mover[] => {
      const change = CHANGES[over](row);
      return change === undefined || isZero(change) ? [] : [{ row, change }];
    })
    .toSorted((a, b) => compare(b.change, a.change));
  return { up: moved.filter(({ change }) => !isNegative(change)), down: moved.filter(({ change }) => isNegative(change)).toReversed() };
}

const nameOf = ({ symbol, name, slug }: ProjectRow): string => symbol ?? name ?? slug ?? 'unnamed';

const moverList = (all: readonly Mover[], { most, now }: { readonly most: number; readonly now: Instant }): BlockDraft => ({
  kind: 'list',
  items: all.slice(0, most).map(({ row, change }) => {
    const gap = gapOf({ price: row.price, navPerShare: row.navPerShare, premium: row.premium }).percent;
    return {
      tone: isNegative(change) ? ('down' as const) : ('up' as const),
      line: dotted(
        [{ strong: nameOf(row) }, ` ${percent(change)}${rowAge(row, now)}`],
        price(row.price),
        gap === undefined ? undefined : premium(gap),
      ),
    };
  }),
});

/** Counts the projects below NAV; undefined if no gap is known. */
function belowNav(
  rows: readonly ProjectRow[],
): { readonly below: number; readonly of: number; readonly unknown: readonly ProjectRow[] } | undefined {
  const gap = ({ price: now, navPerShare, premium: said }: ProjectRow): Decimal | undefined =>
    gapOf({ price: now, navPerShare, premium: said }).percent;
  const gaps = rows.flatMap((row) => gap(row) ?? []);
  if (gaps.length === 0) return undefined;
  return { below: gaps.filter(isNegative).length, of: gaps.length, unknown: rows.filter((row) => gap(row) === undefined) };
}

const VIEWS = ['totals', 'movers'] as const;
const OVER = { '1h': '1 h', '24h': '24 h', '7d': '7 d' } satisfies Record<PriceWindow, string>;
const MAX_BRIEF = 3;
const MAX_LISTED = 8;

export default defineCommand({
  name: 'overview',
  summary: 'The whole market: totals and top movers',
  args: z.object({
    view: z.enum(VIEWS).default('totals').describe('totals or movers'),
    period: z.enum(WINDOWS).default('24h').describe('period of the movers'),
  }),
  examples: ['/overview', '/overview movers', '/overview movers 7d'],
  phrases: {
    '/overview': `any news | news | what's new | anything new | anything new today | what is going on | what's happening | any updates | overview | market overview | how is the market | whole market | market today | how is the whole ownership coin market doing |
      total market cap | market snapshot | totals | how is everything doing today | state of the market | how much money is in all
      treasuries together | give me the big picture | market summary | how is the market doing today | how goes the market | market
      update | what is happening in the market | total value of all treasuries`,
    '/overview movers {period?}': `top movers | biggest movers | gainers today | biggest losers | winners and losers this week | what moved in the past hour |
      weekly movers | movers 7d | gainers this week | which coins fell in the last hour | what went up the most in the last 24 hours |
      biggest pumps today | biggest dumps last hour | what is pumping | what is dumping | who is up today | which one climbed the most
      this week | what moved today | top gainers | top losers 24h | what are the movers | movers | best performers this week`,
  },

  run: async ({ view, period }, context) => (view === 'totals' ? totals(context, period) : moved(context, period)),
});

async function totals({ analytics, signal, now }: Context, over: PriceWindow): Promise<Reply> {
  const [caps, treasuries, markets, list] = await Promise.all([
    optional(analytics.call(marketCapChart, {}, { signal })),
    optional(analytics.call(treasuryValueChart, {}, { signal })),
    optional(analytics.call(marketTotals, {}, { signal })),
    optional(projectRows(analytics, { activity: false, signal })),
  ]);
  needOne(caps, treasuries, markets, list);
  const [cap, treasury] = [known(caps.answer?.data.rows ?? []), known(treasuries.answer?.data.rows ?? [])];
  const rows = list.answer?.rows ?? [];
  const nav = belowNav(rows);
  const { up, down } = movers(rows, over);
  const chart = chartOf(cap, treasury);
  const activity = markets.answer?.data;
  return reply({
    finding: [
      {
        strong:
          cap.length === 0
            ? list.answer === undefined
              ? 'Ownership coins'
              : counted(rows.length, 'ownership coin')
            : `${list.answer === undefined ? 'Ownership coins' : counted(rows.length, 'ownership coin')} ${worth(cap.at(-1), isPast(caps.answer, now) ? now : undefined)}`,
      },
      nav === undefined ? '' : `, ${nav.below} of ${nav.of} below NAV`,
    ],
    blocks: [
      figuresOf([
        ['Market cap', caps.answer === undefined ? missingText(caps) : worthText(cap, isPast(caps.answer, now) ? now : undefined)],
        [
          'treasuries',
          treasuries.answer === undefined ? missingText(treasuries) : worthText(treasury, isPast(treasuries.answer, now) ? now : undefined),
        ],
      ]),
      figuresOf([
        [
          'Decision markets',
          activity === undefined ? missingText(markets) : `${count(activity.live)} live of ${count(activity.proposals)}`,
        ],
        activity && ['volume', usd(activity.volume)],
        activity && ['trades', count(activity.trades)],
        activity && ['traders', count(activity.traders)],
      ]),
      ...(up.length + down.length === 0 ? [] : [line({ strong: `Top movers (${OVER[over]})` })]),
      moverList(up, { most: MAX_BRIEF, now }),
      moverList(down, { most: MAX_BRIEF, now }),
      ...(list.answer === undefined
        ? [line(`Projects: ${missingText(list)}`)]
        : [...withoutNav(nav?.unknown ?? [], 'not counted'), ...brokenRows(list.answer.broken), ...hiddenRows(list.answer)]),
    ],
    chart,
    actions: [...tabs('totals', over), ...leads([...up, ...down])],
    ...ages(caps.answer, treasuries.answer, markets.answer, list.answer),
  });
}

async function moved({ analytics, signal, now }: Context, over: PriceWindow): Promise<Reply> {
  const list = await projectRows(analytics, { activity: false, signal });
  const { up, down } = movers(list.rows, over);
  const [most] = [...up, ...down].toSorted((a, b) => compare(absolute(b.change), absolute(a.change)));
  return reply({
    finding:
      most === undefined
        ? [{ strong: `No price changes in ${OVER[over]}` }]
        : [
            { strong: `${nameOf(most.row)} moved most: ${percent(most.change)}` },
            ` in ${OVER[over]} (${up.length} up, ${down.length} down)`,
          ],
    blocks: [
      moverList(up, { most: MAX_LISTED, now }),
      moverList(down, { most: MAX_LISTED, now }),
      ...brokenRows(list.broken),
      ...hiddenRows(list),
    ],
    actions: [
      ...tabs('movers', over),
      ...choiceActions(WINDOWS, over, (other) => commandLine('overview', 'movers', other)),
      ...leads([...up, ...down]),
    ],
    ...ages(list),
  });
}

const count = (value: number | undefined): string => (value === undefined ? 'n/a' : new Intl.NumberFormat('en').format(value));

const tabs = (view: (typeof VIEWS)[number], over: PriceWindow) =>
  choiceActions(VIEWS, view, (other) => commandLine('overview', other, over));

const leads = (all: readonly Mover[]) => [
  ...all
    .filter(({ row }) => row.slug !== undefined)
    .slice(0, 1)
    .map(({ row }) => ({ label: nameOf(row), line: commandLine('project', row.slug) })),
  { label: 'Screen', line: '/screen' },
  { label: 'Decision markets', line: '/markets' },
];
