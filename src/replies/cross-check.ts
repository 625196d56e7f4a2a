/** Figures that should give one another. Where they differ by more than rounding does, both are shown and the reply says so. Pure. */
import type { BlockDraft } from '../chat/reply.js';
import { absolute, compare, multiply, subtract, sum } from '../domain/decimal.js';
import { decimal, type Decimal } from '../domain/scalars.js';
import { line } from './blocks.js';

/** Rounded parts may miss the whole by a thousandth. */
const SLACK = decimal('0.001');

/** Whether two figures that should be the same differ by more than rounding does. */
export const differ = (a: Decimal, b: Decimal, of: Decimal = b): boolean =>
  compare(absolute(subtract(a, b)), multiply(absolute(of), SLACK)) > 0;

/** The sum of all of them; undefined where there is none or one is unknown. */
export function wholeSum(parts: readonly (Decimal | undefined)[]): Decimal | undefined {
  const known = parts.flatMap((part) => part ?? []);
  return parts.length > 0 && known.length === parts.length ? sum(known) : undefined;
}

/** A warning in the words of `says`, where both are known and differ. */
export const crossCheck = (
  computed: Decimal | undefined,
  reported: Decimal | undefined,
  says: (computed: Decimal, reported: Decimal) => string,
): readonly BlockDraft[] =>
  computed === undefined || reported === undefined || !differ(computed, reported) ? [] : [line(`⚠ ${says(computed, reported)}`)];
