import { expect, test } from 'vitest';
import { createWarmUp } from '../../src/app/answering.js';
import { handClock, settled } from '../support/clock.js';

function opened() {
  const clock = handClock();
  let warmed = 0;
  const warmUp = createWarmUp({ clock, warm: async () => void (warmed += 1) });
  warmUp.start();
  return { clock, warmUp, warmed: () => warmed };
}

test('the drawing thread starts once, when nothing was asked for two seconds after a question', async () => {
  const { clock, warmUp, warmed } = opened();
  await clock.advance(60_000);
  expect(warmed()).toBe(0);
  warmUp.asked();
  await settled();
  await clock.advance(1_000);
  warmUp.asked();
  await clock.advance(1_500);
  expect(warmed()).toBe(0);
  await clock.advance(2_000);
  expect(warmed()).toBe(1);
  warmUp.asked();
  await clock.advance(60_000);
  expect(warmed()).toBe(1);
});

test('it starts within a minute where questions never pause, and not at all once the bot stops', async () => {
  const [busy, stopped] = [opened(), opened()];
  for (let second = 0; second < 61; second += 1) {
    busy.warmUp.asked();
    await settled();
    await busy.clock.advance(1_000);
  }
  expect(busy.warmed()).toBe(1);
  stopped.warmUp.asked();
  await settled();
  stopped.warmUp.stop();
  await stopped.clock.advance(60_000);
  expect(stopped.warmed()).toBe(0);
});
