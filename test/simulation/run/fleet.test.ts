/** Processes end and start again whatever fails meanwhile. */
import { expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { loadCommands } from '../../../src/dispatch/registry.js';
import { simulatedDisk } from '../machine/disk.js';
import { seeded } from '../machine/random.js';
import { simulatedTime } from '../machine/time.js';
import { simulatedPlatform, type Platform } from '../platform/platform.js';
import { scenarioOf } from '../scenario/make.js';
import { simulatedService } from '../world/service.js';
import { createFleet } from './fleet.js';

test('a process that is asked to stop while its start fails ends, and the next one starts', async () => {
  await loadCommands();
  const scenario = scenarioOf(4);
  const { world, start } = scenario;
  const [time, random] = [simulatedTime(start), seeded(1)];
  const around = { time, random, began: () => {}, signed: () => {}, spoilt: () => undefined };
  const working = simulatedPlatform('exact', { isExact: true, faultRate: 0, ...around });
  let starts = 0;
  /** The first time it is asked to stop as soon as it is there, and fails to start. */
  const platform: Platform = {
    ...working,
    connect(life, started) {
      const connected = working.connect(life, started);
      return {
        ...connected,
        async create(deps) {
          const created = await connected.create(deps);
          starts += 1;
          if (starts > 1) return created;
          fleet.stop(0);
          throw new Error('the start fails');
        },
      };
    },
  };
  const service = simulatedService({ ...{ world, start, faultRate: 0, slowestAnswer: 80, isPatient: false }, ...around });
  const fleet = createFleet({
    scenario,
    time,
    random,
    disk: simulatedDisk(around),
    service,
    platforms: [platform],
    onStart: () => {},
    onActive: () => {},
  });
  await time.until(start + 10 * SECOND);
  expect(starts).toBe(2);
  expect(fleet.deps(address('exact', 'chat-0'))).toBeDefined();
  expect(fleet.downtimes.at(-1)?.to).toBeLessThan(start + 10 * SECOND);
  fleet.end();
});
