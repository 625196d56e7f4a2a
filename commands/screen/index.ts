/** /screen [expression]: projects that match, such as `premium<-20`. */
import { z } from 'zod';
import { several } from '../../src/base/sentence-lists.js';
import { brief } from '../../src/base/one-line.js';
import type { ProjectRow } from '../../src/analytics/endpoints/dashboard.js';
import { targetName, type Target } from '../../src/alerts/watchlist/entry.js';
import { entryFor } from '../../src/alerts/watchlist/watchlists.js';
import type { Context } from '../../src/dispatch/context.js';
import { screenFilterSchema } from '../../src/domain/screen.js';
import { reply, type ActionDraft, type BlockDraft } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  ages,
  brokenRows,
  commandLine,
  counted,
  hiddenRows,
  line,
  onPage,
  pageActions,
  pageText,
  projectRows,
  right,
  rowAge,
  tableOf,
  textOption,
  withoutNav,
  fieldOf,
  type FieldName,
} from '../../src/reply/index.js';
import { EXAMPLE, fieldsLine, read, wordsOf, type Comparison, type FieldTest, type Screen } from './expression.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';
import { compare } from '../../src/domain/decimal.js';
import { never } from '../../src/base/never.js';

const USUAL: readonly FieldName[] = ['premium', 'runway', 'cap', 'treasury'];
const MAX_COLUMNS = 5;
const OFFERS = ['premium<-20 sort:premium', 'runway<6 sort:runway', 'discount>10 live>0', 'cap<3m sort:cap', 'change24h>0 sort:change24h'];
const USUAL_SORT = { field: 'premium', first: 'lowest' } as const;
const SORTS: readonly FieldName[] = ['premium', 'runway', 'cap', 'change24h'];

export default defineCommand({
  name: 'screen',
  summary: 'Filter and sort projects by premium, runway and more',
  args: z.object({
    filter: textOption('filters and sort, like premium<-20 runway>12 sort:premium').meta({ rest: true, offers: OFFERS }),
  }),
  examples: ['/screen', EXAMPLE, '/screen cap<3m change24h>0 sort:cap', '/screen discount>10 live>0'],
  phrases: {
    '/screen {filter}': `top discounts | biggest discounts | cheapest projects | which projects are the cheapest | cheapest vs nav | deepest discounts |
      anything trading more than 20% under nav | projects with runway under 6 months | runway under 6 months | below nav with over a
      year of runway | market cap under 2m | small caps under 3 million | coins with a live proposal and a 15% discount | anything
      over nav | who trades above nav | which projects trade at a premium | down 10 or worse in 24h | shortest runway | longest runway
      | who runs out of money first | who dies first | discount between 5 and 20 | cap under 3m and discount over 10 | green today and
      small | sort by market cap | list all projects by market cap | biggest treasuries | largest treasury of all | most overpriced |
      most overvalued coin | highest premium | which coins cost more than the stuff behind them | is there any project that runs out
      of money in less than half a year | more than 20% below their value and still a year of cash | 20% off or more | what is on sale
      | biggest market cap | smallest coins | which project has the most money | lowest market cap | projects by runway | who has the
      longest runway | all coins under nav | give a list of all what is under nav | cheap and long runway | any with live props and a
      discount | most undervalued | undervalued projects | which is the cheapest right now | richest projects | rank by discount |
      projects up in the last 24h | projects without live proposals | which coins have no open vote | projects with no live vote | tokens without a proposal | which coins are green | anything worth buying below nav | which project has the most big discount
      | highest volume on decision markets | most live proposals | discount over 30 and runway over 18 months | best value | what is
      cheap | who trades furthest below book`,
    '/screen': `all projects | list all projects | list of all the coins | which coins do you know | what projects are there | show every
      project | screen | screener | full list of projects | what coins can I ask about | compare all projects`,
  },

  async run({ filter }, context) {
    const { analytics, signal, now } = context;
    const screen = read(filter ?? '');
    const sort = screen.sort ?? USUAL_SORT;
    const requested = [...new Set([...screen.tests.map(({ field }) => field), ...(screen.sort === undefined ? [] : [sort.field])])];
    const found = await projectRows(analytics, { activity: requested.some((name) => fieldOf(name).activity === true), signal });
    const { rows, unknown } = choose(found.rows, { ...screen, sort });
    const { page } = screen;
    const shown = onPage(rows, page);
    const paging = { page, rows: shown.length, total: rows.length };
    const where = pageText(paging);
    const to = (part: Partial<Screen>) => commandLine('screen', ...wordsOf({ ...screen, ...part }));
    const all = screen.tests.length === 0;
    return reply({
      finding: [
        {
          strong: all
            ? counted(rows.length, 'project')
            : `${rows.length} of ${counted(found.rows.length, 'project')} ${rows.length === 1 ? 'matches' : 'match'}`,
        },
        all ? '' : `: ${several(screen.tests.map(({ text }) => brief(text)))}`,
        shown.length === 0 && rows.length > 0 ? `, page ${page} is empty` : where === undefined ? '' : `, ${where}`,
        ...leadText(rows, screen),
      ],
      blocks: [
        table(shown, { now, names: [...new Set([...requested, ...USUAL])].slice(0, Math.max(MAX_COLUMNS, requested.length)) }),
        ...leftOut(unknown, screen),
        ...(all ? [line('Example: ', { code: EXAMPLE }), line(...fieldsLine)] : []),
        ...brokenRows(found.broken),
        ...hiddenRows(found),
      ],
      actions: [
        ...SORTS.map((name) => ({
          label: fieldOf(name).title,
          line: to({ sort: { field: name, first: fieldOf(name).first }, page: 1 }),
          on: sort.field === name,
        })),
        {
          label: 'Reverse order',
          line: to({ sort: { field: sort.field, first: sort.first === 'lowest' ? 'highest' : 'lowest' }, page: 1 }),
        },
        ...alertActions(screen, context),
        ...pageActions({ ...paging, to: (other) => to({ page: other }) }),
        ...(shown[0]?.slug === undefined ? [] : [{ label: shown[0].name ?? shown[0].slug, line: commandLine('project', shown[0].slug) }]),
      ],
      ...ages(found),
    });
  },
});

/** Names the first project of an order that was asked for, such as "; highest runway: TIDE, 54.9 mo". */
function leadText([first]: readonly ProjectRow[], { sort, page }: Screen): readonly string[] {
  if (sort === undefined || first === undefined || page > 1) return [];
  const { of, title, show } = fieldOf(sort.field);
  const value = of(first);
  return value === undefined
    ? []
    : [`; ${sort.first} ${/^[A-Z]{2}/u.test(title) ? title : title.toLowerCase()}: ${nameIn(first)}, ${show(value)}`];
}

const nameIn = ({ symbol, name, slug }: ProjectRow): string => symbol ?? name ?? slug ?? 'unnamed';

/** Makes the button that sets an alert for what enters or leaves this screen, if checks measure all of its fields. */
function alertActions({ tests }: Screen, { watchlists, chat }: Context): readonly ActionDraft[] {
  const filter = screenFilterSchema.safeParse(tests.map(({ field, by, value }) => `${field}${by}${value}`).join(' '));
  if (!filter.success) return [];
  const target: Target = { kind: 'screen', filter: filter.data };
  return entryFor(watchlists.read(chat), target) === undefined
    ? [{ label: 'Alert when something enters or leaves', line: commandLine('watch', targetName(target)) }]
    : [{ label: 'Stop alerts of this screen', line: commandLine('unwatch', targetName(target)) }];
}

const table = (rows: readonly ProjectRow[], { names, now }: { readonly names: readonly FieldName[]; readonly now: Instant }): BlockDraft =>
  tableOf(
    ['Project', ...names.map((name) => right(fieldOf(name).title))],
    rows.map((row) => [
      `${nameIn(row)}${rowAge(row, now)}`,
      ...names.map((name) => {
        const { of, show } = fieldOf(name);
        return show(of(row));
      }),
    ]),
  );

const OF_NAV: readonly FieldName[] = ['premium', 'discount', 'nav'];

function leftOut(unknown: readonly ProjectRow[], { tests }: Pick<Screen, 'tests'>): readonly BlockDraft[] {
  const ofNav = tests.flatMap(({ field }) => (OF_NAV.includes(field) ? [fieldOf(field)] : []));
  const navless = unknown.filter((row) => row.slug !== undefined && ofNav.some(({ of }) => of(row) === undefined));
  const others = unknown.length - navless.length;
  return [
    ...withoutNav(navless, 'left out'),
    ...(others > 0 ? [line(`${counted(others, navless.length > 0 ? 'other project' : 'project')} left out for missing data.`)] : []),
  ];
}

interface Chosen {
  readonly rows: readonly ProjectRow[];
  /** The rows that are left out only because a tested figure is unknown. */
  readonly unknown: readonly ProjectRow[];
}

/** Filters and sorts projects by an expression. An unknown figure satisfies no test, not even "!=". */
function choose(rows: readonly ProjectRow[], { tests, sort }: Pick<Screen, 'tests' | 'sort'>): Chosen {
  const results = rows.map((row) => ({ row, outcomes: tests.map((test) => holds(row, test)) }));
  const chosen = results.filter(({ outcomes }) => outcomes.every((one) => one === true)).map(({ row }) => row);
  const unknown = results.filter(({ outcomes }) => outcomes.includes(undefined) && !outcomes.includes(false)).map(({ row }) => row);
  return { rows: sort === undefined ? chosen : inOrder(chosen, sort), unknown };
}

function holds(row: ProjectRow, { field, by, value }: FieldTest): boolean | undefined {
  const own = fieldOf(field).of(row);
  return own === undefined ? undefined : compares(own, by, value);
}

function compares(a: Decimal, by: Comparison, b: Decimal): boolean {
  const sign = compare(a, b);
  switch (by) {
    case '<':
      return sign < 0;
    case '<=':
      return sign <= 0;
    case '>':
      return sign > 0;
    case '>=':
      return sign >= 0;
    case '=':
      return sign === 0;
    case '!=':
      return sign !== 0;
    default:
      return never(by);
  }
}

/** Sorts rows. Unknown values come last in either order. */
function inOrder(rows: readonly ProjectRow[], { field, first }: NonNullable<Screen['sort']>): readonly ProjectRow[] {
  const { of } = fieldOf(field);
  return rows.toSorted((one, other) => {
    const [a, b] = [of(one), of(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return first === 'lowest' ? compare(a, b) : compare(b, a);
  });
}
