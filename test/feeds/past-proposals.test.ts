import { describe, expect, test } from 'vitest';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { DAY, HOUR, later, type Instant } from '../../src/base/clock.js';
import { momentOf } from '../../src/domain/event.js';
import { defineFeed } from '../../src/feeds/feed.js';
import { pastProposals } from '../../src/feeds/past-proposals.js';
import { proposals } from '../../src/feeds/proposals.js';
import { readPastProposals } from '../../src/feeds/proposal-rows.js';
import { decimal, slug } from '../../src/domain/scalars.js';
import { project } from '../jobs/fake-service.js';
import { handClock } from '../support/clock.js';
import { answerPage, connect, reply, serve, type Asked } from '../support/service.js';
import { NOON } from './reading.js';

const hour = (hours: number): Instant => later(NOON, hours * HOUR);
/** Created, begins two hours later, TWAP in the 10th, ends in the 22nd: "ending" is a quarter of its twenty hours. */
const row = (extra: Partial<ProposalRow> = {}): ProposalRow => ({
  ...{ ...EMPTY_PROPOSAL, publicKey: '9xQ', createdAt: NOON, startsAt: hour(2), twapStartsAt: hour(10), endsAt: hour(22) },
  ...{ status: 'resolved', result: 'passed', ...extra },
});
const past = (rows: readonly ProposalRow[], from = NOON, now = later(NOON, 10 * DAY)) => {
  const { snapshots, since } = pastProposals(rows, { from, now });
  return { since, seen: snapshots.map(({ at, data }) => [(at - NOON) / HOUR, data.map(({ status, result }) => result ?? status).join()]) };
};

test('a proposal is read at each moment at which it reached a stage, without what was not known then', () => {
  const seen = [
    [0, 'draft'],
    [2, 'live'],
    [10, 'live'],
    [17, 'live'],
    [22, 'passed'],
  ];
  expect(past([row()])).toEqual({ since: NOON, seen });
  expect(past([row({ result: 'failed' })]).seen.at(-1)).toEqual([22, 'failed']);
  const [, live] = pastProposals([row({ margin: row().margin })], { from: NOON, now: hour(30) }).snapshots;
  expect(live).toMatchObject({ complete: false, hidden: 0, broken: 0, data: [{ passEdge: undefined, margin: undefined }] });
});

test('a margin of the moment at which a market reached a stage is read with it, and prices of that moment with the margin', () => {
  const points = [
    { at: hour(17), edge: decimal('2.3') },
    { at: hour(17), prices: { pass: decimal('1.1'), fail: decimal('1') } },
    { at: hour(22), edge: decimal('2.4') },
  ];
  const courses = [{ publicKey: '9xQ', threshold: decimal('1.7'), points }];
  const { snapshots } = pastProposals([row()], { from: NOON, now: later(NOON, 10 * DAY), courses });
  const read = snapshots
    .slice(-2)
    .map(({ data }) => data.map(({ status, result, passEdge, prices }) => [result ?? status, passEdge, prices?.pass]));
  // The market is closed at its end, so that its margin there is no measurement.
  expect(read).toEqual([[['live', '2.3', '1.1']], [['passed', undefined, undefined]]]);
});

test('moments before the period and after now are left out; the first record is known all the same', () => {
  expect(past([row()], hour(10), hour(17))).toEqual({
    since: NOON,
    seen: [
      [10, 'live'],
      [17, 'live'],
    ],
  });
});

test('several proposals are read in the order of their moments, those of one moment together', () => {
  const other = row({
    publicKey: 'other',
    createdAt: hour(-5),
    startsAt: NOON,
    twapStartsAt: undefined,
    endsAt: undefined,
    status: 'live',
    result: undefined,
  });
  expect(past([row(), other], hour(-9))).toMatchObject({
    since: hour(-5),
    seen: [
      [-5, 'draft'],
      [0, 'draft,live'],
      [2, 'live'],
      [10, 'live'],
      [17, 'live'],
      [22, 'passed'],
    ],
  });
});

/** What a backtest compares: the events of the feed's own comparison over the past checks. */
async function eventsOf(rows: readonly ProposalRow[], now = later(NOON, 10 * DAY)): Promise<readonly (readonly [string, number])[]> {
  const period = { from: later(NOON, -DAY), now };
  const { history } = defineFeed({
    ...proposals.spec,
    history: { resolution: 'event', measures: [], lacks: {}, cost: 1, read: async () => ({ ...how(now), ...pastProposals(rows, period) }) },
  });
  if ('unavailable' in history) throw new Error('it has a history');
  const nobody = async (): Promise<never> => Promise.reject(new Error('nobody is asked'));
  const analytics = { call: nobody, walk: nobody, kept: nobody, state: () => ({ budget: { used: 0, resetsAt: now } }) };
  const { checks } = await history.read(project('tide'), { ...period, analytics, options: {} });
  return checks.flatMap(({ events }) => events.map((event) => [event.stage, (momentOf(event) - NOON) / HOUR] as const));
}
const how = (at: Instant) => ({ at, hidden: 0, broken: 0 });

describe('the rows that a backtest reads', () => {
  const day = (days: number): string => new Date(later(NOON, days * DAY)).toISOString();
  const listed = (key: string, more = {}) => ({ publicKey: key, creationDate: day(-9), endDate: day(-5), status: 'passed', ...more });
  const market = (key: string) => ({ publicKey: key, startDate: day(-8), endDate: day(-5), performanceStats: { totalTrades: 2 } });
  const MARKETS = '/v1/global-dashboard/decision-markets';
  async function reading(list: readonly unknown[], answerMarkets: (asked: Asked) => void) {
    const service = await serve((asked) => {
      if (asked.path === MARKETS) answerMarkets(asked);
      else answerPage(asked, asked.path === '/v1/proposal' ? list : []);
    });
    const { analytics, clock } = await connect(service.url, { clock: handClock(NOON) });
    const read = async () => {
      const context = { analytics, options: { maxAge: DAY }, now: clock.now(), from: later(NOON, -365 * DAY) };
      const { rows, unread } = await readPastProposals(slug('tide'), context);
      return { starts: rows.map(({ startsAt }) => startsAt && (startsAt - NOON) / DAY), unread };
    };
    return { read, clock, calls: () => service.asked.filter(({ path }) => path === MARKETS).length };
  }

  test('have the starts of the list of decision markets, which is read only as far as one is missing', async () => {
    const all = [market('a'), ...Array.from({ length: 250 }, (_, index) => market(`other-${index}`))];
    const one = await reading([listed('a')], (asked) => answerPage(asked, all, { most: 100 }));
    expect(await one.read()).toEqual({ starts: [-8], unread: '' });
    expect(one.calls()).toBe(1);
    const dated = [
      listed('a', { startDate: day(-7) }),
      listed('b', { status: 'removed', totalTrade: 0 }),
      listed('c', { status: 'draft' }),
    ];
    const none = await reading(dated, (asked) => answerPage(asked, all));
    expect(await none.read()).toEqual({ starts: [-7, undefined, undefined], unread: '' });
    expect(none.calls()).toBe(0);
  });

  test('say why a start is missing: the plan, a page that failed, or the whole list', async () => {
    const others = Array.from({ length: 250 }, (_, index) => market(`other-${index}`));
    const pageOf = (asked: Asked): number => Number(asked.query.get('page'));
    const failing = (status: number, from: number) => (asked: Asked) =>
      pageOf(asked) >= from ? reply(asked, '', { status }) : answerPage(asked, others, { most: 100 });
    const unread = async (answer: (asked: Asked) => void) => (await (await reading([listed('a')], answer)).read()).unread;
    const said = [await unread(failing(403, 2)), await unread(failing(404, 1)), await unread((asked) => answerPage(asked, others))];
    expect(said).toEqual([expect.stringContaining('newest 100 '), expect.stringContaining('could not be read'), '']);
  });

  test('have the start of a market that ended after the list was saved', async () => {
    const all = [market('a')];
    const lists = new Map([['tide', [listed('a')]]]);
    const service = await serve((asked) =>
      answerPage(
        asked,
        asked.path === MARKETS ? all : asked.path === '/v1/proposal' ? (lists.get(asked.query.get('slug') ?? '') ?? []) : [],
      ),
    );
    const { analytics, clock } = await connect(service.url, { clock: handClock(NOON) });
    const startsOf = async (name: string) => {
      const context = { analytics, options: { maxAge: DAY }, now: clock.now(), from: later(NOON, -365 * DAY) };
      return (await readPastProposals(slug(name), context)).rows.map(({ startsAt }) => startsAt && (startsAt - NOON) / DAY);
    };
    expect(await startsOf('tide')).toEqual([-8]);
    await clock.advance(2 * HOUR);
    lists.set('heron', [listed('b', { endDate: new Date(hour(1)).toISOString() })]);
    all.unshift(market('b'));
    expect(await startsOf('heron')).toEqual([-8]);
  });
});

describe('what has no date is no event, and is said for the stages that it concerns', () => {
  const gapsOf = (rows: readonly ProposalRow[], { from = NOON, now = later(NOON, 10 * DAY) } = {}) =>
    (pastProposals(rows, { from, now }).gaps ?? []).map(({ stages, missing }) => [
      stages?.join(),
      missing.map((at) => (at - NOON) / HOUR).join(),
    ]);

  test('a start', async () => {
    const bare = row({ startsAt: undefined });
    expect(await eventsOf([bare])).toEqual([
      ['created', 0],
      ['passed', 22],
    ]);
    expect(gapsOf([bare, row({ publicKey: 'other' })])).toEqual([
      ['live,ending', '22'],
      ['twap', '22'],
    ]);
    expect(await eventsOf([row({ startsAt: undefined, status: 'live', result: undefined })], hour(20))).toEqual([['created', 0]]);
  });

  test('a creation', async () => {
    const bare = row({ createdAt: undefined });
    expect(await eventsOf([bare])).toEqual([
      ['live', 2],
      ['twap', 10],
      ['ending', 17],
      ['passed', 22],
    ]);
    expect(gapsOf([bare])).toEqual([['created', '22']]);
  });

  test('a TWAP window', async () => {
    const bare = row({ twapStartsAt: undefined });
    expect((await eventsOf([bare])).map(([stage]) => stage)).toEqual(['created', 'live', 'ending', 'passed']);
    expect(gapsOf([bare])).toEqual([['twap', '22']]);
  });

  test('an end, or a result before the planned end', async () => {
    const bare = row({ endsAt: undefined });
    expect((await eventsOf([bare])).map(([stage]) => stage)).toEqual(['created', 'live', 'twap']);
    expect(gapsOf([bare])).toEqual([
      ['ending', '240'],
      ['passed,failed', '240'],
    ]);
    expect((await eventsOf([row()], hour(20))).map(([stage]) => stage)).toEqual(['created', 'live', 'twap', 'ending']);
    expect(gapsOf([row()], { now: hour(20) })).toEqual([['passed,failed', '20']]);
  });

  test('a removal is counted at the planned end, or now if that is to come, and whether it was live is said if nothing shows it', async () => {
    const removed = row({ status: 'removed', result: undefined, trades: 0 });
    expect(await eventsOf([removed])).toEqual([
      ['created', 0],
      ['removed', 22],
    ]);
    expect(await eventsOf([removed], hour(20))).toEqual([
      ['created', 0],
      ['removed', 20],
    ]);
    expect(gapsOf([removed])).toEqual([['removed', '']]);
    expect(gapsOf([{ ...removed, trades: undefined }])).toEqual([
      ['live,ending', '22'],
      ['twap', '22'],
      ['removed', ''],
    ]);
    expect(gapsOf([{ ...removed, endsAt: undefined }])).toEqual([['removed', '240']]);
  });

  test('nothing is missing of what ended before the period', () => {
    expect(gapsOf([row({ startsAt: undefined })], { from: hour(23) })).toEqual([]);
  });
});

test('a draft has only its creation, and a removed one no stages of a market', () => {
  expect(past([row({ status: 'draft', result: undefined })]).seen).toEqual([[0, 'draft']]);
  const removed = { status: 'removed', result: undefined };
  for (const trades of [0, undefined])
    expect(past([row({ ...removed, trades })]).seen).toEqual([
      [0, 'draft'],
      [22, 'removed'],
    ]);
  expect(past([row({ ...removed, trades: 3 })]).seen.map(([at]) => at)).toEqual([0, 2, 22]);
});

test('without any date there is nothing to read, and no record begins', () => {
  const bare = row({ createdAt: undefined, startsAt: undefined, twapStartsAt: undefined, endsAt: undefined });
  expect(past([bare])).toEqual({ since: undefined, seen: [] });
  expect(past([])).toEqual({ since: undefined, seen: [] });
});

test('of more than two thousand moments the newest are read', () => {
  const rows = Array.from({ length: 2_001 }, (_, index) =>
    row({ status: 'draft', result: undefined, createdAt: later(NOON, index * 1_000) }),
  );
  const { snapshots, since } = pastProposals(rows.toReversed(), { from: NOON, now: later(NOON, DAY) });
  expect([snapshots.length, snapshots[0]?.at, snapshots.at(-1)?.at]).toEqual([2_000, later(NOON, 1_000), later(NOON, 2_000_000)]);
  expect(since).toEqual(later(NOON, 1_000));
});
