/** Decision markets of a wallet, latest first. */
import { cut } from '../../src/base/one-line.js';
import { walletMarkets, type WalletMarket } from '../../src/analytics/endpoints/wallet-activity.js';
import type { Line, Tone } from '../../src/chat/reply.js';
import { absolute, isNegative } from '../../src/domain/decimal.js';
import { share, usd } from '../../src/domain/format.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import {
  PAGE_SIZE,
  commandLine,
  counted,
  countedRows,
  dotted,
  listPage,
  servicePage,
  walletTitle,
  type WalletView,
} from '../../src/reply/index.js';

const MAX_BUTTONS = 3;

export const markets: WalletView = async ({ analytics, wallet, page, signal }) => {
  const answer = await analytics.call(
    walletMarkets,
    { walletPublicKey: wallet.address, sort: 'lastTradeTime', order: 'DESC', limit: PAGE_SIZE, page },
    { signal },
  );
  const read = servicePage(answer, page);
  const who = walletTitle(wallet);
  return listPage(read, {
    found: (where) => [{ strong: `${who} traded on ${countedRows(read, 'decision market')}` }, where],
    of: who,
    none: `${who} has no decision-market trades`,
    blocks: [{ kind: 'list', items: read.rows.map(item) }],
    to: (other) => commandLine('wallet', wallet.address, 'markets', `page:${other}`),
    actions: (pages) => [
      ...read.rows
        .slice(0, MAX_BUTTONS)
        .flatMap(({ publicKey, title }) =>
          publicKey === undefined
            ? []
            : [{ label: cut(title ?? publicKey, MAX_LABEL_LENGTH), line: commandLine('wallet', wallet.address, 'proposal', publicKey) }],
        ),
      ...pages,
    ],
  });
};

const MAX_LABEL_LENGTH = 30;

function stateWord(state: string): string {
  const phase = phaseOf({ status: state });
  return typeof phase === 'string' ? phase : `"${state}"`;
}

function item({ title, publicKey, id, project, state, net, side, volume, trades, volumeShare, lastTradeAt }: WalletMarket): {
  tone: Tone;
  line: Line;
  detail: Line;
} {
  const backs = side ?? (net === undefined ? undefined : isNegative(net) ? 'fail' : 'pass');
  return {
    tone: backs === 'pass' ? 'up' : backs === 'fail' ? 'down' : 'plain',
    line: [{ strong: title ?? publicKey ?? id ?? 'a proposal' }, project === undefined ? '' : ` (${project})`],
    detail: dotted(
      backs === undefined ? undefined : `${net === undefined ? '' : `${usd(absolute(net))} net `}for ${backs}`,
      `${usd(volume)} in ${trades === undefined ? 'n/a trades' : counted(trades, 'trade')}`,
      volumeShare === undefined ? undefined : `${share(volumeShare)} of volume`,
      state === undefined ? undefined : `proposal ${stateWord(state)}`,
      lastTradeAt === undefined ? undefined : ['last trade ', { at: lastTradeAt }],
    ),
  };
}
