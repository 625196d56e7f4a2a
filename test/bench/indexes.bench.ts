/**
 * What a tick, an event, a measurement and a message cost with so many chats. Run with `npx vitest bench --run test/bench/indexes.bench.ts`; compare
 * the rows of one group: each chat more may cost memory, and time only where it is concerned.
 */
import { bench, describe } from 'vitest';
import { routeMeasurements } from '../../src/alerts/evaluation/route-measurements.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later } from '../../src/base/clock.js';
import { address, type Address } from '../../src/chat/address.js';
import { decimal, slug } from '../../src/domain/scalars.js';
import { openWatermarks } from '../../src/jobs/watermarks.js';
import { Watcher } from '../../src/jobs/watcher.js';
import { openStore } from '../../src/store/open.js';
import { burn, entry } from '../alerts/harness.js';
import { measurement } from '../alerts/measurements.js';
import { openJobsHarness } from '../jobs/harness.js';

const PROJECTS = 30;
const FEW = 10;
const chatNamed = (number: number): Address => address('telegram', `-${number}`);

/** So many chats share thirty projects; ten of them watch `tide` too. */
async function openCrowd(chats: number) {
  const harness = await openJobsHarness();
  const since = later(harness.clock.now(), -HOUR);
  for (let number = 0; number < chats; number += 1) {
    const own = entry({ kind: 'project', slug: slug(`p-${number % PROJECTS}`) }, since, { modes: { growth: 'off' } });
    const more = number < FEW ? [entry({ kind: 'project', slug: slug('tide') }, since)] : [];
    const chat: Chat = { address: chatNamed(number), entries: [own, ...more] };
    await harness.watchlists.change(chat.address, () => chat);
  }
  // A store in memory goes through all documents to list those of one kind.
  const marks = openWatermarks(await openStore('memory://'));
  const watcher = new Watcher({ ...harness.watcher, watermarks: marks });
  await watcher.tick();
  await watcher.idle();
  return { ...harness, watcher };
}

const crowds = await Promise.all([100, 1_000, 10_000, 100_000].map(async (chats) => ({ chats, crowd: await openCrowd(chats) })));
type Crowd = (typeof crowds)[number]['crowd'];

function compare(what: string, run: (crowd: Crowd) => Promise<unknown>): void {
  describe(`${what}, with`, () => {
    for (const { chats, crowd } of crowds)
      bench(`${chats.toLocaleString('en')} chats`, async () => void (await run(crowd)), { time: 200, iterations: 5, warmupIterations: 1 });
  });
}

let events = 0;
compare('a tick with nothing due', async ({ watcher }) => watcher.tick());
compare('a sweep with nothing to forget', async ({ watcher }) => watcher.forgetUnwatched());
compare('an event for ten chats', async ({ announce, clock }) => {
  events += 1;
  await announce(burn(events, clock.now()));
});
compare('an event nobody subscribes to', async ({ announce, clock }) => announce(burn(1, clock.now(), { project: slug('nobodys') })));
compare('a measurement nobody subscribes to', async ({ clock, ...rooms }) => {
  const measurements = [measurement(5, clock.now(), { project: 'nobodys' })];
  await routeMeasurements({ measurements, before: [], first: false }, { ...rooms, key: 'premium/p-0', now: clock.now() });
});
let measured = 0;
compare('a measurement that changes nothing, for each chat that watches p-0: one in thirty', async ({ clock, ...rooms }) => {
  measured += 1;
  const history = Array.from({ length: 365 }, (_, day) => ({ at: later(clock.now(), -(365 - day) * DAY), value: decimal(day % 7) }));
  const measurements = [measurement(5 + (measured % 2) / 10, later(clock.now(), measured), { project: 'p-0', history })];
  await routeMeasurements({ measurements, before: [], first: false }, { ...rooms, key: 'premium/p-0', now: later(clock.now(), measured) });
});
compare('a message of a chat', async ({ reachability }) => {
  await reachability.take({ kind: 'back', chat: chatNamed(7) });
  reachability.formerNames('telegram/chat/-7');
});
