/** What the routes of a wallet (§4.3) share: whose wallet it is, and how a list of it is asked for. */
import type { Instant } from '../../base/clock.js';
import { keyFault, walletAddress, type WalletAddress } from '../../domain/wallet.js';
import { ServiceRefusal } from '../refusal.js';
import { unix, type RouteRequest } from '../route.js';

const WRONG_NAMES = ['wallet', 'address', 'walletAddress'];

/** Refuses with 400 what names no wallet, and the names that are not the parameter's. */
export function walletOf({ input }: RouteRequest): WalletAddress {
  const wrong = WRONG_NAMES.find((name) => input[name] !== undefined);
  if (wrong !== undefined) throw new ServiceRefusal(400, `${wrong} is not known; use walletPublicKey`);
  const key = input['walletPublicKey'];
  if (key === undefined) throw new ServiceRefusal(400, 'walletPublicKey is required');
  const fault = keyFault(key);
  if (fault !== undefined) throw new ServiceRefusal(400, `walletPublicKey is no public key: ${fault}`);
  return walletAddress(key);
}

/** Unix seconds; null where there is no such moment. */
export const seconds = (at: Instant | undefined): number | null => (at === undefined ? null : unix(at));

/** In the order that is asked for; refuses one that it does not know. */
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

/** Whether one of these texts has in it what is searched for. */
export const matches = (ask: RouteRequest, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes((ask.input['search'] ?? '').toLowerCase()));
