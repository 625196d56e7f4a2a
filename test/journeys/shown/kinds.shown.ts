/** For each alert kind: its rule, the alert as each platform received it, and what "Why?" answers. */
import { expect, test } from 'vitest';
import { KINDS, play, watchingOnly } from '../kinds.js';
import { SURFACES } from '../surfaces.js';
import { openConnectedBot } from '../connected-bot.js';
import { json, listen, page, text } from './pages.js';

test.each(KINDS)('$kind', async (kind) => {
  const bot = await openConnectedBot({ start: kind.start, watching: watchingOnly(kind), env: { WALLET_MAX_AGE_MINUTES: '5' } });
  const requests = listen(bot);
  const { ruled, came, alerts, whys } = await play(bot, kind);
  const to = page(`kind-${kind.kind}`, `${kind.kind}: its rule, the message, and why`);
  to.add(`## The rule: \`${kind.rule}\``, text(ruled.page), `## What happens`, `${kind.story}.`);
  for (const surface of SURFACES) to.add(`## Read on ${surface}`, ...alerts[surface].map(text), '### "Why?" under it', text(whys[surface]));
  const onDiscord = requests.discord().filter(({ path, body }) => path.endsWith('/messages') && JSON.stringify(body).includes(kind.says));
  const onTelegram = requests.telegram().filter(({ params }) => JSON.stringify(params).includes('Why?'));
  to.add('## The alert as Discord received it', ...onDiscord.map(({ path, body, status }) => `${path} → ${status}\n\n${json(body)}`));
  to.add('## The alert as Telegram received it', ...onTelegram.map(({ method, params }) => `${method}\n\n${json(params)}`));
  await to.write();
  expect(came).toBe(true);
});
