/** Whether what a look finds is seen late, because the service or the bot itself was away for long. Pure; such news comes as one summary. */
import type { CheckRecord } from '../alerts/checks/check-records.js';
import type { Member } from '../alerts/queue/queue.js';
import { later, MINUTE, type Instant } from '../base/clock.js';
import type { FeedEvent } from '../domain/event.js';

/** An absence of this length is an outage. */
export const OUTAGE = 30 * MINUTE;

/** A time in which the bot did not run. */
export interface OutageOfBot {
  readonly from: Instant;
  readonly to: Instant;
}

type Last = Pick<CheckRecord, 'okAt' | 'failingSince'>;

/**
 * Because of what this look is late. `bot`: it is the first good one since the bot was away, and was due while it was; every: milliseconds between
 * two looks. `service`: it is the first good one after failures that lasted.
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

/** News that was found, and could not be handed on before the bot was away. */
export const lateEvent = ({ detectedAt }: Pick<FeedEvent, 'detectedAt'>, away: OutageOfBot | undefined): Member['late'] =>
  away !== undefined && detectedAt < away.to ? { because: 'bot', since: away.from } : undefined;

/** Since when looks fail, after one more that did. A clock that was set back makes no failure lie in the future. */
export function failingSince(last: Last | undefined, triedAt: Instant): Instant {
  const since = last?.failingSince ?? triedAt;
  return since < triedAt ? since : triedAt;
}
