/** Known projects, stored: names resolve without the service. */
import { omitUndefined } from '../base/omit-undefined.js';
import { z } from 'zod';
import { withDeadline } from '../base/deadline.js';
import { either } from '../base/sentence-lists.js';
import { DAY, HOUR, MINUTE, SECOND, type Clock } from '../base/clock.js';
import { silentLog, type Log } from '../base/log.js';
import { isNameSized, type Project } from '../domain/project.js';
import { instantSchema, type Instant, type Slug } from '../domain/scalars.js';
import type { Store } from '../store/store.js';
import type { Analytics } from './analytics.js';
import { createQuickDiscovery } from './quick-discovery.js';
import { completeProject, nameIndex, nearestProjects, projectsNamed, slugsAsListed, type NameIndex } from './project-lookup.js';
import { merge, knownProjectSchema, discoverProjects, type KnownProject, type SourceId } from './project-discovery.js';

export interface Directory {
  revision(): unknown;
  /** Slugs of PROJECTS in no list, with the nearest that are; empty before the first discovery. */
  unknown(): readonly UnknownSlug[];
  /** Sorted by name. Makes at most two calls, and rejects, if none is known. */
  all(): Promise<readonly Project[]>;
  /** Exact matches of slug, symbol or name. Makes no calls. */
  named(text: string): Promise<readonly Project[]>;
  /** As `named`, else a fuzzy search after at most two calls. Rejects with an `UnknownProjectError` or `AnalyticsError`. */
  find(text: string, signal?: AbortSignal): Promise<Project>;
  get(slug: Slug): Promise<Project>;
  /** As `get`. While its name or symbol is unknown it waits for the lists that are read, until ten seconds after their beginning. */
  described(slug: Slug, signal?: AbortSignal): Promise<Project>;
  /** Best first. Makes no calls. */
  complete(partial: string, limit: number): Promise<readonly Project[]>;
  /** At most every ten minutes. Rejects with an `AnalyticsError` if no list answers. */
  refresh(priority?: 'question' | 'poll'): Promise<void>;
}

export interface UnknownSlug {
  readonly slug: Slug;
  readonly nearest: readonly Slug[];
}

/** "tidee (did you mean tide?)". */
export const unknownSlugText = ({ slug, nearest }: UnknownSlug): string =>
  nearest.length === 0 ? slug : `${slug} (did you mean ${either(nearest)}?)`;

/** `several`: the name is ambiguous. */
export class UnknownProjectError extends Error {
  override readonly name = 'UnknownProjectError';
  constructor(
    readonly text: string,
    readonly nearest: readonly Project[],
    readonly several: boolean,
    /** Discovery runs: retry. */
    readonly loading = false,
  ) {
    super(`directory: ${several ? 'several projects are' : 'no project is'} called ${JSON.stringify(text)}; use a slug`);
  }
}

export interface DirectoryOptions {
  readonly analytics: Analytics;
  readonly store?: Store;
  readonly clock: Clock;
  readonly log?: Log;
  /** Listed or not. */
  readonly only?: readonly Slug[] | undefined;
  readonly source?: string;
}

const directorySchema = z.object({ source: z.string(), askedAt: instantSchema.optional(), projects: z.array(knownProjectSchema) });
type Book = z.infer<typeof directorySchema>;
const KEY = 'projects';

/** On a shared engine. */
const REREAD_EVERY = 10 * SECOND;
const REREAD_FOR_A_NAME = SECOND;
const REFRESH_AT_MOST_EVERY = 10 * MINUTE;
const AGED_AFTER = HOUR;
/** With a monthly limit: discovery's part of the requests for checks. */
const BUDGET_PART = 0.05;
const SURVEY_COST = 5;
const AGED_AT_LATEST = 7 * DAY;
const SOONER_FOR_A_NAME = 24;
const REFUSED_FOR = 6 * HOUR;
/** An alert with the slug in the place of a name is better than one that comes much later. */
const NAME_PATIENCE = 10 * SECOND;

const documentsOf = (store: Store) => store.collection({ prefix: 'directory', version: 1, schema: directorySchema, writers: 'any' });

/** The projects of a service that are stored. Makes no request. */
export async function storedProjects(store: Store, source: string): Promise<readonly Slug[]> {
  const found = await documentsOf(store).get(KEY);
  return found?.source === source ? found.projects.map(({ slug }) => slug) : [];
}

export function createDirectory({ analytics, store, clock, log = silentLog, only, source = '' }: DirectoryOptions): Directory {
  const documents = store && documentsOf(store);
  const refusedAt = new Map<SourceId, Instant>();
  let book: Book = { source, projects: [] };
  let loading: Promise<void> | undefined;
  let readAt: Instant | undefined;
  let refreshing: Promise<void> | undefined;
  let triedAt: Instant | undefined;
  let warnedOf = '';
  const discoverQuickly = createQuickDiscovery({ analytics, clock });

  const load = async (): Promise<void> => {
    try {
      const found = await documents?.get(KEY);
      readAt = clock.now();
      if (found?.source === source && (found.askedAt ?? 0) >= (book.askedAt ?? 0)) book = found;
      warnOfUnknown();
    } catch (error) {
      // The next discovery writes it again.
      log.warn('directory.unread', { error });
    }
  };
  const loaded = async (isMissed = false): Promise<void> => {
    const age = clock.now() - (readAt ?? 0);
    if (store?.shared !== undefined && readAt !== undefined && age >= (isMissed ? REREAD_FOR_A_NAME : REREAD_EVERY)) loading = undefined;
    return (loading ??= load());
  };

  let indexed: { readonly of: Book; readonly names: NameIndex } | undefined;
  const names = (): NameIndex => {
    if (indexed?.of === book) return indexed.names;
    const bySlug = new Map<Slug, KnownProject>(book.projects.map((one) => [one.slug, one]));
    const wanted = only && new Set([...slugsAsListed(only, [...bySlug.keys()])].map(([slug, listed]) => listed ?? slug));
    const shown = wanted === undefined ? book.projects : [...wanted].map((slug) => bySlug.get(slug) ?? { slug, launches: [] });
    const projects = shown.map(toProject).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.slug.localeCompare(b.slug, 'en'));
    indexed = { of: book, names: nameIndex(projects) };
    return indexed.names;
  };
  const projectOf = (slug: Slug): Project => toProject(book.projects.find((one) => one.slug === slug) ?? { slug, launches: [] });
  const view = (): readonly Project[] => names().projects;

  const save = async (): Promise<void> => {
    try {
      await documents?.set(KEY, book);
    } catch (error) {
      log.warn('directory.unwritten', { error });
    }
  };

  const ask = async (priority: 'question' | 'poll'): Promise<void> => {
    triedAt = clock.now();
    const skip = new Set([...refusedAt].filter(([, at]) => clock.now() - at < REFUSED_FOR).map(([id]) => id));
    const { rows, missing, seen, failure } = await discoverProjects(analytics, {
      skip,
      priority,
      maxAge: agedAfter() === AGED_AFTER ? undefined : agedAfter() / 2,
    });
    for (const { source: list, trouble } of missing) {
      if (trouble === 'forbidden' || trouble === 'rejected' || trouble === 'unknown') refusedAt.set(list, clock.now());
    }
    if (missing.length > 0) log.info('directory.lists-missing', { missing });
    if (!seen && failure !== undefined) throw failure;
    book = { source, askedAt: clock.now(), projects: [...merge(book.projects, rows, clock.now())] };
    warnOfUnknown();
    await save();
  };

  const agedAfter = (): number => {
    const { forChecks, resetsAt } = analytics.state().budget;
    if (forChecks === undefined) return AGED_AFTER;
    const affordable = (SURVEY_COST * Math.max(1, resetsAt - clock.now())) / Math.max(1, forChecks * BUDGET_PART);
    return Math.min(AGED_AT_LATEST, Math.max(AGED_AFTER, affordable));
  };

  const isDue = (): boolean => {
    const last = Math.max(book.askedAt ?? 0, book.projects.length === 0 ? 0 : (triedAt ?? 0));
    const rest = Math.max(REFRESH_AT_MOST_EVERY, agedAfter() === AGED_AFTER ? 0 : agedAfter() / SOONER_FOR_A_NAME);
    return clock.now() - last >= rest;
  };

  const begin = (priority: 'question' | 'poll'): Promise<void> | undefined => {
    if (refreshing === undefined && isDue()) refreshing = ask(priority).finally(() => (refreshing = undefined));
    return refreshing;
  };

  const refresh = async (priority: 'question' | 'poll' = 'poll'): Promise<void> => {
    await loaded();
    return begin(priority);
  };

  /** What is known is kept, so a failure is left to the next discovery. */
  const listsRead = async (signal?: AbortSignal): Promise<void> => {
    const isRested = triedAt === undefined || clock.now() - triedAt >= REFRESH_AT_MOST_EVERY;
    const reading = refreshing ?? (book.askedAt === undefined && isRested ? begin('poll') : undefined);
    const milliseconds = (triedAt ?? 0) + NAME_PATIENCE - clock.now();
    if (reading === undefined || milliseconds <= 0) return;
    const limits = { clock, milliseconds, stops: signal === undefined ? [] : [signal] };
    await withDeadline(limits, async () => reading).catch(() => undefined);
  };

  const discover = (): void => void begin('poll')?.catch(() => {});
  const refreshLater = (): void => {
    if (clock.now() - (book.askedAt ?? 0) >= agedAfter()) discover();
  };

  /** Few calls, then all lists in the background. */
  const lookFor = async (text: string | undefined, signal?: AbortSignal): Promise<void> => {
    if (refreshing === undefined && !isDue()) return;
    const before = book;
    const { failure } = await discoverQuickly(text, {
      take: (rows) => (book = { ...book, projects: [...merge(book.projects, rows, clock.now())] }),
      found: () => (text === undefined ? view().length > 0 : projectsNamed(names(), text).length > 0),
      signal,
    });
    if (book !== before) await save();
    const isUnread = failure !== undefined && view().length === 0;
    // The plan may allow other lists; a service that is down answers none.
    if (!isUnread || failure.trouble === 'forbidden' || failure.trouble === 'unknown') discover();
    // Without data, "no such project" would be a guess.
    if (isUnread) throw failure;
  };

  const unknown = (): readonly UnknownSlug[] => {
    if (only === undefined || book.askedAt === undefined) return [];
    const known = book.projects.map(toProject);
    const listed = slugsAsListed(
      only,
      known.map(({ slug }) => slug),
    );
    return only
      .filter((slug) => listed.get(slug) === undefined)
      .map((slug) => ({ slug, nearest: nearestProjects(known, slug).map((one) => one.slug) }));
  };

  /** Once for each list of them: what was stored is compared at the start, without a request. */
  const warnOfUnknown = (): void => {
    const slugs = unknown().map(unknownSlugText);
    if (slugs.length > 0 && slugs.join() !== warnedOf) log.warn('directory.unknown-slugs', { slugs, remedy: 'correct PROJECTS' });
    warnedOf = slugs.join();
  };

  return {
    revision: () => book,
    refresh,
    unknown,

    async all() {
      await loaded();
      if (view().length === 0) await lookFor(undefined);
      else refreshLater();
      return view();
    },

    async named(text) {
      await loaded();
      return projectsNamed(names(), text);
    },

    async find(text, signal) {
      await loaded();
      let found = projectsNamed(names(), text);
      // PROJECTS may be written in another case than the lists have, and a watchlist keeps the slug.
      if (only !== undefined && found.some(({ slug }) => slug !== slug.toLowerCase())) {
        await listsRead(signal);
        signal?.throwIfAborted();
        found = projectsNamed(names(), text);
      }
      if (found.length === 0) {
        await loaded(true);
        found = projectsNamed(names(), text);
      }
      // Text too long for a name is not requested.
      if (found.length === 0 && isNameSized(text)) {
        await lookFor(text, signal);
        signal?.throwIfAborted();
        found = projectsNamed(names(), text);
      } else refreshLater();
      const [project, ...others] = found;
      if (project !== undefined && others.length === 0) return project;
      throw new UnknownProjectError(
        text,
        project === undefined ? nearestProjects(view(), text) : found,
        project !== undefined,
        refreshing !== undefined,
      );
    },

    async get(slug) {
      await loaded();
      return projectOf(slug);
    },

    async described(slug, signal) {
      await loaded();
      const known = book.projects.find((one) => one.slug === slug);
      if (known?.name === undefined || known.symbol === undefined) await listsRead(signal);
      return projectOf(slug);
    },

    async complete(partial, limit) {
      await loaded();
      return completeProject(view(), partial, limit);
    },
  };
}

const toProject = ({ slug, name, symbol, mint }: Pick<KnownProject, 'slug' | 'name' | 'symbol' | 'mint'>): Project =>
  omitUndefined({
    slug,
    name: name ?? slug,
    symbol,
    mint,
  });
