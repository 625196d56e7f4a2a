import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/clock.js';
import type { SlotKind } from '../../../src/chat/notifier.js';
import { ProcessLimiter, type RateLimits } from '../../../src/platforms/limiter/limiter.js';
import { life, simulatedTime } from '../../simulation/machine/time.js';
import { seeded, type Random } from '../../simulation/machine/random.js';
import { runs } from '../../support/properties.js';

const NOON = Date.UTC(2026, 10, 20, 12);
const LIMITS: RateLimits = { token: { max: 30, per: SECOND }, chat: () => [{ max: 20, per: MINUTE }] };
const FREE: RateLimits = { ...LIMITS, chat: () => [] };

/** A platform that counts arrivals; `way` is how long a request or an answer travels, in milliseconds. */
function open(limits: RateLimits, way: (random: Random) => number, seed = 1) {
  const time = simulatedTime(NOON);
  const random = seeded(seed);
  const { clock } = life(time);
  const limiter = new ProcessLimiter(limits, clock);
  const arrived: { readonly at: number; readonly chat: string; readonly kind: SlotKind }[] = [];
  const travel = async (): Promise<void> =>
    new Promise((resolve) => {
      time.at(time.now() + way(random), resolve);
    });
  const send = async (chat: string, kind: SlotKind, refused = false): Promise<void> => {
    const slot = await limiter.take({ chat, kind });
    await travel();
    arrived.push({ at: time.now(), chat, kind });
    await travel();
    if (refused) slot?.refused(2 * SECOND);
    else slot?.answered();
  };
  return { time, limiter, arrived, send };
}

/** The most arrivals in any span that is open at its end. */
function busiest(times: readonly number[], span: number): number {
  let [most, from] = [0, 0];
  for (const [index, at] of times.entries()) {
    while ((times[from] ?? at) <= at - span) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

test('whatever the way there takes, no sliding second at the platform sees more than the token may send, nor any minute more than a chat may get', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.constantFrom(0, 5, 50, 400), async (seed, longest) => {
      const { time, arrived, send } = open(LIMITS, (random) => random.whole(0, longest), seed);
      const random = seeded(seed + 1);
      for (let count = 0; count < 150; count += 1) {
        const kind = random.pick(['answer', 'ringing', 'silent'] as const);
        const chat = `chat ${random.whole(0, 5)}`;
        time.at(NOON + random.whole(0, 10_000), () => void send(chat, kind));
      }
      await time.until(NOON + 10 * MINUTE);
      expect(arrived).toHaveLength(150);
      const times = arrived.map(({ at }) => at);
      expect(busiest(times, SECOND)).toBeLessThanOrEqual(30);
      for (const chat of new Set(arrived.map((one) => one.chat)))
        expect(
          busiest(
            arrived.filter((one) => one.chat === chat).map(({ at }) => at),
            MINUTE,
          ),
        ).toBeLessThanOrEqual(20);
    }),
    { numRuns: runs(100) },
  );
});

test.each([
  { way: 2.5, part: 0.97 },
  { way: 25, part: 0.93 },
])('a full line uses $part of what the token may send where an answer takes twice $way ms', async ({ way, part }) => {
  const { time, arrived, send } = open(FREE, () => way);
  for (let chat = 0; chat < 1_000; chat += 1) void send(`chat ${chat}`, 'ringing');
  await time.until(NOON + 20 * SECOND);
  expect(arrived.length).toBeGreaterThanOrEqual(20 * 30 * part);
});

test('an answer goes before a thousand alerts, and a ringing alert before silent ones', async () => {
  const { time, arrived, send } = open(FREE, () => 5);
  for (let chat = 0; chat < 1_000; chat += 1) void send(`chat ${chat}`, 'silent');
  await time.until(NOON + 2 * SECOND);
  const before = arrived.length;
  void send('asks', 'answer');
  void send('rings', 'ringing');
  await time.until(NOON + 4 * SECOND);
  expect(arrived.slice(before, before + 32).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['answer', 'ringing']));
});

test('alerts with and without a sound go before a thousand digests', async () => {
  const { time, arrived, send } = open(FREE, () => 5);
  for (let chat = 0; chat < 1_000; chat += 1) void send(`chat ${chat}`, 'prepared');
  await time.until(NOON + 2 * SECOND);
  const before = arrived.length;
  void send('rings', 'ringing');
  void send('is silent', 'silent');
  await time.until(NOON + 3 * SECOND);
  expect(arrived.slice(before, before + 5).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['ringing', 'silent']));
});

test('an answer finds room within a few moments while a full line of alerts is sent', async () => {
  const { time, arrived, send } = open(FREE, () => 5);
  for (let chat = 0; chat < 1_000; chat += 1) void send(`chat ${chat}`, 'ringing');
  const waited: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    const asked = NOON + 3 * SECOND + count * 517;
    time.at(asked, () => void send(`asks ${count}`, 'answer').then(() => waited.push(time.now() - asked)));
  }
  await time.until(NOON + 30 * SECOND);
  expect(waited).toHaveLength(40);
  expect(Math.max(...waited)).toBeLessThan(150);
  expect(
    busiest(
      arrived.map(({ at }) => at),
      SECOND,
    ),
  ).toBeLessThanOrEqual(30);
});

test('answers without end leave every fifth slot to alerts', async () => {
  const { time, arrived, send } = open(FREE, () => 5);
  for (let count = 0; count < 600; count += 1) void send(`chat ${count}`, 'answer');
  for (let chat = 0; chat < 200; chat += 1) void send(`chat ${chat}`, 'ringing');
  await time.until(NOON + 10 * SECOND);
  const alerts = arrived.filter(({ kind }) => kind === 'ringing').length;
  expect(alerts / arrived.length).toBeGreaterThan(0.15);
});

test('one chat that asks a hundred times keeps another waiting for no more than its own first answers', async () => {
  const { time, arrived, send } = open(FREE, () => 5);
  for (let count = 0; count < 200; count += 1) void send('loud', 'answer');
  await time.until(NOON + SECOND / 2);
  void send('quiet', 'answer');
  await time.until(NOON + 1.2 * SECOND);
  expect(arrived.some(({ chat }) => chat === 'quiet')).toBe(true);
});

test('a chat without room keeps nobody else waiting', async () => {
  const { time, arrived, send } = open(LIMITS, () => 5);
  for (let count = 0; count < 60; count += 1) void send('full', 'ringing');
  for (let chat = 0; chat < 20; chat += 1) void send(`chat ${chat}`, 'silent');
  await time.until(NOON + 5 * SECOND);
  expect(arrived.filter(({ kind }) => kind === 'silent')).toHaveLength(20);
  expect(arrived.filter(({ chat }) => chat === 'full')).toHaveLength(20);
});

test('a refused chat waits as long as the platform says; refusals of two chats slow everything down', async () => {
  const { time, arrived, send } = open(FREE, () => 5);
  void send('first', 'ringing', true);
  await time.until(NOON + 100);
  for (let count = 0; count < 3; count += 1) void send('first', 'ringing');
  void send('other', 'ringing', true);
  await time.until(NOON + SECOND);
  expect(arrived.map(({ chat }) => chat)).toEqual(['first', 'other']);
  for (let chat = 0; chat < 200; chat += 1) void send(`chat ${chat}`, 'ringing');
  await time.until(NOON + 3 * SECOND);
  const before = arrived.length;
  await time.until(NOON + 5 * SECOND);
  expect(arrived.length - before).toBeLessThanOrEqual(40);
  await time.until(NOON + 2 * MINUTE);
  expect(arrived).toHaveLength(205);
});

test('who gives up waiting takes no slot, and a slot that was not used is free at once', async () => {
  const { time, limiter, arrived, send } = open({ ...FREE, token: { max: 1, per: SECOND } }, () => 5);
  const slot = await limiter.take({ chat: 'a', kind: 'ringing' });
  const gone = new AbortController();
  const waiting = limiter.take({ chat: 'b', kind: 'ringing' }, gone.signal);
  void send('c', 'ringing');
  gone.abort();
  expect(await waiting).toBeUndefined();
  slot?.unused();
  slot?.unused();
  await time.until(NOON + 10);
  expect(arrived.map(({ chat }) => chat)).toEqual(['c']);
});

test('no more requests are under way than the limiter allows, however silent the platform is', async () => {
  const { time, arrived, send } = open({ ...FREE, token: { max: 10_000, per: SECOND }, inFlight: 60 }, () => 5 * SECOND);
  for (let chat = 0; chat < 500; chat += 1) void send(`chat ${chat}`, 'ringing');
  await time.until(NOON + 9 * SECOND);
  expect(arrived).toHaveLength(60);
});

test('a chat that is refused for hours holds back its own alerts, and gives no answer a place to wait in', async () => {
  const { time, limiter, arrived, send } = open({ ...FREE, chat: () => [{ max: 1, per: SECOND }] }, () => 5);
  void send('flooded', 'answer');
  await time.until(NOON + 2 * SECOND);
  const slot = await limiter.take({ chat: 'flooded', kind: 'answer' });
  const behind = limiter.take({ chat: 'flooded', kind: 'ringing' });
  slot?.refused(12 * HOUR);
  expect(limiter.pausedUntil('flooded')).toBe(time.now() + 12 * HOUR);
  expect(limiter.pausedUntil('other')).toBeLessThanOrEqual(time.now());
  expect(await limiter.take({ chat: 'flooded', kind: 'answer' })).toBeUndefined();
  void send('other', 'answer');
  await time.until(NOON + MINUTE);
  expect(arrived.map(({ chat }) => chat)).toEqual(['flooded', 'other']);
  let granted = false;
  void behind.then((one) => {
    granted = true;
    one?.unused();
  });
  await time.until(NOON + 11 * HOUR);
  expect(granted).toBe(false);
  await time.until(NOON + 13 * HOUR);
  expect(granted).toBe(true);
});

test('an answer that waits already is given up when its chat is refused for hours', async () => {
  const { limiter } = open({ ...FREE, chat: () => [{ max: 1, per: SECOND }] }, () => 5);
  const slot = await limiter.take({ chat: 'flooded', kind: 'answer' });
  const behind = limiter.take({ chat: 'flooded', kind: 'answer' });
  slot?.refused(12 * HOUR);
  expect(await behind).toBeUndefined();
});

test('refusals of two chats for hours stop the others for minutes; then one request at a time is tried until one is taken', async () => {
  const { time, limiter, arrived, send } = open(FREE, () => 5);
  const [first, second] = [await limiter.take({ chat: 'a', kind: 'ringing' }), await limiter.take({ chat: 'b', kind: 'ringing' })];
  first?.refused(12 * HOUR);
  second?.refused(12 * HOUR);
  for (let chat = 0; chat < 10; chat += 1) void send(`chat ${chat}`, 'ringing', chat === 0);
  await time.until(NOON + 4 * MINUTE);
  expect(arrived).toEqual([]);
  await time.until(NOON + 5 * MINUTE + 15);
  expect(arrived.map(({ chat }) => chat)).toEqual(['chat 0']);
  // The refusal of the one that was tried keeps the others for what it said.
  await time.until(NOON + 5 * MINUTE + SECOND);
  expect(arrived).toHaveLength(1);
  await time.until(NOON + 6 * MINUTE);
  expect(arrived).toHaveLength(10);
});

test('the first answer to a person waits for one of somebody who asks without end in 110 groups, not for all of them', async () => {
  const PRIVATE: RateLimits = { token: { max: 30, per: SECOND }, chat: (chat) => (chat === 'private' ? [] : [{ max: 20, per: MINUTE }]) };
  const { time, limiter } = open(PRIVATE, () => 20);
  const answered: { readonly asker: string; readonly wait: number }[] = [];
  const answer = async (chat: string, asker: string): Promise<void> => {
    const asked = time.now();
    const slot = await limiter.take({ chat, kind: 'answer', asker });
    answered.push({ asker, wait: time.now() - asked });
    time.at(time.now() + 20, () => slot?.answered());
  };
  const all = 5_080;
  for (let count = 0; count < all; count += 1)
    time.at(NOON + (count * 80 * SECOND) / all, () => void answer(`group ${count % 110}`, 'many'));
  for (const second of [5, 20, 40, 60, 79]) time.at(NOON + second * SECOND, () => void answer('private', `stranger ${second}`));
  await time.until(NOON + 80 * SECOND);
  const strangers = answered.filter(({ asker }) => asker !== 'many');
  expect(strangers).toHaveLength(5);
  expect(Math.max(...strangers.map(({ wait }) => wait))).toBeLessThan(SECOND);
  // The others are not held back: the token's rate is used up.
  expect(answered.length).toBeGreaterThan(80 * 30 * 0.85);
});
