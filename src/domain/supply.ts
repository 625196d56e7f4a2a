/** Tells which rows of a supply ledger are implausible. */
import { isNegative } from './decimal.js';
import type { Decimal } from './scalars.js';

/** A burn may be written with a minus sign, but a mint may not. */
export const isImplausible = ({ type, amount }: { readonly type: string; readonly amount: Decimal }): boolean =>
  type.toLowerCase() === 'mint' && isNegative(amount);
