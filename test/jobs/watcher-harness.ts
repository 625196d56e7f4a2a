/** A watcher in its harness, as tests of it begin. */
import { Watcher } from '../../src/jobs/watcher.js';
import { openJobsHarness, type JobsHarnessOptions } from './harness.js';

export async function openWatcherHarness(options: JobsHarnessOptions = {}) {
  const harness = await openJobsHarness(options);
  const watcher = new Watcher(harness.watcher);
  const marked = async (): Promise<readonly string[]> => (await harness.watermarks.list()).found.map(([key]) => key);
  const tick = async (): Promise<readonly string[]> => {
    await watcher.tick();
    await watcher.idle();
    return harness.seen.takeAsked().toSorted();
  };
  return { ...harness, context: harness.watcher, watcher, marked, tick };
}
