/** Finds a wallet's coins. */
import { brief } from '../base/one-line.js';
import { either } from '../base/sentence-lists.js';
import type { Analytics } from '../analytics/analytics.js';
import { walletHoldings, type WalletHolding } from '../analytics/endpoints/wallets.js';
import { shortKey, type WalletAddress } from '../domain/wallet.js';
import { UserError } from './user-error.js';

export async function coinsOf(
  address: WalletAddress,
  { analytics, signal }: { readonly analytics: Analytics; readonly signal: AbortSignal | undefined },
): Promise<readonly WalletHolding[]> {
  const { rows } = await analytics.walk(walletHoldings, { walletPublicKey: address }, ({ token }) => token, { signal });
  return rows.toSorted((a, b) => Number(b.value ?? 0) - Number(a.value ?? 0));
}

export const coinName = ({ symbol, token }: Pick<WalletHolding, 'symbol' | 'token'>): string => symbol ?? shortKey(token);

/** Throws a `UserError` if the wallet holds no such coin. */
export function coinNamed(text: string, coins: readonly WalletHolding[]): WalletHolding {
  const word = text.replace(/^\$/u, '').toLowerCase();
  const found =
    coins.find(({ token }) => token === text) ??
    coins.find(({ symbol, slug, name }) => [symbol, slug, name].some((own) => own?.toLowerCase() === word));
  if (found !== undefined) return found;
  const some = coins.slice(0, 5).map(coinName);
  throw new UserError(
    `This wallet holds no ownership coin called "${brief(text)}". ${some.length === 0 ? 'Its snapshot is empty: try /refresh.' : `It holds ${either(some)}.`}`,
  );
}
