/** /proposal <project or public key> [words of its title] [view]: one market. */
import { z } from 'zod';
import { INTERVALS } from '../../src/analytics/endpoints/proposals-market.js';
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { reply } from '../../src/chat/reply.js';
import { labelsOf } from '../../src/dispatch/watchlists/wallets.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { commandLine, ages, findProposal } from '../../src/reply/index.js';
import { against } from './similar-proposals.js';
import { conviction } from './conviction.js';
import { ordersFile, tradersFile, volumeFile } from './files.js';
import { flow } from './flow.js';
import { frequency } from './frequency.js';
import { market } from './market.js';
import { orders } from './orders.js';
import { price } from './price.js';
import { status } from './status.js';
import { strength } from './strength.js';
import { summary } from './summary.js';
import { threshold } from './threshold.js';
import { undated, type ProposalView } from './view.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { traders } from './traders.js';

const VIEWS = {
  summary,
  status,
  market,
  price,
  threshold,
  flow,
  strength,
  traders,
  frequency,
  orders,
  conviction,
  against,
  'orders-csv': ordersFile,
  'traders-csv': tradersFile,
  'volume-csv': volumeFile,
} satisfies Record<string, ProposalView>;

const BUTTONS = [
  ['summary', 'Summary'],
  ['price', 'Price'],
  ['threshold', 'Threshold'],
  ['market', 'Market'],
  ['flow', 'Flow'],
  ['conviction', 'Conviction'],
  ['strength', 'Strength'],
  ['traders', 'Traders'],
  ['frequency', 'Frequency'],
  ['orders', 'Orders'],
  ['status', 'Status'],
  ['against', 'Compare'],
] as const satisfies readonly (readonly [keyof typeof VIEWS, string])[];
const NAMES = [...BUTTONS.map(([name]) => name), 'orders-csv', 'traders-csv', 'volume-csv'] as const;

export default defineCommand({
  name: 'proposal',
  summary: 'One proposal: passing or failing, prices, traders, orders',
  args: z.object({
    project: z.string().trim().min(1).optional().describe('project or public key').meta({ complete: 'proposal' }),
    view: z.enum(NAMES).optional().describe('what to show'),
    interval: z.enum(INTERVALS).optional().describe('interval of threshold and flow'),
    page: z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .optional()
      .describe('a page number, from 1'),
    words: z.string().trim().min(1).optional().describe('words in the title').meta({ rest: true, anyWords: true }),
  }),
  examples: [
    '/proposal tide fund the second audit',
    '/proposal tide price',
    '/proposal 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd threshold 4h',
  ],

  async run({ project, words, view: requested, interval, page }, { analytics, directory, links, watchlists, chat, now, zone, signal }) {
    const taken = [requested, interval, page].filter((word) => word !== undefined);
    const { seen, ...found } = await findProposal(
      { project, words, taken, view: requested ?? 'summary' },
      { analytics, directory, now, signal },
    );
    const view = found.tookAll ? 'summary' : (requested ?? 'summary');
    const { publicKey, row } = found;
    const isLive = phaseOf(row) === 'live';
    const shown = await VIEWS[view]({
      analytics: isLive ? analytics : undated(analytics),
      proposal: found,
      interval: interval ?? '1h',
      page: Number(page ?? '1'),
      now,
      zone,
      signal,
      labels: labelsOf(watchlists.read(chat)),
    });
    const first = ages(isLive || seen === undefined ? seen : { ...seen, dataAt: undefined });
    const asOf = [shown.asOf, first.asOf].filter((at) => at !== undefined);
    const stale = shown.stale ?? first.stale;
    const pages = links([{ to: 'proposal', publicKey, slug: row.slug }]);
    return reply({
      ...shown,
      ...(row.title === undefined ? {} : { subject: omitUndefined({ name: row.title, url: pages[0]?.url }) }),
      ...(asOf.length === 0 ? {} : { asOf: Math.min(...asOf) }),
      stale,
      links: pages,
      actions: [
        ...(shown.actions ?? []),
        ...BUTTONS.map(([name, label]) => ({ label, line: commandLine('proposal', publicKey, name), on: name === view })),
        ...(row.slug === undefined ? [] : [{ label: 'All proposals', line: commandLine('proposals', row.slug) }]),
      ],
    });
  },
});
