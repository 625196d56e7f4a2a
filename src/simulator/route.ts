/** Makes the response of an operation from world, time and input, within the limits of the plan (§2.1, §4.1). */
import { DateTime } from 'luxon';
import { instant, type Instant } from '../base/clock.js';
import { ServiceRefusal } from './error-response.js';
import type { Journal } from './journal.js';
import type { Character } from './world/invented-projects.js';
import type { World } from './world/world.js';

export interface RouteRequest {
  readonly world: World;
  readonly at: Instant;
  readonly input: Readonly<Record<string, string | undefined>>;
}

type MetaKey = 'totalItems' | 'itemsPerPage' | 'totalPages' | 'currentPage';

export interface Done {
  readonly status: 202 | 429;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Route =
  RouteReading | Export | { readonly kind: 'change'; readonly act: (ask: RouteRequest, journal: Journal) => Promise<Done> };

/** What the response has under `data`. Rows are computed only for the requested page. */
export type RouteReading =
  | { readonly kind: 'one'; readonly answer: (ask: RouteRequest) => unknown }
  | {
      readonly kind: 'list';
      /** The fields of `meta`, which differ between lists (§2.1). */
      readonly meta: readonly MetaKey[];
      readonly rows: (ask: RouteRequest) => readonly (() => unknown)[];
      readonly also?: (ask: RouteRequest) => Readonly<Record<string, unknown>>;
      readonly wrap?: (rows: readonly unknown[], ask: RouteRequest) => unknown;
    };

export interface Export {
  readonly kind: 'csv';
  readonly rows: (ask: RouteRequest) => readonly Readonly<Record<string, unknown>>[];
}

export const file = (rows: Export['rows']): Route => ({ kind: 'csv', rows });

export const FULL_META: readonly MetaKey[] = ['totalItems', 'itemsPerPage', 'totalPages', 'currentPage'];

export const one = (answer: (ask: RouteRequest) => unknown): Route => ({ kind: 'one', answer });

export function many<T>({
  meta = [],
  items,
  show,
  wrap,
  also,
}: {
  readonly meta?: readonly MetaKey[];
  readonly items: (ask: RouteRequest) => readonly T[];
  readonly show: (item: T, ask: RouteRequest) => unknown;
  readonly wrap?: (rows: readonly unknown[], ask: RouteRequest) => unknown;
  readonly also?: (ask: RouteRequest) => Readonly<Record<string, unknown>>;
}): Route {
  return {
    kind: 'list',
    meta,
    rows: (ask) => items(ask).map((item) => () => show(item, ask)),
    ...(wrap ? { wrap } : {}),
    ...(also ? { also } : {}),
  };
}

/** Returns the project named by `slug`. Refuses with 400 or 404. */
export function projectOf({ world, input }: RouteRequest): Character {
  const slug = input['slug'];
  if (!slug) throw new ServiceRefusal(400, 'slug is required');
  const who = world.find(slug);
  if (!who) throw new ServiceRefusal(404, `no project has the slug "${slug}"`);
  return who;
}

/** Reads a moment in ISO 8601. Refuses an invalid one with 400. */
export function momentOf({ input }: RouteRequest, name: string): Instant | undefined {
  const text = input[name];
  if (text === undefined) return undefined;
  const at = DateTime.fromISO(text, { zone: 'utc' });
  if (!at.isValid) throw new ServiceRefusal(400, `${name} must be an ISO 8601 time`);
  return instant(at.toMillis());
}

export const iso = (at: Instant): string => new Date(at).toISOString();
export const unix = (at: Instant): number => Math.floor(at / 1_000);

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
