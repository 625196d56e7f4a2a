import { expect, test } from 'vitest';
import { GATHER, PAUSE, SUMMARY_GATHER } from '../../../src/alerts/queue/batch.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { begin } from '../../../src/alerts/queue/queue.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { sealNext } from '../../../src/alerts/delivery/sealing.js';
import { withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { KEPT_AFTER } from '../../../src/alerts/watchlist/reachability.js';
import { DAY, HOUR } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';
import { measurement } from '../measurements.js';
import { amounts, burn, CHAT, openAlertsHarness, platform, TIDE, ALL } from '../harness.js';
import { StoreCrash, crashStore } from '../crash-store.js';

const GROUP = address('telegram', '-500');
const SUPERGROUP = address('telegram', '-100500');
const TOPIC = address('telegram', '-100500', '7');
const MOVED = { kind: 'moved', from: GROUP, to: SUPERGROUP } as const;
const telegram = () => platform({ platformName: 'telegram', knowsRepeats: false });

async function watching(desk: Awaited<ReturnType<typeof openAlertsHarness>>) {
  await desk.watch(TIDE, { modes: { growth: 'off' } }, GROUP);
  await desk.announce(burn(1, desk.clock.now()), burn(2, desk.clock.now()));
  await desk.clock.advance(GATHER);
  return desk;
}

const all = async (desk: Awaited<ReturnType<typeof openAlertsHarness>>): Promise<void> => {
  for (const { address: chat } of [...desk.queues.all()]) await deliver(chat, desk.context, desk.signal);
  for (const { address: chat } of [...desk.queues.all()]) await deliver(chat, desk.context, desk.signal);
};

test('a group that becomes a supergroup takes its watchlist, queue and receipts along', async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  await all(desk);
  await desk.announce(burn(3, desk.clock.now()));
  await desk.reachability.take(MOVED);
  expect(desk.watchlists.all()).toEqual([
    { address: SUPERGROUP, entries: [expect.objectContaining({ target: TIDE, modes: { growth: 'off' } })] },
  ]);
  expect(desk.queues.read(SUPERGROUP)).toMatchObject({ waiting: [{ event: 'supply/tide/3' }], receipts: [{ end: 'sent' }] });
  await desk.clock.advance(PAUSE);
  await all(desk);
  expect(amounts(desk.to.shown)).toEqual([1, 2, 3]);
  expect(desk.queues.read(GROUP)).toMatchObject({ waiting: [] });
});

test("the move is also learnt from the platform's refusal, and the alert arrives at the new address at once", async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  desk.to.answers({ kind: 'moved', to: SUPERGROUP });
  await all(desk);
  expect(amounts(desk.to.shown)).toEqual([1, 2]);
  expect(desk.queues.read(SUPERGROUP).receipts).toMatchObject([{ end: 'sent' }]);
  await desk.announce(burn(3, desk.clock.now()));
  expect(desk.queues.read(GROUP).waiting).toEqual([]);
});

test('what the chat chose moves along, and what was chosen at the new address already stays', async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  const quiet = { from: '22:00', to: '07:00' };
  const until = desk.clock.now();
  await desk.watchlists.change(GROUP, (chat) => ({
    ...chat,
    quiet,
    timezone: 'Europe/Berlin',
    mutedKinds: { growth: until },
    mutedUntil: until,
  }));
  await desk.watchlists.change(SUPERGROUP, (chat) => ({ ...chat, timezone: 'Asia/Tokyo' }));
  await desk.reachability.take(MOVED);
  expect(desk.watchlists.read(SUPERGROUP)).toEqual({
    ...{ address: SUPERGROUP, quiet, timezone: 'Asia/Tokyo', mutedKinds: { growth: until }, mutedUntil: until },
    entries: [expect.objectContaining({ target: TIDE })],
  });
});

test('an entry that stands at the new address already stays as it is', async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  await desk.watch(TIDE, { modes: { supply: 'off' } }, SUPERGROUP);
  await desk.watch(ALL, {}, GROUP);
  await desk.reachability.take(MOVED);
  await desk.reachability.take(MOVED);
  expect(desk.watchlists.read(SUPERGROUP).entries.map(({ target, modes }) => [target.kind, modes])).toEqual([
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
      lived = await dying.reachability.take(MOVED).then(
        () => true,
        (cause: unknown) => {
          if (!(cause instanceof StoreCrash)) throw cause;
          return false;
        },
      );
      const after = await openAlertsHarness({ store: base, to, clock });
      // The platform brings the news again, since nobody confirmed it; the old address takes nothing any more.
      await after.reachability.take(MOVED);
      await after.announce(burn(3, clock.now()));
      await clock.advance(GATHER);
      await all(after);
      expect({ until, written, told: amounts(to.shown) }).toEqual({ until, written, told: [1, 2, 3] });
      expect(after.watchlists.all().map((chat) => chat.address)).toEqual([SUPERGROUP]);
    }
    if (lived) break;
  }
});

test('what was being sent to the old address when the process died follows too, though the platform is not configured any more', async () => {
  for (const [ambiguous, told] of [
    ['repeat', [1, 2]],
    ['hold', []],
  ] as const) {
    const desk = await watching(await openAlertsHarness({ to: telegram(), ambiguous }));
    await desk.clock.advance(GATHER);
    const { id = '' } = (await sealNext(GROUP, desk.clock.now(), desk.context)) ?? {};
    await desk.queues.change(GROUP, (queue) => begin(queue, id, desk.clock.now()));
    await desk.reachability.take(MOVED);
    await deliver(GROUP, { ...desk.context, notifiers: [] }, desk.signal);
    expect(desk.due(GROUP)).toBeUndefined();
    await all(desk);
    await desk.clock.advance(HOUR);
    await all(desk);
    expect(amounts(desk.to.shown)).toEqual(told);
  }
});

test('a chat that is gone is left alone, costs nothing, and goes on when the bot is back', async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  desk.to.answers({ kind: 'gone', because: 'the bot was removed' });
  await all(desk);
  expect(desk.to.tried).toHaveLength(1);
  expect(desk.watchlists.all()).toEqual([]);
  expect(desk.due(GROUP)).toBeUndefined();
  await desk.clock.advance(DAY);
  await all(desk);
  expect(desk.to.tried).toHaveLength(1);
  await desk.reachability.take({ kind: 'back', chat: GROUP });
  await all(desk);
  await desk.clock.advance(SUMMARY_GATHER);
  await all(desk);
  expect(amounts(desk.to.shown)).toEqual([1, 2]);
});

test('what is sent for a chat that moved while it was away is one catch-up at the new address', async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  await desk.reachability.take({ kind: 'gone', chat: GROUP, because: 'kicked' });
  await desk.clock.advance(HOUR);
  await desk.announce(burn(3, desk.clock.now()));
  await desk.reachability.take(MOVED);
  await desk.clock.advance(SUMMARY_GATHER);
  await all(desk);
  expect(desk.to.shown).toHaveLength(1);
  expect(amounts(desk.to.shown)).toEqual([1, 2, 3]);
  expect(desk.queues.read(SUPERGROUP).receipts).toMatchObject([
    { end: 'sent', summary: 'Catching up: the bot was not in this chat for 1 h' },
  ]);
});

test.each([
  ['before the return', [MOVED, { kind: 'back', chat: SUPERGROUP }, { kind: 'joined', chat: SUPERGROUP }]],
  ['after the return', [{ kind: 'back', chat: SUPERGROUP }, { kind: 'joined', chat: SUPERGROUP }, MOVED]],
] as const)('a group that was upgraded while the bot was out of it has its list again once the platform says so, %s', async (_, told) => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  await desk.reachability.take({ kind: 'gone', chat: GROUP, because: 'the bot was removed from the chat' });
  await desk.clock.advance(DAY);
  if (told[0] !== MOVED) await desk.watch(ALL, {}, SUPERGROUP);
  for (const one of told) await desk.reachability.take(one);
  const [chat, ...others] = desk.watchlists.all();
  expect([chat?.address, others, chat?.entries.map(({ target }) => target)]).toEqual([
    SUPERGROUP,
    [],
    told[0] === MOVED ? [TIDE] : [ALL, TIDE],
  ]);
});

test('the list of a chat that is gone is kept for thirty days and then forgotten', async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  await desk.reachability.take({ kind: 'gone', chat: GROUP, because: 'the bot was removed' });
  await desk.clock.advance(KEPT_AFTER - 1);
  await desk.reachability.take({ kind: 'gone', chat: GROUP, because: 'still removed' });
  await desk.reachability.sweep();
  expect(desk.watchlists.read(GROUP).entries).toHaveLength(1);
  await desk.clock.advance(1);
  await desk.reachability.sweep();
  expect(desk.watchlists.read(GROUP).entries).toEqual([]);
  expect((await openAlertsHarness({ store: desk.store })).watchlists.left()).toEqual([]);
});

test("a queue that nobody's list belongs to is forgotten a day after its last message, and not before it is empty", async () => {
  const desk = await openAlertsHarness({ to: telegram() });
  await desk.watch(TIDE, {}, GROUP);
  await desk.announce(burn(1, desk.clock.now()));
  await desk.watchlists.forget(GROUP);
  await desk.clock.advance(DAY);
  await desk.reachability.sweep();
  expect(desk.queues.all()).toHaveLength(1);
  await all(desk);
  await desk.clock.advance(DAY - 1);
  await desk.reachability.sweep();
  expect(desk.queues.read(GROUP).receipts).toMatchObject([{ end: 'dropped' }]);
  await desk.clock.advance(1);
  await desk.reachability.sweep();
  expect((await openAlertsHarness({ store: desk.store })).queues.all()).toEqual([]);
});

test('topics go and come with their group, and chats that keep nothing here leave no trace', async () => {
  const desk = await openAlertsHarness({ to: telegram() });
  await desk.watch(TIDE, {}, TOPIC);
  await desk.reachability.take({ kind: 'gone', chat: SUPERGROUP, because: 'kicked' });
  expect(desk.watchlists.left().map((chat) => chat.address)).toEqual([TOPIC]);
  await desk.reachability.take({ kind: 'back', chat: SUPERGROUP });
  expect(desk.watchlists.all().map((chat) => chat.address)).toEqual([TOPIC]);
});

test('what is held until people mend something goes as soon as they seem to have; what the platform wants to wait does not', async () => {
  const desk = await watching(await openAlertsHarness({ to: telegram() }));
  const back = { kind: 'back', chat: GROUP } as const;
  desk.to.answers({ kind: 'not-permitted', because: 'the topic is closed' });
  await all(desk);
  desk.to.answers({ kind: 'later', because: 'rate-limited', afterMs: DAY });
  await all(desk);
  expect(desk.queues.read(GROUP).open).toMatchObject({ attempts: 1, problem: 'the topic is closed' });
  await desk.reachability.take(back);
  await all(desk);
  expect(desk.queues.read(GROUP).open).toMatchObject({ attempts: 2, problem: 'rate-limited' });
  await desk.reachability.take(back);
  await all(desk);
  expect(desk.queues.read(GROUP).open).toMatchObject({ attempts: 2 });
});

test('a chat that the operator listed is known by its old name for good; one that nobody listed only while its list is kept', async () => {
  const listed = ['telegram/chat/-500'];
  const desk = await openAlertsHarness({ to: telegram(), listed });
  const STRANGER = address('telegram', '-600');
  await desk.reachability.take(MOVED);
  await desk.reachability.take({ kind: 'moved', from: STRANGER, to: address('telegram', '-100600') });
  expect(desk.reachability.formerNames('telegram/chat/-100500')).toEqual(listed);
  expect(desk.reachability.formerNames('telegram/chat/-100600')).toEqual([]);
  await desk.clock.advance(2 * KEPT_AFTER);
  await desk.reachability.sweep();
  const later = await openAlertsHarness({ store: desk.store, to: telegram(), listed });
  expect(later.reachability.formerNames('telegram/chat/-100500')).toEqual(listed);
});

test('what a rule remembers goes with its entry, though no check of what it was about visits the chat again', async () => {
  const desk = await openAlertsHarness();
  await desk.watch(TIDE);
  const measurements = [measurement(5, desk.clock.now())];
  await routeMeasurements({ measurements, before: [], first: false }, { ...desk, now: desk.clock.now() });
  const remembered = () => Object.keys(desk.queues.read(CHAT).ruleStates ?? {}).length;
  await desk.reachability.sweep();
  expect(remembered()).toBeGreaterThan(0);
  await desk.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await desk.reachability.sweep();
  expect(remembered()).toBe(0);
});
