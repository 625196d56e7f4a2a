import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { lineText } from '../../src/chat/plain-text.js';
import { slug } from '../../src/domain/scalars.js';
import { digestDue, spanOf } from '../../src/jobs/digest.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { ALL, burn, CHAT, entry, platform, TIDE } from '../alerts/harness.js';
import { crashStore, StoreCrash } from '../alerts/crash-store.js';
import { rules } from '../alerts/measurements.js';
import { handClock, type HandClock } from '../support/clock.js';
import { AT_13, openDigestHarness, type DigestHarness } from './digest-harness.js';

const ends = ({ queues }: DigestHarness) => queues.read(CHAT).receipts.map(({ end, because, summary }) => ({ end, because, summary }));
const digestsShown = ({ to }: DigestHarness) => to.shown.filter(({ text }) => text.includes('Daily digest')).length;

test('a digest comes once a day, silently, and says so on a day without events', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe();
  await harness.wait(50 * HOUR, HOUR);
  expect(digestsShown(harness)).toBe(3);
  expect(harness.to.tried.map(({ silent }) => silent)).toEqual([true, true, true]);
  const [{ reply } = { reply: undefined }] = harness.to.tried;
  expect([reply?.blocks.filter(({ kind }) => kind !== 'line'), reply?.chart]).toEqual([[], undefined]);
});

test('what is unknown is reported by the first digest, and again when it is another project', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe();
  await harness.wait(26 * HOUR, HOUR);
  const reported = () => harness.to.shown.filter(({ text }) => text.includes('Daily digest')).map(({ text }) => text.includes('n/a'));
  expect(reported()).toEqual([true, false]);
  await harness.watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: [...chat.entries, entry({ kind: 'project', slug: slug('heron') }, harness.clock.now())],
  }));
  await harness.wait(48 * HOUR, HOUR);
  expect(reported()).toEqual([true, false, true, false]);
});

test('other work gets its turn between the digests of many chats, and within each', async () => {
  const harness = await openDigestHarness();
  const chats = Array.from({ length: 20 }, (_, index) => address('console', `chat-${index}`));
  for (const chat of chats)
    await harness.watchlists.change(chat, (one) => ({ ...one, entries: [entry(ALL, instant(0), { preset: 'digest' })], digest: AT_13 }));
  for (let amount = 1; amount <= 200; amount += 1) await harness.archive.keep(burn(amount, later(harness.clock.now(), amount)));
  await harness.clock.advance(HOUR);
  let [turns, isDone] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  harness.digests.tick();
  await harness.digests.idle();
  isDone = true;
  expect(chats.flatMap((chat) => harness.queues.read(chat).prepared ?? [])).toHaveLength(20);
  expect(turns).toBeGreaterThanOrEqual(20 * 10);
});

test('one that rings makes a sound', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe({ ...AT_13, rings: true });
  await harness.wait(2 * HOUR);
  expect(harness.to.tried.map(({ silent }) => silent)).toEqual([undefined]);
});

test('each covers what was detected since the one before it', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe();
  await harness.announce(burn(1, harness.clock.now()));
  await harness.wait(2 * HOUR);
  await harness.announce(burn(2, harness.clock.now()));
  await harness.wait(DAY, HOUR);
  const lists = harness.to.tried.filter(({ id }) =>
    harness.queues.read(CHAT).receipts.some((one) => one.id === id && one.members.length === 0),
  );
  expect(lists.map(({ reply }) => reply.blocks.flatMap((block) => (block.kind === 'list' ? block.items : [])).length)).toEqual([1, 1]);
});

test('what a Digest only entry covers is in the digest, and alerts nothing', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe(AT_13, { preset: 'digest' });
  await harness.announce(burn(7, harness.clock.now()));
  expect(harness.waiting()).toEqual([]);
  await harness.wait(2 * HOUR);
  expect(harness.to.shown.map(({ text }) => [text.includes('Daily digest'), text.includes('burned 7 TIDE')])).toEqual([[true, true]]);
});

test('the events of a kind whose rule alone alerts in a Digest only entry are in the digest', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe(AT_13, { preset: 'digest', rules: rules('proposals margin<2') });
  const facts = { name: 'Tidewater', title: 'Fund the second audit' };
  const proposal = { id: 'proposals/tide/x/passed', topic: 'proposals/tide/x', feed: 'proposals', stage: 'passed', facts };
  await harness.announce({ ...burn(1, harness.clock.now()), ...proposal });
  expect(harness.waiting()).toEqual([]);
  await harness.wait(2 * HOUR);
  expect(harness.to.shown.map(({ text }) => text.includes('Fund the second audit'))).toEqual([true]);
});

test('a short runway, a new allowance and a premium across NAV are in the digest of a Digest only entry, once, and of no other', async () => {
  const known = (before: object, last: object, at: number) => ({
    ...{ source: '', pending: [] },
    watermark: { past: [{ ...before, at: at - 3 * HOUR }], last: { ...last, at } },
  });
  const shownTo = async (preset: 'digest' | 'important'): Promise<readonly boolean[]> => {
    const harness = await openDigestHarness();
    await harness.subscribe(AT_13, { preset, since: instant(0) });
    const at = harness.clock.now();
    const [before, last] = [
      { runway: '8', allowance: '100' },
      { runway: '5', allowance: '120' },
    ];
    await harness.watermarks.set('treasury/tide', known(before, last, at));
    await harness.watermarks.set('premium/tide', known({ gap: '1' }, { gap: '-1' }, at));
    await harness.wait(26 * HOUR, HOUR);
    return harness.to.tried.map(({ reply }) => /3 thresholds/u.test(lineText(reply.finding, at)));
  };
  expect(await shownTo('digest')).toEqual([true, false]);
  expect(await shownTo('important')).toEqual([false, false]);
});

test('on a day with more events than are read the counts are minimums, and an older proposal is still there', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe(AT_13, { preset: 'digest' });
  const before = harness.clock.now();
  const facts = { name: 'Tidewater', publicKey: 'x', title: 'Hire' };
  const proposal = { id: 'proposals/tide/x/passed', topic: 'proposals/tide/x', feed: 'proposals', stage: 'passed', facts };
  await harness.archive.keep(burn(1, later(before, 1), proposal));
  for (let amount = 1; amount <= 401; amount += 1) await harness.archive.keep(burn(amount, later(before, 1 + amount)));
  await harness.wait(2 * HOUR);
  const [first = ''] = harness.to.shown.map(({ text }) => text.split('\n')[0]);
  expect(first).toMatch(/at least 1 proposal passed.*400 burns/u);
});

test('alerts that wait when their entry becomes Digest only are not sent', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe();
  await harness.announce(burn(7, harness.clock.now()));
  await harness.watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: chat.entries.map((one) => ({ ...one, preset: 'digest' as const })),
  }));
  await harness.wait(30 * MINUTE);
  expect(harness.to.shown).toEqual([]);
  expect(harness.queues.read(CHAT).receipts).toMatchObject([{ end: 'dropped', members: [{ event: 'supply/tide/7' }] }]);
});

describe('suppression', () => {
  test('quiet hours do not delay a digest', async () => {
    const harness = await openDigestHarness();
    await harness.subscribe();
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, quiet: { from: '12:30', to: '20:00' } }));
    await harness.wait(65 * MINUTE);
    expect(digestsShown(harness)).toBe(1);
  });

  test('a mute that ends on its day delays it, and the digest covers the time until then', async () => {
    const harness = await openDigestHarness();
    await harness.subscribe();
    const end = later(harness.clock.now(), 5 * HOUR);
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: end }));
    await harness.wait(4 * HOUR);
    expect(digestsShown(harness)).toBe(0);
    await harness.wait(90 * MINUTE);
    expect(digestsShown(harness)).toBe(1);
    expect(harness.queues.read(CHAT).digest?.coveredUntil).toBeGreaterThanOrEqual(end);
  });

  test('of a mute that lasts longer it is recorded, and the next digest covers that day too', async () => {
    const harness = await openDigestHarness();
    await harness.subscribe(AT_13, { preset: 'digest' });
    await harness.wait(2 * HOUR);
    await harness.announce(burn(7, harness.clock.now()));
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), 36 * HOUR) }));
    await harness.wait(35 * HOUR, HOUR);
    expect(ends(harness)[0]).toEqual({ end: 'dropped', because: 'this chat was muted', summary: 'Daily digest' });
    await harness.wait(12 * HOUR, HOUR);
    expect([digestsShown(harness), harness.to.shown.at(-1)?.text.includes('burned 7 TIDE')]).toEqual([2, true]);
  });
});

describe('an outage of the bot', () => {
  const restarted = async (off: number): Promise<DigestHarness> => {
    const [store, clock, to] = [await openStore('memory://'), handClock(), platform()];
    const before = await openDigestHarness({ store, clock, to });
    await before.subscribe({ ...AT_13, since: clock.now() });
    await before.tick();
    await clock.advance(off);
    const after = await openDigestHarness({ store, clock, to });
    await after.wait(20 * SECOND, SECOND);
    return after;
  };

  test('delays the digest on the same day', async () => {
    const harness = await restarted(11 * HOUR);
    expect([digestsShown(harness), ends(harness).map(({ end }) => end)]).toEqual([1, ['sent']]);
  });

  test('over the end of the day skips it, and the record says why', async () => {
    const harness = await restarted(13 * HOUR);
    expect([digestsShown(harness), ends(harness)]).toEqual([
      0,
      [{ end: 'dropped', because: expect.stringContaining('too late'), summary: 'Daily digest' }],
    ]);
  });
});

test('a change of the time or the timezone after it was sent does not send another on that day', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe();
  await harness.wait(2 * HOUR);
  for (const timezone of ['Asia/Tokyo', 'America/New_York', 'UTC'])
    for (const at of ['14:30', '10:30', '15:00']) {
      await harness.watchlists.change(CHAT, (chat) => ({ ...chat, timezone, digest: { ...AT_13, at } }));
      await harness.wait(5 * MINUTE, MINUTE);
    }
  expect(digestsShown(harness)).toBe(1);
});

test('a process that dies at any write sends the digest of a day exactly once', async () => {
  const scene = async (): Promise<{ store: Store; clock: HandClock; to: ReturnType<typeof platform> }> => {
    const [store, clock, to] = [await openStore('memory://'), handClock(), platform()];
    const harness = await openDigestHarness({ store, clock, to });
    await harness.subscribe();
    await harness.announce(burn(1, clock.now()));
    await clock.advance(HOUR);
    to.answers('shown, unclear', { kind: 'later', because: 'unreachable' });
    return { store, clock, to };
  };
  const rest = async (harness: DigestHarness): Promise<void> => harness.wait(2 * MINUTE, 15 * SECOND);
  let writes = 0;
  for (let until = 1, lived = false; !lived; until += 1) {
    for (const written of [false, true]) {
      const { store, ...others } = await scene();
      const dying = crashStore(store, { until, written });
      const harness = await openDigestHarness({ ...others, store: dying }).catch((cause: unknown) => {
        if (cause instanceof StoreCrash) return undefined;
        throw cause;
      });
      if (harness !== undefined) await rest(harness);
      lived = !dying.dead;
      writes = until;
      const after = await openDigestHarness({ ...others, store });
      await rest(after);
      expect({ until, written, shown: digestsShown(after) }).toEqual({ until, written, shown: 1 });
      expect(ends(after).filter(({ summary }) => summary === 'Daily digest')).toMatchObject([{ end: 'sent' }]);
    }
  }
  expect(writes).toBeGreaterThan(5);
});

test('a chat that moves gets the digest of a day once, also while its queue has not followed yet', async () => {
  const harness = await openDigestHarness();
  const there = address('console', 'new');
  await harness.subscribe();
  await harness.wait(2 * HOUR);
  const { digest, ...chat } = harness.watchlists.read(CHAT);
  await harness.watchlists.change(there, () => ({ ...chat, address: there, ...(digest && { digest }) }));
  await harness.watchlists.change(CHAT, () => ({
    address: CHAT,
    entries: [],
    left: { at: harness.clock.now(), because: 'moved', movedTo: there },
  }));
  expect(harness.digests.state(there).next?.day).toBe('2026-11-21');
  await harness.reachability.follow(CHAT, there);
  expect([harness.digests.state(there).next?.day, harness.queues.read(CHAT).digest]).toEqual(['2026-11-21', undefined]);
});

test('a tick reads nothing of chats without a digest, nor of those whose digest is not due', async () => {
  const harness = await openDigestHarness();
  for (const name of ['a', 'b', 'c']) await harness.watch(ALL, {}, address('console', name));
  await harness.subscribe();
  await harness.tick();
  let reads = 0;
  const read = harness.watchlists.read.bind(harness.watchlists);
  Object.assign(harness.watchlists, {
    read: (...of: Parameters<typeof read>) => {
      reads += 1;
      return read(...of);
    },
  });
  for (let second = 0; second < 60; second += 1) {
    await harness.clock.advance(SECOND);
    harness.digests.tick();
  }
  expect(reads).toBe(0);
});

test('a store that fails is tried again, and the digest is not lost', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe();
  const { change } = harness.queues;
  Object.assign(harness.queues, { change: async () => Promise.reject(new Error('locked')) });
  await harness.wait(HOUR);
  expect([harness.names(), digestsShown(harness)]).toEqual([['error digest.failed'], 0]);
  Object.assign(harness.queues, { change });
  await harness.wait(10 * MINUTE, MINUTE);
  expect(digestsShown(harness)).toBe(1);
});

test('a chat without entries, one that the bot has left, and one that wants none have no digest', () => {
  const now = later(AT_13.since, 2 * HOUR);
  const chat = { address: CHAT, entries: [entry(TIDE, AT_13.since)], digest: AT_13 };
  const { digest: _, ...without } = chat;
  expect(digestDue(chat, undefined, now)).toMatchObject({ at: now, now: { dueAt: later(AT_13.since, HOUR) } });
  const left = { at: AT_13.since, because: 'blocked' };
  for (const one of [{ ...chat, entries: [] }, { ...chat, left }, without]) expect(digestDue(one, undefined, now)).toEqual({});
});

test('a digest that is due late in its day still has an hour to be delivered', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe({ ...AT_13, at: '23:50' });
  await harness.clock.advance(11.95 * HOUR);
  harness.digests.tick();
  await harness.digests.idle();
  const { prepared } = harness.queues.read(CHAT);
  expect(prepared?.map(({ until }) => until)).toEqual([later(harness.clock.now(), HOUR)]);
});

test('after the clock was set back a digest covers what the last one covered only as far as now', () => {
  const now = instant(Date.UTC(2026, 10, 20));
  const last = { every: 'day', day: '2026-11-21', zone: 'UTC', dueAt: later(now, DAY), coveredUntil: later(now, DAY) } as const;
  const span = spanOf({ digest: AT_13 }, last, now);
  expect([now - span.from, span.to]).toEqual([DAY, now]);
  expect(now - spanOf({ digest: { ...AT_13, since: instant(0) } }, { ...last, coveredUntil: now }, now).from).toBe(0);
});

test('a digest covers a month at most, and not long before it was switched on', () => {
  const now = instant(Date.UTC(2026, 10, 20));
  const last = {
    every: 'day',
    day: '2026-01-01',
    zone: 'UTC',
    dueAt: later(now, -300 * DAY),
    coveredUntil: later(now, -300 * DAY),
  } as const;
  const from = (since: number): number => now - spanOf({ digest: { ...AT_13, since: instant(since) } }, last, now).from;
  expect([from(0), from(now - 2 * DAY)]).toEqual([30 * DAY, 3 * DAY]);
  expect(now - spanOf({ digest: { every: 'week', weekday: 1, at: '09:00', since: instant(0) } }, undefined, now).from).toBe(7 * DAY);
});

test('what is found while a digest is composed is in the next one, and only there', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe(AT_13, { preset: 'digest' });
  const latest = harness.archive.latest.bind(harness.archive);
  const reading = async (...of: Parameters<typeof latest>) => {
    await harness.clock.advance(1);
    await harness.archive.keep(burn(7, harness.clock.now()));
    return latest(...of);
  };
  Object.assign(harness.archive, { latest: reading });
  await harness.wait(26 * HOUR, HOUR);
  expect(harness.to.shown.map(({ text }) => text.includes('burned 7 TIDE'))).toEqual([false, true]);
});

test('what a check finds in a response from before a digest is in the next one', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe(AT_13, { preset: 'digest' });
  await harness.wait(2 * HOUR);
  await harness.archive.keep(burn(7, later(harness.clock.now(), -90 * MINUTE), { checkedAt: harness.clock.now() }));
  await harness.wait(DAY, HOUR);
  expect(harness.to.shown.map(({ text }) => text.includes('burned 7 TIDE'))).toEqual([false, true]);
});

test('each digest reads the watermarks of its time', async () => {
  const harness = await openDigestHarness();
  await harness.subscribe();
  const { get } = harness.watermarks;
  const read: string[] = [];
  Object.assign(harness.watermarks, { get: async (key: string) => get(key).finally(() => void read.push(key)) });
  await harness.wait(26 * HOUR, HOUR);
  expect(read.filter((key) => key === 'premium/tide')).toHaveLength(2);
});
