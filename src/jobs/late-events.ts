/** Whether events are late after an outage. Pure. */
import type { CheckRecord } from '../alerts/checks/check-records.js';
import type { Member } from '../alerts/queue/queue.js';
import { later, MINUTE, type Instant } from '../base/clock.js';
import type { FeedEvent } from '../domain/event.js';

export const OUTAGE = 30 * MINUTE;

export interface OutageOfBot {
  readonly from: Instant;
  readonly to: Instant;
}

type Last = Pick<CheckRecord, 'okAt' | 'failingSince'>;

/** `bot`: first success since a downtime when due. `service`: after long failures. */
export function lateCheck(
  last: Last | undefined,
  { away, triedAt, every }: { readonly away: OutageOfBot | undefined; readonly triedAt: Instant; readonly every: number },
): Member['late'] {
  if (away !== undefined && last?.okAt !== undefined && last.okAt < away.to && later(last.okAt, every) <= away.to)
    return { because: 'bot', since: away.from };
  return last?.failingSince !== undefined && triedAt - last.failingSince >= OUTAGE
    ? { because: 'service', since: last.failingSince }
    : undefined;
}

/** Found before the bot's downtime, routed after it. */
export const lateEvent = ({ detectedAt }: Pick<FeedEvent, 'detectedAt'>, away: OutageOfBot | undefined): Member['late'] =>
  away !== undefined && detectedAt < away.to ? { because: 'bot', since: away.from } : undefined;

/** Never in the future. */
export function failingSince(last: Last | undefined, triedAt: Instant): Instant {
  const since = last?.failingSince ?? triedAt;
  return since < triedAt ? since : triedAt;
}
