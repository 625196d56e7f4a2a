/** The scenario of a seed. Most are minutes long, because those have the most faults for their CPU time. */
import { seeded } from '../machine/random.js';
import { brief } from './brief.js';
import { crowd } from './crowd.js';
import { days } from './days.js';
import { exceptions } from './exceptions.js';
import { expiry } from './expiry.js';
import { flood } from './flood.js';
import { followed } from './followed.js';
import { hours } from './hours.js';
import { lists } from './lists.js';
import { minutes, withTokens } from './minutes.js';
import { withMore } from './more.js';
import { pair } from './pair.js';
import type { Scenario } from './scenario.js';
import { REMINDED } from './situations.js';
import { trades } from './trades.js';

/** Seeds from here on are brief ones. */
export const FIRST_BRIEF = 1_000_001;
/** Seeds from here on have more events than a chat keeps. */
export const FIRST_FLOOD = 2_000_001;
/** Seeds from here on have events that expire. */
export const FIRST_EXPIRY = 3_000_001;

/** Seeds from here on have pairs of what rarely coincides. */
export const FIRST_PAIR = 4_000_001;

/** Seeds from here on have global lists that lag, lie, omit and fail; each third has a monthly limit. */
export const FIRST_LISTS = 5_000_001;

/** Seeds from here on have chats that watch all projects, with exceptions for single ones. */
export const FIRST_EXCEPTIONS = 6_000_001;

/** Seeds from here on have reminders of ends that move, of which platforms and processes are away. */
export const FIRST_REMIND = 7_000_001;

/** Seeds from here on have chats that filter movements by their token. */
const FIRST_NAMED = 8_000_001;

/** Seeds from here on have chats with a saved screen. */
export const FIRST_SCREENED = 9_000_001;

/** Seeds from here on have chats that follow, mute and unmute single proposals and launches. */
export const FIRST_FOLLOWED = 10_000_001;

/** Seeds from here on have single trades, and chats with a rule on their size. */
export const FIRST_TRADES = 12_000_001;

export function scenarioOf(seed: number): Scenario {
  const random = seeded(seed);
  if (seed >= FIRST_TRADES) return trades(seed, random);
  if (seed >= FIRST_FOLLOWED) return followed(seed, random);
  if (seed >= FIRST_SCREENED) return hours(seed, random, { isScreened: true });
  if (seed >= FIRST_NAMED) return withTokens(minutes(seed, random), random);
  if (seed >= FIRST_REMIND) return pair(seed, random, REMINDED);
  if (seed >= FIRST_EXCEPTIONS) return exceptions(seed, random);
  if (seed >= FIRST_LISTS) return lists(seed, random);
  if (seed >= FIRST_PAIR) return pair(seed, random);
  if (seed >= FIRST_EXPIRY) return expiry(seed, random);
  if (seed >= FIRST_FLOOD) return flood(seed, random);
  if (seed >= FIRST_BRIEF) return brief(seed, random);
  if (seed % 40 === 7) return crowd(seed, random);
  if (seed % 12 === 5) return days(seed, random);
  return withMore(seed % 10 === 6 ? hours(seed, random) : minutes(seed, random));
}
