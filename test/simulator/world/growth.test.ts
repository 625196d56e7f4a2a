import { expect, test } from 'vitest';
import { DAY, instant, later } from '../../../src/base/clock.js';
import { NOON, open } from './places.js';

const FROM = instant(Date.UTC(2026, 7, 1));
const days = Array.from({ length: 112 }, (_, index) => later(FROM, index * DAY));

test('the value that was published last is the one that is shown', () => {
  const { world, who } = open('harbor', 'spindrift');
  for (const metricId of world.growth.metrics(who)) {
    const shown = new Map(world.growth.observations({ who, metricId, from: FROM, to: NOON, at: NOON }).map((one) => [one.date, one.value]));
    const last = days.flatMap((day) => world.growth.published(who, metricId, day).findLast((one) => one.at <= NOON) ?? []);
    expect(shown).toEqual(new Map(last.map((one) => [one.date, one.value])));
  }
});

test('a day is published only when it is over, and restated only after that', () => {
  const { world } = open();
  for (const who of world.projects) {
    for (const metricId of world.growth.metrics(who)) {
      for (const day of days) {
        const times = world.growth.published(who, metricId, day).map((one) => one.at);
        expect(times.toSorted((a, b) => a - b)).toEqual(times);
        expect(times.every((at) => at >= day + DAY)).toBe(true);
      }
    }
  }
});

test('there are gaps, true zeros, late days and restated ones, and a project without a feed', () => {
  const { world } = open();
  const all = world.projects.flatMap((who) =>
    world.growth.metrics(who).flatMap((metricId) => days.map((day) => world.growth.published(who, metricId, day))),
  );
  expect(all.some((one) => one.length === 0)).toBe(true);
  expect(all.some((one) => one[0]?.value === '0')).toBe(true);
  expect(all.some(([first]) => first !== undefined && first.at - Date.parse(first.date) > 2 * DAY)).toBe(true);
  expect(all.some((one) => one.length > 1)).toBe(true);
  expect(world.projects.some((who) => world.growth.metrics(who).length === 0)).toBe(true);
});
