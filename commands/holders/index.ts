/** /holders <project> [view] [page]: who holds a token. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import { distribution } from './distribution.js';
import { labelsOf } from '../../src/dispatch/watchlists/targets.js';
import {
  PAGE_SIZE,
  commandLine,
  counted,
  labelOrKey,
  line,
  listPage,
  missingText,
  needOne,
  optional,
  pageOption,
  projectOption,
  right,
  servicePage,
  tableOf,
  viewReply,
  type ProjectView,
  type ProjectViewDeps,
  type WalletLabels,
} from '../../src/reply/index.js';
import { accounts } from '../../src/analytics/endpoints/accounts.js';
import { tokenHolders, type Holder } from '../../src/analytics/endpoints/holders.js';
import type { ActionDraft, BlockDraft } from '../../src/chat/reply.js';
import { compare, sum } from '../../src/domain/decimal.js';
import { amount, share } from '../../src/domain/format.js';
import type { Decimal } from '../../src/domain/scalars.js';
import { looksLikeKey, publicKeySchema } from '../../src/domain/wallet.js';
import { marketMetrics, projectOverview } from '../../src/analytics/endpoints/project.js';

/** Names of the project's accounts, by address. */
type OwnAccounts = ReadonlyMap<string, string | undefined>;

const MAX_BUTTONS = 3;

/** The largest holders. The project's own accounts are marked. */
const ranking: ProjectView = async (deps) => {
  const { analytics, project, page, signal, labels = new Map() } = deps;
  const baseMint = await mintOf(deps);
  if (baseMint === undefined)
    return {
      finding: [{ strong: `${project.name}: no holder data` }],
      blocks: [line('The service has no token address for this project.')],
    };
  const [answer, registered] = await Promise.all([
    analytics.call(tokenHolders, { baseMint, limit: PAGE_SIZE, page }, { signal }),
    optional(analytics.call(accounts, { slug: project.slug }, { signal })),
  ]);
  const read = servicePage(answer, page);
  const owned: OwnAccounts | undefined =
    registered.answer &&
    new Map(registered.answer.data.rows.flatMap(({ address, name }) => (address === undefined ? [] : [[address, name]])));
  const ranked = read.rows.toSorted((a, b) => compare(b.balance, a.balance));
  const { total } = read.paging;
  const title = total === undefined ? `${project.name}'s largest holders` : `${project.name} has ${counted(total, 'holder')}`;
  return listPage(
    { ...read, answers: [answer, registered.answer] },
    {
      found: (where) => [{ strong: title }, page === 1 ? `, top ${ranked.length} hold ${held(ranked)} of supply` : where],
      namesLast: false,
      of: project.name,
      none: `${project.name}: no holders listed`,
      blocks: [
        ...split(ranked, owned),
        table(ranked, owned, labels),
        ...(owned === undefined ? [line(`⚠ Project accounts are not marked: ${missingText(registered)}`)] : []),
        ...(ranked.length > 0 ? [line('Balances update every 30 min.')] : []),
      ],
      to: (other) => commandLine('holders', project.slug, 'ranking', String(other)),
      actions: (pages) => [...pages, ...walletButtons(ranked, owned, labels)],
    },
  );
};

const shareOfAll = (rows: readonly Holder[]): Decimal | undefined => {
  const shares = rows.flatMap((row) => row.share ?? []);
  return shares.length === rows.length ? sum(shares) : undefined;
};
const held = (rows: readonly Holder[]): string => share(shareOfAll(rows));

function split(rows: readonly Holder[], owned: OwnAccounts | undefined): readonly BlockDraft[] {
  if (owned === undefined || rows.length === 0) return [];
  const own = rows.filter(({ owner }) => owned.has(owner));
  const outside = rows.filter(({ owner }) => !owned.has(owner));
  const figure = (label: string, part: readonly Holder[]) => ({
    label,
    value: part.length === 0 ? 'none on this page' : `${held(part)} (${counted(part.length, 'holder')})`,
  });
  return [{ kind: 'figures', items: [figure('Project accounts', own), figure('others', outside)] }];
}

const table = (rows: readonly Holder[], owned: OwnAccounts | undefined, labels: WalletLabels): BlockDraft =>
  tableOf(
    [right('Rank'), 'Holder', right('Tokens'), right('% of supply'), right('% of wallet')],
    rows.map((row) => [
      row.rank === undefined ? 'n/a' : String(row.rank),
      `${labelOrKey(row.owner, labels)}${owned?.has(row.owner) === true ? ` (project: ${owned.get(row.owner) ?? 'account'})` : ''}`,
      amount(row.balance),
      share(row.share),
      share(row.ofWallet),
    ]),
  );

const walletButtons = (rows: readonly Holder[], owned: OwnAccounts | undefined, labels: WalletLabels): readonly ActionDraft[] =>
  rows
    .filter(({ owner }) => owned?.has(owner) !== true && looksLikeKey(owner))
    .slice(0, MAX_BUTTONS)
    .map(({ owner }) => ({ label: labelOrKey(owner, labels), line: commandLine('wallet', owner) }));

const known = (mint: string | undefined): string | undefined => publicKeySchema.safeParse(mint).data;

/** The mint of a project's token. Rejects with an `AnalyticsError` if no source could be read. */
async function mintOf({
  analytics,
  project,
  signal,
}: Pick<ProjectViewDeps, 'analytics' | 'project' | 'signal'>): Promise<string | undefined> {
  const before = known(project.mint);
  if (before !== undefined) return before;
  const input = { slug: project.slug };
  const overview = await optional(analytics.call(projectOverview, input, { signal }));
  const first = known(overview.answer?.data.mint);
  if (first !== undefined) return first;
  const metrics = await optional(analytics.call(marketMetrics, input, { signal }));
  needOne(overview, metrics);
  return known(metrics.answer?.data.mint);
}

const VIEWS = { ranking, distribution } satisfies Record<string, ProjectView>;
const NAMES = ['ranking', 'distribution'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'holders',
  summary: 'Largest holders and supply distribution',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('ranking').describe('what to show'), page: pageOption }),
  examples: ['/holders tide', '/holders tide ranking 2', '/holders tide distribution'],

  async run({ project: text, view, page }, { analytics, directory, watchlists, chat, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page, now, signal, labels: labelsOf(watchlists.read(chat)) });
    return viewReply(shown, { command: 'holders', names: NAMES, view, slug: project.slug, others: ['vesting', 'watch'] });
  },
});
