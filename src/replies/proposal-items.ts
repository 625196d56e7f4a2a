/** A decision market as a list item. Pure. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import type { BlockDraft, Line, Tone } from '../chat/reply.js';
import { absolute, isNegative } from '../domain/decimal.js';
import { amount, percent, pointsText, usd } from '../domain/format.js';
import { phaseOf, type MarketPhase } from '../domain/market-phase.js';
import type { Instant } from '../domain/scalars.js';
import { counted, dotted } from './blocks.js';

type Item = Extract<BlockDraft, { kind: 'list' }>['items'][number];

export function proposalItem(row: ProposalRow, { now, named }: { readonly now: Instant; readonly named: boolean }): Item {
  const phase = phaseOf(row);
  const whose = named ? (row.projectName ?? row.symbol ?? row.slug) : undefined;
  return {
    tone: toneOf(phase),
    line: [{ strong: row.title ?? row.publicKey ?? `number ${row.id ?? 'n/a'}` }, whose === undefined ? '' : ` (${whose})`],
    detail: dotted(wordOf(phase), ending(row, phase, now), edge(row, phase), stake(row, phase), trading(row)),
  };
}

const toneOf = (phase: MarketPhase | undefined): Tone =>
  phase === 'live' ? 'live' : phase === 'draft' || phase === undefined ? 'plain' : 'over';

function wordOf(phase: MarketPhase | undefined): Line | string {
  if (phase === undefined) return 'state n/a';
  if (typeof phase === 'object') return `"${phase.word}"`;
  return phase === 'passed' || phase === 'failed' ? [{ strong: phase }] : phase;
}

function ending({ startsAt, endsAt, twapStartsAt }: ProposalRow, phase: MarketPhase | undefined, now: Instant): Line | undefined {
  if (phase !== 'live') return endsAt === undefined ? undefined : [endsAt <= now ? 'ended ' : 'ends ', { at: endsAt }];
  const window: Line =
    twapStartsAt === undefined ? [] : [twapStartsAt <= now ? 'TWAP window opened ' : 'TWAP window opens ', { at: twapStartsAt }];
  const end: Line = endsAt === undefined ? [] : [endsAt <= now ? 'was to end ' : 'ends ', { at: endsAt }];
  if (window.length === 0 && end.length === 0) return startsAt === undefined ? undefined : ['since ', { at: startsAt }];
  return window.length > 0 && end.length > 0 ? [...window, ' · ', ...end] : [...window, ...end];
}

/** The threshold is negative for team-sponsored proposals. */
function edge({ passEdge, threshold, margin }: ProposalRow, phase: MarketPhase | undefined): string | undefined {
  if (passEdge !== undefined) {
    const needed = threshold === undefined ? '' : ` against ${percent(threshold)} needed`;
    return `${phase === 'live' ? 'pass edge' : 'final edge'} ${percent(passEdge)}${needed}`;
  }
  if (margin !== undefined) return `${pointsText(absolute(margin))} ${isNegative(margin) ? 'below' : 'above'} its threshold`;
  return threshold === undefined ? undefined : `needs ${percent(threshold)}`;
}

const stake = ({ staked, stakeNeeded }: ProposalRow, phase: MarketPhase | undefined): string | undefined =>
  phase !== 'draft' || staked === undefined ? undefined : `stake ${amount(staked)} of ${amount(stakeNeeded)}`;

const trading = ({ traders, volume }: ProposalRow): string | undefined =>
  traders === undefined && volume === undefined
    ? undefined
    : [...(traders === undefined ? [] : [counted(traders, 'trader')]), ...(volume === undefined ? [] : [usd(volume)])].join(', ');
