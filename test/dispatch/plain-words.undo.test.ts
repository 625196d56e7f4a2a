import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

test.each(['undo', 'undo that', 'please undo the last change'])(
  '"%s" proposes to undo the last change of this person here',
  async (words) => {
    const { say } = await openAppHarness({ answers: {} });
    await say('/watch tide');
    await say('/unwatch tide');
    const { reply } = await say(words);
    expect(reply.actions[0]?.line).toBe('/watch tide undo');
  },
);

test('"undo" without a change offers where changes are found, and nothing that fails', async () => {
  const { say } = await openAppHarness({ answers: {} });
  const { reply } = await say('undo');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/watchlist', '/alerts', '/help']);
});
