import { expect, test } from 'vitest';
import { HOUR, MINUTE, later } from '../../src/base/clock.js';
import { overdueChecks } from '../../src/jobs/check-slots.js';
import { handClock } from '../support/clock.js';
import { project, surface } from './fake-service.js';

const clock = handClock();
const now = clock.now();
const feed = surface(clock).feed();
const task = (name: string) => ({ feed, subject: project(name) });
const late = (name: string, by: number, every: number) => ({
  ...{ task: task(name), at: later(now, -by), every, neverRan: false, isFirst: false },
});
const first = (name: string, by: number, neverRan: boolean) => ({ task: task(name), since: later(now, -by), neverRan });

test('a check is overdue when it is late by more than its interval, and by more than a minute', () => {
  const found = overdueChecks(
    {
      first: [],
      late: [
        ...[late('hourly', HOUR, HOUR), late('hourly-late', HOUR + 1, HOUR)],
        ...[late('often', MINUTE, 1), late('often-late', MINUTE + 1, 1)],
      ],
    },
    now,
  );
  expect([...found]).toEqual([
    ['supply/hourly-late', { since: later(now, -HOUR - 1), neverRan: false }],
    ['supply/often-late', { since: later(now, -MINUTE - 1), neverRan: false }],
  ]);
});

test('a first check is overdue after a minute; one that ran before and is asked for again is not', () => {
  const found = overdueChecks(
    { first: [first('new', MINUTE, true), first('new-late', MINUTE + 1, true), first('again', HOUR, false)], late: [] },
    now,
  );
  expect([...found]).toEqual([['supply/new-late', { since: later(now, -MINUTE - 1), neverRan: true }]]);
});
