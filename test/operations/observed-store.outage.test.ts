import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import { createStoreOutageLog } from '../../src/operations/observed-store.js';
import { StoreError } from '../../src/store/store.js';
import { notebook } from '../jobs/harness.js';
import { handClock } from '../support/clock.js';

const full = new StoreError('full', 'store: no room is left');

function open() {
  const clock = handClock();
  const book = notebook();
  const outage = createStoreOutageLog(book.log, clock);
  return {
    ...outage,
    clock,
    book,
    set: (failure?: unknown) => outage.called({ operation: 'set', ms: 1, ...(failure === undefined ? {} : { failure }) }),
  };
}

test('a store that fails is one line when it begins, one an hour and one when it works again, and each kind of failure one', async () => {
  const { log, clock, book, set } = open();
  for (let minute = 0; minute < 90; minute += 1) {
    set(full);
    log.warn('copy.unwritten', { error: full });
    log.error('job.failed', { cause: new Error('not routed', { cause: full }) });
    // A small document still fits.
    set();
    await clock.advance(MINUTE / 2);
    set();
    await clock.advance(MINUTE / 2);
  }
  await clock.advance(SECOND);
  set();
  set();
  expect(book.noted.map(({ event, fields }) => [event, fields['hidden']])).toEqual([
    ['store.failing', undefined],
    ['copy.unwritten', undefined],
    ['job.failed', undefined],
    ['store.failing', 2 * (HOUR / MINUTE - 1)],
    ['store.well-again', 2 * 89],
  ]);
  // The next outage is told in full.
  set(full);
  log.warn('copy.unwritten', { error: full });
  expect(book.names().slice(-2)).toEqual(['error store.failing', 'warn copy.unwritten']);
});

test('other failures are logged each time, during an outage too', () => {
  const { log, book, set } = open();
  const damaged = new StoreError('unreadable', 'store: one document');
  set(damaged);
  set(full);
  for (const error of [damaged, damaged, new Error('the network')]) log.warn('something', { error });
  for (let n = 0; n < 2; n += 1) log.info('state', { error: full });
  expect(book.names()).toEqual(['error store.failing', ...Array.from({ length: 3 }, () => 'warn something'), 'info state', 'info state']);
});

test('reading a full disk does not end its outage', async () => {
  const { called, clock, book, set } = open();
  set(full);
  await clock.advance(HOUR);
  called({ operation: 'get', ms: 1 });
  expect(book.names()).toEqual(['error store.failing']);
});
