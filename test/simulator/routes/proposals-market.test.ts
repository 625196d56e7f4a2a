/** The page of a proposal, its lists, its charts and its files tell one story. */
import { describe, expect, test } from 'vitest';
import { parse } from 'csv-parse/sync';
import { HOUR, MINUTE } from '../../../src/base/clock.js';
import { openBox } from '../box.js';

type Box = Awaited<ReturnType<typeof openBox>>;
interface Order {
  readonly marketType: string;
  readonly direction: string;
  readonly value: number;
  readonly wallet: string;
  readonly timeStamp: number;
  readonly price: string;
  readonly size: string;
}

const data = async (box: Box, path: string) => {
  const { status, body } = await box.get(path);
  expect([path, status]).toEqual([path, 200]);
  return body.data;
};

async function ordersOf(box: Box, key: string): Promise<readonly Order[]> {
  const all: Order[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await box.get(`/v1/proposal/${key}/orders?limit=50&page=${page}`);
    all.push(...body.data);
    if (all.length >= body.meta.totalItems) return all;
  }
}

const sum = (all: readonly { readonly value: number }[]): number => all.reduce((total, { value }) => total + value, 0);
const wallets = (all: readonly Order[]) => [...new Set(all.map(({ wallet }) => wallet))];
const forPass = ({ marketType, direction }: Order) => (marketType === 'PASS') === (direction === 'BUY');
const records = (text: string): readonly Readonly<Record<string, string>>[] => parse(text, { columns: true });

describe.each(['tide', 'quarry-lane', 'spindrift'])('of %s', (project) => {
  const openKey = async (fits: (row: { totalTrade: number }) => boolean = ({ totalTrade }) => totalTrade > 0) => {
    const box = await openBox();
    const rows = await data(box, `/v1/proposal?slug=${project}`);
    const row = rows.find(fits);
    return { box, key: String(row.publicKey), row };
  };

  test('sums on its page, in its overviews and in its files are those of its orders', async () => {
    const { box, key, row } = await openKey();
    const orders = await ordersOf(box, key);
    expect([orders.length, Number(row.totalTradeVolume), row.totalUniqueTraders]).toEqual([
      row.totalTrade,
      expect.closeTo(sum(orders), 4),
      wallets(orders).length,
    ]);
    const market = await data(box, `/v1/proposal/${key}/market-overview`);
    expect([market.totalTrades, market.uniqueTraders]).toEqual([orders.length, wallets(orders).length]);
    expect(market.passMarketVolume + market.failMarketVolume).toBeCloseTo(sum(orders), 4);
    expect(market.buyVolume + market.sellVolume).toBeCloseTo(sum(orders), 4);
    const strength = await data(box, `/v1/proposal/analytics/${key}/outcome-strength`);
    expect(strength.passAlignedVolume).toBeCloseTo(sum(orders.filter(forPass)), 4);
    expect(strength.passTraders + strength.failTraders).toBe(wallets(orders).length);
    const crowd = await data(box, `/v1/proposal/analytics/${key}/trade-overview`);
    expect([crowd.totalTrades, crowd.singleTradeTraders + crowd.repeatTraders]).toEqual([orders.length, wallets(orders).length]);
    const bars: { traders: number }[] = await data(box, `/v1/proposal/analytics/${key}/trade-frequency-chart`);
    expect(bars.reduce((total, { traders }) => total + traders, 0)).toBe(wallets(orders).length);
    expect(new Set(await data(box, `/v1/proposal/filter/${key}/traders`))).toEqual(new Set(wallets(orders)));
    const hours: { netPassFlow: number; cumulativeNetPassFlow: number }[] = await data(
      box,
      `/v1/proposal/analytics/${key}/conviction-chart`,
    );
    const net = sum(orders.filter(forPass)) - sum(orders.filter((order) => !forPass(order)));
    expect(hours.reduce((total, { netPassFlow }) => total + netPassFlow, 0)).toBeCloseTo(net, 4);
    expect(hours.at(-1)?.cumulativeNetPassFlow).toBeCloseTo(net, 4);
    const { chartData } = await data(box, `/v1/proposal/${key}/flow-chart?timeInterval=4h`);
    expect(chartData.at(-1).cumulativeTilt).toBeCloseTo((net / sum(orders)) * 100, 1);
  });

  test('its files carry the fields and rows of its lists', async () => {
    const { box, key } = await openKey();
    const orders = await ordersOf(box, key);
    const all = records((await box.get(`/v1/proposal/${key}/orders/csv`)).body);
    expect(all.map((record) => ({ ...record }))).toEqual(
      orders.map((order) => Object.fromEntries(Object.entries(order).map(([name, value]) => [name, value === null ? '' : String(value)]))),
    );
    const traders = (await box.get(`/v1/proposal/${key}/orders/unique-traders/csv`)).body as string;
    expect(records(traders).flatMap((record) => Object.values(record))).toEqual(wallets(orders));
    const volume = records((await box.get(`/v1/proposal/${key}/orders/volume/csv`)).body);
    expect(volume.map((record) => `${record['marketType']} ${record['direction']}`)).toEqual([
      'PASS BUY',
      'PASS SELL',
      'FAIL BUY',
      'FAIL SELL',
    ]);
    for (const record of volume)
      expect(Number(record['volume'])).toBeCloseTo(
        sum(orders.filter((order) => order.marketType === record['marketType'] && order.direction === record['direction'])),
        4,
      );
  });

  test('prices average to its pass edge, which is known from the opening of its window on', async () => {
    const { box, key } = await openKey();
    const page = await data(box, `/v1/proposal/${key}`);
    const { prices } = await data(box, `/v1/proposal/${key}/price-chart`);
    const opens = Date.parse(page.twapStartDate) / 1_000;
    for (const point of prices) {
      expect(point.approvedTwap !== null).toBe(point.timestamp >= opens);
      expect([Number(point.spotPrice) > 0, Number(point.approvedPrice) > 0, Number(point.rejectedPrice) > 0]).toEqual([true, true, true]);
    }
    const last = prices.at(-1);
    expect(Math.round((Number(last.approvedTwap) / Number(last.rejectedTwap) - 1) * 10_000) / 100).toBeCloseTo(page.passEdge, 2);
    for (const interval of ['15m', '1h', '4h', '1d', 'max']) {
      const { threshold, chartData } = await data(box, `/v1/proposal/${key}/threshold-chart?timeInterval=${interval}`);
      expect([chartData[0].timestamp, chartData.at(-1).twapPassEdge]).toEqual([opens, page.passEdge]);
      expect(Number(threshold)).toBe(page.passThresholdBps / 100);
    }
    const edge = await data(box, `/v1/proposal/${key}/pass-edge`);
    expect(edge.finalPassEdge).toBe(page.state === 'pending' || page.status === 'live' ? null : page.passEdge);
  });

  test('trades lie between its beginning and its end, the newest first, and size times price is what they are worth', async () => {
    const { box, key } = await openKey();
    const page = await data(box, `/v1/proposal/${key}`);
    const orders = await ordersOf(box, key);
    const times = orders.map(({ timeStamp }) => timeStamp * 1_000);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.parse(page.startDate));
    expect(Math.max(...times)).toBeLessThanOrEqual(Math.min(Date.parse(page.endDate), box.clock.now()));
    for (const { price, size, value } of orders) expect(Number(price) * Number(size)).toBeCloseTo(value, 2);
  });
});

test('a wallet that trades on it is one of its traders, and both tell the same trades', async () => {
  const box = await openBox();
  const [{ publicKey }] = await data(box, '/v1/proposal?slug=tide');
  await box.sim({ kind: 'trade', wallet: '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd', proposal: publicKey, usd: '120.5' });
  const orders = await ordersOf(box, publicKey);
  for (const wallet of wallets(orders).slice(0, 6)) {
    const own = await data(
      box,
      `/v1/trading-activity/special-wallet/proposal-breakdown/trades?walletPublicKey=${wallet}&proposalPublicKey=${publicKey}&limit=100`,
    );
    expect(own.map((trade: object) => ({ ...trade, wallet }))).toEqual(orders.filter((order) => order.wallet === wallet));
  }
  expect(orders.filter(({ value }) => value === 120.5)).toHaveLength(1);
  expect((await data(box, `/v1/proposal/${publicKey}`)).totalTrade).toBe(orders.length);
});

test('a market gathers trades as time goes by and never takes one back', async () => {
  const box = await openBox();
  await box.sim({ kind: 'proposal', project: 'glass-pier', draftSeconds: 60, liveSeconds: 7_200 });
  const [{ publicKey }] = await data(box, '/v1/proposal?slug=glass-pier');
  let before: readonly Order[] = [];
  for (let step = 0; step < 5; step += 1) {
    box.clock.turn(25 * MINUTE);
    const orders = await ordersOf(box, publicKey);
    expect(orders.slice(orders.length - before.length)).toEqual(before);
    expect(orders.length).toBeGreaterThan(before.length);
    before = orders;
  }
});

test('trading of the whole project is the sum over its proposals, the most recent first', async () => {
  const box = await openBox();
  const statistics = await data(box, '/v1/trading-activity/glass-pier');
  const rows: { totalTrade: number; totalTradeVolume: string }[] = await data(box, '/v1/proposal?slug=glass-pier&limit=100');
  expect(statistics.totalTrades).toBe(rows.reduce((total, row) => total + row.totalTrade, 0));
  expect(Number(statistics.totalVolume)).toBeCloseTo(
    rows.reduce((total, row) => total + Number(row.totalTradeVolume), 0),
    3,
  );
  const { body } = await box.get('/v1/trading-activity/glass-pier/trading-activities?limit=100');
  expect(body.meta.totalItems).toBe(statistics.totalTrades);
  const times = body.data.map(({ timeStamp }: Order) => timeStamp);
  expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
  expect(body.data[0].timeStamp).toBe(statistics.lastTradeTime);
});

test('comparables are decided ones, and a proposal is measured against the median of the others', async () => {
  const box = await openBox();
  const pool: { publicKey: string; totalTrade: number }[] = await data(box, '/v1/proposal/analytics/proposal-comparables?slug=tide');
  const [one, ...others] = pool;
  const { metrics, comparables } = await data(box, `/v1/proposal/comparable/${one?.publicKey}/proposal-metrics-chart?slug=tide`);
  expect(comparables).toBe(others.length);
  const trades = metrics.find(({ metric }: { metric: string }) => metric === 'trades');
  expect(trades.value).toBe(one?.totalTrade);
  expect(others.filter(({ totalTrade }) => totalTrade <= trades.median).length).toBeGreaterThanOrEqual(Math.floor(others.length / 2));
  expect(others.filter(({ totalTrade }) => totalTrade >= trades.median).length).toBeGreaterThanOrEqual(Math.floor(others.length / 2));
});

test('a plan without exports refuses the files with 403, and a small one larger and later pages of trades', async () => {
  const box = await openBox({ plan: { exports: false, maxRows: 10, maxPages: 3, refusesWith: 403 } });
  const { publicKey } = (await data(box, '/v1/proposal?slug=tide')).find(({ totalTrade }: { totalTrade: number }) => totalTrade > 0);
  for (const path of ['orders/csv', 'orders/unique-traders/csv', 'orders/volume/csv'])
    expect([path, (await box.get(`/v1/proposal/${publicKey}/${path}`)).status]).toEqual([path, 403]);
  for (const list of [`/v1/proposal/${publicKey}/orders`, '/v1/trading-activity/tide/trading-activities']) {
    expect((await box.get(list)).body.data).toHaveLength(10);
    expect((await box.get(`${list}?limit=11`)).status).toBe(403);
    expect((await box.get(`${list}?page=4`)).status).toBe(403);
  }
});

test('what is asked wrongly is refused with a sentence', async () => {
  const box = await openBox();
  box.clock.turn(HOUR);
  const [{ publicKey }] = await data(box, '/v1/proposal?slug=tide');
  for (const [path, status] of [
    [`/v1/proposal/${publicKey}/threshold-chart`, 400],
    [`/v1/proposal/${publicKey}/flow-chart?timeInterval=2h`, 400],
    [`/v1/proposal/comparable/${publicKey}/proposal-metrics-chart`, 400],
    [`/v1/proposal/comparable/${publicKey}/proposal-metrics-chart?slug=alder`, 404],
    ['/v1/proposal/nobody/orders', 404],
    ['/v1/proposal/nobody/orders/csv', 404],
    ['/v1/trading-activity/nobody', 404],
  ] as const) {
    const said = await box.get(path);
    expect([path, said.status]).toEqual([path, status]);
    expect(said.body.error.message).toMatch(/\w+ \w+/u);
  }
});
