import { describe, expect, test } from 'vitest';
import { EDIT_PAUSE, LATER_EDIT_PAUSE, LIVE_KEPT, MAX_LIVE, posted, withoutOldLive } from '../../../src/alerts/queue/live-message.js';
import { emptyQueue } from '../../../src/alerts/queue/queue.js';
import { withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';
import { crashStore, deaths, StoreCrash } from '../crash-store.js';
import { burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { checked, ELSEWHERE, LIFE, pass, passTo, TOPIC, type Check, type LiveHarness } from './live-topics.js';

async function watching(extra: Parameters<LiveHarness['watch']>[1] = {}): Promise<LiveHarness> {
  const harness = await openAlertsHarness({ to: platform({ edits: true }) });
  await harness.watch(TIDE, extra);
  return harness;
}

async function live(harness: LiveHarness, checks: readonly Check[]): Promise<void> {
  for (const check of checks) {
    await pass(harness, check.after);
    await checked(harness, check);
  }
  await pass(harness, MINUTE);
}

const lastTexts = ({ to }: LiveHarness): readonly string[] =>
  to.shown.map((one) => to.edited.findLast(({ id }) => id === one.id)?.text ?? one.text);
const messageOf = ({ queues }: LiveHarness, chat = CHAT) => queues.read(chat).live?.[TOPIC];

describe('a proposal from its draft to its result', () => {
  test('is one message that is edited, and a notice that replies to it for each stage that should notify', async () => {
    const harness = await watching();
    await live(harness, LIFE);
    const [first, ...notices] = harness.to.tried;
    expect(notices.map(({ replyTo }) => replyTo)).toEqual(Array(3).fill(first?.id));
    expect(harness.to.edited.every(({ id }) => id === first?.id)).toBe(true);
    expect(lastTexts(harness)[0]).toContain('Passed by 0.9 pts');
    const receipts = harness.queues.read(CHAT).receipts.toReversed();
    expect(receipts.map(({ members, live: isEdit }) => [members.map(({ event }) => event.split('/').at(-1)), isEdit])).toEqual([
      [['created'], undefined],
      [['live'], undefined],
      [['twap'], true],
      [['ending'], undefined],
      [['passed'], undefined],
    ]);
    expect(messageOf(harness)).toMatchObject({ ended: true, step: 'passed' });
    expect(harness.queues.followed.has(TOPIC)).toBe(false);
  });

  test('is edited at once when its stage changes, else every five minutes, and after an hour every hour', async () => {
    const harness = await watching();
    const start = harness.clock.now();
    const editedAt: number[] = [];
    await checked(harness, { after: 0, stage: 'live', isNew: true, edge: '0' });
    for (let minute = 1; minute <= 200; minute += 1) {
      const before = harness.to.edited.length;
      await pass(harness, MINUTE);
      await checked(harness, { after: 0, stage: minute < 30 ? 'live' : 'twap', edge: String(minute) });
      await passTo(harness, harness.clock.now());
      if (harness.to.edited.length > before) editedAt.push(Math.round((harness.clock.now() - start) / MINUTE));
    }
    const pauses = editedAt.map((at, index) => at - (editedAt[index - 1] ?? 0));
    expect(editedAt).toContain(30);
    const paced = pauses.filter((_, index) => editedAt[index] !== 30);
    expect(Math.min(...paced)).toBeGreaterThanOrEqual(EDIT_PAUSE / MINUTE);
    expect(pauses.slice(-2)).toEqual([LATER_EDIT_PAUSE / MINUTE, LATER_EDIT_PAUSE / MINUTE]);
  });

  test('that goes to and fro between stages is edited no more often than its figures', async () => {
    const harness = await watching();
    const editedAt: number[] = [];
    const start = harness.clock.now();
    await checked(harness, { after: 0, stage: 'live', isNew: true });
    for (let minute = 1; minute <= 240; minute += 1) {
      const before = harness.to.edited.length;
      await pass(harness, MINUTE);
      await checked(harness, { after: 0, stage: minute % 2 === 0 ? 'live' : 'created', edge: String(minute) });
      await passTo(harness, harness.clock.now());
      if (harness.to.edited.length > before) editedAt.push(Math.round((harness.clock.now() - start) / MINUTE));
    }
    const pauses = editedAt.slice(1).map((at, index) => at - (editedAt[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(EDIT_PAUSE / MINUTE);
    expect(Math.min(...pauses.slice(-2))).toBeGreaterThanOrEqual(LATER_EDIT_PAUSE / MINUTE);
  });

  test('is forgotten when a chat has too many, those that ended first', () => {
    const at = handClock().now();
    const member = (index: number) => ({ event: `proposals/tide/${index}/live`, entry: 'tide', queuedAt: at });
    let queue = emptyQueue(CHAT);
    for (let index = 0; index <= 1_000; index += 1)
      queue = posted(queue, {
        shown: { topic: String(index), feed: 'proposals', version: 'v', step: 'live', ...(index === 900 ? { ended: true } : {}) },
        ...{ members: [member(index)], delivery: `d${index}`, messageId: `m${index}`, at: later(at, index) },
      });
    const topics = Object.keys(queue.live ?? {});
    expect([topics.length, topics.includes('900'), topics.includes('1000')]).toEqual([MAX_LIVE, false, true]);
    expect(JSON.stringify(queue).length).toBeLessThan(100_000);
  });

  test('stands apart from what else happens at the same time', async () => {
    const harness = await watching();
    await checked(harness, { after: 0, stage: 'live', isNew: true });
    await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now()));
    await pass(harness, MINUTE);
    expect(
      harness.queues
        .read(CHAT)
        .receipts.map(({ members }) => members.length)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2]);
  });

  test('that is already decided when it is first reported is an alert as before', async () => {
    const harness = await watching();
    await checked(harness, { after: 0, stage: 'passed', isNew: true, edge: '2' });
    await pass(harness, MINUTE);
    expect(harness.to.shown).toHaveLength(1);
    expect(messageOf(harness)).toBeUndefined();
  });

  test('comes as separate messages where the platform cannot edit', async () => {
    const harness = await openAlertsHarness();
    await harness.watch(TIDE);
    await live(harness, LIFE);
    expect(harness.to.shown).toHaveLength(5);
    expect(harness.queues.read(CHAT).live).toBeUndefined();
  });

  test.each([
    [['off'], 5, 0],
    [['none'], 1, 1],
    [['resolved'], 2, 1],
  ] as const)('with updates %j comes as %i messages', async (updates, messages, edits) => {
    const harness = await watching({ rules: { proposals: { filters: { updates }, thresholds: [] } } });
    await live(harness, LIFE);
    expect(harness.to.shown).toHaveLength(messages);
    expect(Math.min(1, harness.to.edited.length)).toBe(edits);
  });
});

describe('edits', () => {
  test('go on under a mute, which holds the notices back', async () => {
    const harness = await watching();
    await live(harness, LIFE.slice(0, 1));
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), DAY) }));
    await live(harness, LIFE.slice(1, 5));
    expect(harness.to.shown).toHaveLength(1);
    expect(messageOf(harness)).toMatchObject({ step: 'twap' });
  });

  test('begin after a mute with one message of what is current then', async () => {
    const harness = await watching();
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
    await live(harness, LIFE.slice(0, 5));
    expect(harness.to.shown).toEqual([]);
    await pass(harness, 2 * HOUR);
    expect(harness.to.shown).toHaveLength(1);
    expect(messageOf(harness)).toMatchObject({ step: 'twap', members: { length: 3 } });
  });

  test('stop when the chat unwatches, and a later watch begins another message', async () => {
    const harness = await watching();
    await live(harness, LIFE.slice(0, 2));
    const before = harness.to.edited.length;
    await harness.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await live(harness, LIFE.slice(2, 6));
    expect(harness.to.edited).toHaveLength(before);
    await harness.watch(TIDE, { since: harness.clock.now() });
    await live(harness, LIFE.slice(7, 8));
    const ids = new Set(harness.to.tried.map(({ id }) => id));
    expect(ids.has(messageOf(harness)?.messageId ?? '')).toBe(true);
    expect(harness.to.tried.at(-1)?.replyTo).toBeUndefined();
  });

  test('stop while the bot is not in the chat', async () => {
    const harness = await watching();
    await live(harness, LIFE.slice(0, 2));
    const before = harness.to.edited.length;
    await harness.reachability.take({ kind: 'gone', chat: CHAT, because: 'removed' });
    await live(harness, LIFE.slice(2, 6));
    expect(harness.to.edited).toHaveLength(before);
  });

  test('that the platform limits are made later, with what is current then', async () => {
    const harness = await watching();
    await live(harness, LIFE.slice(0, 2));
    harness.to.editAnswers({ kind: 'later', because: 'edits-limited' });
    const before = harness.to.edited.length;
    await live(harness, LIFE.slice(4, 5));
    expect(harness.to.edited).toHaveLength(before);
    await checked(harness, { after: 0, stage: 'twap', edge: '1.3' });
    await pass(harness, HOUR);
    expect(harness.to.edited.slice(before)).toHaveLength(1);
    expect(messageOf(harness)).toMatchObject({ version: 'twap 1.3' });
  });

  test('of a message that people deleted post it once more, silently and under another id, and then leave it alone', async () => {
    const harness = await watching();
    await live(harness, LIFE.slice(0, 2));
    const [first] = harness.to.tried;
    harness.to.delete(first?.id ?? '');
    await live(harness, LIFE.slice(4, 5));
    const again = harness.to.tried.at(-1);
    expect(again).toMatchObject({ silent: true });
    expect(again?.id).not.toBe(first?.id);
    expect(messageOf(harness)).toMatchObject({ messageId: again?.id, recreated: true });
    harness.to.delete(again?.id ?? '');
    const sent = harness.to.tried.length;
    await live(harness, [
      { after: 2 * HOUR, stage: 'twap', edge: '3' },
      { after: 2 * HOUR, stage: 'twap', edge: '4' },
    ]);
    expect(harness.to.tried).toHaveLength(sent);
    expect(messageOf(harness)).not.toHaveProperty('messageId');
  });

  test('follow a chat that moved: the message is posted again there', async () => {
    const harness = await watching();
    await live(harness, LIFE.slice(0, 2));
    await harness.reachability.take({ kind: 'moved', from: CHAT, to: ELSEWHERE });
    await passTo(harness, later(harness.clock.now(), MINUTE), ELSEWHERE);
    expect(messageOf(harness)).toBeUndefined();
    expect(messageOf(harness, ELSEWHERE)).toMatchObject({ step: 'live', messageId: harness.to.tried.at(-1)?.id });
    await checked(harness, { after: 0, stage: 'twap', edge: '3' });
    await passTo(harness, later(harness.clock.now(), MINUTE), ELSEWHERE);
    expect(harness.to.edited.at(-1)?.id).toBe(harness.to.tried.at(-1)?.id);
  });
});

test('a chat forgets a live message a week after its topic ended, and an idle one writes nothing', async () => {
  const harness = await watching();
  await live(harness, LIFE);
  const queue = harness.queues.read(CHAT);
  expect(withoutOldLive(queue, later(harness.clock.now(), LIVE_KEPT - HOUR))).toBe(queue);
  expect(withoutOldLive(queue, later(harness.clock.now(), LIVE_KEPT)).live).toEqual({});
  await harness.topics.sweep(later(harness.clock.now(), 8 * DAY), harness.queues.followed.has);
  expect(harness.topics.read(TOPIC)).toBeUndefined();
});

test('a process that dies at any write ends with the same messages, each event once and the result shown', async () => {
  const lived = await life(Number.POSITIVE_INFINITY, false);
  expect(lived.texts).toHaveLength(4);
  for (const { until, written } of deaths(lived.writes))
    expect({ until, written, ...(await life(until, written)) }).toMatchObject({ until, written, texts: lived.texts });

  /** One life that dies at its write number `until`, and one after it. */
  async function life(until: number, written: boolean): Promise<{ texts: readonly string[]; writes: number }> {
    const [base, to, clock] = [await openStore('memory://'), platform({ edits: true }), handClock()];
    const first = await openAlertsHarness({ store: base, to, clock });
    await first.watch(TIDE);
    const times = LIFE.map((_, index) =>
      later(
        clock.now(),
        LIFE.slice(0, index + 1).reduce((sum, { after }) => sum + after, 0),
      ),
    );
    const dying = crashStore(base, { until, written });
    let harness = await openAlertsHarness({ store: dying, to, clock });
    const step = async (index: number): Promise<void> => {
      const [at, check] = [times[index], LIFE[index]];
      if (at === undefined || check === undefined) return;
      await passTo(harness, at);
      await checked(harness, check, at);
      // Alerts are not late because of the kill.
      await passTo(harness, later(at, MINUTE));
    };
    for (const [index] of LIFE.entries())
      await step(index).catch(async (cause: unknown) => {
        if (!(cause instanceof StoreCrash)) throw cause;
        harness = await openAlertsHarness({ store: base, to, clock });
        await step(index);
      });
    await pass(harness, HOUR);
    expect(harness.queues.read(CHAT)).toMatchObject({ waiting: [], live: { [TOPIC]: { ended: true } } });
    return { texts: lastTexts(harness), writes: dying.writes() };
  }
});
