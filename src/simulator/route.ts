/** A route makes the response of an operation from world, time and input. */
import { DateTime } from 'luxon';
import { instant, type Instant } from '../base/clock.js';
import type { Journal } from './journal.js';
import type { Character } from './world/invented-projects.js';
import type { World } from './world/world.js';
import { ServiceRefusal } from './error-response.js';

export interface RouteRequest {
  readonly world: World;
  readonly at: Instant;
  readonly input: Readonly<Record<string, string | undefined>>;
}

export type MetaKey = 'totalItems' | 'itemsPerPage' | 'totalPages' | 'currentPage';

export interface Done {
  readonly status: 202 | 429;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Route =
  RouteReading | Export | { readonly kind: 'change'; readonly act: (ask: RouteRequest, journal: Journal) => Promise<Done> };

/** The response is under `data`. Rows are computed only for the requested page. */
export type RouteReading =
  | { readonly kind: 'one'; readonly answer: (ask: RouteRequest) => unknown }
  | {
      readonly kind: 'list';
      /** The fields differ between lists (§2.1). */
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

/** The project is named by `slug`. It refuses with 400 or 404. */
export function projectOf({ world, input }: RouteRequest): Character {
  const slug = input['slug'];
  if (!slug) throw new ServiceRefusal(400, 'slug is required');
  const who = world.find(slug);
  if (!who) throw new ServiceRefusal(404, `no project has the slug "${slug}"`);
  return who;
}

/** The moment is in ISO 8601. It refuses an invalid one with 400. */
export function momentOf({ input }: RouteRequest, name: string): Instant | undefined {
  const text = input[name];
  if (text === undefined) return undefined;
  const at = DateTime.fromISO(text, { zone: 'utc' });
  if (!at.isValid) throw new ServiceRefusal(400, `${name} must be an ISO 8601 time`);
  return instant(at.toMillis());
}

export const iso = (at: Instant): string => new Date(at).toISOString();
export const unix = (at: Instant): number => Math.floor(at / 1_000);
