/** What a simulated operation is made of: how it answers, from the world, at a moment, to a checked question. */
import { DateTime } from 'luxon';
import { instant, type Instant } from '../base/clock.js';
import type { Journal } from './journal.js';
import type { Character } from './world/cast.js';
import type { World } from './world/world.js';
import { ServiceRefusal } from './refusal.js';

/** A question as it came in: path placeholders and query, all text. */
export interface RouteRequest {
  readonly world: World;
  readonly at: Instant;
  readonly input: Readonly<Record<string, string | undefined>>;
}

export type MetaKey = 'totalItems' | 'itemsPerPage' | 'totalPages' | 'currentPage';

/** What became of a change: the whole body, because refusals have no envelope. */
export interface Done {
  readonly status: 202 | 429;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Route =
  RouteReading | Export | { readonly kind: 'change'; readonly act: (ask: RouteRequest, journal: Journal) => Promise<Done> };

/** One object under `data`, or a list, whose rows are only worked out for the page that is asked for. */
export type RouteReading =
  | { readonly kind: 'one'; readonly answer: (ask: RouteRequest) => unknown }
  | {
      readonly kind: 'list';
      /** What the service says about this list (§2.1): a subset, differing from list to list. */
      readonly meta: readonly MetaKey[];
      readonly rows: (ask: RouteRequest) => readonly (() => unknown)[];
      /** What else it says about this list. */
      readonly also?: (ask: RouteRequest) => Readonly<Record<string, unknown>>;
      /** Where it does not stand directly under `data`: how it is wrapped. */
      readonly wrap?: (rows: readonly unknown[], ask: RouteRequest) => unknown;
    };

/** A file of comma-separated values: one record per row, its fields as columns. */
export interface Export {
  readonly kind: 'csv';
  readonly rows: (ask: RouteRequest) => readonly Readonly<Record<string, unknown>>[];
}

/** The file that carries what a list carries, row for row and field for field; `rows` are the list's own rows. */
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

/** The project that `slug` names. Refuses with 400 where it is missing and 404 where there is none. */
export function projectOf({ world, input }: RouteRequest): Character {
  const slug = input['slug'];
  if (!slug) throw new ServiceRefusal(400, 'slug is required');
  const who = world.find(slug);
  if (!who) throw new ServiceRefusal(404, `no project has the slug "${slug}"`);
  return who;
}

/** A moment given as ISO 8601 in the query; undefined where none is given. Refuses with 400 what is no time. */
export function momentOf({ input }: RouteRequest, name: string): Instant | undefined {
  const text = input[name];
  if (text === undefined) return undefined;
  const at = DateTime.fromISO(text, { zone: 'utc' });
  if (!at.isValid) throw new ServiceRefusal(400, `${name} must be an ISO 8601 time`);
  return instant(at.toMillis());
}

export const iso = (at: Instant): string => new Date(at).toISOString();
export const unix = (at: Instant): number => Math.floor(at / 1_000);
