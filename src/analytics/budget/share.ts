/** Divides the monthly budget between questions and checks. Pure. */
import type { Instant } from '../../domain/scalars.js';

/**
 * Part of the limit reserved for questions. It shrinks with the time left in the period, so unused requests become available to checks.
 */
const QUESTION_SHARE = 0.2;

export interface ShareState {
  readonly limit: number;
  readonly used: number;
  readonly start: Instant;
  readonly end: Instant;
  readonly now: Instant;
}

/** Requests reserved for questions. */
export function reservedFor({ limit, used, start, end, now }: ShareState): number {
  const leftPart = Math.min(1, Math.max(0, (end - now) / (end - start)));
  return Math.min(Math.max(0, limit - used), Math.ceil(limit * QUESTION_SHARE * leftPart));
}

/** Requests left for checks. */
export const leftForLooks = (state: ShareState): number => Math.max(0, state.limit - state.used - reservedFor(state));
