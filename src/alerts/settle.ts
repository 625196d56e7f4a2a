/** What follows from an attempt to deliver. Pure and exhaustive: a new kind of outcome does not compile until it is decided here. */
import { DAY, later as after, MINUTE, SECOND, type Instant } from '../base/clock.js';
import { never } from '../base/never.js';
import type { Outcome } from '../chat/courier.js';
import type { Delivery, Receipt } from './queue.js';

export type Settlement = { readonly done: Receipt } | { readonly again: Delivery };

const FIRST_WAIT = 2 * SECOND;
const LONGEST_WAIT = 10 * MINUTE;
/** What people must mend is tried less often. */
const HELD_WAIT = 15 * MINUTE;
/** Nobody wants to hear on Thursday what was live on Monday. */
export const MAXIMUM_AGE = 3 * DAY;

/** `jitter` between 0 and 1 spreads retries, so that chats that failed together do not come back together. */
export function settle(delivery: Delivery, { outcome, now, jitter }: { outcome: Outcome; now: Instant; jitter: number }): Settlement {
  const { id, members, attempts } = delivery;
  const done = (end: Receipt['end'], extra: Partial<Receipt> = {}): Settlement => ({
    done: { id, members, end, endedAt: now, attempts, ...extra },
  });
  const again = (wait: number, problem: string): Settlement =>
    now - delivery.sealedAt > MAXIMUM_AGE
      ? done('expired', { because: problem })
      : {
          again: {
            ...delivery,
            sealedAt: earliest(delivery.sealedAt, now),
            state: 'sealed',
            notBefore: after(now, Math.ceil(wait)),
            problem,
          },
        };
  const backoff = () => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1)) * (0.5 + jitter / 2);

  switch (outcome.kind) {
    case 'sent':
      return done('sent', { messageId: outcome.messageId });
    case 'later':
      return again(outcome.afterMs ?? backoff(), outcome.because);
    case 'unclear':
      // Repeated under the same id: a platform that knows the id posts nothing twice.
      return again(backoff(), `unclear: ${outcome.because}`);
    case 'held':
      return again(HELD_WAIT, outcome.because);
    case 'refused':
      return done('refused', { because: outcome.detail });
    default:
      return never(outcome);
  }
}

/** A delivery sealed in the future was sealed before the clock was set back; its age counts from now. */
const earliest = (a: Instant, b: Instant): Instant => (a < b ? a : b);
