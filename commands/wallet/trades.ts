/** Shows the decision-market trades of a wallet: all of them, by market, and on one proposal. */
import {
  walletMarkets,
  walletProposal,
  walletProposalTrades,
  walletTrades,
  type TradeWindow,
  type WalletMarket,
  type WalletTrade,
} from '../../src/analytics/endpoints/wallet-activity.js';
import type { BlockDraft, Line, Tone } from '../../src/chat/reply.js';
import { UNKNOWN, amount, clockTime, price, share, usd } from '../../src/domain/format.js';
import type { Instant } from '../../src/domain/scalars.js';
import {
  PAGE_SIZE,
  UserError,
  ages,
  brokenRows,
  commandLine,
  counted,
  countedRows,
  dotted,
  latestPage,
  line,
  listPage,
  missingText,
  needOne,
  optional,
  right,
  servicePage,
  tableOf,
  walletTitle,
  type OptionalAnswer,
  type WalletView,
} from '../../src/reply/index.js';
import type { z } from 'zod';
import { cut } from '../../src/base/one-line.js';
import { absolute, isNegative } from '../../src/domain/decimal.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { keyFault, shortKey } from '../../src/domain/wallet.js';

export const trades: WalletView = async ({ analytics, wallet, page, now, zone, signal }) => {
  const read = await latestPage({
    ask: async (number) => analytics.call(walletTrades, { walletPublicKey: wallet.address, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const who = walletTitle(wallet);
  return listPage(read, {
    found: (where) => [{ strong: `${who} made ${countedRows(read, 'decision-market trade')}` }, where],
    of: who,
    none: `${who} has no trades`,
    blocks: [tradeTable(read.rows, { now, zone, titled: true })],
    to: (other) => commandLine('wallet', wallet.address, 'trades', `page:${other}`),
  });
};

const tradeTable = (
  rows: readonly WalletTrade[],
  { now, zone, titled }: { readonly now: Instant; readonly zone: string | undefined; readonly titled: boolean },
): BlockDraft =>
  tableOf(
    ['When', 'Trade', right('Size'), right('Price'), right('Value'), ...(titled ? ['Proposal'] : [])],
    rows.map((row) => [
      row.at === undefined ? UNKNOWN : clockTime(row.at, now, zone),
      [row.direction, row.market].filter((word) => word !== undefined).join(' ') || UNKNOWN,
      amount(row.size),
      price(row.price),
      usd(row.value),
      ...(titled ? [row.title ?? row.publicKey ?? UNKNOWN] : []),
    ]),
  );

const MAX_BUTTONS = 3;

/** Shows the markets on which a wallet traded, the latest first. */
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
    blocks: [{ kind: 'list', items: read.rows.map(marketItem) }],
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

function marketItem({ title, publicKey, id, project, state, net, side, volume, trades, volumeShare, lastTradeAt }: WalletMarket): {
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
      `${usd(volume)} in ${counted(trades, 'trade')}`,
      volumeShare === undefined ? undefined : `${share(volumeShare)} of volume`,
      state === undefined ? undefined : `proposal ${stateWord(state)}`,
      lastTradeAt === undefined ? undefined : ['last trade ', { at: lastTradeAt }],
    ),
  };
}

interface WindowTrades {
  readonly title: string;
  readonly one: OptionalAnswer<unknown>;
  readonly done: z.output<(typeof walletProposal)['data']>['all'] | undefined;
}

const windowTable = (windows: readonly WindowTrades[]): BlockDraft =>
  tableOf(
    ['Window', right('Trades'), right('Volume'), right('For pass'), right('For fail')],
    windows.map(({ title, one, done }) =>
      done === undefined
        ? [title, missingText(one), '', '', '']
        : [title, done.trades === undefined ? UNKNOWN : String(done.trades), usd(done.volume), usd(done.passVolume), usd(done.failVolume)],
    ),
  );

export const proposal: WalletView = async ({ analytics, wallet, of, now, zone, signal }) => {
  if (of === undefined)
    throw new UserError("Which proposal? Pick one from the wallet's decision markets.", {
      actions: [{ label: 'Decision markets', line: commandLine('wallet', wallet.address, 'markets') }],
    });
  const fault = keyFault(of);
  if (fault !== undefined) throw new UserError(`That's not a proposal's public key (${fault}). Paste the full key.`);
  const input = { walletPublicKey: wallet.address, proposalPublicKey: of };
  const inWindow = async (window: TradeWindow) => optional(analytics.call(walletProposal, { ...input, window }, { signal }));
  const [before, during, list] = await Promise.all([
    inWindow('preTwap'),
    inWindow('twapWindow'),
    optional(
      latestPage({
        ask: async (number) => analytics.call(walletProposalTrades, { ...input, limit: PAGE_SIZE, page: number }, { signal }),
        page: 1,
        at: (row) => row.at,
      }),
    ),
  ]);
  needOne(before, during, list);
  const windows = [
    { title: 'Before TWAP window', one: before, done: before.answer?.data.preTwap ?? before.answer?.data.all },
    { title: 'In the TWAP window', one: during, done: during.answer?.data.twapWindow ?? during.answer?.data.all },
  ];
  const counts = windows.map(({ done }) => done?.trades);
  const rows = list.answer?.rows ?? [];
  const total = list.answer?.paging.total;
  const title = rows.find((row) => row.title !== undefined)?.title;
  return {
    finding: [
      { strong: `${walletTitle(wallet)} on ${title === undefined ? `proposal ${shortKey(of)}` : `"${title}"`}` },
      `: ${counted(counts[0], 'trade')} before the TWAP window, ${counted(counts[1], 'trade')} in it`,
    ],
    blocks: [
      windowTable(windows),
      tradeTable(rows, { now, zone, titled: false }),
      ...(total !== undefined && total > rows.length && rows.length > 0
        ? [line(`${list.answer?.notes.length === 0 ? 'Latest ' : ''}${rows.length} of ${counted(total, 'trade')}`)]
        : []),
      ...(list.answer === undefined ? [line(`Trades: ${missingText(list)}`)] : []),
      ...(list.answer?.notes ?? []),
      ...brokenRows(list.answer?.broken ?? 0),
    ],
    actions: [{ label: 'Proposal', line: commandLine('proposal', of) }],
    ...ages(before.answer, during.answer, ...(list.answer?.answers ?? [])),
  };
};
