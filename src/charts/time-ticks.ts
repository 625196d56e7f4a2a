/** Time axis ticks at round moments: times of day in a timezone, days and longer in UTC, as the service counts them. */
import { DateTime, type DateTimeUnit, type DurationLikeObject } from 'luxon';

/** Counted from the start of `unit`. */
const STEPS: readonly { readonly step: DurationLikeObject; readonly unit: DateTimeUnit; readonly format: string }[] = [
  ...[15, 30].map((minutes) => ({ step: { minutes }, unit: 'day' as const, format: 'HH:mm' })),
  ...[1, 2, 3, 6, 12].map((hours) => ({ step: { hours }, unit: 'day' as const, format: 'HH:mm' })),
  ...[1, 2, 5, 10, 15].map((days) => ({ step: { days }, unit: 'month' as const, format: 'LLL d' })),
  ...[1, 2, 3, 6].map((months) => ({ step: { months }, unit: 'year' as const, format: 'LLL yyyy' })),
];
const MAX_TICKS = 40;

export interface Tick {
  readonly at: number;
  readonly text: string;
}

const moment = (at: number, zone = 'utc') => DateTime.fromMillis(at, { zone, locale: 'en-US' });

export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** IANA; default UTC. */
  readonly zone?: string | undefined;
}

/** The finest that fit; empty for moments beyond Luxon. */
export function momentTicks({ from, to, zone }: Stretch, fits: (ticks: readonly Tick[]) => boolean): readonly Tick[] {
  if (!moment(from).isValid || !moment(to).isValid || to < from) return [];
  for (const { step, unit, format } of STEPS) {
    if ((to - from) / moment(0).plus(step).toMillis() > MAX_TICKS) continue;
    const ticks = momentsBy(step, unit, { from, to, zone: unit === 'day' ? zone : undefined }).map((at) => ({
      at: at.toMillis(),
      text: at.toFormat(clock(format, at)),
    }));
    if (fits(ticks)) return ticks;
  }
  const years = [...new Set([from, to].map((at) => moment(at).year))];
  return years.map((year) => ({ at: Math.max(from, Date.UTC(year, 0)), text: String(year) }));
}

const clock = (format: string, { hour, minute }: DateTime): string => (format === 'HH:mm' && hour === 0 && minute === 0 ? 'LLL d' : format);

function momentsBy(step: DurationLikeObject, unit: DateTimeUnit, { from, to, zone }: Stretch): readonly DateTime[] {
  const found: DateTime[] = [];
  for (let start = moment(from, zone).startOf(unit); start.toMillis() <= to; start = start.plus({ [unit]: 1 })) {
    const next = start.plus({ [unit]: 1 });
    // Multi-day steps start at the first of the month, so a tick just before the next first is left out.
    const last = unit === 'month' && (step.days ?? 1) > 1 ? next.minus({ days: (step.days ?? 1) / 2 }) : next;
    for (let at = start; at < last && at.toMillis() <= to; at = at.plus(step)) if (at.toMillis() >= from) found.push(at);
  }
  return found;
}
