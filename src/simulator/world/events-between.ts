/** Lists the events that the service shows in a time range. */
import { DAY, instant, type Instant } from '../../base/clock.js';
import { midnight } from './growth.js';
import { closing, minimumReachedAt } from './launches.js';
import type { World } from './world.js';

export interface Happening {
  readonly feed: 'supply' | 'proposals' | 'launches' | 'growth';
  readonly subject: string;
  readonly stage: string;
  readonly identity: string;
  readonly at: Instant;
}

type Chapter = readonly [stage: string, at: Instant | undefined];

/** Returns the events in order of time. `to` is exclusive. */
export function happenings(world: World, { from, to }: { readonly from: Instant; readonly to: Instant }): readonly Happening[] {
  return [...supply(world, to), ...proposals(world, to), ...launches(world, to), ...growth(world, from, to)]
    .filter(({ at }) => at >= from && at < to)
    .toSorted((a, b) => a.at - b.at);
}

const supply = (world: World, to: Instant): readonly Happening[] =>
  world.projects.flatMap((who) =>
    world.supply.ledger(who, to).entries.map(({ id, type, appearsAt }) => ({
      feed: 'supply' as const,
      subject: who.slug,
      stage: type.toLowerCase(),
      identity: String(id),
      at: appearsAt,
    })),
  );

const chapters = (all: readonly Chapter[]) => all.flatMap(([stage, at]) => (at === undefined ? [] : [{ stage, at }]));

const proposals = (world: World, to: Instant): readonly Happening[] =>
  world.proposals.all(to).flatMap((one) => {
    const traded = one.outcome === 'removed' ? undefined : one;
    return chapters([
      ['created', one.createdAt],
      [traded ? 'live' : 'removed', one.liveAt],
      ['twap', traded?.twapAt],
      [one.outcome, traded?.endsAt],
    ]).map((chapter) => ({ feed: 'proposals' as const, subject: one.slug, identity: one.publicKey, ...chapter }));
  });

const launches = (world: World, to: Instant): readonly Happening[] =>
  world.launches.all(to).flatMap((one) => {
    const closed = closing(one);
    const done = one.outcome === 'complete' ? instant(closed + one.settlesAfter) : undefined;
    return chapters([
      ['initialized', one.initializedAt],
      ['live', one.startedAt],
      ['minimum', minimumReachedAt(one)],
      ['extended', one.extension?.at],
      [done ? 'closed' : 'refunding', closed],
      ['complete', done],
      ['graveyard', one.ended?.at],
    ]).map((chapter) => ({ feed: 'launches' as const, subject: one.slug, identity: one.launchAddr, ...chapter }));
  });

/** Searches the last week, because values are published and restated within that time. */
const growth = (world: World, from: Instant, to: Instant): readonly Happening[] => {
  const days = Array.from({ length: Math.ceil((to - from) / DAY) + 9 }, (_, back) => instant(midnight(to) - back * DAY));
  return world.projects.flatMap((who) =>
    world.growth.metrics(who).flatMap((metricId) =>
      days.flatMap((day) =>
        world.growth.published(who, metricId, day).map((one) => ({
          feed: 'growth' as const,
          subject: who.slug,
          stage: one.restated ? 'restated' : 'published',
          identity: `${metricId}/${one.date}`,
          at: one.at,
        })),
      ),
    ),
  );
};
