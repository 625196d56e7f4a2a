/** Half a minute in which two rare things coincide: a situation, and within two seconds a disturbance. Of seeds in a row each has another pair. */
import { SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import { DISTURBANCES } from './disturbances.js';
import { ask, PROJECT, rowsOf, type Base } from './pair-parts.js';
import { PLATFORMS, type Kind, type Scenario, type Step, type Timed } from './scenario.js';
import { SITUATIONS } from './situations.js';

const LENGTH = 50 * SECOND;
/** Kinds of which nothing happens. */
const UNUSED: readonly Kind[] = ['movements', 'launches', 'growth', 'premium', 'treasury', 'vesting'];
/** A number without a common divisor with the count of pairs, so that neighbours differ in both parts. */
const STRIDE = 43;
const MAX_WAIT = 2 * SECOND;

export function pair(seed: number, random: Random, situations = SITUATIONS): Scenario {
  const count = situations.length * DISTURBANCES.length;
  const chosen = (seed * STRIDE) % count;
  const pick = <T>(all: readonly T[], index: number): T => all[index] ?? random.pick(all);
  const situation = pick(situations, chosen % situations.length);
  const disturbances = [pick(DISTURBANCES, Math.floor(chosen / situations.length))];
  if (random.chance(0.3)) disturbances.push(random.pick(DISTURBANCES));
  // An hour begins half a minute later, with a check, or soon after the end.
  const before = situation.atHour === true ? random.whole(29, 31) : random.whole(60, 120);
  const start = Date.UTC(2026, 10, 20, 13) - before * SECOND;
  const platform = random.pick(PLATFORMS);
  const chats = Array.from({ length: situation.chats ?? random.whole(1, 2) }, (_, index) => address(platform, `chat-${index}`));
  const base: Base = { random, start, watched: start + 4 * SECOND, chats, chat: random.pick(chats) };
  const { world = {}, steps = [], moment, processes = 1, lasts, isDense = false, on = [] } = situation.make(base);
  const off = [...UNUSED, ...(world.markets === undefined ? ['proposals' as const] : [])].filter((kind) => !on.includes(kind));
  const near =
    (first: number) =>
    (step: Step, later = 0): Timed =>
      'at' in moment ? { ...step, at: moment.at + first + later } : { ...step, at: start, when: { ...moment, wait: first + later } };
  // Often at once: what is under way then takes milliseconds.
  const wait = (): number => random.pick([0, random.whole(0, 60), random.whole(0, 500), random.whole(0, MAX_WAIT)]);
  const disturbed = disturbances.flatMap((make) => make(base, near(wait())));
  const asked = chats.map((chat): Timed => ({
    ...ask(chat, { kind: 'import', projects: [PROJECT], off }),
    at: start + SECOND,
  }));
  return {
    seed,
    profile: 'pair',
    ...{ start, calm: start + (lasts ?? LENGTH) },
    ambiguous: random.chance(0.7) ? 'repeat' : 'hold',
    ...(lasts === undefined || isDense ? { pollSeconds: 15, tickSeconds: 1 } : { pollSeconds: 600, tickSeconds: 20 }),
    requestsPerMonth: undefined,
    faultRates: { service: 0, platform: 0 },
    ...{ slowestAnswer: 80, processes },
    world: {
      ...{ projects: [PROJECT], markets: [], values: [], holdings: [], launches: [], growth: [], tranches: [], navs: [] },
      ...world,
      rows: world.rows ?? rowsOf(base),
    },
    chats,
    steps: movedOnce([...asked, ...steps, ...disturbed]).toSorted((a, b) => a.at - b.at),
  };
}

/** A group becomes a supergroup only once, and a bot that was removed receives no word of it. */
const movedOnce = (steps: readonly Timed[]): readonly Timed[] =>
  steps.filter((step, index) => !isMove(step) || !steps.some((other, place) => isGone(other) || (place < index && isMove(other))));
const isMove = (step: Timed): boolean => step.kind === 'chat' && step.becomes === 'moved';
const isGone = (step: Timed): boolean => step.kind === 'chat' && step.becomes === 'gone';
