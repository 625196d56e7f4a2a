/** This module runs checks: due ones at each tick, and first or requested ones at once. */
import type { Directory } from '../analytics/directory.js';
import type { Target } from '../alerts/watchlist/entry.js';
import { entryHere } from '../alerts/watchlist/exceptions.js';
import { kindsOff } from '../alerts/rules/presets.js';
import { JUST_NOW } from '../alerts/evaluation/evaluate.js';
import type { FirstCheckProgress, FirstCheckResult } from '../alerts/checks/first-checks.js';
import type { OverdueCheck } from '../alerts/checks/check-records.js';
import { MINUTE, SECOND, later, type Instant } from '../base/clock.js';
import { within } from '../base/deadline.js';
import type { Address } from '../chat/address.js';
import type { WalletAddress } from '../domain/wallet.js';
import { subjectKey, type Feed, type Subject } from '../feeds/feed.js';
import type { ListName } from '../feeds/listed.js';
import { demand, taskKey, tasksFor, type DemandContext, type Task } from './wanted-checks.js';
import type { CheckedFigures, Consider, Sweeps } from '../sweeps/sweeps.js';
import { CheckSlots, overdueChecks } from './check-slots.js';
import { createBeginning, createConsider } from './consider.js';
import { CheckPace } from './pace.js';
import { CONFIRMING_PART, cadence, due, sweepKey, type Cadence, type Call, type DueChecks, type RefreshLoad } from './plan.js';
import { readsQueues, type PollContext } from './check.js';
import { poll } from './poll.js';
import { recover } from './unrouted.js';
import { createEveryProject } from './every-project.js';
import { Unwatched } from './unwatched.js';

const LIST_PATIENCE = SECOND;
/** First checks of a watch that are made as far as the hour allows: those of one project. */
const MAX_FIRST_CHECKS = 16;
/** A list is swept once for entries that are added one after the other. */
const SWEPT_AT_MOST_EVERY = 10 * MINUTE;

export interface WatcherContext extends PollContext {
  readonly feeds: readonly Feed[];
  readonly directory: Directory;
  /** Lists that are read in place of checks. */
  readonly sweeps?: Omit<Sweeps, 'flush' | 'state'> | undefined;
  /** Returns the call for a check that must confirm a reminder's date. */
  readonly confirming?: (task: Task) => Call | undefined;
  /** Returns the refresh load of a wallet. */
  readonly refreshOf?: (address: WalletAddress) => Omit<RefreshLoad, 'watchers'>;
  /** Milliseconds over which first checks are spread at the first tick; the default is 0. */
  readonly startSpread?: number;
}

interface Rest {
  readonly tasks: readonly Task[];
  readonly revision: number;
  readonly from: Instant;
  readonly until: Instant | undefined;
}

export class Watcher {
  readonly #context: WatcherContext;
  readonly #wants: DemandContext;
  readonly #consider: Consider;
  readonly #slots: CheckSlots;
  readonly #unwatched: Unwatched;
  readonly #pace = new CheckPace();
  readonly #stopping = new AbortController();
  /** First checks whose reply no longer waits for them, even before they have a slot. */
  readonly #beginning = new Set<Promise<void>>();
  readonly #sweeping = new Set<Promise<void>>();
  #areQueuesLoaded = false;
  #firstTick: Instant | undefined;
  #plan: Cadence = { intervals: new Map(), costs: new Map(), stretch: 1, limited: false };
  #called: ReadonlySet<string> = new Set();
  #cached: ReadonlySet<string> = new Set();
  #demanded: { readonly by: readonly unknown[]; readonly tasks: readonly Task[] } | undefined;
  #rest: Rest | undefined;

  constructor(context: WatcherContext) {
    const { feeds, directory, queues, clock, log } = context;
    this.#context = context;
    this.#wants = { feeds, directory, everyProject: createEveryProject({ directory, clock, log }) };
    this.#consider = createConsider(context);
    this.#unwatched = new Unwatched({ ...context, wants: this.#wants });
    const ofSweeps = this.#checkedBySweeps();
    this.#slots = new CheckSlots({
      run: async (task, again) => poll(task, { ...context, ...ofSweeps, refetch: again }, this.#stopping.signal),
      affordable: (running) => this.#affordable(running),
    });
    queues.loaded.then(
      () => (this.#areQueuesLoaded = true),
      () => undefined, // The opener of the queues receives the error.
    );
  }

  /** Routes what a crash left pending. Rejects when `signal` aborts. */
  async recover(signal?: AbortSignal): Promise<void> {
    return recover({ ...this.#context, signal });
  }

  /** Starts due checks without waiting for them. */
  async tick(): Promise<void> {
    const { checks: checkRecords, clock } = this.#context;
    const tasks = await this.#demand();
    if (this.#isResting(tasks)) return;
    await this.#noteFirst(tasks);
    if (this.#stopping.signal.aborted) return;
    this.#replan(tasks);
    // Due checks do not wait for the sweeps.
    void this.#sweepLists(tasks, this.#everySweep);
    this.#called = new Set(tasks.flatMap((task) => (this.#callOf(task) === undefined ? [] : [taskKey(task)])));
    const now = clock.now();
    const running = this.#slots.running();
    // Read the revision before the due checks: a running check changes it when it ends.
    const revision = checkRecords.revision();
    const { checks, next } = this.#due(tasks, running, now);
    this.#cached = new Set(checks.flatMap(({ task, isCached }) => (isCached === true ? [taskKey(task)] : [])));
    this.#rest = running.size > 0 || checks.length > 0 ? undefined : { tasks, revision, from: now, until: next };
    this.#offer(tasks, checks);
  }

  /** Makes the first checks of a target and waits for at most `patience` ms. Never rejects. */
  async firstChecks(target: Target, { chat, patience }: { readonly chat: Address; readonly patience: number }): Promise<FirstCheckResult> {
    const { clock, log } = this.#context;
    const begun = clock.now();
    const progress: FirstCheckProgress = { total: 1, done: 0, failed: 0, isRunning: true, isDeferred: false };
    const working = this.#begin(target, chat, progress)
      .catch((cause: unknown) => {
        log.error('first-checks.failed', { target, cause });
        progress.failed += 1;
      })
      .finally(() => {
        progress.isRunning = false;
        this.#beginning.delete(working);
      });
    this.#beginning.add(working);
    await within(clock, patience, working);
    const { total, done, failed, isRunning, isDeferred } = progress;
    const pending = Math.max(0, total - done - failed);
    const readyIn = isRunning && pending > 0 && done > 0 ? (pending * (clock.now() - begun)) / done : undefined;
    return { done, pending, failed, readyIn, isDeferred: pending > 0 && (isDeferred || !isRunning) ? true : undefined };
  }

  /** Checks a subject in all wanted feeds. Never rejects. */
  async changed(subject: Subject): Promise<void> {
    const { clock, log } = this.#context;
    try {
      const tasks = await this.#demand();
      const own = tasks.filter((task) => subjectKey(task.subject) === subjectKey(subject));
      const request = { since: clock.now(), neverRan: false, owner: 'refresh', again: true };
      await Promise.all(own.map(async (task) => this.#slots.request({ ...request, task })));
    } catch (cause) {
      log.error('change.unseen', { subject: subjectKey(subject), cause });
    }
  }

  /** Must be called if due checks may have changed without a check. */
  wake(): void {
    this.#rest = undefined;
  }

  #callOf(task: Task): Call | undefined {
    const [listed, confirming] = [this.#context.sweeps?.called(task), this.#context.confirming?.(task)];
    return listed === undefined || (confirming !== undefined && confirming.at > listed.at) ? (confirming ?? listed) : listed;
  }

  cadence(): Cadence {
    return this.#plan;
  }

  /** Returns the checks that the last tick wanted. */
  tasks(): readonly Task[] {
    return this.#demanded?.tasks ?? [];
  }

  /** Returns overdue checks by `<feed>/<subject>`. */
  overdue(): ReadonlyMap<string, OverdueCheck> {
    return overdueChecks(this.#slots.waiting(), this.#context.clock.now());
  }

  /** Deletes what is kept of subjects that nobody watches, but not what absent chats watch. */
  async forgetUnwatched(): Promise<void> {
    await this.#unwatched.forget();
  }

  async idle(): Promise<void> {
    do await Promise.all([this.#slots.idle(), ...this.#sweeping, ...this.#beginning]);
    while (this.#sweeping.size + this.#beginning.size + this.#slots.running().size > 0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    this.#slots.close();
    await this.idle();
  }

  async #demand(): Promise<readonly Task[]> {
    const { clock, directory, watchlists } = this.#context;
    const { here } = watchlists;
    const projects =
      here.watched.all || here.watched.screens.size > 0 ? await within(clock, LIST_PATIENCE, this.#wants.everyProject()) : undefined;
    const by = [here.revision(), directory.revision(), projects];
    const known = this.#demanded;
    if (known !== undefined && by.every((part, index) => part === known.by[index])) return known.tasks;
    const tasks = await demand({ groups: here.groups(), ...this.#wants, everyProject: async () => projects });
    this.#demanded = { by, tasks };
    return tasks;
  }

  /** Tells whether nothing is due: the time that the last tick found has not come, and nothing it depends on has changed. */
  #isResting(tasks: readonly Task[]): boolean {
    const { analytics, checks: checkRecords, clock, sweeps } = this.#context;
    const rest = this.#rest;
    if (rest === undefined || rest.tasks !== tasks || rest.revision !== checkRecords.revision()) return false;
    const now = clock.now();
    const isLimited = this.#plan.limited || analytics.state().budget.forChecks !== undefined;
    return (
      now >= rest.from && (rest.until === undefined || now < rest.until) && !isLimited && (sweeps?.due(this.#everySweep) ?? []).length === 0
    );
  }

  readonly #everySweep = (list: ListName): number | undefined => this.#plan.intervals.get(sweepKey(list));

  async #noteFirst(tasks: readonly Task[]): Promise<void> {
    const { checks: checkRecords, clock, firstChecks } = this.#context;
    for (const task of tasks) {
      const last = checkRecords.read(task.feed.id, subjectKey(task.subject));
      if (last?.okAt === undefined) await firstChecks.begin(taskKey(task), last?.failingSince ?? clock.now());
    }
  }

  #replan(tasks: readonly Task[]): Cadence {
    const { analytics, checks: checkRecords, clock, pollMinSeconds, refreshOf, sweeps } = this.#context;
    const { budget } = analytics.state();
    const refreshes = tasks.flatMap(({ subject, watchers = 1 }) =>
      typeof subject === 'object' && 'address' in subject && refreshOf !== undefined ? [{ ...refreshOf(subject.address), watchers }] : [],
    );
    const now = clock.now();
    const confirming = this.#pace.confirming(now, (CONFIRMING_PART * (budget.forChecks ?? 0)) / Math.max(1, budget.resetsAt - now));
    this.#plan = cadence(tasks, { checkRecords, pollMinSeconds, now, budget, sweeps: sweeps?.facts(), refreshes, confirming });
    return this.#plan;
  }

  #due(tasks: readonly Task[], running: ReadonlySet<string>, now: Instant): DueChecks {
    const { checks: checkRecords, firstChecks, pollMinSeconds, rules, startSpread = 0, sweeps } = this.#context;
    return due(
      tasks.filter((task) => !running.has(taskKey(task))),
      {
        checkRecords,
        pollMinSeconds,
        now,
        cadence: this.#plan,
        checks: tasks.length,
        callOf: (task) => this.#callOf(task),
        sweptAt: (list) => sweeps?.sweptAt(list),
        wantedSince: firstChecks.since,
        heldUntil: (key, after) => rules.heldUntil(key, after),
        spread: { from: (this.#firstTick ??= now), over: startSpread },
      },
    );
  }

  #offer(tasks: readonly Task[], checks: DueChecks['checks']): void {
    const { firstChecks } = this.#context;
    const wanted = new Set(tasks.map(taskKey));
    // Checks that would wait for the queues get no slot yet.
    const ready = this.#areQueuesLoaded ? checks : checks.filter(({ task }) => !readsQueues(task.feed));
    this.#slots.offer({
      first: ready
        .filter(({ isFirst }) => isFirst)
        .map(({ task, neverRan, at }) => ({ task, neverRan, since: firstChecks.since(taskKey(task)) ?? at })),
      late: ready.filter(({ isFirst }) => !isFirst),
      isWanted: (key) => wanted.has(key),
    });
  }

  /** Reads the due lists within the hourly limit. Changes that they show are checked at once. */
  async #sweepLists(tasks: readonly Task[], every: (list: ListName) => number | undefined): Promise<void> {
    const { log, sweeps } = this.#context;
    if (sweeps === undefined) return;
    const lists = sweeps.due(every).filter((list) => this.#affordable(this.#slots.running())(sweepKey(list)));
    if (lists.length === 0) return;
    const read = sweeps
      .run({ tasks, consider: this.#consider, due: lists, signal: this.#stopping.signal })
      .finally(() => (this.#rest = undefined));
    const run = read
      .then(async () => (tasks.some((task) => this.#isCallNew(task)) ? this.tick() : undefined))
      .catch((cause: unknown) => log.error('job.failed', { job: 'check', cause }))
      .finally(() => this.#sweeping.delete(run));
    this.#sweeping.add(run);
    await run;
  }

  #isCallNew(task: Task): boolean {
    return !this.#called.has(taskKey(task)) && this.#context.sweeps?.called(task) !== undefined && !this.#stopping.signal.aborted;
  }

  /** Returns what a check gets from the sweeps, and reports to them. */
  #checkedBySweeps(): Pick<PollContext, 'listed' | 'calledBy' | 'found' | 'beginning'> | undefined {
    const { clock, sweeps } = this.#context;
    return (
      sweeps && {
        listed: (task: Task) => sweeps.listed(task),
        calledBy(task: Task) {
          const { at } = sweeps.called(task) ?? {};
          return task.feed.list && at && { list: task.feed.list, at };
        },
        found: async (task: Task, figures: CheckedFigures) => {
          if (task.confirms !== undefined) this.#pace.confirmed(figures.requests, clock.now());
          const isDated = task.confirms !== undefined && sweeps.called(task) === undefined;
          await sweeps.checked(task, { ...figures, isDated });
        },
        beginning: createBeginning(sweeps, this.#context),
      }
    );
  }

  #affordable(running: Iterable<string>): (key: string) => boolean {
    const { analytics, clock } = this.#context;
    const costOf = (key: string): number => this.#plan.costs.get(key) ?? 1;
    const { budget } = analytics.state();
    const now = clock.now();
    const [planned, confirming] = [this.#pace.left(budget, now), this.#pace.left(budget, now, true)];
    const taken = [...running].reduce((total, key) => total + costOf(key), 0);
    return (key) => this.#cached.has(key) || costOf(key) <= (this.#called.has(key) ? confirming : planned) - taken;
  }

  #inBudget(tasks: readonly Task[]): readonly Task[] {
    const taken = [...this.#slots.running()];
    return tasks.filter((task) => {
      const canAfford = this.#affordable(taken)(taskKey(task));
      if (canAfford) taken.push(taskKey(task));
      return canAfford;
    });
  }

  /** Tells whether the first checks of a watch exceed the hourly limit. The plan then spreads them; at once they could use up the month. */
  #isSpread(tasks: readonly Task[]): boolean {
    return this.#plan.limited && tasks.length > MAX_FIRST_CHECKS && this.#inBudget(tasks).length < tasks.length;
  }

  /** Makes the first checks of a watch, and checks of data that is not fresh. */
  async #begin(target: Target, chat: Address, progress: FirstCheckProgress): Promise<void> {
    const { checks: checkRecords, clock, queues, sweeps } = this.#context;
    // Events of these checks also go to other chats, so their queues must be loaded.
    await queues.loaded;
    const { tasks, certain } = await tasksFor(target, { ...this.#wants, kinds: this.#kindsOn(target, chat) });
    const marked = await Promise.all(tasks.map(async (task) => this.#isMarked(task)));
    const unmarked = tasks.filter((_, index) => marked[index] === false);
    const old = tasks.filter((task, index) => marked[index] === true && !this.#isFresh(task));
    progress.total = unmarked.length + old.length + (certain ? 0 : 1);
    if (!certain) progress.failed += 1;
    await this.#noteFirst(unmarked);
    // A response from before the watch would be outdated.
    const all = [...unmarked, ...old.map((task): Task => ({ ...task, notOlderThan: this.#justNow() }))];
    const since = clock.now();
    const wanted = await this.#demand();
    const { intervals } = this.#replan(wanted);
    // Set before the sweep, so that the reply does not wait for the lists.
    progress.isDeferred = this.#isSpread(all);
    // Later sweeps need a base: what the lists show now.
    const isUnknown = (list: ListName): boolean => all.some((task) => task.feed.list === list && sweeps?.base(task) === undefined);
    await this.#sweepLists(wanted, (list) => (intervals.has(sweepKey(list)) && isUnknown(list) ? SWEPT_AT_MOST_EVERY : undefined));
    const atOnce = this.#isSpread(all) ? [] : this.#inBudget(all);
    await Promise.all(
      atOnce.map(async (task) => {
        const neverRan = checkRecords.read(task.feed.id, subjectKey(task.subject)) === undefined;
        const answered = await this.#slots.request({ task, since, neverRan, owner: chat, again: false });
        if (answered) progress.done += 1;
        else progress.failed += 1;
      }),
    );
  }

  /** Returns the kinds that the chat's entry has on. Checks of other kinds would be dropped by the next tick. */
  #kindsOn(target: Target, chat: Address): ReadonlySet<string> {
    const { feeds, watchlists } = this.#context;
    const entry = entryHere(watchlists.read(chat), target);
    const off = entry === undefined ? [] : kindsOff(entry);
    return new Set(feeds.map(({ id }) => id).filter((id) => !off.includes(id)));
  }

  async #isMarked(task: Task): Promise<boolean> {
    const { source, watermarks } = this.#context;
    try {
      return (await watermarks.get(taskKey(task)))?.source === source;
    } catch {
      return false;
    }
  }

  #isFresh({ feed, subject }: Task): boolean {
    const { okAt, failures = 0 } = this.#context.checks.read(feed.id, subjectKey(subject)) ?? {};
    return okAt !== undefined && failures === 0 && okAt >= this.#justNow();
  }

  #justNow(): Instant {
    return later(this.#context.clock.now(), -JUST_NOW);
  }
}
