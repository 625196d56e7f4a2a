/** The natural trades of a market, from the seed. Their totals equal those in the list of proposals. */
import { HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { exactly, hundredths, roundedNumber, type Exactly } from './amounts.js';
import { wave, whole, type Dice, byNature, layered } from './seeded-random.js';
import type { Proposal, TradeFact } from './injected-facts.js';
import { priceOf } from './prices.js';
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

/** Prices of a market. TWAPs are undefined before the window. */
export interface Quotes {
  readonly spot: string;
  readonly pass: string;
  readonly fail: string;
  readonly passTwap: string | undefined;
  readonly failTwap: string | undefined;
}

/** Tells whether a trade backs pass: buying pass or selling fail. */
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

export class OrderBook {
  readonly #scene: OrderParts['scene'];
  readonly #edge: OrderParts['edge'];
  readonly #isNatural: OrderParts['isNatural'];
  readonly #roll: WorldScene['roll'];
  readonly #pool;
  readonly #traits;
  readonly #hands;
  readonly #walletTrades;
  readonly #allTrades;
  readonly #orders;
  readonly #pastQuotes;

  constructor({ scene, edge, isNatural }: OrderParts) {
    this.#scene = scene;
    this.#edge = edge;
    this.#isNatural = isNatural;
    this.#roll = scene.roll;
    this.#pool = naturalPlaces(scene);
    this.#traits = traitsByProposal(scene);
    this.#hands = handsByProposal(scene);
    this.#walletTrades = tradesByWallet(scene);
    this.#allTrades = tradesByProposal(scene);
    this.#orders = naturalOrders(scene);
    this.#pastQuotes = naturalQuotes(scene);
  }

  total(one: Proposal): number {
    return this.#traitsOf(one).total;
  }

  tradersAfter(one: Proposal, count: number): number {
    return Math.ceil(count * this.#traitsOf(one).share);
  }

  volumeAfter(proposal: Proposal, count: number): string {
    const one = this.#traitsOf(proposal);
    return hundredths(count * one.usualCents + (count % 2 === 1 ? this.#swing(one, count - 1) : 0));
  }

  crowdAfter(one: Proposal, count: number): readonly string[] {
    const own = this.#traitsOf(one);
    return Array.from({ length: this.tradersAfter(one, count) }, (_, hand) => this.#trader(own, hand));
  }

  handOf(one: Proposal, wallet: string, count: number): number | undefined {
    const place = this.#places().get(wallet);
    if (place === undefined) return undefined;
    const hand = (place - this.#traitsOf(one).first + POOL) % POOL;
    return hand < this.tradersAfter(one, count) ? hand : undefined;
  }

  trades(one: Proposal, count: number): readonly Trade[] {
    return this.#tradesOn(one).slice(0, count);
  }

  tradesOf(one: Proposal, wallet: string, count: number): readonly Trade[] {
    const own = this.handOf(one, wallet, count);
    if (own === undefined) return [];
    const all = this.#handsOf(one);
    const made = this.#walletTrades(this.#isNatural(one))(`${one.publicKey}/${own}`, () =>
      all.flatMap((hand, index) => (hand === own ? [{ index, trade: this.#trade(one, index) }] : [])),
    );
    return made.flatMap(({ index, trade: found }) => (index < count ? [found] : []));
  }

  quotes(one: Proposal, at: Instant): Quotes {
    const moment = this.#momentOf(one, at);
    const open = at >= one.twapAt;
    return this.#isUntouched(one)
      ? this.#pastQuotes(`${one.publicKey}/${moment}/${open}`, () => this.#quote(one, moment, open))
      : this.#quote(one, moment, open);
  }

  order(one: Trade): WorldOrder {
    return naturalOnes.has(one) && this.#isUntouched(one.proposal) ? this.#orders(one, () => this.#placed(one)) : this.#placed(one);
  }

  #places() {
    return this.#pool('places', () => new Map(Array.from({ length: POOL }, (_, number) => [this.#walletOf(number), number])));
  }

  #walletOf(number: number): string {
    return this.#scene.keys.address('wallet', number);
  }

  #traitsOf(one: Proposal): Traits {
    return this.#traits(this.#isNatural(one))(one, () => {
      const own = this.#roll.under(one.publicKey);
      return {
        roll: own,
        total: one.outcome === 'removed' ? 0 : whole(own('trades'), 60, 420),
        share: 0.2 + 0.3 * own('traders'),
        first: whole(own('crowd'), 0, POOL - 1),
        usualCents: whole(own('size'), 4_000, 60_000),
      };
    });
  }

  /** Returns the deviation of a trade. Deviations cancel out in pairs. */
  #swing(one: Traits, index: number): number {
    return Math.round((one.roll('swing', Math.floor(index / 2)) * 1.8 - 0.9) * one.usualCents) * (index % 2 === 0 ? 1 : -1);
  }

  #handsOf(one: Proposal): readonly number[] {
    return this.#hands(this.#isNatural(one))(one, () => {
      const own = this.#traitsOf(one);
      return Array.from({ length: own.total }, (_, index) => {
        const [before, after] = [Math.ceil(index * own.share), Math.ceil((index + 1) * own.share)];
        return after > before ? before : Math.floor(own.roll('hand', index) ** 2 * before);
      });
    });
  }

  #trader({ first }: Traits, hand: number): string {
    return this.#walletOf((first + hand) % POOL);
  }

  #trade(one: Proposal, index: number): Trade {
    const { liveAt, endsAt } = one;
    const own = this.#traitsOf(one);
    const hand = this.#handsOf(one)[index] ?? 0;
    const forPass = own.roll('leans', hand) < (one.outcome === 'passed' ? 0.62 : 0.4);
    const stays = own.roll('stays', index) < 0.85;
    const market = own.roll('market', index) < 0.55 ? 'pass' : 'fail';
    const part = (index + own.roll('when', index)) / own.total;
    const made: Trade = {
      proposal: one,
      wallet: this.#trader(own, hand),
      at: instant(Math.floor((liveAt + part * (endsAt - liveAt)) / 1_000) * 1_000),
      market,
      direction: (forPass === stays) === (market === 'pass') ? 'buy' : 'sell',
      usd: hundredths(own.usualCents + this.#swing(own, index)),
    };
    if (this.#isNatural(one)) naturalOnes.add(made);
    return made;
  }

  #tradesOn(one: Proposal): readonly Trade[] {
    return this.#allTrades(this.#isNatural(one))(one, () => Array.from({ length: this.total(one) }, (_, index) => this.#trade(one, index)));
  }

  #spotAt(one: Proposal, at: Instant): string {
    const who = findCharacter(one.slug);
    return who === undefined ? '1' : priceOf(this.#scene, who, at);
  }

  #sway(one: Proposal, { name, height, at, period }: { name: string; height: number; at: Instant; period: number }): number {
    return 1 + height * wave({ roll: this.#roll, name: `${name}/${one.publicKey}`, at, period });
  }

  #failSway(one: Proposal, at: Instant): number {
    return this.#sway(one, { name: 'fail', height: 0.008, at, period: 3 * HOUR });
  }

  #failAt(one: Proposal, at: Instant): Price {
    const [spot, factor] = [this.#spotAt(one, at), this.#failSway(one, at)];
    return { near: Number(spot) * factor, exact: () => exactly(spot).times(factor) };
  }

  #leadAt(one: Proposal, at: Instant): Price {
    const lead = this.#edge(one, at);
    return { near: Number(lead) / 100 + 1, exact: () => exactly(lead).div(100).plus(1) };
  }

  #passAt(one: Proposal, at: Instant): Price {
    const [fail, lead, factor] = [
      this.#failAt(one, at),
      this.#leadAt(one, at),
      this.#sway(one, { name: 'pass', height: 0.01, at, period: HOUR }),
    ];
    return { near: fail.near * lead.near * factor, exact: () => fail.exact().times(lead.exact()).times(factor) };
  }

  #failTwapAt(one: Proposal, at: Instant): string {
    const all = Array.from({ length: SAMPLES }, (_, index) =>
      this.#failAt(one, instant(one.twapAt + ((at - one.twapAt) * index) / Math.max(1, SAMPLES - 1))),
    );
    return text({
      near: all.reduce((sum, { near }) => sum + near, 0) / SAMPLES,
      exact: () => all.reduce((sum, { exact }) => sum.plus(exact()), exactly(0)).div(SAMPLES),
    });
  }

  #momentOf(one: Proposal, at: Instant): Instant {
    return at >= one.endsAt ? one.endsAt : instant(Math.floor(at / MINUTE) * MINUTE);
  }

  #isUntouched(one: Proposal): boolean {
    const who = findCharacter(one.slug);
    return this.#isNatural(one) && (who === undefined || !isPricePushed(this.#scene, who));
  }

  /** Returns the quotes. The pass TWAP exceeds the fail TWAP by exactly the edge. */
  #quote(one: Proposal, moment: Instant, isOpen: boolean): Quotes {
    const failTwap = isOpen ? this.#failTwapAt(one, instant(Math.max(moment, one.twapAt))) : undefined;
    const lead = this.#leadAt(one, moment);
    return {
      spot: this.#spotAt(one, moment),
      pass: text(this.#passAt(one, moment)),
      fail: text(this.#failAt(one, moment)),
      passTwap:
        failTwap === undefined
          ? undefined
          : text({ near: Number(failTwap) * lead.near, exact: () => exactly(failTwap).times(lead.exact()) }),
      failTwap,
    };
  }

  #placed(one: Trade): WorldOrder {
    const moment = this.#momentOf(one.proposal, one.at);
    const price = text(one.market === 'pass' ? this.#passAt(one.proposal, moment) : this.#failAt(one.proposal, moment));
    return {
      ...one,
      price,
      size: roundedNumber(Number(one.usd) / Number(price), 6, () => exactly(one.usd).div(price)),
      signature: this.#scene.keys.signature('trade', one.wallet, one.proposal.publicKey, one.at, one.usd),
    };
  }
}

export const injectedTrade = (proposal: Proposal, { wallet, at, market, direction, usd }: TradeFact): Trade => ({
  proposal,
  wallet,
  at,
  market,
  direction,
  usd,
});
