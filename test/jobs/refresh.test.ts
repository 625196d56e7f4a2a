import { describe, expect, test } from 'vitest';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import { NOON, openWallets } from './wallets.js';

const waitOf = (body: string | undefined): number =>
  Number(/"refreshRetryAfterSeconds":(\d+)/.exec(body ?? '')?.[1] ?? Number.NaN) * SECOND;

describe('a watched wallet', () => {
  test('older than it should be is read, asked for once, followed to its end and announced', async () => {
    const { boot, requests, wallet, of, clock } = await openWallets();
    const bot = await boot();
    await bot.run(3 * MINUTE);
    expect(requests.slice(0, 3).map(({ what }) => what)).toEqual(['overview', 'ask', 'status']);
    expect(of('ask')).toHaveLength(1);
    expect(bot.changed).toHaveLength(1);
    const { snapshotAt, running, pause } = bot.standing(wallet);
    expect({ running, pause }).toEqual({ running: false, pause: undefined });
    expect(clock.now() - (snapshotAt ?? 0)).toBeLessThan(3 * MINUTE);
    // From then on nothing is asked until it is as old again.
    const before = requests.length;
    await bot.run(50 * MINUTE, 5 * SECOND);
    expect(requests.length).toBe(before);
    await bot.run(20 * MINUTE, 5 * SECOND);
    expect(of('ask')).toHaveLength(2);
    expect((of('ask')[1]?.at ?? 0) - (snapshotAt ?? 0)).toBeGreaterThanOrEqual(HOUR);
  });

  test('that was refreshed by somebody else meanwhile is announced and not requested', async () => {
    const { boot, of, wallet, requests, clock } = await openWallets();
    const first = await boot();
    await first.run(2 * MINUTE);
    await clock.advance(59 * MINUTE);
    const other = await boot({ watched: [] });
    const asked = other.refresh({ address: wallet, patience: HOUR });
    await other.run(MINUTE);
    await asked;
    const before = of('ask').length;
    await first.run(5 * MINUTE);
    expect(of('ask').length).toBe(before);
    expect(first.changed).toHaveLength(2);
    expect(requests.filter(({ what }) => what === 'overview').length).toBeGreaterThan(2);
  });

  test('for which a job runs already has that one followed', async () => {
    const { boot, of, wallet } = await openWallets();
    const other = await boot({ watched: [] });
    void other.refresh({ address: wallet, patience: HOUR });
    await other.run(SECOND);
    const bot = await boot();
    await bot.run(2 * MINUTE);
    expect(of('ask')).toHaveLength(1);
    expect(bot.changed).toHaveLength(1);
  });

  test('nobody watches any more is forgotten, but not while it may not be asked', async () => {
    const { boot, store, wallet, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', limitedSeconds: 600 });
    const bot = await boot();
    await bot.run(10 * SECOND);
    bot.chats.watched = new Set();
    const { z } = await import('zod');
    const documents = store.collection({ prefix: 'wallet', schema: z.unknown(), version: 1 });
    await bot.sweep();
    expect(await documents.get(wallet)).toBeDefined();
    await bot.run(11 * MINUTE, 5 * SECOND);
    await bot.sweep();
    expect(await documents.get(wallet)).toBeUndefined();
  });

  test('and then nobody watches is not remembered by what its refreshes cost', async () => {
    const { boot, wallet } = await openWallets();
    const bot = await boot();
    const unknown = bot.cost(wallet);
    await bot.run(3 * MINUTE);
    expect(bot.cost(wallet)).not.toBe(unknown);
    bot.chats.watched = new Set();
    await bot.run(10 * MINUTE, 5 * SECOND);
    await bot.sweep();
    expect(bot.cost(wallet)).toBe(unknown);
  });
});

test('a wallet that only chats that are away watch is not refreshed, is not forgotten, and is refreshed when one is back', async () => {
  const { boot, store, wallet, requests } = await openWallets();
  const bot = await boot();
  await bot.run(2 * MINUTE);
  [bot.chats.watched, bot.chats.away] = [new Set(), new Set([wallet])];
  const asked = requests.length;
  await bot.run(3 * HOUR, MINUTE);
  await bot.sweep();
  expect(requests).toHaveLength(asked);
  const { z } = await import('zod');
  expect(await store.collection({ prefix: 'wallet', schema: z.unknown(), version: 1 }).get(wallet)).toBeDefined();
  [bot.chats.watched, bot.chats.away] = [new Set([wallet]), new Set()];
  await bot.run(2 * MINUTE);
  expect(bot.changed).toHaveLength(2);
});

describe('a wait', () => {
  test.each(['body', 'header', 'overview'] as const)('stated in the %s is kept to the second', async (tells) => {
    const { boot, of, sim } = await openWallets();
    // The overview would tell before anything is asked, so the limit begins behind it.
    const bot = await boot();
    await sim({ kind: 'refresh-rule', limitedSeconds: 600, tells });
    await bot.run(20 * MINUTE);
    const asks = of('ask');
    const taken = asks.findIndex(({ status }) => status === 202);
    expect(asks[taken]?.at).toBeGreaterThanOrEqual(NOON + 600 * SECOND);
    expect(asks[taken]?.at).toBeLessThan(NOON + 603 * SECOND);
    expect(taken).toBeLessThanOrEqual(1);
  });

  test('without a stated time is a quarter of an hour, after the overview was asked', async () => {
    const { boot, of, requests, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', limitedSeconds: 1_200, tells: 'nothing' });
    const bot = await boot();
    await bot.run(40 * MINUTE);
    const asks = of('ask').filter(({ at }) => at < NOON + 31 * MINUTE);
    expect(asks.map(({ at, status }) => [(at - NOON) / MINUTE, status])).toEqual([
      [0, 429],
      [15, 429],
      [30, 202],
    ]);
    const after = requests.findIndex(({ what }) => what === 'ask') + 1;
    expect(requests[after]?.what).toBe('overview');
  });

  test('holds over a restart, and is not even read again', async () => {
    const { boot, of, requests, clock, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', limitedSeconds: 7_200 });
    const first = await boot();
    await first.run(MINUTE);
    await first.stop();
    await clock.advance(MINUTE);
    const before = requests.length;
    const second = await boot();
    await second.run(110 * MINUTE, 10 * SECOND);
    expect(requests.length).toBe(before);
    await second.run(15 * MINUTE);
    expect(of('ask').filter(({ status }) => status === 202)).toHaveLength(1);
    expect(of('ask').at(-1)?.at).toBeGreaterThanOrEqual(NOON + 7_200 * SECOND);
  });
});

describe('a process that is killed', () => {
  test('after its request arrived and before it wrote what came of it follows the job when it is back, and asks nothing', async () => {
    const { boot, of, onArrival, clock } = await openWallets();
    const first = await boot();
    onArrival(({ what }) => {
      if (what === 'ask') first.kill();
    });
    await first.run(MINUTE);
    expect(of('ask')).toHaveLength(1);
    onArrival(() => {});
    const second = await boot();
    await second.run(3 * MINUTE);
    expect(of('ask')).toHaveLength(1);
    expect(second.changed).toHaveLength(1);
    expect(clock.now() - (second.standing(of('ask')[0]?.wallet as never).snapshotAt ?? 0)).toBeLessThan(4 * MINUTE);
  });

  test('while it was being refused knows how long to wait, or waits a quarter of an hour where nobody says', async () => {
    const { boot, of, onArrival, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', limitedSeconds: 300, tells: 'nothing' });
    const first = await boot();
    onArrival(({ what }) => {
      if (what === 'ask') first.kill();
    });
    await first.run(MINUTE);
    onArrival(() => {});
    const second = await boot();
    await second.run(20 * MINUTE);
    const [refused, taken] = of('ask');
    expect([refused?.status, taken?.status]).toEqual([429, 202]);
    expect((taken?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(15 * MINUTE);
  });

  test('long after its job was done takes the snapshot for what it is, and asks nothing before it is old', async () => {
    const { boot, of, onArrival, clock } = await openWallets();
    const first = await boot();
    onArrival(({ what }) => {
      if (what === 'ask') first.kill();
    });
    await first.run(MINUTE);
    onArrival(() => {});
    await clock.advance(30 * MINUTE);
    const second = await boot();
    await second.run(MINUTE);
    expect(of('ask')).toHaveLength(1);
    await second.run(40 * MINUTE, 5 * SECOND);
    expect(of('ask')).toHaveLength(2);
  });
});

describe('an answer that never came', () => {
  test('to a request that was carried out leads to its job', async () => {
    const { boot, of, cutting } = await openWallets();
    cutting(({ what }) => what === 'ask');
    const bot = await boot();
    await bot.run(3 * MINUTE);
    expect(of('ask')).toHaveLength(1);
    expect(bot.changed).toHaveLength(1);
  });

  test('from a service that is away is asked for with growing pauses', async () => {
    const { boot, requests, sim } = await openWallets();
    await sim({ kind: 'status', path: '*/overview' });
    const bot = await boot();
    await bot.run(HOUR, 10 * SECOND);
    const turns = [...new Set(requests.map(({ at }) => Math.round((at - NOON) / SECOND)))];
    const gaps = turns.slice(1).map((at, index) => at - (turns[index] ?? 0));
    expect(gaps).toEqual(gaps.toSorted((one, other) => one - other));
    expect(gaps.slice(0, 3)).toEqual([30, 60, 120]);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15 * 60 + 5);
  });
});

describe('a job', () => {
  test('that fails ends whatever its status says, and is tried again with growing pauses', async () => {
    const { boot, of, wallet, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', outcome: 'fails', word: 'running', message: 'no node answered', cooldownSeconds: 0 });
    const bot = await boot();
    await bot.run(2 * HOUR, 5 * SECOND);
    const gaps = of('ask').map(({ at }, index, all) => Math.round((at - (all[index - 1]?.at ?? at)) / MINUTE));
    expect(gaps.slice(0, 3)).toEqual([0, 15, 30]);
    expect(gaps).toHaveLength(4);
    expect(bot.changed).toEqual([]);
    expect(bot.standing(wallet).pause?.because).toBe('failed');
  });

  test('that never ends is given up after half an hour, reported, and not waited for a second time', async () => {
    const { boot, of, written, wallet, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', outcome: 'hangs' });
    const bot = await boot();
    await bot.run(29 * MINUTE, 5 * SECOND);
    expect(bot.standing(wallet).running).toBe(true);
    await bot.run(2 * MINUTE, 5 * SECOND);
    expect(bot.standing(wallet)).toMatchObject({ running: false, pause: { because: 'given-up' } });
    expect(written.filter(({ event }) => event === 'refresh.given-up')).toHaveLength(1);
    const checks = of('status', 'undefined').length;
    await bot.run(16 * MINUTE, 5 * SECOND);
    expect(bot.standing(wallet).running).toBe(false);
    expect(of('status', 'undefined').length).toBeLessThanOrEqual(checks + 2);
    expect(of('ask')).toHaveLength(1);
  });

  test('that leaves accounts behind is gone on with, at most five times', async () => {
    const { boot, of, wallet, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', incomplete: 3 });
    const bot = await boot();
    await bot.run(10 * MINUTE);
    expect(of('ask')).toHaveLength(4);
    expect(bot.standing(wallet).incomplete).toBe(0);
    const stubborn = await openWallets();
    await stubborn.sim({ kind: 'refresh-rule', incomplete: 100 });
    const other = await stubborn.boot();
    await other.run(30 * MINUTE);
    expect(stubborn.of('ask')).toHaveLength(6);
    expect(other.standing(stubborn.wallet).incomplete).toBeGreaterThan(0);
  });

  test('that nobody knows any more is not taken for one that was done', async () => {
    const { boot, of, store } = await openWallets();
    const first = await boot();
    await first.run(2 * SECOND);
    await first.stop();
    const { z } = await import('zod');
    const documents = store.collection({ prefix: 'wallet', schema: z.record(z.string(), z.unknown()), version: 1 });
    const wallet = of('ask')[0]?.wallet ?? '';
    const document = await documents.get(wallet);
    await documents.set(wallet, { ...document, job: { id: '00000000-0000-4000-8000-000000000000', since: NOON } });
    const second = await boot();
    await second.run(2 * MINUTE);
    // The one that truly runs is found in the overview.
    expect(of('ask')).toHaveLength(1);
    expect(second.changed).toHaveLength(1);
  });
});

describe('someone who asks', () => {
  test('gets the progress and the result, and a second one shares it', async () => {
    const { boot, of, wallet } = await openWallets();
    const bot = await boot({ watched: [] });
    const steps: unknown[] = [];
    const order = { address: wallet, patience: HOUR };
    const ends = Promise.all([bot.refresh({ ...order, progress: (step) => steps.push(step) }), bot.refresh(order), bot.refresh(order)]);
    await bot.run(2 * MINUTE);
    const [first, ...others] = await ends;
    expect(first).toMatchObject({ kind: 'refreshed', incomplete: 0 });
    expect(others).toEqual([first, first]);
    expect(of('ask')).toHaveLength(1);
    expect(steps.at(-1)).toMatchObject({ tokens: expect.any(Number), transactions: expect.any(Number), resumed: 0 });
  });

  test('for one token has that one read, and those who want all of them are served by a second one', async () => {
    const { boot, of, wallet, world, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', cooldownSeconds: 0 });
    const bot = await boot({ watched: [] });
    const one = bot.refresh({ address: wallet, token: world.mint('tide'), patience: HOUR });
    const all = bot.refresh({ address: wallet, patience: HOUR });
    await bot.run(3 * MINUTE);
    const [ofOne, ofAll] = await Promise.all([one, all]);
    expect([of('ask-token').length, of('ask').length]).toEqual([1, 1]);
    expect(ofOne.kind === 'refreshed' && bot.unranked(wallet)).toEqual([ofOne.kind === 'refreshed' && ofOne.snapshotAt]);
    expect(ofAll.kind === 'refreshed' && ofAll.snapshotAt !== bot.unranked(wallet)[0]).toBe(true);
  });

  test('too soon gets the time when it can be asked again, and nothing is asked', async () => {
    const { boot, requests, wallet } = await openWallets();
    const bot = await boot({ watched: [] });
    const first = bot.refresh({ address: wallet, patience: HOUR });
    await bot.run(MINUTE);
    await first;
    const alerted = await bot.refresh({ address: wallet, patience: HOUR });
    expect(alerted).toMatchObject({ kind: 'wait', because: 'limited' });
    const limited = requests.at(-1);
    expect(limited?.what).toBe('overview');
    expect(alerted.kind === 'wait' && alerted.until - (limited?.at ?? 0)).toBeGreaterThanOrEqual(waitOf(limited?.body));
    const before = requests.length;
    expect(await bot.refresh({ address: wallet, patience: HOUR })).toEqual(alerted);
    expect(requests.length).toBe(before);
  });

  test('and leaves before its end is not waited for, and it goes on', async () => {
    const { boot, wallet, clock } = await openWallets();
    const bot = await boot({ watched: [] });
    const asked = bot.refresh({ address: wallet, patience: 5 * SECOND });
    await bot.run(6 * SECOND);
    expect(await asked).toEqual({ kind: 'going-on' });
    await bot.run(2 * MINUTE);
    expect(bot.changed).toHaveLength(1);
    expect(clock.sleepers()).toBe(0);
  });

  test('gets a failure in the words of the service, and may try again at once', async () => {
    const { boot, of, wallet, sim } = await openWallets();
    await sim({ kind: 'refresh-rule', outcome: 'fails', message: 'no node answered', cooldownSeconds: 0 });
    const bot = await boot({ watched: [] });
    for (const times of [1, 2]) {
      const asked = bot.refresh({ address: wallet, patience: HOUR });
      await bot.run(MINUTE);
      expect(await asked).toMatchObject({ kind: 'failed', says: 'no node answered' });
      expect(of('ask')).toHaveLength(times);
    }
  });

  test('while the service is down fails, and leaves no intent behind', async () => {
    const { boot, wallet } = await openWallets();
    const bot = await boot({ watched: [] });
    await bot.analytics.close();
    const asked = bot.refresh({ address: wallet, patience: HOUR });
    await expect(asked).rejects.toBeInstanceOf(AnalyticsError);
    expect(bot.standing(wallet)).toEqual({ snapshotAt: undefined, running: false, pause: undefined, incomplete: 0 });
  });
});

test('no schedule of kills and limits makes it ask before the service takes it', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const { boot, posts, onArrival, sim, clock } = await openWallets();
    await sim({ kind: 'refresh-rule', cooldownSeconds: 300 + 400 * seed, incomplete: seed % 2 });
    let bot = await boot({ maxAge: 5 * MINUTE });
    for (let life = 0; life < 4; life += 1) {
      let seen = 0;
      onArrival(() => {
        seen += 1;
        if (seen === seed + life * 3) bot.kill();
      });
      await bot.run(HOUR, 10 * SECOND);
      await clock.advance(seed * 7 * SECOND);
      bot = await boot({ maxAge: 5 * MINUTE });
    }
    expect(posts().length).toBeGreaterThan(2);
    expect(posts().filter(({ status }) => status === 429)).toEqual([]);
  }
});

test('a day of one wallet costs a refresh an hour and a handful of requests each', async () => {
  const { boot, of, requests } = await openWallets();
  const bot = await boot();
  await bot.run(DAY, 30 * SECOND);
  expect(of('ask').length).toBeGreaterThanOrEqual(23);
  expect(of('ask').length).toBeLessThanOrEqual(24);
  expect(requests.length / of('ask').length).toBeLessThan(6);
});

test('where the budget makes a refresh seldom it is asked for as seldom, and what one takes is counted', async () => {
  const { boot, wallet, of, requests } = await openWallets();
  const bot = await boot({ watched: [wallet], maxAge: HOUR, plannedAge: 8 * HOUR });
  const guessed = bot.cost(wallet);
  await bot.run(12 * HOUR, 30 * SECOND);
  expect(of('ask')).toHaveLength(2);
  expect(bot.cost(wallet)).not.toBe(guessed);
  expect(bot.cost(wallet)).toBeGreaterThan(2);
  expect(bot.cost(wallet)).toBeLessThanOrEqual(requests.length);
});
