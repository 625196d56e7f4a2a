import { expect, test } from 'vitest';
import { instant, MINUTE } from '../../../src/base/clock.js';
import { ownedAccounts } from '../../../src/simulator/world/accounts.js';
import { notCirculating } from '../../../src/simulator/world/supply.js';
import { everywhere, NOON, open } from './places.js';

test('what all holders hold together is the supply, the largest first, and each owner stands there once', () => {
  everywhere(({ world, who, at }) => {
    const { all, supply, countedAt } = world.holders(who, at);
    expect(supply).toBe(world.supply.supplyAt({ who, when: countedAt, asOf: at }));
    expect(all.reduce((sum, { balance }) => sum + balance, 0n)).toBe(supply);
    const balances = all.map(({ balance }) => balance);
    expect(balances.every((one, index) => index === 0 || one <= (balances[index - 1] ?? 0n))).toBe(true);
    const owners = all.slice(0, 200).map(({ owner }) => owner());
    expect(new Set(owners).size).toBe(owners.length);
    expect(all.length).toBe(world.wallets.holderCount(who));
  }, 10);
});

test("what does not circulate lies in the project's own accounts, which stand among the holders", () => {
  everywhere(({ world, who, at }) => {
    const own = world.holders(who, at).all.filter((one) => one.own);
    expect(own.reduce((sum, { balance }) => sum + balance, 0n)).toBe(notCirculating(who));
    expect(new Set(own.map(({ owner }) => owner()))).toEqual(new Set(ownedAccounts(world.scene, who).map(({ address }) => address)));
  }, 10);
});

test('balances stand still for half an hour', () => {
  const { world, who } = open('harbor', 'spindrift');
  const alerted = (minutes: number) => world.holders(who, instant(NOON + minutes * MINUTE)).supply;
  expect(alerted(29)).toBe(alerted(0));
  expect(alerted(31)).not.toBe(alerted(0));
});

test('a wallet that others ask about stands there with what it truly holds', () => {
  const { world, who } = open('harbor', 'alder');
  const { all, countedAt } = world.holders(who, NOON);
  const wallet = Array.from({ length: 40 }, (_, number) => world.wallets.some(number)).find(
    (one) => world.wallets.balance(one, who, countedAt) > 0n,
  );
  expect(all.find(({ owner }) => owner() === wallet)?.balance).toBe(world.wallets.balance(wallet ?? '', who, countedAt));
});
