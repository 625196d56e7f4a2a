/** A proposal as it proceeds, for the tests of live messages: events and statuses as its feed makes them, without a service. */
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { revise, revisionDue } from '../../../src/alerts/delivery/edits-of-sent.js';
import { HOUR, MINUTE, later, type Instant } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import { slug } from '../../../src/domain/scalars.js';
import type { FeedEvent, TopicStatus } from '../../../src/domain/event.js';
import { CHAT, type openAlertsHarness } from '../harness.js';

export type LiveHarness = Awaited<ReturnType<typeof openAlertsHarness>>;

export const TOPIC = 'proposals/tide/9xQ';

/** One check of it. Without a stage nothing but its figures changed. */
export interface Check {
  readonly after: number;
  readonly stage: 'created' | 'live' | 'twap' | 'ending' | 'passed';
  readonly isNew?: boolean;
  readonly edge?: string;
  readonly facts?: FeedEvent['facts'];
}

const factsOf = ({ edge, facts }: Check) => ({
  name: 'Tidewater',
  title: 'Fund the second audit',
  threshold: '1.5',
  passEdge: edge,
  ...facts,
});

const statusOf = (check: Check, at: Instant, topic = TOPIC): TopicStatus => ({
  ...{ topic, feed: 'proposals', project: slug('tide'), stage: check.stage, step: check.stage, ended: check.stage === 'passed' },
  ...{ version: `${check.stage} ${check.edge}`, at, facts: factsOf(check) },
});

const eventOf = (check: Check, at: Instant, topic = TOPIC): FeedEvent => ({
  ...{ id: `${topic}/${check.stage}`, topic, feed: 'proposals', project: slug('tide'), stage: check.stage },
  ...{ occurredAt: at, detectedAt: at, facts: factsOf(check) },
});

/** As a poll does: the status first, then the event. */
export async function checked(harness: LiveHarness, check: Check, at = harness.clock.now(), topic = TOPIC): Promise<void> {
  await harness.topics.offer([statusOf(check, at, topic)]);
  if (check.isNew === true) await harness.announce(eventOf(check, at, topic));
}

const nextDue = (harness: LiveHarness, chat: Address = CHAT): Instant | undefined => {
  const due = [harness.due(chat), revisionDue(harness.queues.read(chat), harness.context)].filter((one) => one !== undefined);
  return due.toSorted((a, b) => a - b)[0];
};

/** Delivers and edits what is due until `to`. */
export async function passTo(harness: LiveHarness, to: Instant, chat: Address = CHAT): Promise<void> {
  for (let due = nextDue(harness, chat); due !== undefined && due <= to; due = nextDue(harness, chat)) {
    await harness.clock.advance(Math.max(0, due - harness.clock.now()));
    await deliver(chat, harness.context, harness.signal);
    await revise(chat, harness.context, harness.signal);
  }
  await harness.clock.advance(Math.max(0, to - harness.clock.now()));
}

export const pass = async (harness: LiveHarness, milliseconds: number): Promise<void> =>
  passTo(harness, later(harness.clock.now(), milliseconds));

/** From its draft to its result, with figures that change in between. */
export const LIFE: readonly Check[] = [
  { after: 0, stage: 'created', isNew: true },
  { after: 10 * MINUTE, stage: 'live', isNew: true, edge: '0.4' },
  { after: MINUTE, stage: 'live', edge: '0.6' },
  { after: MINUTE, stage: 'live', edge: '0.8' },
  { after: 10 * MINUTE, stage: 'twap', isNew: true, edge: '1.1' },
  { after: 3 * HOUR, stage: 'twap', edge: '1.7' },
  { after: 10 * MINUTE, stage: 'twap', edge: '1.9' },
  { after: 2 * HOUR, stage: 'ending', isNew: true, edge: '2.1' },
  { after: 4 * HOUR, stage: 'passed', isNew: true, edge: '2.4' },
];

export const ELSEWHERE = address('console', 'elsewhere');
