/** The holders of a token: accounts, known wallets and a crowd, updated every half hour (§8). */
import { MINUTE, instant, type Instant } from '../../base/clock.js';
import type { Character } from './invented-projects.js';
import type { Facts } from './injected-facts.js';
import { ownedAccounts } from './accounts.js';
import { boundedCache } from '../../base/bounded-cache.js';
import type { WorldScene } from './world-inputs.js';
import type { Supplies } from './supply.js';
import type { WalletBook } from './wallets.js';

export interface WorldHolding {
  readonly owner: () => string;
  /** The balance is in the token's smallest unit. */
  readonly balance: bigint;
  readonly own: boolean;
}

export interface Holdings {
  readonly all: readonly WorldHolding[];
  readonly supply: bigint;
  readonly countedAt: Instant;
}

const REFRESHED_EVERY = 30 * MINUTE;
const KNOWN_WALLETS = 40;

export function holderBook(
  world: WorldScene,
  { supply, wallets, facts }: { readonly supply: Supplies; readonly wallets: WalletBook; readonly facts: Facts },
) {
  const counted = boundedCache<Holdings>(30);

  function crowd(who: Character, { total, size }: { readonly total: bigint; readonly size: number }): readonly WorldHolding[] {
    const weights = Array.from({ length: size }, (_, index) =>
      BigInt(Math.round((1e9 * (0.7 + 0.6 * world.roll(who.slug, 'holder', index))) / (index + 6) ** 1.05)),
    );
    const all = weights.reduce((sum, one) => sum + one, 0n);
    const balances = weights.map((weight) => (total * weight) / all);
    const rest = total - balances.reduce((sum, one) => sum + one, 0n);
    return balances.map((balance, index) => ({
      owner: () => world.keys.address('holder', who.slug, index),
      balance: index === 0 ? balance + rest : balance,
      own: false,
    }));
  }

  return (who: Character, at: Instant): Holdings => {
    const countedAt = instant(Math.floor(at / REFRESHED_EVERY) * REFRESHED_EVERY);
    const whole = supply.supplyAt({ who, when: countedAt, asOf: at });
    // The number of facts is part of the key, because injected transfers may leave the supply unchanged.
    return counted(`${who.slug}/${countedAt}/${whole}/${facts().length}`, () => {
      const own = ownedAccounts(world, who).filter(({ tokens }) => tokens > 0n);
      const known = Array.from({ length: KNOWN_WALLETS }, (_, number) => wallets.some(number)).flatMap((wallet) => {
        const balance = wallets.balance(wallet, who, countedAt);
        return balance > 0n ? [{ wallet, balance }] : [];
      });
      let left = whole - own.reduce((sum, { tokens }) => sum + tokens, 0n);
      const listed: WorldHolding[] = [];
      for (const { wallet, balance } of known) {
        // Injected balances may exceed the supply; the crowd always keeps some.
        if (balance * 2n > left) continue;
        left -= balance;
        listed.push({ owner: () => wallet, balance, own: false });
      }
      const mine = own.map(({ address, tokens }): WorldHolding => ({ owner: () => address, balance: tokens, own: true }));
      const size = Math.max(1, wallets.holderCount(who) - listed.length - mine.length);
      const all = [...mine, ...listed, ...crowd(who, { total: left, size })];
      return { all: all.toSorted((a, b) => (a.balance < b.balance ? 1 : a.balance > b.balance ? -1 : 0)), supply: whole, countedAt };
    });
  };
}
