/** Messages a person gets in a storm: few, and each event among them. */
import { expect, test } from 'vitest';
import { behind, flood, HAPPENINGS, OF_HAPPENINGS, OF_PREMIUM, OF_SUPPLY, OFTEN, outage, SELDOM, wavering, type Away } from './storms.js';
import { SURFACES, alerted } from './surfaces.js';
import { openConnectedBot } from './connected-bot.js';

test('a premium that crosses its line ten times within the dead-band is alerted at most twice in each surface', async () => {
  const bot = await openConnectedBot({ env: OFTEN, watching: OF_PREMIUM });
  const took = await wavering(bot, { times: 10 });
  const checkRecords = bot.lines.filter((line) => line.event === 'analytics.exchange' && line['row'] === 'treasury.overview');
  expect(checkRecords.length).toBeGreaterThanOrEqual(took.length);
  const all = await alerted(bot);
  for (const surface of SURFACES) {
    expect(all[surface].length, surface).toBeGreaterThan(0);
    expect(all[surface].length, surface).toBeLessThanOrEqual(2);
    expect(all[surface][0], surface).toContain('25%');
  }
});

test('three hundred mints in ten seconds are at most two messages in each surface, and none is lost', async () => {
  const bot = await openConnectedBot({ watching: OF_SUPPLY });
  await flood(bot);
  const all = await alerted(bot);
  for (const surface of SURFACES) {
    expect(all[surface].length, surface).toBeGreaterThan(0);
    expect(all[surface].length, surface).toBeLessThanOrEqual(2);
  }
  const pages = await behind(bot);
  expect(changes(pages), pages.slice(0, 2_000)).toBe(300);
});

/** How many different mints and burns a text tells. */
const changes = (text: string): number => new Set(text.match(/(?:minted|burned) [\d,]+ TIDE/gu)).size;

const SUMMARY = 'Catching up: ';

test.each<readonly [Away, unsummed: number]>([
  ['the service', 0],
  // What was tried when the outage began keeps its content, so that a repeat can be recognised; the rest is one summary.
  ['the platforms', 1],
  ['the bot', 0],
])('an hour without %s is one summary in each surface, and no event is lost', async (away, unsummed) => {
  const bot = await openConnectedBot({ env: SELDOM, watching: OF_HAPPENINGS });
  await outage(bot, away, { hours: 1 });
  const all = await alerted(bot);
  for (const surface of ['discord', 'telegram'] as const) {
    expect(
      all[surface].filter((text) => text.includes(SUMMARY)),
      surface,
    ).toHaveLength(1);
    expect(all[surface].filter((text) => !text.includes(SUMMARY)).length, surface).toBeLessThanOrEqual(unsummed);
  }
  // One of them is a proposal.
  expect(changes(await behind(bot))).toBe(HAPPENINGS - 1);
  // The page is a part of the bot: without the platforms it was alerted of each as it happened.
  expect(all.page).toHaveLength(away === 'the platforms' ? HAPPENINGS : 1);
});
