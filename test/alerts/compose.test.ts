import { expect, test } from 'vitest';
import { compose, type Told } from '../../src/alerts/compose.js';
import { deliver, GATHER } from '../../src/alerts/deliver.js';
import { later, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { plainText } from '../../src/chat/text.js';
import { walletAddress } from '../../src/domain/wallet.js';
import { supply } from '../../src/feeds/supply.js';
import { NOON } from '../feeds/reading.js';
import { burn, CHAT, openDesk } from './desk.js';

const told = (amount: number, entry = 'tide', name = 'Tidewater'): Told => {
  const event = burn(amount, later(NOON, -amount * MINUTE));
  const named = { ...event, facts: { ...event.facts, name } };
  return { member: { event: event.id, entry, queuedAt: NOON }, event: named, telling: supply.tell(named) };
};

test('one event speaks for itself, with its own questions before mute and why', () => {
  expect(plainText(compose('ID', [told(2)]), NOON)).toBe(
    [
      '▼ Tidewater burned 2 TIDE',
      '2 min ago (11:58 UTC), seen 0 s later',
      '[Supply: /supply tide] [Mute 24 h: /mute tide 24h] [Why?: /why ID]',
      'as of 2 min ago (11:58 UTC)',
    ].join('\n'),
  );
});

test('several are listed exactly, each with its details, as old as the oldest', () => {
  expect(plainText(compose('ID', [told(2), told(5)]), NOON)).toBe(
    [
      '2 changes at Tidewater',
      '▼ Tidewater burned 2 TIDE',
      '  2 min ago (11:58 UTC), seen 0 s later',
      '▼ Tidewater burned 5 TIDE',
      '  5 min ago (11:55 UTC), seen 0 s later',
      '[Mute 24 h: /mute tide 24h] [Why?: /why ID]',
      'as of 5 min ago (11:55 UTC)',
    ].join('\n'),
  );
});

test('several of more than one project count the projects, and of more than one entry mute the chat', () => {
  const text = plainText(compose('ID', [told(2), told(5, 'all', 'Heron Flats')]), NOON);
  expect(text).toContain('2 changes at 2 projects');
  expect(text).toContain('[Mute 24 h: /mute 24h]');
});

test('wallets among them are counted as wallets', () => {
  const one = told(3, 'key', 'fund-1');
  const wallet = { ...one, event: { ...one.event, wallet: walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd') } };
  expect(plainText(compose('ID', [told(2), told(5, 'all', 'Heron Flats'), wallet]), NOON)).toContain(
    '3 changes at 2 projects and 1 wallet',
  );
});

const FUND = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');

test('an alert about a wallet names it as each chat does', async () => {
  const desk = await openDesk();
  const other = address('console', 'other');
  await desk.watch({ kind: 'wallet', address: FUND, label: 'fund-1' });
  await desk.watch({ kind: 'wallet', address: FUND }, {}, other);
  const facts = { about: 'ico', project: 'Heron Flats', symbol: 'HERN', contribution: '1000' };
  const id = `wallet/${FUND}/ico/1`;
  await desk.announce(burn(1, desk.clock.now(), { id, topic: id, feed: 'wallet', stage: 'ico', project: undefined, wallet: FUND, facts }));
  await desk.clock.advance(GATHER);
  for (const chat of [CHAT, other]) await deliver(chat, desk.context, desk.signal);
  const [labelled = '', plain = ''] = desk.to.shown.map(({ text }) => text);
  expect(labelled).toContain('“fund-1”');
  expect(plain).toContain('Wallet 7Hq2…x9Pd');
});
