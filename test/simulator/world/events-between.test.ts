import { expect, test } from 'vitest';
import { HOUR, instant, later } from '../../../src/base/clock.js';
import { happenings } from '../../../src/simulator/world/events-between.js';
import { createWorld } from '../../../src/simulator/world/world.js';

const noon = instant(Date.UTC(2026, 10, 21, 12));

/** Seconds between two events on average over this many hours. */
function gap({ seed, pace = 1, hours = 6 }: { seed: string; pace?: number; hours?: number }): number {
  const found = happenings(createWorld({ seed, pace }), { from: noon, to: later(noon, hours * HOUR) });
  return (hours * 3_600) / found.length;
}

test.each(['harbor', 'otter', 'seven', 'a', '2026'])('with seed "%s" something worth telling happens every 20 to 60 seconds', (seed) => {
  expect(gap({ seed })).toBeGreaterThan(20);
  expect(gap({ seed })).toBeLessThan(60);
});

test('every single hour of a day has its share of events, of every kind', () => {
  const world = createWorld({ seed: 'harbor', pace: 1 });
  for (let hour = 0; hour < 24; hour += 1) {
    const from = later(noon, hour * HOUR);
    const found = happenings(world, { from, to: later(from, HOUR) });
    expect(3_600 / found.length).toBeGreaterThan(20);
    expect(3_600 / found.length).toBeLessThan(60);
    expect([...new Set(found.map((one) => one.feed))].toSorted()).toEqual(['growth', 'launches', 'proposals', 'supply']);
  }
});

test('nobody waits long for the first event', () => {
  const found = happenings(createWorld({ seed: 'harbor', pace: 1 }), { from: noon, to: later(noon, 6 * HOUR) });
  const gaps = found.slice(1).map((one, index) => one.at - (found[index]?.at ?? one.at));
  expect(Math.max(...gaps) / 1_000).toBeLessThan(300);
});

test('the pace changes how much happens, never when a natural project moves', () => {
  expect(gap({ seed: 'harbor', pace: 4, hours: 1 })).toBeLessThan(gap({ seed: 'harbor', hours: 1 }) / 3);
  const natural = (pace: number) =>
    happenings(createWorld({ seed: 'harbor', pace }), { from: noon, to: later(noon, 24 * HOUR) }).filter(
      (one) => one.subject === 'tide' || one.subject === 'heron',
    );
  expect(natural(4)).toEqual(natural(1));
});
