/** Single trades that a check finds again after a kill: those before a watch, which no chat is alerted of, and those that alerted. */
import { expect, test } from 'vitest';
import { EMPTY_PROPOSAL } from '../../src/analytics/endpoints/proposals.js';
import type { Order } from '../../src/analytics/endpoints/proposals-market.js';
import { drop } from '../../src/alerts/queue/queue.js';
import type { Target } from '../../src/alerts/watchlist/entry.js';
import { DAY, HOUR, later, MINUTE, SECOND, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { defineFeed } from '../../src/feeds/feed.js';
import { proposals } from '../../src/feeds/proposals.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { crashStore, deaths, StoreCrash } from '../alerts/crash-store.js';
import { CHAT, TIDE } from '../alerts/harness.js';
import { rules } from '../alerts/measurements.js';
import { handClock } from '../support/clock.js';
import { snapshotOf } from '../feeds/reading.js';
import { project, surface } from './fake-service.js';
import { openJobsHarness, type JobsHarness } from './harness.js';

const TOPIC = 'proposals/tide/9xQ';
const MARKET: Target = { kind: 'market', topic: TOPIC, title: 'Fund the second audit' };

/** A market whose trades a check of the real feed reads, and a chat that begins to watch it a while after the first check. */
async function openPlace(watch: (harness: JobsHarness, now: Instant) => Promise<unknown>) {
  const clock = handClock();
  const store = await openStore('memory://');
  const seen = surface(clock);
  const listed: Order[] = [];
  const startsAt = later(clock.now(), -DAY);
  const read = async () => {
    const row = { ...EMPTY_PROPOSAL, publicKey: '9xQ', status: 'live', startsAt, margin: decimal('1'), orders: [...listed] };
    return snapshotOf([row], { at: clock.now() });
  };
  const task: Task = { feed: defineFeed({ ...proposals.spec, read }), subject: project('tide') };
  const start = async (over: Store = store) => {
    const harness = await openJobsHarness({ store: over, clock, seen });
    await recover(harness.poll);
    return harness;
  };
  const trades = async (...values: readonly number[]): Promise<void> => {
    for (const value of values) {
      await clock.advance(3 * SECOND);
      const at = clock.now();
      listed.push({
        ...{ at, market: 'pass', direction: 'buy', price: undefined, size: undefined, value: decimal(value), signature: `${at}` },
        ...{ title: undefined, publicKey: undefined, project: undefined, wallet: undefined },
      });
    }
  };
  const harness = await start();
  await trades(70);
  await poll(task, harness.poll);
  await trades(250, 61);
  await clock.advance(SECOND);
  await watch(harness, clock.now());
  return { clock, store, task, start, trades, harness };
}
type Place = Awaited<ReturnType<typeof openPlace>>;

/** Nothing waits any more, and no id is kept because it may be routed again. */
async function deliver({ clock }: Place, { queues }: JobsHarness): Promise<void> {
  queues.recovered();
  await queues.change(CHAT, (queue) => drop(queue, { members: queue.waiting, now: clock.now(), because: 'delivered' }));
}

/** A check, and what it alerts is delivered. */
async function live(place: Place, harness: JobsHarness): Promise<void> {
  await poll(place.task, harness.poll);
  await deliver(place, harness);
  await place.clock.advance(MINUTE);
}

/** What the chat was alerted of, in order. */
const alerted = async ({ queues }: JobsHarness): Promise<readonly number[]> =>
  (await queues.receipts(CHAT))
    .toReversed()
    .flatMap(({ members }) => members)
    .map(({ crossings }) => Number(crossings?.[0]?.now.value));

const WATCHES: readonly (readonly [string, (harness: JobsHarness, now: Instant) => Promise<unknown>, readonly number[]])[] = [
  ['a followed proposal', async ({ watch }, since) => watch(MARKET, { since, rules: rules('trade>10') }), [516, 378, 38, 700, 42, 90]],
  [
    'a followed proposal, and its project for longer by the same rule',
    async ({ watch }, since) => {
      await watch(TIDE, { rules: rules('trade>10') });
      await watch(MARKET, { since, rules: rules('trade>10') });
    },
    [250, 61, 516, 378, 38, 700, 42, 90],
  ],
  [
    'a followed proposal, and its project for longer by another rule',
    async ({ watch }, since) => {
      await watch(TIDE, { rules: rules('trade>100') });
      await watch(MARKET, { since, rules: rules('trade>10') });
    },
    [250, 516, 378, 38, 700, 42, 90],
  ],
  [
    'a followed proposal without a rule on trades, and its project for longer with one',
    async ({ watch }, since) => {
      await watch(TIDE, { rules: rules('trade>100') });
      await watch(MARKET, { since, rules: rules('margin>50') });
    },
    [250],
  ],
  [
    'a followed proposal, and its project for longer without alerts of proposals',
    async ({ watch }, since) => {
      await watch(TIDE, { modes: { proposals: 'off' } });
      await watch(MARKET, { since, rules: rules('trade>10') });
    },
    [516, 378, 38, 700, 42, 90],
  ],
];

test.each(WATCHES)('trades of %s come once each, wherever a check is killed', async (_, watch, due) => {
  const whole = await openPlace(watch);
  const counting = crashStore(whole.store);
  await whole.trades(516, 378, 38);
  await live(whole, await whole.start(counting));
  for (const death of deaths(counting.writes())) {
    const place = await openPlace(watch);
    await place.trades(516, 378, 38);
    try {
      await live(place, await place.start(crashStore(place.store, death)));
    } catch (cause) {
      if (!(cause instanceof StoreCrash)) throw cause;
    }
    const again = await place.start();
    await deliver(place, again);
    await place.trades(700, 42);
    await live(place, again);
    const last = await place.start();
    await place.clock.advance(HOUR);
    await place.trades(90);
    await live(place, last);
    expect(await alerted(last), JSON.stringify(death)).toEqual(due);
  }
});

test('trades that were alerted before a kill take no place of smaller ones after it', async () => {
  const place = await openPlace(async ({ watch }, since) => watch(MARKET, { since, rules: rules('trade>10') }));
  const from = (least: number) => Array.from({ length: 15 }, (_, index) => least + index);
  const [before, after] = [from(500), from(20)];
  await place.trades(...before);
  await live(place, place.harness);
  const again = await place.start();
  await place.trades(...after);
  await live(place, again);
  expect(await alerted(again)).toEqual([...before, ...after]);
});

test('a trade that alerted does not alert again when the chat takes the bot back', async () => {
  const place = await openPlace(async ({ watch }, since) => watch(MARKET, { since, rules: rules('trade>10') }));
  await place.trades(516, 700);
  await live(place, place.harness);
  const absence = { from: later(place.clock.now(), -30 * SECOND), to: later(place.clock.now(), -20 * SECOND) };
  await place.harness.watchlists.change(CHAT, (chat) => ({ ...chat, absence }));
  await live(place, place.harness);
  await place.trades(90);
  await live(place, place.harness);
  expect(await alerted(place.harness)).toEqual([516, 700, 90]);
});
