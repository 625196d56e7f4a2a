/** Finds projects in launch lists (§2.14), and in global lists (§4.12) if the plan has them. */
import { z } from 'zod';
import type { Instant, Slug } from '../domain/scalars.js';
import { instantSchema, slugSchema } from '../domain/scalars.js';
import type { Analytics } from './analytics.js';
import { projects, projectsLaunch } from './endpoints/dashboard.js';
import { completedLaunches, graveyardLaunches, recentLaunches } from './endpoints/launches.js';
import { AnalyticsError, type Trouble } from './errors.js';

/** Never deleted: shorter lists prove nothing. */
export const knownProjectSchema = z.object({
  slug: slugSchema,
  name: z.string().optional(),
  symbol: z.string().optional(),
  mint: z.string().optional(),
  launches: z.array(z.string()),
  /** Absent for configured slugs only. */
  seenAt: instantSchema.optional(),
});
export type KnownProject = z.infer<typeof knownProjectSchema>;

export interface ListedRow {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly symbol?: string | undefined;
  readonly mint?: string | undefined;
  readonly launch?: string | undefined;
}

/** Launches that are kept of a project, the newest first. */
const MAX_LAUNCHES = 100;

export type SourceId = 'recent' | 'graveyard' | 'completed' | 'projects-launch' | 'projects';

export interface DiscoveredProjects {
  readonly rows: readonly ListedRow[];
  readonly missing: readonly { readonly source: SourceId; readonly trouble: Trouble }[];
  readonly seen: boolean;
  readonly failure: AnalyticsError | undefined;
}

export const launchRow = <R extends { readonly title?: string | undefined; readonly address: string }>(row: R) => ({
  ...row,
  name: row.title,
  launch: row.address,
});

export async function discoverProjects(
  analytics: Analytics,
  {
    skip,
    priority,
    maxAge,
    signal,
  }: { skip: ReadonlySet<SourceId>; priority: 'question' | 'poll'; maxAge?: number | undefined; signal?: AbortSignal },
): Promise<DiscoveredProjects> {
  const how = {
    priority,
    ifFailing: 'refuse',
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(signal === undefined ? {} : { signal }),
  } as const;
  const global = (row: { slug?: string | undefined; name?: string | undefined; mint?: string | undefined }) =>
    row.slug ?? row.mint ?? row.name ?? '';
  const sources: readonly (readonly [SourceId, () => Promise<readonly ListedRow[]>])[] = [
    ['recent', async () => (await analytics.walk(recentLaunches, {}, (row) => row.address, how)).rows.map(launchRow)],
    ['graveyard', async () => (await analytics.walk(graveyardLaunches, {}, (row) => row.address, how)).rows.map(launchRow)],
    ['completed', async () => (await analytics.walk(completedLaunches, {}, (row) => row.address, how)).rows.map(launchRow)],
    ['projects-launch', async () => (await analytics.walk(projectsLaunch, {}, global, how)).rows],
    ['projects', async () => (await analytics.walk(projects, {}, global, how)).rows],
  ];
  const rows: ListedRow[] = [];
  const missing: { source: SourceId; trouble: Trouble }[] = [];
  let failure: AnalyticsError | undefined;
  let asked = 0;
  const read = async (wanted: typeof sources): Promise<void> => {
    asked += wanted.length;
    const answers = await Promise.allSettled(wanted.map(async ([, ask]) => ask()));
    for (const [index, answer] of answers.entries()) {
      const source = wanted[index]?.[0];
      if (answer.status === 'fulfilled') rows.push(...answer.value);
      else if (!(answer.reason instanceof AnalyticsError) || source === undefined) throw answer.reason;
      else {
        failure ??= answer.reason;
        missing.push({ source, trouble: answer.reason.trouble });
      }
    }
  };
  const wanted = sources.filter(([source]) => !skip.has(source));
  // Both global lists name every project; where requests are few, sweeps have read the first one already.
  const isThrifty = maxAge !== undefined;
  const first = wanted.filter(([source]) => !isThrifty || source !== 'projects');
  // The first list shows which page size the plan allows; side by side each list would learn it by refusals of its own.
  if (isThrifty) await read(first.splice(0, 1));
  await read(first);
  if (isThrifty && missing.some(({ source }) => source === 'projects-launch'))
    await read(wanted.filter(([source]) => source === 'projects'));
  return { rows, missing, seen: missing.length < asked, failure };
}

/** Pure. Several slugs of one project stay separate. */
export function merge(known: readonly KnownProject[], rows: readonly ListedRow[], at: Instant): readonly KnownProject[] {
  const bySlug = new Map(known.map((one) => [one.slug, one]));
  for (const row of rows) {
    const slug = slugSchema.safeParse(row.slug).data;
    if (slug !== undefined) bySlug.set(slug, joined(bySlug.get(slug) ?? { slug, launches: [] }, row, at));
  }
  // Rows without a slug are joined last, whatever the order of the lists.
  for (const row of rows.filter((one) => one.slug === undefined)) {
    for (const one of bySlug.values()) {
      if (sameProject(one, row)) bySlug.set(one.slug, filled(one, row));
    }
  }
  return [...bySlug.values()];
}

const sameProject = (one: KnownProject, row: ListedRow): boolean =>
  (row.mint !== undefined && row.mint === one.mint) || (row.launch !== undefined && one.launches.includes(row.launch));

/** A global list's name overrides a launch's title. */
const joined = (one: KnownProject, row: ListedRow, at: Instant): KnownProject => ({
  ...present({
    slug: one.slug,
    name: row.launch === undefined ? (row.name ?? one.name) : (one.name ?? row.name),
    symbol: row.symbol ?? one.symbol,
    mint: row.mint ?? one.mint,
  }),
  launches:
    row.launch === undefined ? one.launches : [...one.launches.filter((known) => known !== row.launch), row.launch].slice(-MAX_LAUNCHES),
  seenAt: at,
});

const filled = (one: KnownProject, row: ListedRow): KnownProject => ({
  ...one,
  ...present({ slug: one.slug, name: one.name ?? row.name, symbol: one.symbol ?? row.symbol, mint: one.mint ?? row.mint }),
});

const present = (parts: { slug: Slug; name: string | undefined; symbol: string | undefined; mint: string | undefined }) => ({
  slug: parts.slug,
  ...(parts.name === undefined ? {} : { name: parts.name }),
  ...(parts.symbol === undefined ? {} : { symbol: parts.symbol }),
  ...(parts.mint === undefined ? {} : { mint: parts.mint }),
});
