import { expect, test } from 'vitest';
import type { Drain } from '../../src/jobs/drain.js';
import { Schedule } from '../../src/jobs/schedule.js';
import type { Ticker } from '../../src/jobs/ticker.js';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import type { Watcher } from '../../src/jobs/watcher.js';
import { handClock, settled } from '../support/clock.js';
import { notebook } from './harness.js';

/** Something that takes until it is let go. */
function pause() {
  let go = (): void => {};
  const over = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { over, go };
}

/** A ticker that only the test turns: it runs the jobs of one expression, or all. */
function handTicker() {
  const jobs = new Map<string, { readonly expression: string; readonly work: () => Promise<void> }>();
  const offered: string[] = [];
  let delay: Promise<void> | undefined;
  const ticker: Ticker = {
    async every(expression, name, work) {
      offered.push(name);
      await delay;
      jobs.set(name, { expression, work });
      return async () => void jobs.delete(name);
    },
  };
  return {
    ticker,
    /** Every job that was ever handed over, cancelled ones included. */
    offered,
    /** Jobs that are handed over from now on are taken when this is over. */
    delays: (until: Promise<void>) => {
      delay = until;
    },
    names: (): readonly string[] => [...jobs.keys()],
    when: (name: string) => jobs.get(name)?.expression,
    run: async (...names: readonly string[]) => {
      for (const name of names) await jobs.get(name)?.work();
    },
  };
}

/** A schedule whose parts write down what is asked of them; what `parts` gives stands in their place. */
function openPlan({
  watcher = {},
  drain = {},
  housekeeping,
  heartbeat = false,
  checkpoint = false,
  flush = false,
  flushChecks,
  others = false,
}: {
  /** A refresher, digests and what tells operators. */
  others?: boolean;
  flush?: boolean | (() => Promise<void>);
  flushChecks?: () => Promise<void>;
  checkpoint?: boolean;
  heartbeat?: boolean;
  watcher?: Partial<Watcher>;
  drain?: Partial<Drain>;
  housekeeping?: () => Promise<void>;
} = {}) {
  const did: string[] = [];
  const note = (name: string) => async () => void did.push(name);
  const book = notebook();
  const hand = handTicker();
  const clock = handClock();
  const schedule = new Schedule({
    watcher: {
      ...{
        recover: note('recover'),
        tick: note('check'),
        forgetUnwatched: note('forget'),
        idle: note('checks idle'),
        stop: note('checks stopped'),
      },
      firstChecks: async () => ({ done: 0, pending: 0, failed: 0 }),
      ...watcher,
    },
    ...(flush === false ? {} : { flush: flush === true ? note('flush') : flush, flushChecks: flushChecks ?? note('checks') }),
    ...(checkpoint ? { checkpoint: note('checkpoint') } : {}),
    ...(others
      ? {
          refresher: {
            tick: note('refresh'),
            forgetUnwatched: note('refreshes swept'),
            idle: note('refreshes idle'),
            stop: note('refreshes stopped'),
          },
          digests: { tick: () => void did.push('digest'), idle: note('digests idle'), stop: note('digests stopped') },
          operators: { tick: note('operators'), stop: () => void did.push('operators stopped') },
        }
      : {}),
    ...(heartbeat ? { heartbeat: { beat: note('beat') } } : {}),
    drain: { tick: () => void did.push('deliver'), idle: note('deliveries idle'), stop: note('deliveries stopped'), ...drain },
    housekeeping: housekeeping ?? note('housekeeping'),
    ticker: hand.ticker,
    clock,
    log: book.log,
  });
  return { schedule, did, ...hand, clock, log: book };
}

const ALL_JOBS = ['check', 'drain', 'forget', 'housekeeping'];

test('it recovers what a crash left before it begins to tick', async () => {
  const recovery = pause();
  const { schedule, names, run, did, log } = openPlan({ watcher: { recover: async () => recovery.over } });
  const start = schedule.start();
  await settled();
  expect(names()).toEqual([]);
  recovery.go();
  await start;
  expect(names()).toEqual(ALL_JOBS);
  await run(...ALL_JOBS);
  expect(did).toEqual(['check', 'deliver', 'forget', 'housekeeping']);
  await schedule.stop();
  expect(log.noted).toEqual([]);
});

test('checks and deliveries tick each second, forgetting each minute, housekeeping once a day', async () => {
  const { schedule, when } = openPlan();
  await schedule.start();
  const times = (name: string): readonly string[] => (when(name) ?? '').split(' ');
  expect(times('check')).toEqual(['*', '*', '*', '*', '*', '*']);
  expect(times('drain')).toEqual(times('check'));
  expect(times('forget')).toEqual([expect.stringMatching(/^\d+$/), '*', '*', '*', '*', '*']);
  const [second, minute, hour, ...days] = times('housekeeping');
  expect([second, minute, hour].every((part) => /^\d+$/.test(part ?? ''))).toBe(true);
  expect(days).toEqual(['*', '*', '*']);
});

test('the heart beats each minute, and once more at the very end', async () => {
  const { schedule, when, run, did } = openPlan({ heartbeat: true });
  await schedule.start();
  expect(when('heartbeat')?.split(' ')).toEqual([expect.stringMatching(/^\d+$/), '*', '*', '*', '*', '*']);
  await run('heartbeat');
  await schedule.stop();
  expect(did).toEqual(['recover', 'beat', 'deliveries stopped', 'checks stopped', 'beat']);
});

test('starting twice is starting once', async () => {
  const { schedule, names, did } = openPlan();
  await Promise.all([schedule.start(), schedule.start()]);
  await schedule.start();
  expect(did).toEqual(['recover']);
  expect(names()).toEqual(ALL_JOBS);
});

test('a recovery that fails is reported to whoever starts it, nothing ticks, and it can still be stopped', async () => {
  const { schedule, names, did } = openPlan({ watcher: { recover: async () => Promise.reject(new Error('the store is locked')) } });
  await expect(schedule.start()).rejects.toThrow('the store is locked');
  expect(names()).toEqual([]);
  await schedule.stop();
  expect(did).toEqual(['deliveries stopped', 'checks stopped']);
});

test('a job that fails is logged under its name and stops neither the others nor its own next run', async () => {
  let sweeps = 0;
  const { schedule, run, did, log } = openPlan({
    watcher: {
      tick: async () => Promise.reject(new Error('no check')),
      forgetUnwatched: async () => {
        sweeps += 1;
        throw new Error('no sweep');
      },
    },
    drain: {
      tick: () => {
        throw new Error('no delivery');
      },
    },
  });
  await schedule.start();
  await run(...ALL_JOBS);
  expect(did).toEqual(['recover', 'housekeeping']);
  expect(log.noted.map(({ event, fields }) => [event, fields['job']])).toEqual(
    ['check', 'drain', 'forget'].map((job) => ['job.failed', job]),
  );
  await run('forget');
  expect(sweeps).toBe(2);
  await schedule.stop();
});

test('a job that keeps failing is logged when it begins, once an hour, and when it ends', async () => {
  let isAway = true;
  const tick = async () => (isAway ? Promise.reject(new Error('the store is away')) : undefined);
  const { schedule, run, clock, log } = openPlan({ watcher: { tick } });
  await schedule.start();
  for (let minute = 0; minute < 90; minute += 1) {
    await run('check');
    await clock.advance(MINUTE);
  }
  isAway = false;
  await run('check', 'check');
  isAway = true;
  await run('check');
  expect(log.noted.map(({ event, fields }) => [event, fields['times']])).toEqual([
    ['job.failed', 1],
    ['job.failed', HOUR / MINUTE + 1],
    ['job.well-again', 90],
    ['job.failed', 1],
  ]);
  await schedule.stop();
});

test('idle is when neither a check nor a delivery is under way, checks first because they make deliveries', async () => {
  const { schedule, did } = openPlan();
  await schedule.idle();
  expect(did).toEqual(['checks idle', 'deliveries idle']);
});

test('stopping ends the ticking first, then deliveries, then checks; stopping twice is stopping once', async () => {
  const seen: (readonly string[])[] = [];
  const plan = openPlan({ drain: { stop: async () => void seen.push(plan.names()) } });
  await plan.schedule.start();
  await Promise.all([plan.schedule.stop(), plan.schedule.stop()]);
  await plan.schedule.stop();
  expect(seen).toEqual([[]]);
  expect(plan.did).toEqual(['recover', 'checks stopped']);
});

test.each(['forget', 'housekeeping'])('stopping waits for what writes by itself: %s', async (name) => {
  const work = pause();
  const { schedule, run } = openPlan({ watcher: { forgetUnwatched: async () => work.over }, housekeeping: async () => work.over });
  await schedule.start();
  const running = run(name);
  let stopped = false;
  const stop = schedule.stop().then(() => (stopped = true));
  await settled();
  expect(stopped).toBe(false);
  work.go();
  await Promise.all([running, stop]);
  expect(stopped).toBe(true);
});

test.each(['deliveries', 'checks'])('stopping waits for the %s in hand', async (last) => {
  const [delivering, looking] = [pause(), pause()];
  const { schedule } = openPlan({ drain: { stop: async () => delivering.over }, watcher: { stop: async () => looking.over } });
  await schedule.start();
  let stopped = false;
  const stop = schedule.stop().then(() => (stopped = true));
  const [first, second] = last === 'checks' ? [delivering, looking] : [looking, delivering];
  first.go();
  await settled();
  expect(stopped).toBe(false);
  second.go();
  await stop;
});

test('stopping while it starts waits for the recovery, and nothing ticks afterwards', async () => {
  const recovery = pause();
  const { schedule, offered, did } = openPlan({ watcher: { recover: async () => recovery.over } });
  const start = schedule.start();
  const stop = schedule.stop();
  await settled();
  expect(did).toEqual([]);
  recovery.go();
  await Promise.all([start, stop]);
  expect(offered).toEqual([]);
  expect(did).toEqual(['deliveries stopped', 'checks stopped']);
});

test('stopping while it recovers ends the recovery, and nothing ticks afterwards', async () => {
  const recover: Watcher['recover'] = async (signal) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  const { schedule, offered, did } = openPlan({ watcher: { recover } });
  const start = schedule.start();
  await settled();
  await schedule.stop();
  await start;
  expect(offered).toEqual([]);
  expect(did).toEqual(['deliveries stopped', 'checks stopped']);
});

test('one that was stopped stays stopped, whether it ever started or not', async () => {
  const started = openPlan();
  await started.schedule.start();
  await started.schedule.stop();
  await started.schedule.start();
  expect(started.names()).toEqual([]);
  expect(started.did).toEqual(['recover', 'deliveries stopped', 'checks stopped']);
  const never = openPlan();
  await never.schedule.stop();
  await never.schedule.start();
  expect(never.names()).toEqual([]);
  expect(never.did).toEqual(['deliveries stopped', 'checks stopped']);
});

test('recent writes are moved into the main file of the database every hour', async () => {
  const { schedule, when, run, did } = openPlan({ checkpoint: true });
  await schedule.start();
  expect(when('checkpoint')).toBe('45 37 * * * *');
  await run('checkpoint', 'checkpoint');
  expect(did.filter((what) => what === 'checkpoint')).toHaveLength(2);
  await schedule.stop();
});

test('what is kept in memory is written each minute, and at the end once nothing adds to it any more', async () => {
  const { schedule, when, run, did } = openPlan({ flush: true });
  await schedule.start();
  expect(when('flush')).toBe('0 * * * * *');
  expect(when('flush-checks')).toBe('20 */5 * * * *');
  await run('flush', 'flush-checks');
  await schedule.stop();
  expect(did).toEqual(['recover', 'flush', 'checks', 'deliveries stopped', 'checks stopped', 'flush', 'checks']);
});

test('refreshes and digests tick each second too, operators are told each minute, and refreshes are swept with the checks', async () => {
  const { schedule, names, when, run, did } = openPlan({ others: true });
  await schedule.start();
  expect(names()).toEqual(['check', 'refresh', 'drain', 'digest', 'operators', 'forget', 'housekeeping']);
  expect([when('refresh'), when('digest')]).toEqual(['* * * * * *', '* * * * * *']);
  expect(when('operators')?.split(' ')).toEqual([expect.stringMatching(/^\d+$/), '*', '*', '*', '*', '*']);
  await run('refresh', 'digest', 'operators', 'forget');
  expect(did).toEqual(['recover', 'refresh', 'digest', 'operators', 'forget', 'refreshes swept']);
});

test('what makes checks, and what makes deliveries, is idle first, and stops in the opposite order', async () => {
  const { schedule, did } = openPlan({ others: true });
  await schedule.idle();
  expect(did.splice(0)).toEqual(['refreshes idle', 'checks idle', 'digests idle', 'deliveries idle']);
  await schedule.stop();
  expect(did).toEqual(['operators stopped', 'digests stopped', 'deliveries stopped', 'refreshes stopped', 'checks stopped']);
});

test('what cannot be written at the end is logged, and the rest is written all the same', async () => {
  const did: string[] = [];
  const full = async () => Promise.reject(new Error('the disk is full'));
  const { schedule, log } = openPlan({ heartbeat: true, flush: full, flushChecks: async () => void did.push('checks') });
  await schedule.start();
  await schedule.stop();
  expect(log.noted.map(({ event, fields }) => [event, fields['job']])).toEqual([['job.failed', 'flush']]);
  expect(did).toEqual(['checks']);
});

test('a schedule that is stopped between two jobs of its start begins no other', async () => {
  const ticking = pause();
  const { schedule, offered, names, delays } = openPlan();
  delays(ticking.over);
  const start = schedule.start();
  await settled();
  const stop = schedule.stop();
  ticking.go();
  await Promise.all([start, stop]);
  expect(offered).toEqual(['check']);
  expect(names()).toEqual([]);
});
