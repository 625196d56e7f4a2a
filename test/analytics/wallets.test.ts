/** The traps of the operations about wallets: what is named, counted, refused and repeated there unlike anywhere else. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  walletIcos,
  walletMarkets,
  walletProposal,
  walletProposalTrades,
  walletTrades,
} from '../../src/analytics/endpoints/wallet-activity.js';
import {
  refreshHoldings,
  refreshStatus,
  refreshToken,
  walletHoldings,
  walletHoldingsOverview,
  walletOverview,
  walletTokenFlow,
} from '../../src/analytics/endpoints/wallets.js';
import { ENDPOINTS } from '../../src/analytics/endpoints/index.js';
import { HOUR, SECOND } from '../../src/base/clock.js';
import { keyFault } from '../../src/domain/wallet.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { answerWith, caught, connect, reply, serve, type Asked } from '../support/service.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const wallet = { walletPublicKey: WALLET };
const PROPOSAL = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const SNAPSHOT = 1_795_262_411;

const serviceWith = async (data: unknown, meta?: unknown) => {
  const service = await serve((asked) => answerWith(asked, data, meta));
  return { ...(await connect(service.url)), service };
};

describe('a snapshot', () => {
  test('is as old as holdingsLastUpdate says, in Unix seconds, whatever needsRefresh says', async () => {
    for (const needsRefresh of [true, false, null]) {
      const { analytics } = await serviceWith({ holdingsLastUpdate: SNAPSHOT, needsRefresh });
      const { data } = await analytics.call(walletHoldingsOverview, wallet);
      expect(data.snapshotAt).toBe(SNAPSHOT * SECOND);
      expect(JSON.stringify(data)).not.toContain('needsRefresh');
    }
  });

  test('that was never made has no time, and is not one of 1970', async () => {
    const { analytics } = await serviceWith({ holdingsLastUpdate: null, needsRefresh: false });
    expect((await analytics.call(walletOverview, wallet)).data.snapshotAt).toBeUndefined();
  });

  test('mixes text and numbers, and both are read to the last digit', async () => {
    const { analytics } = await serviceWith({
      walletValue: '828.0000000000000001',
      ownershipCoinsValue: 12.5,
      totalAssets: '4',
      unpricedTokenCount: 2,
      holdingsLastUpdate: String(SNAPSHOT),
    });
    const { data } = await analytics.call(walletHoldingsOverview, wallet);
    expect(data).toMatchObject({ value: '828.0000000000000001', coins: '12.5', assets: 4, unpriced: 2, snapshotAt: SNAPSHOT * SECOND });
  });

  test('of holdings names its rows by mint, and one that cannot be read costs itself', async () => {
    const row = { tokenAddress: 'mint', balance: '1000.000001', holderRank: '12', usdPrice: 0.828, syncedAt: SNAPSHOT };
    const { analytics } = await serviceWith([row, { ...row, tokenAddress: null }, { ...row, tokenAddress: 'other', usdPrice: null }]);
    const { rows, broken } = (await analytics.call(walletHoldings, wallet)).data;
    expect(rows).toMatchObject([
      { token: 'mint', balance: '1000.000001', rank: 12, price: '0.828', syncedAt: SNAPSHOT * SECOND },
      { token: 'other', price: undefined },
    ]);
    expect(broken).toBe(1);
  });
});

describe('a wait', () => {
  test.each([
    [
      { refreshLimited: true, refreshRetryAfterSeconds: 240 },
      { limited: true, retryAfterSeconds: 240 },
    ],
    [
      { refreshLimited: 'true', refreshRetryAfterSeconds: '240' },
      { limited: true, retryAfterSeconds: 240 },
    ],
    [
      { refreshLimited: true, refreshRetryAfterSeconds: null },
      { limited: true, retryAfterSeconds: undefined },
    ],
    [
      { refreshLimited: false, refreshRetryAfterSeconds: 0 },
      { limited: false, retryAfterSeconds: undefined },
    ],
    [{}, { limited: false, retryAfterSeconds: undefined }],
  ])('of %j is read as %j', async (alerted, read) => {
    const { analytics } = await serviceWith(alerted);
    expect((await analytics.call(walletOverview, wallet)).data).toMatchObject(read);
  });
});

describe('a wallet', () => {
  const rows = ENDPOINTS.filter((row) => 'walletPublicKey' in row.input.shape);
  const about = { tokenAddress: 'mint', proposalPublicKey: PROPOSAL };

  test.each(rows.map((row) => [row.id, row] as const))('is checked before %s asks about it', async (_, row) => {
    const { analytics, service } = await serviceWith({});
    const call = async (walletPublicKey: string) => analytics.call<z.ZodObject, unknown>(row, { ...about, walletPublicKey });
    const wrong = [WALLET.slice(0, -2), `${WALLET}1`, WALLET.replace('7', '0'), `${WALLET} `, '', '1'.repeat(31), 'tide'];
    for (const key of wrong) {
      expect(keyFault(key)).toBeDefined();
      await expect(call(key)).rejects.toThrow('not 32 bytes of base58');
    }
    expect(service.asked).toEqual([]);
    await call(WALLET).catch(() => {});
    expect(service.asked).not.toEqual([]);
  });

  test('goes by walletPublicKey in every operation; the service refuses its other names', async () => {
    expect(rows).toHaveLength(12);
    const clock = { now: () => Date.UTC(2026, 10, 21) as never, sleep: async () => {} };
    const box = await startSimulator({ seed: 'harbor', pace: 1, clock, journal: memoryJournal(), apiKey: 'a-key-for-tests' });
    const ask = async (path: string, init: RequestInit) =>
      (await fetch(`${box.url}${path}`, { ...init, headers: { 'x-api-key': 'a-key-for-tests', 'content-type': 'application/json' } }))
        .status;
    for (const { path, method } of rows) {
      for (const name of ['wallet', 'address', 'walletAddress']) {
        const asked =
          method === 'POST' ? ask(path, { method, body: JSON.stringify({ [name]: WALLET }) }) : ask(`${path}?${name}=${WALLET}`, {});
        expect([path, name, await asked]).toEqual([path, name, 400]);
      }
    }
    await box.close();
  });
});

describe('the flow of a token', () => {
  test('has no position in a period in which nothing moved, which is not one of 0', async () => {
    const still = { openingBalance: null, closingBalance: null, percentChange: null };
    const { analytics } = await serviceWith({
      netAmount: '40.5',
      points: [
        { timestamp: SNAPSHOT, acquired: 0, reduced: 0, netAccumulation: 0, position: still },
        {
          timestamp: SNAPSHOT + 60,
          acquired: '40.5',
          reduced: 0,
          position: { openingBalance: 0, closingBalance: '40.5', percentChange: null },
        },
        { timestamp: SNAPSHOT + 120, acquired: 0, position: null },
      ],
    });
    const { points, broken } = (await analytics.call(walletTokenFlow, { ...wallet, tokenAddress: 'mint' })).data;
    expect(points.map(({ position }) => position)).toEqual([undefined, { opening: '0', closing: '40.5', change: undefined }, undefined]);
    expect(points[0]?.at).toBe(SNAPSHOT * SECOND);
    expect(broken).toBe(0);
  });
});

describe('what a wallet did', () => {
  test('at a trade is dated by timeStamp, with its capital', async () => {
    const { analytics } = await serviceWith([
      { timeStamp: SNAPSHOT, marketType: 'PASS', direction: 'BUY', price: '0.5', size: '10', value: 5 },
    ]);
    const { rows } = (await analytics.call(walletProposalTrades, { ...wallet, proposalPublicKey: PROPOSAL })).data;
    expect(rows).toMatchObject([{ at: SNAPSHOT * SECOND, market: 'pass', direction: 'buy', size: '10', value: '5' }]);
  });

  test('across all projects has a layout that is not stated, and is read by name', async () => {
    const { analytics } = await serviceWith({
      trades: [{ timeStamp: String(SNAPSHOT), proposalPublicKey: PROPOSAL, txHash: 'sig' }, { price: 1 }],
    });
    const { rows, broken } = (await analytics.call(walletTrades, wallet)).data;
    expect(rows).toMatchObject([{ at: SNAPSHOT * SECOND, publicKey: PROPOSAL, signature: 'sig' }]);
    expect(broken).toBe(1);
  });

  test('on a market is alerted in numbers and text, and a proposal may be known by its number alone', async () => {
    const row = { proposalId: 17, netAlignment: -12.5, proposalVolumeConc: '0.87', walletTrades: '3', lastTradeTime: SNAPSHOT };
    const { analytics } = await serviceWith([row, { ...row, proposalId: null }]);
    const { rows, broken } = (await analytics.call(walletMarkets, wallet)).data;
    expect(rows).toMatchObject([
      { id: '17', publicKey: undefined, net: '-12.5', volumeShare: '0.87', trades: 3, lastTradeAt: SNAPSHOT * SECOND },
    ]);
    expect(broken).toBe(1);
  });

  test('on one proposal is read of the window that was asked for, or of each where both are stated', async () => {
    const one = await serviceWith({ proposalId: 17, walletTrades: 3, walletVolume: '40' });
    const asked = await one.analytics.call(walletProposal, { ...wallet, proposalPublicKey: PROPOSAL, window: 'preTwap' });
    expect(asked.data.all).toMatchObject({ trades: 3, volume: '40' });
    const both = await serviceWith({ preTwap: { walletTrades: 1 }, twapWindow: { walletTrades: 2 } });
    const { data } = await both.analytics.call(walletProposal, { ...wallet, proposalPublicKey: PROPOSAL });
    expect([data.preTwap?.trades, data.twapWindow?.trades]).toEqual([1, 2]);
  });

  test('in an ICO that says neither launch nor project cannot be alerted from another, and is left out', async () => {
    const { analytics } = await serviceWith([{ launchAddr: 'l1', contribution: '1000', refund: null }, { contribution: 5 }]);
    const { rows, broken } = (await analytics.call(walletIcos, wallet)).data;
    expect(rows).toMatchObject([{ launch: 'l1', contribution: '1000', refund: undefined }]);
    expect(broken).toBe(1);
  });
});

describe('asking for a refresh', () => {
  const accept = (asked: Asked, data: unknown): void =>
    reply(asked, JSON.stringify({ data, meta: { code: 202, message: 'accepted' } }), { status: 202 });

  test('is accepted with 202, a job and a meta that says so', async () => {
    const service = await serve((asked) =>
      accept(asked, { jobId: 'job-1', status: 'queued', alreadyRunning: false, snapshotRefreshed: false }),
    );
    const { analytics } = await connect(service.url);
    const { data, meta } = await analytics.call(refreshHoldings, wallet);
    expect(data).toEqual({ jobId: 'job-1', status: 'queued', alreadyRunning: false });
    expect(meta).toMatchObject({ code: 202, message: 'accepted' });
    expect(service.asked.map(({ method, query }) => [method, query.size])).toEqual([['POST', 0]]);
  });

  test('while one runs says so; without a job it cannot be followed and is no answer', async () => {
    const running = await serve((asked) => accept(asked, { jobId: 'job-1', alreadyRunning: 'true' }));
    const { analytics } = await connect(running.url);
    expect((await analytics.call(refreshToken, { ...wallet, tokenAddress: 'mint' })).data.alreadyRunning).toBe(true);
    const nameless = await serve((asked) => accept(asked, { status: 'queued' }));
    expect((await caught((await connect(nameless.url)).analytics.call(refreshHoldings, wallet))).trouble).toBe('malformed');
  });

  test.each([
    ['in its body', { error: { refreshRetryAfterSeconds: 240.2 } }, {}, 241],
    ['in its body as text', { data: { refreshRetryAfterSeconds: '240' } }, {}, 240],
    ['in a header', { error: 'no' }, { 'retry-after': '240' }, 240],
  ])('too soon is refused with 429, and how long to wait %s is kept', async (_, body, headers: Record<string, string>, seconds) => {
    const service = await serve((asked) => reply(asked, JSON.stringify(body), { status: 429, headers }));
    const { analytics, clock } = await connect(service.url);
    const { trouble, until } = await caught(analytics.call(refreshHoldings, wallet));
    expect([trouble, until]).toEqual(['limited', clock.now() + seconds * SECOND]);
  });

  test('too soon without a number is refused without a moment, and keeps nobody from other questions', async () => {
    const service = await serve((asked) =>
      asked.method === 'POST' ? reply(asked, '{"error":"slow down"}', { status: 429 }) : answerWith(asked, { refreshLimited: true }),
    );
    const { analytics } = await connect(service.url);
    expect(await caught(analytics.call(refreshHoldings, wallet))).toMatchObject({ trouble: 'limited', until: undefined });
    expect((await analytics.call(walletOverview, wallet)).data.limited).toBe(true);
    expect(analytics.state().ok).toBe(true);
  });

  test.each([
    ['refused', (asked: Asked) => reply(asked, '{}', { status: 429 })],
    ['failing', (asked: Asked) => reply(asked, '{}', { status: 503 })],
    ['cut short', (asked: Asked) => void asked.response.destroy()],
    ['answered with something else', (asked: Asked) => reply(asked, '<html>')],
  ])('is never repeated by itself when it is %s', async (_, answer) => {
    const service = await serve(answer);
    const { analytics } = await connect(service.url);
    await caught(analytics.call(refreshHoldings, wallet));
    expect(service.asked).toHaveLength(1);
  });

  test('by fifty at once is asked once', async () => {
    let first: Asked | undefined;
    const service = await serve((asked) => void (first ??= asked));
    const { analytics } = await connect(service.url);
    const calls = Array.from({ length: 50 }, async () => analytics.call(refreshHoldings, wallet));
    await service.arrived(1);
    if (first !== undefined) accept(first, { jobId: 'job-1' });
    const jobs = (await Promise.all(calls)).map(({ data }) => data.jobId);
    expect([new Set(jobs).size, service.asked.length]).toEqual([1, 1]);
  });

  test('is answered again each time, never from a copy, also when the service fails', async () => {
    const service = await serve((asked) => (asked.number === 1 ? accept(asked, { jobId: 'job-1' }) : reply(asked, '{}', { status: 503 })));
    const { analytics } = await connect(service.url);
    await analytics.call(refreshHoldings, wallet);
    expect((await caught(analytics.call(refreshHoldings, wallet))).trouble).toBe('unreachable');
  });
});

describe('a refresh under way', () => {
  const job = { jobId: 'job-1' };

  test('tells how far it is; what it leaves behind counts from 0', async () => {
    const { analytics } = await serviceWith({
      status: 'running',
      progress: { totalMints: 4, processedMints: '2', scannedTransactions: 33, incompleteAccounts: null },
      error: null,
    });
    expect((await analytics.call(refreshStatus, job)).data).toMatchObject({
      status: 'running',
      tokens: 4,
      tokensDone: 2,
      transactions: 33,
      incomplete: 0,
      error: undefined,
    });
    const done = await serviceWith({ status: 'completed', progress: { incompleteAccounts: 3 }, holdingsLastUpdate: SNAPSHOT });
    expect((await done.analytics.call(refreshStatus, job)).data).toMatchObject({ incomplete: 3, snapshotAt: SNAPSHOT * SECOND });
  });

  test('is asked about again each time', async () => {
    const { analytics, service, clock } = await serviceWith({ status: 'running' });
    await analytics.call(refreshStatus, job);
    await analytics.call(refreshStatus, job);
    expect(service.asked).toHaveLength(2);
    expect(clock.now() % HOUR).toBe(0);
  });

  test('of a wallet stands in its overview; one that does not name itself cannot be followed', async () => {
    const { analytics } = await serviceWith({ refreshJob: { jobId: 'job-1', status: 'running' } });
    expect((await analytics.call(walletOverview, wallet)).data.job).toMatchObject({ id: 'job-1' });
    for (const refreshJob of [null, undefined, {}, 'running']) {
      const other = await serviceWith({ refreshJob });
      expect((await other.analytics.call(walletOverview, wallet)).data.job?.id).toBeUndefined();
    }
  });
});
