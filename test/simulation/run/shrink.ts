/** Makes a failing scenario smaller: parts are left out as long as it still fails in the same way. */
import type { FindingKind } from '../oracle/verdict.js';
import type { Scenario } from '../scenario/scenario.js';

/** Of runs; each is a whole simulation. */
const MAX_RUNS = 400;

/** The same scenario without some of its parts, larger parts first. */
function* smaller(scenario: Scenario): Generator<Scenario> {
  const { world, faultRates } = scenario;
  if (faultRates.service > 0) yield { ...scenario, faultRates: { ...faultRates, service: 0 } };
  if (faultRates.platform > 0) yield { ...scenario, faultRates: { ...faultRates, platform: 0 } };
  for (const chat of scenario.chats)
    if (scenario.chats.length > 1)
      yield {
        ...scenario,
        chats: scenario.chats.filter((one) => one !== chat),
        steps: scenario.steps.filter((step) => !('chat' in step) || step.chat !== chat),
      };
  for (const steps of without(scenario.steps)) yield { ...scenario, steps };
  for (const rows of without(world.rows)) yield { ...scenario, world: { ...world, rows } };
  for (const markets of without(world.markets)) yield { ...scenario, world: { ...world, markets } };
  for (const values of without(world.values)) yield { ...scenario, world: { ...world, values } };
  for (const launches of without(world.launches)) yield { ...scenario, world: { ...world, launches } };
  for (const growth of without(world.growth)) yield { ...scenario, world: { ...world, growth } };
  for (const tranches of without(world.tranches)) yield { ...scenario, world: { ...world, tranches } };
  for (const navs of without(world.navs)) yield { ...scenario, world: { ...world, navs } };
  for (const troubles of without(world.troubles ?? [])) yield { ...scenario, world: { ...world, troubles } };
  if (scenario.processes > 1) yield { ...scenario, processes: 1 };
}

/** Half of a list, and each single part, left out. */
function* without<T>(parts: readonly T[]): Generator<readonly T[]> {
  const half = parts.length >> 1;
  if (half > 1) {
    yield parts.slice(half);
    yield parts.slice(0, half);
  }
  for (let index = parts.length - 1; index >= 0; index -= 1) yield parts.filter((_, other) => other !== index);
}

/** Chances also depend on what is left out, so other ones are tried: most faults happen again soon. */
const otherChances = (scenario: Scenario): readonly Scenario[] =>
  [0, 1, 2, 3].map((turn) => ({ ...scenario, seed: scenario.seed + turn * CHANCES }));
const CHANCES = 2 ** 20;

/** `kindsOf`: how a scenario fails; nothing: it does not. */
export async function shrink(
  scenario: Scenario,
  kindsOf: (scenario: Scenario) => Promise<ReadonlySet<FindingKind>>,
): Promise<{ readonly scenario: Scenario; readonly runs: number }> {
  const kinds = await kindsOf(scenario);
  let best = scenario;
  let runs = 1;
  const fails = async (candidate: Scenario): Promise<boolean> => {
    runs += 1;
    return [...(await kindsOf(candidate))].some((kind) => kinds.has(kind));
  };
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const part of smaller(best)) {
      for (const candidate of otherChances(part)) {
        if (runs >= MAX_RUNS) return { scenario: best, runs };
        isSmaller = await fails(candidate);
        if (isSmaller) best = candidate;
        if (isSmaller) break;
      }
      if (isSmaller) break;
    }
  }
  return { scenario: best, runs };
}
