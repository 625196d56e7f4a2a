import { expect, test } from 'vitest';
import { createCompactor } from '../../../src/alerts/watchlist/compact-chat.js';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT, TIDE } from '../harness.js';
import { rules } from '../measurements.js';

const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
const entry = (extra: Partial<Entry> = {}): Entry => ({ target: { ...TIDE }, since: NOON, by: 'Ada', preset: 'everything', ...extra });
const chat = (entries: readonly Entry[], extra: Partial<Chat> = {}): Chat => ({ address: CHAT, entries, ...extra });

test('a chat comes out as it went in', () => {
  const { compact, expand } = createCompactor<Chat>();
  const all = [
    entry(),
    entry({ byId: 'telegram/user/1', modes: { supply: 'off' }, rules: rules('premium<-10'), maxAgeHours: 3, mutedUntil: NOON }),
    entry({ target: { kind: 'all' }, since: later(NOON, HOUR), by: 'Bo' }),
    entry({ target: { kind: 'wallet', address: wallet } }),
    entry({ target: { kind: 'wallet', address: wallet, label: 'ours' } }),
    entry({ target: { kind: 'wallet', address: wallet, label: 'theirs' }, mutedKinds: { wallet: NOON } }),
  ];
  const chats = [chat(all), chat([]), chat(all.slice(0, 1), { timezone: 'Europe/Berlin' }), chat(all.toReversed())];
  expect([...chats, ...chats].map((one) => expand(compact(one)))).toEqual([...chats, ...chats]);
});

test('chats that watch the same share one list, whenever each watch began and whoever began it', () => {
  const { compact } = createCompactor<Chat>();
  const lists = [0, 1].map((hours) => {
    const began = { since: later(NOON, hours * HOUR), by: `person ${hours}` };
    const entries = [
      entry({ modes: { supply: 'off' }, rules: rules('premium<-10'), ...began }),
      entry({ target: { kind: 'all' }, ...began }),
    ];
    return compact(chat(entries, { address: address('telegram', String(hours + 1)) })).shared;
  });
  expect(lists[0]).toBe(lists[1]);
});

test('only the entries that are asked for are made, each with its own begin and author', () => {
  const { compact, expand } = createCompactor<Chat>();
  const all = [entry(), entry({ target: { kind: 'all' }, since: later(NOON, HOUR), by: 'Bo' })];
  expect(expand(compact(chat(all)), ({ target }) => target.kind === 'all').entries).toEqual(all.slice(1));
});
