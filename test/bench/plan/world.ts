/**
 * Thirty days of thirty-one projects, drawn from a seed: when what happens, what a check of it costs, and what is at stake when. It knows nothing of
 * plans. The rates follow an ordinary month: about two markets pending on a day, many small burns in few projects, a launch every ten days.
 */
import { DAY, HOUR, MINUTE, instant, later, type Instant } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import type { Feed, PriorityWindow } from '../../../src/feeds/feed.js';
import { growth } from '../../../src/feeds/growth.js';
import { launches } from '../../../src/feeds/launches.js';
import { proposals } from '../../../src/feeds/proposals.js';
import { supply } from '../../../src/feeds/supply.js';
import type { Task } from '../../../src/jobs/wanted-checks.js';

export const START = instant(Date.UTC(2026, 10, 1));
export const END = instant(Date.UTC(2026, 11, 1));
const PROJECTS = 31;

/** What the plan shows: the month's requests, rows a page and pages of a list. */
export interface Plan {
  readonly limit: number;
  readonly rows: number;
  readonly pages: number;
  /** How finely the month is played, in milliseconds; divides ten minutes. */
  readonly step: number;
}

/** Something people wait for. `listed`: a global list shows it too. */
interface Happening {
  readonly at: Instant;
  readonly listed: boolean;
}

export interface Thing {
  readonly task: Task;
  readonly happenings: readonly Happening[];
  /** Everything that is ever under way there; each only between its dates. */
  readonly stakes: readonly (PriorityWindow & { readonly from: Instant })[];
  /** Requests of a check while nothing, or something, is under way. */
  cost(plan: Plan, live: boolean): number;
}

/** A small generator of numbers between 0 and 1 (mulberry32): the same seed, the same month. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Moments that come `perDay` times a day on average, each independent of the others. */
function moments(roll: () => number, perDay: number, from: Instant = START): readonly Instant[] {
  const all: Instant[] = [];
  for (let at = from; ;) {
    at = later(at, (-Math.log(1 - roll()) / perDay) * DAY);
    if (at >= END) return all;
    all.push(at);
  }
}

const pagesOf = (rows: number, plan: Plan): number => Math.min(plan.pages, Math.max(1, Math.ceil(rows / plan.rows)));

export const draw = (seed: number): readonly Thing[] =>
  drawn(seed).map((thing) => ({ ...thing, happenings: thing.happenings.toSorted((a, b) => a.at - b.at) }));

function drawn(seed: number): readonly Thing[] {
  const roll = dice(seed);
  const each = Array.from({ length: PROJECTS }, (_, index) => ({ slug: slug(`project-${index + 1}`), name: `Project ${index + 1}` }));
  const task = (feed: Feed, subject: Task['subject']): Task => ({ feed, subject, watchers: 1 + Math.floor(roll() ** 3 * 20) });
  return [
    ...each.map((subject): Thing => {
      // A few projects burn several times a day, most once in weeks.
      const burns = moments(roll, 0.03 * 100 ** (roll() ** 2));
      const rows = 15 + Math.floor(roll() * 80);
      return {
        task: task(supply, subject),
        happenings: burns.map((at) => ({ at, listed: true })),
        stakes: [],
        cost: (plan) => pagesOf(rows, plan),
      };
    }),
    ...each.map((subject): Thing => {
      const markets = moments(roll, 2 / (PROJECTS * 3), later(START, -3 * DAY)).filter(
        (at, index, all) => at - (all[index - 1] ?? 0) > 4 * DAY,
      );
      return {
        task: task(proposals, subject),
        happenings: markets.flatMap((live) => {
          const [created, twap, ending, end] = [later(live, -DAY), later(live, DAY), later(live, 2.5 * DAY), later(live, 3 * DAY)];
          return [created, live, twap, ending, end].map((at) => ({ at, listed: at !== twap && at !== ending }));
        }),
        stakes: markets.map((live) => ({ kind: 'market', from: live, decisiveFrom: later(live, DAY), endsAt: later(live, 3 * DAY) })),
        cost: (_plan, live) => (live ? 2 : 1),
      };
    }),
    ...each.map((subject, index): Thing => {
      // Half of them publish; a day's values appear some time after midnight.
      const days = index % 2 === 0 ? Array.from({ length: 30 }, (_, day) => later(START, day * DAY + (5 + roll() * 175) * MINUTE)) : [];
      return { task: task(growth, subject), happenings: days.map((at) => ({ at, listed: false })), stakes: [], cost: () => 1 };
    }),
    launchesOf(roll, task(launches, 'all')),
  ];
}

function launchesOf(roll: () => number, task: Task): Thing {
  const begun = moments(roll, 0.1, later(START, -2 * DAY));
  return {
    task: { ...task, watchers: 20 },
    happenings: begun.flatMap((live) => {
      const [announced, minimum, ending, end] = [
        later(live, -DAY),
        later(live, roll() * 3 * DAY),
        later(live, 4 * DAY - 6 * HOUR),
        later(live, 4 * DAY),
      ];
      return [announced, live, minimum, ending, end].map((at) => ({ at, listed: false }));
    }),
    stakes: begun.map((live) => ({
      kind: 'launch',
      from: live,
      decisiveFrom: later(live, 4 * DAY - 6 * HOUR),
      endsAt: later(live, 4 * DAY),
    })),
    cost: (plan) => 2 + pagesOf(25, plan),
  };
}

/** What is under way there now, as a check would say. */
export const underWay = ({ stakes }: Thing, now: Instant): readonly PriorityWindow[] =>
  stakes
    .filter(({ from, endsAt }) => from <= now && now < (endsAt ?? END))
    .map(({ kind, decisiveFrom, endsAt }) => ({ kind, decisiveFrom, endsAt }));
