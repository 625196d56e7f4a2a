/** What a check defers becomes durable in this order: states of chats, watermark, record, end of a first check. */
import type { CheckRecords } from '../alerts/checks/check-records.js';
import type { FirstChecks } from '../alerts/checks/first-checks.js';
import type { Queues } from '../alerts/queue/queues.js';
import type { Watermarks } from './watermarks.js';

interface Deferring {
  readonly queues: Pick<Queues, 'deferred'>;
  readonly watermarks: Pick<Watermarks, 'flush'>;
}

export async function settleCheck(key: string, { queues, watermarks }: Deferring): Promise<void> {
  await queues.deferred.settle(key);
  await watermarks.flush(key);
}

interface Flushing extends Pick<Deferring, 'watermarks'> {
  /** Each record settles its check first. */
  readonly checkRecords: Pick<CheckRecords, 'flush'>;
  readonly firstChecks: Pick<FirstChecks, 'flush'>;
}

export async function flushChecks({ checkRecords, watermarks, firstChecks }: Flushing): Promise<void> {
  await checkRecords.flush();
  await watermarks.flush();
  await firstChecks.flush();
}
