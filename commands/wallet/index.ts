/** /wallet <wallet> [view]: holdings, flows, trades and ICOs. */
import { z } from 'zod';
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import type { Context } from '../../src/dispatch/context.js';
import { commandLine } from '../../src/replies/command-line.js';
import { UserError } from '../../src/replies/user-error.js';
import { pageOption } from '../../src/replies/options.js';
import { flow } from './flow.js';
import { holdings } from './holdings.js';
import { icos } from './icos.js';
import { markets } from './markets.js';
import { proposal } from './proposal.js';
import { summary } from '../../src/replies/wallet-summary.js';
import { trades } from './trades.js';
import type { WalletView } from '../../src/replies/wallet-view.js';
import { findWallet, walletsOf } from '../../src/dispatch/watchlists/wallets.js';
import { walletTitle, type NamedWallet } from '../../src/replies/wallet-name.js';
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
    wallet: z.string().trim().min(1).optional().describe('wallet address or its label in this chat').meta({ complete: 'wallet' }),
    view: z.enum(NAMES).default('summary').describe('what to show'),
    of: z.string().trim().min(1).optional().describe('token (for flow) or proposal public key'),
    page: pageOption,
  }),
  examples: ['/wallet fund-1', '/wallet 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd holdings', '/wallet fund-1 flow ALDR'],

  async run({ wallet: text, view, of, page }, context) {
    const { analytics, refreshes, now, signal, watchlists, chat } = context;
    const wallet = text === undefined ? onlyOne(context) : findWallet(text, watchlists.read(chat));
    const { address } = wallet;
    const { maxAge } = refreshes;
    const shown = await VIEWS[view]({ analytics, wallet, of, page, maxAge, standing: refreshes.standing(address), now, signal });
    const isWatched = walletsOf(watchlists.read(chat)).some((target) => target.address === address);
    const links = context.links([{ to: 'wallet', wallet: address }]);
    return reply({
      ...shown,
      subject: omitUndefined({ name: walletTitle(wallet), url: links[0]?.url }),
      links,
      actions: [
        { label: 'Refresh', line: commandLine('refresh', address) },
        ...BUTTONS.map(([name, label]) => ({ label, line: commandLine('wallet', address, name), on: name === view })),
        ...(shown.actions ?? []),
        ...(isWatched ? [] : [{ label: 'Watch', line: commandLine('watch', address) }]),
      ],
    });
  },
});

/** Throws a `UserError` unless the chat watches exactly one wallet. */
function onlyOne({ watchlists, chat }: Context): NamedWallet {
  const [only, ...others] = walletsOf(watchlists.read(chat));
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new UserError('Which wallet? Paste its address, or watch one with /watch <address> <label>.', { usage: 'wallet' });
  throw new UserError('Which wallet? This chat watches several.', {
    actions: [only, ...others].map(({ address, label }) => ({ label: label ?? shortKey(address), line: commandLine('wallet', address) })),
  });
}
