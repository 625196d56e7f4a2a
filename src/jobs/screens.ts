/** This module evaluates saved screens on values of checks. Projects that enter or leave are events. It makes no request. */
import type { CheckRecords } from '../alerts/checks/check-records.js';
import { SCREENS_FEED } from '../alerts/watchlist/entry.js';
import type { Directory } from '../analytics/directory.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Measure } from '../domain/measures.js';
import { MEASURES } from '../domain/measures.js';
import type { Slug } from '../domain/scalars.js';
import { membershipOf, screenKinds, screenTests, type ScreenMembership } from '../domain/screen.js';
import type { Feed, Measurement } from '../feeds/feed.js';
import { screenKey, screens, valuesOf, type ScreenedProject, type ScreenWatermark } from '../feeds/screens.js';
import { slugSchema } from '../domain/scalars.js';
import { ifUnreadable } from '../store/store.js';
import { hand, type RoutingContext } from './unrouted.js';
import { withEvents, type WatermarkDocument, type Watermarks } from './watermarks.js';

export interface ScreensContext extends RoutingContext {
  /** The service's name in watermarks. */
  readonly source: string;
  readonly directory: Pick<Directory, 'described' | 'all'>;
}

/** The projects in a screen, by name, and the number of projects whose values are unknown. */
export interface ScreenStanding {
  readonly members: readonly string[];
  readonly unread: number;
}

const READ_AT_ONCE = 200;

const keyOf = (filter: string): string => `${SCREENS_FEED}/${screenKey(filter)}`;

export class Screens {
  readonly #context: ScreensContext;
  #seen: { readonly revision: number; readonly screens: string } | undefined;
  #known: ReadonlySet<string> = new Set();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: ScreensContext) {
    this.#context = context;
  }

  /** Starts evaluations without waiting for them. */
  tick(): void {
    const { checks, log, watchlists } = this.#context;
    const filters = [...watchlists.kept.watched.screens].toSorted();
    const seen = { revision: checks.revision(), screens: filters.join('\n') };
    const isSeen = seen.revision === this.#seen?.revision && seen.screens === this.#seen.screens;
    if (this.#isStopped || isSeen || this.#running !== undefined || (filters.length === 0 && this.#known.size === 0)) return;
    this.#running = this.#run(filters)
      .then(() => void (this.#seen = seen))
      .catch((cause: unknown) => log.error('screens.failed', { cause }))
      .finally(() => (this.#running = undefined));
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.idle();
  }

  /** Returns the projects that are in a screen now. Stores nothing. */
  async standing(filter: string): Promise<ScreenStanding> {
    const { directory } = this.#context;
    const before = watermarkOf(await this.#context.watermarks.get(keyOf(filter)).catch(ifUnreadable), this.#context.source);
    const tests = screenTests(filter);
    const projects = await this.#projects(filter);
    const all = await directory.all().catch(() => []);
    const unchecked = all.filter(({ slug }) => !projects.some((one) => one.slug === slug)).length;
    const states = projects.map((project) => ({ project, is: membershipOf(tests, valuesOf(project), before?.projects[project.slug]) }));
    return {
      members: states.flatMap(({ project: { symbol, name }, is }) => (is === 'in' ? [symbol ?? name] : [])),
      unread: unchecked + states.filter(({ is }) => is === undefined).length,
    };
  }

  async #run(filters: readonly string[]): Promise<void> {
    const { lanes, watermarks } = this.#context;
    // Forget screens that nobody watches. If one is watched again later, its first check begins it again.
    for (const filter of this.#known) {
      if (filters.includes(filter)) continue;
      await lanes.run(keyOf(filter), async () => {
        if (((await watermarks.get(keyOf(filter)).catch(ifUnreadable))?.pending ?? []).length === 0) await watermarks.delete(keyOf(filter));
      });
    }
    this.#known = new Set(filters);
    for (const filter of filters) {
      if (this.#isStopped) return;
      await lanes.run(keyOf(filter), async () => this.#evaluate(filter));
    }
  }

  async #evaluate(filter: string): Promise<void> {
    const { checks, clock, source, watermarks } = this.#context;
    const key = keyOf(filter);
    // Events left over from an earlier failure are routed first.
    const { document } = await hand(key, this.#context);
    const before = document?.source === source ? document : undefined;
    const now = clock.now();
    const data = await this.#projects(filter);
    const { watermark, events } = screens.spec.diff({ screen: filter }, watermarkOf(before, source), {
      ...{ data, at: now },
      ...{ complete: true, hidden: 0, broken: 0 },
    });
    const found = events.map((event) => ({ ...event, feed: SCREENS_FEED, detectedAt: now, checkedAt: now }));
    if (found.length === 0 && isSame(watermark, watermarkOf(before, source))) return;
    // Flush the check records first: if a crash lost their values, the next evaluation would restore the earlier membership.
    await checks.flush();
    // One write makes watermark and events durable. After a crash the events are routed from this document and not found again.
    await watermarks.set(key, withEvents(before, { source, watermark, events: found }));
    if (found.length > 0) await hand(key, this.#context);
  }

  /** Returns the projects with their values. A kind that was never read has none. */
  async #projects(filter: string): Promise<readonly ScreenedProject[]> {
    const { checks, directory } = this.#context;
    const kinds = screenKinds(filter);
    const slugs = new Set(
      checks.all().flatMap(({ feed, subject }) => {
        const read = kinds.includes(feed) ? slugSchema.safeParse(subject) : undefined;
        return read?.success === true ? [read.data] : [];
      }),
    );
    const projects: ScreenedProject[] = [];
    for (const slug of slugs) {
      if (projects.length % READ_AT_ONCE === READ_AT_ONCE - 1) await yieldToEventLoop();
      const { name, symbol } = await directory.described(slug);
      projects.push({ slug, name, symbol, values: confirmedValues(slug, kinds, checks) });
    }
    return projects;
  }
}

/** Returns the values of the last check of each kind, with the time at which they were last confirmed. */
function confirmedValues(slug: Slug, kinds: readonly string[], checks: Pick<CheckRecords, 'read'>): ScreenedProject['values'] {
  const values: Partial<Record<Measure, ScreenedProject['values'][Measure]>> = {};
  for (const kind of kinds) {
    const [last] = checks.read(kind, slug)?.measurements ?? [];
    if (last === undefined) continue;
    for (const [measure, value] of Object.entries(last.values))
      if (isMeasure(measure)) values[measure] = { value, at: last.foundAt ?? last.at };
  }
  return values;
}

const isMeasure = (name: string): name is Measure => Object.hasOwn(MEASURES, name);

function watermarkOf(document: WatermarkDocument | undefined, source: string): ScreenWatermark | undefined {
  return document?.source === source ? screens.spec.watermark.safeParse(document.watermark).data : undefined;
}

const isSame = (one: ScreenWatermark, other: ScreenWatermark | undefined): boolean =>
  other !== undefined &&
  Object.keys(one.projects).length === Object.keys(other.projects).length &&
  Object.entries(one.projects).every(([slug, is]) => other.projects[slug] === is);

interface Supposition {
  readonly filters: Iterable<string>;
  readonly feed: Pick<Feed, 'id'>;
  readonly slug: Slug;
  readonly shown: Measurement['values'];
}

/** Returns which screen a project would enter or leave if a list were right, so that a check confirms it. */
export async function supposedScreen(
  { filters, feed, slug, shown }: Supposition,
  { checks, source, watermarks }: { readonly checks: Pick<CheckRecords, 'read'>; readonly source: string; readonly watermarks: Watermarks },
): Promise<string | undefined> {
  for (const filter of filters) {
    const kinds = screenKinds(filter);
    if (!kinds.includes(feed.id)) continue;
    const before: ScreenMembership | undefined = watermarkOf(await watermarks.get(keyOf(filter)).catch(ifUnreadable), source)?.projects[
      slug
    ];
    if (before === undefined) continue;
    const values = { ...valuesOf({ values: confirmedValues(slug, kinds, checks) }), ...shown };
    if (membershipOf(screenTests(filter), values, before) !== before) return filter;
  }
  return undefined;
}
