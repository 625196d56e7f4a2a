import { expect, test } from 'vitest';
import { folded, messagesOf, type DrillEvent } from '../../../src/alerts/backtest/fire-drill.js';
import { DAY, HOUR, MINUTE, SECOND, instant, later, type Instant } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { THRESHOLD_STAGE } from '../../../src/feeds/feed.js';
import { entry, TIDE } from '../harness.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const HERE = { edits: true, isShown: () => false };

const found = (at: Instant, { feed = 'supply', stage = 'burn', topic = `supply/tide/${at}`, project = 'tide' } = {}): DrillEvent => ({
  at,
  entry: entry(TIDE, NOON),
  silent: false,
  event: { id: `${topic}/${stage}`, feed, topic, stage, project: slug(project), detectedAt: at, facts: {} },
  content: { tone: 'plain', headline: [stage], details: [], about: project, actions: [] },
});
const sizes = (events: readonly DrillEvent[], how = HERE): readonly number[] =>
  messagesOf(events, how).messages.map((one) => one.events.length);

test('events of a few seconds are one message, and so are those that come in the pause after one', () => {
  expect(sizes([0, 1, 2].map((second) => found(later(NOON, second * SECOND))))).toEqual([3]);
  expect(sizes([0, 5, 9].map((second) => found(later(NOON, second * SECOND))))).toEqual([1, 2]);
  expect(sizes([0, 1, 2].map((minute) => found(later(NOON, minute * MINUTE))))).toEqual([1, 1, 1]);
});

test('a proposal is one message and one for each result, and its other stages only edit it', () => {
  const stage = (name: string, at: Instant): DrillEvent => found(at, { feed: 'proposals', stage: name, topic: 'proposals/tide/1' });
  const events = [stage('created', NOON), stage('twap', later(NOON, HOUR)), stage('passed', later(NOON, DAY))];
  expect(messagesOf(events, HERE)).toMatchObject({ messages: [{}, {}], edits: 1 });
  expect(messagesOf(events, { ...HERE, isShown: () => true })).toMatchObject({ messages: [{}], edits: 2 });
  expect(messagesOf(events, { ...HERE, edits: false })).toMatchObject({ messages: [{}, {}, {}], edits: 0 });
});

test('thresholds that two projects crossed by the values of one day are two messages', () => {
  const crossed = (project: string): DrillEvent =>
    found(NOON, { feed: 'premium', stage: THRESHOLD_STAGE, topic: `premium/${project}`, project });
  expect(sizes([crossed('tide'), crossed('heron')])).toEqual([1, 1]);
});

test('messages are folded by project and kind, those with most of them first', () => {
  const { messages } = messagesOf(
    [found(NOON), found(later(NOON, HOUR)), found(later(NOON, 2 * HOUR), { project: 'heron' }), found(later(NOON, 2 * HOUR))],
    HERE,
  );
  expect(folded(messages).map(({ about, messages: some }) => [about?.key, some.length])).toEqual([
    ['tide', 2],
    [undefined, 1],
  ]);
});
