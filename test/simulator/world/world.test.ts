import { expect, test } from 'vitest';
import { createWorld } from '../../../src/simulator/world/world.js';
import { NOON, open } from './places.js';

const tell = (seed: string) => {
  const { world, who } = open(seed, 'kestrel-yard');
  return {
    ledger: world.supply.ledger(who, NOON),
    proposals: world.proposals.all(NOON),
    launches: world.launches.all(NOON),
    price: world.price(who, NOON),
  };
};

test('two worlds of one seed are one world, and another seed is another', () => {
  expect(tell('harbor')).toEqual(tell('harbor'));
  expect(tell('harbor')).not.toEqual(tell('haven'));
});

test.each([0, -1, 21, Number.NaN])('a pace of %d is refused with what is possible', (pace) => {
  expect(() => createWorld({ seed: 'harbor', pace })).toThrow(/above 0 and up to 20/);
});
