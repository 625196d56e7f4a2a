/** Looks at what is watched: what is due on each tick, what is new at once, and forgets what nobody watches any more. */
import type { Directory } from '../analytics/directory.js';
import type { Target } from '../alerts/entry.js';
import { JUST_NOW } from '../alerts/levels.js';
import { later, type Instant } from '../base/clock.js';
import type { WalletAddress } from '../domain/wallet.js';
import { subjectKey, type Feed, type Subject } from '../feeds/feed.js';
import { demand, taskKey, tasksFor, type Task } from './demand.js';
import type { Detectors } from './detectors.js';
import { cadence, due, type Cadence, type RefreshLoad } from './plan.js';
import { poll, recover, type PollContext } from './poll.js';
import { createEveryProject } from './projects.js';

/** How many looks may wait for the service at once; the client paces them, this bounds what a tick puts before it. */
const MOST_AT_ONCE = 16;

export interface WatcherContext extends PollContext {
  readonly feeds: readonly Feed[];
  readonly directory: Directory;
  /** Lists that tell cheaply what changed. Default: none. */
  readonly detectors?: Detectors;
  /** The refreshes of a wallet that somebody watches, for the plan. Default: none. */
  readonly refreshOf?: (address: WalletAddress) => Omit<RefreshLoad, 'watchers'>;
}

export interface Watcher {
  /** Hands on what a crash left unrouted. */
  recover(): Promise<void>;
  /** Starts the looks that are due; does not wait for them. */
  tick(): Promise<void>;
  /**
   * Looks at what an entry for this target needs and nobody has just looked at, for at most `patience` milliseconds; the rest goes on behind, and
   * what the calls left for looks do not suffice for waits for its turn. Never rejects: projects that cannot be listed now count as one look that
   * failed.
   */
  firstLooks(target: Target, patience: number): Promise<{ done: number; pending: number; failed: number }>;
  /** Looks at a subject with every feed that somebody wants of it, without kept answers: something there has just changed. Never rejects. */
  changed(subject: Subject): Promise<void>;
  /** How often everything is looked at, as of the last tick. */
  cadence(): Cadence;
  /** Forgets the watermarks and check records of what no watchlist names, be its chat away or not. */
  sweep(): Promise<void>;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export function createWatcher(context: WatcherContext): Watcher {
  const { source, marks, looks, watchlists, feeds, directory, clock, lanes, log, pollMinSeconds } = context;
  const { analytics, detectors, refreshOf } = context;
  const wants = { feeds, directory, everyProject: createEveryProject({ directory, clock, log }) };
  const stopping = new AbortController();
  const running = new Map<string, Promise<boolean>>();
  const detecting = new Set<Promise<void>>();
  let plan: Cadence = { intervals: new Map(), calm: new Map(), costs: new Map(), stretch: 1, limited: false };

  const start = async (task: Task, anew = false): Promise<boolean> => {
    const key = taskKey(task);
    const under = running.get(key);
    if (under !== undefined && !anew) return under;
    // A look that runs already may have seen what stood there before; its lane lets this one follow it.
    const look = poll(task, { ...context, anew }, stopping.signal).finally(() => {
      if (running.get(key) === look) running.delete(key);
    });
    running.set(key, look);
    return look;
  };

  /** What cannot be read is looked at too: the look says what is wrong with it. */
  const isMarked = async (task: Task): Promise<boolean> => {
    try {
      return (await marks.get(taskKey(task)))?.source === source;
    } catch {
      return false;
    }
  };

  const justNow = (): Instant => later(clock.now(), -JUST_NOW);
  const isFresh = ({ feed, subject }: Task): boolean => {
    const { okAt, failures = 0 } = looks.read(feed.id, subjectKey(subject)) ?? {};
    return okAt !== undefined && failures === 0 && okAt >= justNow();
  };

  const walletFeeds = new Set(feeds.filter(({ scope }) => scope === 'wallet').map(({ id }) => id));
  const ofWallet = (key: string): boolean => walletFeeds.has(key.split('/')[0] ?? '');

  /**
   * What is not to be forgotten, for chats that are away as well. While everything is watched, every project is: nobody is asked, and a list that came
   * up short costs no watermark.
   */
  const kept = async (): Promise<(key: string) => boolean> => {
    const own = [...watchlists.all(), ...watchlists.away()];
    const chats = watchlists.kept().all
      ? own.map((chat) => ({ ...chat, entries: chat.entries.filter(({ target }) => target.kind === 'wallet') }))
      : own;
    const wanted = new Set((await demand({ watchlists: { all: () => chats }, ...wants })).map(taskKey));
    return (key) => wanted.has(key) || (watchlists.kept().all && !ofWallet(key));
  };

  const replan = (tasks: readonly Task[]): Cadence => {
    const { budget } = analytics.state();
    const refreshes = tasks.flatMap(({ subject, watchers = 1 }) =>
      typeof subject === 'object' && 'address' in subject && refreshOf !== undefined ? [{ ...refreshOf(subject.address), watchers }] : [],
    );
    plan = cadence(tasks, { looks, pollMinSeconds, now: clock.now(), budget, detectors: detectors?.facts(), refreshes });
    return plan;
  };

  /** Of these looks, in their order, those that the calls left for looks suffice for. */
  const affordable = (tasks: readonly Task[]): readonly Task[] => {
    const costOf = (key: string): number => plan.costs.get(key) ?? 1;
    let left = analytics.state().budget.forLooks ?? Number.POSITIVE_INFINITY;
    for (const key of running.keys()) left -= costOf(key);
    return tasks.filter((task) => {
      const isLeft = costOf(taskKey(task)) <= left;
      if (isLeft) left -= costOf(taskKey(task));
      return isLeft;
    });
  };

  const idle = async (): Promise<void> => {
    while (running.size > 0 || detecting.size > 0) await Promise.all([...running.values(), ...detecting]);
  };

  return {
    recover: async () => recover(context),

    async tick() {
      const tasks = await demand({ watchlists, ...wants });
      if (stopping.signal.aborted) return;
      const now = replan(tasks);
      // Beside the looks, not before them: what it sees brings looks forward with the next tick.
      if (now.limited && detectors !== undefined && detecting.size === 0) {
        const run = detectors.run(tasks, now, stopping.signal).finally(() => detecting.delete(run));
        detecting.add(run);
      }
      const next = due(
        tasks.filter((task) => !running.has(taskKey(task))),
        { looks, pollMinSeconds, now: clock.now(), cadence: now, called: now.limited ? detectors?.called : undefined },
      );
      for (const task of affordable(next).slice(0, Math.max(0, MOST_AT_ONCE - running.size))) void start(task);
    },

    async firstLooks(target, patience) {
      const count = { done: 0, failed: 0 };
      // Until it is known what there is to look at, finding that out is what is pending.
      let total = 1;
      const work = async (): Promise<void> => {
        try {
          const { tasks, certain } = await tasksFor(target, wants);
          const marked = await Promise.all(tasks.map(isMarked));
          const unmarked = tasks.filter((_, index) => marked[index] === false);
          const old = tasks.filter((task, index) => marked[index] === true && !isFresh(task));
          total = unmarked.length + old.length + (certain ? 0 : 1);
          if (!certain) count.failed += 1;
          // An answer of before the watch began would say what was, not what is.
          const anew = affordable(old).map((task): Task => ({ ...task, called: justNow() }));
          await Promise.all([...unmarked, ...anew].map(async (task) => ((await start(task)) ? (count.done += 1) : (count.failed += 1))));
        } catch (cause) {
          log.error('first-looks.failed', { target, cause });
          count.failed += 1;
        }
      };
      const giveUp = new AbortController();
      await Promise.race([work(), clock.sleep(patience, giveUp.signal).catch(() => {})]);
      giveUp.abort();
      const { done, failed } = count;
      return { done, pending: Math.max(0, total - done - failed), failed };
    },

    async changed(subject) {
      try {
        const tasks = await demand({ watchlists, ...wants });
        const own = tasks.filter((task) => subjectKey(task.subject) === subjectKey(subject));
        if (!stopping.signal.aborted) await Promise.all(own.map(async (task) => start(task, true)));
      } catch (cause) {
        log.error('change.unseen', { subject: subjectKey(subject), cause });
      }
    },

    cadence: () => plan,

    async sweep() {
      const keep = await kept();
      const { found } = await marks.list();
      for (const [key] of found.filter(([name]) => !keep(name))) {
        await lanes.run(key, async () => {
          // Since the list was read somebody may have begun to watch it, or a look may have found what is still to be routed.
          const unrouted = (await marks.get(key))?.news.length ?? 0;
          if (unrouted > 0 || (await kept())(key)) return;
          await marks.delete(key);
          log.debug('mark.forgotten', { mark: key });
        });
      }
      for (const { feed, subject } of looks.all()) if (!keep(`${feed}/${subject}`)) await looks.forget(feed, subject);
    },

    idle,

    async stop() {
      stopping.abort(new Error('stopping'));
      await idle();
    },
  };
}
