/** Shows a wallet view, after a refresh if there is no snapshot. */
import { AnalyticsError } from '../../src/analytics/errors.js';
import { never } from '../../src/base/never.js';
import type { Line } from '../../src/chat/reply.js';
import { serviceErrorText } from '../../src/dispatch/error-sentences.js';
import type { Context } from '../../src/dispatch/context.js';
import { refreshWallet, uncached } from '../../src/dispatch/wallet-refresh.js';
import type { RefreshEnd } from '../../src/domain/wallet-refresh.js';
import { neverRead, refreshPauseLine, type NamedWallet, type WalletView, type WalletViewReply } from '../../src/reply/index.js';

interface Wanted {
  readonly view: WalletView;
  readonly wallet: NamedWallet;
  readonly of: string | undefined;
  readonly page: number;
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export async function refreshed({ view, ...wanted }: Wanted, context: Context): Promise<WalletViewReply> {
  const { wallet } = wanted;
  const show = async (analytics: Context['analytics']): Promise<WalletViewReply> => {
    const { refreshes, now, zone, signal } = context;
    return view({ analytics, ...wanted, maxAge: refreshes.maxAge, standing: refreshes.standing(wallet.address), now, zone, signal });
  };
  const first = await show(context.analytics);
  // A pause is shown by the view.
  if (first.unread !== true || context.refreshes.standing(wallet.address).pause !== undefined) return first;
  const end = await makeSnapshot(wallet, context);
  if (end instanceof AnalyticsError) return { ...first, finding: [...first.finding, '. ', ...serviceErrorText(end)] };
  const again = end.kind === 'refreshed' ? await show(uncached(context.analytics)) : first;
  return again.unread === true ? { ...again, finding: [...again.finding, ...outcome(end)] } : again;
}

async function makeSnapshot(wallet: NamedWallet, context: Context): Promise<RefreshEnd | AnalyticsError> {
  try {
    return await refreshWallet({ wallet, automatic: true, finding: [...neverRead(wallet), '. Refreshing: '] }, context);
  } catch (cause) {
    if (cause instanceof AnalyticsError) return cause;
    throw cause;
  }
}

function outcome(end: RefreshEnd): Line {
  switch (end.kind) {
    case 'refreshed':
      return ['. The service finished a refresh without one. Try again later.'];
    case 'going-on':
      return ['. Still refreshing, try again in a few minutes.'];
    case 'wait':
      return ['. ', ...refreshPauseLine(end)];
    case 'failed':
    case 'given-up':
      return ['. The refresh failed. Try again later.'];
    default:
      return never(end);
  }
}
