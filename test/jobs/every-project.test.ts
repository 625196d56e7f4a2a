import { expect, test } from 'vitest';
import { MINUTE, SECOND, type Clock } from '../../src/base/clock.js';
import { createEveryProject } from '../../src/jobs/every-project.js';
import { StoreError } from '../../src/store/store.js';
import { handClock } from '../support/clock.js';
import { notebook } from './harness.js';
import { directoryOf, trouble } from './fake-service.js';

function openCounter(clock: Clock = handClock()) {
  const book = notebook();
  const directory = directoryOf('tide', 'heron');
  return { ...book, directory, everyProject: createEveryProject({ directory, clock, log: book.log }) };
}

test('while the service answers, every project is known and nothing is logged', async () => {
  const { everyProject, directory, names } = openCounter();
  expect((await everyProject())?.map(({ slug }) => slug)).toEqual(['tide', 'heron']);
  await everyProject();
  expect(directory.asked).toBe(2);
  expect(names()).toEqual([]);
});

test('a service that is down is asked with growing pauses, up to a quarter of an hour, though jobs ask every second', async () => {
  const clock = handClock();
  const { everyProject, directory } = openCounter(clock);
  directory.fails(trouble('unreachable'));
  const began = clock.now();
  const askedAt: number[] = [];
  for (let second = 0; second <= 3_600; second += 1) {
    const before = directory.asked;
    expect(await everyProject()).toBeUndefined();
    if (directory.asked > before) askedAt.push((clock.now() - began) / SECOND);
    await clock.advance(SECOND);
  }
  const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
  expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900]);
});

test('an outage is logged once, and once that it is over', async () => {
  const clock = handClock();
  const { everyProject, directory, names, noted } = openCounter(clock);
  directory.fails(trouble('unreachable'));
  await everyProject();
  await clock.advance(MINUTE);
  directory.fails(trouble('forbidden'));
  await everyProject();
  expect(directory.asked).toBe(2);
  await clock.advance(2 * MINUTE);
  directory.fails(undefined);
  expect(await everyProject()).toHaveLength(2);
  await everyProject();
  expect(names()).toEqual(['warn projects.unknown', 'info projects.known']);
  expect(noted).toMatchObject([{ fields: { problem: 'unreachable' } }, { fields: { projects: 2 } }]);
});

test('after an outage the pauses start over', async () => {
  const clock = handClock();
  const { everyProject, directory } = openCounter(clock);
  directory.fails(trouble('timeout'));
  for (const pause of [30, 60, 120]) {
    await everyProject();
    await clock.advance(pause * SECOND);
  }
  directory.fails(undefined);
  await everyProject();
  directory.fails(trouble('timeout'));
  await everyProject();
  const asked = directory.asked;
  await clock.advance(30 * SECOND - 1);
  await everyProject();
  expect(directory.asked).toBe(asked);
  await clock.advance(1);
  await everyProject();
  expect(directory.asked).toBe(asked + 1);
});

test('a clock that was set back does not lengthen a pause', async () => {
  const late = handClock();
  const early = handClock(late.now() - 60 * MINUTE);
  let now = late;
  const { everyProject, directory } = openCounter({ ...late, now: () => now.now() });
  directory.fails(trouble('unreachable'));
  await everyProject();
  now = early;
  await everyProject();
  expect(directory.asked).toBe(2);
});

test('several who ask during an outage at the same moment count as one try', async () => {
  const clock = handClock();
  const { everyProject, directory, names } = openCounter(clock);
  directory.fails(trouble('unreachable'));
  expect(await Promise.all([everyProject(), everyProject(), everyProject()])).toEqual([undefined, undefined, undefined]);
  const asked = directory.asked;
  await clock.advance(30 * SECOND);
  await everyProject();
  expect(directory.asked).toBe(asked + 1);
  expect(names()).toEqual(['warn projects.unknown']);
});

test('what is no trouble of the service is not taken for one', async () => {
  const { everyProject, directory, names } = openCounter();
  directory.fails(new StoreError('locked', 'store: it is locked; wait'));
  await expect(everyProject()).rejects.toThrow('it is locked');
  await expect(everyProject()).rejects.toThrow('it is locked');
  expect(directory.asked).toBe(2);
  expect(names()).toEqual([]);
});
