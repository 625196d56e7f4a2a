/** Fills the page's list of watched projects from checks and stored responses. It makes no request. */
import type { Analytics } from '../analytics/analytics.js';
import { treasuryOverview } from '../analytics/endpoints/treasury.js';
import type { Directory } from '../analytics/directory.js';
import type { CheckRecords } from '../alerts/checks/check-records.js';
import { allIn, isExcluded } from '../alerts/watchlist/exceptions.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import { RecentMap } from '../base/bounded-cache.js';
import { DAY, MINUTE, SECOND, type Clock } from '../base/clock.js';
import type { Address } from '../chat/address.js';
import { MAX_WATCHED_SHOWN, type WatchedProject, type WatchedProjects, type WatchedProjectsState } from '../chat/watched-projects.js';
import { isNegative } from '../domain/decimal.js';
import { percent, price, usd } from '../domain/format.js';
import { gapOf } from '../domain/premium.js';
import type { Project } from '../domain/project.js';
import type { Decimal, Instant } from '../domain/scalars.js';
import { keptNavHistory } from '../feeds/nav-history.js';
import { premium } from '../feeds/premium.js';
import { proposals } from '../feeds/proposals.js';
import { treasury } from '../feeds/treasury.js';
import { vesting } from '../feeds/vesting.js';

const HISTORY = 30 * DAY;
/** Parsing a stored chart is slow, so a project's is read again only after this time; an absent one is looked for sooner. */
const HISTORY_AGE = 10 * MINUTE;
const NO_HISTORY_AGE = 30 * SECOND;
/** Measurements are cached this long, because several pages ask every few seconds. */
const FIGURES_AGE = 4 * SECOND;
const MAX_PROJECTS = 1_000;

type Points = WatchedProject['history'];
interface Watched {
  readonly project: Project;
  readonly isOwn: boolean;
}
type Deadline = NonNullable<WatchedProject['deadline']>;

interface Figures {
  readonly at: Instant;
  readonly price: Decimal | undefined;
  readonly premium: Decimal | undefined;
}

/** The measurements of the last response to a question. */
interface Asked extends Figures {
  readonly nav: Decimal | undefined;
}

const newest = <T extends { readonly at: Instant }>(checked: T | undefined, asked: T | undefined): T | undefined =>
  checked === undefined || (asked !== undefined && asked.at > checked.at) ? asked : checked;

export interface WatchedDeps {
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly directory: Pick<Directory, 'complete' | 'named'>;
  readonly checkRecords: Pick<CheckRecords, 'read'>;
  readonly analytics: Pick<Analytics, 'kept'>;
  readonly clock: Pick<Clock, 'now'>;
}

export class KeptProjects implements WatchedProjects {
  readonly #deps: WatchedDeps;
  readonly #shownBefore = new RecentMap<string, { readonly readAt: Instant; readonly project: WatchedProject }>(MAX_PROJECTS);
  readonly #histories = new RecentMap<string, { readonly readAt: Instant; readonly points: Points }>(MAX_PROJECTS);

  constructor(deps: WatchedDeps) {
    this.#deps = deps;
  }

  async read(chat: Address, search: string): Promise<WatchedProjectsState> {
    const watched = await this.#watched(chat);
    const words = search.trim().toLowerCase();
    const found = watched.filter(({ project: { slug, symbol, name } }) =>
      [slug, symbol, name].some((text) => text?.toLowerCase().includes(words)),
    );
    const projects: WatchedProject[] = [];
    for (const { project, isOwn } of this.#shownOf(found)) projects.push({ ...(await this.#shownLately(project)), isOwn });
    return { total: found.length, isAny: watched.length > 0, projects };
  }

  /** Limits the list. Drops projects that were never checked first, and then those without an entry of their own. */
  #shownOf(found: readonly Watched[]): readonly Watched[] {
    if (found.length <= MAX_WATCHED_SHOWN) return found;
    const placeOf = ({ project: { slug }, isOwn }: Watched): number => (this.#isChecked(slug) ? 0 : 2) + (isOwn ? 0 : 1);
    const first = new Set(found.toSorted((a, b) => placeOf(a) - placeOf(b)).slice(0, MAX_WATCHED_SHOWN));
    return found.filter((one) => first.has(one));
  }

  #isChecked(slug: string): boolean {
    const { checkRecords } = this.#deps;
    return [premium, treasury].some(({ id }) => (checkRecords.read(id, slug)?.measurements ?? []).length > 0);
  }

  async #watched(chat: Address): Promise<readonly Watched[]> {
    const { directory, watchlists } = this.#deps;
    const { entries } = watchlists.read(chat);
    const slugs = new Set(entries.flatMap(({ target }) => (target.kind === 'project' ? [target.slug] : [])));
    const all = allIn({ entries });
    const complete = all === undefined ? [] : await directory.complete('', MAX_PROJECTS);
    const covered = complete.filter(({ slug }) => all === undefined || !isExcluded(all, { project: slug }));
    const known = await Promise.all(
      [...slugs].map(async (slug) => (await directory.named(slug)).find((one) => one.slug === slug) ?? { slug, name: slug }),
    );
    return [
      ...known.map((project) => ({ project, isOwn: true })),
      ...covered.flatMap((project) => (slugs.has(project.slug) ? [] : [{ project, isOwn: false }])),
    ].toSorted((a, b) => a.project.name.localeCompare(b.project.name, 'en'));
  }

  async #shownLately(project: Project): Promise<WatchedProject> {
    const now = this.#deps.clock.now();
    const before = this.#shownBefore.get(project.slug);
    if (before !== undefined && now - before.readAt < FIGURES_AGE) return before.project;
    const shown = await this.#shown(project);
    this.#shownBefore.set(project.slug, { readAt: now, project: shown });
    return shown;
  }

  async #shown({ slug, name, symbol }: Project): Promise<WatchedProject> {
    const kept = await this.#deps.analytics.kept(treasuryOverview, { slug });
    const asked = kept && {
      at: kept.data.updatedAt ?? kept.dataAt ?? kept.at,
      price: kept.data.price,
      premium: gapOf(kept.data).percent,
      nav: kept.data.netAssetValue,
    };
    const { at, price: each, premium: gap } = this.#figures(slug, asked) ?? {};
    const nav = this.#nav(slug, asked);
    return {
      slug,
      name,
      symbol,
      ...(at === undefined || each === undefined ? {} : { price: { text: price(each), at } }),
      ...(at === undefined || gap === undefined ? {} : { premium: { text: percent(gap), at, isDiscount: isNegative(gap) } }),
      ...(nav === undefined ? {} : { nav: { text: usd(nav.value), at: nav.at } }),
      history: await this.#history(slug),
      deadline: this.#deadline(slug),
    };
  }

  /** Returns the newest measurements of the last check and of the last response to a question. */
  #figures(slug: string, asked: Asked | undefined): Figures | undefined {
    const measured = this.#deps.checkRecords.read(premium.id, slug)?.measurements?.at(-1);
    const checked = measured && { at: measured.at, price: measured.values.price, premium: measured.values.premium };
    return newest(checked, asked);
  }

  #nav(slug: string, asked: Asked | undefined): { readonly value: Decimal; readonly at: Instant } | undefined {
    const measured = this.#deps.checkRecords.read(treasury.id, slug)?.measurements?.at(-1);
    const checked = measured?.values.nav === undefined ? undefined : { value: measured.values.nav, at: measured.at };
    return newest(checked, asked?.nav === undefined ? undefined : { value: asked.nav, at: asked.at });
  }

  async #history(slug: string): Promise<Points> {
    const now = this.#deps.clock.now();
    const before = this.#histories.get(slug);
    if (before !== undefined && now - before.readAt < (before.points.length > 0 ? HISTORY_AGE : NO_HISTORY_AGE)) return before.points;
    const past = await keptNavHistory(slug, this.#deps.analytics);
    const points = past.flatMap((point) => {
      const gap = now - point.at > HISTORY ? undefined : gapOf({ ...point }).percent;
      return gap === undefined ? [] : [[point.at, Number(gap)] as const];
    });
    this.#histories.set(slug, { readAt: now, points });
    return points;
  }

  #deadline(slug: string): WatchedProject['deadline'] {
    const now = this.#deps.clock.now();
    const records = [proposals, vesting].flatMap(({ id }) => this.#deps.checkRecords.read(id, slug) ?? []);
    const checked = records.flatMap(({ okAt, priorityWindows = [] }) => (okAt === undefined ? [] : [{ at: okAt, priorityWindows }]));
    if (checked.length === 0) return undefined;
    const ahead = checked.flatMap(({ at, priorityWindows }) =>
      priorityWindows.flatMap(({ kind, endsAt }): Deadline[] =>
        kind === 'launch' || endsAt === undefined || endsAt <= now ? [] : [{ kind, endsAt, at }],
      ),
    );
    return ahead.toSorted((a, b) => a.endsAt - b.endsAt)[0] ?? null;
  }
}
