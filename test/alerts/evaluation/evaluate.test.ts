/** What a measurement is for many chats is worked out once, and is for each what it would be for that chat alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import type { MeasuredCheck } from '../../../src/alerts/evaluation/evaluate.js';
import { lastMeasurements, type LastMeasurement } from '../../../src/alerts/checks/check-records.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, instant, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { decimal } from '../../../src/domain/scalars.js';
import type { Measurement } from '../../../src/feeds/feed.js';
import { NOON } from '../../feeds/reading.js';
import { runs } from '../../support/properties.js';
import { ALL, entry, TIDE } from '../harness.js';
import { evaluateKnown, newChat, reopened, type KnownChat } from '../known-chat.js';
import { measurement, rules } from '../measurements.js';

const RULES = [
  'premium>0',
  'premium<3',
  'premium moves by 2',
  'premium extreme 90d',
  'premium z>1',
  'premium>0; premium<-2',
  'premium>0 for 1h',
];

const crowd = fc.array(
  fc.record({
    target: fc.constantFrom(TIDE, TIDE, ALL),
    /** When the watch begins, in minutes after the first check. */
    begins: fc.oneof(fc.integer({ min: -600, max: 600 }), fc.integer({ min: 0, max: 20 })),
    rule: fc.option(fc.constantFrom(...RULES)),
    isOff: fc.constantFrom(false, false, false, true),
    /** When an absence began and how long it lasted, in minutes. */
    absence: fc.option(fc.record({ from: fc.integer({ min: 0, max: 600 }), lasts: fc.integer({ min: 1, max: 400 }) })),
  }),
  { minLength: 2, maxLength: 6 },
);
const checks = fc.array(
  fc.record({
    after: fc.constantFrom(1, 5, 60, 400),
    value: fc.integer({ min: -4, max: 6 }),
    does: fc.constantFrom('read', 'read', 'read', 'readLate', 'same', 'restart', 'setBack', 'otherService'),
  }),
  { minLength: 1, maxLength: 15 },
);

test('chats that are evaluated together get what each would get alone, whatever they watch, since when, and whenever they were away', () => {
  fc.assert(
    fc.property(crowd, checks, (some, sequence) => {
      let now = NOON;
      let before: readonly LastMeasurement[] = [];
      let last: Measurement | undefined;
      let checkedAt: Instant | undefined;
      const chats = some.map((one, number) => ({ one, address: address('telegram', `-${number}`) }));
      const queues = new Map(chats.map((chat) => [chat.address, newChat(chat.address)]));
      for (const { after, value, does } of sequence) {
        now = later(now, (does === 'setBack' ? -after : after) * MINUTE);
        const found =
          does === 'same' && last !== undefined ? again(last, now) : read(value, does === 'readLate' ? later(now, -30 * MINUTE) : now);
        last = found;
        const measuredCheck: MeasuredCheck = { measurements: [found], before, first: does === 'otherService', checkedAt, now };
        for (const { one, address: chat } of chats) {
          const queue = does === 'restart' ? reopened(queues.get(chat) ?? newChat(chat)) : queues.get(chat);
          const [document, known] = [chatOf(one, chat, now), queue ?? newChat(chat)];
          const together = evaluateKnown(known, document, measuredCheck);
          expect(together).toEqual(evaluateKnown(known, document, { ...measuredCheck }));
          queues.set(chat, together.queue);
        }
        before = lastMeasurements([found], before);
        checkedAt = now;
      }
    }),
    { numRuns: runs(400) },
  );
});

const YEAR = Array.from({ length: 365 }, (_, day) => ({ at: instant(NOON - (365 - day) * DAY), value: decimal((day % 7) - 3) }));
const read = (value: number, at: Instant): Measurement => measurement(value, at, { history: YEAR });
const again = (last: Measurement, now: Instant): Measurement & { since: Instant } => ({ ...last, at: now, since: last.at });

function chatOf(
  { target, begins, rule, isOff, absence }: (typeof crowd extends fc.Arbitrary<infer T> ? T : never)[number],
  chat: Chat['address'],
  now: Instant,
): Chat {
  const since = later(NOON, begins * MINUTE);
  const own: Entry = entry(target, since, {
    ...(rule === null ? {} : { rules: rules(rule) }),
    ...(isOff ? { modes: { premium: 'off' } } : {}),
  });
  const entries = since > now ? [] : [own];
  if (absence === null) return { address: chat, entries };
  const from = later(NOON, absence.from * MINUTE);
  return { address: chat, entries, absence: { from, to: later(from, absence.lasts * MINUTE) } };
}

test('a measurement is evaluated once for each rule, however many chats have it', () => {
  const evaluations = (chats: number, rule: string | undefined): number => {
    let asked = 0;
    const found = measurement(5, NOON);
    const counted: Measurement = {
      ...found,
      get history() {
        asked += 1;
        return { premium: YEAR };
      },
    };
    const measuredCheck: MeasuredCheck = { measurements: [counted], before: [], first: false, now: NOON };
    for (let number = 0; number < chats; number += 1) {
      const chat = address('telegram', `-${number}`);
      const own = entry(TIDE, later(NOON, -HOUR - number), rule === undefined ? {} : { rules: rules(rule) });
      evaluateKnown(newChat(chat), { address: chat, entries: [own] }, measuredCheck);
    }
    return asked;
  };
  for (const rule of [undefined, 'premium z>1']) {
    expect(evaluations(1, rule)).toBeGreaterThan(0);
    expect(evaluations(200, rule)).toBe(evaluations(1, rule));
  }
});

test('a value that some checks did not get is compared with the last known one, with its date', () => {
  const of = address('console', 'main');
  const chat: Chat = { address: of, entries: [entry(TIDE, later(NOON, -DAY), { rules: rules('premium<-10') })] };
  const at = (hours: number) => later(NOON, hours * HOUR);
  const steps = [-3, -5, undefined, -11].map((value, hour) => measurement(value, at(hour)));
  const { queue } = steps.reduce<{ queue: KnownChat; before: readonly LastMeasurement[] }>(
    ({ queue: known, before }, one) => ({
      queue: evaluateKnown(known, chat, { measurements: [one], before, first: false, now: one.at }).queue,
      before: lastMeasurements([one], before),
    }),
    { queue: newChat(of), before: [] },
  );
  expect(queue.waiting.map(({ crossings }) => crossings?.[0]?.was)).toEqual([{ at: at(1), value: '-5' }]);
});
