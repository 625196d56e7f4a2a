/** The projects the bot knows by name. Kept in the store, so that after a restart names are known even when the service is away. */
import { z } from 'zod';
import { DAY, HOUR, MINUTE, type Clock } from '../base/clock.js';
import { silentLog, type Log } from '../base/log.js';
import { isNameSized, type Project } from '../domain/project.js';
import { instantSchema, type Instant, type Slug } from '../domain/scalars.js';
import type { Store } from '../store/store.js';
import type { Analytics } from './analytics.js';
import { createGlimpse } from './glimpse.js';
import { completeProject, nameIndex, nearestProjects, projectsNamed, type NameIndex } from './lookup.js';
import { merge, sightingSchema, survey, type Sighting, type SourceId } from './sightings.js';

export interface Directory {
  /** Another object after each change of what is known; equal while it is the same. */
  revision(): unknown;
  /** Slugs of PROJECTS that are in no list of the service; none while it was never asked. */
  unknown(): readonly Slug[];
  /** Every known project, by name. Makes at most two calls when none was ever seen; rejects with an `AnalyticsError` only then. */
  all(): Promise<readonly Project[]>;
  /** Those with exactly this slug, symbol or name; several share it. One lookup: it never compares spellings and never asks the service. */
  named(text: string): Promise<readonly Project[]>;
  /**
   * By slug, symbol or name, with at most two calls for one that is not known, else the one search by spelling of a question. Rejects with an `UnknownProjectError`, or with an `AnalyticsError`
   * when nothing is known and nobody can be asked.
   */
  find(text: string, signal?: AbortSignal): Promise<Project>;
  /** The project of this slug; where it is not known, one that is named by its slug. */
  get(slug: Slug): Promise<Project>;
  /** What a half-typed name may become, best first. Never asks the service. */
  complete(partial: string, limit: number): Promise<readonly Project[]>;
  /** The project a launch belongs to: completed launches name none, but share a mint or an address with one that does. Never asks. */
  ofLaunch(launch: { readonly mint?: string | undefined; readonly address?: string | undefined }): Promise<Project | undefined>;
  /** Asks the lists again, unless that was done less than ten minutes ago, or longer under a small monthly budget. Rejects with an `AnalyticsError` when no list answers. */
  refresh(priority?: 'question' | 'poll'): Promise<void>;
}

/** No project is called so. `several`: the name fits more than one, and only a slug tells them apart. */
export class UnknownProjectError extends Error {
  override readonly name = 'UnknownProjectError';
  constructor(
    /** As it was typed. */
    readonly text: string,
    /** The nearest, or those that share the name; best first. */
    readonly nearest: readonly Project[],
    readonly several: boolean,
    /** Whether the lists of projects are still being read, so that it may be known in a moment. */
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
  /** Only these exist for the bot, whether or not a list shows them. */
  readonly only?: readonly Slug[] | undefined;
  /** Which service the names come from; those of another one are forgotten. As in `AnalyticsOptions`. */
  readonly source?: string;
}

const directorySchema = z.object({ source: z.string(), askedAt: instantSchema.optional(), projects: z.array(sightingSchema) });
type Book = z.infer<typeof directorySchema>;
const KEY = 'projects';

/** A refresh walks up to five lists, so it is not done more often than this whoever asks. */
const REFRESH_AT_MOST_EVERY = 10 * MINUTE;
/** What is known is used at once; older than this it is brought up to date behind the answer. */
const AGED_AFTER = HOUR;
/** Under a monthly limit it is brought up to date for this part of what looks may spend, a survey being about so many calls. */
const BUDGET_PART = 0.05;
const SURVEY_COST = 5;
const AGED_AT_LATEST = 7 * DAY;
/** Somebody who asks for an unknown name may have it surveyed so much sooner. */
const SOONER_FOR_A_NAME = 24;
/** A list that this plan or service does not give is not asked for again so soon. */
const REFUSED_FOR = 6 * HOUR;

export function createDirectory({ analytics, store, clock, log = silentLog, only, source = '' }: DirectoryOptions): Directory {
  const documents = store?.collection({ prefix: 'directory', version: 1, schema: directorySchema });
  const refusedAt = new Map<SourceId, Instant>();
  let book: Book = { source, projects: [] };
  let loading: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;
  let triedAt: Instant | undefined;
  const glimpse = createGlimpse({ analytics, clock });

  const load = async (): Promise<void> => {
    try {
      const found = await documents?.get(KEY);
      if (found?.source === source) book = found;
    } catch (error) {
      // It is only a copy of what the service says; the next refresh writes it anew.
      log.warn('directory.unread', { error });
    }
  };
  const loaded = async (): Promise<void> => (loading ??= load());

  let indexed: { readonly of: Book; readonly names: NameIndex } | undefined;
  /** Made once for each book, because every question looks names up several times. */
  const names = (): NameIndex => {
    if (indexed?.of === book) return indexed.names;
    const bySlug = new Map<Slug, Sighting>(book.projects.map((one) => [one.slug, one]));
    const shown = only === undefined ? book.projects : only.map((slug) => bySlug.get(slug) ?? { slug, launches: [] });
    const projects = shown.map(toProject).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.slug.localeCompare(b.slug, 'en'));
    indexed = { of: book, names: nameIndex(projects) };
    return indexed.names;
  };
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
    const { rows, missing, seen, failure } = await survey(analytics, { skip, priority });
    for (const { source: list, trouble } of missing) {
      if (trouble === 'forbidden' || trouble === 'rejected' || trouble === 'unknown') refusedAt.set(list, clock.now());
    }
    if (missing.length > 0) log.info('directory.lists-missing', { missing });
    if (!seen && failure !== undefined) throw failure;
    book = { source, askedAt: clock.now(), projects: [...merge(book.projects, rows, clock.now())] };
    if (unknown().length > 0) log.warn('directory.unknown-slugs', { slugs: unknown(), remedy: 'correct PROJECTS' });
    await save();
  };

  /** When what is known is old, in milliseconds: on a small budget later. */
  const agedAfter = (): number => {
    const { forLooks, resetsAt } = analytics.state().budget;
    if (forLooks === undefined) return AGED_AFTER;
    const affordable = (SURVEY_COST * Math.max(1, resetsAt - clock.now())) / Math.max(1, forLooks * BUDGET_PART);
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

  /** Behind an answer; whatever fails is in the client's state and log. */
  const discover = (): void => void begin('poll')?.catch(() => {});
  const refreshLater = (): void => {
    if (clock.now() - (book.askedAt ?? 0) >= agedAfter()) discover();
  };

  /** A few calls for somebody who waits, unless the lists were read lately; all lists are read behind the answer. */
  const lookFor = async (text: string | undefined, signal?: AbortSignal): Promise<void> => {
    if (refreshing === undefined && !isDue()) return;
    const before = book;
    const { failure } = await glimpse(text, {
      take: (rows) => (book = { ...book, projects: [...merge(book.projects, rows, clock.now())] }),
      found: () => (text === undefined ? view().length > 0 : projectsNamed(names(), text).length > 0),
      signal,
    });
    if (book !== before) await save();
    const isUnread = failure !== undefined && view().length === 0;
    // A plan without the lists that were asked for may have others; a service that is away has none.
    if (!isUnread || failure.trouble === 'forbidden' || failure.trouble === 'unknown') discover();
    // With nothing to compare with, "no such project" would be a guess.
    if (isUnread) throw failure;
  };

  const unknown = (): readonly Slug[] => {
    if (only === undefined || book.askedAt === undefined) return [];
    const known = new Set(book.projects.map(({ slug }) => slug));
    return only.filter((slug) => !known.has(slug));
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
      // The service is not asked for what is too long to be a name.
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
      return toProject(book.projects.find((one) => one.slug === slug) ?? { slug, launches: [] });
    },

    async complete(partial, limit) {
      await loaded();
      return completeProject(view(), partial, limit);
    },

    async ofLaunch({ mint, address }) {
      await loaded();
      const same = book.projects.find(
        (one) => (mint !== undefined && one.mint === mint) || (address !== undefined && one.launches.includes(address)),
      );
      return same === undefined ? undefined : toProject(same);
    },
  };
}

const toProject = ({ slug, name, symbol, mint }: Pick<Sighting, 'slug' | 'name' | 'symbol' | 'mint'>): Project => ({
  slug,
  name: name ?? slug,
  ...(symbol === undefined ? {} : { symbol }),
  ...(mint === undefined ? {} : { mint }),
});
