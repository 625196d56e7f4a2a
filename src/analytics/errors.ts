/** What can go wrong with the service, each with what it means for the next move. Sentences for people are in `dispatch/error-sentences`. */
import type { Instant } from '../domain/scalars.js';

export type Trouble =
  /** No connection, the line was cut, or the service answered 5xx until we gave up. */
  | 'unreachable'
  /** No whole answer within the deadline. */
  | 'timeout'
  /** 429: asking again before `until` is pointless. */
  | 'limited'
  /** 403: the plan behind the key does not include it. */
  | 'forbidden'
  /** 401: the key is missing or wrong. */
  | 'key-refused'
  /** 404 for a project, proposal or job; or a name that no address can carry. */
  | 'unknown'
  /** 400: the service did not like what we asked. */
  | 'rejected'
  /** An answer came and cannot be read: no JSON, too large, a shape the interface does not allow. */
  | 'malformed'
  /** Our own monthly budget is used up until `until`; nothing was asked. */
  | 'budget-spent'
  /** Whoever asks has used up what one person or chat may ask until `until`; nothing was asked. */
  | 'allowance-spent';

export class AnalyticsError extends Error {
  override readonly name = 'AnalyticsError';
  readonly trouble: Trouble;
  /** The row's id. */
  readonly row: string;
  /** For `limited`, `budget-spent` and `allowance-spent`: when it makes sense to ask again. */
  readonly until: Instant | undefined;
  /** For `malformed`: the answer is larger than any should be, and was not read. */
  readonly tooLarge: boolean;
  /** For `unknown`: how many bytes a text would take in an address that is too long to send. */
  readonly textBytes: number | undefined;

  constructor(parts: {
    trouble: Trouble;
    row: string;
    detail: string;
    until?: Instant;
    tooLarge?: boolean;
    textBytes?: number;
    cause?: unknown;
  }) {
    super(`analytics: ${parts.row}: ${parts.detail}`, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.trouble = parts.trouble;
    this.row = parts.row;
    this.until = parts.until;
    this.tooLarge = parts.tooLarge ?? false;
    this.textBytes = parts.textBytes;
  }
}
