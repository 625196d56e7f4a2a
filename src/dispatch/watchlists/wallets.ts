/** Resolves wallets by label or complete public key. */
import { brief } from '../../base/one-line.js';
import type { Target } from '../../alerts/watchlist/entry.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import { keyFault, looksLikeKey } from '../../domain/wallet.js';
import { checkedWallet, UserError, type NamedWallet, type WalletLabels } from '../../reply/index.js';

export const walletsOf = (chat: Pick<Chat, 'entries'>): readonly Extract<Target, { kind: 'wallet' }>[] =>
  chat.entries.flatMap(({ target }) => (target.kind === 'wallet' ? [target] : []));

export const labelsOf = (chat: Pick<Chat, 'entries'>): WalletLabels =>
  new Map(walletsOf(chat).flatMap(({ address, label }) => (label === undefined ? [] : [[address, label] as const])));

/** Throws a `UserError` for anything else. */
export function findWallet(text: string, chat: Pick<Chat, 'entries'>): NamedWallet {
  const watched = walletsOf(chat);
  const known = watched.find(({ address }) => address === text) ?? watched.find(({ label }) => label?.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  if (looksLikeKey(text) || keyFault(text) === undefined) return { address: checkedWallet(text) };
  throw new UserError([
    `No wallet called "${brief(text)}" in this chat. Paste its address, or label it with `,
    { code: `/watch <address> ${brief(text)}` },
    '.',
  ]);
}
