/** Wallets as people name them: by the label their chat gave them, or by the whole public key, which is checked before anything is asked about it. */
import { brief } from '../base/one-line.js';
import type { Target } from '../alerts/watchlist/entry.js';
import type { Chat } from '../alerts/watchlist/watchlists.js';
import { keyFault, looksLikeKey, shortKey, walletAddress, type WalletAddress } from '../domain/wallet.js';
import { UserMistake } from './mistake.js';

/** A wallet that a chat speaks of. */
export interface NamedWallet {
  readonly address: WalletAddress;
  readonly label?: string | undefined;
}

/** The wallet of this public key. Throws a `UserMistake` that says what is wrong with it. */
export function checkedWallet(text: string): WalletAddress {
  const fault = keyFault(text);
  if (fault === undefined) return walletAddress(text);
  throw new UserMistake(`That is not a wallet address: ${fault}. Paste the whole public key.`);
}

/** "“fund-1”", or "wallet 7Hq2…x9Pd" where it has no label. */
export const nameOfWallet = ({ address, label }: NamedWallet): string =>
  label === undefined ? `wallet ${shortKey(address)}` : `“${label}”`;

/** The same at the beginning of a sentence. */
export const walletTitle = (wallet: NamedWallet): string => nameOfWallet(wallet).replace(/^w/u, 'W');

/** The wallets that a chat watches. */
export const walletsOf = (chat: Pick<Chat, 'entries'>): readonly Extract<Target, { kind: 'wallet' }>[] =>
  chat.entries.flatMap(({ target }) => (target.kind === 'wallet' ? [target] : []));

/** The wallet a text names in this chat: by label, or by public key. Throws a `UserMistake` when it is neither. */
export function findWallet(text: string, chat: Pick<Chat, 'entries'>): NamedWallet {
  const watched = walletsOf(chat);
  const known = watched.find(({ address }) => address === text) ?? watched.find(({ label }) => label?.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  if (looksLikeKey(text) || keyFault(text) === undefined) return { address: checkedWallet(text) };
  throw new UserMistake([
    `No wallet is called "${brief(text)}" in this chat. Paste its whole public key, or give it that label with `,
    { code: `/watch <public key> ${brief(text)}` },
    '.',
  ]);
}
