import { expect, test } from 'vitest';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { createSamples } from '../../../src/alerts/delivery/sample.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { burn, CHAT, openAlertsHarness, TIDE } from '../harness.js';
import { now, toTheEnd } from './delivering.js';

async function openSamples() {
  const harness = await openAlertsHarness();
  return { ...harness, samples: createSamples({ feeds: FEEDS, ...harness }) };
}

test('the sample of each kind comes at once as a message of its own, which looks like a real one', async () => {
  const harness = await openSamples();
  const kinds = FEEDS.map(({ id }) => id);
  expect(await harness.samples.post(CHAT)).toEqual(kinds);
  for (const _ of kinds) await now(harness);
  expect(harness.to.shown).toHaveLength(kinds.length);
  for (const [index, { id, text }] of harness.to.shown.entries()) {
    expect(text).not.toContain('Sample');
    expect(text).toContain(`[Mute…: /mute ${kinds[index]}] [Why?: /why ${id}]`);
  }
  const { receipts } = harness.queues.read(CHAT);
  expect(receipts.map(({ end, members }) => [end, members.length])).toEqual(kinds.map(() => ['sent', 1]));
  expect(receipts.flatMap(({ members }) => members).every(({ sample, entry }) => sample === true && entry === '')).toBe(true);
});

test('a sample of one kind comes in a chat that watches nothing and is muted', async () => {
  const harness = await openSamples();
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
  expect(await harness.samples.post(CHAT, ['supply'])).toEqual(['supply']);
  await now(harness);
  expect(harness.to.shown.map(({ text }) => text)).toEqual([expect.stringMatching(/^▲ Example minted /u)]);
});

test('a chat that is forgotten before a sample is queued gets none, and leaves nothing', async () => {
  const harness = await openSamples();
  await harness.watch(TIDE);
  const archive = { ...harness.archive, keep: async () => harness.watchlists.forget(CHAT) };
  await createSamples({ feeds: FEEDS, ...harness, archive }).post(CHAT, ['supply']);
  expect(harness.queues.all()).toEqual([]);
});

test('of a kind that there is not, nothing is posted', async () => {
  const harness = await openSamples();
  expect(await harness.samples.post(CHAT, ['weather'])).toEqual([]);
  expect(harness.due()).toBeUndefined();
});

test('asked for again it comes again, and what it reports is kept for whoever asks why', async () => {
  const harness = await openSamples();
  await harness.samples.post(CHAT, ['growth']);
  await now(harness);
  await harness.clock.advance(MINUTE);
  await harness.samples.post(CHAT, ['growth']);
  await now(harness);
  expect(harness.to.shown).toHaveLength(2);
  for (const { members } of harness.queues.read(CHAT).receipts)
    for (const { event } of members) expect(await harness.archive.get(event)).toMatchObject({ feed: 'growth', id: event });
});

test('a sample neither joins the alerts nor delays them', async () => {
  const harness = await openSamples();
  await harness.watch(TIDE);
  await harness.announce(burn(1, harness.clock.now()));
  await harness.clock.advance(GATHER - 1);
  await harness.samples.post(CHAT, ['supply']);
  await now(harness);
  await toTheEnd(harness);
  expect(harness.to.shown.map(({ text }) => text.includes('Example'))).toEqual([true, false]);
});
