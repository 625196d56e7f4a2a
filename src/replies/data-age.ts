/** Age of a reply and of its rows. */
import { omitUndefined } from '../base/omit-undefined.js';
import { instant, type Instant } from '../base/clock.js';
import { isOld, type Reply } from '../chat/reply.js';
import { duration } from '../domain/format.js';
import type { Trouble } from '../analytics/errors.js';
import { staleReason } from './trouble-texts.js';

interface Aged {
  readonly at: Instant;
  readonly dataAt?: Instant | undefined;
  readonly stale?: Trouble;
}

export function ages(...answers: readonly (Aged | undefined)[]): Pick<Reply, 'asOf' | 'stale'> {
  const known = answers.filter((answer) => answer !== undefined);
  const stale = known.find((answer) => answer.stale !== undefined)?.stale;
  const moments = known.map(({ at, dataAt = at }) => Math.min(at, dataAt));
  return omitUndefined({
    asOf: moments.length === 0 ? undefined : instant(Math.min(...moments)),
    stale: stale && staleReason(stale),
  });
}

/** Describe the latest value in the past tense. */
export const isPast = (answer: Aged | undefined, now: Instant): boolean => {
  const { asOf } = ages(answer);
  return asOf !== undefined && isOld(asOf, now);
};

export const rowAge = ({ updatedAt }: { readonly updatedAt?: Instant | undefined }, now: Instant): string =>
  updatedAt !== undefined && isOld(updatedAt, now) ? ` ⚠ ${duration(now - updatedAt)} old` : '';
