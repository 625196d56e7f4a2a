import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.js';
import { plainText } from '../../../src/chat/plain-text.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { openAppHarness } from '../../support/app-harness.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const PROPOSAL = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const PREFIX = '/v1/trading-activity/special-wallet';
/** Twenty days before the noon at which a harness opens. */
const OLD = Date.UTC(2026, 9, 31, 12) / 1_000;

const ALDR = { tokenAddress: 'AldrMint', tokenSymbol: 'ALDR', projectSlug: 'alder', projectName: 'Alder Works' };
const HOLDING = { ...ALDR, balance: 1000, usdPrice: 0.828, value: 828, holderRank: 12, percentageOfTotalSupply: '0.01', syncedAt: OLD };
const OVERVIEW = {
  ownershipCoinsValue: '828',
  otherValue: '0',
  unpricedTokenCount: 2,
  holdingsLastUpdate: OLD,
  needsRefresh: false,
  historySyncStatus: 'pending',
};
const MARKET = {
  ...{
    proposalId: 17,
    proposalPublicKey: PROPOSAL,
    proposalName: 'Fund the second audit',
    projectName: 'Tidewater',
    proposalState: 'succeeded',
  },
  ...{ netAlignment: -120.5, walletVolume: 300, walletTrades: 3, proposalVolumeConc: '0.87', lastTradeTime: OLD },
};
const TRADE = { timeStamp: OLD, marketType: 'PASS', direction: 'BUY', price: '0.5', size: '10', value: 5 };
const ANSWERS = {
  [`${PREFIX}/holdings/overview`]: OVERVIEW,
  [`${PREFIX}/overview`]: { totalVolume: 300, totalTrades: 3, totalUniqueProposals: 1, maxTradeSize: '200', holdingsLastUpdate: OLD },
  [`${PREFIX}/holdings`]: { data: [HOLDING], meta: { totalItems: 1 } },
  [`${PREFIX}/decision-markets`]: { data: [MARKET], meta: { totalItems: 1 } },
  [`${PREFIX}/proposal-breakdown/overview`]: {
    preTwap: { walletTrades: 1, walletVolume: 100 },
    twapWindow: { walletTrades: 2, walletVolume: 200 },
  },
  [`${PREFIX}/proposal-breakdown/trades`]: { data: [TRADE], meta: { totalItems: 3 } },
  [PREFIX]: { data: [{ ...TRADE, proposalTitle: 'Fund the second audit' }], meta: { totalItems: 1 } },
  [`${PREFIX}/ico-participation/overview`]: { totalContribution: '1000', totalRefund: 0 },
  [`${PREFIX}/ico-participation`]: {
    data: [{ launchAddr: 'l1', projectName: 'Heron Flats', tokenSymbol: 'HERN', contribution: '1000', refund: null, allocation: '500' }],
    meta: { totalItems: 1 },
  },
};

describe('a summary', () => {
  test('tells what a wallet holds, how old that is by the clock, and leads on', async () => {
    const { say, deadButtons } = await openAppHarness({ answers: ANSWERS });
    const { text, reply } = await say(`/wallet ${WALLET}`);
    expect(text.split('\n').slice(0, 4)).toEqual([
      'Wallet 7Hq2…x9Pd holds $828.00 in 1 ownership coin (plus $0 in other tokens, 2 tokens without a price)',
      'ALDR 1,000 · $828.00 · rank 12 · 0.01% of supply',
      'Decision-market volume $300.00 · trades 3 · proposals 1 · largest trade $200.00',
      '⚠ Snapshot is 20 d old · history sync: pending',
    ]);
    expect(reply.actions.map(({ label }) => label)).toEqual([
      ...['Refresh', 'Summary', 'Holdings', 'Flow', 'Decision markets', 'Trades', 'ICOs', 'Watch', 'Sources'],
    ]);
    expect(await deadButtons(reply)).toEqual([]);
  });

  test('warns once of coins that are reported wrongly, not of their sum with the rest too', async () => {
    const overview = { ...OVERVIEW, ownershipCoinsValue: '500', otherValue: '100', walletValue: '928' };
    const { say } = await openAppHarness({ answers: { ...ANSWERS, [`${PREFIX}/holdings/overview`]: overview } });
    const warnings = (await say(`/wallet ${WALLET}`)).text.split('\n').filter((row) => row.includes('reported as'));
    expect(warnings).toEqual([expect.stringMatching(/^⚠ .*\$500\.00.*\$828\.00/u)]);
  });

  test('whose overview is older than its first snapshot reads the overview again, and shows no $0', async () => {
    const { holdingsLastUpdate: _, ...before } = { ...OVERVIEW, ownershipCoinsValue: '0' };
    for (const [after, says] of [
      [OVERVIEW, 'holds $828.00 in 1 ownership coin'],
      [before, 'holds n/a in 1 ownership coin (plus n/a in other tokens'],
    ] as const) {
      const answers = [before, after, after];
      const overview = { toJSON: () => answers.shift() };
      const { say } = await openAppHarness({ answers: { ...ANSWERS, [`${PREFIX}/holdings/overview`]: overview } });
      expect((await say(`/wallet ${WALLET}`)).text).toContain(says);
      expect(answers).toHaveLength(1);
    }
  });

  test('of a wallet that was never read says so, and does not call it empty', async () => {
    const never = { ...OVERVIEW, ownershipCoinsValue: null, otherValue: null, holdingsLastUpdate: null, unpricedTokenCount: null };
    const { say } = await openAppHarness({
      answers: { ...ANSWERS, [`${PREFIX}/holdings/overview`]: never, [`${PREFIX}/holdings`]: { data: [], meta: { totalItems: 0 } } },
    });
    for (const view of ['summary', 'holdings']) {
      const { text, reply } = await say(`/wallet ${WALLET} ${view}`);
      expect(text).toMatch(/^No snapshot of wallet 7Hq2…x9Pd yet/u);
      expect(text).not.toMatch(/holds (?:n\/a|no |\$0)/u);
      expect(reply.actions[0]).toMatchObject({ label: 'Show again', line: `/wallet ${WALLET} ${view}` });
    }
  });

  test('of a wallet without a snapshot refreshes it, shows the progress, and says if there still is none', async () => {
    const never = { ...OVERVIEW, ownershipCoinsValue: null, otherValue: null, holdingsLastUpdate: null, unpricedTokenCount: null };
    const harness = await openAppHarness({
      answers: {
        ...ANSWERS,
        [`${PREFIX}/holdings/overview`]: never,
        [`${PREFIX}/overview`]: { totalVolume: 0, holdingsLastUpdate: null, needsRefresh: false },
        [`${PREFIX}/holdings`]: { data: [], meta: { totalItems: 0 } },
        [`${PREFIX}/holdings/refresh`]: { jobId: 'job-1' },
        [`${PREFIX}/holdings/refresh-status`]: { status: 'completed', progress: { totalMints: 3, processedMints: 3 } },
      },
    });
    const steps: string[] = [];
    const state = { there: false };
    const answer = harness
      .ask({
        ask: { line: `/wallet ${WALLET}` },
        progress: async (step) => void steps.push(plainText(step, harness.clock.now())),
      })
      .finally(() => (state.there = true));
    for (let seconds = 0; seconds < 60 && !state.there; seconds += 1) {
      await harness.refresher.tick();
      await harness.refresher.idle();
      await harness.clock.advance(1_000);
    }
    expect(steps[0]).toMatch(/^● No snapshot of wallet 7Hq2…x9Pd yet\. Refreshing: /u);
    expect((await answer).text).toMatch(/^No snapshot of wallet 7Hq2…x9Pd yet\. /u);
    expect(harness.refresher.standing(walletAddress(WALLET)).running).toBe(false);
  });

  test('does without the parts that cannot be had', async () => {
    const { say } = await openAppHarness({ answers: { [`${PREFIX}/holdings/overview`]: OVERVIEW } });
    const { text } = await say(`/wallet ${WALLET}`);
    expect(text).toContain('Holdings: n/a: no data');
    expect(text).toContain('Decision markets n/a: no data');
  });
});

describe('another view', () => {
  test.each([
    ['holdings', ['ALDR    1,000  $0.8280  $828.00    12        0.01%']],
    ['markets', ['▼ Fund the second audit (Tidewater)', '$120.50 net for fail · $300.00 in 3 trades · 0.87% of volume · proposal passed']],
    ['trades', ['Oct 31, 12:00 UTC  buy pass    10  $0.5000  $5.00  Fund the second audit']],
    ['icos', ['Contributed $1.00K · refunded $0', 'Heron Flats $1.00K', 'refunded n/a · received 500 HERN']],
    [
      `proposal ${PROPOSAL}`,
      ['1 trade before the TWAP window, 2 trades in it', 'In the TWAP window       2  $200.00', 'Latest 1 of 3 trades'],
    ],
  ])('%s', async (view, lines) => {
    const { say, deadButtons } = await openAppHarness({ answers: ANSWERS });
    const { text, reply } = await say(`/wallet ${WALLET} ${view}`);
    for (const line of lines) expect(text).toContain(line);
    expect(await deadButtons(reply)).toEqual([]);
  });

  test('flow shows the coin of the highest value, or the one that is named, and only periods in which something moved', async () => {
    const still = {
      timestamp: OLD,
      acquired: 0,
      reduced: 0,
      position: { openingBalance: null, closingBalance: null, percentChange: null },
    };
    const moved = {
      timestamp: OLD + 86_400,
      acquired: 250,
      reduced: 0,
      valueUsd: 207,
      position: { openingBalance: 750, closingBalance: 1000, percentChange: '33.3' },
    };
    const { say } = await openAppHarness({
      answers: {
        ...ANSWERS,
        [`${PREFIX}/holdings`]: {
          data: [{ ...HOLDING, tokenAddress: 'TideMint', tokenSymbol: 'TIDE', value: 5 }, HOLDING],
          meta: { totalItems: 2 },
        },
        [`${PREFIX}/token-flow-chart`]: {
          interval: 'day',
          totalInflowAmount: 250,
          totalOutflowAmount: 0,
          netAmount: 250,
          points: [still, moved],
        },
      },
    });
    const { text, reply } = await say(`/wallet ${WALLET} flow`);
    expect(text).toContain('ALDR: 250 ALDR net in the last 2 days');
    expect(text).toContain('Nov 1  250    0    1,000  +33.3%    $207.00');
    expect(text).not.toContain('Oct 31');
    expect(reply.actions.map(({ line }) => line)).toContain(`/wallet ${WALLET} flow TideMint`);
    expect((await say(`/wallet ${WALLET} flow tide`)).text).toContain('added to its TIDE');
    expect((await say(`/wallet ${WALLET} flow nothing`)).text).toContain('called "nothing". It holds ALDR or TIDE.');
  });

  test('flow is over 31 days, also where the first of them is a part of a day and has a point of its own', async () => {
    const points = Array.from({ length: 32 }, (_, day) => ({ timestamp: OLD + day * 86_400, acquired: 1, reduced: 0 }));
    const { say } = await openAppHarness({
      answers: {
        ...ANSWERS,
        [`${PREFIX}/holdings`]: { data: [HOLDING], meta: { totalItems: 1 } },
        [`${PREFIX}/token-flow-chart`]: { interval: 'day', netAmount: 32, points },
      },
    });
    expect((await say(`/wallet ${WALLET} flow`)).text).toContain('net in the last 31 days');
  });

  test('proposal without one asks which, and refuses what is no public key before asking', async () => {
    const { say, deadButtons } = await openAppHarness({ answers: ANSWERS });
    const { text, reply } = await say(`/wallet ${WALLET} proposal`);
    expect(text).toContain('Which proposal?');
    expect(await deadButtons(reply)).toEqual([]);
    expect((await say(`/wallet ${WALLET} proposal audit`)).text).toContain("not a proposal's public key");
  });
});

describe('a wallet', () => {
  test('is checked before anybody is asked about it', async () => {
    const { say, written } = await openAppHarness({ answers: ANSWERS });
    const { text, reply } = await say(`/wallet ${WALLET.slice(0, -2)}`);
    expect(text).toMatch(/^⚠ .+not a wallet address \(31 bytes/u);
    expect(reply.audience).toBe('asker');
    expect((await say(`/wallet ${WALLET.replace('7', '0')}`)).text).toContain('"0" does not occur in one');
    expect(written.filter(({ event }) => event === 'analytics.exchange')).toEqual([]);
  });

  test('goes by its label where it is watched, and needs no name where it is the only one', async () => {
    const { say } = await openAppHarness({ answers: ANSWERS });
    await say(`/watch ${WALLET} fund-1`);
    for (const line of ['/wallet fund-1', '/wallet FUND-1', '/wallet', `/wallet ${WALLET}`]) {
      const { text, reply } = await say(line);
      expect(text).toContain('"fund-1" holds $828.00');
      expect(reply.actions.map(({ label }) => label)).not.toContain('Watch');
    }
    await say(`/watch ${PROPOSAL} fund-2`);
    const { text, reply } = await say('/wallet');
    expect(text).toContain('Which wallet? This chat watches several.');
    expect(reply.actions.map(({ label }) => label)).toEqual(['fund-1', 'fund-2', 'Watch a wallet']);
  });

  test('is offered while it is typed, by label, and only those that are watched here', async () => {
    const { say, registry } = await openAppHarness({ answers: ANSWERS });
    await say(`/watch ${WALLET} fund-1`);
    await say('/watch tide');
    const { catalogue } = registry;
    const chat = (await import('../../support/app-harness.js')).CHAT;
    expect(await catalogue.complete('/wallet fu', chat, 5)).toMatchObject([{ label: 'fund-1', insert: `/wallet ${WALLET} ` }]);
    expect(await catalogue.completeOption({ command: 'refresh', option: 'wallet', partial: '', chat }, 5)).toEqual([
      { value: WALLET, label: 'fund-1' },
    ]);
  });

  test('whose service is away is shown as it was last seen', async () => {
    const { say, clock, service } = await openAppHarness({ answers: ANSWERS });
    await say(`/wallet ${WALLET}`);
    await clock.advance(20 * MINUTE);
    await service.close();
    const { text } = await say(`/wallet ${WALLET}`);
    expect(text).toContain('holds $828.00');
    expect(text).toContain("service isn't responding");
  });
});
