import { expect, test } from 'vitest';
import type { Analytics } from '../../src/analytics/analytics.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { HOUR, instant, MINUTE, SECOND } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { walletAddress } from '../../src/domain/wallet.js';
import { Refresher } from '../../src/jobs/refresh.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../support/clock.js';

test('however slowly the service answers, every watched wallet has its turn', async () => {
  const clock = handClock();
  const wallets = Array.from('123456789ABCDEFGHJKLMNPQ', (digit) => walletAddress(`1111111111111111111111111111111${digit}`));
  const asked = new Set<unknown>();
  const slow = async (_: unknown, { walletPublicKey }: Readonly<Record<string, unknown>>): Promise<never> => {
    asked.add(walletPublicKey);
    await clock.sleep(MINUTE);
    throw new AnalyticsError({ trouble: 'timeout', row: 'wallet', detail: 'it takes too long' });
  };
  const analytics: Analytics = {
    call: slow,
    walk: slow,
    kept: async () => undefined,
    state: () => ({ budget: { used: 0, resetsAt: instant(0) } }),
  };
  const watched = () => new Set(wallets);
  const store = await openStore('memory://');
  const refresher = await Refresher.open({ analytics, store, clock, log: silentLog, watched, maxAge: HOUR, changed: async () => {} });
  for (let seconds = 0; seconds < 300; seconds += 10) {
    await refresher.tick();
    await clock.advance(10 * SECOND);
  }
  expect(asked.size).toBe(wallets.length);
  const stopped = refresher.stop();
  await clock.advance(MINUTE);
  await stopped;
});
