/** How movements are told: which way money went, between whom, and how much. */
import type { LabeledMovement, Movement, Party } from '../../analytics/endpoints/movements.js';
import type { Line, Tone } from '../../chat/reply.js';
import { amount, exact, UNKNOWN, usd, usdExact } from '../../domain/format.js';
import { dotted } from '../parts.js';
import { addressText } from '../accounts/cells.js';

/** An account is called by its name, else by its address. */
export const partyName = (party: Party | undefined): string =>
  party?.name ?? (party?.address === undefined ? (party?.id ?? UNKNOWN) : addressText(party.address));

/** Words seen for the ways money can go; any other word has no glyph. */
const TONES: Readonly<Record<string, Tone>> = {
  inflow: 'up',
  in: 'up',
  incoming: 'up',
  deposit: 'up',
  outflow: 'down',
  out: 'down',
  outgoing: 'down',
  withdrawal: 'down',
};

const toneOf = ({ kind }: Pick<Movement, 'kind'>): Tone => TONES[kind?.toLowerCase() ?? ''] ?? 'plain';

const howMuch = ({ amount: tokens, symbol, value }: Pick<Movement, 'amount' | 'symbol' | 'value'>): string =>
  [
    tokens === undefined ? '' : `${amount(tokens)} ${symbol ?? ''}`.trim(),
    `${tokens === undefined ? '' : '('}${usd(value)}${tokens === undefined ? '' : ')'}`,
  ]
    .filter((word) => word !== '')
    .join(' ');

/** "18,400 USDC ($18,400)", every digit of it. */
export const exactly = ({ amount: tokens, symbol, value }: Pick<Movement, 'amount' | 'symbol' | 'value'>): string =>
  `${exact(tokens)} ${symbol ?? ''}`.trim() + (value === undefined ? '' : ` (${usdExact(value)})`);

const route = (one: LabeledMovement): string => `${partyName(one.from)} → ${partyName(one.to)}`;

/** The class of a movement: "Expenses / Payroll", or that it has none yet. */
export const classOf = ({ category, subcategory, status }: Pick<Movement, 'category' | 'subcategory' | 'status'>): string =>
  [category, subcategory].some((name) => name !== undefined)
    ? [category, subcategory].flatMap((name) => name ?? []).join(' / ')
    : (status ?? 'not classified');

export const movementItem = (one: Movement) => ({
  tone: toneOf(one),
  line: [{ strong: howMuch(one) }, ` ${route(one)}`],
  detail: dotted(
    when(one),
    `MOV-${one.id}`,
    classOf(one),
    one.counterparty === undefined ? undefined : `with ${partyName(one.counterparty)}`,
    one.entityType,
  ),
});

export const labeledItem = (one: LabeledMovement) => ({
  tone: toneOf(one),
  line: [{ strong: howMuch(one) }, ` ${route(one)}`],
  detail: when(one),
});

const when = ({ at }: Pick<Movement, 'at'>): Line => (at === undefined ? ['time n/a'] : [{ at }]);
