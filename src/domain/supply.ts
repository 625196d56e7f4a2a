/** Plausibility of supply ledger rows. */
import { isNegative } from './decimal.js';
import type { Decimal } from './scalars.js';

/** A burn may be signed. */
export const isImplausible = ({ type, amount }: { readonly type: string; readonly amount: Decimal }): boolean =>
  type.toLowerCase() === 'mint' && isNegative(amount);
