/** Runs checks by ticks and demand; deletes unwatched data. */
import type { Directory } from '../analytics/directory.js';
import type { Target } from '../alerts/watchlist/entry.js';
import { entryFor } from '../alerts/watchlist/watchlists.js';
import { kindsOff } from '../alerts/rules/presets.js';
import { JUST_NOW } from '../alerts/evaluation/evaluate.js';
import type { OverdueCheck } from '../alerts/checks/check-records.js';
import { HOUR, MINUTE, SECOND, later, type Instant } from '../base/clock.js';
import { within } from '../base/deadline.js';
import type { Address } from '../chat/address.js';
import type { WalletAddress } from '../domain/wallet.js';
import { subjectKey, type Feed, type Subject } from '../feeds/feed.js';
import type { ListName } from '../feeds/listed.js';
import { ifUnreadable } from '../store/store.js';
import { demand, taskKey, tasksFor, type Task } from './wanted-checks.js';
import type { CheckedFigures, Sweeps } from '../sweeps/sweeps.js';
import { createSlots, overdueChecks } from './check-slots.js';
import { createBeginning, createConsider } from './consider.js';
import { CheckPace } from './pace.js';
import { CONFIRMING_PART, cadence, due, sweepKey, type Cadence, type RefreshLoad } from './plan.js';
import { poll, readUnrouted, readsQueues, recover, type PollContext } from './poll.js';
import { createEveryProject, type EveryProject } from './every-project.js';

const LIST_PATIENCE = SECOND;
/** First checks of a watch that are made as far as the hour allows: those of one project. */
const MAX_AT_ONCE = 16;
/** For entries that are added one after the other. */
const SWEPT_AT_MOST_EVERY = 10 * MINUTE;
/** Without a change of watchlists: a check that ran during one may have written a watermark after it. */
const SWEPT_EVERY = HOUR;

export interface WatcherContext extends PollContext {
  readonly feeds: readonly Feed[];
  readonly directory: Directory;
  /** Default: no list tells of a check. */
  readonly sweeps?: Omit<Sweeps, 'flush' | 'state'> | undefined;
  /** Default: none. */
  readonly refreshOf?: (address: WalletAddress) => Omit<RefreshLoad, 'watchers'>;
  /** In ms, at the first tick. Default: 0. */
  readonly startSpread?: number;
}

interface FirstCheckResult {
  readonly done: number;
  readonly pending: number;
  readonly failed: number;
  /** In ms, at the pace so far. Undefined while none has ended. */
  readonly readyIn: number | undefined;
  /** The pending ones wait for the API budget. */
  readonly isDeferred: true | undefined;
}

export interface Watcher {
  /** Rejects when `signal` aborts. */
  recover(signal?: AbortSignal): Promise<void>;
  /** Does not wait for them. */
  tick(): Promise<void>;
  /** At most `patience` ms. Never rejects. */
  firstChecks(target: Target, how: { readonly chat: Address; readonly patience: number }): Promise<FirstCheckResult>;
  /** In all wanted feeds. Never rejects. */
  changed(subject: Subject): Promise<void>;
  cadence(): Cadence;
  /** The checks that the last tick wanted. */
  tasks(): readonly Task[];
  /** By `<feed>/<subject>`. */
  overdue(): ReadonlyMap<string, OverdueCheck>;
  /** Keeps what absent chats watch. */
  sweep(): Promise<void>;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export function createWatcher(context: WatcherContext): Watcher {
  const { source, watermarks, checks: checkRecords, watchlists, queues, feeds, directory, clock, lanes, log, pollMinSeconds } = context;
  const { analytics, sweeps, refreshOf, firstChecks } = context;
  const wants = { feeds, directory, everyProject: createEveryProject({ directory, clock, log }) };
  const stopping = new AbortController();
  /** First checks whose reply did not wait for them, also before they have a slot. */
  const beginning = new Set<Promise<void>>();
  const sweeping = new Set<Promise<void>>();
  const consider = createConsider(context);
  const pace = new CheckPace();
  let areQueuesLoaded = false;
  queues.loaded.then(
    () => (areQueuesLoaded = true),
    () => undefined, // Whoever opened them has the error.
  );
  let firstTick: Instant | undefined;
  let plan: Cadence = { intervals: new Map(), costs: new Map(), stretch: 1, limited: false };
  let calledNow: ReadonlySet<string> = new Set();
  let cachedNow: ReadonlySet<string> = new Set();

  const affordable = (running: Iterable<string>): ((key: string) => boolean) => {
    const costOf = (key: string): number => plan.costs.get(key) ?? 1;
    const { budget } = analytics.state();
    const now = clock.now();
    const [planned, confirming] = [pace.left(budget, now), pace.left(budget, now, true)];
    const taken = [...running].reduce((total, key) => total + costOf(key), 0);
    return (key) => cachedNow.has(key) || costOf(key) <= (calledNow.has(key) ? confirming : planned) - taken;
  };
  const ofSweeps = sweeps && {
    listed: (task: Task) => sweeps.listed(task),
    calledBy(task: Task) {
      const { at } = sweeps.called(task) ?? {};
      return task.feed.list && at && { list: task.feed.list, at };
    },
    async found(task: Task, figures: CheckedFigures) {
      if (task.confirms !== undefined) pace.confirmed(figures.requests, clock.now());
      const isDated = task.confirms !== undefined && sweeps.called(task) === undefined;
      await sweeps.checked(task, { ...figures, isDated });
    },
    beginning: createBeginning(sweeps, context),
  };
  const slots = createSlots({
    run: async (task, again) => poll(task, { ...context, ...ofSweeps, refetch: again }, stopping.signal),
    affordable,
  });

  const inBudget = (tasks: readonly Task[]): readonly Task[] => {
    const taken = [...slots.running()];
    return tasks.filter((task) => {
      const canAfford = affordable(taken)(taskKey(task));
      if (canAfford) taken.push(taskKey(task));
      return canAfford;
    });
  };

  const isSpread = (tasks: readonly Task[]): boolean => plan.limited && tasks.length > MAX_AT_ONCE && inBudget(tasks).length < tasks.length;

  /** A watch that is more than the hour allows is spread by the plan; its first checks would otherwise take the month's requests. */
  const atOnce = (tasks: readonly Task[]): readonly Task[] => (isSpread(tasks) ? [] : inBudget(tasks));

  const isMarked = async (task: Task): Promise<boolean> => {
    try {
      return (await watermarks.get(taskKey(task)))?.source === source;
    } catch {
      return false;
    }
  };

  const justNow = (): Instant => later(clock.now(), -JUST_NOW);
  const isFresh = ({ feed, subject }: Task): boolean => {
    const { okAt, failures = 0 } = checkRecords.read(feed.id, subjectKey(subject)) ?? {};
    return okAt !== undefined && failures === 0 && okAt >= justNow();
  };

  const walletFeeds = new Set(feeds.filter(({ scope }) => scope === 'wallet').map(({ id }) => id));
  const ofWallet = (key: string): boolean => walletFeeds.has(key.split('/')[0] ?? '');

  /** An incomplete list deletes nothing. */
  const kept = async (): Promise<(key: string) => boolean> => {
    const revision = watchlists.kept.revision();
    if (keeping?.revision === revision) return keeping.keeps;
    const { watched } = watchlists.kept;
    const groups = [...watchlists.kept.groups()].filter(({ target }) => !watched.all || target.kind === 'wallet');
    const wanted = new Set((await demand({ groups, ...wants })).map(taskKey));
    keeping = { revision, keeps: (key) => wanted.has(key) || (watched.all && !ofWallet(key)) };
    return keeping.keeps;
  };
  let keeping: { readonly revision: number; readonly keeps: (key: string) => boolean } | undefined;
  /** The last sweep that left nothing. */
  let swept: { readonly keep: (key: string) => boolean; readonly at: Instant; readonly until: Instant } | undefined;

  /** False while it is watched again, or has events that are not routed. */
  const forgetWatermark = async (key: string): Promise<boolean> =>
    lanes.run(key, async () => {
      // Meanwhile somebody may watch it again, or a check may have left events pending.
      const document = await readUnrouted(key, { watermarks, checks: checkRecords }).catch(ifUnreadable);
      const { pending = [], sharedAlerts = [] } = document ?? {};
      if (pending.length + sharedAlerts.length > 0 || (await kept())(key)) return false;
      if (document === undefined) return true;
      await watermarks.delete(key);
      log.debug('watermark.forgotten', { watermark: key });
      return true;
    });

  const replan = (tasks: readonly Task[]): Cadence => {
    const { budget } = analytics.state();
    const refreshes = tasks.flatMap(({ subject, watchers = 1 }) =>
      typeof subject === 'object' && 'address' in subject && refreshOf !== undefined ? [{ ...refreshOf(subject.address), watchers }] : [],
    );
    const now = clock.now();
    const confirming = pace.confirming(now, (CONFIRMING_PART * (budget.forChecks ?? 0)) / Math.max(1, budget.resetsAt - now));
    plan = cadence(tasks, { checkRecords, pollMinSeconds, now, budget, sweeps: sweeps?.facts(), refreshes, confirming });
    return plan;
  };

  const listedSoon: EveryProject = async () => within(clock, LIST_PATIENCE, wants.everyProject());

  let known: { readonly of: readonly unknown[]; readonly tasks: readonly Task[] } | undefined;
  const demandNow = async (): Promise<readonly Task[]> => {
    const { here } = watchlists;
    const projects = here.watched.all ? await listedSoon() : undefined;
    const of = [here.revision(), directory.revision(), projects];
    if (known === undefined || of.some((part, index) => part !== known?.of[index]))
      known = { of, tasks: await demand({ groups: here.groups(), ...wants, everyProject: async () => projects }) };
    return known.tasks;
  };

  let rest:
    { readonly tasks: readonly Task[]; readonly revision: number; readonly from: Instant; readonly until: Instant | undefined } | undefined;
  const everySweep = (list: ListName): number | undefined => plan.intervals.get(sweepKey(list));
  const isResting = (tasks: readonly Task[]): boolean => {
    if (rest === undefined || rest.tasks !== tasks || rest.revision !== checkRecords.revision()) return false;
    const now = clock.now();
    return (
      now >= rest.from && (rest.until === undefined || now < rest.until) && !isLimited() && (sweeps?.due(everySweep) ?? []).length === 0
    );
  };
  const isLimited = (): boolean => plan.limited || analytics.state().budget.forChecks !== undefined;

  /** The next tick drops other checks. */
  const kindsOn = (target: Target, chat: Address): ReadonlySet<string> => {
    const entry = entryFor(watchlists.read(chat), target);
    const off = entry === undefined ? [] : kindsOff(entry);
    return new Set(feeds.map(({ id }) => id).filter((id) => !off.includes(id)));
  };

  const noteFirst = async (tasks: readonly Task[]): Promise<void> => {
    for (const task of tasks) {
      const last = checkRecords.read(task.feed.id, subjectKey(task.subject));
      if (last?.okAt === undefined) await firstChecks.begin(taskKey(task), last?.failingSince ?? clock.now());
    }
  };

  const isCallNew = (task: Task): boolean =>
    !calledNow.has(taskKey(task)) && sweeps?.called(task) !== undefined && !stopping.signal.aborted;

  /** Reads the lists whose turn it is, as far as the hour allows. What they show changes what is due, and what they call for is checked at once. */
  const sweep = async (tasks: readonly Task[], every: (list: ListName) => number | undefined): Promise<void> => {
    if (sweeps === undefined) return;
    const lists = sweeps.due(every).filter((list) => affordable(slots.running())(sweepKey(list)));
    if (lists.length === 0) return;
    const read = sweeps.run({ tasks, consider, due: lists, signal: stopping.signal }).finally(() => (rest = undefined));
    const run = read
      .then(async () => (tasks.some(isCallNew) ? watcher.tick() : undefined))
      .catch((cause: unknown) => log.error('job.failed', { job: 'check', cause }))
      .finally(() => sweeping.delete(run));
    sweeping.add(run);
    await run;
  };

  const idle = async (): Promise<void> => {
    do await Promise.all([slots.idle(), ...sweeping, ...beginning]);
    while (sweeping.size + beginning.size + slots.running().size > 0);
  };

  const watcher: Watcher = {
    recover: async (signal) => recover({ ...context, signal }),

    async tick() {
      const tasks = await demandNow();
      if (isResting(tasks)) return;
      await noteFirst(tasks);
      if (stopping.signal.aborted) return;
      const cadenceNow = replan(tasks);
      // What is due anyway does not wait for the lists.
      void sweep(tasks, everySweep);
      calledNow = new Set(tasks.flatMap((task) => (sweeps?.called(task) === undefined ? [] : [taskKey(task)])));
      const now = clock.now();
      const running = slots.running();
      // A check that runs ends with its record, or shortly after it.
      const revision = checkRecords.revision();
      const { checks, next } = due(
        tasks.filter((task) => !running.has(taskKey(task))),
        {
          checkRecords,
          pollMinSeconds,
          now,
          cadence: cadenceNow,
          checks: tasks.length,
          called: (task) => sweeps?.called(task),
          sweptAt: (list) => sweeps?.sweptAt(list),
          wantedSince: firstChecks.since,
          spread: { from: (firstTick ??= now), over: context.startSpread ?? 0 },
        },
      );
      cachedNow = new Set(checks.flatMap(({ task, isCached }) => (isCached === true ? [taskKey(task)] : [])));
      rest = running.size > 0 || checks.length > 0 ? undefined : { tasks, revision, from: now, until: next };
      const wanted = new Set(tasks.map(taskKey));
      // Those that would wait for the queues keep no slot.
      const ready = areQueuesLoaded ? checks : checks.filter(({ task }) => !readsQueues(task.feed));
      slots.offer({
        first: ready
          .filter(({ isFirst }) => isFirst)
          .map(({ task, neverRan, at }) => ({ task, neverRan, since: firstChecks.since(taskKey(task)) ?? at })),
        late: ready.filter(({ isFirst }) => !isFirst),
        isWanted: (key) => wanted.has(key),
      });
    },

    async firstChecks(target, { chat, patience }) {
      const begun = clock.now();
      const count = { done: 0, failed: 0 };
      let isRunning = true;
      let isDeferred = false;
      // Until the list of checks is known, finding it counts as pending.
      let total = 1;
      const work = async (): Promise<void> => {
        try {
          // Events are also of other chats, and the watchlists are loaded before the queues.
          await queues.loaded;
          const { tasks, certain } = await tasksFor(target, { ...wants, kinds: kindsOn(target, chat) });
          const marked = await Promise.all(tasks.map(isMarked));
          const unmarked = tasks.filter((_, index) => marked[index] === false);
          const old = tasks.filter((task, index) => marked[index] === true && !isFresh(task));
          total = unmarked.length + old.length + (certain ? 0 : 1);
          if (!certain) count.failed += 1;
          await noteFirst(unmarked);
          // A response from before the watch would be outdated.
          const all = [...unmarked, ...old.map((task): Task => ({ ...task, called: justNow() }))];
          const since = clock.now();
          const wanted = await demandNow();
          const { intervals } = replan(wanted);
          // The reply does not wait for the lists.
          isDeferred = isSpread(all);
          // What lists show now is what later sweeps are compared with.
          const isUnknown = (list: ListName): boolean => all.some((task) => task.feed.list === list && sweeps?.base(task) === undefined);
          await sweep(wanted, (list) => (intervals.has(sweepKey(list)) && isUnknown(list) ? SWEPT_AT_MOST_EVERY : undefined));
          await Promise.all(
            atOnce(all).map(async (task) => {
              const neverRan = checkRecords.read(task.feed.id, subjectKey(task.subject)) === undefined;
              const answered = await slots.request({ task, since, neverRan, owner: chat, again: false });
              if (answered) count.done += 1;
              else count.failed += 1;
            }),
          );
        } catch (cause) {
          log.error('first-checks.failed', { target, cause });
          count.failed += 1;
        }
        isRunning = false;
      };
      const working = work().finally(() => beginning.delete(working));
      beginning.add(working);
      await within(clock, patience, working);
      const { done, failed } = count;
      const pending = Math.max(0, total - done - failed);
      const readyIn = isRunning && pending > 0 && done > 0 ? (pending * (clock.now() - begun)) / done : undefined;
      return { done, pending, failed, readyIn, isDeferred: pending > 0 && (isDeferred || !isRunning) ? true : undefined };
    },

    async changed(subject) {
      try {
        const tasks = await demandNow();
        const own = tasks.filter((task) => subjectKey(task.subject) === subjectKey(subject));
        const request = { since: clock.now(), neverRan: false, owner: 'refresh', again: true };
        await Promise.all(own.map(async (task) => slots.request({ ...request, task })));
      } catch (cause) {
        log.error('change.unseen', { subject: subjectKey(subject), cause });
      }
    },

    cadence: () => plan,
    tasks: () => known?.tasks ?? [],
    overdue: () => overdueChecks(slots.waiting(), clock.now()),

    async sweep() {
      const keep = await kept();
      // A first check looks back that far: who switches a kind off and on again must not get the same events twice.
      const since = justNow();
      const recent = new Set<string>();
      for (const { feed, subject, routed, triedAt } of checkRecords.all()) {
        const key = `${feed}/${subject}`;
        if (keep(key)) continue;
        if (triedAt > since) recent.add(key);
        // Without its record the watermark document would owe events that are routed.
        else if (routed === undefined || (await forgetWatermark(key))) await checkRecords.forget(feed, subject);
      }
      for (const key of firstChecks.keys()) if (!keep(key)) await firstChecks.end(key);
      const now = clock.now();
      // Reads every watermark.
      if (swept?.keep === keep && now >= swept.at && now < swept.until) return;
      let isLeft = false;
      const unkept: string[] = [];
      for await (const { found } of watermarks.scan())
        unkept.push(...found.flatMap(([key]) => (keep(key) || recent.has(key) ? [] : [key])));
      for (const key of unkept) if (!(await forgetWatermark(key))) isLeft = true;
      swept = isLeft ? undefined : { keep, at: now, until: later(now, recent.size === 0 ? SWEPT_EVERY : JUST_NOW) };
    },

    idle,

    async stop() {
      stopping.abort(new Error('stopping'));
      slots.close();
      await idle();
    },
  };
  return watcher;
}
