import { expect, test } from 'vitest';
import { deliver } from '../../src/alerts/delivery/deliver.js';
import type { Entry } from '../../src/alerts/watchlist/entry.js';
import { RuleStates } from '../../src/alerts/evaluation/rule-states.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { close, enqueue, reopen, seal, type Queue } from '../../src/alerts/queue/queue.js';
import { openWatchlists } from '../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { address, type Address } from '../../src/chat/address.js';
import { reply, type Mention } from '../../src/chat/reply.js';
import { slug } from '../../src/domain/scalars.js';
import { createPrivacy, privacyAfter } from '../../src/operations/privacy.js';
import { Sources } from '../../src/sources/kept-sources.js';
import { openStore } from '../../src/store/open.js';
import { now } from '../alerts/delivery/delivering.js';
import { burn, CHAT, openAlertsHarness, platform, TIDE } from '../alerts/harness.js';
import { handClock } from '../support/clock.js';

const HERE = address('discord', '1');
const THERE = address('discord', '2');
const GONE = address('discord', '3');
const ELSEWHERE = address('telegram', '7');
const ADA = { id: 'discord/77', name: 'Ada' };

async function open() {
  const clock = handClock();
  const store = await openStore('memory://');
  const watchlists = await openWatchlists(store);
  const queues = await openQueues(store);
  const forgotten: string[] = [];
  const dataOwner = (platform: string) => ({
    kept: async (chat: Address) => [`a note about ${chat}`],
    forgetChat: async (chat: Address) => void forgotten.push(chat),
    forgetPerson: async (person: string) => void forgotten.push(`${platform}: ${person}`),
  });
  const dataOwners = new Map(['discord', 'telegram'].map((platform) => [platform, dataOwner(platform)]));
  const entry = (name: string, by: Pick<Entry, 'by' | 'byId'>, mentions?: readonly Mention[]): Entry => ({
    target: { kind: 'project', slug: slug(name) },
    since: clock.now(),
    preset: 'important',
    modes: { growth: 'off' },
    ...by,
    ...(mentions === undefined ? {} : { mentions }),
  });
  const watch = async (chat: Address, ...entries: readonly Entry[]) => watchlists.change(chat, (before) => ({ ...before, entries }));
  return {
    clock,
    store,
    watchlists,
    queues,
    entry,
    watch,
    forgotten,
    privacy: createPrivacy({
      watchlists,
      queues,
      rules: await RuleStates.open(store),
      sources: new Sources({ store, clock, log: silentLog }),
      dataOwners,
      everywhere: [{ ...dataOwner('everywhere'), kept: async () => [], forgetChat: async () => {} }],
      forcedBy: () => undefined,
      clock,
      log: silentLog,
    }),
  };
}

const BY_ADA = { by: 'Ada', byId: ADA.id };

test('what is stored is counted over the list, the queue and the platform', async () => {
  const { privacy, watch, entry, watchlists, queues, clock } = await open();
  await watch(HERE, entry('tide', BY_ADA, [{ kind: 'person', id: '77' }]), entry('heron', { by: 'Bo', byId: 'discord/5' }));
  await watch(THERE, entry('tide', BY_ADA));
  // The same id on another platform is somebody else.
  await watch(ELSEWHERE, entry('tide', { by: 'Ada', byId: 'telegram/77' }, [{ kind: 'person', id: '77' }]));
  await watchlists.change(HERE, (chat) => ({ ...chat, timezone: 'Europe/Vienna', mutedUntil: later(clock.now(), HOUR) }));
  const member = { event: 'supply/tide/1', entry: 'tide', queuedAt: clock.now() };
  await queues.change(HERE, (queue) => enqueue(queue, [member, { ...member, event: 'supply/tide/2' }]));
  expect(await privacy.stored(HERE, ADA)).toEqual({
    chat: {
      entries: 2,
      exceptions: 0,
      settings: ['timezone Europe/Vienna', 'a mute'],
      waiting: 2,
      sent: 0,
      ruleStates: 0,
      edits: 0,
      sources: 0,
      kept: ['a note about discord/1'],
    },
    person: { here: 1, elsewhere: 1, pinged: 1, kept: [] },
  });
});

test('a person is taken out of every list, those of chats that are gone too; what is watched stays', async () => {
  const { privacy, watch, entry, watchlists, forgotten, clock, store } = await open();
  const [own, other] = [
    entry('tide', BY_ADA, [
      { kind: 'person', id: '77' },
      { kind: 'role', id: '77' },
    ]),
    entry('heron', { by: 'Bo', byId: 'discord/5' }, [{ kind: 'person', id: '77' }]),
  ];
  await watch(HERE, own, other);
  await watch(THERE, entry('alder', { by: 'Bo', byId: 'discord/5' }));
  await watch(GONE, entry('tide', BY_ADA));
  await watchlists.change(GONE, (chat) => ({ ...chat, left: { at: clock.now(), because: 'removed' } }));
  const untouched = watchlists.read(THERE);
  expect(await privacy.forgetPerson(HERE, ADA)).toBe(3);
  const { by: _, byId: _id, mentions: _mentions, ...rest } = own;
  const { mentions: _others, ...bos } = other;
  const again = await openWatchlists(store);
  expect(again.read(HERE).entries).toEqual([{ ...rest, by: 'someone', mentions: [{ kind: 'role', id: '77' }] }, bos]);
  expect(again.read(GONE).entries[0]).toMatchObject({ by: 'someone' });
  expect(JSON.stringify(again.all().concat(again.left()))).not.toMatch(/Ada|discord\/77|"person"/u);
  expect(watchlists.read(THERE)).toBe(untouched);
  expect(forgotten).toEqual(['discord: discord/77', 'telegram: discord/77', 'everywhere: discord/77']);
  expect(await privacy.forgetPerson(HERE, ADA)).toBe(0);
});

test('an entry of before ids were kept is theirs by its name in their own chat only', async () => {
  const { privacy, watch, entry, watchlists } = await open();
  await watch(HERE, entry('tide', { by: 'Ada' }));
  await watch(THERE, entry('tide', { by: 'Ada' }));
  expect((await privacy.stored(HERE, ADA)).person).toEqual({ here: 1, elsewhere: 0, pinged: 0, kept: [] });
  expect(await privacy.forgetPerson(HERE, ADA)).toBe(1);
  expect([HERE, THERE].map((chat) => watchlists.read(chat).entries[0]?.by)).toEqual(['someone', 'Ada']);
});

test("a chat is forgotten with its list, its queue and its platform's notes, and a delivery that is just being sent leaves no trace", async () => {
  const { privacy, watch, entry, watchlists, queues, forgotten, clock, store } = await open();
  await watch(HERE, entry('tide', BY_ADA));
  await watch(THERE, entry('tide', BY_ADA));
  const member = { event: 'supply/tide/1', entry: 'tide', queuedAt: clock.now() };
  await queues.change(HERE, (queue) => enqueue(queue, [member]));
  const { open: sending } = await queues.change(HERE, (queue) =>
    seal(queue, { members: [member], reply: reply({ finding: ['x'] }), now: clock.now() }),
  );
  await privacy.forgetChat(HERE);
  const after = async (edit: (queue: Queue) => Queue) => queues.change(HERE, edit);
  if (sending === undefined) throw new Error('nothing was sealed');
  await after((queue) => reopen(queue, sending));
  await after((queue) => close(queue, { id: sending.id, members: [member], end: 'sent', endedAt: clock.now(), attempts: 1 }));
  expect(watchlists.read(HERE)).toEqual({ address: HERE, entries: [] });
  expect(queues.read(HERE)).toEqual({ address: HERE, waiting: [], receipts: [], routed: [] });
  expect((await openQueues(store)).all()).toEqual([]);
  expect((await openWatchlists(store)).all().map((chat) => chat.address)).toEqual([THERE]);
  expect(forgotten).toEqual([HERE]);
});

/** What stands in the store of a harness where alerts are on their way, and its privacy. */
const privacyOf = ({ store, watchlists, queues, rules, clock }: Awaited<ReturnType<typeof openAlertsHarness>>) =>
  createPrivacy({
    forcedBy: () => undefined,
    watchlists,
    queues,
    rules,
    sources: new Sources({ store, clock, log: silentLog }),
    dataOwners: new Map(),
    clock,
    log: silentLog,
  });

test('what is stored of a chat is shown once the chats are read, not an error', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  const privacy = privacyAfter(Promise.resolve(), privacyOf(harness));
  const { chat } = await privacy.stored(CHAT, { id: 'console/user/1', name: 'Ada' });
  expect(chat.entries).toBe(1);
  await privacy.forgetPerson(CHAT, { id: 'console/user/1', name: 'Ada' });
  await privacy.forgetChat(CHAT);
  expect(harness.watchlists.read(CHAT).entries).toEqual([]);
});

test('a chat that is forgotten between the sealing and the sending of a message is sent nothing, and nothing is left', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  await harness.announce(burn(5, harness.clock.now()));
  await harness.clock.advance(5 * SECOND);
  const queues: typeof harness.queues = {
    ...harness.queues,
    change: async (chat, edit) => {
      const after = await harness.queues.change(chat, edit);
      if (after.open?.state === 'sending') await privacyOf(harness).forgetChat(CHAT);
      return after;
    },
  };
  await deliver(CHAT, { ...harness.context, queues }, harness.signal);
  expect(harness.to.tried).toEqual([]);
  expect((await openQueues(harness.store)).all()).toEqual([]);
});

test('a chat that moved, and moved again, is forgotten with the queues of its former addresses', async () => {
  const [first, second, third] = ['first', 'second', 'third'].map((name) => address('console', name));
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are three');
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, {}, first);
  await harness.announce(burn(5, harness.clock.now()));
  await harness.clock.advance(5 * SECOND);
  await deliver(first, harness.context, harness.signal);
  await harness.reachability.take({ kind: 'moved', from: first, to: second });
  expect(harness.queues.read(second).receipts).toHaveLength(1);
  expect(harness.queues.read(first)).toEqual({ address: first, waiting: [], receipts: [], routed: [] });
  await harness.reachability.take({ kind: 'moved', from: second, to: third });
  // What was being sent when the chat moved is receipted where it was sent.
  await harness.queues.change(first, () => harness.queues.read(third));
  await privacyOf(harness).forgetChat(third);
  expect((await openQueues(harness.store)).all()).toEqual([]);
  expect((await openWatchlists(harness.store)).left().flatMap(({ entries }) => entries)).toEqual([]);
});

test('a person who is forgotten is not pinged by what is sealed already, which goes on under its id', async () => {
  const to = platform();
  const harness = await openAlertsHarness({ to });
  await harness.watch(TIDE, {
    mentions: [
      { kind: 'person', id: '77' },
      { kind: 'person', id: '5' },
    ],
  });
  await harness.announce(burn(5, harness.clock.now()));
  await harness.clock.advance(5 * SECOND);
  to.answers({ kind: 'not-permitted', because: 'missing-permission' });
  await now(harness);
  await privacyOf(harness).forgetPerson(CHAT, { id: 'console/77', name: 'Ada' });
  await harness.clock.advance(16 * MINUTE);
  await now(harness);
  expect(to.tried.map(({ id, reply: { mentions } }) => [id, mentions.map((one) => one.id)])).toEqual([
    [to.tried[0]?.id, ['77', '5']],
    [to.tried[0]?.id, ['5']],
  ]);
  expect(to.shown).toHaveLength(1);
});
