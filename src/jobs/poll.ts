/** This module runs one check of a subject at a time, within a deadline, and records failures. */
import { AnalyticsError } from '../analytics/errors.js';
import type { Instant } from '../base/clock.js';
import { deadline } from '../base/deadline.js';
import { subjectKey } from '../feeds/feed.js';
import { check, type PollContext } from './check.js';
import { failingSince } from './downtime.js';
import { CHECK_DEADLINE } from './plan/check-order.js';
import { taskKey, type Task } from './wanted-checks.js';

/** Runs a check. Resolves with whether the service answered; errors are recorded. */
export async function poll(task: Task, context: PollContext, signal?: AbortSignal): Promise<boolean> {
  const { clock, lanes } = context;
  return lanes.run(taskKey(task), async () => {
    const triedAt = clock.now();
    const late = () => new AnalyticsError({ trouble: 'timeout', row: taskKey(task), detail: 'the check did not end within its deadline' });
    const limit = deadline({ clock, milliseconds: CHECK_DEADLINE, late, stops: signal === undefined ? [] : [signal] });
    try {
      await check(task, { ...context, signal }, limit.signal);
      context.checked?.({ feed: task.feed.id, outcome: 'ok' });
      return true;
    } catch (cause) {
      // A 404 (`unknown`) is an answer.
      const isAnswer = cause instanceof AnalyticsError && cause.trouble === 'unknown';
      if (!signal?.aborted) {
        context.checked?.({ feed: task.feed.id, outcome: isAnswer ? 'absent' : 'failed' });
        await fail(task, { triedAt, cause, context });
      }
      return isAnswer;
    } finally {
      limit.end();
    }
  });
}

/** Returns the log level of a problem. A 404 (`unknown`) is normal. */
const levelOf = (problem: string): 'error' | 'warn' | 'debug' =>
  problem === 'internal' ? 'error' : problem === 'unknown' ? 'debug' : 'warn';

async function fail(task: Task, { triedAt, cause, context }: { triedAt: Instant; cause: unknown; context: PollContext }): Promise<void> {
  const { checks: checkRecords, log } = context;
  const subject = subjectKey(task.subject);
  const last = checkRecords.read(task.feed.id, subject);
  const problem = cause instanceof AnalyticsError ? cause.trouble : 'internal';
  const fields = { check: taskKey(task), problem, cause };
  // Log a change of the reason, not every retry.
  if (last?.problem !== problem) log[levelOf(problem)]('check.failed', fields);
  const seen = {
    okAt: last?.okAt,
    eventAt: last?.eventAt,
    gap: last?.gap,
    hidden: last?.hidden ?? 0,
    broken: last?.broken ?? 0,
    complete: last?.complete ?? false,
    cost: last?.cost,
    changes: last?.changes,
    priorityWindows: last?.priorityWindows,
    dates: last?.dates,
    missed: last?.missed,
    measurements: last?.measurements,
    routed: last?.routed,
    failingSince: problem === 'unknown' ? undefined : failingSince(last, triedAt),
  };
  try {
    await checkRecords.record({ feed: task.feed.id, subject, triedAt, ...seen, failures: (last?.failures ?? 0) + 1, problem });
  } catch (error) {
    log.error('check.unrecorded', { check: taskKey(task), cause: error });
  }
}
