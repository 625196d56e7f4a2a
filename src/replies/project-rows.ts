/** All projects of the global lists, without duplicates. */
import type { Analytics, Walk } from '../analytics/analytics.js';
import { projects, projectsLaunch, type ProjectRow } from '../analytics/endpoints/dashboard.js';
import { counted, line } from './blocks.js';
import { optional } from './optional-answer.js';
import { isNegative, isZero } from '../domain/decimal.js';
import type { BlockDraft } from '../chat/reply.js';

export type ProjectRows = Walk<ProjectRow>;

const identify = ({ slug, mint, name }: ProjectRow): string => slug ?? mint ?? name ?? '';

/** `activity` merges trading figures. Rejects with an `AnalyticsError`. */
export async function projectRows(
  analytics: Analytics,
  { activity, signal }: { readonly activity: boolean; readonly signal: AbortSignal | undefined },
): Promise<ProjectRows> {
  const [found, second] = await Promise.all([
    analytics.walk(projectsLaunch, {}, identify, { signal }),
    activity ? optional(analytics.walk(projects, {}, identify, { signal })) : undefined,
  ]);
  const more = new Map((second?.answer?.rows ?? []).map((row) => [identify(row), row]));
  const merged = found.rows.map((row) => {
    const { proposals, liveProposals, volume } = more.get(identify(row)) ?? row;
    return { ...row, proposals, liveProposals, volume };
  });
  const others = [...more].filter(([id]) => !found.rows.some((row) => identify(row) === id)).map(([, row]) => row);
  return {
    ...found,
    rows: [...merged, ...others].map(trusted),
    at: second?.answer !== undefined && second.answer.at < found.at ? second.answer.at : found.at,
  };
}

export const hiddenRows = ({ hidden, cut }: Pick<ProjectRows, 'hidden' | 'cut'>): readonly BlockDraft[] => [
  ...(hidden > 0 ? [line(`⚠ ${counted(hidden, 'more project')} not included in this bot's data plan.`)] : []),
  ...(cut === undefined ? [] : [line('⚠ Incomplete: some projects may be missing.')]),
];

/** A token with a price has a market cap. */
function trusted(row: ProjectRow): ProjectRow {
  const stale =
    row.marketCap !== undefined && isZero(row.marketCap) && row.price !== undefined && !isZero(row.price) && !isNegative(row.price);
  return stale ? { ...row, marketCap: undefined, fdv: undefined, navPerShare: undefined, premium: undefined, treasury: undefined } : row;
}
