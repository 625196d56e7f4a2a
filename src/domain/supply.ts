/** What a row of a supply ledger can mean. Pure. */
import { isNegative } from './decimal.js';
import type { Decimal } from './scalars.js';

/** Whether the row contradicts itself: nothing is minted by a negative amount. A burn may come with its sign. */
export const isImplausible = ({ type, amount }: { readonly type: string; readonly amount: Decimal }): boolean =>
  type.toLowerCase() === 'mint' && isNegative(amount);
