/** Chart of a coin's flow. */
import type { ChartDraft } from '../../chat/chart.js';
import { absolute, isZero, negate } from '../../domain/decimal.js';
import type { Decimal, Instant } from '../../domain/scalars.js';
import { numberOf, type ChartPoint } from './points.js';

export interface FlowPeriod {
  readonly at: Instant;
  readonly acquired?: Decimal | undefined;
  readonly reduced?: Decimal | undefined;
  readonly position?: { readonly opening?: Decimal | undefined; readonly closing?: Decimal | undefined } | undefined;
}

export interface FlowWords {
  readonly title: string;
  readonly coin: string;
}

/** Oldest first. Undefined when nothing moved. */
export function tokenFlowChart(periods: readonly FlowPeriod[], { title, coin }: FlowWords): ChartDraft | undefined {
  if (periods.length < 2 || periods.every(({ position }) => position === undefined)) return undefined;
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'held', draw: 'step', unit: 'tokens', points: [...held(periods)] },
      ...bars(
        'in',
        'up',
        moved(periods, ({ acquired }) => acquired && absolute(acquired)),
      ),
      ...bars(
        'out',
        'down',
        moved(periods, ({ reduced }) => reduced && negate(absolute(reduced))),
      ),
    ],
    axisNames: { left: `${coin} held`, below: `${coin} in and out` },
  };
}

function held(periods: readonly FlowPeriod[]): readonly ChartPoint[] {
  let standing = periods.find(({ position }) => position !== undefined)?.position?.opening;
  return periods.map(({ at, position }) => {
    if (position !== undefined) standing = position.closing;
    return [at, numberOf(standing)];
  });
}

const moved = (periods: readonly FlowPeriod[], amount: (period: FlowPeriod) => Decimal | undefined): readonly ChartPoint[] =>
  periods.flatMap((period): ChartPoint[] => {
    const value = amount(period);
    return value === undefined || isZero(value) ? [] : [[period.at, numberOf(value)]];
  });

const bars = (name: string, tone: 'up' | 'down', points: readonly ChartPoint[]) =>
  points.length === 0
    ? []
    : [{ name, draw: 'bar' as const, unit: 'tokens' as const, axis: 'below' as const, tone, stack: 'flow', points: [...points] }];
