import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE, SECOND } from '../../src/base/clock.js';
import { memoryJournal, storedJournal } from '../../src/simulator/journal.js';
import { openStore } from '../../src/store/open.js';
import { NOON, openBox, type Said } from './box.js';
import { runs } from '../support/properties.js';

const PREFIX = '/v1/trading-activity/special-wallet';

async function openWallet(options: Parameters<typeof openBox>[0] = {}, number = 1) {
  const box = await openBox(options);
  const wallet = box.world.wallets.some(number);
  const about = async (suffix: string, query = ''): Promise<Said> => box.get(`${PREFIX}${suffix}?walletPublicKey=${wallet}${query}`);
  const post = async (suffix = '/holdings/refresh', body: Record<string, unknown> = {}): Promise<Said> =>
    box.get(`${PREFIX}${suffix}`, { method: 'POST', body: JSON.stringify({ walletPublicKey: wallet, ...body }) });
  const status = async (jobId: string) => (await box.get(`${PREFIX}/holdings/refresh-status?jobId=${jobId}`)).body.data;
  const overview = async () => (await about('/overview')).body.data;
  /** Refreshes and lets the job run to its end. */
  const refreshed = async () => {
    const { body } = await post();
    box.clock.turn(2 * MINUTE);
    return status(body.data.jobId);
  };
  return { ...box, wallet, about, post, status, overview, refreshed };
}

describe('what a wallet holds', () => {
  test('agrees with price and supply, row by row and in all', async () => {
    for (const number of [1, 2, 3, 4]) {
      const box = await openWallet({}, number);
      await box.refreshed();
      const { body } = await box.about('/holdings');
      const { data: sums } = (await box.about('/holdings/overview')).body;
      let total = 0;
      for (const row of body.data) {
        expect(row.value).toBeCloseTo(row.balance * row.usdPrice, 4);
        const supply = (await box.get(`/v1/dao/token-supply/overview?slug=${row.projectSlug}`)).body.data;
        // Of the supply as it was when the snapshot was taken; since then a few percent were minted or burned at most.
        expect(row.percentageOfTotalSupply / ((row.balance / Number(supply.resultingSupply)) * 100)).toBeCloseTo(1, 1);
        expect(row.holderRank).toBeGreaterThan(0);
        total += row.value;
      }
      expect(body.meta.totalItems).toBe(body.data.length);
      expect(Number(sums.ownershipCoinsValue)).toBeCloseTo(total, 2);
      expect(Number(sums.walletValue)).toBeCloseTo(Number(sums.ownershipCoinsValue) + Number(sums.otherValue), 4);
      expect(body.meta.holdingsLastUpdate).toBe(sums.holdingsLastUpdate);
    }
  });

  test('stands still until a refresh is completed, whatever happens on the chain and however long', async () => {
    const box = await openWallet();
    await box.refreshed();
    const before = (await box.about('/holdings')).body;
    await box.sim({ kind: 'transfer', wallet: box.wallet, project: 'tide', amount: '1234.5' });
    box.clock.turn(40 * DAY);
    expect((await box.about('/holdings')).body).toEqual(before);
    await box.refreshed();
    const after = (await box.about('/holdings')).body;
    expect(after.meta.holdingsLastUpdate).toBeGreaterThan(before.meta.holdingsLastUpdate);
    expect(after.data).not.toEqual(before.data);
  });

  test('is said to need no refresh even when it is weeks old', async () => {
    const box = await openWallet();
    const { needsRefresh, holdingsLastUpdate } = await box.overview();
    expect(needsRefresh).toBe(false);
    expect(NOON / SECOND - holdingsLastUpdate).toBeGreaterThan(DAY / SECOND);
  });

  test('of one token alone is brought up to date without its rank', async () => {
    const box = await openWallet();
    await box.refreshed();
    box.clock.turn(HOUR);
    await box.sim({ kind: 'transfer', wallet: box.wallet, project: 'tide', amount: '90000' });
    const rankOf = async () => (await box.about('/holdings')).body.data.find((row: { projectSlug: string }) => row.projectSlug === 'tide');
    const before = await rankOf();
    const { body } = await box.post('/holdings/project/refresh', { tokenAddress: box.world.mint('tide') });
    box.clock.turn(2 * MINUTE);
    expect(await box.status(body.data.jobId)).toMatchObject({ status: 'completed', progress: { totalMints: 1 } });
    const single = await rankOf();
    expect(single.balance).toBeCloseTo((before?.balance ?? 0) + 90_000, 4);
    expect(single.holderRank).toBe(before?.holderRank ?? single.holderRank);
    box.clock.turn(HOUR);
    await box.refreshed();
    expect((await rankOf()).holderRank).toBeLessThan(single.holderRank);
  });
});

describe('a refresh', () => {
  test('is accepted, queues, runs with progress and is completed; only then the snapshot is a new one', async () => {
    const box = await openWallet();
    const before = await box.overview();
    const accepted = await box.post();
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({
      data: { walletPublicKey: box.wallet, status: 'queued', alreadyRunning: false, snapshotRefreshed: false },
      meta: { code: 202, message: expect.any(String) },
    });
    const { jobId } = accepted.body.data;
    expect(jobId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await box.status(jobId)).toMatchObject({ status: 'queued', finishedAt: null, error: null });
    box.clock.turn(4 * SECOND);
    const running = await box.status(jobId);
    expect(running.status).toBe('running');
    expect(await box.overview()).toMatchObject({ holdingsLastUpdate: before.holdingsLastUpdate, refreshJob: { jobId } });
    box.clock.turn(2 * MINUTE);
    const done = await box.status(jobId);
    expect(done.status).toBe('completed');
    expect(done.progress.processedMints).toBe(done.progress.totalMints);
    expect(await box.overview()).toMatchObject({ holdingsLastUpdate: done.holdingsLastUpdate, refreshJob: null });
    expect(done.holdingsLastUpdate).toBeGreaterThan(before.holdingsLastUpdate);
  });

  test('that is asked for while one runs names that one', async () => {
    const box = await openWallet();
    const first = await box.post();
    box.clock.turn(3 * SECOND);
    const second = await box.post();
    expect(second.status).toBe(202);
    expect(second.body.data).toMatchObject({ jobId: first.body.data.jobId, alreadyRunning: true });
  });

  test('of fifty at once is taken once', async () => {
    const box = await openWallet();
    const answers = await Promise.all(Array.from({ length: 50 }, async () => box.post()));
    expect(new Set(answers.map(({ body }) => body.data.jobId)).size).toBe(1);
    expect(answers.filter(({ body }) => body.data.alreadyRunning === false)).toHaveLength(1);
  });

  test('too soon after another is refused, and taken at the very second it says', async () => {
    const box = await openWallet();
    await box.refreshed();
    const refused = await box.post();
    expect(refused.status).toBe(429);
    const { refreshLimited, refreshRetryAfterSeconds } = await box.overview();
    expect(refreshLimited).toBe(true);
    expect(refused.body.error.refreshRetryAfterSeconds).toBe(refreshRetryAfterSeconds);
    box.clock.turn((refreshRetryAfterSeconds - 1) * SECOND);
    expect((await box.post()).status).toBe(429);
    box.clock.turn(SECOND);
    expect((await box.post()).status).toBe(202);
  });

  test.each([
    ['header', { header: true, body: false, overview: true }],
    ['overview', { header: false, body: false, overview: true }],
    ['nothing', { header: false, body: false, overview: false }],
  ] as const)('may be refused with its wait alerted in: %s', async (tells, where) => {
    const box = await openWallet();
    await box.sim({ kind: 'refresh-rule', limitedSeconds: 600, tells });
    const refused = await box.post();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after') === '600').toBe(where.header);
    expect(JSON.stringify(refused.body).includes('refreshRetryAfterSeconds')).toBe(where.body);
    expect((await box.overview()).refreshRetryAfterSeconds).toBe(where.overview ? 600 : null);
  });

  test('can leave accounts behind, and goes on with them when it is asked for again', async () => {
    const box = await openWallet();
    await box.sim({ kind: 'refresh-rule', incomplete: 2 });
    expect(await box.refreshed()).toMatchObject({ status: 'completed', progress: { incompleteAccounts: 2 }, historyCompletedAt: null });
    expect((await box.overview()).historySyncStatus).toBe('pending');
    expect(await box.refreshed()).toMatchObject({ progress: { incompleteAccounts: 1 } });
    expect(await box.refreshed()).toMatchObject({ progress: { incompleteAccounts: 0 } });
    expect((await box.overview()).historySyncStatus).toBe('completed');
  });

  test('can fail under any word, and can run for ever; neither changes the snapshot', async () => {
    const box = await openWallet();
    const { holdingsLastUpdate } = await box.overview();
    await box.sim({ kind: 'refresh-rule', outcome: 'fails', word: 'stalled', message: 'no node answered', cooldownSeconds: 0 });
    expect(await box.refreshed()).toMatchObject({ status: 'stalled', error: 'no node answered', holdingsLastUpdate: null });
    await box.sim({ kind: 'refresh-rule', outcome: 'hangs' });
    const { body } = await box.post();
    box.clock.turn(30 * DAY);
    expect(await box.status(body.data.jobId)).toMatchObject({ status: 'running', error: null });
    expect(await box.overview()).toMatchObject({ holdingsLastUpdate, refreshJob: { jobId: body.data.jobId } });
  });

  test('is known after a restart, with its job, its snapshot and its wait', async () => {
    const store = await openStore('memory://');
    const journal = await storedJournal(store);
    const box = await openWallet({ journal });
    const { body } = await box.post();
    const again = await openWallet({ journal: await storedJournal(store), clock: box.clock });
    expect(await again.status(body.data.jobId)).toMatchObject({ jobId: body.data.jobId });
    box.clock.turn(MINUTE);
    expect(await again.overview()).toEqual(await box.overview());
    expect((await again.post()).status).toBe(429);
  });

  test('of thousands leaves a journal that does not grow', async () => {
    const journal = memoryJournal();
    const box = await openWallet({ journal });
    await box.sim({ kind: 'refresh-rule', cooldownSeconds: 0 });
    const whole = await box.refreshed();
    await box.sim({ kind: 'refresh-rule', outcome: 'fails', cooldownSeconds: 0 });
    for (let time = 0; time < 60; time += 1) await box.refreshed();
    expect(journal.refreshes().length).toBeLessThan(20);
    expect((await box.overview()).holdingsLastUpdate).toBe(whole.holdingsLastUpdate);
  });
});

describe('a question about a wallet', () => {
  test.each(['wallet', 'address', 'walletAddress'])('with %s= is refused', async (name) => {
    const box = await openWallet();
    expect((await box.get(`${PREFIX}/overview?${name}=${box.wallet}`)).status).toBe(400);
    expect((await box.get(`${PREFIX}/overview?walletPublicKey=${box.wallet}&${name}=${box.wallet}`)).status).toBe(400);
    const body = JSON.stringify({ [name]: box.wallet });
    expect((await box.get(`${PREFIX}/holdings/refresh`, { method: 'POST', body })).status).toBe(400);
  });

  test('without a key, with a short one, with a token nobody knows or a body that is none is refused', async () => {
    const box = await openWallet();
    expect((await box.get(`${PREFIX}/overview`)).status).toBe(400);
    expect((await box.get(`${PREFIX}/overview?walletPublicKey=${box.wallet.slice(0, 20)}`)).status).toBe(400);
    expect((await box.post('/holdings/project/refresh')).status).toBe(400);
    expect((await box.post('/holdings/project/refresh', { tokenAddress: box.wallet })).status).toBe(404);
    expect((await box.get(`${PREFIX}/holdings/refresh`, { method: 'POST', body: 'no' })).status).toBe(400);
    expect((await box.get(`${PREFIX}/holdings/refresh?walletPublicKey=${box.wallet}`)).status).toBe(404);
    expect((await box.get(`${PREFIX}/holdings/refresh-status?jobId=nobody`)).status).toBe(404);
    expect((await fetch(`${box.url}${PREFIX}/overview?walletPublicKey=${box.wallet}`)).status).toBe(401);
  });
});

describe('the flow of a token', () => {
  test('covers thirty-one days, opens where it closed, and has no position where nothing moved', async () => {
    const box = await openWallet();
    for (const amount of ['100', '-40', '7.25']) {
      await box.sim({ kind: 'transfer', wallet: box.wallet, project: 'tide', amount });
      box.clock.turn(3 * DAY);
    }
    await box.refreshed();
    const { data } = (await box.about('/token-flow-chart', `&tokenAddress=${box.world.mint('tide')}`)).body;
    expect(data.points).toHaveLength(31);
    expect(data.netAmount).toBeCloseTo(data.totalInflowAmount - data.totalOutflowAmount, 6);
    const moved = data.points.filter((point: { position: { openingBalance: number | null } }) => point.position.openingBalance !== null);
    const still = data.points.filter((point: { position: { openingBalance: number | null } }) => point.position.openingBalance === null);
    expect(still.length).toBeGreaterThan(20);
    expect(still.every((point: { acquired: number; reduced: number }) => point.acquired === 0 && point.reduced === 0)).toBe(true);
    for (const [index, point] of moved.slice(1).entries())
      expect(point.position.openingBalance).toBeCloseTo(moved[index].position.closingBalance, 6);
    const row = (await box.about('/holdings')).body.data.find((one: { projectSlug: string }) => one.projectSlug === 'tide');
    expect(moved.at(-1).position.closingBalance).toBeCloseTo(row.balance, 6);
  });
});

describe('trades and ICOs', () => {
  test('of a proposal add up over both windows, in both lists and in the summary', async () => {
    const box = await openWallet();
    const { publicKey } = (await box.get('/v1/proposal?slug=tide')).body.data[0];
    for (const usd of ['120.5', '80']) await box.sim({ kind: 'trade', wallet: box.wallet, proposal: publicKey, usd });
    const market = (await box.about('/decision-markets')).body.data.find(
      (row: { proposalPublicKey: string }) => row.proposalPublicKey === publicKey,
    );
    const whole = (await box.about('/proposal-breakdown/overview', `&proposalPublicKey=${publicKey}`)).body.data;
    expect(whole.preTwap.walletTrades + whole.twapWindow.walletTrades).toBe(market.walletTrades);
    for (const window of ['preTwap', 'twapWindow']) {
      const part = (await box.about('/proposal-breakdown/overview', `&proposalPublicKey=${publicKey}&window=${window}`)).body.data;
      expect(part).toMatchObject(whole[window]);
      const rows = (await box.about('/proposal-breakdown/trades', `&proposalPublicKey=${publicKey}&window=${window}`)).body;
      expect(rows.meta.totalItems).toBe(part.walletTrades);
      for (const row of rows.data) expect(Object.keys(row)).toContain('timeStamp');
    }
    const all = (await box.about('', '&limit=100')).body;
    expect(all.meta.totalItems).toBe((await box.overview()).totalTrades);
    expect(all.data.filter((row: { proposalPublicKey: string }) => row.proposalPublicKey === publicKey)).toHaveLength(market.walletTrades);
  });

  test('an ICO pays back what it did not take, once it has closed', async () => {
    const box = await openWallet();
    const launches = (await box.get('/v1/global-dashboard/completed-launches/info')).body.data;
    await box.sim({ kind: 'contribution', wallet: box.wallet, launch: launches[0].launchAddr, amount: '1000' });
    const { body } = await box.about('/ico-participation', '&sort=contribution&order=DESC');
    const row = body.data.find((one: { launchAddr: string }) => one.launchAddr === launches[0].launchAddr);
    const taken = Math.min(1, Number(launches[0].fundsAccepted) / Number(launches[0].committedAmount));
    expect(Number(row.refund)).toBeCloseTo(1_000 * (1 - taken), 2);
    expect(Number(row.allocation)).toBeGreaterThan(0);
    const totals = (await box.about('/ico-participation/overview')).body.data;
    expect(totals.totalIcos).toBe(body.meta.totalItems);
  });
});

test('no wallet holds more than there is, whatever it bought', async () => {
  const box = await openBox();
  const at = instant(Date.UTC(2026, 9, 22, 4, 35, 48));
  const rows = box.world.wallets.holdings(box.world.wallets.some(207), at);
  expect(rows.map(({ who }) => who.slug)).toContain('spindrift');
  expect(rows.filter(({ held, supply }) => held > supply)).toEqual([]);
});

test('any wallet answers at any moment, and a snapshot is never of the future', async () => {
  const box = await openBox();
  fc.assert(
    fc.property(fc.nat(1_000), fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) }), (number, at) => {
      const wallet = box.world.wallets.some(number);
      const moment = at as typeof NOON;
      expect(box.world.wallets.snapshot(wallet, moment).takenAt ?? 0).toBeLessThanOrEqual(at);
      for (const row of box.world.wallets.holdings(wallet, moment)) {
        expect(row.held > 0n && row.held <= row.supply).toBe(true);
        expect(row.readAt).toBeLessThanOrEqual(at);
      }
    }),
    { numRuns: runs(40) },
  );
});
