/** Whether events of a check were detected late because the service or the bot was down. Pure; such events go into a summary. */
import type { CheckRecord } from '../alerts/checks/check-records.js';
import type { Member } from '../alerts/queue/queue.js';
import { later, MINUTE, type Instant } from '../base/clock.js';
import type { FeedEvent } from '../domain/event.js';

/** From this length on a downtime is an outage. */
export const OUTAGE = 30 * MINUTE;

export interface OutageOfBot {
  readonly from: Instant;
  readonly to: Instant;
}

type Last = Pick<CheckRecord, 'okAt' | 'failingSince'>;

/**
 * Why a check is late. `bot`: the first success since the bot's downtime, and due during it (`every`: ms between checks). `service`: the
 * first success after a long series of failures.
 */
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

/** For events found before the bot's downtime and routed after it. */
export const lateEvent = ({ detectedAt }: Pick<FeedEvent, 'detectedAt'>, away: OutageOfBot | undefined): Member['late'] =>
  away !== undefined && detectedAt < away.to ? { because: 'bot', since: away.from } : undefined;

/** The start of the current failures. A clock that was set back puts none in the future. */
export function failingSince(last: Last | undefined, triedAt: Instant): Instant {
  const since = last?.failingSince ?? triedAt;
  return since < triedAt ? since : triedAt;
}
