/** Four scenes, message by message, and hostile names as each platform received them. */
import { expect, test } from 'vitest';
import { HOSTILE } from '../../platforms/telegram/hostile.js';
import { kickedAndBack, lostEmbedLinks, SUPPLY, supergroup, twelveHours, type Narrate } from '../scenes.js';
import { openConnectedBot, type ConnectedBot } from '../connected-bot.js';
import { json, listen, page, text } from './pages.js';
import { story } from './story.js';

const SCENES: readonly (readonly [name: string, title: string, play: (bot: ConnectedBot, narrate: Narrate) => Promise<unknown>])[] = [
  ['twelve-hours', 'A pause of twelve hours from Telegram, across a restart', twelveHours],
  [
    'supergroup-alerted',
    'A group becomes a supergroup, and Telegram says so',
    async (bot, narrate) => supergroup(bot, 'by message', narrate),
  ],
  [
    'supergroup-refused',
    'A group becomes a supergroup, and a refused message says so',
    async (bot, narrate) => supergroup(bot, 'by sending', narrate),
  ],
  ['kicked', 'The bot is removed from both, and comes back', kickedAndBack],
  ['embed-links', 'Embed Links is lost and given back', async (bot, narrate) => lostEmbedLinks(bot, 'while it listens', narrate)],
];

test.each(SCENES)('%s', async (name, title, play) => {
  const bot = await openConnectedBot({ watching: SUPPLY });
  const alerted = story(bot);
  await play(bot, alerted.narrate);
  const to = page(`story-${name}`, title);
  to.add(text(alerted.lines().join('\n')));
  await to.write();
  expect(alerted.lines().length).toBeGreaterThan(5);
});

test('hostile names', async () => {
  const bot = await openConnectedBot();
  const to = page('hostile', 'Hostile names, as each platform received them');
  await bot.slash('watch', { target: 'tide' });
  await bot.write('/watch tide');
  for (const name of HOSTILE.map((one) => one.replaceAll(/\p{Cs}/gu, '\ufffd'))) {
    const requests = listen(bot);
    await bot.sim({ kind: 'proposal', project: 'tide', title: name, draftSeconds: 36_000 });
    await bot.pass(70);
    to.add(`## ${JSON.stringify(name.length > 60 ? `${name.slice(0, 40)}… (${name.length} characters)` : name)}`);
    const [alert] = bot.alerted().slice(-1);
    const [post] = bot.telegram.posted(bot.group).slice(-1);
    to.add('### Discord', ...requests.discord().map(({ body }) => json(body)), `pings: ${JSON.stringify(alert?.pings)}`);
    to.add('### Telegram', ...requests.telegram().map(({ params }) => json(params)));
    expect([alert?.pings.quiet, post?.pings.length]).toEqual([true, 0]);
    to.add(`pings: ${JSON.stringify(post?.pings)}, entities: ${JSON.stringify(post?.entities)}, preview: ${post?.preview ?? 'none'}`);
  }
  await to.write();
});
