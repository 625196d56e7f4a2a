/** /ico <project> [view] [page]: a token sale and its result. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import { contributors } from './contributors.js';
import { terms } from './terms.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  commandLine,
  counted,
  emptyPage,
  line,
  pageActions,
  pageOption,
  pageText,
  pagingOf,
  projectOption,
  viewReply,
  type ProjectView,
} from '../../src/reply/index.js';
import { several } from '../../src/base/sentence-lists.js';
import { icoInvestors, type Investor } from '../../src/analytics/endpoints/ico.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { usd } from '../../src/domain/format.js';
import { looksLikeKey, shortKey } from '../../src/domain/wallet.js';

const MAX_NAMES = 3;
const MAX_BUTTONS = 3;

/** The wallets of an ICO. Their figures span all ICOs. */
const investors: ProjectView = async ({ analytics, project, page, signal }) => {
  const answer = await analytics.call(icoInvestors, { slug: project.slug, limit: PAGE_SIZE, page }, { signal });
  const { rows, broken } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const symbol = project.symbol ?? project.name;
  const total =
    paging.total === undefined ? `Investors of ${symbol}'s ICO` : `${counted(paging.total, 'wallet')} invested in ${symbol}'s ICO`;
  return {
    finding:
      rows.length === 0
        ? [{ strong: emptyPage(paging, { of: symbol, none: `${symbol}: no investors listed` }) }]
        : [{ strong: total }, where === undefined ? '' : `, ${where}`],
    blocks: [
      table(rows),
      ...(rows.length === 0 ? [] : [line('Amounts cover all ICOs of a wallet, not only this one.')]),
      ...brokenRows(broken),
    ],
    actions: [
      ...pageActions({ ...paging, to: (other) => commandLine('ico', project.slug, 'investors', String(other)) }),
      ...rows
        .filter(({ address }) => looksLikeKey(address))
        .slice(0, MAX_BUTTONS)
        .map(({ address }) => ({ label: shortKey(address), line: commandLine('wallet', address, 'icos') })),
    ],
    ...ages(answer),
  };
};

const table = (rows: readonly Investor[]): BlockDraft => ({
  kind: 'table',
  columns: [{ title: 'Wallet' }, { title: 'All ICOs', align: 'right' }, { title: 'ICOs' }],
  rows: rows.map(({ address, inAllIcos, organizations }) => [shortKey(address), usd(inAllIcos), named(organizations)]),
});

const named = (organizations: readonly string[]): string => (organizations.length === 0 ? 'n/a' : several(organizations, MAX_NAMES));

const VIEWS = { terms, contributors, investors } satisfies Record<string, ProjectView>;
const NAMES = ['terms', 'contributors', 'investors'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'ico',
  summary: 'ICO terms, contributors and investors',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('terms').describe('what to show'), page: pageOption }),
  examples: ['/ico tide', '/ico tide contributors', '/ico tide investors 2'],

  async run({ project: text, view, page }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page, now, signal });
    return viewReply(shown, { command: 'ico', names: NAMES, view, slug: project.slug, others: ['launches', 'vesting'] });
  },
});
