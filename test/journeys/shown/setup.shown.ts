/** Setting up without a manual, step by step. */
import { expect, test } from 'vitest';
import { STORIES } from '../setup.js';
import { openConnectedBot } from '../connected-bot.js';
import { json, listen, page, text } from './pages.js';

test.each(STORIES)('%s', async (title, play) => {
  const bot = await openConnectedBot({ env: { ACCESS: 'open' } });
  const requests = listen(bot);
  const steps = await play(bot);
  const to = page(`setup-${title.toLowerCase().replaceAll(' ', '-')}`, title);
  for (const [what, seen] of steps) to.add(`## ${what}`, text(seen));
  const onDiscord = requests.discord().filter(({ body }) => /embeds|components/u.test(JSON.stringify(body)));
  if (onDiscord.length > 0)
    to.add('## As Discord received it', ...onDiscord.map(({ path, body, status }) => `${path} → ${status}\n\n${json(body)}`));
  const onTelegram = requests.telegram().filter(({ method }) => /^(send|edit)/u.test(method));
  if (onTelegram.length > 0)
    to.add('## As Telegram received it', ...onTelegram.map(({ method, params }) => `${method}\n\n${json(params)}`));
  await to.write();
  expect(steps.length).toBeGreaterThan(1);
});
