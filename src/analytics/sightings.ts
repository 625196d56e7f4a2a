/**
 * Where projects show themselves (§2.14, §4.12). The launch lists name an `organizationSlug`; completed launches do not, so they are joined
 * to a known project by mint or address and only add a name. The global lists help where the plan and the service give them.
 */
import { z } from 'zod';
import type { Instant, Slug } from '../domain/scalars.js';
import { instantSchema, slugSchema } from '../domain/scalars.js';
import type { Analytics } from './analytics.js';
import { projects, projectsLaunch } from './endpoints/dashboard.js';
import { completedLaunches, graveyardLaunches, recentLaunches } from './endpoints/launches.js';
import { AnalyticsError, type Trouble } from './errors.js';

/** A project as it is remembered. Nothing here is ever deleted: an empty or shorter list proves nothing. */
export const sightingSchema = z.object({
  slug: slugSchema,
  name: z.string().optional(),
  symbol: z.string().optional(),
  mint: z.string().optional(),
  launches: z.array(z.string()),
  /** When a list last showed it; absent for one that only the configuration names. */
  seenAt: instantSchema.optional(),
});
export type Sighting = z.infer<typeof sightingSchema>;

/** One row of one list, in the words of a sighting. */
export interface ListedRow {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly symbol?: string | undefined;
  readonly mint?: string | undefined;
  readonly launch?: string | undefined;
}

/** Of a project that launches again and again, the newest addresses; older ones are no longer asked for. */
const MOST_LAUNCHES = 100;

export type SourceId = 'recent' | 'graveyard' | 'completed' | 'projects-launch' | 'projects';

export interface DiscoveredProjects {
  /** In the order in which a later one overrules an earlier one. */
  readonly rows: readonly ListedRow[];
  /** Lists that did not answer, and why. */
  readonly missing: readonly { readonly source: SourceId; readonly trouble: Trouble }[];
  /** Whether at least one list answered. */
  readonly seen: boolean;
  /** The first failure, for when no list answered. */
  readonly failure: AnalyticsError | undefined;
}

/** A launch, whose title is its project's name as long as there is no better one. */
export const launchRow = <R extends { readonly title?: string | undefined; readonly address: string }>(row: R) => ({
  ...row,
  name: row.title,
  launch: row.address,
});

/** Asks every list but those in `skip`. Never old copies: what is remembered is older already. */
export async function survey(
  analytics: Analytics,
  { skip, priority, signal }: { skip: ReadonlySet<SourceId>; priority: 'question' | 'poll'; signal?: AbortSignal },
): Promise<DiscoveredProjects> {
  const how = { priority, ifFailing: 'refuse', ...(signal === undefined ? {} : { signal }) } as const;
  const global = (row: { slug?: string | undefined; name?: string | undefined; mint?: string | undefined }) =>
    row.slug ?? row.mint ?? row.name ?? '';
  const sources: readonly (readonly [SourceId, () => Promise<readonly ListedRow[]>])[] = [
    ['recent', async () => (await analytics.walk(recentLaunches, {}, (row) => row.address, how)).rows.map(launchRow)],
    ['graveyard', async () => (await analytics.walk(graveyardLaunches, {}, (row) => row.address, how)).rows.map(launchRow)],
    ['completed', async () => (await analytics.walk(completedLaunches, {}, (row) => row.address, how)).rows.map(launchRow)],
    ['projects-launch', async () => (await analytics.walk(projectsLaunch, {}, global, how)).rows],
    ['projects', async () => (await analytics.walk(projects, {}, global, how)).rows],
  ];
  const asked = sources.filter(([source]) => !skip.has(source));
  const answers = await Promise.allSettled(asked.map(async ([, ask]) => ask()));
  const rows: ListedRow[] = [];
  const missing: { source: SourceId; trouble: Trouble }[] = [];
  let failure: AnalyticsError | undefined;
  for (const [index, answer] of answers.entries()) {
    const source = asked[index]?.[0];
    if (answer.status === 'fulfilled') rows.push(...answer.value);
    else if (!(answer.reason instanceof AnalyticsError) || source === undefined) throw answer.reason;
    else {
      failure ??= answer.reason;
      missing.push({ source, trouble: answer.reason.trouble });
    }
  }
  return { rows, missing, seen: missing.length < asked.length, failure };
}

/** What is known after these rows were seen. Pure. One project under several slugs stays several. */
export function merge(known: readonly Sighting[], rows: readonly ListedRow[], at: Instant): readonly Sighting[] {
  const bySlug = new Map(known.map((one) => [one.slug, one]));
  for (const row of rows) {
    const slug = slugSchema.safeParse(row.slug).data;
    if (slug !== undefined) bySlug.set(slug, joined(bySlug.get(slug) ?? { slug, launches: [] }, row, at));
  }
  // Rows without a slug come after all those with one, whichever list was read first.
  for (const row of rows.filter((one) => one.slug === undefined)) {
    for (const one of bySlug.values()) {
      if (sameProject(one, row)) bySlug.set(one.slug, filled(one, row));
    }
  }
  return [...bySlug.values()];
}

const sameProject = (one: Sighting, row: ListedRow): boolean =>
  (row.mint !== undefined && row.mint === one.mint) || (row.launch !== undefined && one.launches.includes(row.launch));

/** A launch's title is a name as long as there is no better one; a global list knows the project's own. */
const joined = (one: Sighting, row: ListedRow, at: Instant): Sighting => ({
  ...present({
    slug: one.slug,
    name: row.launch === undefined ? (row.name ?? one.name) : (one.name ?? row.name),
    symbol: row.symbol ?? one.symbol,
    mint: row.mint ?? one.mint,
  }),
  launches:
    row.launch === undefined ? one.launches : [...one.launches.filter((known) => known !== row.launch), row.launch].slice(-MOST_LAUNCHES),
  seenAt: at,
});

/** Only adds what is missing. */
const filled = (one: Sighting, row: ListedRow): Sighting => ({
  ...one,
  ...present({ slug: one.slug, name: one.name ?? row.name, symbol: one.symbol ?? row.symbol, mint: one.mint ?? row.mint }),
});

const present = (parts: { slug: Slug; name: string | undefined; symbol: string | undefined; mint: string | undefined }) => ({
  slug: parts.slug,
  ...(parts.name === undefined ? {} : { name: parts.name }),
  ...(parts.symbol === undefined ? {} : { symbol: parts.symbol }),
  ...(parts.mint === undefined ? {} : { mint: parts.mint }),
});
