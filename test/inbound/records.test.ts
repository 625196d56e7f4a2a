import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { MAX_WAITING, openInboundRecords } from '../../src/inbound/records.js';
import { handClock } from '../support/clock.js';
import { sharedEngineDouble } from '../support/shared-engine.js';

const CHAT = { platform: 'telegram', chat: '-100200' };
const update = (id: number, more: object = {}) => ({ ...CHAT, id: String(id), raw: { update_id: id }, ...more });

async function opened() {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const [active, other] = [engine.process(), engine.process()];
  await active.store.shared.acquire('one', DAY);
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = {
    ...silentLog,
    warn: (event: string, fields: Readonly<Record<string, unknown>> = {}) => void lines.push({ event, ...fields }),
  };
  const open = ({ store }: typeof active) => openInboundRecords({ store, clock, log });
  return { clock, lines, active: open(active), other: open(other) };
}

test('a record waits for the active process until it is finished, and its update is known for a day', async () => {
  const { clock, active, other } = await opened();
  expect(await other.keep(update(7))).toBe('kept');
  expect(await other.keep(update(7))).toBe('known');
  expect([await other.waits(CHAT), await other.waits({ ...CHAT, chat: '-100' }), await other.has(update(7))]).toEqual([true, false, true]);
  const [record] = await active.waiting();
  expect(record).toMatchObject({ platform: 'telegram', chat: 'telegram/-100200', id: '7', raw: { update_id: 7 } });
  await active.finish(record!);
  expect([await other.waits(CHAT), await active.isHandled(record!), await other.keep(update(7))]).toEqual([false, true, 'known']);
  await clock.advance(DAY + HOUR);
  await active.sweep();
  expect(await other.keep(update(7))).toBe('kept');
});

test('records of a chat are in the order of their updates, however long the numbers are', async () => {
  const { active, other } = await opened();
  for (const id of [1_000, 99, 100_000_000_000_000_000_000n, 5]) await other.keep({ ...CHAT, id: String(id), raw: {} });
  expect((await active.waiting()).map(({ id }) => id)).toEqual(['5', '99', '1000', '100000000000000000000']);
});

test('a chat can keep only so many waiting, and none that is too large', async () => {
  const { other } = await opened();
  for (let id = 1; id <= MAX_WAITING; id += 1) expect(await other.keep(update(id))).toBe('kept');
  expect(await other.keep(update(99))).toBe('full');
  expect(await other.keep(update(3))).toBe('known');
  expect(await other.keep(update(1, { chat: '5' }))).toBe('kept');
  expect(await other.keep(update(2, { chat: '5', raw: 'x'.repeat(300_000) }))).toBe('too-large');
});

test('a chat that floods is one line of the log an hour', async () => {
  const { clock, lines, other } = await opened();
  for (let id = 1; id <= MAX_WAITING + 50; id += 1) await other.keep(update(id));
  await clock.advance(HOUR);
  await other.keep(update(99));
  expect(lines).toMatchObject([
    { because: 'full', before: 0 },
    { because: 'full', before: 49 },
  ]);
});

test('a record that no process handled within a day is dropped and counted', async () => {
  const { clock, active, other } = await opened();
  await other.keep(update(1));
  await clock.advance(DAY);
  await other.keep(update(2));
  expect(await active.sweep()).toBe(1);
  expect((await active.waiting()).map(({ id }) => id)).toEqual(['2']);
});
