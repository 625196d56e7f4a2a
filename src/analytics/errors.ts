/** Errors of the analytics client. */
import type { Instant } from '../domain/scalars.js';

export type Trouble =
  /** No connection, an interrupted one, or 5xx after retries. */
  | 'unreachable'
  | 'timeout'
  /** The service answered 429; the call may be repeated after `until`. */
  | 'limited'
  /** The service answered 403: the plan does not include the operation. */
  | 'forbidden'
  /** The service answered 401: the key is missing or wrong. */
  | 'key-refused'
  /** The service answered 404, or no URL can contain the name. */
  | 'unknown'
  /** The service answered 400. */
  | 'rejected'
  /** The answer is not JSON, too large, or does not fit the interface. */
  | 'malformed'
  /** Our monthly budget is used up until `until`. No request was made. */
  | 'budget-spent'
  /** The allowance of the person or chat is used up until `until`. No request was made. */
  | 'allowance-spent';

export class AnalyticsError extends Error {
  override readonly name = 'AnalyticsError';
  readonly trouble: Trouble;
  readonly row: string;
  /** When to retry, for `limited`, `budget-spent` and `allowance-spent`. */
  readonly until: Instant | undefined;
  /** Set for `limited` if the service stated the time. */
  readonly requested: boolean;
  /** Set for `malformed` if the body was too large to read. */
  readonly tooLarge: boolean;
  /** The length of a text that is too long for a URL; set for `unknown`. */
  readonly textBytes: number | undefined;

  constructor(parts: {
    trouble: Trouble;
    row: string;
    detail: string;
    until?: Instant;
    requested?: boolean;
    tooLarge?: boolean;
    textBytes?: number;
    cause?: unknown;
  }) {
    super(`analytics: ${parts.row}: ${parts.detail}`, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.trouble = parts.trouble;
    this.row = parts.row;
    this.until = parts.until;
    this.requested = parts.requested ?? false;
    this.tooLarge = parts.tooLarge ?? false;
    this.textBytes = parts.textBytes;
  }
}
