/** Looks at what is watched: what is due on each tick, what is new at once, and forgets what nobody watches any more. */
import type { Directory } from '../analytics/directory.js';
import type { Target } from '../alerts/entry.js';
import type { Feed } from '../feeds/feed.js';
import { demand, taskKey, tasksFor, type Task } from './demand.js';
import { due } from './plan.js';
import { poll, recover, type PollContext } from './poll.js';

/** How many looks may wait for the service at once; the client paces them, this bounds what a tick puts before it. */
const MOST_AT_ONCE = 16;

export interface WatcherContext extends PollContext {
  readonly feeds: readonly Feed[];
  readonly directory: Directory;
}

export interface Watcher {
  /** Hands on what a crash left unrouted. */
  recover(): Promise<void>;
  /** Starts the looks that are due; does not wait for them. */
  tick(): Promise<void>;
  /** Looks at what an entry for this target needs and has no mark yet, for at most `patience` milliseconds; the rest goes on behind. */
  firstLooks(target: Target, patience: number): Promise<{ done: number; pending: number; failed: number }>;
  /** Forgets the marks and looks of what nobody watches. */
  sweep(): Promise<void>;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export function createWatcher(context: WatcherContext): Watcher {
  const { marks, looks, watchlists, feeds, directory, clock, lanes, log, pollMinSeconds } = context;
  const stopping = new AbortController();
  const running = new Map<string, Promise<boolean>>();

  const start = async (task: Task): Promise<boolean> => {
    const key = taskKey(task);
    const under = running.get(key);
    if (under) return under;
    const look = poll(task, context, stopping.signal).finally(() => running.delete(key));
    running.set(key, look);
    return look;
  };

  return {
    recover: async () => recover(context),

    async tick() {
      if (stopping.signal.aborted) return;
      const tasks = await demand({ watchlists, feeds, directory });
      const next = due(
        tasks.filter((task) => !running.has(taskKey(task))),
        { looks, pollMinSeconds, now: clock.now() },
      );
      for (const task of next.slice(0, Math.max(0, MOST_AT_ONCE - running.size))) void start(task);
    },

    async firstLooks(target, patience) {
      const tasks = await tasksFor(target, { feeds, directory });
      const unmarked: Task[] = [];
      for (const task of tasks) if ((await marks.get(taskKey(task))) === undefined) unmarked.push(task);
      const results: boolean[] = [];
      const all = Promise.all(unmarked.map(async (task) => results.push(await start(task))));
      const giveUp = new AbortController();
      await Promise.race([all, clock.sleep(patience, giveUp.signal).catch(() => {})]);
      giveUp.abort();
      const done = results.filter(Boolean).length;
      return { done, pending: unmarked.length - results.length, failed: results.length - done };
    },

    async sweep() {
      // Then everything is watched; and a list of projects that came up short must not cost a mark.
      if (watchlists.watched().all) return;
      const wanted = new Set((await demand({ watchlists, feeds, directory })).map(taskKey));
      const { found } = await marks.list();
      for (const [key, { news }] of found) {
        if (wanted.has(key) || news.length > 0) continue;
        await lanes.run(key, async () => {
          // Somebody may have begun to watch it since the list was read.
          if (new Set((await demand({ watchlists, feeds, directory })).map(taskKey)).has(key)) return;
          await marks.delete(key);
        });
        log.debug('mark.forgotten', { mark: key });
      }
      for (const { feed, subject } of looks.all()) if (!wanted.has(`${feed}/${subject}`)) await looks.forget(feed, subject);
    },

    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },

    async stop() {
      stopping.abort(new Error('stopping'));
      await this.idle();
    },
  };
}
