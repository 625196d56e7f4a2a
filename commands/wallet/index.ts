/** /wallet <wallet> [view]: holdings, flows, trades and ICOs. */
import { z } from 'zod';
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { reply, type Line, type Reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  PAGE_SIZE,
  commandLine,
  countedRows,
  dotted,
  doubtful,
  figuresOf,
  listPage,
  missingText,
  neverRead,
  optional,
  pageOption,
  refreshPauseLine,
  servicePage,
  summary,
  textOption,
  walletTitle,
  type NamedWallet,
  type WalletView,
  type WalletViewReply,
} from '../../src/reply/index.js';
import { flow, holdings } from './holdings.js';
import { markets, proposal, trades } from './trades.js';
import { findWallet, walletsOf } from '../../src/dispatch/watchlists/targets.js';
import { shortKey, type RefreshEnd } from '../../src/domain/wallet.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { never } from '../../src/base/never.js';
import { serviceErrorText } from '../../src/dispatch/error-sentences.js';
import type { Context } from '../../src/dispatch/context.js';
import { refreshWallet, uncached } from '../../src/dispatch/wallet-refresh.js';
import { walletIcoTotals, walletIcos, type Participation } from '../../src/analytics/endpoints/wallet-activity.js';
import { amount, usd } from '../../src/domain/format.js';

const icos: WalletView = async ({ analytics, wallet, page, signal }) => {
  const input = { walletPublicKey: wallet.address };
  const [answer, totals] = await Promise.all([
    analytics.call(walletIcos, { ...input, sort: 'contribution', order: 'DESC', limit: PAGE_SIZE, page }, { signal }),
    optional(analytics.call(walletIcoTotals, input, { signal })),
  ]);
  const who = walletTitle(wallet);
  const sums = totals.answer?.data;
  const read = { ...servicePage(answer, page), total: sums?.icos, answers: [answer, totals.answer] };
  const shown = listPage(read, {
    found: (where) => [{ strong: `${who} joined ${countedRows(read, 'ICO')}` }, where],
    of: who,
    none: `${who} joined no ICOs`,
    blocks: [
      figuresOf([
        ['Contributed', sums === undefined ? missingText(totals) : usd(sums.contribution)],
        ['refunded', sums === undefined ? missingText(totals) : usd(sums.refund)],
      ]),
      { kind: 'list', items: read.rows.map(item) },
    ],
    to: (other) => commandLine('wallet', wallet.address, 'icos', `page:${other}`),
  });
  return { ...shown, blocks: [...shown.blocks, ...doubtful(sums?.doubts ?? [])] };
};

const item = ({ project, symbol, slug, launch, contribution, refund, allocation, at }: Participation) => ({
  line: [{ strong: project ?? symbol ?? slug ?? launch ?? 'an ICO' }, ` ${usd(contribution)}`],
  detail: dotted(
    `refunded ${usd(refund)}`,
    `received ${amount(allocation)}${allocation === undefined || symbol === undefined ? '' : ` ${symbol}`}`,
    at === undefined ? undefined : ['joined ', { at }],
  ),
});

interface Wanted {
  readonly view: WalletView;
  readonly wallet: NamedWallet;
  readonly of: string | undefined;
  readonly page: number;
}

/** Shows a view of a wallet, after a refresh if there is no snapshot. Rejects with an `AnalyticsError` if there is nothing to show. */
async function refreshed({ view, ...wanted }: Wanted, context: Context): Promise<WalletViewReply> {
  const { wallet } = wanted;
  const show = async (analytics: Context['analytics']): Promise<WalletViewReply> => {
    const { refreshes, now, zone, signal } = context;
    return view({ analytics, ...wanted, maxAge: refreshes.maxAge, standing: refreshes.standing(wallet.address), now, zone, signal });
  };
  const first = await show(context.analytics);
  // During a pause the view itself explains it.
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

const VIEWS = { summary, holdings, flow, markets, trades, icos, proposal } satisfies Record<string, WalletView>;
const NAMES = ['summary', 'holdings', 'flow', 'markets', 'trades', 'icos', 'proposal'] as const satisfies readonly (keyof typeof VIEWS)[];

const BUTTONS = [
  ['summary', 'Summary'],
  ['holdings', 'Holdings'],
  ['flow', 'Flow'],
  ['markets', 'Decision markets'],
  ['trades', 'Trades'],
  ['icos', 'ICOs'],
] as const;

export default defineCommand({
  name: 'wallet',
  summary: 'Holdings and activity of a wallet',
  args: z.object({
    wallet: textOption('a wallet address or its label in this chat').meta({ complete: 'wallet' }),
    view: z.enum(NAMES).default('summary').describe('what to show'),
    item: textOption('a token (for flow) or the public key of a proposal'),
    page: pageOption,
  }),
  examples: ['/wallet fund-1', '/wallet 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd holdings', '/wallet fund-1 flow ALDR'],
  phrases: {
    '/wallet {wallet}': `{wallet} | wallet {wallet} | what is {wallet} | show {wallet} | who is {wallet} | look at {wallet} | check {wallet} | how is
      {wallet} doing | {wallet} wallet | pnl of {wallet} | portfolio of {wallet} | {wallet} activity`,
    '/wallet {wallet} holdings': `holdings of {wallet} | what does {wallet} hold | {wallet} bags | bags of {wallet} | what is {wallet} holding | what does
      {wallet} own | {wallet} holdings | what tokens are in {wallet} | check {wallet} bags | what is in the wallet {wallet} | this
      wallet {wallet} what contains | how much does {wallet} hold`,
    '/wallet {wallet} flow {traded?}': `is {wallet} buying | is {wallet} buying or selling {project} | did {wallet} buy {project} | has {wallet} sold {project} |
      {wallet} flow | is {wallet} dumping {project} | is {wallet} accumulating | what did {wallet} buy lately | flow of {wallet} in
      {project} | {wallet} buying {project} | when did {wallet} last sell {project} | in and out of {wallet} {project}`,
    '/wallet {wallet} markets': `on which markets does {wallet} trade | does {wallet} bet on votes | decision markets of {wallet} | {wallet} markets | {wallet}
      decision market record | does {wallet} trade proposals`,
    '/wallet {wallet} trades {page?}': `trades of {wallet} | {wallet} trades | last trades of {wallet} | what did {wallet} trade | {wallet} decision market trades |
      trade history of {wallet} | trades from {wallet} in decision markets`,
    '/wallet {wallet} icos': `which icos was {wallet} in | in which launches did {wallet} invest | {wallet} icos | raises {wallet} took part in | in which
      icos participated {wallet} | icos of {wallet} | did {wallet} invest in raises`,
    '/wallet {wallet} proposal {key}': `position of {wallet} on {key} | did {wallet} bet on {key} | how did {wallet} trade {key} | {wallet} on proposal {key} | how
      positioned himself {wallet} in proposal {key}`,
  },
  // The command may refresh a wallet that has no snapshot.
  changes: true,

  async run({ wallet: text, view, item, page }, context) {
    const { watchlists, chat } = context;
    const watched = walletsOf(watchlists.read(chat));
    const wallet = text === undefined ? watched[0] : findWallet(text, watchlists.read(chat));
    if (wallet === undefined || (text === undefined && watched.length > 1)) return whichWallet(watched, view);
    const { address } = wallet;
    const { unread, ...shown } = await refreshed({ view: VIEWS[view], wallet, of: item, page }, context);
    const isWatched = watched.some((target) => target.address === address);
    const links = context.links([{ to: 'wallet', wallet: address }]);
    return reply({
      ...shown,
      subject: omitUndefined({ name: walletTitle(wallet), url: links[0]?.url }),
      links,
      actions: [
        unread === true
          ? { label: 'Show again', line: commandLine('wallet', address, view) }
          : { label: 'Refresh', line: commandLine('refresh', address) },
        ...BUTTONS.map(([name, label]) => ({ label, line: commandLine('wallet', address, name), on: name === view })),
        ...(shown.actions ?? []),
        ...(isWatched ? [] : [{ label: 'Watch', line: commandLine('watch', address) }]),
      ],
    });
  },
});

function whichWallet(watched: readonly NamedWallet[], view: keyof typeof VIEWS): Reply {
  const more = view === 'summary' ? [] : [view];
  return reply({
    finding: [
      { strong: 'Which wallet?' },
      watched.length === 0 ? ' Paste its address to see what it holds.' : ' This chat watches several.',
    ],
    blocks: [
      {
        kind: 'list',
        items: watched.map(({ address, label }) => ({ line: [label === undefined ? shortKey(address) : { strong: label }] })),
      },
    ],
    fields: [{ kind: 'text', label: 'Paste an address', hint: 'wallet address', line: `${commandLine('wallet')} {}` }],
    actions: [
      ...watched.map(({ address, label }) => ({ label: label ?? shortKey(address), line: commandLine('wallet', address, ...more) })),
      { label: 'Watch a wallet', line: '/watch' },
    ],
  });
}
