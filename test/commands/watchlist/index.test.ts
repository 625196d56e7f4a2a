import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

test('the list says what is watched, since when and by whom, what is off and what is muted', async () => {
  const { say, clock, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/watch launches');
  await clock.advance(2 * 3_600_000);
  await say('/alerts tide growth off');
  await say('/mute tide 3d');
  const { text, reply } = await say('/watchlist');
  expect(text.split('\n').slice(0, 5)).toEqual([
    'Watchlist: 2 entries',
    'Tidewater',
    '  Important · off: growth · muted, alerts resume Nov 23, 14:00 UTC · added 12:00 UTC by Ada',
    'launches',
    '  Important · added 12:00 UTC by Ada',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a mute of the whole chat is in the finding until it ends', async () => {
  const { say, clock } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/mute 1h');
  expect((await say('/watchlist')).text).toContain('Watchlist: 1 entry. Muted, alerts resume 13:00 UTC');
  await clock.advance(3_600_000);
  expect((await say('/watchlist')).text).not.toContain('muted');
});

test('an empty list offers what can be watched', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/watchlist');
  expect(text).toContain('Nothing watched yet');
  expect(await deadButtons(reply)).toEqual([]);
});

test('a long list has few buttons and says what to type', async () => {
  const { say } = await openAppHarness({ answers: {} });
  for (const slug of ['tide', 'heron', 'alder', 'glass-pier', 'spindrift', 'quarry-lane']) await say(`/watch ${slug}`);
  const { text, reply } = await say('/watchlist');
  expect(reply.actions.filter(({ label }) => label.startsWith('Unwatch'))).toHaveLength(5);
  expect(text).toContain('/unwatch <name>');
});
