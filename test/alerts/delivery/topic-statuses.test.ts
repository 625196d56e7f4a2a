import { expect, test } from 'vitest';
import { z } from 'zod';
import { openTopicStatuses } from '../../../src/alerts/delivery/topic-statuses.js';
import { DAY, MINUTE, later } from '../../../src/base/clock.js';
import type { TopicStatus } from '../../../src/domain/event.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { notebook } from '../../jobs/harness.js';

const TOPIC = 'proposals/tide/9xQ';
const status = (version: string, more: Partial<TopicStatus> = {}): TopicStatus => ({
  ...{ topic: TOPIC, feed: 'proposals', stage: 'live', step: 'live', version, ended: false, at: NOON, facts: {} },
  ...more,
});

async function openTopics() {
  const store = await openStore('memory://');
  const book = notebook();
  const topics = await openTopicStatuses(store, book.log);
  const changed: string[] = [];
  topics.onChange((topic) => changed.push(`${topic} ${topics.read(topic)?.version}`));
  return { ...book, store, topics, changed: () => changed.splice(0), reopened: async () => openTopicStatuses(store, book.log) };
}

test('the latest status of a topic is read, also after a restart; only a change of its words or its step is announced', async () => {
  const { topics, changed, reopened } = await openTopics();
  await topics.offer([status('a'), status('b', { topic: 'launches/heron' })]);
  expect(changed()).toEqual([`${TOPIC} a`, 'launches/heron b']);
  await topics.offer([status('a', { at: later(NOON, MINUTE) })]);
  expect(changed()).toEqual([]);
  await topics.offer([status('a', { step: 'ending' })]);
  await topics.offer([status('c', { step: 'ending' })]);
  expect(changed()).toEqual([`${TOPIC} a`, `${TOPIC} c`]);
  expect((await reopened()).read(TOPIC)).toEqual(status('c', { step: 'ending' }));
});

test('a check that read an older copy does not win, unless the copy is so old that the clock was set back', async () => {
  const { topics } = await openTopics();
  await topics.offer([status('new')]);
  await topics.offer([status('older', { at: later(NOON, -DAY + 1) })]);
  expect(topics.read(TOPIC)?.version).toBe('new');
  await topics.offer([status('same moment')]);
  expect(topics.read(TOPIC)?.version).toBe('same moment');
  await topics.offer([status('before', { at: later(NOON, -DAY) })]);
  expect(topics.read(TOPIC)?.version).toBe('before');
});

test('a topic that nobody follows is forgotten a week after its last change, and one that is followed is not', async () => {
  const { topics, reopened } = await openTopics();
  await topics.offer([status('a'), status('b', { topic: 'launches/heron' })]);
  const isFollowed = (topic: string): boolean => topic === 'launches/heron';
  await topics.sweep(later(NOON, 7 * DAY - 1), isFollowed);
  expect(topics.read(TOPIC)).toBeDefined();
  await topics.sweep(later(NOON, 7 * DAY), isFollowed);
  for (const one of [topics, await reopened()]) expect([one.read(TOPIC), one.read('launches/heron')?.version]).toEqual([undefined, 'b']);
});

test('a status that cannot be read is logged, and the others are read', async () => {
  const { topics, store, names, noted, reopened } = await openTopics();
  await topics.offer([status('a')]);
  await store.collection({ prefix: 'topic', schema: z.unknown(), version: 1 }).set('broken', { topic: 7 });
  const again = await reopened();
  expect([again.read(TOPIC)?.version, again.read('broken')]).toEqual(['a', undefined]);
  expect(names()).toEqual(['warn topic.unreadable']);
  expect(noted).toMatchObject([{ fields: { topic: 'broken' } }]);
});
