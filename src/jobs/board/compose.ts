/** This module composes a board: a chat's projects with their last values, and the next dates. It is pure. */
import { createHash } from 'node:crypto';
import type { KnownDate } from '../../alerts/checks/check-records.js';
import { HOUR, instant, type Instant } from '../../base/clock.js';
import { WHY, reply, type BlockDraft, type Line, type Reply, type Tone } from '../../chat/reply.js';
import type { WatchedProject } from '../../chat/watched-projects.js';
import { duration } from '../../domain/format.js';
import { DATE_WORDS } from '../../domain/reminder.js';
import { decimal } from '../../domain/scalars.js';
import { sparkline } from '../../domain/sparkline.js';

export interface BoardFacts {
  readonly projects: readonly WatchedProject[];
  /** Number of watched projects. */
  readonly total: number;
  /** Soonest first. */
  readonly dates: readonly Pick<KnownDate, 'what' | 'at' | 'title'>[];
  readonly now: Instant;
}

const MAX_BOARD_PROJECTS = 10;
const MAX_DATES = 8;
const OLD = 6 * HOUR;

export function composeBoard({ projects, total, dates, now }: BoardFacts, id: string): Reply {
  const shown = projects.toSorted((a, b) => placeOf(a) - placeOf(b)).slice(0, MAX_BOARD_PROJECTS);
  const ahead = dates.slice(0, MAX_DATES);
  const times = shown.flatMap(timesOf);
  const more = total - shown.length;
  return reply({
    tone: 'live',
    finding: [{ strong: `Board: ${total} ${total === 1 ? 'project' : 'projects'}` }],
    blocks: [
      { kind: 'list', items: shown.map((project) => rowOf(project, now)), more },
      ...(ahead.length === 0 ? [] : [heading('Ends next')]),
      { kind: 'list', items: ahead.map((date) => ({ tone: 'live' as const, line: dateLine(date) })), more: dates.length - ahead.length },
    ],
    ...(times.length === 0 ? {} : { asOf: instant(Math.min(...times)) }),
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Board…', line: '/board' },
      { label: WHY, line: `/why ${id}` },
    ],
  });
}

/** Returns the last edit of a board that was switched off. */
export const endedBoard = (): Reply =>
  reply({ tone: 'over', finding: [{ strong: 'Board off' }, ': it is no longer updated'], actions: [{ label: 'Board…', line: '/board' }] });

const heading = (text: string): BlockDraft => ({ kind: 'line', line: [{ strong: text }] });

/** Returns the sort order of a project: those with values first, and within these the chat's own entries before those of "all". */
const placeOf = (project: WatchedProject): number => (timesOf(project).length > 0 ? 0 : 2) + (project.isOwn === false ? 1 : 0);

const timesOf = ({ price, premium, nav }: WatchedProject): readonly Instant[] => [price, premium, nav].flatMap((one) => one?.at ?? []);

function rowOf(project: WatchedProject, now: Instant): { readonly tone: Tone; readonly line: Line; readonly detail: Line } {
  const { name, symbol, price, premium, nav } = project;
  const oldest = Math.min(...timesOf(project));
  const age = Number.isFinite(oldest) && now - oldest >= OLD ? ` · ⚠ ${duration(now - oldest)} old` : '';
  const known = [price?.text, premium && `${premium.text} to NAV`, nav && `NAV ${nav.text}`].filter((part) => part !== undefined);
  const course = sparkline(
    project.history.map(([at, value]) => ({ at: instant(at), value: decimal(String(value)) })),
    // The sparkline ends at the last value, not now, so that equal values give an equal board.
    { until: instant(project.history.at(-1)?.[0] ?? 0) },
  );
  return {
    tone: premium === undefined ? 'plain' : premium.isDiscount ? 'down' : 'up',
    line: [{ strong: symbol ?? name }, known.length === 0 ? ' n/a, not checked yet' : ` ${known.join(' · ')}${age}`],
    detail: course === undefined ? [] : [`${course} premium, 30D`],
  };
}

const dateLine = ({ what, at, title }: BoardFacts['dates'][number]): Line => [
  { strong: title },
  `: ${DATE_WORDS[what].toLowerCase().replace('twap', 'TWAP')} `,
  { at },
];

/** Returns a version that is equal for equal boards, whatever their age, so that a check without changes needs no edit. */
export const versionOf = ({ finding, blocks }: Reply): string =>
  createHash('sha256')
    .update(JSON.stringify([finding, blocks]))
    .digest('base64url')
    .slice(0, 12);
