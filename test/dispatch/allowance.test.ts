import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { createAllowance, limitsFor } from '../../src/dispatch/allowance.js';
import { handClock } from '../support/clock.js';
import { sharedEngineDouble } from '../support/shared-engine.js';
import { openAppHarness } from '../support/app-harness.js';

const CHAT = address('telegram', '-100');
const ada = { person: 'telegram/ada', chat: CHAT };
const bob = { person: 'telegram/bob', chat: CHAT };
const stranger = { id: 'telegram/user/1', name: 'Eve', manages: async () => false };
const OPEN = { open: true, listed: [], operators: [] };

test('a person at the limit may ask again a day after the first question', async () => {
  const clock = handClock();
  const allowance = createAllowance({ clock, limits: { person: 2, chat: 10 } });
  const began = clock.now();
  allowance.of(ada).count();
  await clock.advance(HOUR);
  expect(await allowance.of(ada).spentUntil?.()).toBeUndefined();
  allowance.of(ada).count();
  expect(await allowance.of(ada).spentUntil?.()).toBe(began + DAY);
  expect(await allowance.of(bob).spentUntil?.()).toBeUndefined();
  await clock.advance(DAY - HOUR);
  expect(await allowance.of(ada).spentUntil?.()).toBeUndefined();
});

test('a chat has its own, whoever asks in it', async () => {
  const allowance = createAllowance({ clock: handClock(), limits: { person: 5, chat: 3 } });
  for (const asker of [ada, bob, ada]) allowance.of(asker).count();
  expect(await allowance.of(bob).spentUntil?.()).toBeDefined();
  expect(await allowance.of({ ...bob, chat: address('telegram', '-200') }).spentUntil?.()).toBeUndefined();
});

test('a request of which nothing was sent is given back, in all processes', async () => {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const processes = [engine.process(), engine.process()].map(({ store }) => store.shared);
  for (const shared of [undefined, ...processes]) {
    const allowance = createAllowance({ clock, limits: { person: 2, chat: 3 }, shared });
    for (let call = 0; call < 5; call += 1) {
      expect(await allowance.of(ada).spentUntil?.()).toBeUndefined();
      allowance.of(ada).count();
      await allowance.of(ada).giveBack();
    }
  }
});

test('it follows the plan: a small month gives little, no limit stops only a script', () => {
  expect(limitsFor(500)).toEqual({ person: 10, chat: 30 });
  expect(limitsFor(5_000)).toEqual({ person: 100, chat: 300 });
  expect(limitsFor(undefined).person).toBeGreaterThan(1_000);
});

test('a person at the limit gets a sentence, stored data is still served, and no request is made', async () => {
  const harness = await openAppHarness({ access: OPEN, limits: { person: 2, chat: 100 } });
  await harness.directory.refresh();
  const ask = async (line: string) => harness.ask({ ask: { line }, from: stranger, circles: ['telegram/user/1'] });
  const known = await ask('/supply tide');
  const used = harness.analytics.state().budget.used;
  await ask('/supply heron');
  const refused = await ask('/supply alder');
  expect(refused.text).toContain('reached the request limit');
  expect(refused.reply.audience).toBe('asker');
  await harness.clock.advance(HOUR / 2);
  const again = await ask('/supply tide');
  expect(again.text.split('\n')[0]).toBe(known.text.split('\n')[0]);
  expect(again.text).toContain('reached the request limit');
  expect(harness.analytics.state().budget.used).toBeLessThanOrEqual(used + 2);
  expect(harness.analytics.state().ok).toBe(true);
});

test('whoever runs the bot may ask everything; the page, which programs use too, has an allowance where there is a monthly limit', async () => {
  const harness = await openAppHarness({ limits: { person: 1, chat: 1 } });
  const limited = async (circles: readonly string[], slug: string) =>
    (await harness.ask({ ask: { line: `/supply ${slug}` }, circles })).text.includes('reached the request limit');
  const page = ['console/local'];
  expect([await limited(page, 'tide'), await limited(page, 'heron'), await limited(page, 'alder')]).toContain(true);
  for (const slug of ['tide', 'heron', 'alder']) expect(await limited([...page, 'console/operator'], slug)).toBe(false);
  const includesPage = (perMonth?: number) => createAllowance({ clock: handClock(), limits: limitsFor(perMonth) }).includesPage;
  expect([includesPage(500), includesPage()]).toEqual([true, false]);
});

test('several processes count what a person causes together', async () => {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const limits = { person: 3, chat: 100 };
  const allowances = [engine.process(), engine.process()].map(({ store }) => createAllowance({ clock, limits, shared: store.shared }));
  const spent = async (index: number) => (await allowances[index % 2]!.of(ada).spentUntil?.()) !== undefined;
  expect([await spent(0), await spent(1), await spent(0), await spent(1), await spent(0)]).toEqual([false, false, false, true, true]);
  await clock.advance(DAY);
  expect(await spent(1)).toBe(false);
});
