/** Which of a wallet's lists a check reads, what it makes of one that it cannot have, and the sizes that filters compare. */
import { describe, expect, test } from 'vitest';
import { later, MINUTE } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { walletAddress } from '../../src/domain/wallet.js';
import type { WalletFacts } from '../../src/feeds/wallet-content.js';
import { wallet } from '../../src/feeds/wallet.js';
import { answerPage, answerWith, connect, reply, serve, type Asked } from '../support/service.js';
import { background, hastyClock, NOON } from './reading.js';

const PREFIX = '/v1/trading-activity/special-wallet';
const SUBJECT = { address: walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd') };
const HOLDINGS = ['tide', 'aldr', 'glas'].map((token) => ({
  tokenAddress: token,
  balance: 100.5,
  holderRank: '12',
  syncedAt: 1_795_262_411,
}));
const MARKETS = ['p1', 'p2', 'p3'].map((proposalPublicKey) => ({ proposalPublicKey, walletTrades: 2 }));
const ICOS = ['heron', 'tide'].map((slug) => ({ launchAddress: slug, slug, contribution: '1000' }));

/** By the last part of the path. */
const service = async (answers: Readonly<Record<string, (asked: Asked) => void>> = {}) => {
  const { url, asked } = await serve((one) => {
    const name = one.path.slice(PREFIX.length + 1);
    const other = answers[name];
    if (other !== undefined) other(one);
    else if (name === 'holdings/overview') answerWith(one, { holdingsLastUpdate: 1_795_262_411, needsRefresh: true });
    else if (name === 'holdings') answerPage(one, HOLDINGS);
    else answerPage(one, name === 'decision-markets' ? MARKETS : ICOS);
  });
  const { analytics } = await connect(url, { clock: hastyClock() });
  return { asked, read: async () => wallet.spec.read(SUBJECT, background(analytics)) };
};
const refuse = (status: number) => (asked: Asked) => reply(asked, '{}', { status });

describe('the lists of a wallet', () => {
  test('are each read row by row', async () => {
    const { read } = await service();
    const { data, complete, hidden, broken } = await read();
    expect(data.holdings.rows.map(({ token }) => token)).toEqual(['tide', 'aldr', 'glas']);
    expect(data.markets).toMatchObject({ whole: true, rows: MARKETS.map(({ proposalPublicKey }) => ({ publicKey: proposalPublicKey })) });
    expect(data.icos).toMatchObject({ whole: true, rows: ICOS.map(({ launchAddress }) => ({ launch: launchAddress })) });
    expect({ complete, hidden, broken }).toEqual({ complete: true, hidden: 0, broken: 0 });
  });

  test.each([['decision-markets'], ['ico-participation']])(
    'are done without %s that the plan hides or the service refuses',
    async (name) => {
      for (const status of [400, 403, 404]) {
        const { read } = await service({ [name]: refuse(status) });
        const { data, complete } = await read();
        expect([data.markets?.rows.length, data.icos?.rows.length]).toEqual(name === 'decision-markets' ? [undefined, 2] : [3, undefined]);
        expect([data.holdings.rows.length, complete]).toEqual([3, true]);
      }
    },
  );

  test.each([['decision-markets'], ['ico-participation']])('are not read as if there were no %s while the key is refused', async (name) => {
    const { read } = await service({ [name]: refuse(401) });
    await expect(read()).rejects.toMatchObject({ trouble: 'key-refused' });
  });

  test('of which a row cannot be read are not whole, although the service counts no more, and the others are', async () => {
    const bad = (rows: readonly object[]) => (asked: Asked) =>
      answerPage(asked, [...rows, { title: 'no key' }], { meta: { totalItems: rows.length } });
    const wholeOf = async (answers: Parameters<typeof service>[0]) => {
      const { data, broken, complete } = await (await service(answers)).read();
      return [data.holdings.whole, data.markets?.whole, data.icos?.whole, broken, complete];
    };
    expect(await wholeOf({ holdings: bad(HOLDINGS) })).toEqual([false, true, true, 1, true]);
    expect(await wholeOf({ 'decision-markets': bad(MARKETS) })).toEqual([true, false, true, 1, true]);
    expect(await wholeOf({ holdings: bad(HOLDINGS), 'decision-markets': bad(MARKETS) })).toEqual([false, false, true, 2, true]);
  });

  test('of which one is cut short are complete no longer, and only that one is not whole', async () => {
    const cut = (asked: Asked) => answerPage(asked, ICOS, { meta: { totalItems: 9 } });
    const { data, complete } = await (await service({ 'ico-participation': cut })).read();
    expect([data.holdings.whole, data.markets?.whole, data.icos?.whole, complete]).toEqual([true, true, false, false]);
  });
});

describe('the size of a change, which filters compare,', () => {
  const sizeOf = (facts: WalletFacts, stage: string) => ({ ...wallet.alerts.size(facts, stage), labels: undefined });
  const held = { about: 'holding', token: 'tide', now: decimal('150'), at: NOON } as const;

  test('of a balance is what moved, at the price of then, and its part of what was held', () => {
    const facts = { ...held, was: decimal('200'), price: decimal('0.5') };
    expect(sizeOf(facts, 'balance')).toEqual({ noun: 'change', usd: '25', percent: '25' });
    expect(sizeOf({ ...held, price: decimal('0.5') }, 'new')).toEqual({ noun: 'change', usd: '75' });
    expect(sizeOf({ ...held, was: decimal('200') }, 'balance')).toEqual({ noun: 'change', percent: '25' });
  });

  test('of a rank that moved alone is nothing, and no percentage; of one that crosses a rule it is unknown', () => {
    expect(sizeOf({ ...held, was: held.now, price: decimal('0.5'), rank: 3, wasRank: 4 }, 'rank')).toEqual({ noun: 'change', usd: '0' });
    expect(sizeOf({ about: 'rank', token: 'tide', rank: 3, wasRank: 4, at: NOON }, 'level')).toEqual({ noun: 'change' });
  });

  test('of trades is what was traded since, and of an ICO what was put in', () => {
    const trades = { about: 'trades', volume: decimal('900'), moreVolume: decimal('-300') } as const;
    expect(sizeOf(trades, 'trades')).toEqual({ noun: 'trading', usd: '300' });
    expect(sizeOf({ about: 'trades', volume: decimal('900') }, 'trades')).toEqual({ noun: 'trading' });
    expect(sizeOf({ about: 'ico', contribution: decimal('1000') }, 'ico')).toEqual({ noun: 'contribution', usd: '1000' });
  });
});

test('a check is as old as the oldest of what it read', async () => {
  const hand = hastyClock();
  let lists = 0;
  const clock = { ...hand, now: () => later(hand.now(), lists * MINUTE) };
  const { url } = await serve((asked) => {
    if (asked.path.endsWith('overview')) return answerWith(asked, { holdingsLastUpdate: 1_795_262_411 });
    lists += 1;
    answerPage(asked, []);
  });
  const { analytics } = await connect(url, { clock });
  const begun = clock.now();
  const { at } = await wallet.spec.read(SUBJECT, background(analytics));
  expect([at - begun, clock.now() - begun]).toEqual([0, 3 * MINUTE]);
});
