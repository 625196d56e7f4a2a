/** What the service says of launches, of growth and of the tranches of a team. */
import type { GrowthDay, Launch, World } from './world.js';

const iso = (moment: number): string => new Date(moment).toISOString();

/** Dollars; amounts of launches are raw with six decimals. */
const MINIMUM = 1_000_000;
const raw = (dollars: number): string => `${dollars * 1_000_000}`;

/** Of the minimum. */
const PERCENT = MINIMUM / 100;
const MOST_BELOW = 89;
const STEPS = 50;

/** In percent of the minimum: rises, and reaches it at its time or never. */
function committedOf({ liveAt, minimumAt, endsAt }: Launch, now: number): number {
  const part = (from: number, to: number): number => Math.max(0, Math.min(now, to) - from) / (to - from);
  if (minimumAt === undefined) return 1 + Math.floor(part(liveAt, endsAt) * MOST_BELOW);
  return now < minimumAt ? 1 + Math.floor(part(liveAt, minimumAt) * MOST_BELOW) : 100 + Math.floor(part(minimumAt, endsAt) * STEPS);
}

function launchRow(launch: Launch, now: number) {
  const { project, title, liveAt, endsAt, result, key = `${title}Launch` } = launch;
  const state = now < liveAt ? 'initialized' : now < endsAt ? 'live' : result;
  const final = launch.restated !== undefined && launch.restated.at <= now ? launch.restated.to * PERCENT : undefined;
  const committed = (state === 'refunding' ? final : undefined) ?? committedOf(launch, now) * PERCENT;
  return {
    launchAddr: key,
    baseMint: `${title}Mint`,
    title,
    tokenSymbol: title.slice(0, 3).toUpperCase(),
    organizationSlug: project,
    state,
    minimumRaiseAmount: raw(MINIMUM),
    ...(now < liveAt ? {} : { committedAmount: raw(committed), unixTimestampStarted: iso(liveAt) }),
    ...(state === 'complete' ? { fundsAccepted: raw(final ?? MINIMUM) } : {}),
    secondsForLaunch: (endsAt - liveAt) / 1_000,
    isPermissionLess: true,
  };
}

/** One that is complete moves to the list of completed ones. */
export function launchLists(
  { launches }: World,
  now: number,
): { readonly recent: readonly unknown[]; readonly completed: readonly unknown[] } {
  const rows = launches.flatMap((one) => (one.createdAt <= now ? [launchRow(one, now)] : []));
  return { recent: rows.filter(({ state }) => state !== 'complete'), completed: rows.filter(({ state }) => state === 'complete') };
}

const valueAt = ({ value, restated }: GrowthDay, now: number): number => restated.findLast(({ at }) => at <= now)?.to ?? value;

/** A project without values publishes none. */
export function growthFeed({ growth }: World, project: string, now: number): { readonly data: unknown } | undefined {
  const own = growth.filter((one) => one.project === project && one.at <= now);
  if (own.length === 0) return undefined;
  const metrics = [...new Set(own.map(({ metric }) => metric))].map((metricId) => ({
    metricId,
    unit: 'count',
    observations: own.flatMap((one) => (one.metric === metricId ? [{ date: one.day, value: `${valueAt(one, now)}` }] : [])),
  }));
  return { data: { status: 'ok', metrics } };
}

/** A project without tranches has no ladder. */
export function trancheRows({ tranches }: World, project: string, now: number): { readonly rows: readonly unknown[] } | undefined {
  const own = tranches.filter((one) => one.project === project);
  if (own.length === 0) return undefined;
  return {
    rows: own.map(({ order, cliffAt, at, state }) => ({
      order,
      tokens: '1000000',
      cliff: { timestamp: iso(cliffAt) },
      state: now < at ? 'locked' : state,
    })),
  };
}
