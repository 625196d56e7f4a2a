/** Judges the response of an endpoint. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { HOUR, MINUTE, SECOND, type Instant } from '../../base/clock.js';
import { never } from '../../base/never.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { duration } from '../../domain/format.js';
import type { Outcome } from '../../chat/notifier.js';
import type { PostResult } from './post.js';

/** The longest wait that a receiver can ask for, so that it cannot delay an alert for days. */
const MAX_RETRY_AFTER = HOUR;
/** Receivers refuse signatures whose timestamp differs by more. */
const MAX_SKEW = 5 * MINUTE;

export interface Judged {
  readonly outcome: Outcome;
  /** The text for the Webhooks page; undefined for success. */
  readonly problem?: string;
  /** Set if the edited message no longer exists or cannot be edited. */
  readonly lost?: 'deleted' | 'not-editable';
}

/** Judges the result of a request. Receivers recognise a repeat by `id`. */
export function judge(result: PostResult, { id, now }: { readonly id: string; readonly now: Instant }): Judged {
  const failed = (outcome: Outcome, problem: string): Judged => ({ outcome, problem });
  switch (result.kind) {
    case 'answered':
      return judgeStatus(result, { id, now });
    case 'private-address': {
      const problem = `its name leads to ${result.detail}, an address of a private network; WEBHOOK_PRIVATE=true allows it`;
      return failed({ kind: 'not-permitted', because: problem }, problem);
    }
    case 'certificate': {
      const problem = `its certificate is not valid (${result.detail})`;
      return failed({ kind: 'not-permitted', because: problem }, problem);
    }
    case 'unreachable':
      return failed({ kind: 'later', because: 'unreachable' }, `it cannot be reached (${result.detail})`);
    case 'superseded':
      return failed({ kind: 'later', because: 'unreachable' }, 'another process of the bot has taken over');
    case 'timeout':
      return failed({ kind: 'unclear', because: 'timeout' }, 'it did not answer within 15 seconds');
    case 'line-cut':
      return failed({ kind: 'unclear', because: 'line-cut' }, 'the connection was cut before it answered');
    default:
      return never(result);
  }
}

export type Answered = Extract<PostResult, { kind: 'answered' }>;

function judgeStatus(answer: Answered, { id, now }: { readonly id: string; readonly now: Instant }): Judged {
  const { status } = answer;
  const problem = `it answers with status ${status}${skewOf(answer, now)}`;
  const afterMs = waitOf(answer.retryAfter, now);
  if (status >= 200 && status < 300) return { outcome: { kind: 'sent', messageId: id } };
  if (status === 410) return { outcome: { kind: 'gone', because: 'it answers with status 410 (gone)' }, problem };
  if (status === 429) return { outcome: omitUndefined({ kind: 'later', because: 'rate-limited', afterMs }), problem };
  if (status === 503) return { outcome: omitUndefined({ kind: 'later', because: 'server-error', afterMs }), problem };
  if (status >= 300 && status < 400) {
    const redirect = `it answers with a redirect (status ${status}), which is not followed; give its final URL`;
    return { outcome: { kind: 'not-permitted', because: redirect }, problem: redirect };
  }
  if (status >= 400 && status < 500) return { outcome: { kind: 'not-permitted', because: problem }, problem };
  return { outcome: { kind: 'unclear', because: 'server-error' }, problem };
}

/** Reads Retry-After, which holds seconds or a date. Returns milliseconds. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
function waitOf(header: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d{1,9}$/u.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(MAX_RETRY_AFTER, Math.max(SECOND, wait)) : undefined;
}

/** Describes a clock difference, because a receiver whose clock differs refuses signatures. */
function skewOf({ status, date }: Answered, now: Instant): string {
  const skew = date === undefined ? Number.NaN : Math.abs(Date.parse(date) - now);
  const isRefusal = status === 400 || status === 401 || status === 403;
  return isRefusal && skew > MAX_SKEW ? `; its clock and that of this machine differ by ${duration(skew)}` : '';
}
