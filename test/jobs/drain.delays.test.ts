/** Deliveries that take much longer than planned: stated, and never without an end. */
import { expect, test } from 'vitest';
import { dispositionLine, createWhy } from '../../src/alerts/explanation/explain.js';
import { MAX_SENDING } from '../../src/alerts/delivery/deliver.js';
import { later, MINUTE, SECOND, type Instant } from '../../src/base/clock.js';
import type { Notifier } from '../../src/chat/notifier.js';
import { lineText } from '../../src/chat/plain-text.js';
import { slug } from '../../src/domain/scalars.js';
import { createDrain } from '../../src/jobs/drain.js';
import { ALONE, readiness } from '../../src/operations/readiness.js';
import { fullReport } from '../../src/operations/status-report.js';
import { openRunning } from '../operations/running.js';
import { burn, CHAT, platform, TIDE } from '../alerts/harness.js';

/** A drain that ticks each second, without waiting for its runs. */
async function open(over: Partial<Notifier>) {
  const to = platform();
  const bot = await openRunning({ notifiers: [{ ...to.notifier, ...over }] });
  const drain = createDrain({ ...bot.context, ...bot.deliverContext, notifiers: bot.context.notifiers });
  const context = { ...bot.context, delays: () => drain.delays() };
  const { clock } = bot;
  await bot.watch(TIDE);
  const begun = clock.now();
  await bot.announce(burn(1, begun));
  return {
    ...bot,
    ...to,
    drain,
    begun,
    work: async (milliseconds: number): Promise<void> => {
      for (let done = 0; done < milliseconds; done += 5 * SECOND) {
        await clock.advance(5 * SECOND);
        drain.tick();
      }
    },
    parts: async () => (await readiness({ ...context, role: async () => ALONE, isLoaded: () => true })).notReady,
    late: async () => (await fullReport(context)).lateChats,
    async why() {
      const why = createWhy({ ...bot, now: () => clock.now(), delays: () => drain.delays() });
      const [latest] = await why.lately(CHAT, 1);
      const { steps } = await why.ofSilence(CHAT, { project: slug('tide') }, 'supply');
      const end = steps.at(-1);
      return [latest && lineText(dispositionLine(latest.disposition), clock.now()), end && `${end.name} ${String(end.ok)}`];
    },
  };
}

/** Where every slot is taken, for ever. */
const noSlot: Partial<Notifier> = {
  slot: async (_to, _alert, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
};

test('an alert that waits for a slot for minutes is late by the status, the readiness and its own explanation', async () => {
  const bot = await open(noSlot);
  await bot.looked();
  await bot.work(4 * MINUTE);
  expect([await bot.late(), await bot.parts()]).toEqual([undefined, []]);
  expect((await bot.why())[0]).toBe('waiting to be sent');
  await bot.work(8 * MINUTE);
  const { since } = (await bot.late()) ?? {};
  expect(await bot.late()).toEqual({ chats: 1, since: expect.any(Number) as number });
  expect(since).toBeGreaterThanOrEqual(bot.begun);
  expect(await bot.parts()).toEqual([
    { part: 'deliveries', because: 'Alerts wait much longer than planned in 1 chat, the longest for 12 min.' },
  ]);
  expect(await bot.why()).toEqual(['late: it has waited for its turn to be sent since 12:00 UTC, much longer than planned', 'sent false']);
  await bot.drain.stop();
});

test('an alert for a chat that the platform has the bot leave alone is explained by that, and is no fault of the bot', async () => {
  const pause: { until?: Instant } = {};
  const bot = await open({ ...noSlot, pausedUntil: () => pause.until ?? bot.begun });
  await bot.looked();
  pause.until = later(bot.begun, 12 * 60 * MINUTE);
  await bot.work(10 * MINUTE);
  expect([await bot.late(), await bot.parts()]).toEqual([undefined, []]);
  expect((await bot.why())[0]).toMatch(/^waiting: the platform lets the bot post here again .*00:00 UTC$/u);
  await bot.drain.stop();
});

test('a notifier that never answers is given up, its slot is returned, and the alert is sent again', async () => {
  const slots: string[] = [];
  let isStuck = true;
  const answering = platform().notifier;
  const bot = await open({
    slot: async () => {
      slots.push('taken');
      return { answered: () => void slots.push('answered'), refused: () => {}, unused: () => {} };
    },
    deliver: async (to, delivery) => (isStuck ? new Promise(() => {}) : answering.deliver(to, delivery)),
  });
  await bot.work(MINUTE);
  expect(slots).toEqual(['taken']);
  isStuck = false;
  await bot.work(MAX_SENDING + MINUTE);
  expect(slots).toEqual(['taken', 'answered', 'taken', 'answered']);
  expect(await bot.queues.receipts(CHAT)).toMatchObject([{ end: 'sent', attempts: 2, earlier: { kind: 'recognised' } }]);
  await bot.drain.stop();
});
