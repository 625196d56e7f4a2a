/** Returns what is due in the projects that a chat watches: the dates that checks found, as in `/next`, and projected unlocks. It makes no request. */
import { z } from 'zod';
import { isCut, type CheckRecord, type CheckRecords, type KnownDate } from '../alerts/checks/check-records.js';
import { followsDates } from '../alerts/watchlist/match.js';
import { LAUNCHES_FEED, feedOfMarket, projectOfMarket } from '../alerts/watchlist/entry.js';
import type { Chat } from '../alerts/watchlist/watchlists.js';
import type { Analytics } from '../analytics/analytics.js';
import type { Directory } from '../analytics/directory.js';
import { unlockSchedule } from '../analytics/endpoints/holders.js';
import type { Clock } from '../base/clock.js';
import { never } from '../base/never.js';
import { oneLine, cut } from '../base/one-line.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Moment, DatesAhead } from '../chat/chat-data.js';
import { compare, isZero, subtract } from '../domain/decimal.js';
import { amount } from '../domain/format.js';
import type { MakeLinks } from '../domain/links.js';
import { instantSchema, slugSchema, type Slug } from '../domain/scalars.js';

export interface CalendarDeps {
  readonly analytics: Pick<Analytics, 'kept'>;
  readonly directory: Pick<Directory, 'named'>;
  readonly checkRecords: Pick<CheckRecords, 'all'>;
  readonly links: MakeLinks;
  readonly clock: Clock;
}

const MAX_PROJECTS = 200;
const MAX_TITLE = 200;
/** How many future steps of an unlock schedule are shown. */
const MAX_UNLOCKS = 60;
const READ_AT_ONCE = 200;
const PROPOSALS = 'proposals';
const VESTING = 'vesting';

/** The feed of each date id, by the id's first part. Unlocks come from their schedule instead. */
const FEED_OF = new Map([
  ['market', PROPOSALS],
  ['launch', LAUNCHES_FEED],
  ['cliff', VESTING],
]);

/** The facts of a date that are used. */
const factsSchema = z.object({
  name: z.string().optional(),
  title: z.string().optional(),
  publicKey: z.string().optional(),
  twapStartsAt: instantSchema.optional(),
});

export class ChatCalendar {
  readonly #deps: CalendarDeps;

  constructor(deps: CalendarDeps) {
    this.#deps = deps;
  }

  async moments(chat: Chat): Promise<DatesAhead> {
    const { checkRecords, clock } = this.#deps;
    const now = clock.now();
    const moments: Moment[] = [];
    const whole = new Set<string>();
    let hasMore = false;
    for (const [index, record] of checkRecords.all().entries()) {
      if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await yieldToEventLoop();
      const { feed, subject, dates } = record;
      const followed = (dates ?? []).filter(({ project, topic }) => followsDates({ feed, project, topic }, chat));
      moments.push(...followed.filter(({ at }) => at > now).flatMap((date) => this.#momentsOf(date)));
      if (isWhole(record)) whole.add(`${feed}/${feed === LAUNCHES_FEED ? '' : subject}`);
      hasMore ||= followed.length > 0 && isCut(record);
    }
    const unlocks = await this.#allUnlocks(chat);
    moments.push(...unlocks.moments);
    return {
      moments,
      isCut: hasMore,
      isUnread: (id) => {
        const [kind = '', name = ''] = id.split('/');
        const feed = FEED_OF.get(kind);
        if (feed === undefined) return unlocks.unread.has(name);
        if (feed === LAUNCHES_FEED) return !whole.has(`${feed}/`) && followsLaunches(chat);
        const project = slugSchema.safeParse(name).data;
        return (
          !whole.has(`${feed}/${name}`) &&
          project !== undefined &&
          (followsDates({ feed, project }, chat) || followsMarketOf(project, chat))
        );
      },
    };
  }

  /** A market's window takes its id from its end, because its beginning is no longer known once it has passed. */
  #momentsOf({ topic, what, at, title, project, facts }: KnownDate): readonly Moment[] {
    const about = project === undefined ? {} : { project };
    const name = clean(title);
    switch (what) {
      case 'cliff':
        return [
          {
            ...about,
            id: topic.replace(/^vesting\/(.*)\/cliff\//u, 'cliff/$1/'),
            kind: 'cliff',
            title: `${name}: vesting cliff`,
            at,
            says: 'Locked tranches may unlock from here on, once the price reaches their thresholds.',
          },
        ];
      case 'close':
        return [
          {
            ...about,
            id: topic.replace(/^launches\//u, 'launch/'),
            kind: 'launch-end',
            title: `Launch of ${name} closes`,
            at,
            says: 'The raise takes no more commitments. An extension moves this date.',
          },
        ];
      case 'start':
      case 'end':
        return this.#market({ topic, what, at, title, project, facts });
      case 'twap':
        return [];
      default:
        return never(what);
    }
  }

  #market({ topic, what, at, title, project: slug, facts }: Omit<KnownDate, 'readAt'>): readonly Moment[] {
    const { name = '', title: own, publicKey, twapStartsAt } = factsSchema.safeParse(facts).data ?? {};
    const called = own === undefined ? 'a proposal' : `"${clean(own)}"`;
    const id = topic.replace(/^proposals\//u, 'market/');
    const begins = name === '' ? clean(title) : clean(name);
    const url = publicKey === undefined || slug === undefined ? undefined : this.#deps.links([{ to: 'proposal', slug, publicKey }])[0]?.url;
    const about = { ...(slug === undefined ? {} : { project: slug }), ...(url === undefined ? {} : { url }) };
    if (what === 'start')
      return [
        {
          ...about,
          id: `${id}/start`,
          kind: 'market-start',
          title: `${begins}: market of ${called} opens`,
          at,
          says: 'The decision market opens for trading.',
        },
      ];
    const end: Moment = {
      ...about,
      id: `${id}/end`,
      kind: 'market-end',
      title: `${begins}: market of ${called} ends`,
      at,
      says: 'The decision market closes and the proposal is decided.',
    };
    if (twapStartsAt === undefined || twapStartsAt >= at) return [end];
    const window: Moment = {
      ...about,
      id: `${id}/twap`,
      kind: 'twap',
      title: `${begins}: TWAP window of ${called}`,
      at: twapStartsAt,
      until: at,
      says: 'The average price of this window decides the proposal.',
    };
    return [window, end];
  }

  async #allUnlocks(chat: Chat): Promise<{ readonly moments: readonly Moment[]; readonly unread: ReadonlySet<string> }> {
    const [moments, unread] = [Array.of<Moment>(), new Set<string>()];
    for (const slug of this.#projects(chat)) {
      if (!followsDates({ feed: VESTING, project: slug }, chat)) continue;
      await yieldToEventLoop();
      const steps = await this.#unlocks(slug);
      if (steps === undefined) unread.add(slug);
      else moments.push(...steps);
    }
    return { moments, unread };
  }

  #projects(chat: Chat): readonly Slug[] {
    const own = chat.entries.flatMap(({ target }) => (target.kind === 'project' ? [target.slug] : []));
    if (!chat.entries.some(({ target }) => target.kind === 'all')) return own.slice(0, MAX_PROJECTS);
    const checked = this.#deps.checkRecords.all().flatMap(({ feed, subject }) => {
      const slug = slugSchema.safeParse(subject);
      return feed === VESTING && slug.success ? [slug.data] : [];
    });
    return [...new Set([...own, ...checked])].slice(0, MAX_PROJECTS);
  }

  /** Returns undefined if the schedule is not stored. */
  async #unlocks(slug: Slug): Promise<readonly Moment[] | undefined> {
    const schedule = await this.#deps.analytics.kept(unlockSchedule, { slug });
    if (schedule === undefined) return undefined;
    const known = (await this.#deps.directory.named(slug)).find((project) => project.slug === slug);
    const name = clean(known?.name ?? slug);
    const symbol = clean(known?.symbol ?? known?.name ?? slug);
    const now = this.#deps.clock.now();
    const points = schedule.data.rows.toSorted((a, b) => a.at - b.at);
    const steps: Moment[] = [];
    let before = points[0]?.unlocked;
    for (const { at, unlocked } of points) {
      if (unlocked === undefined) continue;
      const added = before === undefined ? unlocked : subtract(unlocked, before);
      if (!isZero(added) && compare(unlocked, before ?? unlocked) > 0 && at > now)
        steps.push({
          // The id contains the unlocked total and not the date, because a projected date moves with the price.
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
}

const clean = (text: string): string => cut(oneLine(text), MAX_TITLE);

/** Tells whether a record is complete, so that a date that it lacks does not exist. */
const isWhole = (record: CheckRecord): boolean => record.okAt !== undefined && record.dates !== undefined && !isCut(record);

const followsLaunches = (chat: Chat): boolean =>
  chat.entries.some(
    ({ target }) =>
      (target.kind === 'market' && feedOfMarket(target) === LAUNCHES_FEED) ||
      (target.kind !== 'wallet' &&
        followsDates({ feed: LAUNCHES_FEED, ...(target.kind === 'project' ? { project: target.slug } : {}) }, chat)),
  );

/** Tells whether a chat follows single proposals of a project that it need not watch. */
const followsMarketOf = (project: Slug, { entries }: Chat): boolean =>
  entries.some(({ target }) => target.kind === 'market' && projectOfMarket(target) === project);
