/** This module decides what follows a delivery attempt. It is pure, and exhaustive over outcomes. */
import { backoff, jittered } from '../../base/backoff.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { HOUR, later as after, MINUTE, SECOND, type Instant } from '../../base/clock.js';
import { never } from '../../base/never.js';
import type { Address } from '../../chat/address.js';
import type { DeliveryOutcome } from '../../chat/notifier.js';
import { DEFAULT_AGE_HOURS } from '../watchlist/entry.js';
import type { Delivery, Receipt } from '../queue/queue.js';

export type Settlement =
  | { readonly done: Receipt }
  /** `left` is set if the chat is away or has moved. */
  | { readonly again: Delivery; readonly left?: { readonly because: string; readonly movedTo?: Address; readonly asked?: Instant } };

/**
 * After an attempt that may have arrived, `recognised` repeats (the platform drops copies), `repeat` may send twice, `hold` gives up.
 */
export type Repeats = 'recognised' | 'repeat' | 'hold';

/** `jitter` is a random number from 0 to 1. */
export interface Attempted {
  readonly outcome: DeliveryOutcome;
  readonly now: Instant;
  readonly jitter: number;
  readonly repeats: Repeats;
}

const WAIT = { first: 2 * SECOND, most: 10 * MINUTE };
export const NOT_PERMITTED_WAIT = 15 * MINUTE;
export const MAX_DELIVERY_AGE = DEFAULT_AGE_HOURS * HOUR;

export function settle(delivery: Delivery, { outcome, now, jitter, repeats }: Attempted): Settlement {
  const { notPermitted: _, ...fresh } = delivery;
  const { id, members, attempts, maybeSent, summary, putOff = 0 } = fresh;
  const done = (end: Receipt['end'], extra: Partial<Receipt> = {}): Settlement => ({
    done: {
      id,
      members,
      end,
      endedAt: now,
      attempts,
      ...(maybeSent === undefined ? {} : { maybeSent }),
      ...(summary === undefined ? {} : { summary }),
      ...extra,
    },
  });
  const later = (wait: number, extra: Partial<Delivery> & { readonly problem: string }): Delivery => ({
    ...fresh,
    sealedAt: earliest(delivery.sealedAt, now),
    state: 'sealed',
    notBefore: after(now, Math.ceil(wait)),
    ...extra,
  });
  const again = (wait: number, extra: Partial<Delivery> & { readonly problem: string }): Settlement =>
    now - delivery.sealedAt > (delivery.maxAge ?? MAX_DELIVERY_AGE)
      ? done(expiredEnd({ ...delivery, ...extra }), omitUndefined({ because: extra.problem, maybeSent: extra.maybeSent }))
      : { again: later(wait, extra) };
  const ownWait = (): number => jittered(backoff(WAIT, attempts - putOff), jitter);

  switch (outcome.kind) {
    case 'sent':
      return done('sent', { messageId: outcome.messageId, ...earlierAttempt(delivery, outcome, repeats) });
    case 'later': {
      const asked = waitOf(outcome);
      return again(asked ?? ownWait(), { problem: outcome.because, ...(asked === undefined ? {} : { putOff: putOff + 1 }) });
    }
    case 'unclear': {
      const unsure = repeats === 'recognised' ? {} : { maybeSent: (maybeSent ?? 0) + 1 };
      if (repeats === 'hold') return done('maybe sent', { because: outcome.because, ...unsure });
      return again(ownWait(), { problem: `unclear: ${outcome.because}`, mayHaveArrived: true, ...unsure });
    }
    case 'maybe-sent':
      return done('maybe sent', { because: outcome.because, maybeSent: (maybeSent ?? 0) + 1 });
    case 'not-permitted': {
      const isPosted = outcome.incomplete === true ? { mayHaveArrived: true } : {};
      return again(NOT_PERMITTED_WAIT, { problem: outcome.because, notPermitted: true, ...isPosted });
    }
    case 'gone':
      return { again: later(0, { problem: outcome.because }), left: omitUndefined({ because: outcome.because, asked: outcome.asked }) };
    case 'moved':
      return { again: later(0, { problem: 'the chat moved' }), left: { because: 'the chat moved', movedTo: outcome.to } };
    case 'refused':
      return done('refused', { because: outcome.detail });
    default:
      return never(outcome);
  }
}

const waitOf = (outcome: Extract<DeliveryOutcome, { kind: 'later' }>): number | undefined =>
  outcome.because === 'not-read-back' ? undefined : outcome.afterMs;

/** Returns how an expired delivery ended. One that may have arrived must not be reported as not sent. */
export const expiredEnd = ({ mayHaveArrived }: Pick<Delivery, 'mayHaveArrived'>): 'maybe sent' | 'expired' =>
  mayHaveArrived === true ? 'maybe sent' : 'expired';

function earlierAttempt(
  { mayHaveArrived, maybeSent = 0 }: Delivery,
  { earlier }: Extract<DeliveryOutcome, { kind: 'sent' }>,
  repeats: Repeats,
): Pick<Receipt, 'earlier' | 'maybeSent'> {
  if (earlier?.kind === 'unknown') return { earlier, maybeSent: maybeSent + 1 };
  if (earlier !== undefined) return { earlier };
  return mayHaveArrived === true && repeats === 'recognised' ? { earlier: { kind: 'recognised' } } : {};
}

const earliest = (a: Instant, b: Instant): Instant => (a < b ? a : b);
