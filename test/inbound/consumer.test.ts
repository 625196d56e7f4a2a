import { expect, test } from 'vitest';
import { DAY, SECOND } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { InboundConsumer } from '../../src/inbound/consumer.js';
import { openInboundRecords } from '../../src/inbound/records.js';
import { handClock } from '../support/clock.js';
import { sharedEngineDouble } from '../support/shared-engine.js';

/** One process with the lease, and what its platform was given. */
async function opened(answer: (raw: unknown, endTurn: () => void) => Promise<void> = async () => {}) {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const active = engine.process();
  await active.store.shared.acquire('one', DAY);
  const other = openInboundRecords({ store: engine.process().store, clock, log: silentLog });
  const taken: unknown[] = [];
  const records = openInboundRecords({ store: active.store, clock, log: silentLog });
  const begin = () => {
    const takeForwarded = async (raw: unknown, endTurn = () => {}): Promise<void> => {
      taken.push(raw);
      await answer(raw, endTurn);
    };
    const platforms = () => [{ notifier: { platform: 'telegram' }, takeForwarded }];
    const consumer = new InboundConsumer({ records, platforms, clock, log: silentLog });
    consumer.start();
    return consumer;
  };
  const keep = async (chat: string, id: number) => other.keep({ platform: 'telegram', chat, id: String(id), raw: `${chat}:${id}` });
  return { clock, taken, records, begin, keep };
}

/** Resolves by hand. */
function gate() {
  let open = (): void => {};
  const opening = new Promise<void>((resolve) => void (open = resolve));
  return { opening, open: () => open() };
}

test('records of a chat are answered one after another in their order, and one chat does not wait for another', async () => {
  const first = gate();
  const { clock, taken, records, begin, keep } = await opened(async (raw) => (raw === 'a:1' ? first.opening : undefined));
  for (const id of [2, 1, 3]) await keep('a', id);
  await keep('b', 9);
  const consumer = begin();
  await clock.advance(2 * SECOND);
  expect(taken).toEqual(['a:1', 'b:9']);
  first.open();
  await clock.advance(SECOND);
  expect(taken).toEqual(['a:1', 'b:9', 'a:2', 'a:3']);
  expect(await records.waiting()).toEqual([]);
  await consumer.stop();
});

test('a record that ends its turn lets later ones of its chat pass, is taken once, and stays until it is answered', async () => {
  const first = gate();
  const { clock, taken, records, begin, keep } = await opened(async (raw, endTurn) => {
    if (raw !== 'a:1') return undefined;
    endTurn();
    return first.opening;
  });
  for (const id of [1, 2]) await keep('a', id);
  const consumer = begin();
  await clock.advance(2 * SECOND);
  expect([taken, (await records.waiting()).map(({ id }) => id)]).toEqual([['a:1', 'a:2'], ['1']]);
  first.open();
  await clock.advance(SECOND);
  expect([taken, await records.waiting()]).toEqual([['a:1', 'a:2'], []]);
  await consumer.stop();
});

test('a record whose handling fails is tried again, and later ones of its chat stay behind it', async () => {
  let failures = 2;
  const { clock, taken, begin, keep } = await opened(async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('not connected yet');
  });
  await keep('a', 1);
  await keep('a', 2);
  const consumer = begin();
  await clock.advance(5 * SECOND);
  expect(taken).toEqual(['a:1', 'a:1', 'a:1', 'a:2']);
  await consumer.stop();
});

test('a record under way at a stop stays for the next process', async () => {
  const cut = gate();
  const { clock, taken, records, begin, keep } = await opened(async () => cut.opening);
  await keep('a', 1);
  const consumer = begin();
  await clock.advance(SECOND);
  const stopped = consumer.stop();
  cut.open();
  await stopped;
  expect((await records.waiting()).map(({ id }) => id)).toEqual(['1']);
  const next = begin();
  await clock.advance(SECOND);
  expect([taken, await records.waiting()]).toEqual([['a:1', 'a:1'], []]);
  await next.stop();
});

test('an update that comes again after it was answered is not handled again', async () => {
  const { clock, taken, records, begin, keep } = await opened();
  await keep('a', 1);
  const consumer = begin();
  await clock.advance(SECOND);
  expect(await keep('a', 1)).toBe('known');
  await clock.advance(SECOND);
  expect([taken, await records.waiting()]).toEqual([['a:1'], []]);
  await consumer.stop();
});
