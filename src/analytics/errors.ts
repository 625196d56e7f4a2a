/** Errors of the analytics client. */
import type { Instant } from '../domain/scalars.js';

export type Trouble =
  /** No connection, a cut, or 5xx after retries. */
  | 'unreachable'
  | 'timeout'
  /** 429; retry after `until`. */
  | 'limited'
  /** 403: not in the plan. */
  | 'forbidden'
  /** 401: the key is missing or wrong. */
  | 'key-refused'
  /** 404, or a name that no URL can contain. */
  | 'unknown'
  /** 400. */
  | 'rejected'
  /** No JSON, too large, or a shape outside the interface. */
  | 'malformed'
  /** Our monthly budget, until `until`; no request was made. */
  | 'budget-spent'
  /** The person's or chat's, until `until`; no request was made. */
  | 'allowance-spent';

export class AnalyticsError extends Error {
  override readonly name = 'AnalyticsError';
  readonly trouble: Trouble;
  readonly row: string;
  /** When to retry: `limited`, `budget-spent`, `allowance-spent`. */
  readonly until: Instant | undefined;
  /** For `limited`: the service stated a time. */
  readonly requested: boolean;
  /** For `malformed`: the body was too large to read. */
  readonly tooLarge: boolean;
  /** For `unknown`: the length of a text too long for a URL. */
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
