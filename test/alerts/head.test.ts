import { expect, test } from 'vitest';
import { headOf, type Kept } from '../../src/alerts/head.js';
import { heldSince } from '../../src/alerts/hold.js';
import type { Member } from '../../src/alerts/queue.js';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import { NOON } from '../feeds/reading.js';
import { CHAT, entry, TIDE } from './desk.js';

const now = later(NOON, 6 * HOUR);
const member = (extra: Partial<Member> = {}): Member => ({ event: 'supply/tide/1', entry: 'tide', queuedAt: NOON, ...extra });
const event = (ago: number) => ({ occurredAt: later(now, -ago), seenAt: now });

const late: Kept = {
  one: { member: member({ late: 'service', queuedAt: now }), entry: entry(TIDE, NOON), since: now, held: undefined },
  event: event(5 * HOUR),
};
const blocked: Kept = { one: { member: member(), entry: entry(TIDE, NOON), since: NOON, held: undefined }, event: event(50 * HOUR) };
const quiet = (what: 'chat' | 'entry', extra: Partial<Member> = {}): Kept => {
  const end = { mutedUntil: later(NOON, HOUR) };
  const own = entry(TIDE, NOON, what === 'entry' ? end : {});
  const chat = { address: CHAT, entries: [], ...(what === 'chat' ? end : {}) };
  const held = heldSince({ about: { feed: 'supply' }, entry: own, chat }, NOON, now);
  return { one: { member: member(extra), entry: own, since: later(NOON, HOUR), held }, event: event(6 * HOUR) };
};

test('what came late is headed by how far back it goes', () => {
  expect(headOf([late, { ...late, event: event(2 * HOUR) }], now)).toEqual({ words: 'While I was away (5 h)', tone: 'warning' });
});

test('what could not be sent is headed by how long it waited, not by how old it is', () => {
  expect(headOf([blocked], now).words).toBe('While I was away (6 h)');
});

test('what the chat itself held back says so, and by its name where one entry was muted', () => {
  expect(headOf([quiet('chat')], now)).toEqual({ words: 'While this chat was quiet', tone: 'plain' });
  expect(headOf([quiet('entry')], now).words).toBe('While tide was muted');
  expect(headOf([quiet('entry'), quiet('chat')], now).words).toBe('While this chat was quiet');
});

test('what only waited behind the rest for a while is no outage', () => {
  const behind: Kept = { ...blocked, one: { ...blocked.one, since: later(now, -MINUTE) } };
  expect(headOf([quiet('chat'), behind], now).words).toBe('While this chat was quiet');
});

test('both are named where both kept something back', () => {
  expect(headOf([late, quiet('chat')], now)).toEqual({ words: 'While I was away (5 h) and this chat was quiet', tone: 'warning' });
  const both = { ...quiet('chat', { late: 'bot' }), event: event(30 * MINUTE) };
  expect(headOf([both], now).words).toBe('While I was away (30 min) and this chat was quiet');
});
