import { expect, test } from 'vitest';
import { openQueues } from '../../../src/alerts/queue/queues.js';
import { DAY, HOUR, instant, later, MINUTE } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import type { BotState } from '../../../src/operations/bot-state.js';
import { MAX_NOTICES_A_DAY, openNotices } from '../../../src/operations/notices/notices.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { listening, openAlertsHarness, platform } from '../../alerts/harness.js';
import { handClock } from '../../support/clock.js';
import { at, ILL, NOW, WELL } from './states.js';

const TO = address('telegram', '77');

/** A process on a store that outlives it; its clock is the test's. */
async function openProcess(store: Store, clock = handClock(NOW)) {
  const queues = await openQueues(store);
  const book = listening();
  const notices = await openNotices({ store, queues, to: TO, clock, log: book.log });
  return {
    queues,
    events: book.events,
    tick: async (state: Partial<BotState>) => notices.tick(at(state, clock.now())),
    /** A look each minute. */
    during: async (state: Partial<BotState>, minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await notices.tick(at(state, clock.now()));
        await clock.advance(MINUTE);
      }
    },
    /** The first lines of what waits to be sent. */
    waiting: () => (queues.read(TO).prepared ?? []).map(({ reply }) => reply.tone),
    clock,
  };
}

test('each condition is a notice once, and one when it is fine again', async () => {
  for (const [name, ill] of Object.entries(ILL)) {
    const bot = await openProcess(await openStore('memory://'));
    await bot.during({}, 10);
    expect(bot.waiting(), name).toEqual([]);
    await bot.during(ill, 60);
    expect(bot.waiting(), name).toEqual(['warning']);
    await bot.during({}, 30);
    expect(bot.waiting(), name).toEqual(['warning', 'plain']);
    expect(bot.events, name).toEqual(['operator.condition-raised', 'operator.condition-cleared']);
  }
});

test('what flutters is no notice', async () => {
  const bot = await openProcess(await openStore('memory://'));
  for (let round = 0; round < 10; round += 1) {
    await bot.during(ILL.feed, 4);
    await bot.during({}, 1);
  }
  expect(bot.waiting()).toEqual([]);
  await bot.during(ILL.feed, 6);
  for (let round = 0; round < 10; round += 1) {
    await bot.during({}, 4);
    await bot.during(ILL.feed, 1);
  }
  expect(bot.waiting()).toEqual(['warning']);
});

test('a service that is down is one notice, whatever of its data goes stale meanwhile', async () => {
  const bot = await openProcess(await openStore('memory://'));
  await bot.during({ ...ILL.service, feeds: ILL.service.feeds.slice(0, 1) }, 20);
  await bot.during(ILL.service, 20);
  expect(bot.waiting()).toEqual(['warning']);
});

test('a restart, and a crash at any write, repeat nothing and lose nothing', async () => {
  for (const crashAt of [1, 2, 3]) {
    const store = await openStore('memory://');
    const clock = handClock(NOW);
    let writes = 0;
    const crashing: Store = {
      ...store,
      collection: (spec) => {
        const documents = store.collection(spec);
        const set: typeof documents.set = async (key, document) => {
          writes += 1;
          if (writes === crashAt) throw new Error('crashed before the write');
          await documents.set(key, document);
        };
        return { ...documents, set };
      },
    };
    const first = await openProcess(crashing, clock);
    await first.during({ feeds: WELL.feeds }, 1);
    await expect(first.during(ILL.disk, 3)).rejects.toThrow('crashed');
    const second = await openProcess(store, clock);
    await second.during(ILL.disk, 10);
    const third = await openProcess(store, clock);
    await third.during(ILL.disk, 10);
    expect(third.waiting(), `crashed at write ${crashAt}`).toEqual(['warning']);
  }
});

test('a notice that was delivered before a crash is not queued again', async () => {
  const clock = handClock(NOW);
  const store = await openStore('memory://');
  const to = platform({ platformName: 'telegram' });
  const harness = await openAlertsHarness({ store, clock, to });
  const notices = await openNotices({ ...harness, to: TO, log: listening().log });
  // The last write of the tick is lost: the outbox still has the notice.
  const outbox = store.collection<object>({ prefix: 'notice', version: 1, schema: (await import('zod')).z.looseObject({}) });
  await notices.tick(at(ILL.spent, clock.now()));
  const [message] = harness.queues.read(TO).prepared ?? [];
  await deliver(TO, harness.context, harness.signal);
  expect(to.shown.map(({ id }) => id)).toEqual([message?.id]);
  await outbox.set('operator', { ...(await outbox.get('operator')), outbox: [message] });
  const again = await openNotices({ ...harness, to: TO, log: listening().log });
  await again.tick(at(ILL.spent, clock.now()));
  await deliver(TO, harness.context, harness.signal);
  expect(to.shown).toHaveLength(1);
});

test('a chat without a watchlist gets it, with the limits and receipts of every other message', async () => {
  const clock = handClock(NOW);
  const to = platform({ platformName: 'telegram' });
  const harness = await openAlertsHarness({ clock, to });
  const notices = await openNotices({ ...harness, to: TO, log: listening().log });
  await notices.tick(at(ILL.spent, clock.now()));
  to.answers({ kind: 'later', because: 'rate-limited', afterMs: 1_000 });
  await deliver(TO, harness.context, harness.signal);
  await clock.advance(1_001);
  await deliver(TO, harness.context, harness.signal);
  expect([to.shown.length, (await harness.queues.receipts(TO)).map(({ end }) => end), harness.watchlists.has(TO)]).toEqual([
    1,
    ['sent'],
    false,
  ]);
});

test('a bot that is in trouble all the time sends a bounded number of notices a day', async () => {
  const bot = await openProcess(await openStore('memory://'));
  const sent: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    await bot.during(round % 2 === 0 ? ILL.disk : {}, 7);
    await bot.queues.change(TO, (queue) => {
      sent.push(...(queue.prepared ?? []).map(({ reply }) => reply.tone));
      return { ...queue, prepared: [] };
    });
  }
  expect(sent).toHaveLength(MAX_NOTICES_A_DAY);
  await bot.clock.advance(DAY);
  await bot.during(ILL.disk, 7);
  expect(bot.waiting()).toEqual(['warning']);
});

test('the end of something that was left out is left out too', async () => {
  const store = await openStore('memory://');
  const bot = await openProcess(store);
  const notice = store.collection<object>({ prefix: 'notice', version: 1, schema: (await import('zod')).z.looseObject({}) });
  await notice.set('operator', { raised: {}, sentAt: Array.from({ length: MAX_NOTICES_A_DAY }, () => later(NOW, -23 * HOUR)), outbox: [] });
  const again = await openProcess(store, bot.clock);
  await again.during(ILL.disk, 30);
  await bot.clock.advance(2 * HOUR);
  await again.during({}, 30);
  expect(again.waiting()).toEqual([]);
});

test('a new month ends the warnings of the last one', async () => {
  const bot = await openProcess(await openStore('memory://'));
  await bot.during(ILL.spent, 3);
  const calls = {
    ...WELL.calls,
    used: 0,
    left: 500,
    resetsAt: instant(Date.UTC(2027, 0, 1)),
    verdict: 'unknown',
    runsOutAt: undefined,
  } as const;
  await bot.during({ calls }, 30);
  expect(bot.waiting()).toEqual(['warning', 'plain']);
  await bot.during({ calls: { ...ILL.spent.calls, resetsAt: calls.resetsAt } }, 3);
  expect(bot.waiting()).toEqual(['warning', 'plain', 'warning']);
});

test('two things at once are one message', async () => {
  const bot = await openProcess(await openStore('memory://'));
  await bot.during({ ...ILL.disk, ...ILL.token }, 10);
  expect(bot.waiting()).toEqual(['warning']);
  expect(bot.queues.read(TO).prepared?.[0]?.reply.blocks.length).toBeGreaterThan(1);
});
