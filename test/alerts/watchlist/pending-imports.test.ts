import { expect, test } from 'vitest';
import { openPendingImports } from '../../../src/alerts/watchlist/pending-imports.js';
import { DAY } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';

const MAIN = address('console', 'main');

test('a list is kept for its own chat, over a restart, for a day after it was last shown', async () => {
  const store = await openStore('memory://');
  const clock = handClock();
  const key = await openPendingImports({ store, clock }).keep(MAIN, 'tide');
  const imports = openPendingImports({ store, clock });
  expect(await imports.read(MAIN, key)).toBe('tide');
  expect(await imports.read(address('console', 'other'), key)).toBeUndefined();
  await clock.advance(DAY / 2);
  expect(await imports.keep(MAIN, 'tide')).toBe(key);
  await clock.advance(DAY / 2);
  await imports.sweep();
  expect(await imports.read(MAIN, key)).toBe('tide');
  await clock.advance(DAY / 2);
  await imports.sweep();
  expect(await imports.read(MAIN, key)).toBeUndefined();
  await store.close();
});
