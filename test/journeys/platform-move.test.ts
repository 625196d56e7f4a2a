/** A watchlist leaves Discord as a file and arrives on Telegram as the same list, after it was said what would change. */
import { expect, test } from 'vitest';
import { difference, moveHouse, PLAIN_LIST, sendFile } from './platform-move.js';
import { openConnectedBot } from './connected-bot.js';

test('a list that is exported on Discord and imported on Telegram is the same list, and nothing changes before the button', async () => {
  const bot = await openConnectedBot();
  const { exported, dryRun, standing, done, arrived } = await moveHouse(bot);
  expect(dryRun).toContain('Import this list?');
  expect(standing).not.toContain('Tidewater');
  expect(done).toContain('Imported: ');
  expect(difference(exported.file, arrived)).toEqual([]);
});

test('a plain list of wallets is read, and the line that cannot be is named', async () => {
  const bot = await openConnectedBot();
  const { text } = await sendFile(bot, { text: '/watchlist import', name: 'wallets.txt', content: PLAIN_LIST });
  expect(text).toContain('will add 3 entries');
  expect(text).toContain('no wallet at all');
});
