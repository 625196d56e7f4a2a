/** /refresh <wallet> [token]: requests a new snapshot of a wallet. */
import { z } from 'zod';
import { never } from '../src/base/never.js';
import { cut } from '../src/base/one-line.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import {
  coinName,
  coinNamed,
  coinsOf,
  commandLine,
  line,
  nameOfWallet,
  refreshPauseLine,
  summary,
  textOption,
  walletTitle,
  type NamedWallet,
} from '../src/reply/index.js';
import { findWallet } from '../src/dispatch/watchlists/targets.js';
import { duration } from '../src/domain/format.js';
import type { RefreshEnd } from '../src/domain/wallet.js';
import { refreshWallet, uncached } from '../src/dispatch/wallet-refresh.js';

export default defineCommand({
  name: 'refresh',
  summary: 'Refresh the snapshot of a wallet',
  args: z.object({
    wallet: z.string().trim().min(1).describe('a wallet address or its label in this chat').meta({ complete: 'wallet' }),
    token: textOption('only this token (its rank is not updated)'),
  }),
  examples: ['/refresh fund-1', '/refresh fund-1 ALDR'],
  phrases: {
    '/refresh {wallet} {traded?}': `refresh {wallet} | update {wallet} | {wallet} is stale refresh it | snapshot of {wallet} is old | make the data of {wallet}
      current | reload {wallet} | update {wallet} please its stale | rescan {wallet} | make actual again the data of wallet {wallet} |
      get fresh data for {wallet}`,
  },
  changes: true,

  costly: true,

  async run({ wallet: text, token }, context) {
    const { analytics, watchlists, chat, signal } = context;
    const wallet = findWallet(text, watchlists.read(chat));
    const coin = token === undefined ? undefined : coinNamed(token, await coinsOf(wallet.address, { analytics, signal }));
    const end = await refreshWallet(
      { wallet, token: coin?.token, finding: [{ strong: `Refreshing ${nameOfWallet(wallet)}` }, ': '] },
      context,
    );
    return endReply(end, {
      wallet,
      coin: coin && coinName(coin),
      again: commandLine('refresh', wallet.address, ...(coin === undefined ? [] : [coin.token])),
      context,
    });
  },
});

const MAX_TEXT_LENGTH = 200;

interface About {
  readonly wallet: NamedWallet;
  readonly coin: string | undefined;
  readonly again: string;
  readonly context: Context;
}

async function endReply(end: RefreshEnd, about: About): Promise<Reply> {
  const { wallet } = about;
  const actions = [
    { label: 'Wallet', line: commandLine('wallet', wallet.address) },
    { label: 'Refresh again', line: about.again },
  ];
  switch (end.kind) {
    case 'refreshed':
      return snapshot(end, about);
    case 'wait':
      return reply({
        finding: [{ strong: `${walletTitle(wallet)} was not refreshed` }],
        blocks: [line(...refreshPauseLine(end))],
        actions,
      });
    case 'failed':
      return reply({
        tone: 'warning',
        finding: [
          { strong: `The refresh of ${nameOfWallet(wallet)} failed` },
          end.says === undefined ? '' : `: ${cut(end.says, MAX_TEXT_LENGTH)}`,
        ],
        blocks: [line('The previous snapshot is unchanged. Try again later.')],
        actions,
      });
    case 'given-up':
      return reply({
        tone: 'warning',
        finding: [{ strong: `The refresh of ${nameOfWallet(wallet)} timed out` }, ` after ${duration(end.after)}`],
        blocks: [line('The previous snapshot is unchanged. Try again later.')],
        actions,
      });
    case 'going-on':
      return reply({
        tone: 'live',
        finding: [{ strong: `Still refreshing ${nameOfWallet(wallet)}` }, '. It continues in the background.'],
        actions,
      });
    default:
      return never(end);
  }
}

async function snapshot({ incomplete }: Extract<RefreshEnd, { kind: 'refreshed' }>, { wallet, coin, context }: About): Promise<Reply> {
  const { refreshes, signal, now, zone } = context;
  const analytics = uncached(context.analytics);
  const standing = { ...refreshes.standing(wallet.address), incomplete };
  const shown = await summary({ analytics, wallet, of: undefined, page: 1, maxAge: refreshes.maxAge, standing, now, zone, signal });
  return reply({
    tone: 'up',
    ...shown,
    blocks: [line(coin === undefined ? 'Refreshed just now.' : `${coin} refreshed just now. Its rank was not updated.`), ...shown.blocks],
    actions: [
      { label: 'Flow', line: commandLine('wallet', wallet.address, 'flow') },
      { label: 'Decision markets', line: commandLine('wallet', wallet.address, 'markets') },
      { label: 'ICOs', line: commandLine('wallet', wallet.address, 'icos') },
    ],
  });
}
