/** What happens while an edit waits for its slot or is under way. */
import { expect, test } from 'vitest';
import { revise } from '../../../src/alerts/delivery/edits-of-sent.js';
import { posted } from '../../../src/alerts/queue/live-message.js';
import { muted } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import type { EditOutcome, Notifier } from '../../../src/chat/notifier.js';
import { CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { checked, LIFE, pass, TOPIC, type LiveHarness } from './live-topics.js';

/** A proposal whose market is live. `meanwhile` runs once, before the next edit is answered, and may answer it. */
async function watching() {
  const to = platform({ edits: true });
  let next: (() => Promise<EditOutcome | undefined>) | undefined;
  const revise: NonNullable<Notifier['revise']> = async (...how) => {
    const outcome = await to.notifier.revise?.(...how);
    const run = next;
    next = undefined;
    return (await run?.()) ?? outcome ?? { kind: 'lost', because: 'not-editable' };
  };
  const harness = await openAlertsHarness({ to: { ...to, notifier: { ...to.notifier, revise } } });
  await harness.watch(TIDE);
  for (const check of LIFE.slice(0, 2)) {
    await pass(harness, check.after);
    await checked(harness, check);
  }
  await pass(harness, MINUTE);
  return { harness, meanwhile: (run: typeof next) => void (next = run) };
}

const messageOf = ({ queues }: LiveHarness) => queues.read(CHAT).live?.[TOPIC];

test('a status that comes while an edit is under way is shown by another edit', async () => {
  const { harness, meanwhile } = await watching();
  const before = harness.to.edited.length;
  meanwhile(async () => {
    await checked(harness, { after: 0, stage: 'twap', edge: '1.9' });
    return undefined;
  });
  await checked(harness, { after: 0, stage: 'twap', edge: '1.1' });
  await pass(harness, HOUR);
  expect(harness.to.edited.slice(before)).toHaveLength(2);
  expect(messageOf(harness)).toMatchObject({ version: 'twap 1.9' });
});

test('an edit that finds its message deleted leaves alone the one that was posted meanwhile', async () => {
  const { harness, meanwhile } = await watching();
  const shown = { topic: TOPIC, feed: 'proposals', version: 'twap 1.0', step: 'twap' };
  meanwhile(async () => {
    const at = harness.clock.now();
    await harness.queues.change(CHAT, (queue) => posted(queue, { shown, members: [], delivery: 'another', messageId: 'another', at }));
    return { kind: 'lost', because: 'deleted' };
  });
  await checked(harness, { after: 0, stage: 'twap', edge: '1.1' });
  await revise(CHAT, harness.context, harness.signal);
  expect(messageOf(harness)).toMatchObject({ messageId: 'another' });
  expect(messageOf(harness)).not.toHaveProperty('again');
});

test('an edit whose slot comes when the process stops is not made, and gives its slot back', async () => {
  const { harness } = await watching();
  const stopping = new AbortController();
  let unused = 0;
  const slot = async () => {
    stopping.abort();
    return { answered: () => {}, refused: () => {}, unused: () => void (unused += 1) };
  };
  const notifiers = harness.context.notifiers.map((notifier) => ({ ...notifier, slot }));
  const before = harness.to.editsTried.length;
  await checked(harness, { after: 0, stage: 'twap', edge: '1.1' });
  await revise(CHAT, { ...harness.context, notifiers }, stopping.signal);
  expect([harness.to.editsTried.length - before, unused]).toEqual([0, 1]);
});

test('a message that people deleted under a mute is posted again when the mute ends', async () => {
  const { harness } = await watching();
  const sent = harness.to.tried.length;
  harness.to.delete(messageOf(harness)?.messageId ?? '');
  await harness.watchlists.change(CHAT, (chat) => muted(chat, { until: later(harness.clock.now(), HOUR) }));
  await checked(harness, { after: 0, stage: 'twap', edge: '1.1' });
  await pass(harness, HOUR - 1);
  expect(messageOf(harness)).toMatchObject({ again: { because: 'deleted' } });
  expect(harness.to.tried).toHaveLength(sent);
  await pass(harness, MINUTE);
  expect(harness.to.tried).toHaveLength(sent + 1);
});
