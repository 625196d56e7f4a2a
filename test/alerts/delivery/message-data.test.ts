import { expect, test } from 'vitest';
import { createSamples } from '../../../src/alerts/delivery/sample.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { CORRECTED_STAGE } from '../../../src/feeds/feed.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { checked, pass, type LiveHarness } from './live-topics.js';

async function watching(): Promise<LiveHarness> {
  const harness = await openAlertsHarness({ to: platform({ edits: true }) });
  await harness.watch(TIDE);
  return harness;
}

const vanished = (event: FeedEvent): FeedEvent => {
  const { occurredAt: _, ...rest } = event;
  return { ...rest, id: `${event.id}/vanished`, stage: CORRECTED_STAGE, corrects: { event: event.id } };
};

test('a delivery has its events as data: kind, stage, size, the entry that matched, and the moment it was composed', async () => {
  const harness = await watching();
  const start = harness.clock.now();
  harness.to.answers({ kind: 'unclear', because: 'timeout' });
  await harness.announce(burn(120, start), burn(7, start));
  await pass(harness, HOUR);
  const [first, second] = harness.to.tried.map(({ about }) => about);
  expect(first).toMatchObject({ kind: 'alert', count: 2 });
  expect(second?.at).toBe(first?.at);
  const events = await second?.events();
  expect(events?.map(({ size }) => size.amount).toSorted()).toEqual(['120', '7']);
  expect(events?.[0]).toMatchObject({ feed: 'supply', stage: 'burn', project: 'tide', entry: 'tide', size: { symbol: 'TIDE' } });
  expect(events?.[0]?.corrects).toBeUndefined();
});

test('a sample says so, with one event of each kind and its crossings', async () => {
  const harness = await watching();
  await createSamples({ feeds: FEEDS, ...harness }).post(CHAT);
  await pass(harness, HOUR);
  const [{ about } = {}] = harness.to.tried;
  const events = (await about?.events()) ?? [];
  expect(about?.kind).toBe('sample');
  expect(new Set(events.map(({ feed }) => feed))).toEqual(new Set(FEEDS.map(({ id }) => id)));
  expect(events.filter(({ crossings }) => crossings !== undefined).length).toBeGreaterThan(1);
});

test('an edit of a live message has one id for its attempts, another for the next edit, and the topic as its event', async () => {
  const harness = await watching();
  await checked(harness, { after: 0, stage: 'live', isNew: true, edge: '0.4' });
  await pass(harness, 10 * MINUTE);
  harness.to.editAnswers({ kind: 'later', because: 'unreachable' }, { kind: 'later', because: 'unreachable' });
  // There, back and there again: equal content is still another edit.
  for (const edge of ['0.6', '0.4', '0.6']) {
    await checked(harness, { after: 0, stage: 'live', edge });
    await pass(harness, 10 * MINUTE);
  }
  const ids = harness.to.editsTried.map(({ id }) => id);
  expect(ids).toHaveLength(5);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(new Set(ids.slice(2)).size).toBe(3);
  const { about } = harness.to.editsTried.at(-1) ?? {};
  expect(about?.kind).toBe('update');
  expect(await about?.events()).toMatchObject([
    { feed: 'proposals', stage: 'live', topic: 'proposals/tide/9xQ', facts: { passEdge: '0.6' } },
  ]);
});

test('a correction names what it corrects; an event that corrects one that was no alert here does not', async () => {
  const harness = await watching();
  const event = burn(1, harness.clock.now());
  await harness.announce(event);
  await pass(harness, MINUTE);
  await harness.announce(vanished(event));
  await pass(harness, MINUTE);
  const { about } = harness.to.editsTried.at(-1) ?? {};
  expect(about?.kind).toBe('correction');
  expect(await about?.events()).toMatchObject([{ id: event.id, corrects: { event: event.id } }]);
  const restated = { ...event, id: 'growth/tide/x', feed: 'growth', topic: 'growth/tide/x', stage: 'restated', project: slug('tide') };
  const facts = { name: 'Tidewater', metric: { id: 'daily-traders' }, day: '2026-11-19', value: '118', was: '120' };
  await harness.announce({ ...restated, facts, corrects: { event: 'growth/tide/y', was: '120', now: '118' } });
  await pass(harness, MINUTE);
  const last = await harness.to.tried.at(-1)?.about?.events();
  expect(last).toMatchObject([{ feed: 'growth' }]);
  expect(last?.[0]?.corrects).toBeUndefined();
});

test('an event that cannot be read any more is left out, and still counted', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  await pass(harness, MINUTE);
  const [{ about } = {}] = harness.to.tried;
  expect(await about?.events()).toHaveLength(1);
  await harness.archive.sweep(later(harness.clock.now(), 1_000 * DAY), () => false);
  expect(await about?.events()).toEqual([]);
  expect(about?.count).toBe(1);
});
