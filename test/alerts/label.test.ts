import { expect, test } from 'vitest';
import { deliver, GATHER } from '../../src/alerts/deliver.js';
import { address } from '../../src/chat/address.js';
import { walletAddress } from '../../src/domain/wallet.js';
import { burn, CHAT, openDesk } from './desk.js';

const WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');

test('an alert about a wallet names it as each chat does', async () => {
  const desk = await openDesk();
  const other = address('console', 'other');
  await desk.watch({ kind: 'wallet', address: WALLET, label: 'fund-1' });
  await desk.watch({ kind: 'wallet', address: WALLET }, {}, other);
  const facts = { about: 'ico', project: 'Heron Flats', symbol: 'HERN', contribution: '1000' };
  const id = `wallet/${WALLET}/ico/1`;
  await desk.announce(
    burn(1, desk.clock.now(), { id, topic: id, feed: 'wallet', stage: 'ico', project: undefined, wallet: WALLET, facts }),
  );
  await desk.clock.advance(GATHER);
  for (const chat of [CHAT, other]) await deliver(chat, desk.context, desk.signal);
  const [labelled = '', plain = ''] = desk.to.shown.map(({ text }) => text);
  expect(labelled).toContain('“fund-1”');
  expect(plain).toContain('Wallet 7Hq2…x9Pd');
});
