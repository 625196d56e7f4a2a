import { expect, test } from 'vitest';
import { DAY, MINUTE, instant } from '../../../src/base/clock.js';
import { closing, minimumReachedAt, stateOf, type WorldLaunch } from '../../../src/simulator/world/launches.js';
import { everywhere, open } from './places.js';

const ORDER = ['Initialized', 'Live', 'Closed', 'Refunding', 'Complete'];

const life = (one: WorldLaunch) => {
  const end = closing(one) + one.settlesAfter;
  return Array.from({ length: 20 }, (_, step) => instant(one.initializedAt + (step * (end - one.initializedAt)) / 19));
};

test('a launch goes one way through its states, gathers more and more, and tells what was accepted only when closed', () => {
  everywhere(({ world, at }) => {
    for (const one of world.launches.all(at).slice(0, 12)) {
      const views = life(one).map((when) => world.launches.view(one, when));
      const states = views.map((view) => ORDER.indexOf(view.state));
      expect(states.toSorted((a, b) => a - b)).toEqual(states);
      const gathered = views.map((view) => view.committed);
      expect(gathered.toSorted((a, b) => Number(a - b))).toEqual(gathered);
      for (const view of views) expect(view.accepted === null).toBe(view.state === 'Initialized' || view.state === 'Live');
    }
  }, 20);
});

test('it completes where the minimum is met and refunds where not, and never takes more than was committed', () => {
  everywhere(({ world, at }) => {
    for (const one of world.launches.all(at)) {
      expect(stateOf(one, instant(closing(one) + one.settlesAfter))).toBe(one.committed >= one.minimum ? 'Complete' : 'Refunding');
      expect(one.accepted <= one.committed).toBe(true);
      const met = minimumReachedAt(one);
      expect(met !== undefined).toBe(one.committed >= one.minimum);
      expect(world.launches.view(one, instant((met ?? closing(one)) - MINUTE)).committed < one.minimum).toBe(true);
    }
  }, 20);
});

test('over a few weeks every state is seen, an extension and the graveyard too', () => {
  const { world } = open();
  const moments = Array.from({ length: 90 }, (_, step) => instant(Date.UTC(2026, 10, 1) + step * (DAY / 3) + step * 53 * MINUTE));
  const seen = new Set(
    moments.flatMap((at) =>
      world.launches
        .all(at)
        .flatMap((one) => [
          stateOf(one, at),
          ...(one.extension && one.extension.at <= at && at < closing(one) ? ['extended'] : []),
          ...(one.ended && one.ended.at <= at ? ['graveyard'] : []),
        ]),
    ),
  );
  expect([...seen].toSorted()).toEqual(['Closed', 'Complete', 'Initialized', 'Live', 'Refunding', 'extended', 'graveyard']);
});
