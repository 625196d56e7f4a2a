/** Few messages in a storm: a figure that wavers, a flood of events, six hours without a part of the whole. */
import { expect, test } from 'vitest';
import { flood, OF_HAPPENINGS, OF_PREMIUM, OF_SUPPLY, OFTEN, outage, wavering, type Away } from '../storms.js';
import { SURFACES, alerted } from '../surfaces.js';
import { openConnectedBot, type ConnectedBot } from '../connected-bot.js';
import { page, text, type Page } from './pages.js';
import { story } from './story.js';

/** Resolves with the count of messages where there were most. */
async function written(bot: ConnectedBot, to: Page, lines: readonly string[]): Promise<number> {
  const all = await alerted(bot);
  to.add(['| surface | messages |', '| --- | --- |', ...SURFACES.map((surface) => `| ${surface} | ${all[surface].length} |`)].join('\n'));
  for (const surface of SURFACES) to.add(`## Read on ${surface}`, ...all[surface].map(text));
  to.add('## What happened, message by message', text(lines.join('\n')));
  await to.write();
  return Math.max(...SURFACES.map((surface) => all[surface].length));
}

test('a premium that wavers around its line', async () => {
  const bot = await openConnectedBot({ env: OFTEN, watching: OF_PREMIUM });
  const alerted = story(bot);
  const took = await wavering(bot, { narrate: alerted.narrate });
  const to = page('storm-wavering', `A premium crosses its line ${took.length} times within the dead-band`);
  to.add(`The premiums it took, in percent: ${took.map((one) => one.toFixed(1)).join(', ')}.`);
  expect(await written(bot, to, alerted.lines())).toBeLessThanOrEqual(2);
});

test('a flood', async () => {
  const bot = await openConnectedBot({ watching: OF_SUPPLY });
  const alerted = story(bot);
  await flood(bot, { narrate: alerted.narrate });
  expect(await written(bot, page('storm-flood', 'Three hundred mints in ten seconds'), alerted.lines())).toBeLessThanOrEqual(2);
});

test.each<Away>(['the service', 'the platforms', 'the bot'])('six hours without %s', async (away) => {
  const bot = await openConnectedBot({ watching: OF_HAPPENINGS });
  const alerted = story(bot);
  await outage(bot, away, { hours: 6, narrate: alerted.narrate });
  const to = page(`storm-without-${away.replaceAll(' ', '-')}`, `Six hours without ${away}`);
  expect(await written(bot, to, alerted.lines())).toBeGreaterThan(0);
});
