/** The wording of a live message from the first stage to the last, and of corrections: every message and every edit, in order. */
import { expect, test } from 'vitest';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import type { Notifier } from '../../src/chat/notifier.js';
import type { Reply } from '../../src/chat/reply.js';
import { clockTime } from '../../src/domain/format.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { slug } from '../../src/domain/scalars.js';
import { CORRECTED_STAGE } from '../../src/feeds/event-content.js';
import { handClock } from '../support/clock.js';
import { burn, openAlertsHarness, platform, TIDE } from '../alerts/harness.js';
import { checked, LIFE, pass, type LiveHarness } from '../alerts/delivery/live-topics.js';
import { transcript } from './render.js';

/** A chat that watches Tidewater, and what it is sent from now on. */
async function watching(): Promise<{ harness: LiveHarness; page: (title: string) => string }> {
  const clock = handClock();
  const parts: string[] = [];
  const note = (what: string, reply: Reply) =>
    void parts.push(`## ${clockTime(clock.now(), clock.now())}, ${what}\n\n${transcript(reply, clock.now())}`);
  const to = platform({ edits: true });
  const { revise } = to.notifier;
  const notifier: Notifier = {
    ...to.notifier,
    deliver: async (chat, delivery) => {
      note(delivery.replyTo === undefined ? 'a message' : 'a reply to the message', delivery.reply);
      return to.notifier.deliver(chat, delivery);
    },
    ...(revise === undefined
      ? {}
      : {
          revise: async (chat, edit) => {
            const outcome = await revise(chat, edit);
            if (outcome.kind === 'edited') note('an edit', edit.reply);
            return outcome;
          },
        }),
  };
  const harness = await openAlertsHarness({ clock, to: { ...to, notifier } });
  await harness.watch(TIDE);
  return { harness, page: (title) => `# ${title}\n\n${parts.join('\n\n')}\n` };
}

test('the wording of a proposal from its stake to its result is what the transcript says', async () => {
  const { harness, page } = await watching();
  const start = harness.clock.now();
  const [drafted, live, twap] = [0, 10 * MINUTE, 22 * MINUTE].map((after) => later(start, after));
  const figures: readonly FeedEvent['facts'][] = [
    { staked: '385000', stakeNeeded: '500000' },
    ...[3, 6, 9, 14, 24, 31, 42, 45].map((traders) => ({ traders, volume: String(traders * 436) })),
  ];
  const shown = { publicKey: '48FK1vA8xacxM9PETXKKgZ1zVJ85cW1qvLjAQMKRU2E1', createdAt: drafted, startsAt: live, twapStartsAt: twap };
  for (const [index, check] of LIFE.entries()) {
    await pass(harness, check.after);
    await checked(harness, { ...check, facts: { ...shown, endsAt: later(start, 580 * MINUTE), ...figures[index] } });
    await pass(harness, MINUTE);
  }
  await pass(harness, HOUR);
  await expect(page('A proposal from its stake to its result')).toMatchFileSnapshot('alerts/live.md');
});

test('the wording of corrections is what the transcript says', async () => {
  const { harness, page } = await watching();
  const announced = async (...events: readonly FeedEvent[]) => {
    await harness.announce(...events);
    await pass(harness, MINUTE);
  };
  const topic = 'growth/tide/daily-traders/2026-11-19';
  const growth = { topic, feed: 'growth', project: slug('tide') } as const;
  const facts = { name: 'Tidewater', metric: { id: 'daily-traders' }, day: '2026-11-19' };
  const now = () => harness.clock.now();
  await announced({
    ...growth,
    id: topic,
    stage: 'value',
    detectedAt: now(),
    facts: { ...facts, value: '120', last: '113', weekMean: '100' },
  });
  const restated = { event: topic, was: '120', now: '118', facts: { value: '118', last: '113', weekMean: '100' } };
  await announced({
    ...{ ...growth, id: `${topic}/120>118`, stage: 'restated', detectedAt: now() },
    ...{ facts: { ...facts, value: '118', was: '120' }, corrects: restated },
  });
  const vanished = burn(40_112, now());
  await announced(vanished);
  const { occurredAt: _, ...gone } = vanished;
  await announced({ ...gone, id: `${vanished.id}/vanished`, stage: CORRECTED_STAGE, detectedAt: now(), corrects: { event: vanished.id } });
  await announced(burn(1_200, now()), burn(2_500, now()));
  const { occurredAt: __, ...other } = burn(2_500, now());
  harness.to.editAnswers({ kind: 'lost', because: 'not-editable' });
  await announced({ ...other, id: `${other.id}/vanished`, stage: CORRECTED_STAGE, corrects: { event: other.id } });
  await expect(page('Corrections')).toMatchFileSnapshot('alerts/corrections.md');
});
