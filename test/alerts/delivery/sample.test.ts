import { expect, test } from 'vitest';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { createSamples } from '../../../src/alerts/delivery/sample.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { burn, CHAT, openAlertsHarness, TIDE } from '../harness.js';
import { now, toTheEnd } from './delivering.js';

async function openSamples() {
  const desk = await openAlertsHarness();
  return { ...desk, samples: createSamples({ feeds: FEEDS, ...desk }) };
}

test('a sample of each kind comes at once, in one message that says what it is', async () => {
  const desk = await openSamples();
  const kinds = FEEDS.map(({ id }) => id);
  expect(await desk.samples.post(CHAT)).toEqual(kinds);
  await now(desk);
  expect(desk.to.shown).toHaveLength(1);
  const [{ id, text } = { id: '', text: '' }] = desk.to.shown;
  expect(text).toMatch(new RegExp(`^${kinds.length} samples, with invented data`, 'u'));
  expect(text).toContain(`[Why?: /why ${id}]`);
  const { receipts } = desk.queues.read(CHAT);
  expect(receipts).toMatchObject([{ end: 'sent', id }]);
  expect(receipts[0]?.members.every(({ sample, entry }) => sample === true && entry === '')).toBe(true);
});

test('a sample of one kind is titled "Sample", in a chat that watches nothing and is muted', async () => {
  const desk = await openSamples();
  await desk.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(desk.clock.now(), HOUR) }));
  expect(await desk.samples.post(CHAT, 'supply')).toEqual(['supply']);
  await now(desk);
  expect(desk.to.shown.map(({ text }) => text)).toEqual([expect.stringMatching(/^▲ Sample: /u)]);
});

test('a chat that is forgotten before a sample is queued gets none, and leaves nothing', async () => {
  const desk = await openSamples();
  await desk.watch(TIDE);
  const archive = { ...desk.archive, keep: async () => desk.watchlists.forget(CHAT) };
  await createSamples({ feeds: FEEDS, ...desk, archive }).post(CHAT, 'supply');
  expect(desk.queues.all()).toEqual([]);
});

test('of a kind that there is not, nothing is posted', async () => {
  const desk = await openSamples();
  expect(await desk.samples.post(CHAT, 'weather')).toEqual([]);
  expect(desk.due()).toBeUndefined();
});

test('asked for again it comes again, and what it reports is kept for whoever asks why', async () => {
  const desk = await openSamples();
  await desk.samples.post(CHAT, 'growth');
  await now(desk);
  await desk.clock.advance(MINUTE);
  await desk.samples.post(CHAT, 'growth');
  await now(desk);
  expect(desk.to.shown).toHaveLength(2);
  for (const { members } of desk.queues.read(CHAT).receipts)
    for (const { event } of members) expect(await desk.archive.get(event)).toMatchObject({ feed: 'growth', id: event });
});

test('a sample neither joins the alerts nor delays them', async () => {
  const desk = await openSamples();
  await desk.watch(TIDE);
  await desk.announce(burn(1, desk.clock.now()));
  await desk.clock.advance(GATHER - 1);
  await desk.samples.post(CHAT, 'supply');
  await now(desk);
  await toTheEnd(desk);
  expect(desk.to.shown.map(({ text }) => text.includes('Sample'))).toEqual([true, false]);
});
