/** A simulator for tests: its clock stands still until it is turned, its journal is kept in memory. */
import { onTestFinished } from 'vitest';
import { instant, later, type Clock, type Instant } from '../../src/base/clock.js';
import { memoryJournal, type Journal } from '../../src/simulator/journal.js';
import type { PagePlan } from '../../src/simulator/route.js';
import { startSimulator } from '../../src/simulator/server.js';

export const NOON = instant(Date.UTC(2026, 10, 21, 12));
export const KEY = 'a-key-for-tests';

/** Sleeping is only noted: nothing here waits. */
export function handClock(start: Instant = NOON): Clock & { turn(milliseconds: number): void; readonly slept: readonly number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    now: () => now,
    sleep: async (milliseconds) => void slept.push(milliseconds),
    turn: (milliseconds) => void (now = later(now, milliseconds)),
    slept,
  };
}

export async function openBox({
  seed = 'harbor',
  pace = 1,
  journal = memoryJournal(),
  plan = {},
  clock = handClock(),
  onClose = onTestFinished,
}: {
  /** What closes it; default: the end of the test. */
  onClose?: (close: () => Promise<void>) => void;
  seed?: string;
  pace?: number;
  journal?: Journal;
  plan?: Partial<PagePlan>;
  clock?: ReturnType<typeof handClock>;
} = {}) {
  const box = await startSimulator({ seed, pace, clock, journal, apiKey: KEY, plan });
  onClose(async () => box.close());
  const say = async (path: string, init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {}) => {
    const answer = await fetch(`${box.url}${path}`, { ...init, headers: { 'x-api-key': KEY, ...init.headers } });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
    };
  };
  return {
    ...box,
    clock,
    journal,
    get: say,
    /** Tells the world something over `POST /__sim`. */
    sim: async (command: unknown) =>
      say('/__sim', { method: 'POST', body: JSON.stringify(command), headers: { 'content-type': 'application/json' } }),
  };
}

/** What it answered: status, headers, and the body, read where it is JSON. */
export type Said = Awaited<ReturnType<Awaited<ReturnType<typeof openBox>>['get']>>;
