/** How many times an ICO was oversubscribed. */
import { compare, divide } from '../domain/decimal.js';
import { decimal, type Decimal } from '../domain/scalars.js';

/** Less is rounding and late change. */
const MIN_RATIO = decimal('1.1');

/** Committed over accepted. */
export function oversubscription({
  committed,
  accepted,
}: {
  readonly committed?: Decimal | undefined;
  readonly accepted?: Decimal | undefined;
}): Decimal | undefined {
  const ratio = committed === undefined || accepted === undefined ? undefined : divide(committed, accepted);
  return ratio !== undefined && compare(ratio, MIN_RATIO) >= 0 ? ratio : undefined;
}
