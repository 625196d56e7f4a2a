/** What the rate limits and the metrics are told of deliveries. */
import { expect, test } from 'vitest';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { deliver, type DeliveryAttempt } from '../../../src/alerts/delivery/deliver.js';
import { createSamples } from '../../../src/alerts/delivery/sample.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import type { Notifier } from '../../../src/chat/notifier.js';
import { slug } from '../../../src/domain/scalars.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { burn, CHAT, TIDE } from '../harness.js';
import { watching, type DeliveryHarness } from './delivering.js';

/** Deliveries whose slots and attempts are noted. */
async function openNoted(many = 0, options: Parameters<typeof watching>[1] = {}) {
  const harness = await watching(many, options);
  const noted: string[] = [];
  const attempts: DeliveryAttempt[] = [];
  const slot: NonNullable<Notifier['slot']> = async (_, { kind, since }) => {
    noted.push(`${kind} ${since - harness.clock.now()}`);
    return {
      answered: () => void noted.push('answered'),
      refused: (milliseconds) => void noted.push(`refused ${milliseconds}`),
      unused: () => void noted.push('unused'),
    };
  };
  const context: DeliveryHarness['context'] = {
    ...harness.context,
    notifiers: [{ ...harness.to.notifier, slot }],
    attempted: (attempt) => void attempts.push(attempt),
  };
  return {
    ...harness,
    pass: async (milliseconds: number) => {
      await harness.clock.advance(milliseconds);
      await deliver(CHAT, context, harness.signal);
      return { noted: noted.splice(0), attempts: attempts.splice(0) };
    },
  };
}

test('a turn is asked for since when the message was due, and the rate limits learn what the platform answered', async () => {
  const { pass, to } = await openNoted(1);
  to.answers({ kind: 'later', because: 'rate-limited', afterMs: 5_000 }, { kind: 'later', because: 'unreachable' });
  expect((await pass(GATHER + 7)).noted).toEqual(['ringing -7', 'refused 5000', 'unused']);
  expect((await pass(5_000)).noted).toEqual(['ringing 0', 'answered', 'unused']);
  expect((await pass(MINUTE)).noted.slice(1)).toEqual(['answered', 'unused']);
  expect((await pass(MINUTE)).noted).toEqual([]);
});

test('a message rings in the rate limits if anything in it rings, also when it is repeated', async () => {
  const harness = await openNoted();
  const heron = slug('heron');
  const kinds = async (): Promise<readonly string[]> =>
    (await harness.pass(GATHER + MINUTE)).noted.flatMap((one) => (/^(?:ringing|silent) /u.test(one) ? [one.split(' ')[0] ?? ''] : []));
  await harness.watch(TIDE, { modes: { supply: 'silent' } });
  await harness.watch({ kind: 'project', slug: heron });
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'later', because: 'unreachable' });
  expect([...(await kinds()), ...(await kinds())]).toEqual(['silent', 'silent']);
  await harness.announce(burn(2, harness.clock.now()), burn(3, harness.clock.now(), { project: heron }));
  expect(await kinds()).toEqual(['ringing']);
  await createSamples({ feeds: FEEDS, ...harness }).post(CHAT, ['supply']);
  expect(await kinds()).toEqual(['ringing']);
});

test('the metrics count each attempt, with how long each alert waited, without samples and what came late', async () => {
  const harness = await openNoted(1);
  harness.to.answers({ kind: 'later', because: 'unreachable' });
  expect((await harness.pass(GATHER)).attempts).toEqual([{ platform: 'console', outcome: 'later', delays: [] }]);
  expect((await harness.pass(MINUTE)).attempts).toEqual([{ platform: 'console', outcome: 'sent', delays: [GATHER + MINUTE] }]);
  await createSamples({ feeds: FEEDS, ...harness }).post(CHAT, ['supply']);
  expect((await harness.pass(MINUTE)).attempts).toEqual([{ platform: 'console', outcome: 'sent', delays: [] }]);
  await harness.announceLate('bot', burn(5, harness.clock.now(), { occurredAt: later(harness.clock.now(), -HOUR) }));
  expect((await harness.pass(HOUR)).attempts).toEqual([{ platform: 'console', outcome: 'sent', delays: [] }]);
});

test('the delay of an alert is unknown after the clock was set back', async () => {
  const harness = await openNoted();
  await harness.announce(burn(1, harness.clock.now()));
  await harness.queues.change(CHAT, (queue) => ({
    ...queue,
    waiting: queue.waiting.map((member) => ({ ...member, queuedAt: later(member.queuedAt, HOUR) })),
  }));
  expect((await harness.pass(GATHER)).attempts).toEqual([{ platform: 'console', outcome: 'sent', delays: [] }]);
});
