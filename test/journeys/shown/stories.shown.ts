/** Four scenes, message by message, and hostile names as each platform received them. */
import { expect, test } from 'vitest';
import { HOSTILE } from '../../platforms/telegram/hostile.js';
import { kickedAndBack, lostEmbedLinks, supergroup, twelveHours, type Tell } from '../scenes.js';
import { openTwo, type Two } from '../two.js';
import { json, listen, page, text } from './pages.js';
import { story } from './story.js';

const SCENES: readonly (readonly [name: string, title: string, play: (two: Two, tell: Tell) => Promise<unknown>])[] = [
  ['twelve-hours', 'A pause of twelve hours from Telegram, across a restart', twelveHours],
  ['supergroup-told', 'A group becomes a supergroup, and Telegram says so', async (two, tell) => supergroup(two, 'by message', tell)],
  [
    'supergroup-refused',
    'A group becomes a supergroup, and a refused message says so',
    async (two, tell) => supergroup(two, 'by sending', tell),
  ],
  ['kicked', 'The bot is removed from both, and comes back', kickedAndBack],
  ['embed-links', 'Embed Links is lost and given back', async (two, tell) => lostEmbedLinks(two, 'while it listens', tell)],
];

test.each(SCENES)('%s', async (name, title, play) => {
  const two = await openTwo();
  const told = story(two);
  await play(two, told.tell);
  const to = page(`story-${name}`, title);
  to.add(text(told.lines().join('\n')));
  await to.write();
  expect(told.lines().length).toBeGreaterThan(5);
});

test('hostile names', async () => {
  const two = await openTwo();
  const to = page('hostile', 'Hostile names, as each platform received them');
  await two.slash('watch', { target: 'tide' });
  await two.write('/watch tide');
  for (const name of HOSTILE.map((one) => one.replaceAll(/\p{Cs}/gu, '\ufffd'))) {
    const heard = listen(two);
    await two.sim({ kind: 'proposal', project: 'tide', title: name, draftSeconds: 36_000 });
    await two.pass(70);
    to.add(`## ${JSON.stringify(name.length > 60 ? `${name.slice(0, 40)}… (${name.length} characters)` : name)}`);
    const [alert] = two.told().slice(-1);
    const [post] = two.telegram.posted(two.group).slice(-1);
    to.add('### Discord', ...heard.discord().map(({ body }) => json(body)), `pings: ${JSON.stringify(alert?.pings)}`);
    to.add('### Telegram', ...heard.telegram().map(({ params }) => json(params)));
    expect([alert?.pings.quiet, post?.pings.length]).toEqual([true, 0]);
    to.add(`pings: ${JSON.stringify(post?.pings)}, entities: ${JSON.stringify(post?.entities)}, preview: ${post?.preview ?? 'none'}`);
  }
  await to.write();
});
