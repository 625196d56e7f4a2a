/** The drain at work in a harness for as long as a test says: a tick every second of a clock that is turned by hand. */
import { SECOND } from '../../src/base/clock.js';
import { createDrain } from '../../src/jobs/drain.js';
import type { Address } from '../../src/chat/address.js';
import { openJobsHarness, type JobsHarness, type JobsHarnessOptions } from './harness.js';

export async function openDrainHarness(options: JobsHarnessOptions = {}) {
  const harness = await openJobsHarness(options);
  const drain = createDrain(harness.context);
  const work = async (milliseconds: number): Promise<void> => {
    for (let done = 0; done < milliseconds; done += SECOND) {
      await harness.clock.advance(SECOND);
      drain.tick();
      await drain.idle();
    }
  };
  return {
    ...harness,
    drain,
    /** Works for so long. */
    work,
    /** Works in larger steps, for hours in which nothing is due. */
    wait: async (milliseconds: number, step: number): Promise<void> => {
      for (let done = 0; done < milliseconds; done += step) {
        await harness.clock.advance(step);
        drain.tick();
        await drain.idle();
      }
    },
  };
}

/** What became of each event in a chat, by how its deliveries ended. */
export const fates = async (
  { queues }: Pick<JobsHarness, 'queues'>,
  chat: Address,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const ends: Record<string, string[]> = {};
  for (const { end, members } of await queues.receipts(chat)) (ends[end] ??= []).push(...members.map(({ event }) => event));
  return ends;
};
