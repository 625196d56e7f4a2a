/** /launches [project] [view] [page]: live, completed and ended launches. */
import { z } from 'zod';
import {
  completedLaunches,
  graveyardLaunches,
  recentLaunches,
  type CompletedLaunch,
  type EndedLaunch,
  type RecentLaunch,
} from '../src/analytics/endpoints/launches.js';
import { reply, type BlockDraft, type Line, type Tone } from '../src/chat/reply.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  counted,
  countedRows,
  dotted,
  line,
  listPage,
  missingText,
  needOne,
  onPage,
  optional,
  optionalProject,
  oversubscription,
  pageActions,
  pageOfAll,
  pageOption,
  pageText,
  servicePage,
  type ReadPage,
} from '../src/reply/index.js';
import { followActions } from '../src/dispatch/watchlists/markets.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { capitalised } from '../src/base/sentence-lists.js';
import { dayOf } from '../src/domain/day.js';
import type { Project } from '../src/domain/project.js';
import { decimal, type Decimal, type Instant } from '../src/domain/scalars.js';
import { later } from '../src/base/clock.js';
import { divide, multiply } from '../src/domain/decimal.js';
import { portionOf, price, times, usd } from '../src/domain/format.js';

/** A launch in a list; its amounts are in USD. */
type LaunchItem = Extract<BlockDraft, { kind: 'list' }>['items'][number];

const isLive = (state: string | undefined): boolean => state?.toLowerCase() === 'live';

/** Returns the end according to the service. An extension moves it. */
const endsAt = ({ startedAt, runsFor }: Pick<RecentLaunch, 'startedAt' | 'runsFor'>): Instant | undefined =>
  startedAt === undefined || runsFor === undefined ? undefined : later(startedAt, runsFor);

const nameOf = ({ title, symbol, address }: Pick<RecentLaunch, 'title' | 'symbol' | 'address'>): Line => [
  { strong: `${title ?? symbol ?? address}${symbol === undefined || title === undefined ? '' : ` (${symbol})`}` },
];

const ratio = (part: Decimal | undefined, whole: Decimal | undefined): Decimal | undefined =>
  part === undefined || whole === undefined ? undefined : divide(part, whole);

/** Returns "128% of minimum". */
function fill({ committed, minimum }: Pick<RecentLaunch, 'committed' | 'minimum'>): string {
  const found = ratio(committed, minimum);
  return found === undefined ? `${usd(committed)} committed` : portionOf(multiply(found, decimal('100')), 'minimum');
}

function accepted({ accepted: taken, committed }: Pick<RecentLaunch, 'accepted' | 'committed'>): string | undefined {
  if (taken === undefined) return committed === undefined ? undefined : `${usd(committed)} committed`;
  const over = oversubscription({ committed, accepted: taken });
  const oversubscribed = over === undefined ? '' : `, ${times(over)} oversubscribed`;
  return `raised ${usd(taken)} of ${usd(committed)} committed${oversubscribed}`;
}

function recentItem(row: RecentLaunch, now: Instant): LaunchItem {
  const live = isLive(row.state);
  const ends = endsAt(row);
  const end: Line | undefined = ends === undefined ? undefined : [ends > now ? 'ends ' : 'was due to end ', { at: ends }];
  const raise = live
    ? dotted(fill(row), end, row.minimum === undefined ? undefined : `${usd(row.committed)} of ${usd(row.minimum)} minimum`)
    : [accepted(row) ?? `minimum ${usd(row.minimum)}`];
  const who = row.permissionless === undefined ? undefined : row.permissionless ? 'open to everyone' : 'allowlist only';
  const since = row.icoReturn === undefined ? undefined : `${times(row.icoReturn)} since ICO`;
  const tone: Tone = live ? 'live' : row.state?.toLowerCase() === 'initialized' ? 'plain' : 'over';
  return {
    tone,
    line: [...nameOf(row), ': ', ...raise],
    detail: dotted(
      live ? undefined : stateOf(row.state),
      live ? who : undefined,
      row.price === undefined ? undefined : `price ${price(row.price)}`,
      since,
    ),
  };
}

const stateOf = (state: string | undefined): string => state?.toLowerCase() ?? 'state n/a';

const completedItem = (row: CompletedLaunch): LaunchItem => ({
  tone: 'over',
  line: [...nameOf(row), `: ${accepted(row) ?? 'raised n/a'}`],
  detail: dotted(
    stateOf(row.state),
    row.price === undefined ? undefined : `price ${price(row.price)}`,
    row.holders === undefined ? undefined : counted(row.holders, 'holder'),
  ),
});

function endedItem(row: EndedLaunch): LaunchItem {
  const raised = row.raised ?? row.accepted;
  const goal = row.target === undefined ? '' : ` of ${usd(row.target)} target`;
  return {
    tone: 'over',
    line: [...nameOf(row), `: ${row.reason ?? 'ended'}`, ...(row.endedAt === undefined ? [] : [' ', { at: row.endedAt }])],
    detail: dotted(
      `raised ${usd(raised)}${goal}`,
      row.icoPrice === undefined ? undefined : `ICO price ${price(row.icoPrice)}`,
      row.investors === undefined ? undefined : counted(row.investors, 'investor'),
    ),
  };
}

const VIEWS = ['recent', 'completed', 'graveyard'] as const;
type LaunchListName = (typeof VIEWS)[number];

export default defineCommand({
  name: 'launches',
  summary: 'Token launches: live, completed and ended',
  args: z.object({
    project: optionalProject('project (default: all launches)'),
    view: z.enum(VIEWS).optional().describe('list to show (default: recent)'),
    page: pageOption,
  }),
  examples: ['/launches', '/launches completed', '/launches graveyard 2', '/launches heron', '/launches heron completed'],
  phrases: {
    '/launches {page?}': `launches new | new | launches | new launches | live launches | any raises live | what is raising right now | new raises | upcoming launches | which
      tokens are launching | recent launches | what launched lately | any new coins coming out | current raises | open raises | where
      can I join a raise | is a raise open today | upcoming icos | token launches | what is launching | ongoing icos | any upcoming
      token sale | which new tokens are coming | raises ending soon`,
    '/launches completed {page?}': `completed launches | which raises filled | successful raises | finished icos | launches that completed | raises that are already
      done | which token sales worked out and got all the money | past raises | closed raises | funded launches | launches which are
      finished`,
    '/launches graveyard {page?}': `failed launches | launch graveyard | which launches failed | dead launches | raises that failed | refunded raises | unsuccessful
      icos | which crowdfundings failed | rugged icos | ended raises that did not make it | launches that died`,
    '/launches {project}': `launch of {project} | {project} launch | when did {project} launch | how is the {project} launch going | is the raise of
      {project} still open | how far is the {project} raise | when does the {project} launch end | how much has {project} raised so
      far | status of the raise of {project}`,
  },

  async run({ project: text, view: requested, page }, context) {
    if (text !== undefined)
      return ofProject({ project: await context.directory.find(text, context.signal), view: requested, page }, context);
    const view = requested ?? 'recent';
    const { read, items, finding } = await onePage(view, page, context);
    return reply(
      listPage(read, {
        found: (where) => [...finding, ...(where === '' ? [] : [where])],
        none: NONE[view],
        namesLast: false,
        blocks: [{ kind: 'list', items }],
        to: (other) => commandLine('launches', view, String(other)),
        actions: (pages) => [
          ...choiceActions(VIEWS, view, (other) => commandLine('launches', other)),
          ...pages,
          { label: 'Watch launches', line: '/watch launches' },
        ],
      }),
    );
  },
});

const NONE = {
  recent: 'No recent launches',
  completed: 'No completed launches yet',
  graveyard: 'No ended projects',
} as const satisfies Record<LaunchListName, string>;

interface LaunchPage {
  readonly read: ReadPage<unknown>;
  readonly items: readonly LaunchItem[];
  readonly finding: Line;
}

async function onePage(view: LaunchListName, page: number, { analytics, signal, now }: Context): Promise<LaunchPage> {
  const input = { limit: PAGE_SIZE, page };
  switch (view) {
    case 'recent': {
      // The service lists the newest first, so a live launch may be on any page of its list.
      const walk = await analytics.walk(recentLaunches, {}, byAddress, { signal });
      // Only an answer of one page says how many launches there are where none can be read.
      if (walk.rows.length === 0)
        return { read: servicePage(await analytics.call(recentLaunches, input, { signal }), page), items: [], finding: [] };
      const read = pageOfAll(sorted(walk.rows), { page, broken: walk.broken, answer: walk });
      const isCut = !walk.complete && walk.broken === 0;
      return {
        read: { ...read, notes: isCut ? [line('⚠ Incomplete: there may be more launches.')] : [] },
        items: read.rows.map((row) => recentItem(row, now)),
        finding: liveNow(walk.rows, now),
      };
    }
    case 'completed': {
      const read = servicePage(await analytics.call(completedLaunches, input, { signal }), page);
      return {
        read,
        items: read.rows.map(completedItem),
        finding: [{ strong: countedRows(read, 'completed launch', 'completed launches') }],
      };
    }
    case 'graveyard': {
      const read = servicePage(await analytics.call(graveyardLaunches, input, { signal }), page);
      return { read, items: read.rows.map(endedItem), finding: [{ strong: countedRows(read, 'ended project') }] };
    }
  }
}

const sorted = (rows: readonly RecentLaunch[]): readonly RecentLaunch[] =>
  rows.toSorted(
    (a, b) =>
      Number(isLive(b.state)) - Number(isLive(a.state)) || (isLive(a.state) ? (endsAt(a) ?? Infinity) - (endsAt(b) ?? Infinity) : 0),
  );

function liveNow(rows: readonly RecentLaunch[], now: Instant): Line {
  const live = rows.filter((row) => isLive(row.state));
  const today = live.filter((row) => {
    const end = endsAt(row);
    return end !== undefined && end > now && dayOf(end) === dayOf(now);
  }).length;
  if (live.length === 0) return [{ strong: 'No live launches' }];
  return [
    { strong: counted(live.length, 'live launch', 'live launches') },
    today === 0 ? '' : `, ${today} ${today === 1 ? 'ends' : 'end'} today`,
  ];
}

const LISTED = {
  recent: 'recent launch',
  completed: 'completed launch',
  graveyard: 'ended launch',
} as const satisfies Record<LaunchListName, string>;

interface LaunchQuery {
  readonly project: Project;
  readonly view: LaunchListName | undefined;
  readonly page: number;
}

const byAddress = ({ address }: { readonly address: string }): string => address;

interface LaunchRows {
  readonly recent: readonly RecentLaunch[];
  readonly completed: readonly CompletedLaunch[];
  readonly graveyard: readonly EndedLaunch[];
}

function itemsOf({ recent, completed, graveyard }: LaunchRows, { project, view }: LaunchQuery, now: Instant): readonly LaunchItem[] {
  const own = recent.filter((row) => row.slug === project.slug || (row.mint !== undefined && row.mint === project.mint));
  const ended = graveyard.filter((row) => row.slug === project.slug);
  const addresses = new Set([...own, ...ended].map(byAddress));
  const mints = new Set([project.mint, ...own.map(({ mint }) => mint)].filter((mint) => mint !== undefined));
  const done = completed.filter((row) => addresses.has(row.address) || mints.has(row.mint ?? ''));
  const shown = new Set([...ended, ...done].map(byAddress));
  switch (view) {
    case 'recent':
      return sorted(own).map((row) => recentItem(row, now));
    case 'completed':
      return done.map(completedItem);
    case 'graveyard':
      return ended.map(endedItem);
    case undefined:
      return [
        ...sorted(own.filter((row) => !shown.has(row.address))).map((row) => recentItem(row, now)),
        ...done.filter((row) => !ended.some(({ address }) => address === row.address)).map(completedItem),
        ...ended.map(endedItem),
      ];
  }
}

async function ofProject({ project, view, page }: LaunchQuery, { analytics, signal, now, watchlists, chat }: Context) {
  const [recent, completed, graveyard] = await Promise.all([
    optional(analytics.walk(recentLaunches, {}, byAddress, { signal })),
    optional(analytics.walk(completedLaunches, {}, byAddress, { signal })),
    optional(analytics.walk(graveyardLaunches, {}, byAddress, { signal })),
  ]);
  needOne(recent, completed, graveyard);
  const rows = { recent: recent.answer?.rows ?? [], completed: completed.answer?.rows ?? [], graveyard: graveyard.answer?.rows ?? [] };
  const all = itemsOf(rows, { project, view, page }, now);
  const items = onPage(all, page);
  const paging = { page, rows: items.length, total: all.length };
  const where = pageText(paging);
  const listed = view === undefined ? 'launch' : LISTED[view];
  const gaps = [
    ['recent', recent],
    ['completed', completed],
    ['graveyard', graveyard],
  ] as const;
  return reply({
    finding: [
      {
        strong:
          all.length === 0
            ? `${project.name}: no ${listed}es`
            : items.length === 0
              ? `${project.name}: page ${page} is empty`
              : `${project.name}: ${counted(all.length, listed, `${listed}es`)}`,
      },
      where === undefined || items.length === 0 ? '' : `, ${where}`,
    ],
    blocks: [
      { kind: 'list', items },
      ...gaps.flatMap(([list, one]) => (one.missing === undefined ? [] : [line(`⚠ ${capitalised(list)} launches: ${missingText(one)}`)])),
      ...brokenRows(gaps.reduce((total, [, { answer }]) => total + (answer?.broken ?? 0), 0)),
    ],
    actions: [
      ...pageActions({
        ...paging,
        to: (other) => commandLine('launches', project.slug, view, String(other)),
      }),
      ...(recent.answer?.rows ?? [])
        .filter((row) => row.slug === project.slug && isLive(row.state))
        .slice(0, 1)
        .flatMap(({ address }) => followActions({ launch: address }, watchlists.read(chat))),
      { label: 'All launches', line: '/launches' },
      { label: 'Watch', line: commandLine('watch', project.slug) },
    ],
    ...ages(recent.answer, completed.answer, graveyard.answer),
  });
}
