import { expect, test } from 'vitest';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { sealNext } from '../../../src/alerts/delivery/sealing.js';
import { HOUR, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { plainText } from '../../../src/chat/plain-text.js';
import { slug } from '../../../src/domain/scalars.js';
import { burn, CHAT, TIDE } from '../harness.js';
import { watching } from './delivering.js';

const ADA = { kind: 'person', id: '42' } as const;

test('nothing is sealed before it is due, and then all of it', async () => {
  const harness = await watching(3);
  expect(await sealNext(CHAT, harness.clock.now(), harness.context)).toBeUndefined();
  const sealed = await sealNext(CHAT, later(harness.clock.now(), GATHER), harness.context);
  expect(sealed?.members).toHaveLength(3);
  expect(harness.queues.read(CHAT)).toMatchObject({ waiting: [], open: { id: sealed?.id } });
});

test('what cannot be reported and what can are written in one change', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now(), { facts: {} }), burn(2, harness.clock.now()));
  let changes = 0;
  const queues = {
    ...harness.queues,
    change: async (...how: Parameters<typeof harness.queues.change>) => {
      changes += 1;
      return harness.queues.change(...how);
    },
  };
  await sealNext(CHAT, later(harness.clock.now(), GATHER), { ...harness.context, queues });
  expect(changes).toBe(1);
  expect(harness.queues.read(CHAT)).toMatchObject({
    open: { members: [{ event: 'supply/tide/2' }] },
    receipts: [{ end: 'dropped', because: 'the event can no longer be read' }],
  });
});

test('a chat that moves while its message is made takes its events along, and nothing is reported twice', async () => {
  const harness = await watching(2);
  const moved = address('console', 'moved');
  const archive = {
    ...harness.archive,
    get: async (id: string) => {
      await harness.reachability.take({ kind: 'moved', from: CHAT, to: moved });
      return harness.archive.get(id);
    },
  };
  expect(await sealNext(CHAT, later(harness.clock.now(), GATHER), { ...harness.context, archive })).toBeUndefined();
  expect(harness.queues.read(CHAT)).toMatchObject({ waiting: [] });
  expect(harness.queues.read(moved).waiting).toHaveLength(2);
});

test('fresh alerts are reported the largest first, what came late the oldest first', async () => {
  const harness = await watching();
  const at = harness.clock.now();
  const sized = (amount: number, minutes: number) =>
    burn(amount, at, { occurredAt: later(at, -minutes * MINUTE), facts: { ...burn(amount, at).facts, usd: String(amount) } });
  await harness.announceLate('service', sized(5, 30), sized(7, 10), sized(6, 20));
  const summary = await sealNext(CHAT, later(at, HOUR), harness.context);
  expect(summary?.members.map(({ event }) => event)).toEqual(['supply/tide/5', 'supply/tide/6', 'supply/tide/7']);
  const other = await watching();
  await other.announce(sized(5, 10), sized(7, 2), sized(6, 20));
  const fresh = await sealNext(CHAT, later(at, GATHER), other.context);
  expect(fresh?.members.map(({ event }) => event)).toEqual(['supply/tide/7', 'supply/tide/6', 'supply/tide/5']);
});

test('a delivery knows whom it pings, what kept it and how long it may wait', async () => {
  const harness = await watching();
  await harness.watch(TIDE, { mentions: [ADA], maxAgeHours: 5, mutedUntil: later(harness.clock.now(), HOUR) });
  await harness.announce(burn(1, harness.clock.now()));
  expect(await sealNext(CHAT, later(harness.clock.now(), HOUR + GATHER), harness.context)).toMatchObject({
    ...{ maxAge: 5 * HOUR - GATHER, summary: 'Catching up: Tidewater was muted' },
    reply: { mentions: [ADA] },
  });
});

test.each([
  [{}, undefined],
  [{ modes: { supply: 'silent' } }, true],
  [{ modes: { supply: 'on' } }, undefined],
] as const)('a message is silent if everything in it is: %j', async (extra, silent) => {
  const harness = await watching();
  await harness.watch(TIDE, { ...extra, mentions: [ADA] });
  await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now()));
  const sealed = await sealNext(CHAT, later(harness.clock.now(), GATHER), harness.context);
  expect([sealed?.silent, sealed?.reply.mentions]).toEqual([silent, silent === true ? [] : [ADA]]);
});

test('one alert that rings makes the message ring, and the silent one beside it mentions nobody', async () => {
  const harness = await watching();
  const heron = slug('heron');
  await harness.watch(TIDE, { modes: { supply: 'silent' }, mentions: [ADA] });
  await harness.watch({ kind: 'project', slug: heron });
  await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now(), { project: heron }));
  const sealed = await sealNext(CHAT, later(harness.clock.now(), GATHER), harness.context);
  expect([sealed?.members.length, sealed?.silent, sealed?.reply.mentions]).toEqual([2, undefined, []]);
});

test('a retry sounds as its message was sealed, whatever the chat chooses meanwhile', async () => {
  const harness = await watching();
  await harness.watch(TIDE, { modes: { supply: 'silent' } });
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'later', because: 'unreachable' });
  await harness.clock.advance(GATHER);
  await deliver(CHAT, harness.context, harness.signal);
  await harness.watch(TIDE, { modes: { supply: 'on' } });
  await harness.clock.advance(MINUTE);
  await deliver(CHAT, harness.context, harness.signal);
  expect(harness.to.tried.map(({ silent }) => silent)).toEqual([true, true]);
});

test('a reminder counts the time that is left at its sending, whatever the second of the clock', async () => {
  for (const [minutes, late] of [
    [12, 0],
    [10, 20 * SECOND],
    [5, 0],
  ] as const) {
    const harness = await watching();
    await harness.clock.advance(50 * SECOND);
    const { clock } = harness;
    const end = later(clock.now(), minutes * MINUTE);
    await harness.watch(TIDE, { rules: { proposals: { filters: { remind: [minutes] }, thresholds: [] } } });
    await harness.announce({
      ...{ id: `proposals/tide/P/reminder/end/${minutes}`, feed: 'proposals', topic: 'proposals/tide/P', project: slug('tide') },
      ...{ stage: 'reminder', occurredAt: clock.now(), detectedAt: clock.now() },
      facts: { name: 'Tidewater', publicKey: 'P', title: 'Audit', reminder: { what: 'end', at: end, before: minutes, title: '"Audit"' } },
    });
    const sealed = await sealNext(CHAT, later(clock.now(), late + GATHER), harness.context);
    expect(sealed && plainText(sealed.reply, clock.now())).toContain(`Ends in ${minutes} min: "Audit"`);
  }
});
