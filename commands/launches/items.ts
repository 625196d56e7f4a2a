/** Launches as list items. Amounts in USD. */
import { oversubscription, counted, dotted } from '../../src/reply/index.js';
import type { CompletedLaunch, EndedLaunch, RecentLaunch } from '../../src/analytics/endpoints/launches.js';
import { later, type Instant } from '../../src/base/clock.js';
import type { BlockDraft, Line, Tone } from '../../src/chat/reply.js';
import { divide, multiply } from '../../src/domain/decimal.js';
import { price, portionOf, times, usd } from '../../src/domain/format.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';

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

/** "128% of minimum". */
function fill({ committed, minimum }: Pick<RecentLaunch, 'committed' | 'minimum'>): string {
  const found = ratio(committed, minimum);
  return found === undefined ? `${usd(committed)} committed` : portionOf(multiply(found, decimal('100')), 'minimum');
}

function accepted({ accepted: taken, committed }: Pick<RecentLaunch, 'accepted' | 'committed'>): string | undefined {
  if (taken === undefined) return committed === undefined ? undefined : `${usd(committed)} committed`;
  const over = oversubscription({ committed, accepted: taken });
  const oversubscribed = over === undefined ? '' : `, ${times(over)} oversubscribed`;
  return `raised ${usd(taken)} of ${usd(committed)} committed${oversubscribed}`;
}

export function recentItem(row: RecentLaunch, now: Instant): LaunchItem {
  const live = isLive(row.state);
  const ends = endsAt(row);
  const end: Line | undefined = ends === undefined ? undefined : [ends > now ? 'ends ' : 'was due to end ', { at: ends }];
  const raise = live
    ? dotted(fill(row), end, row.minimum === undefined ? undefined : `${usd(row.committed)} of ${usd(row.minimum)} minimum`)
    : [accepted(row) ?? `minimum ${usd(row.minimum)}`];
  const who = row.permissionless === undefined ? undefined : row.permissionless ? 'open to everyone' : 'allowlist only';
  const since = row.icoReturn === undefined ? undefined : `${times(row.icoReturn)} since ICO`;
  const tone: Tone = live ? 'live' : row.state?.toLowerCase() === 'initialized' ? 'plain' : 'over';
  return {
    tone,
    line: [...nameOf(row), ': ', ...raise],
    detail: dotted(
      live ? undefined : stateOf(row.state),
      live ? who : undefined,
      row.price === undefined ? undefined : `price ${price(row.price)}`,
      since,
    ),
  };
}

const stateOf = (state: string | undefined): string => state?.toLowerCase() ?? 'state n/a';

export const completedItem = (row: CompletedLaunch): LaunchItem => ({
  tone: 'over',
  line: [...nameOf(row), `: ${accepted(row) ?? 'raised n/a'}`],
  detail: dotted(
    stateOf(row.state),
    row.price === undefined ? undefined : `price ${price(row.price)}`,
    row.holders === undefined ? undefined : counted(row.holders, 'holder'),
  ),
});

export function endedItem(row: EndedLaunch): LaunchItem {
  const raised = row.raised ?? row.accepted;
  const goal = row.target === undefined ? '' : ` of ${usd(row.target)} target`;
  return {
    tone: 'over',
    line: [...nameOf(row), `: ${row.reason ?? 'ended'}`, ...(row.endedAt === undefined ? [] : [' ', { at: row.endedAt }])],
    detail: dotted(
      `raised ${usd(raised)}${goal}`,
      row.icoPrice === undefined ? undefined : `ICO price ${price(row.icoPrice)}`,
      row.investors === undefined ? undefined : counted(row.investors, 'investor'),
    ),
  };
}
