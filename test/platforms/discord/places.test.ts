import { expect, test } from 'vitest';
import { openPlaces } from '../../../src/platforms/discord/places.js';
import { openStore } from '../../../src/store/open.js';

test('a channel that is forgotten is not known after a restart either; the others are', async () => {
  const store = await openStore('memory://');
  const places = openPlaces(store);
  await places.set('1', { guild: '9' });
  await places.set('2', { guild: '9' });
  await places.forget('1');
  expect(await places.get('1')).toBeUndefined();
  expect(await openPlaces(store).all()).toEqual([['2', { guild: '9' }]]);
  await places.set('1', { guild: '9' });
  expect(await openPlaces(store).get('1')).toEqual({ guild: '9' });
});
