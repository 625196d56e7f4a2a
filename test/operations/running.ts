/** What a report is made of: the rooms of `alerts/` on one store, the real client, and a service on the loopback that can be taken ill. */
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { deliver } from '../../src/alerts/delivery/deliver.js';
import type { Address } from '../../src/chat/address.js';
import type { Notifier } from '../../src/chat/notifier.js';
import type { CheckRecord } from '../../src/alerts/checks/check-records.js';
import { FEEDS } from '../../src/feeds/index.js';
import type { ReportContext } from '../../src/operations/status-report.js';
import { openStore } from '../../src/store/open.js';
import { StoreError } from '../../src/store/store.js';
import { openAlertsHarness } from '../alerts/harness.js';
import { answerWith, connect, OVERVIEW, reply, serve, tide } from '../support/service.js';

export const FULL = 'store: the disk is full; free some space';

export async function openRunning({ requestsPerMonth, notifiers }: { requestsPerMonth?: number; notifiers?: readonly Notifier[] } = {}) {
  let refuses = false;
  let full = false;
  const base = await openStore('memory://');
  const harness = await openAlertsHarness({ store: base });
  const service = await serve((asked) => (refuses ? reply(asked, '{}', { status: 401 }) : answerWith(asked, OVERVIEW)));
  const { analytics } = await connect(service.url, { clock: harness.clock, store: base, requestsPerMonth });
  const context: ReportContext = {
    ...harness,
    analytics,
    serviceName: 'the service of the tests',
    store: { ...base, check: async () => (full ? Promise.reject(new StoreError('full', FULL)) : base.check()) },
    feeds: FEEDS,
    notifiers: notifiers ?? [harness.to.notifier],
    startedAt: harness.clock.now(),
  };
  return {
    ...harness,
    deliverContext: harness.context,
    context,
    /** Delivers what is due in a chat. */
    deliverTo: async (chat: Address): Promise<void> => deliver(chat, harness.context, harness.signal),
    asked: service.asked,
    fillDisk: () => void (full = true),
    refuse: () => void (refuses = true),
    /** Asks the service something, whatever comes of it. */
    ask: async (): Promise<void> => void (await analytics.call(supplyOverview, tide, { maxAge: 0 }).catch(() => undefined)),
    looked: async (extra: Partial<CheckRecord> = {}): Promise<void> => {
      const at = harness.clock.now();
      const good = { feed: 'supply', subject: 'tide', triedAt: at, okAt: at, failures: 0, hidden: 0, broken: 0, complete: true };
      await harness.checkRecords.record({ ...good, ...extra });
    },
  };
}
