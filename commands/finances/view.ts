/** View of a project's finances, with the range. */
import { line, type ViewReply, type ProjectViewDeps } from '../../src/reply/index.js';
import { sumOf, type Range } from './months.js';
import type { Month } from '../../src/analytics/endpoints/finances.js';
import type { Rows } from '../../src/analytics/endpoint-row.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { isApartBy } from '../../src/domain/decimal.js';
import { usd } from '../../src/domain/format.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';

export interface FinanceViewDeps extends Omit<ProjectViewDeps, 'page'> {
  readonly range: Range;
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type FinanceView = (deps: FinanceViewDeps) => Promise<ViewReply>;

const TOLERANCE = decimal('0.001');

export function totalCheck(what: string, total: Decimal | undefined, months: Rows<Month> | undefined): readonly BlockDraft[] {
  const all =
    months === undefined || months.broken > 0 || months.rows.some(({ amount }) => amount === undefined) ? undefined : sumOf(months.rows);
  if (total === undefined || all === undefined) return [];
  if (!isApartBy(all, total, { part: TOLERANCE })) return [];
  return [line(`⚠ Total ${what} reported as ${usd(total)}, but the months add up to ${usd(all)}.`)];
}
