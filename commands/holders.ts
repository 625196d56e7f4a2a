/** /holders <project> [view] [page]: who holds a token. */
import { z } from 'zod';
import { defineCommand } from '../src/dispatch/command.js';
import { labelsOf } from '../src/dispatch/watchlists/targets.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  commandLine,
  counted,
  figuresOf,
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
} from '../src/reply/index.js';
import { accounts, activeAccounts } from '../src/analytics/endpoints/accounts.js';
import { tokenDistribution, tokenHolders, type Allocation, type Holder } from '../src/analytics/endpoints/holders.js';
import type { ActionDraft, BlockDraft } from '../src/chat/reply.js';
import { compare, divide, isApart, multiply, sum } from '../src/domain/decimal.js';
import { amount, share } from '../src/domain/format.js';
import { decimal, fromRaw, type Decimal } from '../src/domain/scalars.js';
import { looksLikeKey, publicKeySchema } from '../src/domain/wallet.js';
import { marketMetrics, projectOverview } from '../src/analytics/endpoints/project.js';
import type { ChartDraft } from '../src/chat/chart.js';

interface Piece {
  readonly name: string;
  readonly share: Decimal | undefined;
  readonly tokens: Decimal | undefined;
}

const HUNDRED = decimal('100');
/** The tolerance for sums of shares, in percentage points. */
const TOLERANCE = decimal('0.5');

/** Shows how a token's supply is divided. Without known decimals only shares are shown. */
const distribution: ProjectView = async (deps) => {
  const { analytics, project, signal } = deps;
  const answer = await analytics.call(tokenDistribution, { slug: project.slug }, { signal });
  const { categories, totalSupply, broken } = answer.data;
  const isMissing = categories.length > 0 && answer.data.decimals === undefined;
  const found = isMissing ? await decimalsElsewhere(deps) : undefined;
  const decimals = answer.data.decimals ?? found?.decimals;
  const symbol = project.symbol ?? project.name;
  const pieces = piecesOf(categories, decimals);
  const [largest] = pieces;
  const title = largest === undefined ? `${symbol}: no distribution published` : `${symbol}: ${share(largest.share)} ${largest.name}`;
  const whole = totalSupply === undefined ? undefined : supplyOf(totalSupply, { categories, decimals });
  return {
    finding: [{ strong: title }, ...second(pieces[1])],
    blocks: [
      figuresOf(whole === undefined ? [] : [['Total supply', `${amount(whole)} ${symbol}`]]),
      tableOf(
        ['Holder', right('Share'), ...(decimals === undefined ? [] : [right('Tokens')])],
        pieces.map((one) => [one.name, share(one.share), ...(decimals === undefined ? [] : [amount(one.tokens)])]),
      ),
      ...(pieces.length > 0 && decimals === undefined ? [line("Only shares are shown: the token's decimals are unknown.")] : []),
      ...mismatch(pieces),
      ...brokenRows(broken),
    ],
    chart: pieces.length === 0 ? undefined : chartOf(pieces, title),
    ...ages(answer, found?.answer),
  };
};

const second = (piece: Piece | undefined): readonly string[] => (piece === undefined ? [] : [`, ${share(piece.share)} ${piece.name}`]);

async function decimalsElsewhere({ analytics, project, signal }: ProjectViewDeps) {
  const { answer } = await optional(analytics.call(activeAccounts, { slug: project.slug, limit: PAGE_SIZE, page: 1 }, { signal }));
  const own = answer?.data.rows
    .flatMap(({ tokens }) => tokens)
    .filter((token) => project.mint !== undefined && token.address === project.mint);
  return { answer, decimals: own?.find((token) => token.decimals !== undefined)?.decimals };
}

function piecesOf(categories: readonly Allocation[], decimals: number | undefined): readonly Piece[] {
  const raws = categories.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
  const whole = raws.length === categories.length ? sum(raws.map((one) => decimal(one))) : undefined;
  return categories
    .map(({ name, raw, share: reported }): Piece => {
      const computed = raw === undefined || whole === undefined ? undefined : divide(multiply(decimal(raw), HUNDRED), whole);
      return {
        name,
        share: reported ?? computed,
        tokens: raw === undefined || decimals === undefined ? undefined : fromRaw(raw, decimals),
      };
    })
    .toSorted((a, b) => compare(b.share ?? decimal('-1'), a.share ?? decimal('-1')));
}

function supplyOf(
  total: Decimal,
  { categories, decimals }: { readonly categories: readonly Allocation[]; readonly decimals: number | undefined },
): Decimal | undefined {
  const raws = sum(categories.flatMap(({ raw }) => (raw === undefined ? [] : [decimal(raw)])));
  const ratio = divide(raws, total);
  const isRaw = ratio !== undefined && compare(ratio, decimal('0.5')) > 0 && compare(ratio, decimal('1.5')) < 0;
  if (!isRaw) return total;
  return decimals === undefined || total.includes('.') ? undefined : fromRaw(BigInt(total), decimals);
}

function mismatch(pieces: readonly Piece[]) {
  const shares = pieces.flatMap((one) => one.share ?? []);
  if (shares.length === 0 || shares.length < pieces.length) return [];
  const all = sum(shares);
  return isApart(all, HUNDRED, TOLERANCE) ? [line(`⚠ These shares add up to ${share(all)}, not 100%.`)] : [];
}

function chartOf(pieces: readonly Piece[], title: string): ChartDraft {
  const isCounted = pieces.every(({ tokens }) => tokens !== undefined);
  const parts = pieces.flatMap(({ name, tokens, share: reported }) => {
    const value = isCounted ? tokens : reported;
    return value === undefined ? [] : [{ name, value: Number(value) }];
  });
  return { kind: 'shares', title, unit: isCounted ? 'tokens' : 'percent', parts };
}

/** Names of the project's accounts, by address. */
type OwnAccounts = ReadonlyMap<string, string | undefined>;

const MAX_BUTTONS = 3;

/** Shows the largest holders, and marks the project's own accounts. */
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

/** Resolves with the mint of a project's token. Rejects with an `AnalyticsError` if no source could be read. */
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
  phrases: {
    '/holders {project} {page?}': `holders of {project} | {project} holders | top holders of {project} | who owns {project} | who holds the most {project} |
      biggest holders of {project} | largest holders {project} | who are the whales of {project} | {project} whales | holder ranking
      of {project} | who has the most {project} tokens | how many people own {project} | how many holders does {project} have |
      {project} cap table | top 10 wallets of {project} | biggest owner of {project} | {project} holders page 2 | number of holders
      {project}`,
    '/holders {project} distribution': `how concentrated is {project} | {project} distribution | is {project} concentrated | distribution of {project} among holders |
      token distribution {project} | how is the supply of {project} distributed | is {project} spread over many people or do a few own
      everything | concentration of {project} ownership | how decentralized is {project} | share of the top 10 holders of {project} |
      does one person control {project} | ownership concentration {project} | in few hands {project}`,
  },

  async run({ project: text, view, page }, { analytics, directory, watchlists, chat, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page, now, signal, labels: labelsOf(watchlists.read(chat)) });
    return viewReply(shown, { command: 'holders', names: NAMES, view, slug: project.slug, others: ['vesting', 'watch'] });
  },
});
