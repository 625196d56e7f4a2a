/** The name of a wallet in a reply. */
import { keyFault, shortKey, walletAddress, type WalletAddress } from '../domain/wallet.js';
import { UserError } from './user-error.js';

export interface NamedWallet {
  readonly address: WalletAddress;
  readonly label?: string | undefined;
}

/** What a chat calls wallets, by address. */
export type WalletLabels = ReadonlyMap<string, string>;

/** "fund-1", "7Hq2…x9Pd". */
export const labelOrKey = (address: string, labels: WalletLabels): string => labels.get(address) ?? shortKey(address);

/** Throws a `UserError` for a wrong key. */
export function checkedWallet(text: string): WalletAddress {
  const fault = keyFault(text);
  if (fault === undefined) return walletAddress(text);
  throw new UserError(`That's not a wallet address (${fault}). Paste the full address.`);
}

export const nameOfWallet = ({ address, label }: NamedWallet): string =>
  label === undefined ? `wallet ${shortKey(address)}` : `"${label}"`;

export const walletTitle = (wallet: NamedWallet): string => nameOfWallet(wallet).replace(/^w/u, 'W');
