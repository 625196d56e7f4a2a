/** /wallet <wallet> [view]: holdings, flows, trades and ICOs. */
import { z } from 'zod';
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { commandLine, pageOption, summary, walletTitle, type WalletView, type NamedWallet } from '../../src/reply/index.js';
import { flow } from './flow.js';
import { holdings } from './holdings.js';
import { icos } from './icos.js';
import { markets } from './markets.js';
import { proposal } from './proposal.js';
import { refreshed } from './refreshed.js';
import { trades } from './trades.js';
import { findWallet, walletsOf } from '../../src/dispatch/watchlists/wallets.js';
import { shortKey } from '../../src/domain/wallet.js';

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
    wallet: z.string().trim().min(1).optional().describe('a wallet address or its label in this chat').meta({ complete: 'wallet' }),
    view: z.enum(NAMES).default('summary').describe('what to show'),
    item: z.string().trim().min(1).optional().describe('a token (for flow) or the public key of a proposal'),
    page: pageOption,
  }),
  examples: ['/wallet fund-1', '/wallet 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd holdings', '/wallet fund-1 flow ALDR'],
  // A wallet without a snapshot is refreshed first.
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
