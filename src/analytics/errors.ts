/** Errors of the analytics client. */
import type { Instant } from '../domain/scalars.js';

export type Trouble =
  /** No connection, a cut, or 5xx after retries. */
  | 'unreachable'
  | 'timeout'
  /** The service answered 429; the call may be repeated after `until`. */
  | 'limited'
  /** The service answered 403: this is not in the plan. */
  | 'forbidden'
  /** 401: the key is missing or wrong. */
  | 'key-refused'
  /** 404, or a name that no URL can contain. */
  | 'unknown'
  /** The service answered 400. */
  | 'rejected'
  /** The answer is no JSON, too large, or of a shape outside the interface. */
  | 'malformed'
  /** Our monthly budget, until `until`; no request was made. */
  | 'budget-spent'
  /** The person's or chat's, until `until`; no request was made. */
  | 'allowance-spent';

export class AnalyticsError extends Error {
  override readonly name = 'AnalyticsError';
  readonly trouble: Trouble;
  readonly row: string;
  /** It says when to retry, for `limited`, `budget-spent` and `allowance-spent`. */
  readonly until: Instant | undefined;
  /** It says, for `limited`, that the service stated a time. */
  readonly requested: boolean;
  /** For `malformed`: the body was too large to read. */
  readonly tooLarge: boolean;
  /** It is, for `unknown`, the length of a text too long for a URL. */
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
