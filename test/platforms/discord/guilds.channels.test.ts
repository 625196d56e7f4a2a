import { expect, test } from 'vitest';
import { DAY, instant, later } from '../../../src/base/clock.js';
import { openChannelRecords } from '../../../src/platforms/discord/guilds.js';
import { openStore } from '../../../src/store/open.js';

test('a channel that is forgotten is not known after a restart either; the others are', async () => {
  const store = await openStore('memory://');
  const records = openChannelRecords(store);
  await records.set('1', { guild: '9' });
  await records.set('2', { guild: '9' });
  await records.forget('1');
  expect(await records.get('1')).toBeUndefined();
  expect(await openChannelRecords(store).all()).toEqual([['2', { guild: '9' }]]);
  await records.set('1', { guild: '9' });
  expect(await openChannelRecords(store).get('1')).toEqual({ guild: '9' });
});

test('a channel that is lost for thirty days is forgotten, and one that was found again or is in use is not', async () => {
  const now = instant(Date.UTC(2026, 10, 20));
  const store = await openStore('memory://');
  const records = openChannelRecords(store);
  await records.set('used', { guild: '9' });
  await records.set('deleted', { guild: '9', lost: 'channel' });
  await records.set('returned', { guild: '8', lost: 'guild' });
  await records.sweep(now);
  // Who finds it again passes on what it knows of it.
  await records.set('returned', { guild: '8', lostAt: now });
  await records.sweep(later(now, 30 * DAY - 1));
  expect((await records.all()).map(([channel]) => channel)).toEqual(['used', 'deleted', 'returned']);
  await openChannelRecords(store).sweep(later(now, 30 * DAY));
  expect(await openChannelRecords(store).all()).toEqual([
    ['returned', { guild: '8' }],
    ['used', { guild: '9' }],
  ]);
  await records.set('returned', { guild: '8', lost: 'guild' });
  await records.sweep(later(now, 31 * DAY));
  expect(await records.get('returned')).toMatchObject({ lostAt: later(now, 31 * DAY) });
});
