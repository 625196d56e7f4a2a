/** Fifty chats watch one wallet while the process is killed and started again: what the service saw, and what each chat was alerted. */
import { expect, test } from 'vitest';
import { createDirectory } from '../../src/analytics/directory.js';
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { openFirstChecks } from '../../src/alerts/checks/first-checks.js';
import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { RuleStates } from '../../src/alerts/evaluation/rule-states.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { openWatchlists, withEntry } from '../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { lanes } from '../../src/base/lanes.js';
import { silentLog } from '../../src/base/log.js';
import { address } from '../../src/chat/address.js';
import { FEEDS } from '../../src/feeds/index.js';
import { openWatermarks } from '../../src/jobs/watermarks.js';
import { Watcher } from '../../src/jobs/watcher.js';
import { openWallets, type Request } from './wallets.js';

const CHATS = Array.from({ length: 50 }, (_, number) => address('console', `chat-${number}`));

/** How long an answer said to wait, in milliseconds. */
const alerted = ({ body }: Request): number => Number(/"refreshRetryAfterSeconds":(\d+)/.exec(body ?? '')?.[1] ?? 0) * SECOND;

test('is asked for as for one, never too early, and each chat is notified of each change once', async () => {
  const { boot, store, wallet, world, requests, posts, onArrival, sim, clock } = await openWallets();
  await sim({ kind: 'refresh-rule', cooldownSeconds: 1_800 });
  const lists = await openWatchlists(store);
  const since = clock.now();
  for (const chat of CHATS)
    await lists.change(chat, (before) =>
      withEntry(before, { target: { kind: 'wallet', address: wallet }, since, by: 'Ada', preset: 'everything' }),
    );

  /** The whole of it: what refreshes, what checks, and the queues behind it. */
  const start = async () => {
    const watchlists = await openWatchlists(store);
    const queues = await openQueues(store);
    const checkRecords = await openCheckRecords(store);
    const parts: { watcher?: Watcher } = {};
    const bot = await boot({
      watched: [...watchlists.here.watched.wallets],
      maxAge: 10 * MINUTE,
      onChange: async (changed) => parts.watcher?.changed({ address: changed }),
    });
    const { analytics } = bot;
    const watcher = new Watcher({
      ...{
        analytics,
        checks: checkRecords,
        queues,
        rules: await RuleStates.open(store),
        watchlists,
        clock,
        feeds: FEEDS,
        source: 'service',
        log: silentLog,
      },
      directory: createDirectory({ analytics, store, clock }),
      watermarks: openWatermarks(store),
      firstChecks: await openFirstChecks({ store, log: silentLog }),
      archive: openArchive(store),
      lanes: lanes(),
      pollMinSeconds: 60,
      unranked: bot.unranked,
    });
    parts.watcher = watcher;
    await watcher.recover();
    const run = async (milliseconds: number) => {
      for (let gone = 0; gone < milliseconds; gone += 10 * SECOND) {
        await watcher.tick();
        await watcher.idle();
        await bot.run(10 * SECOND, 10 * SECOND);
      }
    };
    return { ...bot, run, queues };
  };

  let bot = await start();
  await bot.run(10 * MINUTE);
  await sim({ kind: 'transfer', wallet, project: 'tide', amount: '1000' });
  // The second request of all kills the process that made it, before it hears the answer.
  onArrival((request) => {
    if (request.what === 'ask') bot.kill();
  });
  await bot.run(40 * MINUTE);
  onArrival(() => {});
  expect(posts()).toHaveLength(2);
  await clock.advance(MINUTE);

  bot = await start();
  await bot.run(20 * MINUTE);
  await sim({ kind: 'transfer', wallet, project: 'tide', amount: '-400' });
  await bot.run(2 * HOUR);

  expect(posts().every(({ status }) => status === 202)).toBe(true);
  expect(posts().length).toBeLessThanOrEqual(7);
  for (const answer of requests.filter((request) => alerted(request) > 0)) {
    const early = posts().filter(({ at }) => at > answer.at && at < later(answer.at, alerted(answer)));
    expect(early).toEqual([]);
  }
  const alertsOf = CHATS.map((chat) => bot.queues.read(chat).waiting.map(({ event }) => event));
  expect(new Set(alertsOf.map((events) => JSON.stringify(events))).size).toBe(1);
  const all = alertsOf[0] ?? [];
  expect(new Set(all).size).toBe(all.length);
  // The two transfers that were made, each between two snapshots of its own.
  expect(all.filter((event) => event.includes(world.mint('tide')))).toHaveLength(2);
});
