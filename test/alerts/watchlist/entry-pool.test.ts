import { expect, test } from 'vitest';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import { createEntryPool } from '../../../src/alerts/watchlist/entry-pool.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { NOON } from '../../feeds/reading.js';
import { TIDE } from '../harness.js';
import { rules } from '../measurements.js';

const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
const entry = (extra: Partial<Entry> = {}): Entry => ({ target: { ...TIDE }, since: NOON, by: 'Ada', preset: 'everything', ...extra });

test('an entry comes out as it went in', () => {
  const pool = createEntryPool();
  const all = [
    entry(),
    entry({ byId: 'telegram/user/1', modes: { supply: 'off' }, rules: rules('premium<-10'), maxAgeHours: 3, mutedUntil: NOON }),
    entry({ target: { kind: 'all' } }),
    entry({ target: { kind: 'wallet', address: wallet } }),
    entry({ target: { kind: 'wallet', address: wallet, label: 'ours' } }),
    entry({ target: { kind: 'wallet', address: wallet, label: 'theirs' } }),
  ];
  expect([...all, ...all].map(pool)).toEqual([...all, ...all]);
});

test('equal targets, kinds that are off, and rules are one object', () => {
  const pool = createEntryPool();
  const [one, other] = [0, 1].map(() => pool(entry({ modes: { supply: 'off' }, rules: rules('premium<-10') })));
  expect(one?.target).toBe(other?.target);
  expect(one?.modes).toBe(other?.modes);
  expect(one?.rules).toBe(other?.rules);
});
