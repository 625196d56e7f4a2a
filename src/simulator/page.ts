/** This file makes pages and envelopes (§2.1, §4.1) within the limits of the plan. */
import { ServiceRefusal } from './error-response.js';
import type { RouteRequest, MetaKey, RouteReading } from './route.js';

export interface PagePlan {
  readonly defaultRows: number;
  readonly maxRows: number;
  readonly maxPages?: number;
  readonly refusesWith: 400 | 403;
  /** If false, CSV is refused with 403 (§5). */
  readonly exports: boolean;
}

export const DEFAULT_PLAN: PagePlan = { defaultRows: 20, maxRows: 100, refusesWith: 400, exports: true };

export interface Envelope {
  readonly data: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}

function positive(ask: RouteRequest, name: 'limit' | 'page'): number | undefined {
  const text = ask.input[name];
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ServiceRefusal(400, `${name} must be a whole number from 1 on`);
  return Number(text);
}

function window(ask: RouteRequest, plan: PagePlan): { readonly size: number; readonly page: number } {
  const size = positive(ask, 'limit') ?? Math.min(plan.defaultRows, plan.maxRows);
  const page = positive(ask, 'page') ?? 1;
  if (size > plan.maxRows) throw new ServiceRefusal(plan.refusesWith, `this plan gives at most ${plan.maxRows} rows per request`);
  if (plan.maxPages !== undefined && page > plan.maxPages)
    throw new ServiceRefusal(plan.refusesWith, `this plan gives at most ${plan.maxPages} pages`);
  return { size, page };
}

export function answer({
  route,
  ask,
  paged,
  plan,
  reversed,
}: {
  route: RouteReading;
  ask: RouteRequest;
  paged: boolean;
  plan: PagePlan;
  reversed: boolean;
}): Envelope {
  if (route.kind === 'one') return { data: route.answer(ask) };
  const rows = reversed ? route.rows(ask).toReversed() : route.rows(ask);
  const { size, page } = paged ? window(ask, plan) : { size: Math.max(1, rows.length), page: 1 };
  const shown = rows.slice((page - 1) * size, page * size).map((row) => row());
  const about: Record<MetaKey, number> = {
    totalItems: rows.length,
    itemsPerPage: size,
    totalPages: Math.ceil(rows.length / size),
    currentPage: page,
  };
  return {
    data: route.wrap ? route.wrap(shown, ask) : shown,
    ...(route.meta.length === 0
      ? {}
      : { meta: { ...Object.fromEntries(route.meta.map((key) => [key, about[key]])), ...route.also?.(ask) } }),
  };
}
