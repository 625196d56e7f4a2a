/** Launches as list items. Amounts in USD. Pure. */
import { oversubscription } from '../../src/replies/oversubscription.js';
import type { CompletedLaunch, EndedLaunch, RecentLaunch } from '../../src/analytics/endpoints/launches.js';
import { later, type Instant } from '../../src/base/clock.js';
import type { BlockDraft, Line, Tone } from '../../src/chat/reply.js';
import { divide, multiply } from '../../src/domain/decimal.js';
import { price, share, times, usd } from '../../src/domain/format.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { counted, dotted } from '../../src/replies/blocks.js';

export type LaunchItem = Extract<BlockDraft, { kind: 'list' }>['items'][number];

export const isLive = (state: string | undefined): boolean => state?.toLowerCase() === 'live';

/** As the service gives it; an extension moves it. */
export const endsAt = ({ startedAt, runsFor }: Pick<RecentLaunch, 'startedAt' | 'runsFor'>): Instant | undefined =>
  startedAt === undefined || runsFor === undefined ? undefined : later(startedAt, runsFor);

const nameOf = ({ title, symbol, address }: Pick<RecentLaunch, 'title' | 'symbol' | 'address'>): Line => [
  { strong: `${title ?? symbol ?? address}${symbol === undefined || title === undefined ? '' : ` (${symbol})`}` },
];

const ratio = (part: Decimal | undefined, whole: Decimal | undefined): Decimal | undefined =>
  part === undefined || whole === undefined ? undefined : divide(part, whole);

const percentOf = (part: Decimal | undefined, whole: Decimal | undefined): string => {
  const found = ratio(part, whole);
  return found === undefined ? '' : ` (${share(multiply(found, decimal('100')))})`;
};

function accepted({ accepted: taken, committed }: Pick<RecentLaunch, 'accepted' | 'committed'>): string | undefined {
  if (taken === undefined) return committed === undefined ? undefined : `${usd(committed)} committed`;
  const over = oversubscription({ committed, accepted: taken });
  const oversubscribed = over === undefined ? '' : `, ${times(over)} oversubscribed`;
  return `accepted ${usd(taken)} of ${usd(committed)} committed${oversubscribed}`;
}

export function recentItem(row: RecentLaunch, now: Instant): LaunchItem {
  const live = isLive(row.state);
  const ends = endsAt(row);
  const raise = live
    ? `${usd(row.committed)} of ${usd(row.minimum)} minimum${percentOf(row.committed, row.minimum)}`
    : (accepted(row) ?? `minimum ${usd(row.minimum)}`);
  const end: Line | undefined = live && ends !== undefined ? [ends > now ? 'ends ' : 'was to end ', { at: ends }] : undefined;
  const who = row.permissionless === undefined ? undefined : row.permissionless ? 'open to any wallet' : 'allow-listed';
  const since = row.icoReturn === undefined ? undefined : `${times(row.icoReturn)} since ICO`;
  const tone: Tone = live ? 'live' : row.state?.toLowerCase() === 'initialized' ? 'plain' : 'over';
  return {
    tone,
    line: [...nameOf(row), ` ${raise}`],
    detail: dotted(
      live ? undefined : stateOf(row.state),
      end,
      live ? who : undefined,
      row.price === undefined ? undefined : `price ${price(row.price)}`,
      since,
    ),
  };
}

const stateOf = (state: string | undefined): string => state?.toLowerCase() ?? 'state n/a';

export const completedItem = (row: CompletedLaunch): LaunchItem => ({
  tone: 'over',
  line: [...nameOf(row), ` ${accepted(row) ?? 'accepted n/a'}`],
  detail: dotted(
    stateOf(row.state),
    row.price === undefined ? undefined : `price ${price(row.price)}`,
    row.holders === undefined ? undefined : counted(row.holders, 'holder'),
  ),
});

export function endedItem(row: EndedLaunch): LaunchItem {
  const raised = row.raised ?? row.accepted;
  const goal = row.target === undefined ? '' : ` of a target of ${usd(row.target)}`;
  return {
    tone: 'over',
    line: [...nameOf(row), ` ${row.reason ?? 'ended'}`, ...(row.endedAt === undefined ? [] : [' ', { at: row.endedAt }])],
    detail: dotted(
      `raised ${usd(raised)}${goal}`,
      row.icoPrice === undefined ? undefined : `ICO price ${price(row.icoPrice)}`,
      row.investors === undefined ? undefined : counted(row.investors, 'investor'),
    ),
  };
}
