/** Few messages in a storm: a figure that wavers, a flood of events, six hours without a part of the whole. */
import { expect, test } from 'vitest';
import { flood, OFTEN, outage, wavering, type Away } from '../storms.js';
import { PLACES, told } from '../three.js';
import { openTwo, type Two } from '../two.js';
import { page, text, type Page } from './pages.js';
import { story } from './story.js';

/** Resolves with the count of messages where there were most. */
async function written(two: Two, to: Page, lines: readonly string[]): Promise<number> {
  const all = await told(two);
  to.add(['| place | messages |', '| --- | --- |', ...PLACES.map((place) => `| ${place} | ${all[place].length} |`)].join('\n'));
  for (const place of PLACES) to.add(`## Read on ${place}`, ...all[place].map(text));
  to.add('## What happened, message by message', text(lines.join('\n')));
  await to.write();
  return Math.max(...PLACES.map((place) => all[place].length));
}

test('a premium that wavers around its line', async () => {
  const two = await openTwo({ env: OFTEN });
  const told = story(two);
  const took = await wavering(two, { tell: told.tell });
  const to = page('storm-wavering', `A premium crosses its line ${took.length} times within the dead-band`);
  to.add(`The premiums it took, in percent: ${took.map((one) => one.toFixed(1)).join(', ')}.`);
  expect(await written(two, to, told.lines())).toBeLessThanOrEqual(2);
});

test('a flood', async () => {
  const two = await openTwo();
  const told = story(two);
  await flood(two, { tell: told.tell });
  expect(await written(two, page('storm-flood', 'Three hundred mints in ten seconds'), told.lines())).toBeLessThanOrEqual(2);
});

test.each<Away>(['the service', 'the platforms', 'the bot'])('six hours without %s', async (away) => {
  const two = await openTwo();
  const told = story(two);
  await outage(two, away, { hours: 6, tell: told.tell });
  const to = page(`storm-without-${away.replaceAll(' ', '-')}`, `Six hours without ${away}`);
  expect(await written(two, to, told.lines())).toBeGreaterThan(0);
});
