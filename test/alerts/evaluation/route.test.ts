import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openArchive } from '../../../src/alerts/queue/event-archive.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import { openQueues } from '../../../src/alerts/queue/queues.js';
import { route } from '../../../src/alerts/evaluation/route.js';
import { RuleStates } from '../../../src/alerts/evaluation/rule-states.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { withEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { slug } from '../../../src/domain/scalars.js';
import type { Measurement } from '../../../src/feeds/feed.js';
import { openStore } from '../../../src/store/open.js';
import { ALL, burn, CHAT, entry, openAlertsHarness, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';
import { crashStore } from '../crash-store.js';
import { runs } from '../../support/properties.js';
import { overriding } from '../../support/overriding.js';

const OTHER = address('console', 'other');

const KEY = 'premium/tide';

test('each chat gets what it watches, in order, through the entry that takes it', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  await harness.watch(ALL, {}, OTHER);
  const at = harness.clock.now();
  await harness.announce(burn(1, at), burn(2, at, { project: slug('heron') }), burn(3, at));
  expect(harness.queues.read(CHAT).waiting.map((one) => [one.event, one.entry])).toEqual([
    ['supply/tide/1', 'tide'],
    ['supply/tide/3', 'tide'],
  ]);
  expect(harness.queues.read(OTHER).waiting.map((one) => one.entry)).toEqual(['all', 'all', 'all']);
});

test('routing again adds nothing, and writes nothing', async () => {
  const base = await openStore('memory://');
  const store = crashStore(base);
  const harness = await openAlertsHarness({ store });
  await harness.watch(TIDE);
  await harness.announce(burn(1, harness.clock.now()));
  const writes = store.writes();
  await harness.announce(burn(1, harness.clock.now()));
  expect(store.writes()).toBe(writes);
  expect(harness.queues.read(CHAT).waiting).toHaveLength(1);
});

test('a stop does not wait for an event of many chats: the next start routes it to the others, and to none twice', async () => {
  const harness = await openAlertsHarness();
  const chats = Array.from({ length: 250 }, (_, index) => address('console', `c${index}`));
  for (const chat of chats) await harness.watch(TIDE, {}, chat);
  const event = burn(1, harness.clock.now());
  const stopping = new AbortController();
  harness.queues.onChange(() => stopping.abort());
  const routing = { watchlists: harness.watchlists, queues: harness.queues, now: harness.clock.now() };
  const waiting = (): readonly number[] => chats.map((chat) => harness.queues.read(chat).waiting.length);
  await expect(route([event], { ...routing, signal: stopping.signal })).rejects.toThrow();
  expect(waiting().filter((count) => count === 1)).toHaveLength(100);
  await route([event], routing);
  expect(waiting()).toEqual(chats.map(() => 1));
});

test('an event of few chats is routed although the bot is stopping', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  const { watchlists, queues, clock } = harness;
  await route([burn(1, clock.now())], { watchlists, queues, now: clock.now(), signal: AbortSignal.abort() });
  expect(queues.read(CHAT).waiting).toHaveLength(1);
});

test('a routing that was interrupted between two chats is finished by doing it again', async () => {
  const base = await openStore('memory://');
  const chats = Array.from({ length: 10 }, (_, index) => address('console', `c${index}`));
  const begun = await openAlertsHarness({ store: base });
  for (const chat of chats) await begun.watch(TIDE, {}, chat);
  const events = [burn(1, begun.clock.now()), burn(2, begun.clock.now())];
  const dying = await openAlertsHarness({ store: crashStore(base, { until: 6, written: true }) });
  await expect(dying.announce(...events)).rejects.toThrow('at write 6');
  const harness = await openAlertsHarness({ store: base });
  await harness.announce(...events);
  for (const chat of chats) expect(harness.queues.read(chat).waiting.map((one) => one.event)).toEqual(events.map(({ id }) => id));
});

test('events that nobody watches write nothing', async () => {
  const store = crashStore(await openStore('memory://'));
  const harness = await openAlertsHarness({ store });
  await harness.watchlists.change(CHAT, (chat) => withEntry(chat, entry(TIDE, harness.clock.now())));
  const before = store.writes();
  await harness.announce(burn(1, later(harness.clock.now(), -HOUR)));
  // The event itself is kept, so that /why can say what became of it.
  expect(store.writes()).toBe(before + 1);
});

test('a watch that was begun while the clock ran ahead is notified of what happens', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { since: later(harness.clock.now(), 2 * DAY) });
  await harness.announce(burn(1, harness.clock.now()));
  expect(harness.queues.read(CHAT).waiting).toHaveLength(1);
});

describe('while others are written', () => {
  /** Queues that let something happen before the first chat is written. */
  function meanwhile(harness: Awaited<ReturnType<typeof openAlertsHarness>>, happens: () => Promise<unknown>): typeof harness.queues {
    let begun: Promise<unknown> | undefined;
    const change: typeof harness.queues.change = async (chat, edit) => {
      await (begun ??= happens());
      return harness.queues.change(chat, edit);
    };
    return { ...harness.queues, change };
  }
  const watching = async () => {
    const harness = await openAlertsHarness();
    for (const chat of [OTHER, CHAT]) await harness.watch(TIDE, { rules: rules('premium<-10') }, chat);
    return harness;
  };
  const forget =
    ({ watchlists, queues }: Awaited<ReturnType<typeof openAlertsHarness>>) =>
    async (): Promise<void> => {
      for (const chat of [OTHER, CHAT]) {
        await watchlists.forget(chat);
        await queues.forget(chat);
      }
    };

  test('a chat that is forgotten gets no queue again, be it through events or through measurements', async () => {
    const harness = await watching();
    const now = harness.clock.now();
    await route([burn(1, now)], { ...harness, queues: meanwhile(harness, forget(harness)), now });
    expect(harness.queues.all()).toEqual([]);
    const figures = await watching();
    await routeMeasurements({ measurements: [measurement(-5, now)], first: false, before: [] }, { ...figures, key: KEY, now });
    await figures.clock.advance(HOUR);
    const measuredCheck = { measurements: [measurement(-15, figures.clock.now())], first: false, before: [] };
    await routeMeasurements(measuredCheck, { ...figures, key: KEY, queues: meanwhile(figures, forget(figures)), now: figures.clock.now() });
    expect(figures.queues.all()).toEqual([]);
  });

  test('what is on its way to a chat that moves follows it', async () => {
    const harness = await watching();
    const [now, to] = [harness.clock.now(), address('console', 'new')];
    const queues = meanwhile(harness, async () => harness.reachability.take({ kind: 'moved', from: CHAT, to }));
    await route([burn(1, now)], { ...harness, queues, now });
    await deliver(CHAT, harness.context, harness.signal);
    expect(harness.queues.read(to).waiting.map(({ event }) => event)).toEqual(['supply/tide/1']);
  });
});

test('a member says by which rule it passed, and what made it late', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: rules('supply usd>10') });
  await harness.watch(ALL, {}, OTHER);
  const [small, large] = [1, 2].map((number) => {
    const event = burn(number, harness.clock.now());
    return { ...event, facts: { ...event.facts, usd: number === 1 ? '9.94' : '20' } };
  });
  if (small === undefined || large === undefined) throw new Error('there are two');
  await harness.announce(small, large);
  expect(harness.queues.read(CHAT).waiting).toEqual([
    { event: large.id, entry: 'tide', queuedAt: harness.clock.now(), rule: '$10 and up' },
  ]);
  expect(harness.queues.read(OTHER).waiting.map(({ rule }) => rule)).toEqual([undefined, undefined]);
  const late = { because: 'bot', since: later(harness.clock.now(), -HOUR) } as const;
  await route([burn(3, harness.clock.now(), { facts: { ...small.facts, usd: '30' } })], {
    ...harness,
    now: harness.clock.now(),
    lateBy: () => late,
  });
  expect(harness.queues.read(CHAT).waiting.at(-1)).toMatchObject({ event: 'supply/tide/3', late });
});

describe('measurements', () => {
  /** Routes check after check, as the poller does. */
  function looking({
    watchlists,
    queues,
    rules: states,
    archive,
    clock,
  }: Pick<Awaited<ReturnType<typeof openAlertsHarness>>, 'watchlists' | 'queues' | 'rules' | 'archive' | 'clock'>) {
    let before: ReturnType<typeof lastMeasurements> = [];
    return async (...measurements: readonly Measurement[]): Promise<void> => {
      await routeMeasurements(
        { measurements, first: false, before },
        { key: KEY, watchlists, queues, rules: states, archive, now: clock.now() },
      );
      before = lastMeasurements(measurements);
    };
  }

  test('a rule that alerts once is removed by its alert, whatever series it was, and the rest of its kind stays', async () => {
    const harness = await openAlertsHarness();
    const [once, other] = ['premium<-10 once', 'premium>50'];
    await harness.watch(ALL, { rules: rules(`${once} ${other.replace('premium', 'premium ')}`) });
    const check = looking(harness);
    const heron = { project: 'heron' };
    await check(measurement(-5, harness.clock.now()), measurement(-5, harness.clock.now(), heron));
    await harness.clock.advance(2 * HOUR);
    await check(measurement(-15, harness.clock.now()), measurement(-15, harness.clock.now(), heron));
    expect(harness.queues.read(CHAT).waiting.map(({ event }) => event)).toHaveLength(1);
    expect(harness.watchlists.read(CHAT).entries[0]?.rules).toEqual(rules(other));
    await harness.clock.advance(2 * HOUR);
    await harness.watch(ALL, { rules: rules(once) });
    await check(measurement(-5, harness.clock.now()), measurement(-5, harness.clock.now(), heron));
    await harness.clock.advance(2 * HOUR);
    await check(measurement(-15, harness.clock.now(), heron));
    expect(harness.queues.read(CHAT).waiting).toHaveLength(2);
  });

  test('a rule that alerted and could not be removed before a crash alerts no second time, and is removed then', async () => {
    const harness = await openAlertsHarness();
    await harness.watch(TIDE, { rules: rules('premium<-10 once') });
    const [before] = harness.watchlists.read(CHAT).entries;
    const watchlists = overriding(harness.watchlists, { change: async () => Promise.reject(new Error('crash')) });
    const crashing = { ...harness, watchlists };
    await looking(harness)(measurement(-5, harness.clock.now()));
    await harness.clock.advance(2 * HOUR);
    await expect(looking(crashing)(measurement(-15, harness.clock.now()))).rejects.toThrow('crash');
    expect([harness.queues.read(CHAT).waiting.length, harness.watchlists.read(CHAT).entries]).toEqual([1, [before]]);
    const check = looking(harness);
    for (const value of [5, -15]) {
      await harness.clock.advance(2 * HOUR);
      await check(measurement(value, harness.clock.now()));
    }
    expect(harness.queues.read(CHAT).waiting).toHaveLength(1);
    expect(harness.watchlists.read(CHAT).entries[0]?.rules).toMatchObject({ premium: { thresholds: [] } });
  });

  test('a rule until a date alerts before it, and is removed at the first check after it', async () => {
    const harness = await openAlertsHarness();
    const until = later(harness.clock.now(), 3 * HOUR);
    const [rule] = rules('premium<-10')['premium']?.thresholds ?? [];
    await harness.watch(TIDE, { rules: { premium: { filters: {}, thresholds: rule === undefined ? [] : [{ ...rule, until }] } } });
    const check = looking(harness);
    for (const value of [-5, -15, -5, -15]) {
      await check(measurement(value, harness.clock.now()));
      await harness.clock.advance(2 * HOUR);
    }
    expect(harness.queues.read(CHAT).waiting).toHaveLength(1);
    expect(harness.watchlists.read(CHAT).entries[0]?.rules).toMatchObject({ premium: { thresholds: [] } });
  });

  test('are judged in each chat by its own rules, and kept once, where they are an alert at all', async () => {
    const harness = await openAlertsHarness();
    await harness.watch(TIDE, { rules: rules('premium<-10') });
    await harness.watch(ALL, { rules: rules('premium<-20') }, OTHER);
    const check = looking(harness);
    for (const value of [-5, -15, -16, -25]) {
      await check(measurement(value, harness.clock.now()));
      await harness.clock.advance(2 * HOUR);
    }
    const [first, , third] = harness.queues.read(CHAT).waiting;
    expect([first?.entry, first?.crossings?.[0]?.now.value, third]).toEqual(['tide', '-15', undefined]);
    expect(harness.queues.read(OTHER).waiting.map(({ entry: name, crossings }) => [name, crossings?.[0]?.now.value])).toEqual([
      ['all', '-25'],
    ]);
    const kept = await harness.archive.latest({ feed: 'premium', limit: 10 });
    expect(kept.map(({ id }) => id)).toEqual([OTHER, CHAT].flatMap((one) => harness.queues.read(one).waiting.map(({ event }) => event)));
  });

  test('that are no alert write nothing but the beginning of their rules', async () => {
    const store = crashStore(await openStore('memory://'));
    const harness = await openAlertsHarness({ store });
    await harness.watch(TIDE, { rules: rules('premium<-10') });
    const check = looking(harness);
    const before = store.writes();
    for (let minute = 0; minute < 50; minute += 1) {
      await check(measurement(-5 - (minute % 4), harness.clock.now()));
      await harness.clock.advance(MINUTE);
    }
    // A page and the head that confirms it.
    expect(store.writes()).toBe(before + 2);
  });

  test('are kept before a queue names them, whatever write is the last', async () => {
    for (let until = 1; until <= 4; until += 1) {
      for (const written of [false, true]) {
        const base = await openStore('memory://');
        const harness = await openAlertsHarness({ store: base });
        for (const chat of [CHAT, OTHER]) await harness.watch(TIDE, { rules: rules('premium<-10') }, chat);
        await looking(harness)(measurement(-5, harness.clock.now()));
        await harness.clock.advance(HOUR);
        const crossing = measurement(-15, harness.clock.now());
        const dying = await openAlertsHarness({ store: crashStore(base, { until, written }), clock: harness.clock });
        await looking(dying)(crossing).catch(() => {});
        const after = await openAlertsHarness({ store: base, clock: harness.clock });
        for (const { event } of [CHAT, OTHER].flatMap((chat) => after.queues.read(chat).waiting))
          expect(await after.archive.get(event)).toBeDefined();
        await looking(after)(crossing);
        for (const chat of [CHAT, OTHER]) expect(after.queues.read(chat).waiting.map(({ event }) => event)).toEqual([crossing.event.id]);
      }
    }
  });

  test('that cross a threshold 40 times inside its hysteresis are at most two alerts, through restarts and routed twice', async () => {
    const tenths = (min: number, max: number) => fc.integer({ min, max }).map((count) => count / 10);
    const wavers = fc.array(fc.tuple(tenths(-119, -101), tenths(-99, -81)), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        wavers,
        fc.integer({ min: 1, max: 3 * HOUR }),
        fc.array(fc.boolean(), { minLength: 41, maxLength: 41 }),
        async (pairs, apart, restarts) => {
          const harness = await openAlertsHarness();
          for (const chat of [CHAT, OTHER]) await harness.watch(chat === CHAT ? TIDE : ALL, { rules: rules('premium<-10') }, chat);
          let rooms = { ...harness };
          let check = looking(rooms);
          for (const [step, value] of [0, ...pairs.flat()].entries()) {
            if (restarts[step] === true) {
              rooms = {
                ...harness,
                queues: await openQueues(harness.store),
                rules: await RuleStates.open(harness.store),
                archive: openArchive(harness.store),
              };
              check = looking(rooms);
            }
            const one = measurement(value, harness.clock.now());
            await check(one);
            await check(one, one);
            await harness.clock.advance(apart);
          }
          for (const chat of [CHAT, OTHER]) {
            const alerted = rooms.queues.read(chat).waiting;
            expect(alerted.length).toBeGreaterThanOrEqual(1);
            expect(alerted.length).toBeLessThanOrEqual(2);
            for (const { event } of alerted) expect(await rooms.archive.get(event)).toBeDefined();
          }
        },
      ),
      { numRuns: runs(30) },
    );
  });
});

test('chats that are alerted of the same are written together, no more than a hundred at once', async () => {
  const { queues, watch, watchlists, clock } = await openAlertsHarness();
  for (let number = 0; number < 150; number += 1) await watch(TIDE, {}, address('telegram', `-${number}`));
  let [writing, most] = [0, 0];
  const counted: typeof queues = {
    ...queues,
    async change(chat, edit) {
      writing += 1;
      most = Math.max(most, writing);
      const after = await queues.change(chat, edit);
      writing -= 1;
      return after;
    },
  };
  await route([burn(1, clock.now())], { watchlists, queues: counted, now: clock.now() });
  expect(queues.all().filter(({ waiting }) => waiting.length === 1)).toHaveLength(150);
  expect(most).toBe(100);
});

test('a queue that cannot be written fails the routing when the others have ended, and again writes only what is missing', async () => {
  const { queues, watch, watchlists, clock } = await openAlertsHarness();
  const [broken, ...others] = ['-1', '-2', '-3'].map((id) => address('telegram', id));
  for (const chat of [...others, broken]) if (chat !== undefined) await watch(TIDE, {}, chat);
  const failing: typeof queues = {
    ...queues,
    change: async (chat, edit) => (chat === broken ? Promise.reject(new Error('the disk is full')) : queues.change(chat, edit)),
  };
  const events = [burn(1, clock.now())];
  await expect(route(events, { watchlists, queues: failing, now: clock.now() })).rejects.toThrow('the disk is full');
  const waiting = () => queues.all().map(({ address: chat, waiting: members }) => [chat, members.length]);
  expect(waiting()).toEqual(others.map((chat) => [chat, 1]));
  await route(events, { watchlists, queues, now: clock.now() });
  expect(waiting()).toEqual([...others, broken].map((chat) => [chat, 1]));
});
