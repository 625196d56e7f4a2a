import { expect, test } from 'vitest';
import { CORRECTED_FOR } from '../../src/alerts/queue/who-was-alerted.js';
import { later, type Instant } from '../../src/base/clock.js';
import type { FeedEvent } from '../../src/domain/event.js';
import type { FoundCorrection } from '../../src/feeds/feed.js';
import { correctionEvents } from '../../src/jobs/check.js';
import { StoreError } from '../../src/store/store.js';
import { burn } from '../alerts/harness.js';
import { NOON } from '../feeds/reading.js';

const was = burn(7, later(NOON, -CORRECTED_FOR));
const found = (event: string): FoundCorrection => ({ event, version: 'v1', was: '120', now: '118' });
const events = async (
  corrections: readonly FoundCorrection[],
  {
    at = NOON,
    get = async (id: string) => (id === was.id ? was : undefined),
  }: { at?: Instant; get?: (id: string) => Promise<FeedEvent | undefined> } = {},
) => correctionEvents(corrections, { feed: 'supply', at, archive: { get } });

test('a correction is an event of the same topic and subject, with the facts of what it corrects and an id of its own', async () => {
  expect(await events([found(was.id)])).toEqual([
    {
      ...{
        id: `${was.id}/v1`,
        feed: 'supply',
        topic: was.topic,
        project: was.project,
        stage: 'corrected',
        detectedAt: NOON,
        facts: was.facts,
      },
      corrects: { event: was.id, was: '120', now: '118', stage: was.stage },
    },
  ]);
});

test('a correction carries the facts that the corrected values replace, and keeps the others', async () => {
  const [event] = await events([{ ...found(was.id), facts: { amount: '118' } }]);
  expect(event).toMatchObject({ facts: { ...was.facts, amount: '118' }, corrects: { facts: { amount: '118' } } });
});

test('what is not kept, cannot be read, or is older than corrections are reported for, is not corrected', async () => {
  expect(await events([found('supply/tide/other')])).toEqual([]);
  expect(await events([found(was.id)], { at: later(NOON, 1) })).toEqual([]);
  const unreadable = async () => Promise.reject(new StoreError('unreadable', 'torn'));
  expect(await events([found(was.id)], { get: unreadable })).toEqual([]);
});

test('a store that is down fails the check, which finds the correction again', async () => {
  const down = async () => Promise.reject(new Error('down'));
  await expect(events([found(was.id)], { get: down })).rejects.toThrow('down');
});

test('more than a hundred at once are another list, not corrections', async () => {
  const many = (count: number) => Array.from({ length: count }, () => found(was.id));
  expect([(await events(many(100))).length, (await events(many(101))).length]).toEqual([100, 0]);
});
