/** Chats that the bot was removed from: what is kept for them, what is checked, and the one catch-up that they get when they come back. */
import { expect, test } from 'vitest';
import { withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { MAX_ABSENCE } from '../../src/alerts/watchlist/absence.js';
import { createWhy } from '../../src/alerts/explanation/explain.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { address, type Address } from '../../src/chat/address.js';
import { lineText } from '../../src/chat/plain-text.js';
import { slug } from '../../src/domain/scalars.js';
import { createDrain } from '../../src/jobs/drain.js';
import { Watcher } from '../../src/jobs/watcher.js';
import { openStore } from '../../src/store/open.js';
import { CHAT, platform, TIDE } from '../alerts/harness.js';
import { rules } from '../alerts/measurements.js';
import { StoreCrash, crashStore, deaths, type Death } from '../alerts/crash-store.js';
import { handClock } from '../support/clock.js';
import { openJobsHarness, type JobsHarnessOptions } from './harness.js';
import { surface } from './fake-service.js';

const OTHER = address('console', 'other');
const SUPPLY = { modes: { growth: 'off', launches: 'off', premium: 'off' } } as const;
const PREMIUM = { modes: { growth: 'off', launches: 'off', supply: 'off' }, rules: rules('premium<-10') } as const;

/** A bot that checks the supply and the premium of projects, with its sweep, its deliveries and what platforms say of chats in the test's hand. */
async function openBot(options: JobsHarnessOptions = {}) {
  const harness = await openJobsHarness(options);
  const { clock, seen, reachability, queues, to } = harness;
  const feeds = [...harness.feeds, seen.feed({ id: 'premium', every: 2 })];
  const watcher = new Watcher({ ...harness.watcher, feeds });
  const drain = createDrain(harness.context);
  const tick = async (): Promise<readonly string[]> => {
    await watcher.tick();
    await watcher.idle();
    drain.tick();
    await drain.idle();
    return seen.takeAsked().toSorted();
  };
  return {
    ...harness,
    watcher,
    tick,
    /** Lets time pass in steps, and sweeps each time. Returns what was checked. */
    async pass(milliseconds: number, step = MINUTE): Promise<readonly string[]> {
      const asked: string[] = [];
      for (let passed = 0; passed < milliseconds; passed += step) {
        await clock.advance(step);
        asked.push(...(await tick()));
        await watcher.forgetUnwatched();
      }
      return asked;
    },
    leave: async (chat: Address = CHAT) => reachability.take({ kind: 'gone', chat, because: 'the bot was removed' }),
    comeBack: async (chat: Address = CHAT) => reachability.take({ kind: 'back', chat }),
    /** The summaries that a chat was sent, with the events each holds, oldest first. */
    sent: async (chat: Address = CHAT) =>
      (await queues.receipts(chat))
        .filter(({ end }) => end === 'sent')
        .map(({ summary, members }) => [summary, ...members.map(({ event }) => event)])
        .toReversed(),
    shown: () => to.shown.length,
  };
}
type Bot = Awaited<ReturnType<typeof openBot>>;

const why = async ({ clock, ...bot }: Bot, feed: string): Promise<readonly string[]> => {
  const { steps } = await createWhy({ ...bot, now: () => clock.now() }).ofSilence(CHAT, { project: slug('tide') }, feed);
  return steps.map(({ name, ok, says }) => `${ok ? '✓' : '✗'} ${name}: ${lineText(says, clock.now())}`);
};

test('what only chats that are away watch is not checked, is not forgotten, and is caught up with once when they come back', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.tick();
  await bot.leave();
  bot.seen.shows('tide', 301);
  expect(await bot.pass(HOUR)).toEqual([]);
  await bot.comeBack();
  expect(await bot.tick()).toEqual(['supply/tide']);
  await bot.pass(10 * MINUTE, SECOND * 10);
  expect(await bot.sent()).toEqual([['Catching up: the bot was not in this chat for 1 h', 'supply/tide/301']]);
});

test('what another chat watches meanwhile is queued for the chat that is away, unsent, and comes as one catch-up with what happened last', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.watch(TIDE, SUPPLY, OTHER);
  await bot.tick();
  await bot.leave();
  bot.seen.shows('tide', 1, 2);
  await bot.pass(2 * HOUR);
  expect(bot.waiting()).toEqual(['supply/tide/1', 'supply/tide/2']);
  expect(await bot.sent()).toEqual([]);
  expect(await bot.sent(OTHER)).toEqual([[undefined, 'supply/tide/1', 'supply/tide/2']]);
  bot.seen.shows('tide', 3);
  await bot.clock.advance(30 * SECOND);
  await bot.comeBack();
  await bot.pass(10 * MINUTE, 10 * SECOND);
  expect(await bot.sent()).toEqual([
    ['Catching up: the bot was not in this chat for 2 h', 'supply/tide/1', 'supply/tide/2', 'supply/tide/3'],
  ]);
  // What happens from now on comes as it always does.
  bot.seen.shows('tide', 4);
  await bot.pass(2 * MINUTE, 10 * SECOND);
  expect((await bot.sent()).at(-1)).toEqual([undefined, 'supply/tide/4']);
});

test('what is older than its maximum age on return is not sent, and has a receipt that says so', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.watch(TIDE, SUPPLY, OTHER);
  await bot.tick();
  await bot.leave();
  bot.seen.shows('tide', 1);
  await bot.pass(3 * DAY, HOUR);
  bot.seen.shows('tide', 2);
  await bot.pass(2 * HOUR, HOUR);
  await bot.comeBack();
  await bot.pass(5 * MINUTE, 10 * SECOND);
  expect(await bot.sent()).toEqual([['Catching up: the bot was not in this chat for 3 d', 'supply/tide/2']]);
  expect(bot.queues.read(CHAT).receipts).toContainEqual(
    expect.objectContaining({ end: 'expired', members: [expect.objectContaining({ event: 'supply/tide/1' })] }),
  );
});

test('more than five hundred are not kept for a chat that is away: the catch-up counts the rest, and stays one', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.watch(TIDE, SUPPLY, OTHER);
  await bot.tick();
  await bot.leave();
  for (let lot = 0; lot < 14; lot += 1) {
    bot.seen.shows('tide', ...Array.from({ length: 50 }, (_, index) => lot * 50 + index + 1));
    await bot.pass(MINUTE);
  }
  const kept = bot.waiting().length;
  expect(kept).toBeLessThanOrEqual(500);
  expect(bot.waiting().at(-1)).toBe('supply/tide/700');
  await bot.comeBack();
  await bot.pass(10 * MINUTE, 10 * SECOND);
  expect(await bot.sent()).toHaveLength(1);
  expect((await bot.sent())[0]).toHaveLength(kept + 1);
  expect(bot.to.shown.at(-1)?.text).toContain(` · ${kept} burns at Tidewater, and ${700 - kept} earlier`);
});

test.each([
  { case: 'another chat watches', others: [OTHER] },
  { case: 'only the chat that is away watches', others: [] },
])('a threshold that is crossed meanwhile and still is on return is one alert: $case', async ({ others }) => {
  for (const restarted of [false, true]) {
    const [store, clock] = [await openStore('memory://'), handClock()];
    const seen = surface(clock);
    let bot = await openBot({ store, clock, seen });
    for (const chat of [CHAT, ...others]) await bot.watch(TIDE, PREMIUM, chat);
    seen.reads('tide', { at: clock.now(), value: -5 });
    await bot.tick();
    await bot.leave();
    await clock.advance(HOUR);
    seen.reads('tide', { at: clock.now(), value: -15 });
    if (others.length > 0) {
      await bot.pass(10 * MINUTE);
      // Nothing new since: the check on return finds the measurement as others know it.
      seen.reads('tide', 'same');
    }
    if (restarted) bot = await openBot({ store, clock, seen });
    await bot.pass(HOUR, 10 * MINUTE);
    expect(bot.waiting()).toEqual([]);
    await bot.comeBack();
    await bot.pass(10 * MINUTE, 10 * SECOND);
    expect(await bot.sent()).toEqual([
      [expect.stringMatching(/^Catching up: the bot was not in this chat/u), expect.stringMatching(/^premium\/tide\//u)],
    ]);
    const [receipt] = await bot.queues.receipts(CHAT);
    expect(receipt?.members[0]?.crossings).toMatchObject([{ was: { value: '-5' }, now: { value: '-15' } }]);
    await bot.pass(3 * HOUR, 10 * MINUTE);
    expect(await bot.sent()).toHaveLength(1);
  }
});

test.each([{ others: [OTHER] }, { others: [] }])(
  'a threshold that is crossed and crossed back meanwhile is no alert on return',
  async ({ others }) => {
    const bot = await openBot();
    for (const chat of [CHAT, ...others]) await bot.watch(TIDE, PREMIUM, chat);
    bot.seen.reads('tide', { at: bot.clock.now(), value: -5 });
    await bot.tick();
    await bot.leave();
    for (const value of [-15, -4]) {
      await bot.clock.advance(HOUR);
      bot.seen.reads('tide', { at: bot.clock.now(), value });
      await bot.pass(10 * MINUTE);
    }
    await bot.comeBack();
    await bot.pass(10 * MINUTE, 10 * SECOND);
    expect(await bot.sent()).toEqual([]);
    // It is armed: what crosses now is an alert of now.
    bot.seen.reads('tide', { at: later(bot.clock.now(), MINUTE), value: -20 });
    await bot.pass(10 * MINUTE, 10 * SECOND);
    expect(await bot.sent()).toEqual([[undefined, expect.stringMatching(/^premium/u)]]);
  },
);

test('an alert that was refused because the bot was removed waits for the catch-up, and is not sent as if it were new', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.tick();
  bot.seen.shows('tide', 1);
  bot.to.answers({ kind: 'gone', because: 'bot was blocked by the user' });
  await bot.pass(2 * MINUTE, 10 * SECOND);
  expect(bot.watchlists.left()).toHaveLength(1);
  bot.seen.shows('tide', 2);
  await bot.pass(HOUR);
  await bot.comeBack();
  await bot.pass(5 * MINUTE, 10 * SECOND);
  expect(await bot.sent()).toEqual([
    [expect.stringMatching(/^Catching up: the bot was not in this chat for 1 h/u), 'supply/tide/1', 'supply/tide/2'],
  ]);
});

test('an attempt that may have arrived before a long absence is not repeated after it', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.tick();
  bot.seen.shows('tide', 1);
  bot.to.answers({ kind: 'unclear', because: 'timeout' }, { kind: 'gone', because: 'kicked' });
  await bot.pass(2 * MINUTE, 10 * SECOND);
  expect(bot.watchlists.left()).toHaveLength(1);
  const tried = bot.to.tried.length;
  await bot.clock.advance(10 * DAY);
  await bot.comeBack();
  await bot.pass(2 * MINUTE, 10 * SECOND);
  expect(bot.to.tried).toHaveLength(tried);
  expect(bot.queues.read(CHAT).receipts).toMatchObject([{ end: 'maybe sent' }]);
});

test('a chat that comes back and is left again at once gets one catch-up for both absences', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.watch(TIDE, SUPPLY, OTHER);
  await bot.tick();
  for (const amount of [1, 2]) {
    await bot.leave();
    bot.seen.shows('tide', amount);
    await bot.pass(2 * HOUR);
    await bot.comeBack();
    if (amount === 1) await bot.pass(20 * SECOND, 10 * SECOND);
  }
  await bot.pass(10 * MINUTE, 10 * SECOND);
  expect(await bot.sent()).toEqual([['Catching up: the bot was not in this chat for 4 h', 'supply/tide/1', 'supply/tide/2']]);
});

test('a chat that comes and goes has nothing checked more often than four times as often as planned', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, { modes: { supply: 'off', launches: 'off', premium: 'off' } });
  await bot.tick();
  let checks = 0;
  for (let minute = 0; minute < 60; minute += 1) {
    await bot.leave();
    await bot.comeBack();
    checks += (await bot.pass(MINUTE)).length;
  }
  // Growth is planned every ten minutes, and no check may come sooner than its floor.
  expect(checks).toBeLessThanOrEqual(24);
});

test('quiet hours and mutes that are in force on return hold the catch-up until they end', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.tick();
  await bot.leave();
  bot.seen.shows('tide', 1);
  await bot.pass(HOUR);
  await bot.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(bot.clock.now(), HOUR) }));
  await bot.comeBack();
  await bot.pass(30 * MINUTE);
  expect(await bot.sent()).toEqual([]);
  await bot.pass(40 * MINUTE);
  expect(await bot.sent()).toEqual([[expect.stringMatching(/^Catching up: the bot was not in this chat for 1 h/u), 'supply/tide/1']]);
});

test('after thirty days the list goes, and with it what nobody else needs', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.tick();
  await bot.leave();
  await bot.clock.advance(MAX_ABSENCE - 1);
  await bot.reachability.sweep();
  await bot.watcher.forgetUnwatched();
  expect((await bot.watermarks.list()).found).toHaveLength(1);
  await bot.clock.advance(1);
  await bot.reachability.sweep();
  await bot.watcher.forgetUnwatched();
  expect((await bot.watermarks.list()).found).toEqual([]);
  expect(bot.checkRecords.all()).toEqual([]);
});

test('a chat whose data is deleted while it is away is remembered by nothing', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.tick();
  await bot.leave();
  await bot.watchlists.forget(CHAT);
  await bot.queues.forget(CHAT);
  await bot.clock.advance(MINUTE);
  await bot.watcher.forgetUnwatched();
  expect((await bot.watermarks.list()).found).toEqual([]);
  await bot.comeBack();
  expect(bot.watchlists.has(CHAT)).toBe(false);
});

test('whoever unwatches before the catch-up is sent gets nothing of it', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.watch(TIDE, SUPPLY, OTHER);
  await bot.tick();
  await bot.leave();
  bot.seen.shows('tide', 1);
  await bot.pass(HOUR);
  await bot.comeBack();
  await bot.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await bot.pass(5 * MINUTE, 10 * SECOND);
  expect(await bot.sent()).toEqual([]);
  expect(bot.queues.read(CHAT).receipts).toMatchObject([{ end: 'dropped', because: 'no longer watched' }]);
});

test('why names the time that was not checked where something of it cannot be known, and not where every row was read', async () => {
  const bot = await openBot();
  await bot.watch(TIDE, SUPPLY);
  await bot.tick();
  await bot.leave();
  await bot.pass(HOUR);
  await bot.comeBack();
  expect(await why(bot, 'supply')).toContainEqual(expect.stringContaining('✗ checked: not checked since 12:00 UTC'));
  await bot.tick();
  expect(await why(bot, 'supply')).toContain('✓ readable: every row was read');
  bot.seen.blurs({ hidden: 3 });
  await bot.pass(2 * MINUTE);
  expect((await why(bot, 'supply')).at(-1)).toMatch(
    /✗ readable: tide supply: the data plan hides 3 rows.*; not checked from .*, while the bot was not in this chat; rows of that time that are hidden now are unknown/u,
  );
});

test('a process that dies at any write of an absence, a return and the catch-up loses and doubles nothing', async () => {
  /** One life that may die, and one after it. How often the first one wrote. */
  async function lives(death: Partial<Death>): Promise<number> {
    const [base, clock] = [await openStore('memory://'), handClock()];
    const [seen, to] = [surface(clock), platform()];
    const first = await openBot({ store: base, clock, seen, to });
    await first.watch(TIDE, SUPPLY);
    await first.watch({ kind: 'all' }, SUPPLY, OTHER);
    await first.tick();
    await first.pass(MINUTE);
    const story = async (bot: Bot): Promise<void> => {
      seen.shows('tide', 1);
      await bot.leave();
      await bot.pass(2 * MINUTE);
      await bot.comeBack();
      await bot.pass(3 * MINUTE, 10 * SECOND);
    };
    const dying = crashStore(base, death);
    const bot = await openBot({ store: dying, clock, seen, to });
    await story(bot).catch((cause: unknown) => {
      if (!(cause instanceof StoreCrash)) throw cause;
    });
    const after = await openBot({ store: base, clock, seen, to });
    await after.watcher.recover();
    // The platform says again what nobody confirmed.
    await after.comeBack();
    await after.pass(10 * MINUTE, 10 * SECOND);
    const alerted = await Promise.all([CHAT, OTHER].map(async (chat) => (await after.sent(chat)).flatMap(([, ...events]) => events)));
    expect({ death, alerted }).toEqual({ death, alerted: [['supply/tide/1'], ['supply/tide/1']] });
    expect(to.shown).toHaveLength(2);
    return dying.writes();
  }
  const writes = await lives({});
  expect(writes).toBeGreaterThan(5);
  for (const death of deaths(writes)) await lives(death);
});
