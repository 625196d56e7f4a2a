import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cronTicker } from '../../src/jobs/ticker.js';

/** Cron checks the machine's own clock and timers, so here the test turns those. */
const NOON = new Date('2026-11-20T12:00:00.500Z');
beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const EACH_SECOND = '* * * * * *';

test('work of each second runs at once and then at each second, until it is cancelled', async () => {
  let ran = 0;
  const cancel = await cronTicker.every(EACH_SECOND, 'count', async () => void (ran += 1));
  expect(ran).toBe(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(ran).toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ran).toBe(6);
  await cancel();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ran).toBe(6);
  expect(vi.getTimerCount()).toBe(0);
});

test('work of each second that begins just before a second waits for the one after it, also where timers end early', async () => {
  vi.setSystemTime(new Date('2026-11-20T12:00:00.985Z'));
  const at: string[] = [];
  const cancel = await cronTicker.every(EACH_SECOND, 'count', async () => void at.push(new Date().toISOString().slice(17, 23)));
  await vi.advanceTimersByTimeAsync(3_000);
  await cancel();
  expect(at).toEqual(['00.985', '02.000', '03.000']);
});

test("a minute's job runs at its second of each minute", async () => {
  const at: string[] = [];
  const cancel = await cronTicker.every('30 * * * * *', 'half past', async () => void at.push(new Date().toISOString().slice(11, 19)));
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  await cancel();
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  expect(at).toEqual(['12:00:30', '12:01:30', '12:02:30']);
});

test('a run that takes longer than a tick is not overlapped by the next one, and the ticks go on after it', async () => {
  const written = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(console, 'info'), vi.spyOn(process.stderr, 'write')];
  let began = 0;
  let finish = (): void => {};
  const cancel = await cronTicker.every(EACH_SECOND, 'slow', async () => {
    began += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(began).toBe(1);
  // A skipped tick is no event, and what cron has to say about it would stand as prose in the log.
  for (const channel of written) expect(channel).not.toHaveBeenCalled();
  finish();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(began).toBe(2);
  finish();
  await cancel();
});

test('two jobs of the same time run side by side', async () => {
  const ran: string[] = [];
  const cancels = [
    await cronTicker.every(EACH_SECOND, 'hangs', async () => {
      ran.push('hangs');
      await new Promise(() => {});
    }),
    await cronTicker.every(EACH_SECOND, 'runs', async () => void ran.push('runs')),
  ];
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ran.filter((name) => name === 'runs')).toHaveLength(3);
  expect(ran.filter((name) => name === 'hangs')).toHaveLength(1);
  await Promise.all(cancels.map(async (cancel) => cancel()));
});

test('after a machine was busy for a while, the tick that it missed still runs', async () => {
  const at: string[] = [];
  const cancel = await cronTicker.every('30 * * * * *', 'late', async () => void at.push(new Date().toISOString().slice(11, 19)));
  await vi.advanceTimersByTimeAsync(1_000);
  // The clock goes on while no timer can run.
  vi.setSystemTime(new Date('2026-11-20T12:00:40.000Z'));
  await vi.advanceTimersByTimeAsync(31_000);
  await cancel();
  expect(at[0]).toMatch(/^12:0[01]:/);
  expect(at).toHaveLength(1);
});

test('an expression that names no time is refused', async () => {
  await expect(cronTicker.every('every now and then', 'never', async () => {})).rejects.toThrow();
});
