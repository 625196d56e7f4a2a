import { expect, test } from 'vitest';
import { lineText } from '../../src/chat/plain-text.js';
import { eventSchema } from '../../src/domain/event.js';
import { FEEDS } from '../../src/feeds/index.js';
import { NOON } from '../feeds/reading.js';

test.each(FEEDS.map((feed) => [feed.id, feed] as const))('%s reports its own invented event, after the archive kept it', (id, feed) => {
  const { crossings, ...sample } = feed.sample(NOON);
  const event = eventSchema.parse(JSON.parse(JSON.stringify(sample)));
  expect(event).toMatchObject({ feed: id, detectedAt: NOON, checkedAt: NOON });
  expect(event.id).toMatch(new RegExp(`^sample/${id}/`, 'u'));
  const { headline, details, about } = feed.content(event, { crossings });
  const text = [headline, ...details].map((line) => lineText(line, NOON)).join('\n');
  expect(lineText(headline, NOON)).not.toBe('');
  expect(about).not.toBe('');
  expect(text).not.toMatch(/undefined|NaN|n\/a|does not show/u);
  expect(text).not.toMatch(/^Sample/u);
});

test('two samples of one moment are one event, and of two moments each is just seen', () => {
  for (const feed of FEEDS) {
    expect(feed.sample(NOON)).toEqual(feed.sample(NOON));
    expect(feed.sample(NOON).occurredAt ?? NOON).toBeLessThanOrEqual(NOON);
  }
});
