import { expect, onTestFinished, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import { deadline, LateError, withDeadline, within } from '../../src/base/deadline.js';
import { handClock, settled } from '../support/clock.js';

/** Work that nothing ends. */
const never = async (): Promise<never> => new Promise(() => {});
const caught = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test('work that ignores its signal is given up at the deadline', async () => {
  const clock = handClock();
  const ended = caught(withDeadline({ clock, milliseconds: 15 * SECOND }, never));
  await clock.advance(15 * SECOND);
  expect(await ended).toBeInstanceOf(LateError);
});

test('work that ignores its signal is given up when it is stopped, with the reason of whoever stopped it', async () => {
  const clock = handClock();
  const stop = new AbortController();
  const ended = caught(withDeadline({ clock, milliseconds: 15 * SECOND, stops: [stop.signal] }, never));
  const reason = new Error('the bot stops');
  stop.abort(reason);
  expect(await ended).toBe(reason);
  const { sleepers } = clock;
  expect(sleepers()).toBe(0);
});

test('work is not begun once it is stopped', async () => {
  let begun = 0;
  const ended = withDeadline({ clock: handClock(), milliseconds: SECOND, stops: [AbortSignal.abort(new Error('stopped'))] }, async () => {
    begun += 1;
  });
  expect(await caught(ended)).toMatchObject({ message: 'stopped' });
  expect(begun).toBe(0);
});

test('work that ended in time keeps its result, leaves no timer and no listener, and closes what it left open', async () => {
  const clock = handClock();
  const stop = new AbortController();
  const listeners = new Set<unknown>();
  const counted = {
    get aborted() {
      return stop.signal.aborted;
    },
    addEventListener: (_: 'abort', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: 'abort', listener: () => void) => void listeners.delete(listener),
  };
  let given: AbortSignal | undefined;
  const work = async (signal: AbortSignal) => {
    given = signal;
    expect(listeners.size).toBe(1);
    return 'done';
  };
  expect(await withDeadline({ clock, milliseconds: SECOND, stops: [counted] }, work)).toBe('done');
  expect([given?.aborted, clock.sleepers(), listeners.size]).toEqual([true, 0, 0]);
});

test('many pieces of work at once that one signal stops are no leak to warn of', async () => {
  const { signal } = new AbortController();
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const clock = handClock();
  await Promise.all(Array.from({ length: 20 }, async () => withDeadline({ clock, milliseconds: SECOND, stops: [signal] }, settled)));
  expect(warnings).toEqual([]);
});

test('a deadline by itself only tells the work that it is late', async () => {
  const clock = handClock();
  const late = new Error('late');
  const { signal, end } = deadline({ clock, milliseconds: SECOND, late: () => late });
  await clock.advance(SECOND);
  expect(signal.reason).toBe(late);
  end();
});

test('work that takes longer than one waits is answered with what stands for late, and its failure is nobody’s', async () => {
  const clock = handClock();
  const work = clock.sleep(2 * SECOND).then(() => Promise.reject(new Error('after that')));
  const [ended, plain] = [within(clock, SECOND, work, 'late'), within(clock, SECOND, work)];
  await clock.advance(SECOND);
  expect([await ended, await plain]).toEqual(['late', undefined]);
  await clock.advance(SECOND);
  await settled();
});

test('work that ends in time gives its own result or failure, and leaves no timer', async () => {
  const clock = handClock();
  expect(await within(clock, SECOND, Promise.resolve('done'), 'late')).toBe('done');
  expect(await caught(within(clock, SECOND, Promise.reject(new Error('broken'))))).toMatchObject({ message: 'broken' });
  expect(clock.sleepers()).toBe(0);
});
