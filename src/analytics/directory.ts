/** Keeps the known projects in the store, so that names resolve without the service. */
import { omitUndefined } from '../base/omit-undefined.js';
import { z } from 'zod';
import { withDeadline } from '../base/deadline.js';
import { either } from '../base/sentence-lists.js';
import { DAY, HOUR, MINUTE, SECOND, type Clock } from '../base/clock.js';
import { silentLog, type Log } from '../base/log.js';
import { isNameSized, type Project } from '../domain/project.js';
import { instantSchema, type Instant, type Slug } from '../domain/scalars.js';
import type { Collection, Store } from '../store/store.js';
import type { Analytics } from './analytics.js';
import type { Priority } from './rate-limiter.js';
import { discoverProjects, knownProjectSchema, merge, type KnownProject, QuickDiscovery, type SourceId } from './project-discovery.js';
import { completeProject, nameIndex, nearestProjects, projectsNamed, slugsAsListed, type NameIndex } from './project-lookup.js';

export interface Directory {
  revision(): unknown;
  /** Returns the slugs of PROJECTS that no list has, with the most similar ones. Empty before the first discovery. */
  unknown(): readonly UnknownSlug[];
  /** Resolves with all projects, sorted by name. If none is known, makes at most two calls and may reject. */
  all(): Promise<readonly Project[]>;
  /** Finds exact matches of slug, symbol or name. Makes no calls. */
  named(text: string): Promise<readonly Project[]>;
  /** Finds what `named` finds, else searches similar names after at most two calls. Rejects with an `UnknownProjectError` or `AnalyticsError`. */
  find(text: string, signal?: AbortSignal): Promise<Project>;
  get(slug: Slug): Promise<Project>;
  /**
   * Answers like `get`. While the name or symbol is unknown, waits for lists that are being read, until ten seconds after their
   * start.
   */
  described(slug: Slug, signal?: AbortSignal): Promise<Project>;
  /** Completes a name, the best match first. Makes no calls. */
  complete(partial: string, limit: number): Promise<readonly Project[]>;
  /** Reads the lists, at most every ten minutes. Rejects with an `AnalyticsError` if no list answers. */
  refresh(priority?: 'question' | 'poll'): Promise<void>;
}

export interface UnknownSlug {
  readonly slug: Slug;
  readonly nearest: readonly Slug[];
}

/** Returns "tidee (did you mean tide?)". */
export const unknownSlugText = ({ slug, nearest }: UnknownSlug): string =>
  nearest.length === 0 ? slug : `${slug} (did you mean ${either(nearest)}?)`;

/** The name matches no project, or with `several` more than one. */
export class UnknownProjectError extends Error {
  override readonly name = 'UnknownProjectError';
  constructor(
    readonly text: string,
    readonly nearest: readonly Project[],
    readonly several: boolean,
    /** The lists are still being read, so a later attempt may succeed. */
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
  /** The configured projects. They count even if no list has them. */
  readonly only?: readonly Slug[] | undefined;
  readonly source?: string;
}

const directorySchema = z.object({ source: z.string(), askedAt: instantSchema.optional(), projects: z.array(knownProjectSchema) });
type Book = z.infer<typeof directorySchema>;
const KEY = 'projects';

/** How often the document is read again on a shared engine, because other processes write it. */
const REREAD_EVERY = 10 * SECOND;
const REREAD_FOR_A_NAME = SECOND;
const REFRESH_AT_MOST_EVERY = 10 * MINUTE;
const AGED_AFTER = HOUR;
/** The part of the requests for checks that discovery may take under a monthly limit. */
const BUDGET_PART = 0.05;
const SURVEY_COST = 5;
const AGED_AT_LATEST = 7 * DAY;
const SOONER_FOR_A_NAME = 24;
const REFUSED_FOR = 6 * HOUR;
/** How long an alert waits for a project's name. After that it shows the slug, because a late alert is worse. */
const NAME_PATIENCE = 10 * SECOND;

const documentsOf = (store: Store) => store.collection({ prefix: 'directory', version: 1, schema: directorySchema, writers: 'any' });

/** Reads the stored projects of a service, and makes no request. */
export async function storedProjects(store: Store, source: string): Promise<readonly Slug[]> {
  const found = await documentsOf(store).get(KEY);
  return found?.source === source ? found.projects.map(({ slug }) => slug) : [];
}

export const createDirectory = (options: DirectoryOptions): Directory => new ProjectDirectory(options);

class ProjectDirectory implements Directory {
  readonly #analytics: Analytics;
  readonly #store: Store | undefined;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #only: readonly Slug[] | undefined;
  readonly #source: string;
  readonly #documents: Collection<Book> | undefined;
  readonly #quickDiscovery: QuickDiscovery;
  /** When each list was last refused. */
  readonly #refusedAt = new Map<SourceId, Instant>();
  #book: Book;
  #indexed: { readonly of: Book; readonly names: NameIndex } | undefined;
  #loading: Promise<void> | undefined;
  #readAt: Instant | undefined;
  #refreshing: Promise<void> | undefined;
  #triedAt: Instant | undefined;
  #warnedOf = '';

  constructor({ analytics, store, clock, log = silentLog, only, source = '' }: DirectoryOptions) {
    this.#analytics = analytics;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#only = only;
    this.#source = source;
    this.#documents = store && documentsOf(store);
    this.#quickDiscovery = new QuickDiscovery({ analytics, clock });
    this.#book = { source, projects: [] };
  }

  revision(): unknown {
    return this.#book;
  }

  async refresh(priority: Priority = 'poll'): Promise<void> {
    await this.#loaded();
    return this.#begin(priority);
  }

  unknown(): readonly UnknownSlug[] {
    const only = this.#only;
    if (only === undefined || this.#book.askedAt === undefined) return [];
    const known = this.#book.projects.map(toProject);
    const listed = slugsAsListed(
      only,
      known.map(({ slug }) => slug),
    );
    return only
      .filter((slug) => listed.get(slug) === undefined)
      .map((slug) => ({ slug, nearest: nearestProjects(known, slug).map((one) => one.slug) }));
  }

  async all(): Promise<readonly Project[]> {
    await this.#loaded();
    if (this.#projects().length === 0) await this.#lookFor(undefined);
    else this.#refreshLater();
    return this.#projects();
  }

  async named(text: string): Promise<readonly Project[]> {
    await this.#loaded();
    return projectsNamed(this.#names(), text);
  }

  async find(text: string, signal?: AbortSignal): Promise<Project> {
    const found = await this.#search(text, signal);
    const [project, ...others] = found;
    if (project !== undefined && others.length === 0) return project;
    const nearest = project === undefined ? nearestProjects(this.#projects(), text) : found;
    throw new UnknownProjectError(text, nearest, project !== undefined, this.#refreshing !== undefined);
  }

  async get(slug: Slug): Promise<Project> {
    await this.#loaded();
    return this.#projectOf(slug);
  }

  async described(slug: Slug, signal?: AbortSignal): Promise<Project> {
    await this.#loaded();
    const known = this.#book.projects.find((one) => one.slug === slug);
    if (known?.name === undefined || known.symbol === undefined) await this.#listsRead(signal);
    return this.#projectOf(slug);
  }

  async complete(partial: string, limit: number): Promise<readonly Project[]> {
    await this.#loaded();
    return completeProject(this.#projects(), partial, limit);
  }

  async #loaded(isMissed = false): Promise<void> {
    const age = this.#clock.now() - (this.#readAt ?? 0);
    const rereadAfter = isMissed ? REREAD_FOR_A_NAME : REREAD_EVERY;
    if (this.#store?.shared !== undefined && this.#readAt !== undefined && age >= rereadAfter) this.#loading = undefined;
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    try {
      const found = await this.#documents?.get(KEY);
      this.#readAt = this.#clock.now();
      if (found?.source === this.#source && (found.askedAt ?? 0) >= (this.#book.askedAt ?? 0)) this.#book = found;
      this.#warnOfUnknown();
    } catch (error) {
      // An unreadable document is ignored; the next discovery writes it again.
      this.#log.warn('directory.unread', { error });
    }
  }

  async #save(): Promise<void> {
    try {
      await this.#documents?.set(KEY, this.#book);
    } catch (error) {
      this.#log.warn('directory.unwritten', { error });
    }
  }

  #names(): NameIndex {
    const book = this.#book;
    if (this.#indexed?.of === book) return this.#indexed.names;
    const bySlug = new Map<Slug, KnownProject>(book.projects.map((one) => [one.slug, one]));
    const wanted = this.#only && new Set([...slugsAsListed(this.#only, [...bySlug.keys()])].map(([slug, listed]) => listed ?? slug));
    const shown = wanted === undefined ? book.projects : [...wanted].map((slug) => bySlug.get(slug) ?? { slug, launches: [] });
    const projects = shown.map(toProject).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.slug.localeCompare(b.slug, 'en'));
    this.#indexed = { of: book, names: nameIndex(projects) };
    return this.#indexed.names;
  }

  #projects(): readonly Project[] {
    return this.#names().projects;
  }

  #projectOf(slug: Slug): Project {
    return toProject(this.#book.projects.find((one) => one.slug === slug) ?? { slug, launches: [] });
  }

  /** Searches the known projects, then the lists that are being read, then the service with a few calls. */
  async #search(text: string, signal: AbortSignal | undefined): Promise<readonly Project[]> {
    await this.#loaded();
    let found = projectsNamed(this.#names(), text);
    // Slugs in PROJECTS may differ in case from the lists, and a watchlist stores the slug.
    if (this.#only !== undefined && found.some(({ slug }) => slug !== slug.toLowerCase())) {
      await this.#listsRead(signal);
      signal?.throwIfAborted();
      found = projectsNamed(this.#names(), text);
    }
    if (found.length === 0) {
      await this.#loaded(true);
      found = projectsNamed(this.#names(), text);
    }
    // A text that is too long for a name causes no request.
    if (found.length > 0 || !isNameSized(text)) {
      this.#refreshLater();
      return found;
    }
    await this.#lookFor(text, signal);
    signal?.throwIfAborted();
    return projectsNamed(this.#names(), text);
  }

  /** Makes a few calls, then reads all lists in the background. */
  async #lookFor(text: string | undefined, signal?: AbortSignal): Promise<void> {
    if (this.#refreshing === undefined && !this.#isDue()) return;
    const before = this.#book;
    const { failure } = await this.#quickDiscovery.discover(text, {
      take: (rows) => (this.#book = { ...this.#book, projects: [...merge(this.#book.projects, rows, this.#clock.now())] }),
      found: () => (text === undefined ? this.#projects().length > 0 : projectsNamed(this.#names(), text).length > 0),
      signal,
    });
    if (this.#book !== before) await this.#save();
    const isUnread = failure !== undefined && this.#projects().length === 0;
    // After a refusal the plan may allow other lists. If the service is down, none is tried.
    if (!isUnread || failure.trouble === 'forbidden' || failure.trouble === 'unknown') this.#discover();
    // No list could be read, so it is unknown whether the project exists.
    if (isUnread) throw failure;
  }

  /** Waits for the lists that are being read. Ignores a failure, because the next discovery tries again. */
  async #listsRead(signal?: AbortSignal): Promise<void> {
    const clock = this.#clock;
    const isRested = this.#triedAt === undefined || clock.now() - this.#triedAt >= REFRESH_AT_MOST_EVERY;
    const reading = this.#refreshing ?? (this.#book.askedAt === undefined && isRested ? this.#begin('poll') : undefined);
    const milliseconds = (this.#triedAt ?? 0) + NAME_PATIENCE - clock.now();
    if (reading === undefined || milliseconds <= 0) return;
    const limits = { clock, milliseconds, stops: signal === undefined ? [] : [signal] };
    await withDeadline(limits, async () => reading).catch(() => undefined);
  }

  #refreshLater(): void {
    if (this.#clock.now() - (this.#book.askedAt ?? 0) >= this.#agedAfter()) this.#discover();
  }

  #discover(): void {
    this.#begin('poll')?.catch(() => {});
  }

  #begin(priority: Priority): Promise<void> | undefined {
    if (this.#refreshing === undefined && this.#isDue())
      this.#refreshing = this.#ask(priority).finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  #isDue(): boolean {
    const last = Math.max(this.#book.askedAt ?? 0, this.#book.projects.length === 0 ? 0 : (this.#triedAt ?? 0));
    const rest = Math.max(REFRESH_AT_MOST_EVERY, this.#agedAfter() === AGED_AFTER ? 0 : this.#agedAfter() / SOONER_FOR_A_NAME);
    return this.#clock.now() - last >= rest;
  }

  #agedAfter(): number {
    const { forChecks, resetsAt } = this.#analytics.state().budget;
    if (forChecks === undefined) return AGED_AFTER;
    const affordable = (SURVEY_COST * Math.max(1, resetsAt - this.#clock.now())) / Math.max(1, forChecks * BUDGET_PART);
    return Math.min(AGED_AT_LATEST, Math.max(AGED_AFTER, affordable));
  }

  async #ask(priority: Priority): Promise<void> {
    const clock = this.#clock;
    this.#triedAt = clock.now();
    const skip = new Set([...this.#refusedAt].filter(([, at]) => clock.now() - at < REFUSED_FOR).map(([id]) => id));
    const maxAge = this.#agedAfter() === AGED_AFTER ? undefined : this.#agedAfter() / 2;
    const { rows, missing, seen, failure } = await discoverProjects(this.#analytics, { skip, priority, maxAge });
    for (const { source: list, trouble } of missing) {
      if (trouble === 'forbidden' || trouble === 'rejected' || trouble === 'unknown') this.#refusedAt.set(list, clock.now());
    }
    if (missing.length > 0) this.#log.info('directory.lists-missing', { missing });
    if (!seen && failure !== undefined) throw failure;
    this.#book = { source: this.#source, askedAt: clock.now(), projects: [...merge(this.#book.projects, rows, clock.now())] };
    this.#warnOfUnknown();
    await this.#save();
  }

  /** Warns once for each set of unknown slugs. At the start, compares with the stored lists, without a request. */
  #warnOfUnknown(): void {
    const slugs = this.unknown().map(unknownSlugText);
    if (slugs.length > 0 && slugs.join() !== this.#warnedOf)
      this.#log.warn('directory.unknown-slugs', { slugs, remedy: 'correct PROJECTS' });
    this.#warnedOf = slugs.join();
  }
}

const toProject = ({ slug, name, symbol, mint }: Pick<KnownProject, 'slug' | 'name' | 'symbol' | 'mint'>): Project =>
  omitUndefined({
    slug,
    name: name ?? slug,
    symbol,
    mint,
  });
