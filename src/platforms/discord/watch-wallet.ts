/** "Watch this wallet": the wallets in a message. */
import { reply, type Reply } from '../../chat/reply.js';
import { keyFault, shortKey } from '../../domain/wallet.js';

export const WATCH_WALLET = 'Watch this wallet';

/** A signature of a transaction is longer. */
const KEY = /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?![A-Za-z0-9])/gu;
/** A message has 2,000 and its embeds 6,000. */
const MAX_TEXT = 10_000;
const MAX_WALLETS = 25;

/** Each once. */
export const walletsIn = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.join('\n').slice(0, MAX_TEXT).match(KEY) ?? [])].filter((key) => keyFault(key) === undefined).slice(0, MAX_WALLETS);

export const watchLine = (wallet: string): string => `/watch ${wallet}`;

export const noWallet = (): Reply =>
  reply({ tone: 'warning', finding: ['There is no wallet address in this message.'], audience: 'asker' });

export const whichWallet = (wallets: readonly string[]): Reply =>
  reply({
    finding: [{ strong: 'Which wallet?' }],
    fields: [
      {
        kind: 'menu',
        label: 'Wallet',
        options: wallets.map((wallet) => ({ label: shortKey(wallet), hint: wallet, line: watchLine(wallet) })),
      },
    ],
    audience: 'asker',
  });
