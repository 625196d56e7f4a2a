import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

test('"/cancel" says that nothing was changed, to the asker alone', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say('/cancel')).reply).toMatchObject({ finding: ['Nothing was changed'], audience: 'asker' });
});
