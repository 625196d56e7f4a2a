/** Finds projects in launch lists (§2.14), and in global lists (§4.12) if the plan has them. For a question it makes at most two calls. */
import { z } from 'zod';
import { instantSchema, slugSchema, type Instant, type Slug } from '../domain/scalars.js';
import type { Analytics } from './analytics.js';
import { projects, projectsLaunch, search } from './endpoints/dashboard.js';
import { completedLaunches, graveyardLaunches, recentLaunches } from './endpoints/launches.js';
import { AnalyticsError, type Trouble } from './errors.js';
import { RecentMap } from '../base/bounded-cache.js';
import { MINUTE, SECOND, later, type Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';

/** A known project. It is never deleted, because a list may be incomplete. */
export const knownProjectSchema = z.object({
  slug: slugSchema,
  name: z.string().optional(),
  symbol: z.string().optional(),
  mint: z.string().optional(),
  launches: z.array(z.string()),
  /** Absent only for configured slugs. */
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

/** The most launches that are kept of a project; the newest are kept. */
const MAX_LAUNCHES = 100;

export type SourceId = 'recent' | 'graveyard' | 'completed' | 'projects-launch' | 'projects';

export interface DiscoveredProjects {
  readonly rows: readonly ListedRow[];
  readonly missing: readonly { readonly source: SourceId; readonly trouble: Trouble }[];
  readonly seen: boolean;
  readonly failure: AnalyticsError | undefined;
}

const launchRow = <R extends { readonly title?: string | undefined; readonly address: string }>(row: R) => ({
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
  // Both global lists have every project. Under a monthly limit only the first is used, which sweeps have already read.
  const isThrifty = maxAge !== undefined;
  const first = wanted.filter(([source]) => !isThrifty || source !== 'projects');
  // The first list is read alone to learn the page size. In parallel, every list would cause refusals.
  if (isThrifty) await read(first.splice(0, 1));
  await read(first);
  if (isThrifty && missing.some(({ source }) => source === 'projects-launch'))
    await read(wanted.filter(([source]) => source === 'projects'));
  return { rows, missing, seen: missing.length < asked, failure };
}

/** Merges list rows into the known projects. Several slugs of one project stay separate. Pure. */
export function merge(known: readonly KnownProject[], rows: readonly ListedRow[], at: Instant): readonly KnownProject[] {
  const bySlug = new Map(known.map((one) => [one.slug, one]));
  for (const row of rows) {
    const slug = slugSchema.safeParse(row.slug).data;
    if (slug !== undefined) bySlug.set(slug, joined(bySlug.get(slug) ?? { slug, launches: [] }, row, at));
  }
  // Rows without a slug are merged last, so that the order of the lists does not matter.
  for (const row of rows.filter((one) => one.slug === undefined)) {
    for (const one of bySlug.values()) {
      if (sameProject(one, row)) bySlug.set(one.slug, filled(one, row));
    }
  }
  return [...bySlug.values()];
}

const sameProject = (one: KnownProject, row: ListedRow): boolean =>
  (row.mint !== undefined && row.mint === one.mint) || (row.launch !== undefined && one.launches.includes(row.launch));

/** Merges a row into a project. The name in a global list overrides a launch's title. */
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

/** The most calls per `WINDOW`. */
const MAX_CALLS = 2;
const WINDOW = 30 * SECOND;
const ASKED_AGAIN_AFTER = 10 * MINUTE;
const MAX_TEXTS = 100;

interface QuickDiscoveryResult {
  readonly failure: AnalyticsError | undefined;
}

type Source = 'projects' | 'recent' | `search ${string}`;

/** Finds an unknown project for a question with at most two calls. */
export class QuickDiscovery {
  readonly #analytics: Analytics;
  readonly #clock: Clock;
  readonly #lane = lanes();
  readonly #askedAt = new RecentMap<Source, Instant>(MAX_TEXTS);
  #calls: readonly Instant[] = [];
  #hasMore = false;
  #failure: AnalyticsError | undefined;

  constructor({ analytics, clock }: { readonly analytics: Analytics; readonly clock: Clock }) {
    this.#analytics = analytics;
    this.#clock = clock;
  }

  /** Reads all projects; if that is impossible, searches `text` or recent launches. */
  async discover(
    text: string | undefined,
    { take, found, signal }: { take: (rows: readonly ListedRow[]) => void; found: () => boolean; signal?: AbortSignal | undefined },
  ): Promise<QuickDiscoveryResult> {
    return this.#lane.run('discovery', async () => {
      const tried = new Set<Source>();
      while (!found() && tried.size < MAX_CALLS) {
        const since = this.#clock.now() - WINDOW;
        this.#calls = this.#calls.filter((at) => at > since);
        const source = this.#next(text, tried);
        if (source === undefined || this.#calls.length >= MAX_CALLS) break;
        tried.add(source);
        this.#calls = [...this.#calls, this.#clock.now()];
        this.#askedAt.set(source, this.#clock.now());
        try {
          take(await this.#rowsOf(source, text, signal));
          this.#failure = undefined;
        } catch (error) {
          if (!(error instanceof AnalyticsError)) throw error;
          this.#failure ??= error;
          // Calls are serialised, so the last entry belongs to this call.
          if (UNANSWERED.has(error.trouble)) this.#calls = this.#calls.slice(0, -1);
          // After other failures the list may be tried again.
          if (!VERDICTS.has(error.trouble)) this.#askedAt.delete(source);
        }
      }
      return { failure: this.#failure };
    });
  }

  #next(text: string | undefined, tried: ReadonlySet<Source>): Source | undefined {
    const sources: readonly Source[] = ['projects', ...(text !== undefined && this.#hasMore ? [`search ${text}` as const] : []), 'recent'];
    return sources.find((source) => !tried.has(source) && !this.#isAsked(source));
  }

  #isAsked(source: Source): boolean {
    const at = this.#askedAt.get(source);
    return at !== undefined && this.#clock.now() < later(at, ASKED_AGAIN_AFTER);
  }

  async #rowsOf(source: Source, text: string | undefined, signal: AbortSignal | undefined): Promise<readonly ListedRow[]> {
    const how = { priority: 'question', ifFailing: 'refuse', ...(signal === undefined ? {} : { signal }) } as const;
    // Without a learned size the default is used, because every plan accepts it.
    const rows = this.#analytics.state().planLimits?.rows;
    const page = rows === undefined ? {} : { limit: rows };
    switch (source) {
      case 'projects': {
        const { data, meta } = await this.#analytics.call(projects, page, how);
        this.#hasMore = (meta?.totalItems ?? 0) > data.rows.length + data.broken || (meta?.totalPages ?? 1) > 1;
        return data.rows;
      }
      case 'recent':
        return (await this.#analytics.call(recentLaunches, page, how)).data.rows.map(launchRow);
      default:
        return (await this.#analytics.call(search, { search: text ?? '' }, how)).data.projects;
    }
  }
}

/** Failures that do not count as calls. */
const UNANSWERED: ReadonlySet<AnalyticsError['trouble']> = new Set(['unreachable', 'limited', 'budget-spent', 'allowance-spent']);
/** Failures that are final for a list. An unreadable body is not among them. */
const VERDICTS: ReadonlySet<AnalyticsError['trouble']> = new Set(['forbidden', 'rejected', 'unknown']);
