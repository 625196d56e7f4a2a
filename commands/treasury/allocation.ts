/** Treasury by category. */
import { AnalyticsError } from '../../src/analytics/errors.js';
import { assetAllocation, assetAllocationList, type AllocationCategory } from '../../src/analytics/endpoints/allocation.js';
import type { Line } from '../../src/chat/reply.js';
import { amount, UNKNOWN, usd } from '../../src/domain/format.js';
import type { Decimal } from '../../src/domain/scalars.js';
import {
  allocationChart,
  crossCheck,
  wholeSum,
  counted,
  dotted,
  line,
  largestOf,
  shareOf,
  worthMost,
  ages,
} from '../../src/reply/index.js';
import type { TreasuryView, TreasuryViewDeps } from './view.js';

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
    ...(categories.length === 0 ? {} : { chart: allocationChart(categories, { title, subtitle: 'without the own token' }) }),
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
