/** Largest holders. The project's own accounts are marked. */
import { accounts } from '../../src/analytics/endpoints/accounts.js';
import { tokenHolders, type Holder } from '../../src/analytics/endpoints/holders.js';
import type { ActionDraft, BlockDraft } from '../../src/chat/reply.js';
import { compare, sum } from '../../src/domain/decimal.js';
import { amount, share } from '../../src/domain/format.js';
import type { Decimal } from '../../src/domain/scalars.js';
import { looksLikeKey, publicKeySchema } from '../../src/domain/wallet.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  commandLine,
  counted,
  emptyPage,
  labelOrKey,
  line,
  missingText,
  needOne,
  optional,
  pageActions,
  pageText,
  pagingOf,
  type ProjectView,
  type ProjectViewDeps,
  type WalletLabels,
} from '../../src/reply/index.js';
import { marketMetrics, projectOverview } from '../../src/analytics/endpoints/project.js';

/** By address. */
type OwnAccounts = ReadonlyMap<string, string | undefined>;

const MAX_BUTTONS = 3;

export const ranking: ProjectView = async (deps) => {
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
  const { rows, broken } = answer.data;
  const owned: OwnAccounts | undefined =
    registered.answer &&
    new Map(registered.answer.data.rows.flatMap(({ address, name }) => (address === undefined ? [] : [[address, name]])));
  const ranked = rows.toSorted((a, b) => compare(b.balance, a.balance));
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const total = paging.total === undefined ? `${project.name}'s largest holders` : `${project.name} has ${counted(paging.total, 'holder')}`;
  return {
    finding:
      rows.length === 0
        ? [{ strong: emptyPage(paging, { of: project.name, none: `${project.name}: no holders listed` }) }]
        : [{ strong: total }, page === 1 ? `, top ${rows.length} hold ${held(ranked)} of supply` : where === undefined ? '' : `, ${where}`],
    blocks: [
      ...split(ranked, owned),
      table(ranked, owned, labels),
      ...(owned === undefined ? [line(`⚠ Project accounts are not marked: ${missingText(registered)}`)] : []),
      ...(rows.length > 0 ? [line('Balances update every 30 min.')] : []),
      ...brokenRows(broken),
    ],
    actions: [
      ...pageActions({ ...paging, to: (other) => commandLine('holders', project.slug, 'ranking', String(other)) }),
      ...walletButtons(ranked, owned, labels),
    ],
    ...ages(answer, registered.answer),
  };
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

const table = (rows: readonly Holder[], owned: OwnAccounts | undefined, labels: WalletLabels): BlockDraft => ({
  kind: 'table',
  columns: [
    { title: 'Rank', align: 'right' },
    { title: 'Holder' },
    { title: 'Tokens', align: 'right' },
    { title: '% of supply', align: 'right' },
    { title: '% of wallet', align: 'right' },
  ],
  rows: rows.map((row) => [
    row.rank === undefined ? 'n/a' : String(row.rank),
    `${labelOrKey(row.owner, labels)}${owned?.has(row.owner) === true ? ` (project: ${owned.get(row.owner) ?? 'account'})` : ''}`,
    amount(row.balance),
    share(row.share),
    share(row.ofWallet),
  ]),
});

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
