/** Decision market as a list item. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { DAY } from '../base/clock.js';
import type { BlockDraft, Line } from '../chat/reply.js';
import { date, usd } from '../domain/format.js';
import { phaseOf } from '../domain/market-phase.js';
import type { Instant } from '../domain/scalars.js';
import { counted, dotted } from './blocks.js';
import { passState } from './pass-state.js';

type Item = Extract<BlockDraft, { kind: 'list' }>['items'][number];

/** "Hire a steward: passing by 1.4 pts · ends 14:05 UTC". */
export function proposalItem(row: ProposalRow, { now, named }: { readonly now: Instant; readonly named: boolean }): Item {
  const whose = named ? (row.projectName ?? row.symbol ?? row.slug) : undefined;
  const { tone, text } = passState(row);
  const title = row.title ?? row.publicKey ?? `Proposal ${row.id ?? 'n/a'}`;
  const state: Line = [{ strong: title }, `${whose === undefined ? '' : ` (${whose})`}: ${text}${endedOn(row, now)}`];
  return { tone, line: dotted(state, ...timing(row, now), tradingText(row)) };
}

const isOver = (row: ProposalRow): boolean => ['passed', 'failed', 'removed'].some((phase) => phase === phaseOf(row));

const endedOn = (row: ProposalRow, now: Instant): string =>
  row.endsAt === undefined || !isOver(row) || now - row.endsAt < DAY ? '' : `, ${date(row.endsAt, now)}`;

function timing(row: ProposalRow, now: Instant): readonly (Line | undefined)[] {
  const { startsAt, endsAt, twapStartsAt } = row;
  const window: Line | undefined =
    phaseOf(row) === 'live' && twapStartsAt !== undefined && twapStartsAt > now ? ['TWAP window opens ', { at: twapStartsAt }] : undefined;
  if (endsAt === undefined)
    return [window, phaseOf(row) === 'live' && startsAt !== undefined ? ['live since ', { at: startsAt }] : undefined];
  if (isOver(row)) return now - endsAt < DAY ? [['ended ', { at: endsAt }]] : [];
  return [window, [endsAt > now ? 'ends ' : 'was due to end ', { at: endsAt }]];
}

function tradingText(row: ProposalRow): string | undefined {
  const { traders, volume } = row;
  const quiet = phaseOf(row) === 'draft' || phaseOf(row) === 'removed';
  if ((traders === undefined && volume === undefined) || (quiet && (traders ?? 0) === 0)) return undefined;
  return [...(volume === undefined ? [] : [`${usd(volume)} volume`]), ...(traders === undefined ? [] : [counted(traders, 'trader')])].join(
    ', ',
  );
}

export const proposalTimes = ({ endsAt, twapStartsAt }: ProposalRow, now: Instant): Line =>
  dotted(
    endsAt === undefined ? undefined : [endsAt > now ? 'Ends ' : 'Ended ', { at: endsAt }],
    twapStartsAt === undefined || (endsAt !== undefined && endsAt <= now)
      ? undefined
      : [twapStartsAt > now ? 'TWAP window opens ' : 'TWAP window open since ', { at: twapStartsAt }],
  );
