import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/clock.js';
import { burn, CHAT, TIDE } from '../alerts/harness.js';
import { fates, openDrainHarness } from './drain-harness.js';
import { runs } from '../support/properties.js';

/** Three hundred events, so many of them in each second of ten. */
const flood: fc.Arbitrary<readonly number[]> = fc
  .array(fc.nat(9), { minLength: 300, maxLength: 300 })
  .map((seconds) => Array.from({ length: 10 }, (_, second) => seconds.filter((one) => one === second).length));

const evenly = Array.from({ length: 10 }, () => 30);
const inBursts = [1, 0, 0, 0, 149, 0, 0, 0, 0, 150];

async function alerted(perSecond: readonly number[]) {
  const shift = await openDrainHarness();
  await shift.watch(TIDE);
  let happened = 0;
  for (const many of perSecond) {
    const now = shift.clock.now();
    await shift.announce(...Array.from({ length: many }, (_, index) => burn(happened + index + 1, now)));
    happened += many;
    await shift.work(SECOND);
  }
  await shift.work(MINUTE);
  return { shown: shift.to.shown, ends: await fates(shift, CHAT), happened };
}

test('three hundred events in ten seconds are at most two messages, with none lost or doubled, however they are spread', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.constantFrom(evenly, inBursts), flood), async (perSecond) => {
      const { shown, ends, happened } = await alerted(perSecond);
      expect(happened).toBe(300);
      expect(shown.length).toBeLessThanOrEqual(2);
      expect(Object.keys(ends)).toEqual(['sent']);
      expect(ends['sent']).toHaveLength(300);
      expect(new Set(ends['sent']).size).toBe(300);
    }),
    { numRuns: runs(12), examples: [[evenly], [inBursts]] },
  );
});

test('a message of a flood says how many there are and their sum, names the largest and leads to all', async () => {
  const { shown } = await alerted(evenly);
  const [{ id, text } = { id: '', text: '' }] = shown;
  // 1 + 2 + … + 300 tokens.
  expect(text).toMatch(/300 burns.*45\.2K TIDE/u);
  for (const largest of ['300 TIDE', '299 TIDE', '298 TIDE']) expect(text).toContain(largest);
  expect(text).not.toContain('297 TIDE');
  expect(text).toContain(`[Show all (300): /history ${id}]`);
});
