/** A response of the service that a reply can do without. */
import { AnalyticsError } from '../analytics/errors.js';
import { UNKNOWN } from '../domain/format.js';
import { missingReason } from './trouble.js';

/** Part of a reply that can do without it: the answer, or why there is none. */
export interface OptionalAnswer<A> {
  readonly answer?: A;
  readonly missing?: AnalyticsError;
}

/** Awaits an answer the reply can do without. Rejects only with what is no failure of the service. */
export async function optional<A>(asked: Promise<A>): Promise<OptionalAnswer<A>> {
  try {
    return { answer: await asked };
  } catch (error) {
    if (error instanceof AnalyticsError) return { missing: error };
    throw error;
  }
}

/** "n/a: not answering", for a figure of a part that is missing. */
export const missingText = ({ missing }: OptionalAnswer<unknown>): string =>
  missing === undefined ? UNKNOWN : `${UNKNOWN}: ${missingReason(missing.trouble)}`;

/** Throws the failure of the first part when every part is missing: then there is nothing to show. */
export function needOne(...parts: readonly OptionalAnswer<unknown>[]): void {
  const [failure] = parts.flatMap(({ missing }) => missing ?? []);
  if (failure !== undefined && parts.every(({ answer }) => answer === undefined)) throw failure;
}
