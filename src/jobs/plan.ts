/** Which looks are due. Pure: from what is watched and when it was last looked at to what to look at now. */
import { SECOND, later, type Instant } from '../base/clock.js';
import { isAbsent, type Looks } from '../alerts/looks.js';
import { subjectKey, type Feed } from '../feeds/feed.js';
import type { Task } from './demand.js';

/** What the service does not have for a project (a launch that is no project yet) is asked for less often. */
const ABSENT_FACTOR = 10;

/** When a task is to be looked at next: a whole interval after it was last tried, at once where it never was. */
function dueTime(task: Task, { looks, pollMinSeconds, now }: { looks: Looks; pollMinSeconds: number; now: Instant }): Instant {
  const last = looks.read(task.feed.id, subjectKey(task.subject));
  // A clock that was set back must not silence a feed until it has caught up.
  if (last === undefined || last.triedAt > now) return now;
  return later(last.triedAt, interval(task.feed, pollMinSeconds) * (isAbsent(last) ? ABSENT_FACTOR : 1));
}

/** Milliseconds between two looks of a feed. */
export const interval = (feed: Pick<Feed, 'every'>, pollMinSeconds: number): number => feed.every * pollMinSeconds * SECOND;

/** The tasks that are due, the longest overdue first. */
export function due(tasks: readonly Task[], context: { looks: Looks; pollMinSeconds: number; now: Instant }): readonly Task[] {
  return tasks
    .map((task) => ({ task, at: dueTime(task, context) }))
    .filter(({ at }) => at <= context.now)
    .toSorted((a, b) => a.at - b.at)
    .map(({ task }) => task);
}
