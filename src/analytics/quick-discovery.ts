/** Finds an unknown project for a question with at most two calls. */
import { RecentMap } from '../base/bounded-cache.js';
import { later, MINUTE, SECOND, type Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Instant } from '../domain/scalars.js';
import type { Analytics } from './analytics.js';
import { projects, search } from './endpoints/dashboard.js';
import { recentLaunches } from './endpoints/launches.js';
import { AnalyticsError } from './errors.js';
import { launchRow, type ListedRow } from './project-discovery.js';

/** Per `WINDOW`. */
const MAX_CALLS = 2;
const WINDOW = 30 * SECOND;
const ASKED_AGAIN_AFTER = 10 * MINUTE;
const MAX_TEXTS = 100;

export interface QuickDiscoveryResult {
  readonly failure: AnalyticsError | undefined;
}

export interface QuickDiscovery {
  /** Reads all projects, else searches `text` or recent launches. */
  (
    text: string | undefined,
    of: { take: (rows: readonly ListedRow[]) => void; found: () => boolean; signal?: AbortSignal | undefined },
  ): Promise<QuickDiscoveryResult>;
}

type Source = 'projects' | 'recent' | `search ${string}`;

export function createQuickDiscovery({ analytics, clock }: { analytics: Analytics; clock: Clock }): QuickDiscovery {
  const lane = lanes();
  const askedAt = new RecentMap<Source, Instant>(MAX_TEXTS);
  let calls: readonly Instant[] = [];
  let hasMore = false;
  let failure: AnalyticsError | undefined;

  const isAsked = (source: Source): boolean => {
    const at = askedAt.get(source);
    return at !== undefined && clock.now() < later(at, ASKED_AGAIN_AFTER);
  };

  function next(text: string | undefined, tried: ReadonlySet<Source>): Source | undefined {
    const sources: readonly Source[] = ['projects', ...(text !== undefined && hasMore ? [`search ${text}` as const] : []), 'recent'];
    return sources.find((source) => !tried.has(source) && !isAsked(source));
  }

  async function rowsOf(source: Source, text: string | undefined, signal: AbortSignal | undefined): Promise<readonly ListedRow[]> {
    const how = { priority: 'question', ifFailing: 'refuse', ...(signal === undefined ? {} : { signal }) } as const;
    // Every plan accepts the default page size; another one may be refused.
    const rows = analytics.state().planLimits?.rows;
    const page = rows === undefined ? {} : { limit: rows };
    switch (source) {
      case 'projects': {
        const { data, meta } = await analytics.call(projects, page, how);
        hasMore = (meta?.totalItems ?? 0) > data.rows.length + data.broken || (meta?.totalPages ?? 1) > 1;
        return data.rows;
      }
      case 'recent':
        return (await analytics.call(recentLaunches, page, how)).data.rows.map(launchRow);
      default:
        return (await analytics.call(search, { search: text ?? '' }, how)).data.projects;
    }
  }

  return async (text, { take, found, signal }) =>
    lane.run('discovery', async () => {
      const tried = new Set<Source>();
      while (!found() && tried.size < MAX_CALLS) {
        const since = clock.now() - WINDOW;
        calls = calls.filter((at) => at > since);
        const source = next(text, tried);
        if (source === undefined || calls.length >= MAX_CALLS) break;
        tried.add(source);
        calls = [...calls, clock.now()];
        askedAt.set(source, clock.now());
        try {
          take(await rowsOf(source, text, signal));
          failure = undefined;
        } catch (error) {
          if (!(error instanceof AnalyticsError)) throw error;
          failure ??= error;
          // Calls are serialised, so the last entry is this call.
          if (UNANSWERED.has(error.trouble)) calls = calls.slice(0, -1);
          // Other failures may be retried.
          if (!VERDICTS.has(error.trouble)) askedAt.delete(source);
        }
      }
      return { failure };
    });
}

/** They cost nothing. */
const UNANSWERED: ReadonlySet<AnalyticsError['trouble']> = new Set(['unreachable', 'limited', 'budget-spent', 'allowance-spent']);
/** An unreadable body is none. */
const VERDICTS: ReadonlySet<AnalyticsError['trouble']> = new Set(['forbidden', 'rejected', 'unknown']);
