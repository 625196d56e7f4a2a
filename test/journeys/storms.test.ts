/** Messages a person gets in a storm: few, and each event among them. */
import { expect, test } from 'vitest';
import { behind, flood, HAPPENINGS, OFTEN, outage, SELDOM, wavering, type Away } from './storms.js';
import { PLACES, told } from './three.js';
import { openTwo } from './two.js';

test('a premium that crosses its line 40 times within the dead-band is told at most twice in each place', async () => {
  const two = await openTwo({ env: OFTEN });
  const took = await wavering(two);
  const checkRecords = two.lines.filter((line) => line.event === 'analytics.exchange' && line['row'] === 'treasury.overview');
  expect(checkRecords.length).toBeGreaterThanOrEqual(took.length);
  const all = await told(two);
  for (const place of PLACES) {
    expect(all[place].length, place).toBeGreaterThan(0);
    expect(all[place].length, place).toBeLessThanOrEqual(2);
    expect(all[place][0], place).toContain('25%');
  }
}, 60_000);

test('three hundred mints in ten seconds are at most two messages in each place, and none is lost', async () => {
  const two = await openTwo();
  await flood(two);
  const all = await told(two);
  for (const place of PLACES) {
    expect(all[place].length, place).toBeGreaterThan(0);
    expect(all[place].length, place).toBeLessThanOrEqual(2);
  }
  expect(changes(await behind(two))).toBe(300);
}, 60_000);

/** How many different mints and burns a text tells. */
const changes = (text: string): number => new Set(text.match(/(?:minted|burned) [\d,]+ TIDE/gu)).size;

const SUMMARY = 'Catching up: ';

test.each<readonly [Away, unsummed: number]>([
  ['the service', 0],
  // What was tried when the outage began keeps its content, so that a repeat can be recognised; the rest is one summary.
  ['the platforms', 1],
  ['the bot', 0],
])(
  'an hour without %s is one summary in each place, and no event is lost',
  async (away, unsummed) => {
    const two = await openTwo({ env: SELDOM });
    await outage(two, away, { hours: 1 });
    const all = await told(two);
    for (const place of ['discord', 'telegram'] as const) {
      expect(
        all[place].filter((text) => text.includes(SUMMARY)),
        place,
      ).toHaveLength(1);
      expect(all[place].filter((text) => !text.includes(SUMMARY)).length, place).toBeLessThanOrEqual(unsummed);
    }
    // One of them is a proposal.
    expect(changes(await behind(two))).toBe(HAPPENINGS - 1);
    // The page is a part of the bot: without the platforms it was told of each as it happened.
    expect(all.page).toHaveLength(away === 'the platforms' ? HAPPENINGS : 1);
  },
  60_000,
);
