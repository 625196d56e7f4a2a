/** Parameters shared by the wallet routes (§4.3). */
import type { Instant } from '../../base/clock.js';
import { keyFault, walletAddress, type WalletAddress } from '../../domain/wallet.js';
import { ServiceRefusal } from '../error-response.js';
import { unix, type RouteRequest } from '../route.js';

const WRONG_NAMES = ['wallet', 'address', 'walletAddress'];

/** Refuses with 400, also a wrong parameter name. */
export function walletOf({ input }: RouteRequest): WalletAddress {
  const wrong = WRONG_NAMES.find((name) => input[name] !== undefined);
  if (wrong !== undefined) throw new ServiceRefusal(400, `${wrong} is not known; use walletPublicKey`);
  const key = input['walletPublicKey'];
  if (key === undefined) throw new ServiceRefusal(400, 'walletPublicKey is required');
  const fault = keyFault(key);
  if (fault !== undefined) throw new ServiceRefusal(400, `walletPublicKey is no public key: ${fault}`);
  return walletAddress(key);
}

/** Unix seconds. */
export const seconds = (at: Instant | undefined): number | null => (at === undefined ? null : unix(at));

/** Refuses an unknown sort field. */
export function ordered<T>(
  rows: readonly T[],
  ask: RouteRequest,
  orders: Readonly<Record<string, (row: T) => number | string>>,
): readonly T[] {
  const { sort, order } = ask.input;
  if (sort === undefined) return rows;
  const by = orders[sort];
  if (by === undefined) throw new ServiceRefusal(400, `sort must be one of ${Object.keys(orders).join(', ')}`);
  const rising = rows.toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
  return order === 'ASC' ? rising : rising.toReversed();
}

export const matches = (ask: RouteRequest, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes((ask.input['search'] ?? '').toLowerCase()));
