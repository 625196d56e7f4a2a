/**
 * How soon the first alert comes after `/watch all` on an unconfigured bot, and how many follow: SEEDS embedded worlds, each begun at another
 * moment, second by second on a simulated clock. The goal is at most 60 seconds, every time. MINUTES sets how long each is followed.
 */
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/clock.js';
import { handClock } from '../support/clock.js';
import { openBot } from '../journeys/bot.js';

const SEEDS = Number(process.env['SEEDS'] ?? 20);
const MINUTES = Number(process.env['MINUTES'] ?? 5);
const GOAL = 60;
const FIRST = Date.UTC(2026, 10, 20, 12);
/** Milliseconds between the moments at which two worlds begin: no multiple of a slot. */
const APART = 61 * MINUTE + 7 * SECOND + 300;

interface Followed {
  readonly first: number | undefined;
  readonly messages: number;
}

async function followed(index: number): Promise<Followed> {
  const closes: (() => Promise<void>)[] = [];
  const harness = await openBot({
    clock: handClock(FIRST + index * APART),
    env: { SIMULATOR_PACE: '1', SIMULATOR_SEED: `world-${index}`, ANALYTICS_REQUESTS_PER_SECOND: '50', POLL_MIN_SECONDS: '15' },
    onClose: (close) => void closes.push(close),
  });
  await harness.say('/settings alerts important');
  const begun = harness.clock.now();
  await harness.say('/watch all');
  let first: number | undefined;
  while (harness.clock.now() - begun < MINUTES * MINUTE) {
    await harness.pass(1, 1);
    if (first === undefined && (await harness.alerts()).length > 0) first = (harness.clock.now() - begun) / SECOND;
  }
  const messages = (await harness.alerts()).length;
  for (const close of closes) await close();
  return { first, messages };
}

test('the first alert after /watch all comes within a minute, and others follow', async () => {
  const all: Followed[] = [];
  for (let index = 0; index < SEEDS; index += 1) {
    all.push(await followed(index));
    const { first, messages } = all.at(-1) ?? {};
    console.log(`world-${index}: first after ${first?.toFixed(1) ?? 'more than the time'} s, ${messages} messages in ${MINUTES} min`);
  }
  const firsts = all.map(({ first }) => first ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const rate = all.reduce((sum, { messages }) => sum + messages, 0) / (SEEDS * MINUTES);
  console.log(
    `first alert: median ${firsts[Math.floor(SEEDS / 2)]} s, at most ${firsts.at(-1)} s (goal ${GOAL} s); ${rate.toFixed(2)} messages a minute`,
  );
  expect(firsts.at(-1)).toBeLessThanOrEqual(GOAL);
});
