/** Optional response of the service. */
import { AnalyticsError } from '../analytics/errors.js';
import { UNKNOWN } from '../domain/format.js';
import { missingReason } from './trouble-texts.js';

export interface OptionalAnswer<A> {
  readonly answer?: A;
  readonly missing?: AnalyticsError;
}

/** Rejects with other errors than `AnalyticsError`. */
export async function optional<A>(pending: Promise<A>): Promise<OptionalAnswer<A>> {
  try {
    return { answer: await pending };
  } catch (error) {
    if (error instanceof AnalyticsError) return { missing: error };
    throw error;
  }
}

export const missingText = ({ missing }: OptionalAnswer<unknown>): string =>
  missing === undefined ? UNKNOWN : `${UNKNOWN}: ${missingReason(missing.trouble)}`;

/** Throws the first error if all are missing. */
export function needOne(...parts: readonly OptionalAnswer<unknown>[]): void {
  const [failure] = parts.flatMap(({ missing }) => missing ?? []);
  if (failure !== undefined && parts.every(({ answer }) => answer === undefined)) throw failure;
}
