/** What follows from each answer of the service. */
import { describe, expect, test } from 'vitest';
import { HOUR, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { failure, MINT, NOON, openScripted, WALLET } from './scripted.js';

const order = { address: WALLET, patience: HOUR };
const completed = { status: 'completed', snapshotAt: later(NOON, SECOND) };

describe('a job', () => {
  test('is asked about after three seconds and then with pauses that grow to thirty', async () => {
    const { run, times } = await openScripted();
    await run(130 * SECOND);
    expect(times('ask')).toEqual([0]);
    expect(times('status')).toEqual([3, 8, 15, 26, 42, 65, 95, 125]);
  });

  test('that the overview names is followed from then on, and asked about as any other', async () => {
    const { run, times, answers } = await openScripted();
    answers.overview = { job: { id: 'theirs' } };
    await run(20 * SECOND);
    expect([times('overview'), times('ask'), times('status')]).toEqual([[0], [], [3, 8, 15]]);
  });

  test('of one token, whose request had no answer, is followed as one of that token', async () => {
    const { run, answers, held, refresh, unranked } = await openScripted({ watched: [] });
    answers.ask = failure('timeout');
    answers.status = completed;
    held.arrived = (what) => {
      if (what === 'ask-token') answers.overview = { job: { id: 'ours' } };
    };
    const asked = refresh({ ...order, token: MINT });
    await run(5 * SECOND);
    expect(await asked).toMatchObject({ kind: 'refreshed' });
    expect(unranked(WALLET)).toEqual([completed.snapshotAt]);
  });

  test('whose status cannot be read is waited for, and who asked gets its result', async () => {
    const { run, answers, refresh, times } = await openScripted({ watched: [] });
    const asked = refresh(order);
    answers.status = failure('timeout');
    await run(10 * SECOND);
    answers.status = completed;
    await run(MINUTE);
    expect(await asked).toEqual({ kind: 'refreshed', snapshotAt: completed.snapshotAt, incomplete: 0 });
    expect(times('status')).toEqual([3, 33]);
  });

  test('whose status cannot be read for half an hour is given up, and who asked is told since when and until when', async () => {
    const { run, answers, refresh, standing } = await openScripted({ watched: [] });
    const asked = refresh(order);
    answers.status = failure('timeout');
    await run(50 * MINUTE, 5 * SECOND);
    const end = await asked;
    if (end.kind !== 'given-up') throw new Error(`it ended as ${end.kind}`);
    expect(end.after).toBeGreaterThanOrEqual(30 * MINUTE);
    expect(end.until).toBe(later(NOON, end.after + 15 * MINUTE));
    expect(standing(WALLET).running).toBe(false);
  });

  test('that the service has forgotten has the overview read at once', async () => {
    const { run, answers, whats, times } = await openScripted();
    await run(2 * SECOND);
    answers.status = failure('unknown');
    answers.overview = { job: { id: 'another' } };
    await run(3 * SECOND);
    expect(whats()).toEqual(['overview', 'ask', 'status', 'overview']);
    expect(times('overview')).toEqual([0, 3]);
  });

  test('that failed is asked for again after a pause, of which who asked is told', async () => {
    const { run, answers, refresh } = await openScripted({ watched: [] });
    const asked = refresh(order);
    answers.status = { error: 'no node answered' };
    await run(5 * SECOND);
    expect(await asked).toEqual({ kind: 'failed', says: 'no node answered', until: later(NOON, 15 * MINUTE + 3 * SECOND) });
  });

  test('that is completed without a date leaves the date that was known', async () => {
    const { run, answers, standing } = await openScripted();
    const snapshotAt = later(NOON, -2 * HOUR);
    answers.overview = { snapshotAt };
    answers.status = { status: 'completed' };
    await run(10 * SECOND);
    expect(standing(WALLET)).toMatchObject({ snapshotAt, running: false });
  });
});

describe('accounts left behind', () => {
  test('are gone on with before who asked gets the result, who sees how often', async () => {
    const { run, answers, refresh, times } = await openScripted({ watched: [] });
    const seen: unknown[] = [];
    const asked = refresh({ ...order, progress: ({ resumed }) => seen.push(resumed) });
    answers.status = { ...completed, incomplete: 2 };
    await run(5 * SECOND);
    answers.status = completed;
    await run(5 * SECOND);
    expect(await asked).toEqual({ kind: 'refreshed', snapshotAt: completed.snapshotAt, incomplete: 0 });
    expect(times('ask')).toEqual([0, 3]);
    expect(seen).toEqual([0, 0, 1, 1]);
  });

  test('that may not be gone on with now are told of with the result there is, not as a wait', async () => {
    const { run, answers, refresh } = await openScripted({ watched: [] });
    const asked = refresh(order);
    await run(2 * SECOND);
    answers.status = { ...completed, incomplete: 2 };
    answers.overview = { retryAfterSeconds: 600 };
    await run(5 * SECOND);
    expect(await asked).toEqual({ kind: 'refreshed', snapshotAt: completed.snapshotAt, incomplete: 2 });
    expect(await refresh(order)).toMatchObject({ kind: 'wait', because: 'limited' });
  });
});

describe('a request for a refresh', () => {
  test('that is refused until a stated time is made again then', async () => {
    const { run, answers, times, standing } = await openScripted();
    answers.ask = failure('limited', later(NOON, 200 * SECOND + 1));
    await run(10 * SECOND);
    expect(standing(WALLET).pause).toEqual({ until: later(NOON, 201 * SECOND), because: 'limited' });
    answers.ask = { jobId: 'job-1', alreadyRunning: false };
    await run(195 * SECOND);
    expect([times('overview'), times('ask')]).toEqual([
      [0, 201],
      [0, 201],
    ]);
    expect(standing(WALLET).pause).toBeUndefined();
  });

  test('is no longer shown as refused once the time is over, before the next step', async () => {
    const { run, answers, standing, hand } = await openScripted();
    answers.ask = failure('limited', later(NOON, 200 * SECOND));
    await run(10 * SECOND);
    await hand.advance(189 * SECOND);
    expect(standing(WALLET).pause).toMatchObject({ because: 'limited' });
    await hand.advance(SECOND);
    expect(standing(WALLET).pause).toBeUndefined();
  });

  test('that is refused for no time at all waits as where no time is stated', async () => {
    const { run, answers, times } = await openScripted();
    answers.ask = failure('limited', NOON);
    await run(20 * MINUTE, 5 * SECOND);
    expect(times('ask')).toEqual([0, 15 * 60]);
  });

  test('that is refused for good fails who asked, and is made again after growing pauses', async () => {
    const { run, answers, times, refresh } = await openScripted();
    answers.ask = failure('forbidden');
    await expect(refresh(order)).rejects.toMatchObject({ trouble: 'forbidden' });
    await run(50 * MINUTE, 5 * SECOND);
    expect(times('ask')).toEqual([0, 15 * 60, 45 * 60]);
  });

  test('that the budget does not allow fails who asked, and is not taken for one that was made', async () => {
    const { run, answers, times, refresh, store, hand } = await openScripted();
    answers.ask = failure('budget-spent', later(NOON, HOUR));
    await expect(refresh(order)).rejects.toMatchObject({ trouble: 'budget-spent' });
    await run(10 * MINUTE, 10 * SECOND);
    expect(times('ask')).toEqual([0]);
    const next = await openScripted({ store, hand });
    await next.run(SECOND);
    expect(next.whats()).toEqual(['overview', 'ask']);
  });

  test('without an answer has the overview read at once, and is made again a quarter of an hour later', async () => {
    const { run, answers, whats, times } = await openScripted();
    answers.ask = failure('timeout');
    await run(16 * MINUTE, 5 * SECOND);
    expect(whats().slice(0, 3)).toEqual(['overview', 'ask', 'overview']);
    expect(times('ask')).toEqual([0, 15 * 60]);
  });
});

test('what a person asks for has the priority of questions, what a watch needs that of checks', async () => {
  const [person, watch] = [await openScripted({ watched: [] }), await openScripted()];
  void person.refresh(order);
  await person.run(5 * SECOND);
  await watch.run(5 * SECOND);
  expect(person.calls.map(({ what, priority }) => [what, priority])).toEqual([
    ['overview', 'question'],
    ['ask', 'question'],
    ['status', 'question'],
  ]);
  expect(watch.calls.map(({ priority }) => priority)).toEqual(['poll', 'poll', 'poll']);
});

test('what a refresh costs is that of the first one, and then moves a third of the way to each further one', async () => {
  const { run, answers, cost, calls } = await openScripted();
  answers.overview = { snapshotAt: later(NOON, -2 * HOUR) };
  await run(5 * SECOND);
  answers.status = completed;
  await run(10 * SECOND);
  const first = calls.length;
  expect([first, cost(WALLET)]).toEqual([4, 4]);
  answers.status = { status: 'running' };
  await run(HOUR, 5 * SECOND);
  await run(2 * MINUTE);
  answers.status = { status: 'completed', snapshotAt: later(NOON, HOUR + MINUTE) };
  await run(MINUTE);
  expect(calls.length).toBeGreaterThan(2 * first);
  expect(cost(WALLET)).toBeCloseTo(first + (calls.length - 2 * first) * 0.3, 5);
});
