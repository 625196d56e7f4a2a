/** Delivering in the tests of `deliver`: until the end, or what is due now. */
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { burn, CHAT, openAlertsHarness, TIDE } from '../harness.js';

export type DeliveryHarness = Awaited<ReturnType<typeof openAlertsHarness>>;

/** Everything that is due now. */
export const now = async ({ context, signal }: DeliveryHarness): Promise<void> => deliver(CHAT, context, signal);

/** Turns the clock from one due moment to the next until nothing waits any more. */
export async function toTheEnd(harness: DeliveryHarness): Promise<void> {
  for (let due = harness.due(); due !== undefined; due = harness.due()) {
    await harness.clock.advance(Math.max(0, due - harness.clock.now()));
    await now(harness);
  }
}

export const count = (many: number): number[] => Array.from({ length: many }, (_, index) => index + 1);

/** The events that were alerted, by the receipts of what was sent, whether they stood in a message in full or as a count. */
export const receipted = async ({ queues }: DeliveryHarness): Promise<readonly number[]> =>
  (await queues.receipts(CHAT))
    .filter(({ end }) => end === 'sent')
    .toReversed()
    .flatMap(({ members }) => members.map(({ event }) => Number(event.split('/').at(-1))));

/** Watched events in waves of ten at most, which come as a message each, in order: the first is free, the others are held for an hour more each. */
export async function waves(many: number, options: Parameters<typeof openAlertsHarness>[0] = {}): Promise<DeliveryHarness> {
  const harness = await openAlertsHarness(options);
  const start = harness.clock.now();
  await harness.watch(TIDE);
  for (const [wave, name] of ['heron', 'marsh'].entries())
    await harness.watch({ kind: 'project', slug: slug(name) }, { mutedUntil: later(start, (wave + 1) * HOUR) });
  const projects = ['tide', 'heron', 'marsh'].map((name) => slug(name));
  await harness.announce(...count(many).map((amount) => burn(amount, start, { project: projects[Math.floor((amount - 1) / WAVE)] })));
  return harness;
}

const WAVE = 9;

export async function watching(many = 0, options: Parameters<typeof openAlertsHarness>[0] = {}): Promise<DeliveryHarness> {
  const harness = await openAlertsHarness(options);
  await harness.watch(TIDE);
  await harness.announce(...count(many).map((amount) => burn(amount, harness.clock.now())));
  return harness;
}
