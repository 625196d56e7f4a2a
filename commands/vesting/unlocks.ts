/** Shows past and projected unlocks. */
import { unlockSchedule, type UnlockPoint } from '../../src/analytics/endpoints/holders.js';
import type { BlockDraft, Line } from '../../src/chat/reply.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { compare, isZero, subtract } from '../../src/domain/decimal.js';
import { amount, date, price } from '../../src/domain/format.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';
import { ages, brokenRows, line, right, tableOf, type ProjectView } from '../../src/reply/index.js';
import { twapNow } from '../../src/analytics/tranche-ladder.js';

interface Known extends UnlockPoint {
  readonly unlocked: Decimal;
}

const MAX_PERIODS = 13;

export const unlocks: ProjectView = async ({ analytics, project, now, signal }) => {
  const answer = await analytics.call(unlockSchedule, { slug: project.slug }, { signal });
  const points = answer.data.rows.toSorted((a, b) => a.at - b.at);
  const known = points.flatMap((point): Known[] => (point.unlocked === undefined ? [] : [{ ...point, unlocked: point.unlocked }]));
  const symbol = project.symbol ?? project.name;
  const today = known.findLast(({ at }) => at <= now);
  const last = known.at(-1);
  const steps = stepsOf(known);
  const finding = findingOf({ symbol, today, last, now });
  return {
    finding,
    blocks: [
      table(steps, now),
      ...(steps.length === 0 && known.length > 0 ? [line('No past or projected unlocks.')] : []),
      ...(last !== undefined && last.at > now ? [line('Future unlocks are projected from the current price trend.')] : []),
      ...latestTwap(points, now),
      ...brokenRows(answer.data.broken),
    ],
    chart: known.length < 2 ? undefined : chartOf(points, { symbol, title: titleOf(finding), now }),
    ...ages(answer),
  };
};

function stepsOf(points: readonly Known[]): readonly (Known & { readonly added: Decimal })[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const added = before === undefined ? point.unlocked : subtract(point.unlocked, before.unlocked);
    return isZero(added) ? [] : [{ ...point, added }];
  });
}

function findingOf({
  symbol,
  today,
  last,
  now,
}: {
  readonly symbol: string;
  readonly today: Known | undefined;
  readonly last: Known | undefined;
  readonly now: Instant;
}): Line {
  if (last === undefined) return [{ strong: `${symbol}: no unlock schedule published` }];
  const ahead = last.at > now && (today === undefined || compare(last.unlocked, today.unlocked) > 0);
  return [
    {
      strong: today !== undefined && isZero(today.unlocked) ? `No ${symbol} unlocked yet` : `${amount(today?.unlocked)} ${symbol} unlocked`,
    },
    ahead
      ? `, ${amount(last.unlocked)} projected by ${date(last.at, now)}`
      : last.at > now
        ? `, no more projected by ${date(last.at, now)}`
        : '',
  ];
}

const titleOf = (finding: Line): string =>
  finding.map((span) => (typeof span === 'string' ? span : 'strong' in span ? span.strong : '')).join('');

const table = (steps: readonly (Known & { readonly added: Decimal })[], now: Instant): BlockDraft =>
  tableOf(
    ['When', right('Unlocked'), right('Total'), right('TWAP')],
    steps
      .slice(0, MAX_PERIODS)
      .map((one) => [
        `${date(one.at, now)}${one.at > now ? ' (projected)' : ''}`,
        amount(one.added),
        amount(one.unlocked),
        one.twap === undefined ? '' : price(one.twap),
      ]),
    Math.max(0, steps.length - MAX_PERIODS),
  );

function latestTwap(points: readonly UnlockPoint[], now: Instant): readonly BlockDraft[] {
  const latest = twapNow(points, now);
  return latest === undefined ? [] : [line(`TWAP ${price(latest.twap)}, as of `, { at: latest.at })];
}

function chartOf(
  points: readonly UnlockPoint[],
  { symbol, title, now }: { readonly symbol: string; readonly title: string; readonly now: Instant },
): ChartDraft {
  const end = points.at(-1)?.at ?? now;
  const course = (of: (point: UnlockPoint) => Decimal | undefined): [number, number | null][] =>
    points.map((point) => {
      const value = of(point);
      return [point.at, value === undefined ? null : Number(value)];
    });
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'unlocked', draw: 'step', unit: 'tokens', points: course(({ unlocked }) => unlocked) },
      ...(points.some(({ twap }) => twap !== undefined)
        ? [
            {
              name: 'TWAP',
              draw: 'line' as const,
              unit: 'usd' as const,
              axis: 'below' as const,
              tone: 'second' as const,
              points: course(({ twap }) => twap),
            },
          ]
        : []),
    ],
    axisNames: { left: symbol, below: 'TWAP' },
    spans: end > now ? [{ name: 'projected', from: now, to: end }] : [],
  };
}
