import { expect, test } from 'vitest';
import type { Free } from '../../src/alerts/batch.js';
import { headOf } from '../../src/alerts/head.js';
import { heldSince } from '../../src/alerts/hold.js';
import type { Member } from '../../src/alerts/queue.js';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import { NOON } from '../feeds/reading.js';
import { CHAT, entry, TIDE } from './desk.js';

const now = later(NOON, 6 * HOUR);
const member = (extra: Partial<Member> = {}): Member => ({ event: 'supply/tide/1', entry: 'tide', queuedAt: NOON, ...extra });
const free = { member: member(), entry: entry(TIDE, NOON), held: undefined, away: undefined };
const awayFor = (from: number, to = 0) => ({ from: later(now, -from), to: later(now, -to) });

const late: Free = { ...free, since: now, away: awayFor(5 * HOUR) };
const quiet = (what: 'chat' | 'entry'): Free => {
  const end = { mutedUntil: later(NOON, HOUR) };
  const own = entry(TIDE, NOON, what === 'entry' ? end : {});
  const chat = { address: CHAT, entries: [], ...(what === 'chat' ? end : {}) };
  return {
    ...{ ...free, entry: own, since: later(NOON, HOUR) },
    held: heldSince({ about: { feed: 'supply' }, entry: own, chat }, NOON, now),
  };
};

test('what came late is headed by how long the outage was, from the beginning of the first to the end of the last', () => {
  expect(headOf([late, { ...late, away: awayFor(2 * HOUR) }])).toEqual({ words: 'While I was away (5 h)', tone: 'warning' });
  expect(headOf([{ ...late, away: awayFor(20 * HOUR, 19 * HOUR) }]).words).toBe('While I was away (1 h)');
});

test('what the chat itself held back says so, and by its name where one entry was muted', () => {
  expect(headOf([quiet('chat')])).toEqual({ words: 'While this chat was quiet', tone: 'plain' });
  expect(headOf([quiet('entry')]).words).toBe('While tide was muted');
  expect(headOf([quiet('entry'), quiet('chat')]).words).toBe('While this chat was quiet');
});

test('what only waited behind the rest for a while is no outage', () => {
  expect(headOf([quiet('chat'), { ...free, since: later(now, -MINUTE) }]).words).toBe('While this chat was quiet');
});

test('both are named where both kept something back', () => {
  expect(headOf([late, quiet('chat')])).toEqual({ words: 'While I was away (5 h) and this chat was quiet', tone: 'warning' });
  const both = { ...quiet('chat'), away: awayFor(30 * MINUTE) };
  expect(headOf([both]).words).toBe('While I was away (30 min) and this chat was quiet');
});
