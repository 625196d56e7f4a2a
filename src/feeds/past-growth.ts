/** Growth values as past checks would have read them. Pure. */
import type { GrowthMetric } from '../analytics/endpoints/project.js';
import { instant, type Instant } from '../base/clock.js';
import { addDays } from '../domain/day.js';
import type { Day } from '../domain/scalars.js';
import type { PastSnapshots } from './feed.js';

interface GrowthHistory {
  readonly published: boolean;
  /** As the client types it. */
  readonly metrics: GrowthMetric[];
  readonly broken: number;
}

/** One check a day, once its values are complete. */
export function pastDays(feed: GrowthHistory): Pick<PastSnapshots<GrowthHistory>, 'snapshots' | 'since' | 'hidden' | 'broken'> {
  const byDay = new Map<Day, GrowthMetric[]>();
  for (const metric of feed.metrics)
    for (const value of metric.days) {
      const ofDay = byDay.get(value.day) ?? [];
      ofDay.push({ ...metric, days: [value], broken: 0 });
      byDay.set(value.day, ofDay);
    }
  const days = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [first] = days;
  return {
    hidden: 0,
    broken: feed.broken,
    since: first && startOfDay(first[0]),
    snapshots: days.map(([day, metrics]) => ({
      data: { published: feed.published, metrics, broken: 0 },
      at: startOfDay(addDays(day, 1)),
      complete: true,
      hidden: 0,
      broken: 0,
    })),
  };
}

const startOfDay = (day: Day): Instant => instant(Date.parse(day));
