/** What changes while a message is being made, and what of several alerts in it decides. */
import { describe, expect, test } from 'vitest';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { sealNext } from '../../../src/alerts/delivery/sealing.js';
import { drop, enqueue, prepare } from '../../../src/alerts/queue/queue.js';
import { leftAlone, withLive } from '../../../src/alerts/queue/live-message.js';
import { muted, withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { plainText } from '../../../src/chat/plain-text.js';
import { reply } from '../../../src/chat/reply.js';
import { slug } from '../../../src/domain/scalars.js';
import { premium } from '../../../src/feeds/premium.js';
import { StoreError } from '../../../src/store/store.js';
import { burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { watching, type DeliveryHarness } from './delivering.js';
import { checked, LIFE, pass, TOPIC } from './live-topics.js';

const HERON = slug('heron');
const ADA = { kind: 'person', id: '42' } as const;
const CHART = { kind: 'shares', title: 'Premium', unit: 'usd', parts: [] } as const;

const sealedAfter = async (harness: DeliveryHarness, milliseconds: number, extra: Partial<DeliveryHarness['context']> = {}) =>
  sealNext(CHAT, later(harness.clock.now(), milliseconds), { ...harness.context, ...extra });

/** Its archive does this before it answers. */
const archiveThat = (harness: DeliveryHarness, act: () => Promise<unknown>) => ({
  ...harness.archive,
  get: async (id: string) => {
    await act();
    return harness.archive.get(id);
  },
});

async function withLiveMessage(extra: Parameters<DeliveryHarness['watch']>[1] = {}) {
  const harness = await openAlertsHarness({ to: platform({ edits: true }) });
  await harness.watch(TIDE, extra);
  return harness;
}

describe('while a message is made', () => {
  test('an alert of it that goes leaves the others waiting, for a message without it', async () => {
    const harness = await watching(2);
    const [first] = harness.queues.read(CHAT).waiting;
    const at = harness.clock.now();
    const archive = archiveThat(harness, async () =>
      harness.queues.change(CHAT, (queue) => drop(queue, { members: first === undefined ? [] : [first], now: at, because: 'x' })),
    );
    expect(await sealedAfter(harness, GATHER, { archive })).toBeUndefined();
    expect(harness.queues.read(CHAT).waiting.map(({ event }) => event)).toEqual(['supply/tide/2']);
    expect((await sealedAfter(harness, GATHER))?.members).toHaveLength(1);
  });

  test('a chat that the bot leaves gets nothing, and what waits still waits', async () => {
    const harness = await watching();
    const { crossings, ...event } = premium.sample(harness.clock.now());
    await harness.archive.keep({ ...event, id: 'premium/tide/1', project: slug('tide') });
    const member = { event: 'premium/tide/1', entry: 'tide', queuedAt: harness.clock.now(), ...(crossings && { crossings }) };
    await harness.queues.change(CHAT, (queue) => enqueue(queue, [member]));
    const drawn: string[] = [];
    const prepareIt = async ({ title }: { readonly title: string }) => {
      drawn.push(title);
      await harness.watchlists.change(CHAT, (chat) => ({ ...chat, left: { at: harness.clock.now(), because: 'removed' } }));
    };
    expect(await sealedAfter(harness, GATHER, { prepare: prepareIt })).toBeUndefined();
    expect(drawn).toHaveLength(1);
    expect(harness.queues.read(CHAT)).toMatchObject({ waiting: [{ event: 'premium/tide/1' }] });
    expect(harness.queues.read(CHAT).open).toBeUndefined();
  });

  test.each(['left', 'muted'] as const)('a digest stays where it is once the chat is %s', async (how) => {
    const harness = await watching();
    const at = harness.clock.now();
    const digest = {
      id: 'one',
      summary: 'Daily digest',
      reply: reply({ finding: ['one'], chart: CHART }),
      queuedAt: at,
      until: later(at, HOUR),
    };
    await harness.queues.change(CHAT, (queue) => prepare(queue, digest));
    const change = async () =>
      harness.watchlists.change(CHAT, (chat) =>
        how === 'left' ? { ...chat, left: { at, because: 'removed' } } : muted(chat, { until: later(at, 30 * MINUTE) }),
      );
    expect(await sealedAfter(harness, 0, { prepare: async () => void (await change()) })).toBeUndefined();
    expect(harness.queues.read(CHAT).prepared?.map(({ id }) => id)).toEqual(['one']);
  });

  test.each([
    ['has no chart', 0, undefined],
    ['comes too late', 2 * HOUR, CHART],
  ])('nothing is drawn for a digest that %s', async (_, wait, chart) => {
    const harness = await watching();
    const at = harness.clock.now();
    const digest = { id: 'one', summary: 'Daily digest', reply: reply({ finding: ['one'], chart }), queuedAt: at, until: later(at, HOUR) };
    await harness.queues.change(CHAT, (queue) => prepare(queue, digest));
    const drawn: unknown[] = [];
    const sealed = await sealedAfter(harness, wait, { prepare: async (one) => void drawn.push(one) });
    expect([drawn, sealed?.id]).toEqual([[], wait === 0 ? 'one' : undefined]);
  });

  test('a live message that the chat no longer has is not posted again', async () => {
    const harness = await withLiveMessage();
    await checked(harness, { after: 0, stage: 'live', isNew: true });
    await pass(harness, MINUTE);
    harness.to.delete(harness.to.shown[0]?.id ?? '');
    await checked(harness, { after: 0, stage: 'live', edge: '0.4' });
    const forget = async () => harness.queues.change(CHAT, (queue) => withLive(queue, TOPIC, () => undefined));
    const again = { because: 'deleted', since: harness.clock.now() } as const;
    await harness.queues.change(CHAT, (queue) => withLive(queue, TOPIC, (message) => ({ ...leftAlone(message), again })));
    expect(await sealedAfter(harness, HOUR, { archive: archiveThat(harness, forget) })).toBeUndefined();
    expect(harness.queues.read(CHAT).open).toBeUndefined();
  });

  test('a live message whose topic can no longer be read is given up', async () => {
    const harness = await withLiveMessage();
    await checked(harness, { after: 0, stage: 'live', isNew: true });
    await pass(harness, MINUTE);
    const again = { because: 'deleted', since: harness.clock.now() } as const;
    await harness.queues.change(CHAT, (queue) => withLive(queue, TOPIC, (message) => ({ ...leftAlone(message), again })));
    const topics = { ...harness.topics, read: () => undefined };
    expect(await sealedAfter(harness, HOUR, { topics })).toBeUndefined();
    expect(harness.queues.read(CHAT).open).toBeUndefined();
    expect(harness.queues.read(CHAT).live?.[TOPIC]).toMatchObject({ step: 'live' });
    expect(harness.queues.read(CHAT).live?.[TOPIC]).not.toHaveProperty('again');
  });

  test('a step that a live message shows gets its receipt, and no message', async () => {
    const harness = await withLiveMessage();
    for (const check of LIFE.slice(0, 2)) await checked(harness, check);
    await pass(harness, MINUTE);
    await checked(harness, { after: 0, stage: 'twap', isNew: true, edge: '1.1' });
    expect(await sealedAfter(harness, 0)).toBeUndefined();
    expect(harness.queues.read(CHAT)).toMatchObject({ waiting: [], receipts: [{ members: [{ event: `${TOPIC}/twap` }], live: true }, {}] });
  });
});

describe('what cannot be sent', () => {
  test('is dropped each for its own reason', async () => {
    const harness = await watching(1);
    await harness.watch({ kind: 'project', slug: HERON });
    await harness.announce(burn(2, harness.clock.now(), { project: HERON }));
    await harness.watch(TIDE, { modes: { supply: 'off' } });
    await harness.watchlists.change(CHAT, (chat) => withoutEntry(chat, { kind: 'project', slug: HERON }));
    expect(await sealedAfter(harness, GATHER)).toBeUndefined();
    const ends = harness.queues.read(CHAT).receipts.map(({ because, members }) => [because, members.map(({ event }) => event)]);
    expect(new Map(ends as [string, string[]][])).toEqual(
      new Map([
        ['its kind was switched off', ['supply/tide/1']],
        ['no longer watched', ['supply/tide/2']],
      ]),
    );
    expect(harness.queues.read(CHAT).waiting).toEqual([]);
  });

  test('for its age says which age, of each entry its own, and what is young comes', async () => {
    const harness = await watching();
    const at = harness.clock.now();
    const since = later(at, -20 * HOUR);
    await harness.watch(TIDE, { maxAgeHours: 5, since });
    await harness.watch({ kind: 'project', slug: HERON }, { maxAgeHours: 7, since });
    const old = (amount: number, hours: number, project: ReturnType<typeof slug>) =>
      burn(amount, at, { project, occurredAt: later(at, -hours * HOUR) });
    await harness.announceLate('service', old(1, 6, slug('tide')), old(2, 8, HERON), old(3, 6, HERON));
    const sealed = await sealedAfter(harness, 10 * MINUTE);
    expect(sealed?.members.map(({ event }) => event)).toEqual(['supply/tide/3']);
    const ends = harness.queues.read(CHAT).receipts.map(({ end, because, members }) => [end, because, members.map(({ event }) => event)]);
    expect(ends.toSorted(([, a = ''], [, b = '']) => (a < b ? -1 : 1))).toEqual([
      ['expired', 'it was older than 5 h, its maximum age, when it could be sent', ['supply/tide/1']],
      ['expired', 'it was older than 7 h, its maximum age, when it could be sent', ['supply/tide/2']],
    ]);
  });

  test('since its document is unreadable is receipted, and blocks nothing behind it', async () => {
    const harness = await watching(2);
    const archive = {
      ...harness.archive,
      get: async (id: string) =>
        id === 'supply/tide/1' ? Promise.reject(new StoreError('unreadable', 'store: no JSON')) : harness.archive.get(id),
    };
    expect((await sealedAfter(harness, GATHER, { archive }))?.members.map(({ event }) => event)).toEqual(['supply/tide/2']);
    expect(harness.queues.read(CHAT).receipts).toMatchObject([{ end: 'dropped', because: 'the event can no longer be read' }]);
  });
});

describe('of several alerts', () => {
  test('a correction that has a message of its own replies to what it corrects, and many together to none', async () => {
    const repliesOf = async (many: number) => {
      const harness = await watching();
      const events = Array.from({ length: many }, (_, index) => burn(index + 1, harness.clock.now()));
      for (const event of events) await harness.archive.keep(event);
      const corrects = (id: string) => ({ event: `${id}/before`, messageId: `message of ${id}`, followsUp: true }) as const;
      const members = events.map(({ id }) => ({ event: id, entry: 'tide', queuedAt: harness.clock.now(), corrects: corrects(id) }));
      await harness.queues.change(CHAT, (queue) => enqueue(queue, members));
      const sealed = await sealedAfter(harness, GATHER);
      return [sealed?.members.length, sealed?.replyTo];
    };
    expect(await repliesOf(1)).toEqual([1, 'message of supply/tide/1']);
    expect(await repliesOf(2)).toEqual([1, 'message of supply/tide/1']);
    expect(await repliesOf(4)).toEqual([4, undefined]);
  });

  test('a catch-up counts what was not kept and could still be alerted, by the longest age of the chat', async () => {
    const harness = await watching();
    const at = harness.clock.now();
    await harness.watch(TIDE, { maxAgeHours: 5, mutedUntil: later(at, HOUR) });
    await harness.watch({ kind: 'project', slug: HERON }, { maxAgeHours: 9 });
    await harness.announce(burn(1, at));
    const dropped = (hours: number, many: number) => ({ at: later(at, -HOUR), newest: later(at, -hours * HOUR), count: many });
    await harness.queues.change(CHAT, (queue) => ({ ...queue, droppedAway: [dropped(12, 4_000), dropped(7, 30), dropped(2, 6)] }));
    const sealed = await sealedAfter(harness, HOUR + GATHER);
    expect(sealed && plainText(sealed.reply, at)).toContain('36 earlier');
  });

  test('the message may wait as long as the one that may wait longest', async () => {
    const harness = await watching();
    await harness.watch(TIDE, { maxAgeHours: 5 });
    await harness.watch({ kind: 'project', slug: HERON }, { maxAgeHours: 9 });
    await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now(), { project: HERON }));
    expect(await sealedAfter(harness, GATHER)).toMatchObject({ maxAge: 9 * HOUR - GATHER, members: [{}, {}] });
  });

  test.each([
    [{}, undefined, [ADA]],
    [{ modes: { proposals: 'silent' } } as const, true, []],
  ])('a live message rings as its entry says: %j', async (extra, silent, mentions) => {
    const harness = await withLiveMessage({ ...extra, mentions: [ADA], maxAgeHours: 5 });
    await checked(harness, { after: 0, stage: 'live', isNew: true });
    const sealed = await sealedAfter(harness, GATHER);
    expect([sealed?.silent, sealed?.reply.mentions, sealed?.maxAge]).toEqual([silent, mentions, 5 * HOUR - GATHER]);
  });

  test('a live message that is posted again is silent, has its whole age before it, and says that it was', async () => {
    const harness = await withLiveMessage({ mentions: [ADA], maxAgeHours: 5 });
    await checked(harness, { after: 0, stage: 'live', isNew: true });
    await pass(harness, MINUTE);
    const withAgain = async (because: 'deleted' | 'moved', isRecreated: boolean) => {
      const again = { because, since: harness.clock.now() };
      await harness.queues.change(CHAT, (queue) =>
        withLive({ ...queue, open: undefined }, TOPIC, (message) => ({
          ...{ ...leftAlone(message), again },
          recreated: isRecreated ? true : undefined,
        })),
      );
      return sealedAfter(harness, 2 * HOUR);
    };
    const deleted = await withAgain('deleted', false);
    expect(deleted).toMatchObject({ silent: true, maxAge: 5 * HOUR, reply: { mentions: [] }, shows: { recreated: true } });
    expect((await withAgain('moved', true))?.shows?.recreated).toBe(true);
    expect((await withAgain('moved', false))?.shows?.recreated).toBeUndefined();
  });
});
