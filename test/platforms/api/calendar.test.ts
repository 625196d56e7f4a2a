import { expect, test } from 'vitest';
import { DAY, HOUR, instant, later } from '../../../src/base/clock.js';
import type { Moment } from '../../../src/chat/chat-data.js';
import { updated } from '../../../src/platforms/api/calendar.js';

const NOW = instant(Date.UTC(2026, 0, 1));
const end: Moment = {
  id: 'market/tide/1/end',
  kind: 'market-end',
  title: 'Tidewater: market ends',
  at: later(NOW, HOUR),
  says: 'It ends.',
};
const read = (...moments: readonly Moment[]) => ({ moments, isUnread: () => false });
const first = updated({}, read(end), NOW);

test('a reading without a change returns the same events, so that nothing is written', () => {
  expect(updated(first, read(end), later(NOW, 1))).toBe(first);
});

test('an event whose time moves has the same id, a higher sequence and the time of the change', () => {
  const moved = updated(first, read({ ...end, at: later(NOW, 2 * HOUR) }), later(NOW, 5));
  expect(moved[end.id]).toMatchObject({ at: later(NOW, 2 * HOUR), sequence: 1, changedAt: later(NOW, 5) });
});

test('an event that goes before its time is cancelled once, and one that has passed stays as it was', () => {
  const gone = updated(first, read(), later(NOW, 5));
  expect(gone[end.id]).toMatchObject({ isCancelled: true, sequence: 1 });
  expect(updated(gone, read(), later(NOW, 6))).toBe(gone);
  expect(updated(first, read(), later(NOW, 2 * HOUR))).toBe(first);
});

test('an event that could not be read is not cancelled', () => {
  expect(updated(first, { moments: [], isUnread: (id) => id.startsWith('market/tide/') }, later(NOW, 5))).toBe(first);
});

test('a cliff that is long past is not shown while the list has it, so it cannot come and go', () => {
  expect(updated({}, read({ ...end, at: later(NOW, -31 * DAY) }), NOW)).toEqual({});
});

test('past and cancelled events go after thirty days', () => {
  expect(updated(first, read(), later(NOW, 30 * DAY))).toBe(first);
  expect(updated(first, read(), later(NOW, 31 * DAY))).toEqual({});
  const cancelled = updated(first, read(), later(NOW, 5));
  expect(updated(cancelled, read(), later(NOW, 31 * DAY))).toEqual({});
});
