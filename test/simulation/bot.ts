/** The parts of the bot between the service and the platforms, put together as the app does, on simulated time, disk and platforms. */
import type { Analytics } from '../../src/analytics/analytics.js';
import { openTopicStatuses } from '../../src/alerts/delivery/topic-statuses.js';
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import type { Target } from '../../src/alerts/watchlist/entry.js';
import { openFirstChecks } from '../../src/alerts/checks/first-checks.js';
import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { muted, openWatchlists, withEntry, withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { createReachability } from '../../src/alerts/watchlist/reachability.js';
import { instant, later, SECOND } from '../../src/base/clock.js';
import { lanes } from '../../src/base/lanes.js';
import type { Address } from '../../src/chat/address.js';
import { DEFAULT_TEMPLATES, makeLinks } from '../../src/domain/links.js';
import { flushChecks, settleCheck } from '../../src/jobs/settle-checks.js';
import { createDrain } from '../../src/jobs/drain.js';
import { openHeartbeat } from '../../src/jobs/downtime.js';
import { openWatermarks } from '../../src/jobs/watermarks.js';
import { createSchedule } from '../../src/jobs/schedule.js';
import type { Ticker } from '../../src/jobs/ticker.js';
import { createWatcher } from '../../src/jobs/watcher.js';
import { directoryOf } from '../jobs/fake-service.js';
import { silentLog } from '../../src/base/log.js';
import type { Disk } from './disk.js';
import type { Platform } from './platform.js';
import type { Random } from './random.js';
import type { Service } from './service.js';
import type { Life, Time } from './time.js';

export interface Surroundings {
  readonly time: Time;
  readonly disk: Disk;
  readonly platforms: readonly Platform[];
  readonly service: Service;
  readonly projects: readonly string[];
  readonly random: Random;
  /** What follows an attempt that may have arrived, where no repeat is recognised. */
  readonly ambiguous: 'repeat' | 'hold';
}

/** One life of the bot. Each function resolves when what it did is durable. */
export interface Bot {
  watch(chat: Address, target: Target): Promise<void>;
  unwatch(chat: Address, target: Target): Promise<void>;
  mute(chat: Address, milliseconds: number): Promise<void>;
  /** Whether anything waits for a chat. */
  isWaiting(): boolean;
  stop(): Promise<void>;
}

/** The feeds of a simulation ask a simulated service. */
const nobody: Analytics = {
  call: async () => Promise.reject(new Error('nobody is asked')),
  walk: async () => Promise.reject(new Error('nobody is asked')),
  state: () => ({ budget: { used: 0, resetsAt: instant(0) } }),
};

export async function startBot(life: Life, around: Surroundings): Promise<Bot> {
  const { disk, platforms, service, projects, random, ambiguous, time } = around;
  const store = disk.store(life);
  const { clock } = life;
  const log = silentLog;
  const watchlists = await openWatchlists(store);
  const queues = await openQueues(store);
  const watermarks = openWatermarks(store);
  const checkRecords = await openCheckRecords(store, async (key) => settleCheck(key, { queues, watermarks }));
  const firstChecks = await openFirstChecks({ store, log });
  const archive = openArchive(store);
  const topics = await openTopicStatuses(store, log);
  const reachability = createReachability({ watchlists, queues, listed: [], clock, log });
  const heartbeat = await openHeartbeat({ store, clock, log });
  const watcher = createWatcher({
    ...{ analytics: nobody, source: 'simulated', watermarks, checks: checkRecords, firstChecks, archive, queues, watchlists, clock, log },
    ...{ lanes: lanes(), pollMinSeconds: 15, feeds: service.feeds(life), topics, directory: directoryOf(...projects) },
    away: () => heartbeat.away(),
  });
  const drain = createDrain({
    ...{ queues, archive, watchlists, reachability, topics, clock, log, ambiguous },
    links: makeLinks(DEFAULT_TEMPLATES),
    notifiers: platforms.map((platform) => platform.notifier(life)),
    random: () => random.next(),
  });
  const schedule = createSchedule({
    ...{ watcher, drain, heartbeat, clock, log, ticker: ticker(life, time), checkpoint: async () => store.checkpoint() },
    flushChecks: async () => flushChecks({ checkRecords, watermarks, firstChecks }),
    housekeeping: async () => reachability.sweep(),
  });
  await schedule.start();
  return {
    async watch(chat, target) {
      const since = clock.now();
      await watchlists.change(chat, (before) => withEntry(before, { target, since, by: 'Ada', preset: 'everything' }));
      await watcher.firstChecks(target, { chat, patience: SECOND });
    },
    async unwatch(chat, target) {
      await watchlists.change(chat, (before) => withoutEntry(before, target));
    },
    async mute(chat, milliseconds) {
      await watchlists.change(chat, (before) => muted(before, { until: later(clock.now(), milliseconds) }));
    },
    isWaiting: () => queues.all().some(({ waiting, open }) => waiting.length > 0 || open !== undefined),
    async stop() {
      await schedule.stop();
      await store.close();
    },
  };
}

/** Second by second; what runs once a minute or an hour runs at its second of the minute, and nothing overlaps itself. */
function ticker(life: Life, time: Time): Ticker {
  return {
    async every(expression, _name, work) {
      const [second = '*', minute = '*'] = expression.split(' ');
      let stopped = false;
      let busy = false;
      const next = (): void => {
        const from = Math.floor(time.now() / SECOND) * SECOND;
        time.at(from + SECOND, () => {
          if (stopped || !life.isAlive()) return;
          const isDue = minute === '*' && (second === '*' || Number(second) === new Date(time.now()).getUTCSeconds());
          if (isDue && !busy) {
            busy = true;
            void work().finally(() => {
              busy = false;
            });
          }
          next();
        });
      };
      next();
      return async () => {
        stopped = true;
      };
    },
  };
}
