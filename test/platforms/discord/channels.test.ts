import { expect, test } from 'vitest';
import { openChannelRecords } from '../../../src/platforms/discord/channels.js';
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
