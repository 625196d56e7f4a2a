/** /overview [view] [period]: totals of all coins, and the largest moves. */
import { z } from 'zod';
import { marketCapChart, marketTotals, treasuryValueChart } from '../../src/analytics/endpoints/dashboard.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import type { Context } from '../../src/dispatch/context.js';
import {
  commandLine,
  choiceActions,
  ages,
  isPast,
  missingText,
  needOne,
  optional,
  brokenRows,
  counted,
  line,
  projectRows,
  hiddenRows,
} from '../../src/reply/index.js';
import { belowNav, moverList, movers, nameOf, WINDOWS, type Mover, type PriceWindow } from './movers.js';
import { known, chartOf, worthText, worth } from './sums.js';
import { absolute, compare } from '../../src/domain/decimal.js';
import { percent, usd } from '../../src/domain/format.js';

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
      {
        kind: 'figures',
        items: [
          {
            label: 'Market cap',
            value: caps.answer === undefined ? missingText(caps) : worthText(cap, isPast(caps.answer, now) ? now : undefined),
          },
          {
            label: 'treasuries',
            value:
              treasuries.answer === undefined
                ? missingText(treasuries)
                : worthText(treasury, isPast(treasuries.answer, now) ? now : undefined),
          },
        ],
      },
      {
        kind: 'figures',
        items: [
          {
            label: 'Decision markets',
            value: activity === undefined ? missingText(markets) : `${count(activity.live)} live of ${count(activity.proposals)}`,
          },
          ...(activity === undefined
            ? []
            : [
                { label: 'volume', value: usd(activity.volume) },
                { label: 'trades', value: count(activity.trades) },
                { label: 'traders', value: count(activity.traders) },
              ]),
        ],
      },
      ...(up.length + down.length === 0 ? [] : [line({ strong: `Top movers (${OVER[over]})` })]),
      moverList(up, { most: MAX_BRIEF, now }),
      moverList(down, { most: MAX_BRIEF, now }),
      ...(list.answer === undefined
        ? [line(`Projects: ${missingText(list)}`)]
        : [...brokenRows(list.answer.broken), ...hiddenRows(list.answer)]),
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
