/** Wording of movements (§4.10): parties, direction and classification. Pure. */
import { UNKNOWN } from '../domain/format.js';
import { looksLikeKey, shortKey } from '../domain/wallet.js';
import type { Movement, Party } from './endpoints/movements.js';

export function labelledParties<M extends { readonly from?: Party | undefined; readonly to?: Party | undefined }>(
  one: M,
  labels: ReadonlyMap<string, string>,
): M {
  const named = (party: Party | undefined): Party | undefined => {
    const label = party?.name === undefined ? labels.get(party?.address ?? '') : undefined;
    return party === undefined || label === undefined ? party : { ...party, name: label };
  };
  return labels.size === 0 ? one : { ...one, from: named(one.from), to: named(one.to) };
}

export function partyName(party: Party | undefined): string {
  if (party?.address === undefined) return party?.name ?? party?.id ?? UNKNOWN;
  return party.name ?? (looksLikeKey(party.address) ? shortKey(party.address) : party.address);
}

export type Direction = 'in' | 'out' | 'within';

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

export const directionOf = ({ kind }: { readonly kind?: string | undefined }): Direction | undefined =>
  DIRECTIONS[kind?.toLowerCase() ?? ''];

/** "Expenses / Payroll", or "not classified". */
export const classOf = ({ category, subcategory, status }: Pick<Movement, 'category' | 'subcategory' | 'status'>): string =>
  [category, subcategory].some((name) => name !== undefined)
    ? [category, subcategory].flatMap((name) => name ?? []).join(' / ')
    : (status ?? 'not classified');
