import { describe, expect, test } from 'vitest';
import { enqueue, seal } from '../../src/alerts/queue/queue.js';
import { targetName } from '../../src/alerts/watchlist/entry.js';
import { MAX_EDITS, withEntry, withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later } from '../../src/base/clock.js';
import { address, type Address } from '../../src/chat/address.js';
import type { Inbound } from '../../src/chat/inbound.js';
import type { Notifier } from '../../src/chat/notifier.js';
import { reply } from '../../src/chat/reply.js';
import { CHATS_PER_PAGE, OperatorView } from '../../src/operations/operator-view.js';
import { entry, openAlertsHarness, platform, TIDE } from '../alerts/harness.js';

const CHANNEL = address('discord', '42');
const GROUP = address('telegram', '-100');

/** Two platforms; `/watch tide` and `/unwatch tide` change the chat that they are run for, other lines nothing. */
async function open(probe: Notifier['probe'] = async () => ({ missing: ['Embed Links'] })) {
  const harness = await openAlertsHarness();
  const { watchlists, queues, clock, store } = harness;
  const asked: Inbound[] = [];
  const unwatched: Address[] = [];
  const operator = new OperatorView({
    ...{ watchlists, queues, clock, store, refusedFiles: () => [] },
    chats: () => unwatched,
    notifiers: [{ ...platform({ platformName: 'discord' }).notifier, probe }],
    async answer(inbound) {
      asked.push(inbound);
      const line = 'line' in inbound.ask ? inbound.ask.line : '';
      if (line.startsWith('/watch ')) await watchlists.change(inbound.chat, (chat) => withEntry(chat, entry(TIDE, clock.now())));
      if (line.startsWith('/unwatch ')) await watchlists.change(inbound.chat, (chat) => withoutEntry(chat, TIDE));
      return reply({ finding: [line] });
    },
  });
  const watch = async (chat: Address) => harness.watch(TIDE, {}, chat);
  return { ...harness, operator, asked, watch, unwatched };
}
const ALL = { search: '', page: 1 } as const;

describe('the list of chats', () => {
  test('has chats that a platform names though nothing is stored of them, and runs lines for them', async () => {
    const { operator, unwatched } = await open();
    const endpoint = address('webhook', 'k3x9');
    expect(await operator.run(endpoint, '/watch tide', 'operator')).toBeUndefined();
    unwatched.push(endpoint);
    expect((await operator.chats(ALL)).chats).toMatchObject([{ address: endpoint, state: 'active', entries: 0 }]);
    expect(await operator.run(endpoint, '/watch tide', 'operator')).toBeDefined();
    expect((await operator.chat(endpoint))?.entries).toBe(1);
  });

  test('has every chat of every platform with what it watches and what is wrong there', async () => {
    const { operator, watch, watchlists, queues, clock } = await open();
    for (const chat of [CHANNEL, GROUP, address('console', 'main'), address('telegram', '7')]) await watch(chat);
    await watchlists.change(GROUP, (chat) => ({ ...chat, left: { at: clock.now(), because: 'the bot was removed' } }));
    await watchlists.change(address('telegram', '7'), (chat) => ({ ...chat, mutedUntil: later(clock.now(), HOUR) }));
    const member = { event: 'supply/tide/1', entry: targetName(TIDE), queuedAt: clock.now() };
    await queues.change(CHANNEL, (queue) => {
      const sealed = seal(enqueue(queue, [member]), { members: [member], reply: reply({ finding: ['x'] }), now: clock.now() });
      return { ...sealed, open: sealed.open && { ...sealed.open, notPermitted: true, problem: 'I need Embed Links there' } };
    });
    expect((await operator.chats(ALL)).chats).toMatchObject([
      { address: 'console/main', platform: 'console', state: 'active', watches: ['tide'], waiting: 0 },
      { address: CHANNEL, state: 'not-permitted', because: 'I need Embed Links there', waiting: 1 },
      { address: GROUP, state: 'absent', because: 'the bot was removed' },
      { address: 'telegram/7', state: 'muted' },
    ]);
    expect((await operator.chats({ ...ALL, state: 'absent' })).chats).toMatchObject([{ address: GROUP }]);
    expect((await operator.chats({ ...ALL, search: ' TELEGRAM ' })).total).toBe(2);
    expect((await operator.chats({ ...ALL, search: 'heron' })).chats).toEqual([]);
  });

  test('is read a page at a time, however many chats there are', async () => {
    const { operator, watch } = await open();
    for (let n = 0; n < 2 * CHATS_PER_PAGE + 1; n += 1) await watch(address('discord', String(1_000 + n)));
    const pages = await Promise.all([1, 2, 3, 4].map(async (page) => operator.chats({ ...ALL, page })));
    expect(pages.map(({ chats }) => chats.length)).toEqual([CHATS_PER_PAGE, CHATS_PER_PAGE, 1, 0]);
    expect(pages[0]).toMatchObject({ total: 2 * CHATS_PER_PAGE + 1, pages: 3 });
    expect(new Set(pages.flatMap(({ chats }) => chats.map((chat) => chat.address))).size).toBe(2 * CHATS_PER_PAGE + 1);
  });
});

describe('one chat', () => {
  test('names its missing permissions; a platform that does not answer or is not connected delays nothing', async () => {
    const first = await open();
    await first.watch(CHANNEL);
    await first.watch(GROUP);
    expect(await first.operator.chat(CHANNEL)).toMatchObject({ missing: ['Embed Links'], edits: [] });
    expect((await first.operator.chat(GROUP))?.missing).toHaveLength(1);
    expect(await first.operator.chat(address('discord', '9'))).toBeUndefined();
    const silent = await open(async () => new Promise(() => undefined));
    await silent.watch(CHANNEL);
    const answer = silent.operator.chat(CHANNEL);
    await silent.clock.asleep();
    await silent.clock.advance(DAY);
    expect((await answer)?.missing).toBeUndefined();
  });
});

describe('a line that is run for a chat', () => {
  test('is asked as the operator, without a sign that the chat can be reached', async () => {
    const { operator, watch, asked } = await open();
    await watch(CHANNEL);
    await operator.run(CHANNEL, '/unwatch tide', 'me');
    expect(asked).toMatchObject([{ chat: CHANNEL, from: { name: 'operator' }, byOperator: true }]);
    expect(await asked[0]?.from.manages()).toBe(true);
  });

  test('is recorded with who ran it and when, if it changed the chat, and not otherwise', async () => {
    const { operator, watch, watchlists, clock } = await open();
    await watch(CHANNEL);
    await operator.run(CHANNEL, '/unwatch tide', 'operator, on this machine');
    await operator.run(CHANNEL, '/mute nonsense', 'operator, on this machine');
    await operator.run(CHANNEL, '/why tide', 'operator, on this machine');
    await operator.run(CHANNEL, '/alerts test supply', 'operator, on this machine');
    const edits = (await operator.chat(CHANNEL))?.edits;
    expect(edits).toEqual([
      { at: clock.now(), by: 'operator, on this machine', line: '/alerts test supply' },
      { at: clock.now(), by: 'operator, on this machine', line: '/unwatch tide' },
    ]);
    for (let n = 0; n < MAX_EDITS + 5; n += 1) await operator.run(CHANNEL, n % 2 === 0 ? '/watch tide' : '/unwatch tide', 'x'.repeat(10));
    expect(watchlists.read(CHANNEL).edits).toHaveLength(MAX_EDITS);
  });

  test('is refused for an unknown chat, and for a command that is not about the chat’s alerts', async () => {
    const { operator, watch, asked } = await open();
    await watch(CHANNEL);
    expect(await operator.run(address('discord', '9'), '/watch tide', 'me')).toBeUndefined();
    for (const line of ['/privacy delete chat yes', '/premium tide', 'hello', '/status', '/ASK'])
      expect(await operator.run(CHANNEL, line, 'me')).toMatchObject({ tone: 'warning' });
    expect(asked).toEqual([]);
  });
});
