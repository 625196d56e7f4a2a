/** What is due in the projects that a chat watches, read from the last responses that the bot keeps. It makes no request. */
import type { CheckRecords } from '../alerts/checks/check-records.js';
import { covering } from '../alerts/watchlist/match.js';
import { isOff } from '../alerts/rules/presets.js';
import type { Chat } from '../alerts/watchlist/watchlists.js';
import type { Analytics } from '../analytics/analytics.js';
import type { Directory } from '../analytics/directory.js';
import type { ListRow } from '../analytics/endpoint-row.js';
import { liveMarkets } from '../analytics/endpoints/dashboard.js';
import { trancheLadder, unlockSchedule } from '../analytics/endpoints/holders.js';
import { recentLaunches } from '../analytics/endpoints/launches.js';
import { proposalIdentity, proposals, proposalDetail, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { type Clock, type Instant } from '../base/clock.js';
import { oneLine, cut } from '../base/one-line.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Moment, DatesAhead } from '../chat/chat-data.js';
import { compare, isZero, subtract } from '../domain/decimal.js';
import { amount } from '../domain/format.js';
import type { MakeLinks } from '../domain/links.js';
import { phaseOf } from '../domain/market-phase.js';
import { slugSchema, type Slug } from '../domain/scalars.js';
import { endOf } from '../feeds/launch-stages.js';
import { LAUNCHES_FEED } from '../alerts/watchlist/entry.js';
import type { z } from 'zod';

export interface CalendarDeps {
  readonly analytics: Pick<Analytics, 'kept'>;
  readonly directory: Pick<Directory, 'named'>;
  readonly checkRecords: Pick<CheckRecords, 'all'>;
  readonly links: MakeLinks;
  readonly clock: Clock;
}

const MAX_PROJECTS = 200;
/** Pages of a list that are looked for among the kept responses. */
const MAX_PAGES = 10;
const SIZES = [100, 50, 20, 10];
const MAX_TITLE = 200;
/** Steps of a schedule that are still to come. */
const MAX_UNLOCKS = 60;
const PROPOSALS = 'proposals';
const VESTING = 'vesting';

/** The rows of a list that are known. `isWhole` is false where a page of it is not kept. */
interface KeptRows<T> {
  readonly rows: readonly T[];
  readonly isWhole: boolean;
}

interface Named {
  readonly slug: Slug;
  readonly name: string;
  readonly symbol: string;
}

export class ChatCalendar {
  readonly #deps: CalendarDeps;

  constructor(deps: CalendarDeps) {
    this.#deps = deps;
  }

  async moments(chat: Chat): Promise<DatesAhead> {
    const moments: Moment[] = [];
    const unread: string[] = [];
    const launches = await this.#launches(chat);
    if (launches === undefined) unread.push('launch/');
    else moments.push(...launches);
    for (const slug of this.#projects(chat)) {
      await yieldToEventLoop();
      const project = await this.#named(slug);
      const isWanted = (kind: string): boolean => isFollowed(chat, kind, slug);
      const parts: readonly (readonly [string, readonly Moment[] | undefined])[] = [
        [`market/${slug}/`, isWanted(PROPOSALS) ? await this.#markets(project) : []],
        [`cliff/${slug}/`, isWanted(VESTING) ? await this.#cliffs(project) : []],
        [`unlock/${slug}/`, isWanted(VESTING) ? await this.#unlocks(project) : []],
      ];
      for (const [prefix, found] of parts) {
        if (found === undefined) unread.push(prefix);
        else moments.push(...found);
      }
    }
    return { moments, isUnread: (id) => unread.some((prefix) => id.startsWith(prefix)) };
  }

  #projects(chat: Chat): readonly Slug[] {
    const own = chat.entries.flatMap(({ target }) => (target.kind === 'project' ? [target.slug] : []));
    if (!chat.entries.some(({ target }) => target.kind === 'all')) return own.slice(0, MAX_PROJECTS);
    const checked = this.#deps.checkRecords.all().flatMap(({ feed, subject }) => {
      const slug = slugSchema.safeParse(subject);
      return (feed === PROPOSALS || feed === VESTING) && slug.success ? [slug.data] : [];
    });
    return [...new Set([...own, ...checked])].slice(0, MAX_PROJECTS);
  }

  async #named(slug: Slug): Promise<Named> {
    const known = (await this.#deps.directory.named(slug)).find((project) => project.slug === slug);
    return { slug, name: clean(known?.name ?? slug), symbol: clean(known?.symbol ?? known?.name ?? slug) };
  }

  /** It returns undefined where the list is not known whole. */
  async #markets({ slug, name }: Named): Promise<readonly Moment[] | undefined> {
    const list = await this.#list(proposals, { slug });
    if (list === undefined || !list.isWhole) return undefined;
    const live = await this.#list(liveMarkets, {});
    const byIdentity = new Map(live?.rows.map((row) => [proposalIdentity(row), row]));
    const found: Moment[] = [];
    for (const row of list.rows) {
      if (phaseOf(row) !== 'live') continue;
      const key = proposalIdentity(row);
      const detail =
        row.publicKey === undefined ? undefined : await this.#deps.analytics.kept(proposalDetail, { publicKey: row.publicKey });
      found.push(...this.#market({ slug, key, name }, [row, byIdentity.get(key), detail?.data]));
    }
    return found;
  }

  /** The rows are the same proposal in several lists; the first that knows a field is believed. */
  #market(
    { slug, key, name }: { readonly slug: Slug; readonly key: string; readonly name: string },
    rows: readonly (ProposalRow | undefined)[],
  ): readonly Moment[] {
    const first = <K extends keyof ProposalRow>(field: K): ProposalRow[K] | undefined =>
      rows.find((row) => row?.[field] !== undefined)?.[field];
    const [endsAt, twapStartsAt, title] = [first('endsAt'), first('twapStartsAt'), first('title')];
    if (endsAt === undefined) return [];
    const called = title === undefined ? 'a proposal' : `"${clean(title)}"`;
    const publicKey = first('publicKey');
    const url = publicKey === undefined ? undefined : this.#deps.links([{ to: 'proposal', slug, publicKey }])[0]?.url;
    const about = { project: slug, ...(url === undefined ? {} : { url }) };
    const end: Moment = {
      ...about,
      id: `market/${slug}/${key}/end`,
      kind: 'market-end',
      title: `${name}: market of ${called} ends`,
      at: endsAt,
      says: 'The decision market closes and the proposal is decided.',
    };
    if (twapStartsAt === undefined || twapStartsAt >= endsAt) return [end];
    const window: Moment = {
      ...about,
      id: `market/${slug}/${key}/twap`,
      kind: 'twap',
      title: `${name}: TWAP window of ${called}`,
      at: twapStartsAt,
      until: endsAt,
      says: 'The average price of this window decides the proposal.',
    };
    return [window, end];
  }

  async #cliffs({ slug, name }: Named): Promise<readonly Moment[] | undefined> {
    const ladder = await this.#deps.analytics.kept(trancheLadder, { slug });
    if (ladder === undefined) return undefined;
    const byTime = new Map<Instant, number>();
    for (const { cliff, order } of ladder.data.rows)
      if (cliff?.at !== undefined) byTime.set(cliff.at, Math.min(order, byTime.get(cliff.at) ?? order));
    return [...byTime].map(([at, order]) => ({
      id: `cliff/${slug}/${order}`,
      kind: 'cliff' as const,
      title: `${name}: vesting cliff`,
      project: slug,
      at,
      says: 'Locked tranches may unlock from here on, once the price reaches their thresholds.',
    }));
  }

  async #unlocks({ slug, name, symbol }: Named): Promise<readonly Moment[] | undefined> {
    const schedule = await this.#deps.analytics.kept(unlockSchedule, { slug });
    if (schedule === undefined) return undefined;
    const now = this.#deps.clock.now();
    const points = schedule.data.rows.toSorted((a, b) => a.at - b.at);
    const steps: Moment[] = [];
    let before = points[0]?.unlocked;
    for (const { at, unlocked } of points) {
      if (unlocked === undefined) continue;
      const added = before === undefined ? unlocked : subtract(unlocked, before);
      if (!isZero(added) && compare(unlocked, before ?? unlocked) > 0 && at > now)
        steps.push({
          // The total names the step, because the date of a projection moves with the price.
          id: `unlock/${slug}/${unlocked}`,
          kind: 'unlock',
          title: `${name}: ${amount(added)} ${symbol} unlock (projected)`,
          project: slug,
          at,
          says: 'Projected from the current price trend. The date moves with the price.',
        });
      before = unlocked;
    }
    return steps.slice(0, MAX_UNLOCKS);
  }

  async #launches(chat: Chat): Promise<readonly Moment[] | undefined> {
    const list = await this.#list(recentLaunches, {});
    if (list === undefined || !list.isWhole) return undefined;
    return list.rows.flatMap((launch): readonly Moment[] => {
      const at = endOf(launch);
      const isOpen = launch.state === undefined || ['live', 'initialized'].includes(launch.state.toLowerCase());
      const slug = slugSchema.safeParse(launch.slug).data;
      if (at === undefined || !isOpen || !isFollowed(chat, LAUNCHES_FEED, slug)) return [];
      return [
        {
          id: `launch/${launch.address}`,
          kind: 'launch-end',
          title: `Launch of ${clean(launch.title ?? launch.symbol ?? launch.address)} closes`,
          ...(slug === undefined ? {} : { project: slug }),
          at,
          says: 'The raise takes no more commitments. An extension moves this date.',
        },
      ];
    });
  }

  /** It returns undefined where not even the first page is kept. */
  async #list<I extends z.ZodObject, T>(row: ListRow<I, T>, input: z.input<I>): Promise<KeptRows<T> | undefined> {
    for (const limit of SIZES) {
      const rows: T[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const answer = await this.#deps.analytics.kept(row, { ...input, limit, page });
        if (answer === undefined && page === 1) break;
        if (answer === undefined) return { rows, isWhole: false };
        rows.push(...answer.data.rows);
        if (answer.data.rows.length + answer.data.broken < limit) return { rows, isWhole: answer.data.broken === 0 };
      }
      if (rows.length > 0) return { rows, isWhole: false };
    }
    return undefined;
  }
}

const clean = (text: string): string => cut(oneLine(text), MAX_TITLE);

/** Whether an entry of the chat covers the project and has this kind on. */
function isFollowed(chat: Chat, feed: string, project: Slug | undefined): boolean {
  const [entry] = covering({ feed, ...(project === undefined ? {} : { project }) }, chat);
  return entry !== undefined && !isOff(entry, feed);
}
