import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { createForwarding, openInboundRecords } from '../../src/inbound/records.js';
import { handClock } from '../support/clock.js';
import { sharedEngineDouble } from '../support/shared-engine.js';

const UPDATE = { platform: 'telegram', chat: '5', id: '1', raw: {} };

async function opened() {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const { store } = engine.process();
  const records = openInboundRecords({ store, clock, log: silentLog });
  const forwarding = createForwarding({ role: 'answer', records, shared: store.shared, clock, log: silentLog });
  await forwarding.keep(UPDATE);
  return { clock, forwarding, active: engine.process() };
}

test('an update is stuck once the lease of a killed process has ended and no other takes it', async () => {
  const { clock, forwarding, active } = await opened();
  await active.store.shared.acquire('one', 15 * SECOND);
  let isStuck: boolean | undefined;
  void forwarding.isStuck(UPDATE, new AbortController().signal).then((is) => (isStuck = is));
  await clock.advance(15 * SECOND);
  expect(isStuck).toBeUndefined();
  await clock.advance(10 * SECOND);
  expect(isStuck).toBe(true);
});

test('an update that only waits for a busy process is not stuck, and neither is one that was taken', async () => {
  const { clock, forwarding, active } = await opened();
  await active.store.shared.acquire('one', 60 * MINUTE);
  const busy = forwarding.isStuck(UPDATE, new AbortController().signal);
  await clock.advance(3 * MINUTE);
  await forwarding.drop(UPDATE);
  const taken = forwarding.isStuck(UPDATE, new AbortController().signal);
  await clock.advance(MINUTE);
  expect([await busy, await taken]).toEqual([false, false]);
});

test('an update is begun twice by processes that answer, then the active one should', async () => {
  const { forwarding, active } = await opened();
  expect([await forwarding.mayTry(UPDATE), await forwarding.mayTry(UPDATE), await forwarding.mayTry(UPDATE)]).toEqual([true, true, false]);
  active.cut();
  expect(await forwarding.mayTry({ ...UPDATE, id: '2' })).toBe(true);
});
