/** What a list shows is evaluated once for all chats that cannot differ, and the answer is that of asking each chat. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { wouldChange, type SupposedChange } from '../../../src/alerts/evaluation/supposed.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import { runs, seed } from '../../support/properties.js';
import { overriding } from '../../support/overriding.js';
import { openAlertsHarness, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';

const KEY = 'premium/tide';
const CHATS: readonly Address[] = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((name) => address('console', name));
const RULES = [undefined, 'premium<-10', 'premium move 3', 'premium<-10 for 2h'];

async function open() {
  const harness = await openAlertsHarness();
  const { clock, watchlists } = harness;
  let before: ReturnType<typeof lastMeasurements> = [];
  const asked: Address[] = [];
  const readOnly: typeof watchlists.readOnly = (chat, isWanted) => {
    asked.push(chat);
    return watchlists.readOnly(chat, isWanted);
  };
  return {
    ...harness,
    /** The chats that were evaluated. */
    asked,
    async checks(value: number): Promise<void> {
      const measurements = [measurement(value, clock.now())];
      await routeMeasurements({ measurements, first: false, before, checkedAt: before[0]?.at }, { ...harness, key: KEY, now: clock.now() });
      before = lastMeasurements(measurements, before);
    },
    /** What a list with this value would change, in all chats or in some. */
    async shows(value: number, chats?: readonly Address[]): Promise<SupposedChange | undefined> {
      const here = chats === undefined ? watchlists.here : overriding(watchlists.here, { to: () => chats });
      const check = {
        events: [],
        measurements: [measurement(value, clock.now())],
        before,
        rules: harness.rules.of(KEY),
        checkedAt: before[0]?.at,
      };
      return wouldChange(check, { watchlists: overriding(watchlists, { here, readOnly }), now: clock.now() });
    },
  };
}

test('chats that watch the same since before the last check are evaluated once; one that began after it or was away, by itself', async () => {
  const { asked, checks, clock, shows, watch, watchlists } = await open();
  for (const chat of CHATS) {
    await watch(TIDE, {}, chat);
    await clock.advance(MINUTE);
  }
  for (const value of [1, 1.2]) {
    await checks(value);
    await clock.advance(HOUR);
  }
  expect(await shows(1.3)).toBeUndefined();
  expect(asked).toEqual(CHATS.slice(0, 1));
  const late = address('console', 'late');
  await watch(TIDE, {}, late);
  await clock.advance(HOUR);
  await watchlists.change(CHATS[2]!, (chat) => ({ ...chat, absence: { from: later(clock.now(), -HOUR), to: clock.now() } }));
  asked.length = 0;
  expect(await shows(1.3)).toBeUndefined();
  expect(new Set(asked)).toEqual(new Set([CHATS[0], CHATS[2], late]));
});

const value = fc.constantFrom(-14, -11, -9, -4, 0, 2, 6);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('check' as const), value }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('watch' as const), chat: fc.nat(3), rule: fc.nat(RULES.length - 1) }),
  },
  fc.record({ does: fc.constant('absence' as const), chat: fc.nat(3), hours: fc.nat(3) }),
);

test('whatever chats watch, since whenever, the answer is that of asking one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.constantFrom(0, 1, 90)), { minLength: 4, maxLength: 20 }),
      fc.array(value, { minLength: 1, maxLength: 6 }),
      async (steps, shown) => {
        const { checks, clock, shows, watch, watchlists } = await open();
        for (const chat of CHATS.slice(0, 4)) await watch(TIDE, {}, chat);
        for (const [one, minutes] of steps) {
          await clock.advance(minutes * MINUTE);
          if (one.does === 'check') await checks(one.value);
          else if (one.does === 'watch') {
            const rule = RULES[one.rule];
            await watch(TIDE, rule === undefined ? {} : { rules: rules(rule) }, CHATS[one.chat]);
          } else {
            const absence = { from: later(clock.now(), -one.hours * HOUR), to: clock.now() };
            await watchlists.change(CHATS[one.chat]!, (chat) => ({ ...chat, absence }));
          }
        }
        await clock.advance(MINUTE);
        for (const premium of shown) {
          const alone: (SupposedChange | undefined)[] = [];
          for (const chat of watchlists.here.to({ feed: 'premium', project: measurement(1, clock.now()).event.project }))
            alone.push(await shows(premium, [chat]));
          expect(await shows(premium)).toEqual(alone.find((one) => one !== undefined));
        }
      },
    ),
    { numRuns: runs(400), ...(seed !== undefined && { seed }) },
  );
});
