/** What a check writes of the states of rules, and what it forgets. */
import { expect, test } from 'vitest';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import { planCheck } from '../../../src/alerts/evaluation/plan-check.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import type { Measurement } from '../../../src/feeds/feed.js';
import { openStore } from '../../../src/store/open.js';
import { crashStore } from '../crash-store.js';
import { CHAT, openAlertsHarness, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';
import { overriding } from '../../support/overriding.js';

const WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
const OTHER = address('console', 'other');

async function open(key: string) {
  const store = crashStore(await openStore('memory://'));
  const harness = await openAlertsHarness({ store });
  let before: ReturnType<typeof lastMeasurements> = [];
  const check = async (...measurements: readonly Measurement[]): Promise<number> => {
    const written = store.writes();
    await routeMeasurements({ measurements, first: false, before }, { ...harness, key, now: harness.clock.now() });
    before = lastMeasurements(measurements, before);
    return store.writes() - written;
  };
  return { ...harness, check, rulesOf: () => harness.rules.of(key) };
}

test('a rule that begins is written, and else once a day while nothing happens, whether chats share it or not', async () => {
  const { check, clock, watch } = await open('premium/tide');
  await watch(TIDE);
  await watch(TIDE, { rules: rules('premium<-10') }, OTHER);
  let writes = 0;
  for (let hour = 0; hour < 50; hour += 1) {
    writes += await check(measurement(1 + (hour % 3) / 10, clock.now()));
    await clock.advance(HOUR);
  }
  // A page and the head, at the beginning and after each day.
  expect(writes).toBe(3 * 2);
});

test('a check makes only the chats whose thresholds the value reaches or leaves, and all of them once a day', async () => {
  const harness = await open('premium/tide');
  const { clock, watch, watchlists, rulesOf, check } = harness;
  await watch(TIDE, { rules: rules('premium<-10') });
  await watch(TIDE, { rules: rules('premium>10 once') }, OTHER);
  await check(measurement(1, clock.now()));
  const madeBy = async (value: number): Promise<readonly Address[]> => {
    const made = new Set<Address>();
    const readOnly: typeof watchlists.readOnly = (chat, isWanted) => {
      made.add(chat);
      return watchlists.readOnly(chat, isWanted);
    };
    await clock.advance(HOUR);
    const one = measurement(value, clock.now());
    await planCheck(
      { measurements: [one], before: [], first: false, now: clock.now() },
      { watchlists: overriding(watchlists, { readOnly }), rules: rulesOf() },
    );
    await check(one);
    return [...made];
  };
  expect([await madeBy(2), await madeBy(-11), await madeBy(-10.5), await madeBy(-5)]).toEqual([[], [CHAT], [], [CHAT]]);
  await clock.advance(DAY);
  expect(await madeBy(0)).toEqual([CHAT, OTHER]);
});

test('what no check has read for a quarter of a year is forgotten, as each token that a wallet once held, and nothing that is read', async () => {
  const { check, clock, watch, rulesOf, queues } = await open(`wallet/${WALLET}`);
  await watch({ kind: 'wallet', address: WALLET }, { rules: rules('wallet rank move 3') });
  const rank = (token: string, value: number) =>
    measurement(value, clock.now(), { feed: 'wallet', wallet: WALLET, measure: 'rank', id: `wallet/${WALLET}/${token}/${clock.now()}` });
  for (let step = 0; step < 50; step += 1) {
    await check(rank('held', step === 49 ? 13 : 10), rank(`token${step}`, 5));
    await clock.advance(5 * DAY);
  }
  expect(Object.keys(rulesOf().own.get(CHAT) ?? {})).toHaveLength(1 + 90 / 5 + 1);
  expect(queues.read(CHAT).waiting.map(({ crossings }) => crossings?.[0]?.since.value)).toEqual(['10']);
});

test('a chat that leaves keeps the states of when it left as soon as they change, and shares again when it decides alike', async () => {
  const { check, clock, watch, watchlists, rulesOf } = await open('premium/tide');
  for (const chat of [CHAT, OTHER]) await watch(TIDE, {}, chat);
  for (const value of [1, 1.1]) {
    await check(measurement(value, clock.now()));
    await clock.advance(HOUR);
  }
  await watchlists.change(CHAT, (chat) => ({ ...chat, left: { at: clock.now(), because: 'removed' } }));
  await check(measurement(1.2, clock.now()));
  expect([...rulesOf().own.keys()]).toEqual([]);
  await clock.advance(HOUR);
  await check(measurement(-3, clock.now()));
  expect([...rulesOf().own.keys()]).toEqual([CHAT]);
  await watchlists.change(CHAT, (chat) => ({ ...chat, left: undefined, absence: { from: clock.now(), to: clock.now() } }));
  for (const value of [-3.1, 3, -3]) {
    await clock.advance(2 * HOUR);
    await check(measurement(value, clock.now()));
  }
  expect(rulesOf().own.get(CHAT)?.['premium/tide']?.['premium below 0 band 2']).toBeUndefined();
});

test('of a chat that watches something else, or whose rule is gone, no state is left after the next check', async () => {
  const { check, clock, watch, watchlists, rulesOf } = await open('premium/tide');
  for (const chat of [CHAT, OTHER]) await watch(TIDE, { rules: rules('premium<-10') }, chat);
  await check(measurement(1, clock.now()));
  expect(rulesOf().own.size).toBe(2);
  await clock.advance(HOUR);
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await watchlists.change(OTHER, (chat) => ({ ...chat, entries: chat.entries.map((one) => ({ ...one, rules: rules('premium<-20') })) }));
  await check(measurement(1, clock.now()));
  expect([...rulesOf().own].map(([chat, of]) => [chat, Object.keys(of['premium/tide'] ?? {})])).toEqual([
    [OTHER, ['premium below -20 band 2']],
  ]);
});
