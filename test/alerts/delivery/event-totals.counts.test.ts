import { expect, test } from 'vitest';
import { countsOf } from '../../../src/alerts/delivery/event-totals.js';
import { CORRECTED_STAGE } from '../../../src/feeds/event-content.js';
import { FEEDS } from '../../../src/feeds/index.js';

const one = (feed: string, stage: string, about = 'Tidewater') => ({ event: { feed, stage }, about });

test('events are counted by kind and stage, in the order first met', () => {
  expect(
    countsOf([one('supply', 'burn'), one('proposals', 'passed', 'Heron Flats'), one('supply', 'burn'), one('launches', 'closed', 'Alder')]),
  ).toBe('2 burns at Tidewater, 1 proposal passed at Heron Flats, 1 launch closed at Alder');
});

test('where all concern one, it is named once; a count of several names nobody', () => {
  expect(countsOf([one('supply', 'burn'), one('supply', 'mint')])).toBe('1 burn, 1 mint at Tidewater');
  expect(countsOf([one('supply', 'burn'), one('supply', 'burn', 'Heron Flats')])).toBe('2 burns');
});

test('what there is no word for is counted by its kind', () => {
  expect(countsOf([one('weather', 'storm'), one('weather', 'calm')])).toBe('2 weather events at Tidewater');
  expect(countsOf([one('movements', 'swap'), one('movements', 'outflow')])).toBe('2 treasury movements at Tidewater');
});

test('corrections are counted as such, by the kind that they correct', () => {
  expect(countsOf([one('supply', CORRECTED_STAGE), one('supply', CORRECTED_STAGE)])).toBe('2 corrections of supply at Tidewater');
  expect(countsOf([one('supply', CORRECTED_STAGE)])).toBe('1 correction of supply at Tidewater');
});

test('more than six counts end in how many events are left', () => {
  const kinds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'g'];
  expect(countsOf(kinds.map((kind) => one(kind, 'x')))).toMatch(/, 1 f event, 2 more at Tidewater$/u);
});

test('a long name is cut', () => {
  expect(countsOf([one('supply', 'burn', 'x'.repeat(500))]).length).toBeLessThan(80);
});

test.each(FEEDS.filter(({ id }) => id !== 'supply'))('$id has words of its own, whatever the stage', ({ id, alerts }) => {
  for (const stage of [...Object.keys(alerts.stages), 'something new'])
    expect(countsOf([one(id, stage), one(id, stage)])).not.toContain(`${id} event`);
});
