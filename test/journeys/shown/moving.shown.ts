/** Export on Discord, import on Telegram: both files, and their difference. */
import { expect, test } from 'vitest';
import { difference, moveHouse, PLAIN_LIST, sendFile } from '../platform-move.js';
import { openConnectedBot } from '../connected-bot.js';
import { json, listen, page, text } from './pages.js';

test('moving house', async () => {
  const bot = await openConnectedBot();
  const to = page('moving', 'A watchlist moves from Discord to Telegram');
  const requests = listen(bot);
  const { setUp, exported, dryRun, standing, done, arrived } = await moveHouse(bot);
  to.add('## Set up on Discord', ...setUp.map(text), '## `/watchlist export` on Discord', text(exported.says), text(exported.file));
  to.add('## The file and `/watchlist import` on Telegram', text(dryRun), '## What the group watches before the button', text(standing));
  to.add('## After the button', text(done), '## `/watchlist export` on Telegram', text(arrived));
  const lines = difference(exported.file, arrived);
  to.add('## The difference of the two files', lines.length === 0 ? 'None: not a single line differs.' : text(lines.join('\n')));
  const received = requests.telegram().filter(({ method }) => method === 'sendMessage');
  to.add('## As Telegram received it', ...received.map(({ method, params }) => `${method}\n\n${json(params)}`));
  const plain = await sendFile(bot, { text: '/watchlist import', name: 'wallets.txt', content: PLAIN_LIST });
  to.add('## A plain list of wallets', text(PLAIN_LIST), '### The answer', text(plain.text));
  await to.write();
  expect(lines).toEqual([]);
});
