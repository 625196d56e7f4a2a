import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../src/base/clock.js';
import { HELD_FOR, LEASE_TTL, afterAnswer, atTime, isHeldAt, type LeaseState } from '../../../src/operations/lease/lease.js';

const START = { monotonic: 7_000, wall: 1_000_000_000 };
const at = (seconds: number, { wall = 0 } = {}) => ({
  monotonic: START.monotonic + seconds * SECOND,
  wall: START.wall + seconds * SECOND + wall,
});
const held = afterAnswer({ kind: 'waiting' }, { sentAt: START, epoch: 4 }, at(1));

test('the lease counts from before the call that took it, and ends before the engine frees it', () => {
  expect(HELD_FOR).toBeLessThan(LEASE_TTL);
  expect(held).toEqual({ kind: 'held', epoch: 4, since: START });
  expect([11.9, 12].map((seconds) => isHeldAt(held, at(seconds)))).toEqual([true, false]);
  expect(atTime(held, at(12))).toEqual({ kind: 'lost', because: 'expired' });
});

test('an answer that came too late is not relied on', () => {
  expect(afterAnswer({ kind: 'waiting' }, { sentAt: START, epoch: 4 }, at(13))).toEqual({ kind: 'waiting' });
  expect(afterAnswer(held, { sentAt: at(5), epoch: 4 }, at(12.5))).toEqual({ kind: 'lost', because: 'expired' });
});

test('a wall clock that is set back makes it no longer, and a machine that was suspended has used it up', () => {
  expect(isHeldAt(held, at(13, { wall: -HOUR }))).toBe(false);
  expect(isHeldAt(held, at(2, { wall: 30 * SECOND }))).toBe(false);
});

test('a renewal counts from before its own call, whatever the order of the answers', () => {
  const renewed = afterAnswer(held, { sentAt: at(6), epoch: 4 }, at(8));
  expect(renewed).toMatchObject({ kind: 'held', since: at(6) });
  expect(afterAnswer(renewed, { sentAt: at(3), epoch: 4 }, at(9))).toEqual(renewed);
});

test.each([
  { name: 'another process holds it', epoch: undefined },
  { name: 'somebody may have held it in between', epoch: 5 },
])('is lost where $name, and stays lost', ({ epoch }) => {
  const lost: LeaseState = afterAnswer(held, { sentAt: at(5), epoch }, at(5));
  expect(lost).toEqual({ kind: 'lost', because: 'taken' });
  expect(afterAnswer(lost, { sentAt: at(6), epoch: 4 }, at(6))).toEqual(lost);
});
