/** Shows wallets in a reply: names, coins and the age of their snapshot. */
import { keyFault, shortKey, walletAddress, type Pause, type RefreshStanding, type WalletAddress } from '../domain/wallet.js';
import { UserError } from './errors.js';
import { brief } from '../base/one-line.js';
import { either } from '../base/sentence-lists.js';
import type { Analytics } from '../analytics/analytics.js';
import { walletHoldings, type WalletHolding } from '../analytics/endpoints/wallets.js';
import type { BlockDraft, Line } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';
import { duration } from '../domain/format.js';
import { counted, dotted, line } from './blocks.js';

export interface NamedWallet {
  readonly address: WalletAddress;
  readonly label?: string | undefined;
}

/** The labels of a chat's wallets, by address. */
export type WalletLabels = ReadonlyMap<string, string>;

/** Returns "fund-1" or "7Hq2…x9Pd". */
export const labelOrKey = (address: string, labels: WalletLabels): string => labels.get(address) ?? shortKey(address);

/** Parses a wallet's address. Throws a `UserError` for an invalid one. */
export function checkedWallet(text: string): WalletAddress {
  const fault = keyFault(text);
  if (fault === undefined) return walletAddress(text);
  throw new UserError(`That's not a wallet address (${fault}). Paste the full address.`);
}

export const nameOfWallet = ({ address, label }: NamedWallet): string =>
  label === undefined ? `wallet ${shortKey(address)}` : `"${label}"`;

export const walletTitle = (wallet: NamedWallet): string => nameOfWallet(wallet).replace(/^w/u, 'W');

export async function coinsOf(
  address: WalletAddress,
  { analytics, signal }: { readonly analytics: Analytics; readonly signal: AbortSignal | undefined },
): Promise<readonly WalletHolding[]> {
  const { rows } = await analytics.walk(walletHoldings, { walletPublicKey: address }, ({ token }) => token, { signal });
  return rows.toSorted((a, b) => Number(b.value ?? 0) - Number(a.value ?? 0));
}

export const coinName = ({ symbol, token }: Pick<WalletHolding, 'symbol' | 'token'>): string => symbol ?? shortKey(token);

/** Finds a coin by name. Throws a `UserError` if the wallet does not hold it. */
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

export interface SnapshotState {
  readonly snapshotAt?: Instant | undefined;
  readonly historySync?: string | undefined;
}

export const neverRead = (wallet: NamedWallet): Line => [{ strong: `No snapshot of ${nameOfWallet(wallet)} yet` }];

export function snapshotLines(
  of: SnapshotState,
  { standing, maxAge, now }: { readonly standing: RefreshStanding; readonly maxAge: number; readonly now: Instant },
): readonly BlockDraft[] {
  const { snapshotAt, historySync } = of;
  const age: Line =
    snapshotAt === undefined
      ? ['No snapshot yet']
      : [`${now - snapshotAt > maxAge ? '⚠ ' : ''}Snapshot is ${duration(now - snapshotAt)} old`];
  return [
    line(
      ...dotted(
        age,
        historySync === undefined || historySync.toLowerCase() === 'completed' ? undefined : `history sync: ${historySync}`,
        standing.running ? 'refreshing now' : undefined,
        standing.incomplete > 0 ? `history incomplete for ${counted(standing.incomplete, 'account')}` : undefined,
      ),
    ),
    ...(standing.pause === undefined ? [] : [line(...refreshPauseLine(standing.pause))]),
  ];
}

const WHY: Readonly<Record<Pause, string>> = {
  limited: 'Next refresh possible ',
  untold: "The next refresh isn't scheduled. Retrying ",
  failed: 'The last refresh failed. Retrying ',
  'given-up': 'The last refresh timed out. Retrying ',
};

export const refreshPauseLine = ({ until, because }: { readonly until: Instant; readonly because: Pause }): Line => [
  WHY[because],
  { at: until },
];
