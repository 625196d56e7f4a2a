/** Project's monthly allowance. Fast projects change it about daily. */
import type { Instant } from '../../base/clock.js';
import { pick } from './seeded-random.js';
import type { Character } from './invented-projects.js';
import { pushedAllowance } from './injected-changes.js';
import { fastMinutes, slotOf, type WorldScene } from './world-inputs.js';

const HALF_A_DAY = 12 * 60;

/** USD. */
export function allowanceOf(world: WorldScene, who: Character, at: Instant): string {
  const pushed = pushedAllowance(world, who, at);
  if (pushed !== undefined) return pushed;
  if (who.tempo !== 'fast') return String(who.allowance);
  const slot = slotOf(at, fastMinutes(world, HALF_A_DAY));
  return String(Math.round(who.allowance * pick(world.roll('allowance', who.slug, slot), [1, 1, 1, 0.8, 1.2])));
}
