/** Any world at any moment, for the properties that must hold everywhere. */
import fc from 'fast-check';
import { instant, type Instant } from '../../../src/base/clock.js';
import type { Character } from '../../../src/simulator/world/invented-projects.js';
import { createWorld, type World } from '../../../src/simulator/world/world.js';
import { runs } from '../../support/properties.js';

export interface Place {
  readonly world: World;
  readonly who: Character;
  readonly at: Instant;
}

export const NOON = instant(Date.UTC(2026, 10, 21, 12));

export function open(seed = 'harbor', project = 'tide', pace = 1): Omit<Place, 'at'> {
  const world = createWorld({ seed, pace });
  const who = world.find(project);
  if (!who) throw new Error(`no project ${project}`);
  return { world, who };
}

const places = fc.record({
  seed: fc.string({ maxLength: 8 }),
  pace: fc.constantFrom(0.5, 1, 3.7, 20),
  project: fc.constantFrom(...createWorld({ seed: '', pace: 1 }).projects.map((who) => who.slug)),
  at: fc.integer({ min: Date.UTC(2026, 2, 1), max: Date.UTC(2028, 0, 1) }).map(instant),
});

/** Checks a property for this many worlds and moments. */
export const everywhere = (check: (place: Place) => void, full = 50): void =>
  fc.assert(
    fc.property(places, ({ seed, pace, project, at }) => check({ ...open(seed, project, pace), at })),
    { numRuns: runs(full) },
  );
