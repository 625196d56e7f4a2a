import { expect, test } from 'vitest';
import { GATHER, PAUSE, SUMMARY_GATHER } from '../../../src/alerts/queue/batch.js';
import { createReachability } from '../../../src/alerts/delivery/reachability.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { begin } from '../../../src/alerts/queue/queue.js';
import { RuleStates } from '../../../src/alerts/evaluation/rule-states.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { sealNext } from '../../../src/alerts/delivery/sealing.js';
import { withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { MAX_ABSENCE } from '../../../src/alerts/watchlist/absence.js';
import { DAY, HOUR, later } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';
import { measurement, rules } from '../measurements.js';
import { amounts, burn, CHAT, listening, openAlertsHarness, platform, TIDE, ALL } from '../harness.js';
import { crashStore, falseIfCrashed } from '../crash-store.js';

const GROUP = address('telegram', '-500');
const SUPERGROUP = address('telegram', '-100500');
const TOPIC = address('telegram', '-100500', '7');
const MOVED = { kind: 'moved', from: GROUP, to: SUPERGROUP } as const;
const telegram = () => platform({ platformName: 'telegram', knowsRepeats: false });

async function watching(harness: Awaited<ReturnType<typeof openAlertsHarness>>) {
  await harness.watch(TIDE, { modes: { growth: 'off' } }, GROUP);
  await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now()));
  await harness.clock.advance(GATHER);
  return harness;
}

const all = async (harness: Awaited<ReturnType<typeof openAlertsHarness>>): Promise<void> => {
  for (const { address: chat } of [...harness.queues.all()]) await deliver(chat, harness.context, harness.signal);
  for (const { address: chat } of [...harness.queues.all()]) await deliver(chat, harness.context, harness.signal);
};

test('a group that becomes a supergroup takes its watchlist, queue and receipts along', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  await all(harness);
  await harness.announce(burn(3, harness.clock.now()));
  await harness.reachability.take(MOVED);
  expect(harness.watchlists.all()).toEqual([
    { address: SUPERGROUP, entries: [expect.objectContaining({ target: TIDE, modes: { growth: 'off' } })] },
  ]);
  expect(harness.queues.read(SUPERGROUP)).toMatchObject({ waiting: [{ event: 'supply/tide/3' }], receipts: [{ end: 'sent' }] });
  await harness.clock.advance(PAUSE);
  await all(harness);
  expect(amounts(harness.to.shown)).toEqual([1, 2, 3]);
  expect(harness.queues.read(GROUP)).toMatchObject({ waiting: [] });
});

test('each topic of a group that becomes a supergroup keeps a watchlist of its own there', async () => {
  const harness = await openAlertsHarness({ to: telegram() });
  await harness.watch(TIDE, {}, GROUP);
  await harness.watch(ALL, {}, address('telegram', '-500', '7'));
  await harness.reachability.take(MOVED);
  const watched = (chat: Address) => harness.watchlists.read(chat).entries.map(({ target }) => target);
  expect([watched(SUPERGROUP), watched(TOPIC)]).toEqual([[TIDE], [ALL]]);
});

test("the move is also learnt from the platform's refusal, and the alert arrives at the new address at once", async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  harness.to.answers({ kind: 'moved', to: SUPERGROUP });
  await all(harness);
  expect(amounts(harness.to.shown)).toEqual([1, 2]);
  expect(harness.queues.read(SUPERGROUP).receipts).toMatchObject([{ end: 'sent' }]);
  await harness.announce(burn(3, harness.clock.now()));
  expect(harness.queues.read(GROUP).waiting).toEqual([]);
});

test('the new address knows the last digest before it has its setting, so that it is not due there once more', async () => {
  const harness = await openAlertsHarness({ to: telegram() });
  await harness.watch(TIDE, {}, GROUP);
  const dueAt = harness.clock.now();
  const last = { every: 'day', day: '2026-11-20', zone: 'UTC', dueAt, coveredUntil: dueAt } as const;
  await harness.watchlists.change(GROUP, (chat) => ({ ...chat, digest: { every: 'day', at: '12:00', since: dueAt } }));
  await harness.queues.change(GROUP, (queue) => ({ ...queue, digest: last }));
  const known: unknown[] = [];
  harness.watchlists.onChange((chat) => {
    if (chat === SUPERGROUP) known.push(harness.queues.read(SUPERGROUP).digest);
  });
  await harness.reachability.take(MOVED);
  expect(known).toEqual([last]);
});

test('what the chat chose moves along, and what was chosen at the new address already stays', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  const quiet = { from: '22:00', to: '07:00' };
  const until = harness.clock.now();
  await harness.watchlists.change(GROUP, (chat) => ({
    ...chat,
    quiet,
    timezone: 'Europe/Berlin',
    mutedKinds: { growth: until },
    mutedUntil: until,
  }));
  await harness.watchlists.change(SUPERGROUP, (chat) => ({ ...chat, timezone: 'Asia/Tokyo' }));
  await harness.reachability.take(MOVED);
  expect(harness.watchlists.read(SUPERGROUP)).toEqual({
    ...{ address: SUPERGROUP, quiet, timezone: 'Asia/Tokyo', mutedKinds: { growth: until }, mutedUntil: until },
    entries: [expect.objectContaining({ target: TIDE })],
  });
});

test('what is chosen at the old address while the group moves counts at the new one', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  const until = later(harness.clock.now(), HOUR);
  let isMoving = false;
  harness.watchlists.onChange((chat) => {
    if (chat !== SUPERGROUP || isMoving) return;
    isMoving = true;
    void harness.watchlists.change(GROUP, ({ address: old, entries }) => ({
      address: old,
      mutedUntil: until,
      entries: entries.map((entry) => ({ ...entry, modes: { supply: 'off' } })),
    }));
  });
  await harness.reachability.take(MOVED);
  expect(harness.watchlists.read(SUPERGROUP)).toMatchObject({ mutedUntil: until, entries: [{ target: TIDE, modes: { supply: 'off' } }] });
  expect(harness.watchlists.read(SUPERGROUP).entries).toHaveLength(1);
  expect(harness.watchlists.read(GROUP)).toMatchObject({ entries: [], left: { movedTo: SUPERGROUP } });
});

test('an entry that stands at the new address already stays as it is', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  await harness.watch(TIDE, { modes: { supply: 'off' } }, SUPERGROUP);
  await harness.watch(ALL, {}, GROUP);
  await harness.reachability.take(MOVED);
  await harness.reachability.take(MOVED);
  expect(harness.watchlists.read(SUPERGROUP).entries.map(({ target, modes }) => [target.kind, modes])).toEqual([
    ['project', { supply: 'off' }],
    ['all', undefined],
  ]);
});

test('a process that dies at any write of a move loses and doubles nothing', async () => {
  for (let until = 1; ; until += 1) {
    let lived = false;
    for (const written of [false, true]) {
      const [base, to, clock] = [await openStore('memory://'), telegram(), handClock()];
      await watching(await openAlertsHarness({ store: base, to, clock }));
      const dying = await openAlertsHarness({ store: crashStore(base, { until, written }), to, clock });
      lived = await dying.reachability.take(MOVED).then(() => true, falseIfCrashed);
      const after = await openAlertsHarness({ store: base, to, clock });
      // The platform brings the events again, since nobody confirmed it; the old address takes nothing any more.
      await after.reachability.take(MOVED);
      await after.announce(burn(3, clock.now()));
      await clock.advance(GATHER);
      await all(after);
      expect({ until, written, alerted: amounts(to.shown) }).toEqual({ until, written, alerted: [1, 2, 3] });
      expect(after.watchlists.all().map((chat) => chat.address)).toEqual([SUPERGROUP]);
    }
    if (lived) break;
  }
});

test('what was being sent to the old address when the process died follows too, though the platform is not configured any more', async () => {
  for (const [ambiguous, alerted] of [
    ['repeat', [1, 2]],
    ['hold', []],
  ] as const) {
    const harness = await watching(await openAlertsHarness({ to: telegram(), ambiguous }));
    await harness.clock.advance(GATHER);
    const { id = '' } = (await sealNext(GROUP, harness.clock.now(), harness.context)) ?? {};
    await harness.queues.change(GROUP, (queue) => begin(queue, id, harness.clock.now()));
    await harness.reachability.take(MOVED);
    await deliver(GROUP, { ...harness.context, notifiers: [] }, harness.signal);
    expect(harness.due(GROUP)).toBeUndefined();
    await all(harness);
    await harness.clock.advance(HOUR);
    await all(harness);
    expect(amounts(harness.to.shown)).toEqual(alerted);
  }
});

test('a chat that is gone is left alone, costs nothing, and goes on when the bot is back', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  harness.to.answers({ kind: 'gone', because: 'the bot was removed' });
  await all(harness);
  expect(harness.to.tried).toHaveLength(1);
  expect(harness.watchlists.all()).toEqual([]);
  expect(harness.due(GROUP)).toBeUndefined();
  await harness.clock.advance(DAY);
  await all(harness);
  expect(harness.to.tried).toHaveLength(1);
  await harness.reachability.take({ kind: 'back', chat: GROUP });
  await all(harness);
  await harness.clock.advance(SUMMARY_GATHER);
  await all(harness);
  expect(amounts(harness.to.shown)).toEqual([1, 2]);
});

test('a chat that comes back while the platform answers that the bot was removed has its alert at once', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  const { deliver: sends } = harness.to.notifier;
  harness.to.notifier.deliver = async () => {
    harness.to.notifier.deliver = sends;
    await harness.reachability.take({ kind: 'back', chat: GROUP });
    return { kind: 'gone', because: 'the bot was removed' };
  };
  await all(harness);
  expect(amounts(harness.to.shown)).toEqual([1, 2]);
  expect(harness.watchlists.read(GROUP).left).toBeUndefined();
});

test('an answer that the bot was removed counts where the chat came back before the request, or the clock was set back since', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  const start = harness.clock.now();
  await harness.reachability.take({ kind: 'back', chat: GROUP });
  await harness.clock.advance(1);
  await harness.reachability.take({ kind: 'gone', chat: GROUP, because: 'removed', asked: harness.clock.now() });
  expect(harness.watchlists.read(GROUP).left).toMatchObject({ because: 'removed' });
  const [ahead, setBack] = [handClock(later(start, HOUR)), handClock(start)];
  let clock = ahead;
  const reachability = createReachability({ ...harness, listed: [], clock: { ...ahead, now: () => clock.now() }, log: listening().log });
  await reachability.take({ kind: 'back', chat: GROUP });
  clock = setBack;
  await reachability.take({ kind: 'gone', chat: GROUP, because: 'removed again', asked: start });
  expect(harness.watchlists.read(GROUP).left).toMatchObject({ because: 'removed again' });
});

test('what is sent for a chat that moved while it was away is one catch-up at the new address', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  await harness.reachability.take({ kind: 'gone', chat: GROUP, because: 'kicked' });
  await harness.clock.advance(HOUR);
  await harness.announce(burn(3, harness.clock.now()));
  await harness.reachability.take(MOVED);
  await harness.clock.advance(SUMMARY_GATHER);
  await all(harness);
  expect(harness.to.shown).toHaveLength(1);
  expect(amounts(harness.to.shown)).toEqual([1, 2, 3]);
  expect(harness.queues.read(SUPERGROUP).receipts).toMatchObject([
    { end: 'sent', summary: 'Catching up: the bot was not in this chat for 1 h' },
  ]);
});

test.each([
  ['before the return', [MOVED, { kind: 'back', chat: SUPERGROUP }, { kind: 'joined', chat: SUPERGROUP }]],
  ['after the return', [{ kind: 'back', chat: SUPERGROUP }, { kind: 'joined', chat: SUPERGROUP }, MOVED]],
] as const)(
  'a group that was upgraded while the bot was out of it has its list again once the platform says so, %s',
  async (_, alerted) => {
    const harness = await watching(await openAlertsHarness({ to: telegram() }));
    await harness.reachability.take({ kind: 'gone', chat: GROUP, because: 'the bot was removed from the chat' });
    await harness.clock.advance(DAY);
    if (alerted[0] !== MOVED) await harness.watch(ALL, {}, SUPERGROUP);
    for (const one of alerted) await harness.reachability.take(one);
    const [chat, ...others] = harness.watchlists.all();
    expect([chat?.address, others, chat?.entries.map(({ target }) => target)]).toEqual([
      SUPERGROUP,
      [],
      alerted[0] === MOVED ? [TIDE] : [ALL, TIDE],
    ]);
  },
);

test('the list of a chat that is gone is kept for thirty days and then forgotten', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  await harness.reachability.take({ kind: 'gone', chat: GROUP, because: 'the bot was removed' });
  await harness.clock.advance(MAX_ABSENCE - 1);
  await harness.reachability.take({ kind: 'gone', chat: GROUP, because: 'still removed' });
  await harness.reachability.sweep();
  expect(harness.watchlists.read(GROUP).entries).toHaveLength(1);
  await harness.clock.advance(1);
  await harness.reachability.sweep();
  expect(harness.watchlists.read(GROUP).entries).toEqual([]);
  expect((await openAlertsHarness({ store: harness.store })).watchlists.left()).toEqual([]);
});

test("a queue that nobody's list belongs to is forgotten a day after its last message, and not before it is empty", async () => {
  const harness = await openAlertsHarness({ to: telegram() });
  await harness.watch(TIDE, {}, GROUP);
  await harness.announce(burn(1, harness.clock.now()));
  await harness.watchlists.forget(GROUP);
  await harness.clock.advance(DAY);
  await harness.reachability.sweep();
  expect(harness.queues.all()).toHaveLength(1);
  await all(harness);
  await harness.clock.advance(DAY - 1);
  await harness.reachability.sweep();
  expect(harness.queues.read(GROUP).receipts).toMatchObject([{ end: 'dropped' }]);
  await harness.clock.advance(1);
  await harness.reachability.sweep();
  expect((await openAlertsHarness({ store: harness.store })).queues.all()).toEqual([]);
});

test('a chat that moves keeps the later absence of both addresses', async () => {
  const harness = await openAlertsHarness({ to: telegram() });
  const now = harness.clock.now();
  const absence = (hours: number) => ({ from: later(now, -hours * HOUR), to: later(now, (1 - hours) * HOUR) });
  const away = async (chat: Address, hours: number) =>
    harness.watchlists.change(chat, (before) => ({ ...before, absence: absence(hours) }));
  await harness.watch(TIDE, {}, GROUP);
  await away(GROUP, 3);
  await away(SUPERGROUP, 5);
  await harness.reachability.take(MOVED);
  expect(harness.watchlists.read(SUPERGROUP).absence).toEqual(absence(3));
});

test('a listed chat that the bot was removed from is forgotten like any other', async () => {
  const harness = await openAlertsHarness({ to: telegram(), listed: [GROUP] });
  await harness.watch(TIDE, {}, GROUP);
  await harness.reachability.take({ kind: 'gone', chat: GROUP, because: 'removed' });
  await harness.clock.advance(MAX_ABSENCE);
  await harness.reachability.sweep();
  expect(harness.watchlists.has(GROUP)).toBe(false);
});

test('topics go and come with their group, and chats that keep nothing here leave no trace', async () => {
  const harness = await openAlertsHarness({ to: telegram() });
  await harness.watch(TIDE, {}, TOPIC);
  await harness.reachability.take({ kind: 'gone', chat: SUPERGROUP, because: 'kicked' });
  expect(harness.watchlists.left().map((chat) => chat.address)).toEqual([TOPIC]);
  await harness.reachability.take({ kind: 'back', chat: SUPERGROUP });
  expect(harness.watchlists.all().map((chat) => chat.address)).toEqual([TOPIC]);
});

test('what is held until people mend something goes as soon as they seem to have; what the platform wants to wait does not', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  const back = { kind: 'back', chat: GROUP } as const;
  harness.to.answers({ kind: 'not-permitted', because: 'the topic is closed' });
  await all(harness);
  harness.to.answers({ kind: 'later', because: 'rate-limited', afterMs: DAY });
  await all(harness);
  expect(harness.queues.read(GROUP).open).toMatchObject({ attempts: 1, problem: 'the topic is closed' });
  await harness.reachability.take(back);
  await all(harness);
  expect(harness.queues.read(GROUP).open).toMatchObject({ attempts: 2, problem: 'rate-limited' });
  await harness.reachability.take(back);
  await all(harness);
  expect(harness.queues.read(GROUP).open).toMatchObject({ attempts: 2 });
});

test('a chat that the operator listed is known by its old name for good; one that nobody listed only while its list is kept', async () => {
  const listed = ['telegram/chat/-500'];
  const harness = await openAlertsHarness({ to: telegram(), listed });
  const STRANGER = address('telegram', '-600');
  await harness.reachability.take(MOVED);
  await harness.reachability.take({ kind: 'moved', from: STRANGER, to: address('telegram', '-100600') });
  expect(harness.reachability.formerNames('telegram/chat/-100500')).toEqual(listed);
  expect(harness.reachability.formerNames('telegram/chat/-100600')).toEqual([]);
  await harness.clock.advance(2 * MAX_ABSENCE);
  await harness.reachability.sweep();
  const later = await openAlertsHarness({ store: harness.store, to: telegram(), listed });
  expect(later.reachability.formerNames('telegram/chat/-100500')).toEqual(listed);
});

test('what a rule of a chat remembers goes with its entry, at the next check of what it was about', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: rules('premium<-10') });
  await harness.watch(TIDE, {}, address('console', 'other'));
  const check = async () => {
    const measurements = [measurement(5, harness.clock.now())];
    await routeMeasurements({ measurements, before: [], first: false }, { ...harness, key: 'premium/tide', now: harness.clock.now() });
    await harness.clock.advance(HOUR);
  };
  const remembered = async () => (await RuleStates.open(harness.store)).of('premium/tide').own.has(CHAT);
  await check();
  expect([await remembered(), harness.rules.countOf(harness.watchlists.read(CHAT))]).toEqual([true, 1]);
  await harness.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await check();
  expect([await remembered(), harness.rules.countOf(harness.watchlists.read(CHAT))]).toEqual([false, 0]);
});

test('the rules of a proposal that a chat follows alone count as stored, and are forgotten with the chat', async () => {
  const harness = await openAlertsHarness();
  const [own, other] = ['proposals/tide/9xQ', 'proposals/tide/4Fg'];
  await harness.watch({ kind: 'market', topic: own }, { rules: rules('proposals margin<2') });
  const check = async (now = harness.clock.now()) => {
    const of = { feed: 'proposals', measure: 'margin' } as const;
    const measurements = [own, other].map((topic) => measurement(1, now, { ...of, id: `${topic}/${now}` }));
    await routeMeasurements({ measurements, before: [], first: false }, { ...harness, key: 'proposals/tide', now });
    await harness.clock.advance(HOUR);
  };
  await check();
  await check();
  expect(harness.rules.countOf(harness.watchlists.read(CHAT))).toBe(1);
  await harness.rules.forgetChat(CHAT);
  expect((await RuleStates.open(harness.store)).of('proposals/tide').own.has(CHAT)).toBe(false);
});

test('a chat that its owner removed leaves nothing behind, a chat without a watchlist either', async () => {
  const harness = await watching(await openAlertsHarness({ to: telegram() }));
  await all(harness);
  await harness.watchlists.change(SUPERGROUP, (chat) => ({ ...chat, timezone: 'Europe/Vienna' }));
  for (const chat of [GROUP, SUPERGROUP, GROUP]) await harness.reachability.take({ kind: 'removed', chat });
  expect([...harness.watchlists.addresses()]).toEqual([]);
  expect(harness.queues.all()).toEqual([]);
});
