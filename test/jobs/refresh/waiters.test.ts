/** Who asks for a refresh: what they wait for, whom they join, and what follows when they leave. */
import { describe, expect, test } from 'vitest';
import { HOUR, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { failure, NOON, openScripted, WALLET } from './scripted.js';

const order = { address: WALLET, patience: HOUR };
const completed = { status: 'completed', snapshotAt: later(NOON, SECOND) };

/** Answers are kept back until the returned function is called. */
function holding({ held }: Pick<Awaited<ReturnType<typeof openScripted>>, 'held'>): () => void {
  let go = (): void => {};
  held.until = new Promise((resolve) => (go = resolve));
  return () => {
    held.until = undefined;
    go();
  };
}

describe('someone who asks', () => {
  test('while a job runs joins it, and it is asked about no sooner', async () => {
    const { run, answers, refresh, times } = await openScripted();
    await run(2 * SECOND);
    const asked = refresh(order);
    answers.status = completed;
    await run(5 * SECOND);
    expect(await asked).toEqual({ kind: 'refreshed', snapshotAt: completed.snapshotAt, incomplete: 0 });
    expect([times('overview'), times('ask'), times('status')]).toEqual([[0], [0], [3]]);
  });

  test('and leaves before anything was asked for has nothing asked for', async () => {
    const bot = await openScripted({ watched: [] });
    const release = holding(bot);
    const asked = bot.refresh({ ...order, patience: 2 * SECOND });
    await bot.hand.advance(2 * SECOND);
    expect(await asked).toEqual({ kind: 'going-on' });
    release();
    await bot.run(MINUTE);
    expect(bot.whats()).toEqual(['overview']);
  });

  test('and breaks off is not waited for', async () => {
    const { run, refresh, hand } = await openScripted({ watched: [] });
    const leaving = new AbortController();
    const asked = refresh({ ...order, signal: leaving.signal });
    await run(SECOND);
    leaving.abort();
    expect(await asked).toEqual({ kind: 'going-on' });
    expect(hand.sleepers()).toBe(0);
    await expect(refresh({ ...order, signal: leaving.signal })).rejects.toThrow();
  });

  test('is told that it goes on when the bot stops, and then asks nothing any more', async () => {
    const { run, refresh, stop, calls, hand } = await openScripted({ watched: [] });
    const asked = refresh(order);
    await run(SECOND);
    await stop();
    expect(await asked).toEqual({ kind: 'going-on' });
    const before = calls.length;
    expect(await refresh({ ...order, address: WALLET })).toEqual({ kind: 'going-on' });
    await run(MINUTE);
    expect(calls.length).toBe(before);
    expect(hand.sleepers()).toBe(0);
  });

  test('gets no result of the time before, but a wait', async () => {
    const { run, answers, refresh } = await openScripted();
    await run(2 * SECOND);
    answers.status = { ...completed, incomplete: 2 };
    answers.overview = { retryAfterSeconds: 600 };
    await run(5 * SECOND);
    expect(await refresh(order)).toMatchObject({ kind: 'wait', because: 'limited', until: later(NOON, 603 * SECOND) });
  });
});

describe('an answer that needs some snapshot', () => {
  const automatic = { ...order, automatic: true };

  test('has one made where there is none', async () => {
    const { run, answers, refresh, times } = await openScripted({ watched: [] });
    const asked = refresh(automatic);
    await run(SECOND);
    answers.status = completed;
    await run(5 * SECOND);
    expect(await asked).toMatchObject({ kind: 'refreshed', snapshotAt: completed.snapshotAt });
    expect(times('ask')).toEqual([0]);
  });

  test('takes one that is young enough as it is', async () => {
    const { answers, refresh, times } = await openScripted({ watched: [] });
    const snapshotAt = later(NOON, -10 * MINUTE);
    answers.overview = { snapshotAt };
    expect(await refresh(automatic)).toEqual({ kind: 'refreshed', snapshotAt, incomplete: 0 });
    expect(times('ask')).toEqual([]);
  });

  test('keeps to a pause that was chosen after a failure, which a person who asks does not', async () => {
    const { run, answers, refresh, times } = await openScripted({ watched: [] });
    answers.ask = failure('rejected');
    await expect(refresh(order)).rejects.toMatchObject({ trouble: 'rejected' });
    await run(MINUTE);
    expect(await refresh(automatic)).toEqual({ kind: 'wait', until: later(NOON, 15 * MINUTE), because: 'failed' });
    expect(times('ask')).toEqual([0]);
    await expect(refresh(order)).rejects.toMatchObject({ trouble: 'rejected' });
    expect(times('ask')).toEqual([0, 60]);
  });

  test('has a person who asks meanwhile served as a person', async () => {
    const bot = await openScripted({ watched: [] });
    bot.answers.overview = { snapshotAt: later(NOON, -10 * MINUTE) };
    const release = holding(bot);
    const [first, second] = [bot.refresh(automatic), bot.refresh(order)];
    release();
    await bot.run(SECOND);
    bot.answers.status = completed;
    await bot.run(5 * SECOND);
    expect(await first).toMatchObject({ kind: 'refreshed' });
    expect(await second).toMatchObject({ kind: 'refreshed', snapshotAt: completed.snapshotAt });
    expect(bot.times('ask')).toEqual([0]);
  });
});
