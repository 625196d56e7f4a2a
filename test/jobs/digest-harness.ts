/** Digests of a chat, with what delivers them, on a clock that the test turns. */
import type { DigestSetting } from '../../src/alerts/digest/setting.js';
import type { Entry } from '../../src/alerts/watchlist/entry.js';
import { instant, MINUTE, SECOND } from '../../src/base/clock.js';
import { Digests } from '../../src/jobs/digest.js';
import { createDrain } from '../../src/jobs/drain.js';
import { CHAT, TIDE } from '../alerts/harness.js';
import { openJobsHarness, type JobsHarnessOptions } from './harness.js';

/** The clock begins at 12:00 UTC. */
export const AT_13: DigestSetting = { every: 'day', at: '13:00', since: instant(Date.UTC(2026, 10, 20, 12)) };

export async function openDigestHarness(options: JobsHarnessOptions = {}) {
  const harness = await openJobsHarness(options);
  const { poll, queues, watchlists, archive, checkRecords, watermarks, directory, clock, log } = harness;
  const digests = new Digests({
    queues,
    watchlists,
    archive,
    checkRecords,
    watermarks,
    directory,
    analytics: poll.analytics,
    clock,
    log,
  });
  const drain = createDrain(harness.context);
  const tick = async (): Promise<void> => {
    digests.tick();
    await digests.idle();
    drain.tick();
    await drain.idle();
  };
  return {
    ...harness,
    digests,
    tick,
    /** Ticks until then, in steps. */
    wait: async (milliseconds: number, step = 10 * MINUTE): Promise<void> => {
      await tick();
      for (let done = 0; done < milliseconds; done += step) {
        await clock.advance(step);
        await tick();
        await clock.advance(SECOND);
        await tick();
      }
    },
    subscribe: async (setting: DigestSetting = AT_13, extra: Partial<Entry> = {}) => {
      await harness.watch(TIDE, extra);
      await watchlists.change(CHAT, (chat) => ({ ...chat, digest: setting }));
    },
  };
}
export type DigestHarness = Awaited<ReturnType<typeof openDigestHarness>>;
