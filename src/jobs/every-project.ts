/** This module lists the projects of an entry for `all`. */
import type { Directory } from '../analytics/directory.js';
import { AnalyticsError } from '../analytics/errors.js';
import { backoff } from '../base/backoff.js';
import { later, MINUTE, SECOND, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Project } from '../domain/project.js';

/** Returns all projects, or undefined while the list is unknown. */
export type EveryProject = () => Promise<readonly Project[] | undefined>;

/** Each attempt costs requests, so attempts after failures are spaced. */
const PAUSE = { first: 30 * SECOND, most: 15 * MINUTE };

export function createEveryProject({ directory, clock, log }: { directory: Directory; clock: Clock; log: Log }): EveryProject {
  let failures = 0;
  let failedAt: Instant | undefined;
  const pauses = (now: Instant): boolean => failedAt !== undefined && failedAt <= now && now < later(failedAt, backoff(PAUSE, failures));

  const ask: EveryProject = async () => {
    try {
      const projects = await directory.all();
      if (failures > 0) log.info('projects.known', { projects: projects.length });
      failures = 0;
      failedAt = undefined;
      return projects;
    } catch (cause) {
      if (!(cause instanceof AnalyticsError)) throw cause;
      // Log once per outage, not once per attempt.
      if (failures === 0) log.warn('projects.unknown', { problem: cause.trouble, cause });
      failures += 1;
      failedAt = clock.now();
      return undefined;
    }
  };
  // Concurrent callers share one attempt. If each counted as a failure, a few would extend the pause to its maximum.
  let asking: ReturnType<EveryProject> | undefined;

  return async () => {
    if (pauses(clock.now())) return undefined;
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
}
