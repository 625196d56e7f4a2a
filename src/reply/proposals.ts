/** Shows decision markets in a reply: titles, state and list items. */
import { cut } from '../base/one-line.js';
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import type { BlockDraft, Line, Tone } from '../chat/reply.js';
import { UNKNOWN, amount, clockTime, date, percent, price, usd } from '../domain/format.js';
import { marginOf, phaseOf, requirement, verdict } from '../domain/market-phase.js';
import { DAY } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';
import { counted, dotted } from './blocks.js';
import type { Order } from '../analytics/endpoints/proposals-market.js';
import { shortKey } from '../domain/wallet.js';

const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** Returns the proposals with this title, else those whose title contains every word of the text. */
export function matching<T extends { readonly title?: string | undefined }>(rows: readonly T[], text: string): readonly T[] {
  const wanted = folded(text);
  if (wanted === '') return [];
  const same = rows.filter(({ title }) => folded(title ?? '') === wanted);
  if (same.length > 0) return same;
  const words = wanted.split(/\s+/u);
  return rows.filter(({ title }) => {
    const own = folded(title ?? '');
    return words.every((word) => own.includes(word));
  });
}

const MAX_LABEL_LENGTH = 32;

export function shortened(title: string, mark?: string): string {
  const room = MAX_LABEL_LENGTH - (mark === undefined ? 0 : [...mark].length + 3);
  const short = cut(title, Math.max(2, room));
  return mark === undefined ? short : `${short} · ${mark}`;
}

export interface PassState {
  readonly tone: Tone;
  readonly text: string;
}

export function passState(row: ProposalRow): PassState {
  const phase = phaseOf(row);
  if (phase === undefined) return { tone: 'plain', text: 'state n/a' };
  if (typeof phase === 'object') return { tone: 'over', text: `state "${phase.word}"` };
  if (phase === 'removed') return { tone: 'over', text: 'removed' };
  if (phase === 'draft') {
    const stake = row.staked === undefined ? '' : `, ${amount(row.staked)} of ${amount(row.stakeNeeded)} staked`;
    return { tone: 'plain', text: `draft${stake}` };
  }
  const margin = marginOf(row);
  const needs =
    margin === undefined && row.threshold !== undefined ? `, ${phase === 'live' ? 'needs' : 'needed'} ${requirement(row.threshold)}` : '';
  return { tone: phase === 'live' ? 'live' : 'over', text: `${verdict(phase, margin)}${needs}` };
}

/** Returns "+2.1% (needs +1.5%)". */
export function edgeText({ passEdge, threshold }: Pick<ProposalRow, 'passEdge' | 'threshold'>): string | undefined {
  if (passEdge === undefined) return threshold === undefined ? undefined : `needs ${requirement(threshold)}`;
  return `${percent(passEdge)}${threshold === undefined ? '' : ` (needs ${percent(threshold)})`}`;
}

type Item = Extract<BlockDraft, { kind: 'list' }>['items'][number];

/** Returns "Hire a steward: passing by 1.4 pts · ends 14:05 UTC". */
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
  if (isOver(row) && endsAt <= now) return now - endsAt < DAY ? [['ended ', { at: endsAt }]] : [];
  return [window, [endsAt > now && !isOver(row) ? 'ends ' : 'was due to end ', { at: endsAt }]];
}

function tradingText(row: ProposalRow): string | undefined {
  const { traders, volume } = row;
  const quiet = phaseOf(row) === 'draft' || phaseOf(row) === 'removed';
  if ((traders === undefined && volume === undefined) || (quiet && (traders ?? 0) === 0)) return undefined;
  return [...(volume === undefined ? [] : [`${usd(volume)} volume`]), ...(traders === undefined ? [] : [counted(traders, 'trader')])].join(
    ', ',
  );
}

export const proposalTimes = (row: ProposalRow, now: Instant): Line => {
  const { endsAt, twapStartsAt } = row;
  return dotted(
    endsAt === undefined ? undefined : [endsAt <= now ? 'Ended ' : isOver(row) ? 'Was due to end ' : 'Ends ', { at: endsAt }],
    twapStartsAt === undefined || isOver(row) || (endsAt !== undefined && endsAt <= now)
      ? undefined
      : [twapStartsAt > now ? 'TWAP window opens ' : 'TWAP window opened ', { at: twapStartsAt }],
  );
};

interface TableDeps {
  readonly now: Instant;
  readonly zone: string | undefined;
  readonly titled: boolean;
}

export const orderTable = (rows: readonly Order[], { now, zone, titled }: TableDeps): BlockDraft => ({
  kind: 'table',
  columns: [
    { title: 'When' },
    { title: 'Trade' },
    { title: 'Price', align: 'right' },
    { title: 'Value', align: 'right' },
    { title: 'Trader' },
    ...(titled ? [{ title: 'Proposal' }] : []),
  ],
  rows: rows.map((row) => [
    row.at === undefined ? UNKNOWN : clockTime(row.at, now, zone),
    [row.direction, row.market].filter((word) => word !== undefined).join(' ') || UNKNOWN,
    price(row.price),
    usd(row.value),
    row.wallet === undefined ? UNKNOWN : row.wallet.length > 12 ? shortKey(row.wallet) : row.wallet,
    ...(titled ? [row.title ?? row.publicKey ?? UNKNOWN] : []),
  ]),
});
