/** One cell of the table: a plan, what the lists are like, and how many projects; what the bot made of its month there. */
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.js';
import { quantile } from '../harness/figure.js';
import { ageTracker, type Ages } from './ages.js';
import { leastMeanAge } from './bound.js';
import { happeningsOf, judge, type Kind } from './oracle.js';
import { play } from './play.js';
import type { Fact, Lists } from './service.js';
import { drawMonth, END, START } from './truth.js';

export interface Plan {
  readonly limit: number;
  readonly rows: number;
  readonly pages: number;
  readonly tickSeconds: number;
  /** Played; all of the month but where it would take too long. */
  readonly days: number;
}

export const PLANS: readonly Plan[] = [
  { limit: 500, rows: 10, pages: 3, tickSeconds: 600, days: 30 },
  { limit: 5_000, rows: 100, pages: 50, tickSeconds: 600, days: 30 },
  { limit: 100_000, rows: 100, pages: 50, tickSeconds: 60, days: 5 },
];
export const PROJECTS = [12, 31] as const;

/** Milliseconds unless stated. */
export interface Measured {
  readonly limit: number;
  readonly lists: Lists;
  readonly projects: number;
  readonly days: number;
  /** Requests of the first two minutes of `/watch all`. */
  readonly firstTwoMinutes: number;
  readonly ages: Ages;
  readonly statedBound: Bound;
  readonly delays: Readonly<Record<Kind, Delay>>;
  readonly marketEvents: number;
  readonly marketEventsMissed: number;
  readonly wrong: number;
  readonly doubled: number;
  readonly used: number;
  /** Whether the month's requests were ever more than the plan's. */
  readonly isOverdrawn: boolean;
  readonly cpuSeconds: number;
  /** A few of what went wrong. */
  readonly notes: readonly string[];
}

/** The least weighted mean age of what lists tell, where they are right. Undefined: the confirmations alone take every request. */
interface Bound {
  /** Nothing is read but pages of lists. */
  readonly pages: number | undefined;
  /** And one request confirms each event that a list tells. */
  readonly confirmed: number | undefined;
}

/** Infinite, and null in JSON, where so many were missed; undefined without events. */
interface Delay {
  readonly median: number | undefined;
  readonly p95: number | undefined;
  readonly medianOfAlerted: number | undefined;
  readonly events: number;
  readonly missed: number;
}

const SAMPLED = 10 * MINUTE;
const FIRST = 2 * MINUTE;
const MAX_NOTES = 5;
const FLOOR = MINUTE;
const FIGURES: readonly Fact[] = ['premium', 'nav', 'price', 'runway', 'supply'];
const LISTED_KINDS: ReadonlySet<Kind> = new Set(['premium', 'supply', 'proposals', 'launches', 'runway']);
const nothing = (): void => {};

export async function measure(plan: Plan, lists: Lists, projects: number): Promise<Measured> {
  const { limit, rows, pages, days } = plan;
  const before = process.cpuUsage();
  const month = drawMonth(projects);
  const begin = await play({ ...plan, month, lists, tickSeconds: 1, until: START + 3 * MINUTE, told: nothing });
  const tracker = ageTracker(month);
  const end = Math.min(END, START + days * DAY);
  const sampled = { every: SAMPLED, call: tracker.sample };
  const played = await play({ ...plan, month, lists, until: end, told: tracker.told, sampled });
  // At the end of the month the next one's requests begin.
  const used = played.requests.filter(({ at }) => at < end).length;
  const judged = judge(month, played.reports, end);
  const { user, system } = process.cpuUsage(before);
  const delay = (kind: Kind): Delay => {
    const all = judged.delays.get(kind) ?? [];
    return {
      ...{ median: quantile(all, 0.5), p95: quantile(all, 0.95), medianOfAlerted: quantile(all.filter(Number.isFinite), 0.5) },
      ...{ events: judged.counts.get(kind) ?? 0, missed: judged.missed.get(kind) ?? 0 },
    };
  };
  const slugs = month.projects.map(({ slug }) => slug);
  const shown = rows * pages;
  const [covered, rest] = [slugs.slice(0, shown), slugs.slice(shown)];
  const events = happeningsOf(month, end).filter(({ kind }) => LISTED_KINDS.has(kind)).length;
  const bound = (confirmations: number): number | undefined =>
    leastMeanAge({
      ...{ requests: limit * ((end - START) / (END - START)), confirmations, lasts: end - START, floor: FLOOR },
      sweeps: [
        { calls: Math.ceil(covered.length / rows), weight: tracker.weight(FIGURES, covered) },
        // Beyond the last page only the treasury and the supply of each project itself.
        { calls: 2 * rest.length, weight: tracker.weight(FIGURES, rest) },
        { calls: 1, weight: tracker.weight(['market']) },
        { calls: 1, weight: tracker.weight(['launch']) },
      ],
    });
  return {
    ...{ limit, lists, projects, days },
    firstTwoMinutes: begin.requests.filter(({ at }) => at >= begin.watchedAt && at < begin.watchedAt + FIRST).length,
    ages: tracker.ages(),
    statedBound: { pages: bound(0), confirmed: bound(events) },
    delays: {
      premium: delay('premium'),
      supply: delay('supply'),
      proposals: delay('proposals'),
      launches: delay('launches'),
      runway: delay('runway'),
      other: delay('other'),
    },
    ...{ marketEvents: judged.marketEvents, marketEventsMissed: judged.marketEventsMissed },
    ...{ wrong: judged.wrong.length, doubled: judged.doubled.length },
    used,
    isOverdrawn: used > limit,
    cpuSeconds: (user + system) / 1e6,
    notes: [...played.errors, ...judged.wrong, ...judged.doubled].slice(0, MAX_NOTES),
  };
}

/** Requests an hour without a monthly limit, with POLL_MIN_SECONDS=60, once the first checks are over. */
export async function withoutLimit(projects: number): Promise<number> {
  const hours = 2;
  const from = START + HOUR;
  const until = from + hours * HOUR;
  const month = drawMonth(projects);
  const { requests } = await play({ month, lists: 'honest', limit: undefined, rows: 100, pages: 50, tickSeconds: 5, until, told: nothing });
  return requests.filter(({ at }) => at >= from && at < until).length / hours;
}
