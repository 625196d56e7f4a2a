/** Shows the holdings of a treasury: every token, categories, and the project's own token, which is not backing. */
import { treasuryHoldings } from '../../src/analytics/endpoints/treasury.js';
import { divide, multiply, sum } from '../../src/domain/decimal.js';
import { UNKNOWN, amount, price, share, usd } from '../../src/domain/format.js';
import { decimal, fromRaw, type Decimal, type Instant } from '../../src/domain/scalars.js';
import {
  PAGE_SIZE,
  ages,
  allocationChart,
  brokenRows,
  counted,
  crossCheck,
  dotted,
  isOwnToken,
  largestOf,
  line,
  optional,
  right,
  shareOf,
  tableOf,
  wholeSum,
  worthMost,
  type OptionalAnswer,
  type ProjectViewDeps,
  type ViewReply,
} from '../../src/reply/index.js';
import type { Answer } from '../../src/analytics/analytics.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import {
  assetAllocation,
  assetAllocationList,
  nativeTokenAccounts,
  type AllocationCategory,
} from '../../src/analytics/endpoints/allocation.js';
import type { Line } from '../../src/chat/reply.js';
import { activeAccounts } from '../../src/analytics/endpoints/accounts.js';

interface TreasuryViewDeps extends Omit<ProjectViewDeps, 'page'> {
  /** ISO 8601. Only some views support it. */
  readonly timestamp?: string | undefined;
}

/** Makes a view, with the moment of the snapshot if a past one was requested. Rejects with an `AnalyticsError`. */
export type TreasuryView = (deps: TreasuryViewDeps) => Promise<ViewReply & { readonly snapshotAt?: Instant | undefined }>;

const MAX_ROWS = 20;

export const holdings: TreasuryView = async ({ analytics, project, signal }) => {
  const answer = await analytics.call(treasuryHoldings, { slug: project.slug }, { signal });
  const rows = worthMost(answer.data.rows);
  const backing = rows.filter((row) => !isOwnToken(row, project));
  const values = backing.flatMap(({ value }) => value ?? []);
  const total = values.length === 0 ? undefined : sum(values);
  const unpriced = backing.length - values.length;
  return {
    finding:
      rows.length === 0
        ? [{ strong: `${project.name}'s treasury has no holdings` }]
        : [
            { strong: `${project.name} holds ${usd(total)} in ${counted(backing.length, 'token')}` },
            unpriced > 0 ? `, ${unpriced} without a price` : '',
          ],
    blocks: [
      tableOf(
        ['Token', right('Amount'), right('Price'), right('Value')],
        rows
          .slice(0, MAX_ROWS)
          .map((row) => [
            `${tokenName(row)}${isOwnToken(row, project) ? ' (own, not in NAV)' : ''}`,
            amount(row.amount),
            price(row.price),
            `${usd(row.value)}${isOwnToken(row, project) ? '' : shareOf(row.value, total)}`,
          ]),
        Math.max(0, rows.length - MAX_ROWS),
      ),
      ...(rows.length === 0 ? [line('The service may not have indexed them yet.')] : []),
      ...(unpriced > 0 && total !== undefined ? [line('Percentages leave out tokens without a price.')] : []),
      ...brokenRows(answer.data.broken),
    ],
    chart: allocationChart(
      backing.map((row) => ({ name: tokenName(row), value: row.value })),
      {
        title: `${project.name}'s treasury: ${usd(total)}${largestText(largestOf(backing), total)}`,
        subtitle: leftOut({ own: rows.length > backing.length, unpriced }),
      },
    ),
    ...ages(answer),
  };
};

interface HeldToken {
  readonly symbol?: string | undefined;
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly value?: Decimal | undefined;
}

const tokenName = ({ symbol, name, address }: HeldToken): string => symbol ?? name ?? address ?? 'unnamed';

function largestText(largest: HeldToken | undefined, total: Decimal | undefined): string {
  const ratio = shareOf(largest?.value, total).slice(2, -1);
  return largest === undefined || ratio === '' ? '' : `, ${ratio} in ${tokenName(largest)}`;
}

const leftOut = ({ own, unpriced }: { own: boolean; unpriced: number }): string | undefined => {
  const parts = [...(own ? ['the own token'] : []), ...(unpriced > 0 ? [`${counted(unpriced, 'token')} without a price`] : [])];
  return parts.length === 0 ? undefined : `without ${parts.join(' and ')}`;
};

const MAX_CATEGORIES = 5;

export const allocation: TreasuryView = async (deps) => {
  const { project } = deps;
  const { answer, total, categories } = await loadAllocation(deps);
  const largest = largestOf(categories);
  const most = largest === undefined ? '' : shareOf(largest.value, total).slice(2, -1);
  const title = `${project.name}'s treasury: ${usd(total)}${most === '' ? '' : `, ${most} in ${largest?.name ?? UNKNOWN}`}`;
  return {
    finding: [{ strong: categories.length === 0 ? `${project.name}: no allocation published` : title }],
    blocks: [
      {
        kind: 'list',
        items: categories.map((one) => ({
          line: [{ strong: one.name }, ` ${usd(one.value)}${shareOf(one.value, total)}`],
          ...detailOf(one),
        })),
      },
      ...crossCheck(
        wholeSum(categories.map(({ value }) => value)),
        total,
        (parts, reported) => `Total reported as ${usd(reported)}, but the categories add up to ${usd(parts)}.`,
      ),
      ...(categories.length === 0 ? [] : [line("The project's own token is not included.")]),
    ],
    chart: categories.length === 0 ? undefined : allocationChart(categories, { title, subtitle: 'without the own token' }),
    ...ages(answer),
  };
};

type Category = Pick<AllocationCategory, 'name' | 'value'> & Partial<AllocationCategory>;

async function loadAllocation({ analytics, project, signal }: TreasuryViewDeps) {
  const input = { slug: project.slug };
  const sorted = (total: Decimal | undefined, categories: readonly Category[]) => ({ total, categories: worthMost(categories) });
  try {
    const answer = await analytics.call(assetAllocationList, input, { signal });
    return { answer, ...sorted(answer.data.total, answer.data.categories) };
  } catch (error) {
    if (!(error instanceof AnalyticsError)) throw error;
    const answer = await analytics.call(assetAllocation, input, { signal }).catch(() => {
      throw error;
    });
    return { answer, ...sorted(answer.data.total, answer.data.categories) };
  }
}

function detailOf({ accounts = [], accountCount, tokens = [] }: Category): { detail?: Line } {
  const largestTokens = worthMost(tokens).slice(0, MAX_CATEGORIES);
  const largestAccounts = worthMost(accounts).slice(0, MAX_CATEGORIES);
  const hidden = (accountCount ?? accounts.length) - largestAccounts.length;
  if (largestTokens.length === 0 && largestAccounts.length === 0) return {};
  return {
    detail: dotted(
      ...largestTokens.map((one) => `${amount(one.amount)} ${one.symbol ?? 'of an unnamed token'} (${usd(one.value)})`),
      largestAccounts.length === 0
        ? undefined
        : `in ${largestAccounts.map((one) => one.name ?? one.address ?? 'an unnamed account').join(', ')}${hidden > 0 ? ` and ${counted(hidden, 'other account')}` : ''}`,
    ),
  };
}

const MAX_ACCOUNTS = 20;

/** Shows where a project holds its own token. */
export const native: TreasuryView = async ({ analytics, project, signal }) => {
  const [answer, active] = await Promise.all([
    analytics.call(nativeTokenAccounts, { slug: project.slug }, { signal }),
    optional(analytics.call(activeAccounts, { slug: project.slug, limit: PAGE_SIZE, page: 1 }, { signal })),
  ]);
  const { accounts, accountCount, totalValue } = answer.data;
  const symbol = answer.data.symbol ?? project.symbol ?? 'its own token';
  const decimals = decimalsOf(answer.data.mint ?? project.mint, active);
  const raws = accounts.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
  const whole = raws.length === accounts.length ? sum(raws.map((one) => decimal(one))) : undefined;
  const tokens = (raw: bigint | undefined): string =>
    raw === undefined || decimals === undefined ? UNKNOWN : amount(fromRaw(raw, decimals));
  const of = (raw: bigint | undefined): string =>
    raw === undefined || whole === undefined ? UNKNOWN : share(divide(multiply(decimal(raw), decimal('100')), whole));
  const hidden = (accountCount ?? accounts.length) - accounts.length;
  return {
    finding:
      accounts.length === 0
        ? [{ strong: `${project.name} holds none of its own token` }]
        : [
            {
              strong: `${project.name} holds ${decimals === undefined || whole === undefined ? symbol : `${hidden > 0 ? 'at least ' : ''}${tokens(BigInt(whole))} ${symbol}`} itself`,
            },
            ` (${usd(totalValue)}, not in NAV) in ${counted(accountCount ?? accounts.length, 'account')}`,
          ],
    blocks: [
      tableOf(
        ['Account', right('Share'), ...(decimals === undefined ? [] : [right(symbol)]), right('Value')],
        accounts
          .toSorted((a, b) => Number((b.raw ?? -1n) > (a.raw ?? -1n)) - Number((b.raw ?? -1n) < (a.raw ?? -1n)))
          .slice(0, MAX_ACCOUNTS)
          .map((one) => [
            one.name ?? one.address ?? 'unnamed',
            of(one.raw),
            ...(decimals === undefined ? [] : [tokens(one.raw)]),
            usd(one.value),
          ]),
        Math.max(0, accounts.length - MAX_ACCOUNTS) + Math.max(0, hidden),
      ),
      ...(accounts.length > 0 && decimals === undefined ? [line("Only shares are shown: the token's decimals are unknown.")] : []),
    ],
    ...ages(answer, active.answer),
  };
};

function decimalsOf(mint: string | undefined, { answer }: OptionalAnswer<Answer<{ readonly rows: readonly Held[] }>>): number | undefined {
  const held = (answer?.data.rows ?? []).flatMap(({ tokens }) => tokens).filter(({ address }) => mint !== undefined && address === mint);
  return held.find(({ decimals }) => decimals !== undefined)?.decimals;
}

interface Held {
  readonly tokens: readonly { readonly address?: string | undefined; readonly decimals?: number | undefined }[];
}
