import { expect, test } from 'vitest';
import { openWatchlists } from '../../../src/alerts/watchlist/watchlists.js';
import { upgradeChat } from '../../../src/alerts/watchlist/upgrade.js';
import { openStore } from '../../../src/store/open.js';
import { z } from 'zod';
import { NOON } from '../../feeds/reading.js';
import { CHAT, TIDE } from '../harness.js';

const earlier = { target: TIDE, since: NOON, by: 'Ada', maxAgeHours: 24 };
const rules = { supply: { filters: { leastUsd: '10000' }, levels: [] } };

test('an entry of the first version alerts what it alerted: everything, except the kinds that were off', () => {
  const document = { address: CHAT, timezone: 'Europe/Berlin', entries: [earlier, { ...earlier, off: ['growth'], rules }] };
  expect(upgradeChat(document)).toEqual({
    ...{ address: CHAT, timezone: 'Europe/Berlin' },
    entries: [
      { ...earlier, preset: 'everything' },
      { ...earlier, rules, preset: 'everything', modes: { growth: 'off' } },
    ],
  });
});

test('a stored watchlist of the first version is read', async () => {
  const store = await openStore('memory://');
  const old = store.collection({ prefix: 'chat', version: 1, schema: z.looseObject({}) });
  await old.set(CHAT, { address: CHAT, entries: [{ ...earlier, off: [] }] });
  expect((await openWatchlists(store)).read(CHAT).entries).toEqual([{ ...earlier, preset: 'everything' }]);
});
