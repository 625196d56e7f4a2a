/** Reminders before known dates: when, for whom, once, and never after the end. */
import { expect, test } from 'vitest';
import { Reminders } from '../../src/jobs/reminders.js';
import { recover } from '../../src/jobs/unrouted.js';
import { withEntry } from '../../src/alerts/watchlist/watchlists.js';
import type { KnownDate } from '../../src/alerts/checks/check-records.js';
import { DAY, HOUR, later, MINUTE, SECOND, type Instant } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import { address } from '../../src/chat/address.js';
import { CHAT, TIDE, entry } from '../alerts/harness.js';
import { openJobsHarness, SOURCE, type JobsHarness, type JobsHarnessOptions } from './harness.js';

const KEY = 'proposals/tide';

/** `stored` is awaited after each write of a watermark. */
async function openReminders(options: JobsHarnessOptions = {}, stored: () => Promise<void> = async () => {}) {
  const harness = await openJobsHarness(options);
  const { clock, checkRecords, watchlists, watermarks } = harness;
  let woken = 0;
  const set: typeof watermarks.set = async (...written) => {
    await watermarks.set(...written);
    await stored();
  };
  const context = { ...harness.poll, watermarks: { ...watermarks, set } };
  const reminders = new Reminders({ ...context, source: SOURCE, wake: () => void (woken += 1) });
  const readDate = async (at: Instant, extra: Partial<KnownDate> = {}): Promise<void> => {
    const now = clock.now();
    const about = { topic: 'proposals/tide/P1', project: slug('tide'), what: 'end', title: '"Audit" (Tidewater)' } as const;
    const date = { ...about, at, readAt: now, facts: { name: 'Tidewater', endsAt: at }, ...extra };
    const seen = { feed: 'proposals', subject: 'tide', triedAt: now, okAt: now, failures: 0, hidden: 0, broken: 0, complete: true };
    await checkRecords.record({ ...seen, dates: [date] });
    if ((await watermarks.get(KEY)) === undefined) await watermarks.set(KEY, { source: SOURCE, watermark: {}, pending: [] });
  };
  return {
    ...harness,
    reminders,
    woken: () => woken,
    readDate,
    remind: async (...offsets: number[]): Promise<void> => {
      await watchlists.change(CHAT, (chat) => {
        const own = chat.entries[0] ?? entry(TIDE, clock.now());
        return withEntry(chat, { ...own, rules: { proposals: { filters: { remind: offsets }, thresholds: [] } } });
      });
    },
    /** Turns the clock and runs a tick each 10 seconds, as long as a moment is read again each minute or not. */
    async pass(milliseconds: number, { reread }: { readonly reread?: Instant } = {}): Promise<readonly string[]> {
      const until = later(clock.now(), milliseconds);
      const step = milliseconds > HOUR ? 5 * MINUTE : 10 * SECOND;
      while (clock.now() < until) {
        await clock.advance(step);
        if (reread !== undefined) await readDate(reread);
        reminders.tick();
        await reminders.idle();
      }
      return waiting(harness);
    },
  };
}

const waiting = ({ waiting: of }: JobsHarness): readonly string[] => of().map((id) => id.replace('proposals/tide/P1/reminder/', ''));

test('a chat is reminded once at each of its times, and at no others', async () => {
  const { clock, remind, readDate, pass } = await openReminders();
  await remind(60, 10);
  const end = later(clock.now(), 2 * HOUR);
  await readDate(end);
  expect(await pass(50 * MINUTE, { reread: end })).toEqual([]);
  expect(await pass(11 * MINUTE, { reread: end })).toEqual([`end/60/${end}`]);
  expect(await pass(2 * HOUR, { reread: end })).toEqual([`end/60/${end}`, `end/10/${end}`]);
});

test('a reminder moves with the end, and an end that trembles is not reminded of twice', async () => {
  const { clock, remind, readDate, pass } = await openReminders();
  await remind(60);
  const end = later(clock.now(), 90 * MINUTE);
  const moved = later(end, 3 * HOUR);
  await readDate(end);
  await pass(20 * MINUTE, { reread: end });
  expect(await pass(40 * MINUTE, { reread: moved })).toEqual([]);
  expect(await pass(3 * HOUR - 25 * MINUTE, { reread: moved })).toEqual([`end/60/${moved}`]);
  expect(await pass(10 * MINUTE, { reread: later(moved, MINUTE) })).toHaveLength(1);
});

test('a reminder that is set when less time is left is not sent late', async () => {
  const { clock, remind, readDate, pass } = await openReminders();
  const end = later(clock.now(), 5 * HOUR);
  await readDate(end);
  await remind(30);
  await clock.advance(MINUTE);
  await remind(1440, 30);
  await readDate(end);
  expect(await pass(10 * MINUTE, { reread: end })).toEqual([]);
  expect(await pass(4.5 * HOUR, { reread: end })).toEqual([`end/30/${end}`]);
});

test('after a pause the nearest reminder is sent, and nothing after the end', async () => {
  const { clock, remind, readDate, pass } = await openReminders();
  await remind(1440, 60);
  const end = later(clock.now(), 2 * DAY);
  await readDate(end);
  await clock.advance(2 * DAY - 40 * MINUTE);
  expect(await pass(MINUTE, { reread: end })).toEqual([`end/60/${end}`]);
  const late = await openReminders();
  await late.remind(60);
  const over = later(late.clock.now(), 2 * HOUR);
  await late.readDate(over);
  await late.clock.advance(2 * HOUR);
  expect(await late.pass(MINUTE)).toEqual([]);
});

test('an old date is confirmed by a check, and the reminder does not wait for it beyond its patience', async () => {
  const { archive, clock, reminders, remind, readDate, pass, woken } = await openReminders();
  const task = { feed: { id: 'proposals' }, subject: { slug: slug('tide'), name: 'Tidewater' } } as Parameters<typeof reminders.called>[0];
  await remind(60);
  const end = later(clock.now(), 2 * HOUR);
  await readDate(end);
  await clock.advance(55 * MINUTE);
  expect(await pass(4 * MINUTE)).toEqual([]);
  expect([woken(), reminders.called(task) !== undefined]).toEqual([1, true]);
  expect(await pass(2 * MINUTE)).toEqual([]);
  expect(await pass(3 * MINUTE)).toEqual([`end/60/${end}`]);
  expect(reminders.called(task)).toBeUndefined();
  const event = await archive.get(`proposals/tide/P1/reminder/end/60/${end}`);
  expect((event?.detectedAt ?? 0) - (event?.checkedAt ?? 0)).toBeGreaterThan(HOUR);
});

test('a confirmed date that moved brings no reminder', async () => {
  const { clock, remind, readDate, pass } = await openReminders();
  await remind(60);
  const end = later(clock.now(), 2 * HOUR);
  await readDate(end);
  await clock.advance(58 * MINUTE + 10 * SECOND);
  expect(await pass(MINUTE)).toEqual([]);
  expect(await pass(10 * MINUTE, { reread: later(end, DAY) })).toEqual([]);
});

test('a reminder cut off by a crash is sent once after it', async () => {
  const first = await openReminders();
  const { clock, remind, readDate, pass, store } = first;
  await remind(60);
  const end = later(clock.now(), HOUR);
  await readDate(end);
  expect(await pass(MINUTE)).toEqual([`end/60/${end}`]);
  const again = await openReminders({ store, clock });
  await recover(again.poll);
  expect(await again.pass(5 * MINUTE, { reread: end })).toEqual([`end/60/${end}`]);
});

const FOLLOWER = address('console', 'follower');

/** The dates of the project are known, and its reminders are wanted by nobody, before somebody follows the proposal. */
async function openFollowed(before: number, end: number) {
  const harness = await openReminders();
  const { clock, watchlists, readDate, waiting: of } = harness;
  const heron = entry({ kind: 'project', slug: slug('heron') }, clock.now());
  await watchlists.change(FOLLOWER, (chat) => ({ ...withEntry(chat, heron), remind: [{ before, since: clock.now() }] }));
  const at = later(clock.now(), end);
  await readDate(at);
  const follow = async (): Promise<void> => {
    const target = { kind: 'market', topic: 'proposals/tide/P1' } as const;
    await watchlists.change(FOLLOWER, (chat) => withEntry(chat, entry(target, clock.now())));
  };
  const reminded = (): readonly string[] => of(FOLLOWER).map((id) => id.replace('proposals/tide/P1/reminder/', ''));
  return { ...harness, at, follow, reminded };
}

test.each([90, 60, 30, 10])('a proposal that is followed %i s before a reminder is due is reminded of', async (seconds) => {
  const { clock, at, pass, follow, reminded } = await openFollowed(60, 70 * MINUTE);
  await pass(10 * MINUTE - seconds * SECOND, { reread: at });
  await follow();
  await pass(2 * MINUTE);
  expect(reminded()).toEqual([`end/60/${at}`]);
  expect(clock.now()).toBeLessThan(at - 58 * MINUTE);
});

test('an old date is confirmed for who follows shortly before a reminder is due', async () => {
  const { at, pass, follow, reminded, woken } = await openFollowed(60, 90 * MINUTE);
  await pass(30 * MINUTE - 50 * SECOND);
  expect(woken()).toBe(0);
  await follow();
  await pass(40 * SECOND);
  expect([woken(), reminded()]).toEqual([1, []]);
  await pass(4 * MINUTE, { reread: at });
  expect(reminded()).toEqual([`end/60/${at}`]);
});

test('a time that had passed when a proposal was followed is not reminded of, and the next one is', async () => {
  const { at, pass, follow, reminded, watchlists, clock } = await openFollowed(60, 70 * MINUTE);
  await watchlists.change(FOLLOWER, (chat) => ({ ...chat, remind: [...(chat.remind ?? []), { before: 10, since: clock.now() }] }));
  await pass(10 * MINUTE + 10 * SECOND, { reread: at });
  await follow();
  await pass(20 * MINUTE, { reread: at });
  expect(reminded()).toEqual([]);
  await pass(40 * MINUTE, { reread: at });
  expect(reminded()).toEqual([`end/10/${at}`]);
});

test('a date that a check finds while another reminder of its subject is stored does not wait for the next minute', async () => {
  let meanwhile: (() => Promise<void>) | undefined;
  const harness = await openReminders({}, async () => meanwhile?.());
  const { clock, remind, readDate, reminders, pass } = harness;
  await remind(60);
  const end = later(clock.now(), HOUR);
  await readDate(end);
  const other = 'proposals/tide/P2';
  meanwhile = async () => {
    meanwhile = undefined;
    await readDate(end, { topic: other });
    reminders.tick();
  };
  expect(await pass(10 * SECOND)).toEqual([`end/60/${end}`]);
  expect(await pass(10 * SECOND)).toEqual([`end/60/${end}`, `${other}/reminder/end/60/${end}`]);
});
