/** Assembles what a process does by itself: checks, refreshes and deliveries. */
import { InboundConsumer } from '../inbound/consumer.js';
import { openFirstChecks } from '../alerts/checks/first-checks.js';
import { openTopicStatuses } from '../alerts/delivery/topic-statuses.js';
import { createWhy } from '../alerts/explanation/explain.js';
import type { Archive } from '../alerts/queue/event-archive.js';
import { type Instant, MINUTE } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import { platformOf, type Address } from '../chat/address.js';
import { noEndpoint, WatchlistFolder } from '../dispatch/watchlists/folder.js';
import { FEEDS } from '../feeds/index.js';
import { Boards } from '../jobs/boards.js';
import { Digests } from '../jobs/digest.js';
import { createDrain } from '../jobs/drain.js';
import { openHeartbeat } from '../jobs/downtime.js';
import { createObservation } from '../jobs/expected-delays.js';
import { START_SPREAD, refreshKey } from '../jobs/plan.js';
import { Reminders } from '../jobs/reminders.js';
import { Screens } from '../jobs/screens.js';
import { Refresher } from '../jobs/refresh.js';
import { Schedule } from '../jobs/schedule.js';
import { flushChecks } from '../jobs/watermarks.js';
import { cronTicker } from '../jobs/ticker.js';
import { Watcher } from '../jobs/watcher.js';
import { Sweeps } from '../sweeps/sweeps.js';
import { KeptProjects } from '../operations/watched-projects.js';
import { sweepActions } from '../platforms/button-payloads.js';
import { addressFault } from '../platforms/index.js';
import type { Foundation, State } from './foundation.js';
import type { Monitoring } from './monitoring.js';

export type Watching = Awaited<ReturnType<typeof openWatching>>;

export async function openWatching(base: Foundation, state: State) {
  const { config, store, clock, random, log, metrics } = base;
  const { service, analytics, directory, watchlists, queues, watermarks, checkRecords, archive, pictures, links } = state;
  const { reachability, rules, notifiers } = state;
  const counted = withCount(archive, metrics);
  const [heartbeat, topics] = [await openHeartbeat({ store, clock, log }), await openTopicStatuses(store, log)];
  // Writes the heartbeat at once, because the check whose response confirms a clock jump comes late by the length of the jump.
  clock.onChange(({ kind }) => {
    if (kind === 'confirmed') heartbeat.beat().catch((cause: unknown) => log.warn('heartbeat.unwritten', { cause }));
  });
  const firstChecks = await openFirstChecks({ store, log });
  // Wallet refreshes and checks need each other: a changed snapshot is checked, and a check reads the state of the refresh.
  const refresher = await openRefresher(base, state, () => watcher);
  const checkedAt = (feed: string, subject: string): Instant | undefined => checkRecords.read(feed, subject)?.okAt;
  const sweeps = await Sweeps.open({ store, analytics, source: service.source, clock, log, checkedAt });
  const checking = {
    ...{ source: service.source, watermarks, checks: checkRecords, rules, archive: counted, queues, watchlists, clock, log },
    lanes: lanes(),
    away: () => heartbeat.away(),
  };
  const reminders = new Reminders({ ...checking, wake: () => watcher.wake() });
  const screens = new Screens({ ...checking, directory });
  const watcher = new Watcher({
    ...{ ...checking, analytics, directory, topics, firstChecks, sweeps },
    feeds: FEEDS,
    confirming: (task) => reminders.called(task),
    pollMinSeconds: config.pollMinSeconds,
    startSpread: START_SPREAD,
    unranked: (wallet) => refresher.unranked(wallet),
    checked: metrics.checked,
    refreshOf: (address) => ({ key: refreshKey(address), cost: refresher.cost(address), floor: refresher.maxAge }),
  });
  const drain = createDrain({
    ...{ queues, topics, archive, watchlists, reachability, notifiers, clock, random, log, links, pictures },
    ambiguous: config.ambiguousSends,
    attempted: metrics.attempted,
  });
  const digests = new Digests({ queues, watchlists, archive, checkRecords, watermarks, directory, analytics, clock, log });
  const projects = new KeptProjects({ watchlists, directory, checkRecords, analytics, clock });
  const boards = new Boards({ store, watchlists, queues, notifiers, projects, checkRecords, reachability, clock, log });
  state.everywhere.push(boards);
  const observation = createObservation({ tasks: () => watcher.tasks(), cadence: () => watcher.cadence(), sweeps, checkRecords });
  return { heartbeat, topics, refresher, watcher, reminders, screens, drain, digests, boards, sweeps, observation };
}

/** Counts the events that are routed. */
const withCount = (archive: Archive, metrics: Foundation['metrics']): Archive => ({
  get: async (id) => archive.get(id),
  latest: async (wanted) => archive.latest(wanted),
  sweep: async (now, wanted) => archive.sweep(now, wanted),
  async keep(event) {
    await archive.keep(event);
    metrics.routed(event);
  },
});

const openRefresher = async (
  { config, store, clock, log }: Foundation,
  { analytics, watchlists, onceLoaded }: State,
  watcher: () => Watcher,
) =>
  Refresher.open({
    ...{ analytics, store, clock, log },
    watched: () => watchlists.here.watched.wallets,
    kept: () => watchlists.kept.watched.wallets,
    maxAge: config.walletMaxAgeMinutes * MINUTE,
    changed: onceLoaded(async (address) => watcher().changed({ address })),
    plannedAge: (address) => watcher().cadence().intervals.get(refreshKey(address)),
  });

interface Scheduled {
  readonly watching: Watching;
  readonly monitoring: Pick<Monitoring, 'operators'>;
}

/** Schedules what runs by itself, without starting it. */
export function scheduleJobs(base: Foundation, state: State, { watching, monitoring }: Scheduled): Schedule {
  const { store, clock, log, ticker = cronTicker } = base;
  const { analytics, checkRecords, loaded, onceLoaded, sources, watermarks } = state;
  const { heartbeat, refresher, watcher, reminders, screens, drain, sweeps, boards, digests } = watching;
  const { operators } = monitoring;
  let isLoaded = false;
  void loaded.then(
    () => (isLoaded = true),
    () => undefined,
  );
  const onceRead = (job: Pick<Boards, 'tick' | 'idle' | 'stop'>) => ({
    tick: () => (isLoaded ? job.tick() : undefined),
    idle: async () => job.idle(),
    stop: async () => job.stop(),
  });
  return new Schedule({
    ...{ watcher, refresher, drain, heartbeat, clock, log, ticker },
    flush: async () => {
      await Promise.all([analytics.flush(), sources.flush()]);
    },
    flushChecks: async () => {
      await flushChecks({ checkRecords, watermarks });
      await sweeps.flush();
    },
    checkpoint: async () => store.checkpoint(),
    // These jobs wait for the queues: reminders first route events that a crash left pending, and a queue records the last digest.
    reminders: onceRead(reminders),
    screens: onceRead(screens),
    digests: onceRead(digests),
    boards: onceRead(boards),
    operators: operators && { ...operators, tick: onceLoaded(async () => operators.tick()) },
    // Housekeeping waits for the queues, because it must not delete what still waits in one.
    housekeeping: onceLoaded(async () => keepHouse(base, state, watching)),
  });
}

async function keepHouse({ store, clock, log }: Foundation, state: State, { topics }: Watching): Promise<void> {
  const { platforms, archive, imports, inbound, queues, reachability, sources } = state;
  const waiting = new Set(
    queues.all().flatMap((queue) => [...queue.waiting, ...(queue.open?.members ?? [])].map((member) => member.event)),
  );
  await archive.sweep(clock.now(), (id) => waiting.has(id));
  await reachability.sweep();
  await topics.sweep(clock.now(), queues.followed.has);
  await sweepActions(store, clock.now());
  for (const platform of platforms) await platform.sweep?.();
  await imports.sweep();
  const dropped = (await inbound?.records.sweep()) ?? 0;
  if (dropped > 0) log.warn('inbound.dropped', { count: dropped });
  await sources.sweep();
}

/** Applies watchlists from files if WATCHLISTS names a folder. */
export function applyFolder({ config, clock, log, onStop }: Foundation, state: State): void {
  const { analytics, directory, watchlists, notifiers, isHere, archive, checkRecords, queues, forced } = state;
  const folder = config.watchlistFolder;
  if (folder === undefined) return;
  const kinds = FEEDS.map(({ id, summary }) => ({ id, summary }));
  const unreachable = (chat: Address): string | undefined => {
    const fault = addressFault(
      chat,
      notifiers.map(({ platform }) => platform),
    );
    if (fault !== undefined || platformOf(chat) !== 'webhook' || isHere(chat)) return fault;
    return noEndpoint(chat);
  };
  const why = createWhy({ archive, checkRecords, queues, watchlists, now: () => clock.now() });
  const applied = new WatchlistFolder({ folder, analytics, why, directory, watchlists, kinds, unreachable, forced, clock, log });
  state.refusedFiles.push(() => applied.refused());
  onStop(async () => applied.stop());
  applied.start();
}

/** Handles updates that other processes received. */
export function takeInbound({ clock, log, onStop }: Foundation, { inbound, platforms }: State): void {
  if (inbound === undefined) return;
  const consumer = new InboundConsumer({ records: inbound.records, platforms: () => platforms, clock, log });
  onStop(async () => consumer.stop());
  consumer.start();
}
