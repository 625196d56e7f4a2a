/** Cross-checks of reported figures. If they differ by more than rounding, the reply shows both with a warning. Pure. */
import type { BlockDraft } from '../chat/reply.js';
import { absolute, compare, multiply, subtract, sum } from '../domain/decimal.js';
import { decimal, type Decimal } from '../domain/scalars.js';
import { line } from './blocks.js';

/** Relative tolerance for rounded parts. */
const TOLERANCE = decimal('0.001');

/** Whether two figures differ by more than rounding. */
export const differ = (a: Decimal, b: Decimal, of: Decimal = b): boolean =>
  compare(absolute(subtract(a, b)), multiply(absolute(of), TOLERANCE)) > 0;

/** The sum; undefined for no parts or an unknown one. */
export function wholeSum(parts: readonly (Decimal | undefined)[]): Decimal | undefined {
  const known = parts.flatMap((part) => part ?? []);
  return parts.length > 0 && known.length === parts.length ? sum(known) : undefined;
}

/** A warning when both figures are known and differ. */
export const crossCheck = (
  computed: Decimal | undefined,
  reported: Decimal | undefined,
  says: (computed: Decimal, reported: Decimal) => string,
): readonly BlockDraft[] =>
  computed === undefined || reported === undefined || !differ(computed, reported) ? [] : [line(`⚠ ${says(computed, reported)}`)];
