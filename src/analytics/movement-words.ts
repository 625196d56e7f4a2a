/** What the words of a movement mean (§4.10): who took part, which way the money went, and how the books class it. Pure. */
import { UNKNOWN } from '../domain/format.js';
import { looksLikeKey, shortKey } from '../domain/wallet.js';
import type { Movement, Party } from './endpoints/movements.js';

/** A party is called by its name, else by its address, else by its number. */
export function partyName(party: Party | undefined): string {
  if (party?.address === undefined) return party?.name ?? party?.id ?? UNKNOWN;
  return party.name ?? (looksLikeKey(party.address) ? shortKey(party.address) : party.address);
}

export type Direction = 'in' | 'out' | 'within';

/** Words seen for the ways money can go. */
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  inflow: 'in',
  in: 'in',
  incoming: 'in',
  deposit: 'in',
  outflow: 'out',
  out: 'out',
  outgoing: 'out',
  withdrawal: 'out',
  internal: 'within',
};

/** Undefined for a word that we do not know. */
export const directionOf = ({ kind }: { readonly kind?: string | undefined }): Direction | undefined =>
  DIRECTIONS[kind?.toLowerCase() ?? ''];

/** The class of a movement: "Expenses / Payroll", or that it has none yet. */
export const classOf = ({ category, subcategory, status }: Pick<Movement, 'category' | 'subcategory' | 'status'>): string =>
  [category, subcategory].some((name) => name !== undefined)
    ? [category, subcategory].flatMap((name) => name ?? []).join(' / ')
    : (status ?? 'not classified');
