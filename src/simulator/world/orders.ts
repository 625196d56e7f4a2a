/**
 * The trades of a decision market by nature: how many there are by when, who made them, and at what price. Everything follows from the seed, so the sums
 * that a proposal's page tells are those of the trades listed under it.
 */
import { HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { exactly, rounded } from './amounts.js';
import { wave, whole } from './dice.js';
import type { Proposal, TradeFact } from './facts.js';
import { priceOf } from './market.js';
import { remember } from '../../base/remember.js';
import { findCharacter, type Scene } from './scene.js';

export interface Trade {
  readonly proposal: Proposal;
  readonly wallet: string;
  readonly at: Instant;
  readonly market: 'pass' | 'fail';
  readonly direction: 'buy' | 'sell';
  /** Decimal text. */
  readonly usd: string;
}

/** What a trade shows beside itself. */
export interface Order extends Trade {
  readonly price: string;
  readonly size: string;
  readonly signature: string;
}

/** What the two markets quote at a moment; the averages are unknown before the TWAP window opens. Decimal text. */
export interface Quotes {
  readonly spot: string;
  readonly pass: string;
  readonly fail: string;
  readonly passTwap: string | undefined;
  readonly failTwap: string | undefined;
}

/** Pass gains from buying pass and from selling fail. */
export const backsPass = ({ market, direction }: Pick<Trade, 'market' | 'direction'>): boolean =>
  (market === 'pass') === (direction === 'buy');

/** So many wallets trade in this world, each in some of its markets. It must be more than trade in any one of them. */
const POOL = 400;
const PRICE_PLACES = 8;
/** An average is taken over so many moments. */
const SAMPLES = 12;

/** `edge` is the pass market's lead in percent, as text, at any moment after the market went live. */
export function orderBook({ scene, edge }: { readonly scene: Scene; readonly edge: (one: Proposal, at: Instant) => string }) {
  const { roll } = scene;
  const crowd = Array.from({ length: POOL }, (_, number) => scene.keys.address('wallet', number));
  const places = new Map(crowd.map((wallet, number) => [wallet, number]));
  const hands = remember<readonly number[]>(1_000);

  const total = (one: Proposal): number => (one.outcome === 'removed' ? 0 : whole(roll(one.publicKey, 'trades'), 60, 420));
  const share = (one: Proposal): number => 0.2 + 0.3 * roll(one.publicKey, 'traders');
  const first = (one: Proposal): number => whole(roll(one.publicKey, 'crowd'), 0, POOL - 1);
  const usualCents = (one: Proposal): number => whole(roll(one.publicKey, 'size'), 4_000, 60_000);
  /** Trades come in pairs, one as much above the usual size as the other is below, so their sum needs no counting. */
  const swing = (one: Proposal, index: number): number =>
    Math.round((roll(one.publicKey, 'swing', Math.floor(index / 2)) * 1.8 - 0.9) * usualCents(one)) * (index % 2 === 0 ? 1 : -1);
  const cents = (one: Proposal, index: number): number => usualCents(one) + swing(one, index);

  const tradersAfter = (one: Proposal, count: number): number => Math.ceil(count * share(one));
  const volumeAfter = (one: Proposal, count: number): string =>
    exactly(count * usualCents(one) + (count % 2 === 1 ? swing(one, count - 1) : 0))
      .div(100)
      .toFixed();

  /** Which of its traders made each trade: a newcomer whenever there is to be one more, else somebody who is there, the early ones more often. */
  const handsOf = (one: Proposal): readonly number[] =>
    hands(one.publicKey, () =>
      Array.from({ length: total(one) }, (_, index) => {
        const before = tradersAfter(one, index);
        return tradersAfter(one, index + 1) > before ? before : Math.floor(roll(one.publicKey, 'hand', index) ** 2 * before);
      }),
    );
  const trader = (one: Proposal, hand: number): string => crowd[(first(one) + hand) % POOL] ?? '';

  /** Everybody who made one of the first so many trades. */
  const crowdAfter = (one: Proposal, count: number): readonly string[] =>
    Array.from({ length: tradersAfter(one, count) }, (_, hand) => trader(one, hand));

  /** Its place among the traders of a market after so many trades; undefined where it is none of them. */
  function handOf(one: Proposal, wallet: string, count: number): number | undefined {
    const place = places.get(wallet);
    if (place === undefined) return undefined;
    const hand = (place - first(one) + POOL) % POOL;
    return hand < tradersAfter(one, count) ? hand : undefined;
  }

  function trade(one: Proposal, index: number): Trade {
    const { publicKey, liveAt, endsAt } = one;
    const hand = handsOf(one)[index] ?? 0;
    const forPass = roll(publicKey, 'leans', hand) < (one.outcome === 'passed' ? 0.62 : 0.4);
    const stays = roll(publicKey, 'stays', index) < 0.85;
    const market = roll(publicKey, 'market', index) < 0.55 ? 'pass' : 'fail';
    const part = (index + roll(publicKey, 'when', index)) / total(one);
    return {
      proposal: one,
      wallet: trader(one, hand),
      at: instant(Math.floor((liveAt + part * (endsAt - liveAt)) / 1_000) * 1_000),
      market,
      direction: (forPass === stays) === (market === 'pass') ? 'buy' : 'sell',
      usd: exactly(cents(one, index)).div(100).toFixed(),
    };
  }

  /** The first so many trades, oldest first. */
  const trades = (one: Proposal, count: number): readonly Trade[] => Array.from({ length: count }, (_, index) => trade(one, index));

  /** Those of one wallet among the first so many, oldest first. */
  function tradesOf(one: Proposal, wallet: string, count: number): readonly Trade[] {
    const own = handOf(one, wallet, count);
    if (own === undefined) return [];
    const all = handsOf(one);
    return Array.from({ length: count }, (_, index) => index).flatMap((index) => (all[index] === own ? [trade(one, index)] : []));
  }

  const spotAt = (one: Proposal, at: Instant): string => {
    const who = findCharacter(one.slug);
    return who === undefined ? '1' : priceOf(scene, who, at);
  };
  const sway = (one: Proposal, { name, height, at, period }: { name: string; height: number; at: Instant; period: number }): number =>
    1 + height * wave({ roll, name: `${name}/${one.publicKey}`, at, period });
  const failAt = (one: Proposal, at: Instant) =>
    exactly(spotAt(one, at)).times(sway(one, { name: 'fail', height: 0.008, at, period: 3 * HOUR }));

  /** What the fail market quoted on average since its window opened. */
  function failTwapAt(one: Proposal, at: Instant): string {
    const all = Array.from({ length: SAMPLES }, (_, index) =>
      failAt(one, instant(one.twapAt + ((at - one.twapAt) * index) / Math.max(1, SAMPLES - 1))),
    );
    return rounded(all.reduce((sum, price) => sum.plus(price), exactly(0)).div(SAMPLES), PRICE_PLACES);
  }

  /** The pass average leads the fail average by just the edge that is told. */
  function quotes(one: Proposal, at: Instant): Quotes {
    // As everywhere: by the minute, and at its very end once that is reached.
    const moment = at >= one.endsAt ? one.endsAt : instant(Math.floor(at / MINUTE) * MINUTE);
    const lead = exactly(edge(one, moment)).div(100).plus(1);
    const fail = failAt(one, moment);
    const pass = fail.times(lead).times(sway(one, { name: 'pass', height: 0.01, at: moment, period: HOUR }));
    const failTwap = at >= one.twapAt ? failTwapAt(one, instant(Math.max(moment, one.twapAt))) : undefined;
    return {
      spot: spotAt(one, moment),
      pass: rounded(pass, PRICE_PLACES),
      fail: rounded(fail, PRICE_PLACES),
      passTwap: failTwap === undefined ? undefined : rounded(exactly(failTwap).times(lead), PRICE_PLACES),
      failTwap,
    };
  }

  function order(one: Trade): Order {
    const quoted = quotes(one.proposal, one.at);
    const price = one.market === 'pass' ? quoted.pass : quoted.fail;
    return {
      ...one,
      price,
      size: rounded(exactly(one.usd).div(price), 6),
      signature: scene.keys.signature('trade', one.wallet, one.proposal.publicKey, one.at, one.usd),
    };
  }

  return { total, tradersAfter, crowdAfter, volumeAfter, handOf, trades, tradesOf, quotes, order };
}

/** What was injected as a trade on this proposal. */
export const injectedTrade = (proposal: Proposal, { wallet, at, market, direction, usd }: TradeFact): Trade => ({
  proposal,
  wallet,
  at,
  market,
  direction,
  usd,
});
