/** Makes the labels of the x axis, and computes the position of each x. */
import { DateTime, type DateTimeUnit, type DurationLikeObject } from 'luxon';
import type { XyChart } from '../chat/chart.js';
import { WIDTH } from './theme.js';
import { type Mark, type Pen, SIZES, stroke, words } from './shapes.js';
import { type PlotPanel, type Reach, reachOfTime } from './panels.js';

export interface XLabels {
  /** Undefined for categories. */
  readonly reach?: Reach;
  readonly ticks: readonly Tick[];
  /** The rotation of category labels in degrees. */
  readonly turned: number;
  /** Every n-th category is labelled. */
  readonly every: number;
  readonly room: number;
  readonly place: (at: number) => number;
}

const FLAT = 40;
const TURN = 32;
const LINE = 30;
/** The least distance between two labels, in pixels. */
const AIR = 24;

export function xLabelsOf(chart: XyChart, { left, right }: Pick<PlotPanel, 'left' | 'right'>, { faces }: Pen): XLabels {
  const width = (text: string) => faces.regular.width(text, SIZES.text);
  const { categories } = chart;
  if (categories === undefined) {
    const reach = reachOfTime(chart);
    const place = (at: number) => left + ((at - reach.from) / (reach.to - reach.from)) * (right - left);
    const fits = (ticks: readonly Tick[]): boolean =>
      ticks.every(({ at, text }, index) => {
        const before = ticks[index - 1];
        return before === undefined || place(at) - place(before.at) > (width(text) + width(before.text)) / 2 + AIR;
      });
    return { reach, ticks: momentTicks({ ...reach, zone: chart.zone }, fits), turned: 0, every: 1, room: FLAT, place };
  }
  const slot = (right - left) / Math.max(1, categories.length);
  const widest = categories.reduce((most, text) => Math.max(most, width(text)), 0);
  const flat = widest + 10 <= slot;
  return {
    ticks: categories.map((text, at) => ({ at, text })),
    turned: flat ? 0 : TURN,
    every: flat ? 1 : Math.max(1, Math.ceil(LINE / slot)),
    room: flat ? FLAT : Math.min(130, Math.sin((TURN * Math.PI) / 180) * widest + 38),
    place: (at) => left + (at + 0.5) * slot,
  };
}

export function momentMarks({ reach, ticks, place }: XLabels, { bottom }: PlotPanel, { colours, faces }: Pen): readonly Mark[] {
  if (reach === undefined) return [];
  return ticks.flatMap(({ at, text }) => {
    const half = faces.regular.width(text, SIZES.text) / 2 + 6;
    return [
      stroke({ from: [place(at), bottom], to: [place(at), bottom + 7], stroke: colours.rule, width: 2 }),
      words({ text, x: Math.max(half, Math.min(WIDTH - half, place(at))), y: bottom + 15, fill: colours.soft, align: 'center' }),
    ];
  });
}

/** The steps between ticks, counted from the start of `unit`. */
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
  /** An IANA timezone, by default UTC. */
  readonly zone?: string | undefined;
}

/** Returns the finest ticks that fit; none for moments beyond Luxon's range. */
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
    // Steps of several days start on the first of each month, so a tick just before the next first is left out.
    const last = unit === 'month' && (step.days ?? 1) > 1 ? next.minus({ days: (step.days ?? 1) / 2 }) : next;
    for (let at = start; at < last && at.toMillis() <= to; at = at.plus(step)) if (at.toMillis() >= from) found.push(at);
  }
  return found;
}
