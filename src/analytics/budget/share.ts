/** How a month's requests are divided between people's questions and background looks. Pure. */
import type { Instant } from '../../domain/scalars.js';

/**
 * The part of what is left of the month that looks may not touch. It shrinks with the time that is left, so what nobody asked for flows to
 * the looks by itself and nothing is wasted at the end; questions may use everything.
 */
const QUESTION_SHARE = 0.2;

export interface ShareState {
  readonly limit: number;
  readonly used: number;
  readonly start: Instant;
  readonly end: Instant;
  readonly now: Instant;
}

/** Requests kept for questions until the end of the period, at most those that are left. */
export function reservedFor({ limit, used, start, end, now }: ShareState): number {
  const leftPart = Math.min(1, Math.max(0, (end - now) / (end - start)));
  return Math.min(Math.max(0, limit - used), Math.ceil(limit * QUESTION_SHARE * leftPart));
}

/** Requests that looks may still make. */
export const leftForLooks = (standing: ShareState): number => Math.max(0, standing.limit - standing.used - reservedFor(standing));
