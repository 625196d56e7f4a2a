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

test('a sample of each kind comes at once, in one message that says what it is', async () => {
  const harness = await openSamples();
  const kinds = FEEDS.map(({ id }) => id);
  expect(await harness.samples.post(CHAT)).toEqual(kinds);
  await now(harness);
  expect(harness.to.shown).toHaveLength(1);
  const [{ id, text } = { id: '', text: '' }] = harness.to.shown;
  expect(text).toMatch(new RegExp(`^${kinds.length} samples, with invented data`, 'u'));
  expect(text).toContain(`[Why?: /why ${id}]`);
  const { receipts } = harness.queues.read(CHAT);
  expect(receipts).toMatchObject([{ end: 'sent', id }]);
  expect(receipts[0]?.members.every(({ sample, entry }) => sample === true && entry === '')).toBe(true);
});

test('a sample of one kind is titled "Sample", in a chat that watches nothing and is muted', async () => {
  const harness = await openSamples();
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
  expect(await harness.samples.post(CHAT, 'supply')).toEqual(['supply']);
  await now(harness);
  expect(harness.to.shown.map(({ text }) => text)).toEqual([expect.stringMatching(/^▲ Sample: /u)]);
});

test('a chat that is forgotten before a sample is queued gets none, and leaves nothing', async () => {
  const harness = await openSamples();
  await harness.watch(TIDE);
  const archive = { ...harness.archive, keep: async () => harness.watchlists.forget(CHAT) };
  await createSamples({ feeds: FEEDS, ...harness, archive }).post(CHAT, 'supply');
  expect(harness.queues.all()).toEqual([]);
});

test('of a kind that there is not, nothing is posted', async () => {
  const harness = await openSamples();
  expect(await harness.samples.post(CHAT, 'weather')).toEqual([]);
  expect(harness.due()).toBeUndefined();
});

test('asked for again it comes again, and what it reports is kept for whoever asks why', async () => {
  const harness = await openSamples();
  await harness.samples.post(CHAT, 'growth');
  await now(harness);
  await harness.clock.advance(MINUTE);
  await harness.samples.post(CHAT, 'growth');
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
  await harness.samples.post(CHAT, 'supply');
  await now(harness);
  await toTheEnd(harness);
  expect(harness.to.shown.map(({ text }) => text.includes('Sample'))).toEqual([true, false]);
});
