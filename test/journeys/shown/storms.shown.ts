/** Few messages in a storm: a figure that wavers, a flood of events, six hours without a part of the whole. */
import { expect, test } from 'vitest';
import { flood, outage, wavering, type Away } from '../storms.js';
import { PLACES, told } from '../three.js';
import { openTwo, type Two } from '../two.js';
import { page, text, type Page } from './pages.js';
import { story } from './story.js';

async function written(two: Two, to: Page, lines: readonly string[]): Promise<void> {
  const all = await told(two);
  to.add('| place | messages |\n| --- | --- |\n' + PLACES.map((place) => `| ${place} | ${all[place].length} |`).join('\n'));
  for (const place of PLACES) to.add(`## Read on ${place}`, ...all[place].map(text));
  to.add('## What happened, message by message', text(lines.join('\n')));
  await to.write();
}

test('a premium that wavers around its line', async () => {
  const two = await openTwo();
  const told = story(two);
  const took = await wavering(two, { tell: told.tell });
  const to = page('storm-wavering', `A premium crosses its line ${took.length} times within the dead-band`);
  to.add(`The premiums it took, in percent: ${took.map((one) => one.toFixed(1)).join(', ')}.`);
  await written(two, to, told.lines());
});

test('a flood', async () => {
  const two = await openTwo();
  const told = story(two);
  await flood(two, { tell: told.tell });
  await written(two, page('storm-flood', 'Three hundred mints in ten seconds'), told.lines());
});

test.each<Away>(['the service', 'the platforms', 'the bot'])('six hours without %s', async (away) => {
  const two = await openTwo();
  const told = story(two);
  await outage(two, away, { hours: 6, tell: told.tell });
  await written(two, page(`storm-without-${away.replaceAll(' ', '-')}`, `Six hours without ${away}`), told.lines());
  expect(two.told().length).toBeGreaterThan(0);
});
