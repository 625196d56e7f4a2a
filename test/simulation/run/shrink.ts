/** Makes a failing scenario smaller: parts are left out as long as it still fails in the same way. */
import type { FindingKind } from '../oracle/verdict.js';
import type { Scenario } from '../scenario/scenario.js';

/** Of runs; each is a whole simulation. */
const MAX_RUNS = 150;

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

/** `kindsOf`: how a scenario fails; nothing: it does not. */
export async function shrink(
  scenario: Scenario,
  kindsOf: (scenario: Scenario) => Promise<ReadonlySet<FindingKind>>,
): Promise<{ readonly scenario: Scenario; readonly runs: number }> {
  const kinds = await kindsOf(scenario);
  let best = scenario;
  let runs = 1;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of smaller(best)) {
      if (runs >= MAX_RUNS) return { scenario: best, runs };
      runs += 1;
      const found = await kindsOf(candidate);
      if (![...found].some((kind) => kinds.has(kind))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return { scenario: best, runs };
}
