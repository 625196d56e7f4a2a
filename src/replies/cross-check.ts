/** Cross-checks of reported figures. */
import type { BlockDraft } from '../chat/reply.js';
import { isApartBy, sum } from '../domain/decimal.js';
import { decimal, type Decimal } from '../domain/scalars.js';
import { line } from './blocks.js';

/** Relative. */
const TOLERANCE = decimal('0.001');

export const differ = (a: Decimal, b: Decimal, of: Decimal = b): boolean => isApartBy(a, b, { part: TOLERANCE, of });

export function wholeSum(parts: readonly (Decimal | undefined)[]): Decimal | undefined {
  const known = parts.flatMap((part) => part ?? []);
  return parts.length > 0 && known.length === parts.length ? sum(known) : undefined;
}

/** A warning with both if they differ. */
export const crossCheck = (
  computed: Decimal | undefined,
  reported: Decimal | undefined,
  says: (computed: Decimal, reported: Decimal) => string,
): readonly BlockDraft[] =>
  computed === undefined || reported === undefined || !differ(computed, reported) ? [] : [line(`⚠ ${says(computed, reported)}`)];
