/** Refreshes a wallet for a reply, with progress. */
import type { Analytics } from '../analytics/analytics.js';
import { MINUTE, SECOND } from '../base/clock.js';
import { reply, type Line } from '../chat/reply.js';
import type { RefreshEnd, RefreshProgress } from '../domain/wallet.js';
import { counted, type NamedWallet } from '../reply/index.js';
import type { Context } from './context.js';

const MAX_WAIT = 3 * MINUTE;
/** Platforms that cannot edit give up an answer after two minutes, so the refresh must end before that. */
const MAX_TEXT_WAIT = 100 * SECOND;

interface WalletRefresh {
  readonly wallet: NamedWallet;
  readonly token?: string | undefined;
  readonly automatic?: boolean | undefined;
  readonly finding: Line;
}

/** Refreshes a wallet and shows the progress. Rejects with an `AnalyticsError`. */
export async function refreshWallet(
  { wallet, token, automatic, finding }: WalletRefresh,
  { refreshes, progress, signal, endTurn }: Pick<Context, 'refreshes' | 'progress' | 'signal' | 'endTurn'>,
): Promise<RefreshEnd> {
  endTurn();
  let last = '';
  const show = (words: string): void => {
    // Edits that change nothing are skipped, because they count against the rate limit.
    if (words === last) return;
    last = words;
    void progress?.(reply({ tone: 'live', finding: [...finding, words] }));
  };
  if (automatic === true) show('started…');
  return refreshes.refresh({
    address: wallet.address,
    token,
    automatic,
    patience: progress === undefined ? MAX_TEXT_WAIT : MAX_WAIT,
    signal,
    progress: (how) => show(progressWords(how)),
  });
}

function progressWords({ tokens, tokensDone, transactions, resumed }: RefreshProgress): string {
  const words = [
    ...(tokens === undefined ? [] : [`${tokensDone ?? 0} of ${counted(tokens, 'token')}`]),
    ...(transactions === undefined ? [] : [counted(transactions, 'transaction')]),
    ...(resumed === 0 ? [] : [`resumed ${counted(resumed, 'time')}`]),
  ];
  return `${words.length === 0 ? 'started' : words.join(', ')}…`;
}

export const uncached = (analytics: Analytics): Analytics => ({
  ...analytics,
  call: async (row, input, how) => analytics.call(row, input, { ...how, maxAge: 0 }),
});
