/**
 * `npm run bench:market`: the CPU of evaluating and routing one measurement of a decision market that a thousand rules are about. The least of 30 checks
 * counts, because other work on the machine makes the others longer.
 */
import { routeMeasurements } from '../../src/alerts/evaluation/route-measurements.js';
import { lastMeasurements, type LastMeasurement } from '../../src/alerts/checks/check-records.js';
import type { Target } from '../../src/alerts/watchlist/entry.js';
import { MINUTE, later } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { decimal } from '../../src/domain/scalars.js';
import { ALL, openAlertsHarness, TIDE } from '../alerts/harness.js';
import { measurement, rules } from '../alerts/measurements.js';

const GOAL = 10;
const CHATS = 1_000;
const CHECKS = 30;
const MARKET = 'proposals/tide/9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const ONE: Target = { kind: 'market', topic: MARKET };

interface Row {
  readonly what: string;
  readonly target: Target;
  /** Without it the chats have the rules of their preset. */
  readonly ruleOf?: (chat: number) => string;
  /** The margin of the check so many checks after the begin. */
  readonly margin: (check: number) => number;
}

const calm = (check: number): number => 1 + (check % 7) / 100;

const ROWS: readonly Row[] = [
  { what: 'flips of the preset, by all projects', target: ALL, margin: calm },
  { what: 'a margin of its own each, by the project', target: TIDE, ruleOf: (chat) => `proposals margin>${2 + chat / 100}`, margin: calm },
  { what: 'a margin of its own each, followed alone', target: ONE, ruleOf: (chat) => `proposals margin>${2 + chat / 100}`, margin: calm },
  {
    what: 'a margin that must last, followed alone',
    target: ONE,
    ruleOf: (chat) => `proposals margin>${2 + chat / 100} for 6h`,
    margin: calm,
  },
  {
    what: 'a move within an hour, followed alone',
    target: ONE,
    ruleOf: (chat) => `proposals margin move ${3 + chat / 100} in 1h`,
    margin: calm,
  },
];

async function leastOf({ target, ruleOf, margin }: Row): Promise<number> {
  const harness = await openAlertsHarness();
  for (let chat = 0; chat < CHATS; chat += 1)
    await harness.watch(target, ruleOf === undefined ? {} : { rules: rules(ruleOf(chat)) }, address('telegram', `-${chat}`));
  let before: readonly LastMeasurement[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let check = 0; check < CHECKS; check += 1) {
    await harness.clock.advance(MINUTE);
    const now = harness.clock.now();
    // A market remembers margins five minutes apart for two hours and an hour apart for four days.
    const history = Array.from({ length: 118 }, (_, index) => ({
      at: later(now, (index - 118) * 5 * MINUTE),
      value: decimal(1 + index / 1_000),
    }));
    const one = measurement(margin(check), now, { feed: 'proposals', measure: 'margin', id: `${MARKET}/${now}`, history });
    const from = process.cpuUsage();
    await routeMeasurements({ measurements: [one], before, first: check === 0 }, { ...harness, key: 'proposals/tide', now });
    const { user, system } = process.cpuUsage(from);
    // The first ones begin states and warm up.
    if (check >= CHECKS / 3) least = Math.min(least, (user + system) / 1_000);
    before = lastMeasurements([one], before);
  }
  return least;
}

for (const row of ROWS) {
  const least = await leastOf(row);
  process.stdout.write(
    `${row.what.padEnd(44)} ${least.toFixed(2).padStart(7)} ms${least < GOAL ? '' : `  misses the goal of ${GOAL} ms`}\n`,
  );
}
