import { expect, test } from 'vitest';
import { z } from 'zod';
import { revise } from '../../../src/alerts/delivery/edits-of-sent.js';
import { correctionsFor } from '../../../src/alerts/queue/who-was-alerted.js';
import { adopt, drop, emptyQueue } from '../../../src/alerts/queue/queue.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { slug } from '../../../src/domain/scalars.js';
import { CORRECTED_STAGE } from '../../../src/feeds/event-content.js';
import { createWhy } from '../../../src/alerts/explanation/explain.js';
import { openStore } from '../../../src/store/open.js';
import { StoreError } from '../../../src/store/store.js';
import { handClock } from '../../support/clock.js';
import { crashStore, falseIfCrashed } from '../crash-store.js';
import { burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { checked, ELSEWHERE, pass, TOPIC as PROPOSAL, type LiveHarness } from '../delivery/live-topics.js';

async function watching(options: Parameters<typeof openAlertsHarness>[0] = {}): Promise<LiveHarness> {
  const harness = await openAlertsHarness({ to: platform({ edits: true }), ...options });
  await harness.watch(TIDE);
  return harness;
}

const TOPIC = 'growth/tide/daily-traders/2026-11-19';
const growth = (value: string, detectedAt: FeedEvent['detectedAt'], was?: string): FeedEvent => ({
  ...{ id: was === undefined ? TOPIC : `${TOPIC}/${was}>${value}`, topic: TOPIC, feed: 'growth', project: slug('tide'), detectedAt },
  stage: was === undefined ? 'value' : 'restated',
  facts: { name: 'Tidewater', metric: { id: 'daily-traders' }, day: '2026-11-19', value, ...(was === undefined ? {} : { was }) },
  ...(was === undefined ? {} : { corrects: { event: TOPIC, was, now: value } }),
});
const vanished = (amount: number, at: FeedEvent['detectedAt']): FeedEvent => {
  const { occurredAt: _, ...event } = burn(amount, at);
  return { ...event, id: `${event.id}/vanished`, stage: CORRECTED_STAGE, corrects: { event: event.id } };
};

const announced = async (harness: LiveHarness, ...events: readonly FeedEvent[]): Promise<void> => {
  await harness.announce(...events);
  await pass(harness, MINUTE);
};
const explained = async (harness: LiveHarness) =>
  createWhy({ ...harness, now: () => harness.clock.now() }).ofDelivery(CHAT, harness.to.tried[0]?.id ?? '');

test('a restated growth day edits its alert, and a second one marks the first and the last value', async () => {
  const harness = await watching();
  await announced(harness, growth('120', harness.clock.now()));
  await announced(harness, growth('118', harness.clock.now(), '120'));
  expect(harness.to.edited.at(-1)).toMatchObject({ id: harness.to.tried[0]?.id, text: expect.stringContaining('was 120, now 118') });
  await announced(harness, growth('117', harness.clock.now(), '118'));
  expect(harness.to.edited.at(-1)?.text).toContain('was 120, now 117');
  expect(harness.to.shown).toHaveLength(1);
  expect(await explained(harness)).toMatchObject([{ corrected: [expect.stringContaining('was 120, now 117')] }]);
  expect(harness.queues.read(CHAT).waiting).toEqual([]);
});

test('a restated day that was an alert of its own is edited when it is restated again', async () => {
  const harness = await watching();
  await announced(harness, growth('118', harness.clock.now(), '120'));
  await announced(harness, growth('117', harness.clock.now(), '118'));
  await announced(harness, growth('116', harness.clock.now(), '117'));
  expect(harness.to.shown).toHaveLength(1);
  expect(harness.to.edited.at(-1)?.text).toContain('was 118, now 116');
});

test('an edit for a corrected value recomputes what the alert compares with it', async () => {
  const harness = await watching();
  const compared = (event: FeedEvent, value: string): FeedEvent => ({
    ...event,
    facts: { ...event.facts, value, last: '110', weekMean: '100' },
  });
  await announced(harness, compared(growth('128', harness.clock.now()), '128'));
  expect(harness.to.shown[0]?.text).toMatch(/^▲ .*: 128 .*\n\+28\.0%/u);
  const restated = growth('90', harness.clock.now(), '128');
  const facts = { value: '90', last: '110', weekMean: '100' };
  await announced(harness, { ...restated, corrects: { event: TOPIC, was: '128', now: '90', facts } });
  const { text = '' } = harness.to.edited.at(-1) ?? {};
  expect(text).toContain('was 128, now 90');
  expect([text.includes('−10.0%'), text.includes('28.0%'), text.split('\n')[0]?.includes(': 90 ')]).toEqual([true, false, true]);
  const [event] = (await harness.to.editsTried.at(-1)?.about?.events()) ?? [];
  expect(event).toMatchObject({ facts, corrects: { was: '128', now: '90' } });
});

test('a launch whose numbers are corrected is followed up in the words of its stage', async () => {
  const harness = await watching({ to: platform() });
  const topic = 'launches/9xQ';
  const { occurredAt: _, ...event } = burn(1, harness.clock.now(), {
    ...{ id: `${topic}/complete`, feed: 'launches', topic, stage: 'complete' },
    facts: { address: '9xQ', name: 'Heron', accepted: '750000', committed: '960000' },
  });
  await announced(harness, event);
  const corrects = { event: event.id, was: '$750,000.00', now: '$740,000.00', stage: 'complete', facts: { accepted: '740000' } };
  const facts = { ...event.facts, ...corrects.facts };
  await announced(harness, { ...event, id: `${event.id}/v`, stage: CORRECTED_STAGE, corrects, facts });
  const text = harness.to.shown.at(-1)?.text ?? '';
  expect(harness.to.shown).toHaveLength(2);
  expect(text).toContain('$740K accepted of $960K committed');
  expect(text).not.toContain('corrected"');
});

test('of several events in one message the corrected one is marked, and the others stay as they are', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()), burn(2, harness.clock.now()));
  await announced(harness, vanished(2, harness.clock.now()));
  const lines = harness.to.edited.at(-1)?.text.split('\n') ?? [];
  expect(lines.filter((line) => line.includes('removed by the service')).map((line) => line.includes('burned 2 TIDE'))).toEqual([true]);
  expect(lines.some((line) => line.includes('burned 1 TIDE'))).toBe(true);
  expect(harness.to.shown).toHaveLength(1);
});

test('an alert that cannot be edited is followed up by a reply, once', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()));
  harness.to.editAnswers({ kind: 'lost', because: 'not-editable' });
  await announced(harness, vanished(1, harness.clock.now()), vanished(1, harness.clock.now()));
  expect(harness.to.tried.map(({ replyTo }) => replyTo)).toEqual([undefined, harness.to.tried[0]?.id]);
  expect(harness.to.shown[1]?.text).toContain('removed by the service');
  expect(harness.to.edited).toEqual([]);
});

test('on a platform without edits, and in totals, it follows up as well', async () => {
  const plain = await watching({ to: platform() });
  await announced(plain, burn(1, plain.clock.now()));
  await announced(plain, vanished(1, plain.clock.now()));
  expect(plain.to.tried.map(({ replyTo }) => replyTo)).toEqual([undefined, plain.to.tried[0]?.id]);
  const totals = await watching();
  await announced(totals, ...Array.from({ length: 12 }, (_, index) => burn(index + 1, totals.clock.now())));
  await announced(totals, vanished(3, totals.clock.now()));
  expect(totals.to.shown).toHaveLength(2);
});

test('of nine events in one message the corrected one is marked, and a summary is followed up', async () => {
  const nine = await watching();
  await announced(nine, ...Array.from({ length: 9 }, (_, index) => burn(index + 1, nine.clock.now())));
  await announced(nine, vanished(3, nine.clock.now()));
  expect([nine.to.shown.length, nine.to.edited.length]).toEqual([1, 1]);
  const summary = await watching();
  await summary.announceLate('service', burn(1, summary.clock.now()), burn(2, summary.clock.now()));
  await pass(summary, HOUR);
  await announced(summary, vanished(1, summary.clock.now()));
  expect([summary.to.shown.length, summary.to.edited.length]).toEqual([2, 0]);
});

test('a message of which an event can no longer be read loses no line: the correction follows up', async () => {
  const [store, to, clock] = [await openStore('memory://'), platform({ edits: true }), handClock()];
  const first = await watching({ store, to, clock });
  await announced(first, burn(1, clock.now()), burn(2, clock.now()));
  await store.collection({ prefix: 'event', version: 1, schema: z.unknown() }).delete('supply/tide/1');
  await announced(await openAlertsHarness({ store, to, clock }), vanished(2, clock.now()));
  expect([to.shown.length, to.edited.length]).toEqual([2, 0]);
});

test('a correction of an event whose message shows its topic live leaves that message as it is, and follows up', async () => {
  const harness = await watching();
  await checked(harness, { after: 0, stage: 'created', isNew: true });
  await pass(harness, MINUTE);
  const { occurredAt: _, ...event } = burn(1, harness.clock.now(), {
    feed: 'proposals',
    topic: PROPOSAL,
    facts: { name: 'Tidewater', title: 'x' },
  });
  await announced(harness, { ...event, id: `${PROPOSAL}/gone`, stage: CORRECTED_STAGE, corrects: { event: `${PROPOSAL}/created` } });
  expect([harness.to.edited, harness.to.tried.map(({ replyTo }) => replyTo)]).toEqual([[], [undefined, harness.to.tried[0]?.id]]);
});

test('a limited edit is made later, one of a deleted alert is not made', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()));
  harness.to.editAnswers({ kind: 'later', because: 'edits-limited' });
  await announced(harness, vanished(1, harness.clock.now()));
  expect(harness.to.edited).toEqual([]);
  await pass(harness, HOUR);
  expect(harness.to.edited).toHaveLength(1);
  await announced(harness, burn(2, harness.clock.now()));
  harness.to.delete(harness.to.tried[1]?.id ?? '');
  await announced(harness, vanished(2, harness.clock.now()));
  expect(harness.queues.read(CHAT)).toMatchObject({
    waiting: [],
    receipts: [{ end: 'dropped' }, { end: 'sent' }, { live: true }, { end: 'sent' }],
  });
});

test('edits under a mute, and a chat that was not alerted hears of a restated day as an alert of its own', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()));
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), DAY) }));
  await announced(harness, vanished(1, harness.clock.now()));
  expect(harness.to.edited).toHaveLength(1);
  const other = await watching();
  await announced(other, vanished(1, other.clock.now()), growth('118', other.clock.now(), '120'));
  expect(other.queues.read(CHAT).receipts.map(({ members }) => members.map(({ event }) => event))).toEqual([[`${TOPIC}/120>118`]]);
});

test('after a week nothing is corrected, and at a new address only followed up', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()));
  const queue = harness.queues.read(CHAT);
  expect(queue.receipts[0]).toHaveProperty('messageId');
  expect(adopt(emptyQueue(ELSEWHERE), queue).receipts[0]).not.toHaveProperty('messageId');
  await pass(harness, 8 * DAY);
  await announced(harness, vanished(1, harness.clock.now()));
  expect([harness.to.edited, harness.to.shown.length]).toEqual([[], 1]);
});

test('a process that dies at any write of a correction ends with one marked message', async () => {
  for (let until = 1, lived = false; !lived; until += 1)
    for (const written of [false, true]) {
      const [base, to, clock] = [await openStore('memory://'), platform({ edits: true }), handClock()];
      const first = await watching({ store: base, to, clock });
      await announced(first, growth('120', clock.now()));
      const correction = growth('118', clock.now(), '120');
      lived = await openAlertsHarness({ store: crashStore(base, { until, written }), to, clock })
        .then(async (harness) => announced(harness, correction))
        .then(() => true, falseIfCrashed);
      const after = await openAlertsHarness({ store: base, to, clock });
      await announced(after, correction);
      expect([until, written, to.shown.length, to.edited.length]).toEqual([until, written, 1, 1]);
    }
});

test('many corrections of a check read the receipts of a chat once', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()));
  let reads = 0;
  const queues = {
    read: harness.queues.read,
    receipts: async (chat: typeof CHAT) => {
      reads += 1;
      return harness.queues.receipts(chat);
    },
  };
  const now = harness.clock.now();
  const found = await correctionsFor(
    harness.watchlists.read(CHAT),
    Array.from({ length: 100 }, (_, index) => vanished(index + 1, now)),
    { queues, now },
  );
  expect([found.members.map(({ event }) => event), reads]).toEqual([['supply/tide/1/vanished'], 1]);
});

test('many corrections that cannot be edited are one message', async () => {
  const harness = await watching();
  const events = Array.from({ length: 40 }, (_, index) => burn(index + 1, harness.clock.now()));
  await announced(harness, ...events);
  expect(harness.to.shown).toHaveLength(1);
  await announced(harness, ...events.map((_, index) => vanished(index + 1, harness.clock.now())));
  await pass(harness, HOUR);
  expect(harness.to.shown).toHaveLength(2);
  expect(harness.to.shown[1]?.text).toContain('40 corrections of supply');
  expect(harness.queues.read(CHAT).waiting).toEqual([]);
});

test.each(['dropped', 'expired'] as const)('an alert that was %s gets no correction', async (end) => {
  const harness = await watching();
  const now = harness.clock.now();
  await harness.announce(burn(1, now));
  await harness.queues.change(CHAT, (queue) => drop(queue, { members: queue.waiting, now, end, because: 'the test says so' }));
  await announced(harness, vanished(1, now));
  expect([harness.to.shown, harness.queues.read(CHAT).waiting]).toEqual([[], []]);
});

test('an alert is corrected until it is seven days old', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()));
  await pass(harness, 7 * DAY - HOUR);
  await announced(harness, vanished(1, harness.clock.now()));
  expect(harness.to.edited).toHaveLength(1);
});

test('a correction that comes while its alert is being sent is not lost', async () => {
  const to = platform({ edits: true });
  const deliver: typeof to.notifier.deliver = async (...how) => {
    const outcome = await to.notifier.deliver(...how);
    if (to.tried.length === 1) await harness.announce(vanished(1, harness.clock.now()));
    return outcome;
  };
  const harness = await watching({ to: { ...to, notifier: { ...to.notifier, deliver } } });
  await announced(harness, burn(1, harness.clock.now()));
  expect(harness.to.shown).toHaveLength(2);
  expect(harness.to.shown[1]?.text).toContain('Corrected: removed by the service');
});

test('a correction whose storing fails has used its slot, so that the next attempt does not come too fast', async () => {
  const harness = await watching();
  await announced(harness, burn(1, harness.clock.now()));
  await harness.announce(vanished(1, harness.clock.now()));
  const ends: string[] = [];
  const slot = async () => ({
    answered: () => void ends.push('answered'),
    refused: () => void ends.push('refused'),
    unused: () => void ends.push('unused'),
  });
  const notifiers = harness.context.notifiers.map((notifier) => ({ ...notifier, slot }));
  const change = async () => Promise.reject(new StoreError('failed', 'store: the disk is full'));
  const failing = { ...harness.context, notifiers, queues: { ...harness.queues, change } };
  await harness.clock.advance(MINUTE);
  await expect(revise(CHAT, failing, harness.signal)).rejects.toThrow('the disk is full');
  expect(harness.to.edited).toHaveLength(1);
  expect(ends[0]).toBe('answered');
});
