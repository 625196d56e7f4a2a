/** One seed from its scenario to its judgement. */
import { MINUTE } from '../../../src/base/clock.js';
import { loadCommands } from '../../../src/dispatch/registry.js';
import { isSettled, judge } from '../oracle/judge.js';
import { questionsFor } from '../oracle/reasons.js';
import type { Judgement } from '../oracle/verdict.js';
import type { Scenario } from '../scenario/scenario.js';
import { play, type Played } from './play.js';

export interface Simulated {
  readonly played: Played;
  readonly judgement: Judgement;
}

/** In ms, by profile: longer than everything that a disturbance can delay. */
const PATIENCE = {
  brief: 8 * MINUTE,
  pair: 8 * MINUTE,
  minutes: 8 * MINUTE,
  followed: 8 * MINUTE,
  trades: 8 * MINUTE,
  hours: 180 * MINUTE,
  days: 36 * 60 * MINUTE,
  crowd: MINUTE,
  flood: 5 * MINUTE,
  expiry: 300 * MINUTE,
  // A check that a list put off to its longest interval, and another after that.
  lists: 500 * MINUTE,
  // In which a check comes for which nothing calls.
  limited: 8 * 24 * 60 * MINUTE,
} as const;
/** Where corrections of one value wait for the pauses between them. */
const CORRECTED_AGAIN = 30 * MINUTE;

const patienceOf = ({ profile, world }: Scenario): number =>
  world.growth.some(({ restated }) => restated.length > 1) ? CORRECTED_AGAIN : PATIENCE[profile];

export async function simulate(scenario: Scenario): Promise<Simulated> {
  // The commands are files, which a process reads once: before simulated time begins.
  await loadCommands();
  const played = await play(scenario, { isSettled, patience: patienceOf(scenario), questions: questionsFor });
  return { played, judgement: judge(played) };
}

/** Everything that can be seen of a run, to compare two. */
export const traceOf = ({ platforms, service, requests, endedAt, answers }: Played): unknown => ({
  posted: platforms.map(({ posted }) => posted),
  edits: platforms.map(({ edits }) => edits),
  exchanges: service.exchanges,
  requests,
  endedAt,
  answers: [...answers],
});
