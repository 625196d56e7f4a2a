/** What the interface says that is easily misread: each sentence is read by the real client from a real answer. */
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/analytics/field-reader.js';
import { completedLaunches, graveyardLaunches, recentLaunches } from '../../src/analytics/endpoints/launches.js';
import { growthFeed, marketMetrics, projectUrl } from '../../src/analytics/endpoints/project.js';
import { allMarkets, search } from '../../src/analytics/endpoints/dashboard.js';
import { proposals, proposalIdentity } from '../../src/analytics/endpoints/proposals.js';
import { supplyEvents } from '../../src/analytics/endpoints/supply.js';
import { navBreakdown, runwayBreakdown, treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { slug } from '../../src/domain/scalars.js';
import { answerWith, connect, reply, serve } from '../support/service.js';

/** The real client for a service that gives every question this answer. */
const serviceWith = async (data: unknown, meta?: unknown) => {
  const service = await serve((asked) => answerWith(asked, data, meta));
  return { ...(await connect(service.url)), service };
};
const tide = { slug: 'tide' };

const EVENT = {
  id: 91,
  timestamp: '2026-11-20T10:00:00.000Z',
  type: 'Mint',
  amount: '250000.500',
  resultingSupply: '13150000',
  change: '1.94',
  priceAtTime: '0.6289',
  usdValue: '157225.31',
  signature: '5xY',
  proposal: null,
};
const LAUNCH = {
  launchAddr: 'launch1',
  baseMint: 'mint1',
  title: 'Tide',
  organizationSlug: 'tide',
  tokenSymbol: 'TIDE',
  state: 'Live',
  minimumRaiseAmount: '750000000000',
  committedAmount: '154900000000001',
  fundsAccepted: null,
  unixTimestampStarted: '1763640000',
  secondsForLaunch: '345600',
  isFeatured: false,
  isPermissionLess: true,
  tokenUsdPrice: '0.30',
  icoReturn: 1.5,
  fdv: null,
};

describe('premium and treasury', () => {
  test('a positive discount.pct is a premium, and a negative one a discount', async () => {
    const { analytics } = await serviceWith({ discount: { pct: 4.2 }, navPerAdjustedShare: '0.6', spotPrice: '0.6252' });
    expect((await analytics.call(marketMetrics, tide)).data).toMatchObject({ premium: '4.2', navPerShare: '0.6', price: '0.6252' });
    const other = await serviceWith({ discount: { pct: '-17.25' } });
    expect((await other.analytics.call(marketMetrics, tide)).data.premium).toBe('-17.25');
  });

  test('no discount is an unknown premium, not one of 0', async () => {
    for (const discount of [null, {}, { pct: null }]) {
      const { analytics } = await serviceWith({ discount, fdv: null });
      expect((await analytics.call(marketMetrics, tide)).data).toMatchObject({ premium: undefined, fdv: undefined });
    }
  });

  test('monthOfRunway is read beside monthsOfRunway, and the stated name wins', async () => {
    const old = await serviceWith({ monthOfRunway: '57.66' });
    expect((await old.analytics.call(treasuryOverview, tide)).data.runway).toBe('57.66');
    const both = await serviceWith({ monthOfRunway: 1, monthsOfRunway: 57.66 });
    expect((await both.analytics.call(treasuryOverview, tide)).data.runway).toBe('57.66');
    const absent = await serviceWith({ monthsOfRunway: null });
    expect((await absent.analytics.call(runwayBreakdown, tide)).data.runway).toBeUndefined();
  });

  test('a figure that stands twice at one depth and differs is doubtful, so it is unknown and its places are reported', async () => {
    const { analytics } = await serviceWith({
      dao: { netAssetValueUsd: '10' },
      opco: { netAssetValueUsd: '20' },
      excludedFromNav: [{ symbol: 'TIDE', amount: '5' }],
    });
    const { data } = await analytics.call(navBreakdown, tide);
    expect(data.netAssetValue).toBeUndefined();
    expect(data.doubts).toEqual(['dao.netAssetValueUsd', 'opco.netAssetValueUsd']);
    expect(data.excluded).toMatchObject([{ symbol: 'TIDE', amount: '5', value: undefined }]);
  });

  test('the canonical address is null for every project, which is an answer', async () => {
    const { analytics } = await serviceWith(null);
    expect((await analytics.call(projectUrl, { project: 'tide' })).data).toBeUndefined();
  });

  test('an address with a scheme that no page has is no link', async () => {
    const { analytics } = await serviceWith('javascript:alert(1)');
    expect((await analytics.call(projectUrl, { project: 'tide' })).data).toBeUndefined();
    const good = await serviceWith('https://tide.example/');
    expect((await good.analytics.call(projectUrl, { project: 'tide' })).data).toBe('https://tide.example/');
  });
});

describe('launches', () => {
  test('raw amounts are millionths of a dollar, and fundRaised beside them is dollars already', async () => {
    const { analytics } = await serviceWith([
      {
        launchAddr: 'launch9',
        title: 'Wreck',
        tokenSymbol: 'WRCK',
        state: 'Complete',
        reasonStatus: 'liquidated',
        dateEnded: '2026-05-01T00:00:00Z',
        minimumRaiseAmount: '750000000000',
        committedAmount: 1200000000000,
        fundsAccepted: '960000000001',
        fundRaised: '960000.000001',
        targetRaise: '1000000',
        icoPrice: '0.096',
        icoInvestors: '1204',
        organizationSlug: 'wreck',
      },
    ]);
    expect((await analytics.call(graveyardLaunches, {})).data.rows).toMatchObject([
      {
        minimum: '750000',
        committed: '1200000',
        accepted: '960000.000001',
        raised: '960000.000001',
        target: '1000000',
        investors: 1204,
        reason: 'liquidated',
      },
    ]);
  });

  test('while a launch is open, what was accepted and the FDV are unknown', async () => {
    const { analytics } = await serviceWith([LAUNCH]);
    const [launch] = (await analytics.call(recentLaunches, {})).data.rows;
    expect(launch).toMatchObject({ accepted: undefined, fdv: undefined, committed: '154900000.000001', slug: 'tide', state: 'Live' });
  });

  test('start and length come as text in seconds', async () => {
    const { analytics } = await serviceWith([
      LAUNCH,
      { ...LAUNCH, launchAddr: 'launch2', unixTimestampStarted: 1763640000, secondsForLaunch: 345600 },
    ]);
    const { rows } = (await analytics.call(recentLaunches, {})).data;
    expect(rows.map(({ startedAt, runsFor }) => [startedAt, runsFor])).toEqual([
      [1763640000000, 345600000],
      [1763640000000, 345600000],
    ]);
  });

  test('a completed launch names no project and is read all the same', async () => {
    const { analytics } = await serviceWith([
      {
        launchAddr: 'launch1',
        baseMint: 'mint1',
        title: 'Tide',
        state: 'Complete',
        fundsAccepted: '3000000000000',
        tokenUsdPrice: '0.3',
        holdersCount: '10518',
      },
    ]);
    expect((await analytics.call(completedLaunches, {})).data).toMatchObject({
      broken: 0,
      rows: [{ address: 'launch1', mint: 'mint1', accepted: '3000000', holders: 10518 }],
    });
  });

  test('a state that the interface does not state is passed on as it came', async () => {
    const { analytics } = await serviceWith([{ ...LAUNCH, state: 'Hibernating' }]);
    expect((await analytics.call(recentLaunches, {})).data.rows[0]?.state).toBe('Hibernating');
  });
});

describe('supply events', () => {
  test('an unrecorded signature and no linked proposal are unknown, and the event stands', async () => {
    const { analytics } = await serviceWith([{ ...EVENT, signature: null, proposal: null }]);
    expect((await analytics.call(supplyEvents, tide)).data).toMatchObject({
      broken: 0,
      rows: [{ id: '91', amount: '250000.5', signature: undefined, proposal: undefined }],
    });
  });

  test('a linked proposal whose title cannot be read is linked all the same', async () => {
    const linked = [{ proposalTitle: 'Pay the crew', publicKey: 'key1' }, { id: 4, project: { name: 'not a title' } }, {}];
    const { analytics } = await serviceWith(linked.map((proposal, index) => ({ ...EVENT, id: index, proposal })));
    expect((await analytics.call(supplyEvents, tide)).data.rows.map(({ proposal }) => proposal)).toEqual([
      { title: 'Pay the crew', publicKey: 'key1' },
      { title: undefined, publicKey: undefined },
      { title: undefined, publicKey: undefined },
    ]);
  });

  test('times may be ISO text, Unix seconds, milliseconds or either as text', async () => {
    const times = [
      '2026-11-20T10:00:00Z',
      '2026-11-20T12:00:00+02:00',
      '2026-11-20 10:00:00',
      1795168800,
      '1795168800',
      1795168800000,
      '1795168800000',
    ];
    const { analytics } = await serviceWith(times.map((timestamp, id) => ({ ...EVENT, id, timestamp })));
    const { rows, broken } = (await analytics.call(supplyEvents, tide)).data;
    expect(broken).toBe(0);
    expect([...new Set(rows.map(({ at }) => at))]).toEqual([Date.UTC(2026, 10, 20, 10)]);
  });

  test('one broken row is dropped and counted, and the list stands', async () => {
    const bad = [
      { ...EVENT, amount: 'lots' },
      { ...EVENT, id: null },
      { ...EVENT, timestamp: 'yesterday' },
      null,
      'row',
      { ...EVENT, amount: '1e999999999' },
    ];
    const { analytics } = await serviceWith([EVENT, ...bad, { ...EVENT, id: 92 }]);
    expect((await analytics.call(supplyEvents, tide)).data).toMatchObject({ broken: bad.length, rows: [{ id: '91' }, { id: '92' }] });
  });

  test('a 19-digit number keeps every digit, as an id and as an amount', async () => {
    const body = `{"data":[{"id":1234567890123456788,"timestamp":"2026-11-20T10:00:00Z","type":"Mint","amount":1234567890123456789.123456},
      {"id":1234567890123456789,"timestamp":"2026-11-20T10:00:00Z","type":"Mint","amount":"9223372036854775807"}]}`;
    const service = await serve((asked) => reply(asked, body));
    const { analytics } = await connect(service.url);
    expect((await analytics.call(supplyEvents, tide)).data.rows.map(({ id, amount }) => [id, amount])).toEqual([
      ['1234567890123456788', '1234567890123456789.123456'],
      ['1234567890123456789', '9223372036854775807'],
    ]);
    expect(parseJson('{"a": 0.1, "b": 1e3, "c": 12345678901234567890}')).toEqual({ a: 0.1, b: 1000, c: '12345678901234567890' });
  });

  test('a list may be nested inside the data object', async () => {
    const { analytics } = await serviceWith({ ledger: { events: [EVENT] }, symbol: 'TIDE' });
    expect((await analytics.call(supplyEvents, tide)).data.rows).toHaveLength(1);
  });

  test('a type that the interface does not state is passed on as it came', async () => {
    const { analytics } = await serviceWith([{ ...EVENT, type: 'Clawback' }]);
    expect((await analytics.call(supplyEvents, tide)).data.rows[0]?.type).toBe('Clawback');
  });
});

describe('growth', () => {
  const METRIC = {
    metricId: 'active-wallets',
    semantics: 'a word we do not know',
    observations: [
      { date: '2026-11-19', value: 0 },
      { date: '2026-11-16', value: '12.5' },
      { date: '2026-11-18', value: null },
      { date: 'soon', value: 3 },
    ],
  };

  test('a 0 is a true zero, and an absent day is no day', async () => {
    const { analytics } = await serviceWith({ status: 'ok', metrics: [METRIC] });
    const { data } = await analytics.call(growthFeed, tide);
    expect(data).toMatchObject({ published: true, broken: 1 });
    expect(data.metrics[0]).toMatchObject({
      id: 'active-wallets',
      semantics: 'a word we do not know',
      days: [
        { day: '2026-11-16', value: '12.5' },
        { day: '2026-11-19', value: '0' },
      ],
    });
  });

  test('no_source is a project that publishes nothing, not a failure', async () => {
    const { analytics } = await serviceWith({ status: 'no_source', metrics: [] });
    expect((await analytics.call(growthFeed, tide)).data).toEqual({ published: false, metrics: [], broken: 0 });
  });

  test('a range over 366 days, backwards or without an end is refused before any call', async () => {
    const { analytics, service } = await serviceWith({ status: 'ok', metrics: [] });
    const range = async (from: string, to?: string) => analytics.call(growthFeed, { ...tide, from, ...(to === undefined ? {} : { to }) });
    await expect(range('2025-01-01', '2026-01-02')).rejects.toThrow('at most 366 days');
    await expect(range('2026-01-02', '2026-01-01')).rejects.toThrow('ends before');
    await expect(range('2024-01-01')).rejects.toThrow('needs an end');
    expect(service.asked).toHaveLength(0);
    await range('2025-01-01', '2026-01-01');
    expect(service.asked[0]?.query.toString()).toBe('from=2025-01-01&slug=tide&to=2026-01-01');
  });
});

describe('proposals', () => {
  test('both generations of rows are read, and their words for states kept', async () => {
    const { analytics } = await serviceWith([
      {
        id: 7,
        title: 'Pay the crew',
        publicKey: 'key7',
        creationDate: '2026-11-18T00:00:00Z',
        endDate: '2026-11-21T00:00:00Z',
        status: 'Simmering',
        result: null,
        totalTrade: 12,
        totalTradeVolume: '3400.5',
        totalUniqueTraders: 9,
        organizationSlug: 'tide',
      },
      { proposalId: 8, proposalName: 'Older', state: 'succeeded', startDate: 1763640000, twapMargin: '-3.5' },
      { title: 'nobody knows which' },
    ]);
    const { rows, broken } = (await analytics.call(proposals, tide)).data;
    expect(broken).toBe(1);
    expect(rows).toMatchObject([
      {
        id: '7',
        publicKey: 'key7',
        title: 'Pay the crew',
        status: 'Simmering',
        result: undefined,
        trades: 12,
        volume: '3400.5',
        traders: 9,
      },
      { id: '8', title: 'Older', status: 'succeeded', startsAt: 1763640000000, margin: '-3.5' },
    ]);
    expect(rows.map(proposalIdentity)).toEqual(['key7', '8']);
  });

  test("a nested project's name, id and status are not the proposal's", async () => {
    const { analytics } = await serviceWith([{ publicKey: 'key7', organization: { id: 5, name: 'Tide', status: 'active', slug: 'tide' } }]);
    expect((await analytics.call(proposals, tide)).data.rows).toMatchObject([
      { publicKey: 'key7', id: undefined, title: undefined, status: undefined, slug: 'tide' },
    ]);
  });

  test('in the market list the title stands under "proposal", the threshold in basis points, and totals one level down', async () => {
    const { analytics } = await serviceWith([
      {
        publicKey: 'key7',
        projectSlug: 'tide',
        project: 'Tide',
        proposal: 'Pay the crew',
        passedThresholdBps: -300,
        performanceStats: { totalVolume: '99.5', totalTrades: 4 },
      },
    ]);
    expect((await analytics.call(allMarkets, {})).data.rows).toMatchObject([
      { title: 'Pay the crew', projectName: 'Tide', slug: 'tide', threshold: '-3', volume: '99.5', trades: 4 },
    ]);
  });

  test('a hit of a search is what its list says it is', async () => {
    const { analytics } = await serviceWith({
      projects: [{ organizationName: 'Tide', organizationSlug: 'tide', publicKey: 'mint1' }],
      proposals: [{ proposalTitle: 'Pay', proposalPublicKey: 'key7' }],
    });
    expect((await analytics.call(search, { search: 'ti' })).data).toMatchObject({
      projects: [{ slug: slug('tide') }],
      proposals: [{ proposalKey: 'key7', title: 'Pay' }],
    });
  });
});
