import { expect, test } from 'vitest';
import { everywhere } from './places.js';

test("a market's count, crowd and volume are those of its trades, at any moment of any world", () => {
  everywhere(({ world, who, at }) => {
    for (const one of world.proposals.list(who, at).slice(0, 3)) {
      const trades = world.proposals.trades(one, at);
      const market = world.proposals.market(one, at);
      const cents = trades.reduce((sum, { usd }) => sum + Math.round(Number(usd) * 100), 0);
      expect([market.trades, market.traders]).toEqual([trades.length, new Set(trades.map(({ wallet }) => wallet)).size]);
      expect(Math.round(Number(market.volume) * 100)).toBe(cents);
    }
  }, 30);
});

test('nobody trades before it is live, after its end, in the future, or for nothing', () => {
  everywhere(({ world, who, at }) => {
    for (const one of world.proposals.list(who, at).slice(0, 3))
      for (const trade of world.proposals.trades(one, at)) {
        expect(trade.at >= one.liveAt && trade.at <= one.endsAt && trade.at <= at).toBe(true);
        expect(Number(trade.usd)).toBeGreaterThan(0);
      }
  }, 30);
});

test('what a trader did is what the market says he did', () => {
  everywhere(({ world, who, at }) => {
    const one = world.proposals.list(who, at).find((found) => world.proposals.market(found, at).trades > 0);
    if (one === undefined) return;
    const trades = world.proposals.trades(one, at);
    for (const wallet of new Set(trades.slice(0, 5).map((trade) => trade.wallet)))
      expect(world.proposals.tradesOf(one, wallet, at)).toEqual(trades.filter((trade) => trade.wallet === wallet));
  }, 20);
});

test('the averages begin where their window opens, at the price of that moment, and lead by the edge that is alerted', () => {
  everywhere(({ world, who, at }) => {
    for (const one of world.proposals.list(who, at).slice(0, 3)) {
      const market = world.proposals.market(one, at);
      const quotes = world.proposals.quotes(one, at);
      if (quotes === undefined) continue;
      expect(quotes.passTwap !== undefined).toBe(at >= one.twapAt);
      if (quotes.passTwap === undefined || quotes.failTwap === undefined || market.edge === undefined) continue;
      expect((Number(quotes.passTwap) / Number(quotes.failTwap) - 1) * 100).toBeCloseTo(Number(market.edge), 1);
    }
    const ended = world.proposals.list(who, at).find((one) => one.outcome !== 'removed' && one.endsAt <= at);
    const opened = ended && world.proposals.quotes(ended, ended.twapAt);
    if (opened === undefined) return;
    expect(Number(opened.failTwap) / Number(opened.fail)).toBeCloseTo(1, 2);
  }, 30);
});
