import { expect, test } from 'vitest';
import { DAY, later } from '../../../src/base/clock.js';
import { lineText } from '../../../src/chat/plain-text.js';
import type { Reply } from '../../../src/chat/reply.js';
import { CHAT, GUEST, openAppHarness, type AppHarness } from '../../support/app-harness.js';
import { handClock } from '../../support/clock.js';
import { fieldLines } from '../../support/fields.js';

const CHART = '/v1/dao/treasury/nav-as-chart';
const TIDE_KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

/** Premiums of the last days in percent, today's last. */
const chartOf = (premiums: readonly number[]) => {
  const now = handClock().now();
  return premiums.map((premium, index) => ({
    timestamp: new Date(later(now, -(premiums.length - 1 - index) * DAY)).toISOString(),
    navPerAdjustedShare: '1',
    tokenPrice: String(1 + premium / 100),
    adjustedSupply: '1000000',
    premiumDiscountPercent: premium,
  }));
};

/** Falls below −10% every 25 days for a year. */
const YEAR = Array.from({ length: 400 }, (_, index) => (index % 25 === 12 ? -12 : -5));

const SHORT = YEAR.slice(-100);

const openWith = async (
  premiums: readonly number[] = SHORT,
  more: Partial<Parameters<typeof openAppHarness>[0]> = {},
): Promise<AppHarness> => openAppHarness({ answers: { [CHART]: chartOf(premiums) }, ...more });

const linesOf = ({ actions }: Reply): readonly string[] => actions.map(({ line }) => line).filter((line) => !line.startsWith('/sources'));

/** What a backtest shows: the counts by period, and the moments that the chart marks. */
const shownIn = ({ blocks, chart }: Reply) => ({
  counts: blocks.flatMap((block) => (block.kind === 'figures' ? block.items.map(({ value }) => Number(value)) : [])),
  marks: chart?.kind === 'xy' ? chart.marks.map(({ value }) => Math.round((value + Number.EPSILON) * 10) / 10) : [],
  levels: chart?.kind === 'xy' ? chart.levels.map(({ value }) => value) : [],
});

test('a rule is tried before it is set: counts of three periods, marks and the threshold on the chart, and a button that sets it', async () => {
  const house = await openWith(YEAR);
  await house.say('/watch tide');
  const before = house.watchlists.read(CHAT);
  const { reply } = await house.say('/alerts tide premium below -10 backtest');
  const { counts, marks, levels } = shownIn(reply);
  expect(counts).toEqual([1, 4, 15]);
  expect(marks).toEqual(Array.from({ length: 15 }, () => -12));
  expect(levels).toEqual([-10]);
  expect(linesOf(reply)).toContain('/alerts tide premium below -10');
  expect(await house.deadButtons(reply)).toEqual([]);
  expect(house.watchlists.read(CHAT)).toEqual(before);
});

test('it can be asked in every way in which a rule is written, with either word', async () => {
  const house = await openWith();
  await house.say('/watch tide');
  for (const line of [
    '/alerts tide premium below -10 preview',
    '/alerts preview tide premium<-10',
    '/alerts Tidewater premium<-10 backtest',
    '/alerts target:tide kind:premium action:backtest rule:"below -10"',
    '/alerts premium below -10 backtest',
  ])
    expect([line, shownIn((await house.say(line)).reply).counts]).toEqual([line, [1, 4, 4]]);
});

test('everyone may try a rule, also on a project that is not watched here; nothing is watched or changed by it', async () => {
  const house = await openWith();
  const { reply } = await house.say('/alerts tide premium below -10 backtest', GUEST);
  expect(shownIn(reply).counts).toEqual([1, 4, 4]);
  expect(linesOf(reply)).toContain('/watch tide');
  expect(house.watchlists.read(CHAT).entries).toEqual([]);
});

test('the rules of an entry are tried together and one by one', async () => {
  const house = await openWith();
  await house.say('/watch tide');
  await house.say('/alerts tide premium only "premium<-10 premium move 4"');
  const { reply } = await house.say('/alerts tide premium backtest');
  expect(linesOf(reply)).toEqual([
    '/alerts tide premium below -10 backtest',
    '/alerts tide premium move 4 backtest',
    '/alerts tide premium',
  ]);
  expect(await house.deadButtons(reply)).toEqual([]);
});

test('rules of an entry that have no past values are named as not counted', async () => {
  const house = await openWith();
  await house.say('/watch tide');
  await house.say('/alerts tide premium only below -10');
  expect((await house.say('/alerts tide premium backtest')).text).not.toContain('Not counted');
  await house.say('/alerts tide premium below -5 and runway<6');
  const { text, reply } = await house.say('/alerts tide premium backtest');
  expect(text).toContain('Not counted: below −5% and runway below 6 months.');
  expect(linesOf(reply).filter((line) => line.includes('runway'))).toEqual([]);
  expect(shownIn(reply).counts).toEqual([1, 4, 4]);
});

test('a suggested threshold can be set and tried with a press, and what it says is what it then finds', async () => {
  const house = await openWith(Array.from({ length: 400 }, (_, index) => (index % 7 === 3 ? -(5 + (index % 28)) : 0)));
  await house.say('/watch tide');
  const { reply } = await house.say('/alerts tide premium below -40 backtest');
  const tried = linesOf(reply).filter((line) => line.endsWith(' backtest'));
  expect(tried).toHaveLength(2);
  const [monthly = 0, weekly = 0] = await Promise.all(tried.map(async (line) => shownIn((await house.say(line)).reply).counts[2] ?? 0));
  expect([monthly >= 9 && monthly <= 15, weekly >= 37 && weekly <= 67]).toEqual([true, true]);
  for (const line of tried) expect(linesOf(reply)).toContain(line.replace(/ backtest$/u, ''));
});

test('a page of rules offers the backtest of its project kind, and not where there is no history or no project', async () => {
  const house = await openWith();
  await house.say('/watch tide');
  await house.say('/watch all');
  expect(linesOf((await house.say('/alerts tide premium')).reply)).toContain('/alerts tide premium backtest');
  const menus = fieldLines((await house.say('/alerts tide premium')).reply).filter((line) => line.endsWith(' backtest'));
  expect(menus).toEqual(['above 0', 'below 0', 'extreme 365'].map((rule) => `/alerts tide premium ${rule} backtest`));
  expect(linesOf((await house.say('/alerts tide premium below -10')).reply)).toContain('/alerts tide premium below -10 backtest');
  expect(linesOf((await house.say('/alerts tide vesting')).reply).filter((line) => line.endsWith('backtest'))).toEqual([]);
  expect(linesOf((await house.say('/alerts all premium')).reply).filter((line) => line.endsWith('backtest'))).toEqual([]);
});

test('what has no history says so in a sentence; several projects and no kind are asked about', async () => {
  const house = await openWith();
  await house.say('/watch tide');
  for (const line of ['/alerts tide launches backtest', '/alerts tide treasury runway<6 backtest', '/alerts tide vesting backtest']) {
    const { reply } = await house.say(line);
    expect([line, reply.tone, reply.blocks.length, reply.chart]).toEqual([line, 'plain', 1, undefined]);
  }
  const nothing = await openWith();
  expect((await nothing.say('/alerts launches stages:live backtest')).reply.blocks).toHaveLength(1);
  expect((await nothing.say('/alerts premium backtest')).reply.tone).toBe('warning');
  await house.say(`/watch ${TIDE_KEY} fund-1`);
  expect((await house.say('/alerts fund-1 wallet rank move 3 backtest')).reply.blocks).toHaveLength(1);
  await house.say('/watch all');
  expect(linesOf((await house.say('/alerts all premium<-10 backtest')).reply)).toEqual(['/alerts tide premium backtest']);
  const kind = await house.say('/alerts tide backtest');
  expect(linesOf(kind.reply)).toContain('/alerts tide premium backtest');
  expect(await house.deadButtons(kind.reply)).toEqual([]);
});

test('a wrong rule, an unknown project and words that are no rule are refused as elsewhere', async () => {
  const house = await openWith();
  await house.say('/watch tide');
  for (const line of [
    '/alerts tide premium below x backtest',
    '/alerts nowhere premium below -10 backtest',
    '/alerts tide supply premium<-10 backtest',
    '/alerts tide premium everything backtest',
  ])
    expect([line, (await house.say(line)).reply.tone]).toEqual([line, 'warning']);
});

test('without past values the reply says so, and with a service that fails it is an error', async () => {
  const empty = await openWith([]);
  const { reply } = await empty.say('/alerts tide premium below -10 backtest');
  expect([shownIn(reply).marks, reply.chart]).toEqual([[], undefined]);
  const failing = await openAppHarness({ answers: {} });
  expect((await failing.say('/alerts tide premium below -10 backtest')).reply.tone).toBe('warning');
});

test('it counts as a question: an allowance that is used up gives no new request', async () => {
  const house = await openWith(SHORT, { access: { open: true, listed: [], operators: [] }, limits: { person: 1, chat: 1 } });
  const ask = async (line: string) => (await house.ask({ ask: { line }, circles: ['discord/guild/1'] })).reply;
  expect((await ask('/alerts tide premium below -10 backtest')).chart?.kind).toBe('xy');
  const reply = await ask('/alerts heron price move 10% backtest');
  expect([reply.tone, reply.chart]).toEqual(['warning', undefined]);
});

test('a long ledger is announced with its cost before it is read from a monthly budget', async () => {
  const house = await openWith(SHORT, { requestsPerMonth: 500 });
  const { reply } = await house.say('/alerts tide supply usd>10000 backtest');
  expect(linesOf(reply)).toEqual(['/alerts tide supply "at least $10K" confirm backtest']);
  expect(await house.deadButtons(reply)).toEqual([]);
});

/** Proposals as the newer rows are, without a start: live for three days each, one every thirty days. */
const proposalsOf = (count: number) => {
  const now = handClock().now();
  const date = (daysAgo: number): string => new Date(later(now, -daysAgo * DAY)).toISOString();
  return Array.from({ length: count }, (_, index) => ({
    row: {
      ...{ id: index + 1, publicKey: `key-${index}`, title: `Proposal ${index}`, organizationSlug: 'tide' },
      ...{ creationDate: date(15 + 30 * index), endDate: date(11 + 30 * index), status: 'resolved', result: 'approved', totalTrade: 4 },
    },
    market: { publicKey: `key-${index}`, projectSlug: 'tide', startDate: date(14 + 30 * index), endDate: date(11 + 30 * index) },
  }));
};
const proposalHarness = async (markets: (index: number) => boolean, more: Partial<Parameters<typeof openAppHarness>[0]> = {}) => {
  const all = proposalsOf(14);
  return openAppHarness({
    answers: {
      '/v1/proposal': { data: all.map(({ row }) => row), meta: { totalItems: 14 } },
      '/v1/global-dashboard/decision-markets': all.flatMap(({ market }, index) => (markets(index) ? [market] : [])),
      '/v1/global-dashboard/projects/decision-markets': [],
    },
    ...more,
  });
};
const countsIn = ({ blocks }: Reply) => blocks.flatMap((block) => (block.kind === 'figures' ? block.items.map(({ value }) => value) : []));

test('proposals whose rows have no start go live when the list of decision markets says so', async () => {
  const house = await proposalHarness(() => true);
  const counts = async (rule: string) => countsIn((await house.say(`/alerts tide proposals ${rule} backtest`)).reply);
  expect(await counts('stages:live')).toEqual(['1', '3', '12']);
  expect(await counts('stages:ending')).toEqual(['1', '3', '12']);
  expect(await counts('stages:live,ending,resolved')).toEqual(['3', '9', '36']);
  expect(await counts('stages:twap')).toEqual(['n/a', 'n/a', 'n/a']);
});

test('a start that no list has is neither zero nor a draft: the count is a lower bound that says how many are missing', async () => {
  const house = await proposalHarness((index) => index > 0);
  const { reply, text } = await house.say('/alerts tide proposals stages:live backtest');
  expect(countsIn(reply)).toEqual(['n/a', 'at least 2', 'at least 11']);
  expect(text).toContain('1 of 14 proposals has no known start');
  const none = await proposalHarness(() => false);
  expect(countsIn((await none.say('/alerts tide proposals stages:live backtest')).reply)).toEqual(['n/a', 'n/a', 'n/a']);
  expect(countsIn((await none.say('/alerts tide proposals stages:passed backtest')).reply)).toEqual(['1', '3', '12']);
});

test('any project can be named in any place, and in every form in which a rule is set, without being watched', async () => {
  const house = await openAppHarness();
  await house.directory.all();
  const findingOf = async (line: string) => {
    const { reply, text } = await house.say(line, GUEST);
    expect([line, reply.tone === 'warning' ? text : 'answered']).toEqual([line, 'answered']);
    return [lineText(reply.finding, house.clock.now()), ...text.split('\n').slice(1, 3)].join('\n');
  };
  const same: readonly (readonly [string, readonly string[]])[] = [
    [
      '/alerts tide supply usd>1000 backtest',
      [
        ...['tide', 'TIDE', 'Tidewater'].map((name) => `/alerts ${name} supply only usd>1000 backtest`),
        '/alerts only usd>1000 tide supply backtest',
        '/alerts supply usd>1000 Tidewater preview',
        '/alerts target:tide kind:supply action:backtest rule:"only usd>1000"',
      ],
    ],
    [
      '/alerts "Alder Works" premium below -10 backtest',
      ['/alerts premium below -10 Alder Works backtest', '/alerts ALDR premium only below -10 backtest'],
    ],
    ['/alerts tide proposals stages:resolved backtest', ['/alerts tide proposals only stages:resolved backtest']],
    ['/alerts tide movements usd>10000 backtest', ['/alerts movements only usd>10000 TIDE backtest']],
    ['/alerts tide growth metrics:fees backtest', ['/alerts tide growth only metrics:fees backtest']],
    ['/alerts tide supply backtest', ['important', 'usual', 'on', 'silent'].map((word) => `/alerts tide supply ${word} backtest`)],
    ['/alerts tide supply everything backtest', ['/alerts tide supply remove usd percent backtest']],
  ];
  for (const [line, others] of same) {
    const expected = await findingOf(line);
    for (const other of others) expect([other, await findingOf(other)]).toEqual([other, expected]);
  }
  // Without a history the answer says so, for any kind and form.
  for (const line of ['/alerts tide treasury only runway<6 backtest', '/alerts tide vesting only stages:unlock backtest'])
    expect([line, await findingOf(line)]).toEqual([line, expect.stringContaining('No backtest')]);
  expect(house.watchlists.read(CHAT).entries).toEqual([]);
});
