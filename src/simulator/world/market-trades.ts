/** The seed gives a market's natural trades, whose totals equal the list. */
import { HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { exactly, hundredths, roundedNumber, type Exactly } from './amounts.js';
import { wave, whole, type Dice } from './seeded-random.js';
import type { Proposal, TradeFact } from './injected-facts.js';
import { priceOf } from './prices.js';
import { byNature, layered } from './natural-cache.js';
import { findCharacter, isPricePushed, type WorldScene } from './world-inputs.js';

export interface Trade {
  readonly proposal: Proposal;
  readonly wallet: string;
  readonly at: Instant;
  readonly market: 'pass' | 'fail';
  readonly direction: 'buy' | 'sell';
  readonly usd: string;
}

export interface WorldOrder extends Trade {
  readonly price: string;
  readonly size: string;
  readonly signature: string;
}

interface Price {
  readonly near: number;
  readonly exact: () => Exactly;
}

/** TWAPs are undefined before the window. */
export interface Quotes {
  readonly spot: string;
  readonly pass: string;
  readonly fail: string;
  readonly passTwap: string | undefined;
  readonly failTwap: string | undefined;
}

/** A trader backs pass by buying pass or selling fail. */
export const backsPass = ({ market, direction }: Pick<Trade, 'market' | 'direction'>): boolean =>
  (market === 'pass') === (direction === 'buy');

const POOL = 400;
const PRICE_PLACES = 8;
const SAMPLES = 12;

const text = ({ near, exact }: Price): string => roundedNumber(near, PRICE_PLACES, exact);

interface Numbered {
  readonly index: number;
  readonly trade: Trade;
}

interface Traits {
  readonly roll: Dice;
  readonly total: number;
  readonly share: number;
  readonly first: number;
  readonly usualCents: number;
}

const traitsByProposal = layered<Traits>(1_000);
const tradesByWallet = layered<readonly Numbered[]>(4_000);
const handsByProposal = layered<readonly number[]>(1_000);
const tradesByProposal = layered<readonly Trade[]>(200);
const naturalOrders = byNature<WorldOrder>(8_000);
const naturalOnes = new WeakSet<Trade>();
const naturalQuotes = byNature<Quotes>(4_000);
const naturalPlaces = byNature<ReadonlyMap<string, number>>(1);

export interface OrderParts {
  readonly scene: WorldScene;
  readonly edge: (one: Proposal, at: Instant) => string;
  readonly isNatural: (one: Proposal) => boolean;
}

export function orderBook({ scene, edge, isNatural }: OrderParts) {
  const { roll } = scene;
  const pool = naturalPlaces(scene);
  const places = () => pool('places', () => new Map(Array.from({ length: POOL }, (_, number) => [walletOf(number), number])));
  const walletOf = (number: number): string => scene.keys.address('wallet', number);
  const traits = traitsByProposal(scene);
  const hands = handsByProposal(scene);
  const walletTrades = tradesByWallet(scene);
  const allTrades = tradesByProposal(scene);
  const orders = naturalOrders(scene);
  const pastQuotes = naturalQuotes(scene);

  const traitsOf = (one: Proposal): Traits =>
    traits(isNatural(one))(one, () => {
      const own = roll.under(one.publicKey);
      return {
        roll: own,
        total: one.outcome === 'removed' ? 0 : whole(own('trades'), 60, 420),
        share: 0.2 + 0.3 * own('traders'),
        first: whole(own('crowd'), 0, POOL - 1),
        usualCents: whole(own('size'), 4_000, 60_000),
      };
    });
  const total = (one: Proposal): number => traitsOf(one).total;
  /** Deviations cancel out in pairs. */
  const swing = (one: Traits, index: number): number =>
    Math.round((one.roll('swing', Math.floor(index / 2)) * 1.8 - 0.9) * one.usualCents) * (index % 2 === 0 ? 1 : -1);

  const tradersAfter = (one: Proposal, count: number): number => Math.ceil(count * traitsOf(one).share);
  function volumeAfter(proposal: Proposal, count: number): string {
    const one = traitsOf(proposal);
    return hundredths(count * one.usualCents + (count % 2 === 1 ? swing(one, count - 1) : 0));
  }

  const handsOf = (one: Proposal): readonly number[] =>
    hands(isNatural(one))(one, () => {
      const own = traitsOf(one);
      return Array.from({ length: own.total }, (_, index) => {
        const [before, after] = [Math.ceil(index * own.share), Math.ceil((index + 1) * own.share)];
        return after > before ? before : Math.floor(own.roll('hand', index) ** 2 * before);
      });
    });
  const trader = ({ first }: Traits, hand: number): string => walletOf((first + hand) % POOL);

  function crowdAfter(one: Proposal, count: number): readonly string[] {
    const own = traitsOf(one);
    return Array.from({ length: tradersAfter(one, count) }, (_, hand) => trader(own, hand));
  }

  function handOf(one: Proposal, wallet: string, count: number): number | undefined {
    const place = places().get(wallet);
    if (place === undefined) return undefined;
    const hand = (place - traitsOf(one).first + POOL) % POOL;
    return hand < tradersAfter(one, count) ? hand : undefined;
  }

  function trade(one: Proposal, index: number): Trade {
    const { liveAt, endsAt } = one;
    const own = traitsOf(one);
    const hand = handsOf(one)[index] ?? 0;
    const forPass = own.roll('leans', hand) < (one.outcome === 'passed' ? 0.62 : 0.4);
    const stays = own.roll('stays', index) < 0.85;
    const market = own.roll('market', index) < 0.55 ? 'pass' : 'fail';
    const part = (index + own.roll('when', index)) / own.total;
    const made: Trade = {
      proposal: one,
      wallet: trader(own, hand),
      at: instant(Math.floor((liveAt + part * (endsAt - liveAt)) / 1_000) * 1_000),
      market,
      direction: (forPass === stays) === (market === 'pass') ? 'buy' : 'sell',
      usd: hundredths(own.usualCents + swing(own, index)),
    };
    if (isNatural(one)) naturalOnes.add(made);
    return made;
  }

  const tradesOn = (one: Proposal): readonly Trade[] =>
    allTrades(isNatural(one))(one, () => Array.from({ length: total(one) }, (_, index) => trade(one, index)));

  const trades = (one: Proposal, count: number): readonly Trade[] => tradesOn(one).slice(0, count);

  function tradesOf(one: Proposal, wallet: string, count: number): readonly Trade[] {
    const own = handOf(one, wallet, count);
    if (own === undefined) return [];
    const all = handsOf(one);
    const made = walletTrades(isNatural(one))(`${one.publicKey}/${own}`, () =>
      all.flatMap((hand, index) => (hand === own ? [{ index, trade: trade(one, index) }] : [])),
    );
    return made.flatMap(({ index, trade: found }) => (index < count ? [found] : []));
  }

  const spotAt = (one: Proposal, at: Instant): string => {
    const who = findCharacter(one.slug);
    return who === undefined ? '1' : priceOf(scene, who, at);
  };
  const sway = (one: Proposal, { name, height, at, period }: { name: string; height: number; at: Instant; period: number }): number =>
    1 + height * wave({ roll, name: `${name}/${one.publicKey}`, at, period });
  const failSway = (one: Proposal, at: Instant): number => sway(one, { name: 'fail', height: 0.008, at, period: 3 * HOUR });
  const failAt = (one: Proposal, at: Instant): Price => {
    const [spot, factor] = [spotAt(one, at), failSway(one, at)];
    return { near: Number(spot) * factor, exact: () => exactly(spot).times(factor) };
  };
  const leadAt = (one: Proposal, at: Instant): Price => {
    const lead = edge(one, at);
    return { near: Number(lead) / 100 + 1, exact: () => exactly(lead).div(100).plus(1) };
  };
  function passAt(one: Proposal, at: Instant): Price {
    const [fail, lead, factor] = [failAt(one, at), leadAt(one, at), sway(one, { name: 'pass', height: 0.01, at, period: HOUR })];
    return { near: fail.near * lead.near * factor, exact: () => fail.exact().times(lead.exact()).times(factor) };
  }

  function failTwapAt(one: Proposal, at: Instant): string {
    const all = Array.from({ length: SAMPLES }, (_, index) =>
      failAt(one, instant(one.twapAt + ((at - one.twapAt) * index) / Math.max(1, SAMPLES - 1))),
    );
    return text({
      near: all.reduce((sum, { near }) => sum + near, 0) / SAMPLES,
      exact: () => all.reduce((sum, { exact }) => sum.plus(exact()), exactly(0)).div(SAMPLES),
    });
  }

  const momentOf = (one: Proposal, at: Instant): Instant => (at >= one.endsAt ? one.endsAt : instant(Math.floor(at / MINUTE) * MINUTE));

  function isUntouched(one: Proposal): boolean {
    const who = findCharacter(one.slug);
    return isNatural(one) && (who === undefined || !isPricePushed(scene, who));
  }

  const quotes = (one: Proposal, at: Instant): Quotes => {
    const moment = momentOf(one, at);
    const open = at >= one.twapAt;
    return isUntouched(one) ? pastQuotes(`${one.publicKey}/${moment}/${open}`, () => quote(one, moment, open)) : quote(one, moment, open);
  };

  /** The pass TWAP exceeds the fail TWAP by exactly the edge. */
  function quote(one: Proposal, moment: Instant, isOpen: boolean): Quotes {
    const failTwap = isOpen ? failTwapAt(one, instant(Math.max(moment, one.twapAt))) : undefined;
    const lead = leadAt(one, moment);
    return {
      spot: spotAt(one, moment),
      pass: text(passAt(one, moment)),
      fail: text(failAt(one, moment)),
      passTwap:
        failTwap === undefined
          ? undefined
          : text({ near: Number(failTwap) * lead.near, exact: () => exactly(failTwap).times(lead.exact()) }),
      failTwap,
    };
  }

  const order = (one: Trade): WorldOrder =>
    naturalOnes.has(one) && isUntouched(one.proposal) ? orders(one, () => placed(one)) : placed(one);

  function placed(one: Trade): WorldOrder {
    const moment = momentOf(one.proposal, one.at);
    const price = text(one.market === 'pass' ? passAt(one.proposal, moment) : failAt(one.proposal, moment));
    return {
      ...one,
      price,
      size: roundedNumber(Number(one.usd) / Number(price), 6, () => exactly(one.usd).div(price)),
      signature: scene.keys.signature('trade', one.wallet, one.proposal.publicKey, one.at, one.usd),
    };
  }

  return { total, tradersAfter, crowdAfter, volumeAfter, handOf, trades, tradesOf, quotes, order };
}

export const injectedTrade = (proposal: Proposal, { wallet, at, market, direction, usd }: TradeFact): Trade => ({
  proposal,
  wallet,
  at,
  market,
  direction,
  usd,
});
