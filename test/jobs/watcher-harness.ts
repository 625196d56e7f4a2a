/** A watcher in its office, as tests of it begin. */
import { createWatcher } from '../../src/jobs/watcher.js';
import { openJobsHarness, type JobsHarnessOptions } from './harness.js';

export async function openWatcherHarness(options: JobsHarnessOptions = {}) {
  const office = await openJobsHarness(options);
  const watcher = createWatcher(office.watcher);
  const marked = async (): Promise<readonly string[]> => (await office.watermarks.list()).found.map(([key]) => key);
  const tick = async (): Promise<readonly string[]> => {
    await watcher.tick();
    await watcher.idle();
    return office.seen.takeAsked().toSorted();
  };
  return { ...office, context: office.watcher, watcher, marked, tick };
}
