/** Reads treasury movements (§4.10) by field name, and words their parties and direction. A movement without an id is unreadable. */
import { z } from 'zod';
import { HOUR, MINUTE } from '../../base/clock.js';
import { csv } from '../csv.js';
import { decimal, ident, maybe, moment, movementId, some, words } from '../wire-values.js';
import { readObject, type Reader } from '../field-reader.js';
import { bySlug, get, list, paging } from '../endpoint-row.js';
import { UNKNOWN } from '../../domain/format.js';
import { looksLikeKey, shortKey } from '../../domain/wallet.js';

const party = z.union([
  words.transform((name) => ({ id: undefined, name, address: undefined, type: undefined })),
  z
    .looseObject({ id: maybe(ident), name: maybe(words), label: maybe(words), address: maybe(words), type: maybe(words) })
    .transform(({ id, name, label, address, type }) => ({ id, name: name ?? label, address, type })),
]);
export type Party = z.output<typeof party>;

const label = z.union([words, z.looseObject({ name: words }).transform((one) => one.name)]);
const tokenWord = z.union([words, z.looseObject({ symbol: words }).transform((one) => one.symbol)]);

const facts = (from: Reader) => ({
  at: from.get('movementAt', moment),
  /** The service's word for into, out of, or within the treasury. */
  kind: from.get('movementKind', words),
  from: from.get('movedFrom', party),
  to: from.get('movedTo', party),
  symbol: from.get('symbol', words) ?? from.get('token', tokenWord),
  amount: from.get('amount', decimal),
  /** The value is in USD. */
  value: from.get('value', decimal),
  transaction: from.get('transaction', words),
});

const movement = z.looseObject({ id: maybe(movementId), movementId: maybe(movementId) }).transform((root, context) => {
  const id = root.movementId ?? root.id;
  if (id !== undefined) return { id, ...details.parse(root) };
  context.addIssue('a movement without a number');
  return z.NEVER;
});

const details = readObject((from) => ({
  ...facts(from),
  /** The service's word for how far the movement is classified. */
  status: from.get('movementStatus', words),
  category: from.get('category', label),
  subcategory: from.get('subcategory', label),
  counterparty: from.get('counterparty', party),
  entityType: from.get('entityType', words),
  note: from.get('movementNote', words),
}));
export type Movement = z.output<typeof movement>;

export const movements = list({
  id: 'movements.list',
  path: '/v1/movement',
  spec: '§4.10',
  /** `entityType` takes the values of the entity filter. */
  input: bySlug.extend({ ...paging, entityType: z.string().min(1).optional() }),
  freshFor: 5 * MINUTE,
  row: movement,
});

/** Answers 403 if the plan has no exports. */
export const movementsFile = csv({
  id: 'movements.csv',
  path: '/v1/movement/export/csv',
  spec: '§4.10',
  input: bySlug,
  freshFor: 5 * MINUTE,
});

export const movementDetail = get({
  id: 'movements.detail',
  path: '/v1/movement/{id}',
  spec: '§4.10',
  input: z.object({ id: movementId }),
  freshFor: 5 * MINUTE,
  dated: 'record',
  data: z.union([movement, z.looseObject({ movement }).transform((data) => data.movement)]),
});

export const movementEntities = list({
  id: 'movements.entities',
  path: '/v1/movement/filters/entity',
  spec: '§4.10',
  input: bySlug,
  freshFor: HOUR,
  row: words,
});

export const movementTokens = list({
  id: 'movements.tokens',
  path: '/v1/movement/filters/token',
  spec: '§4.10',
  input: bySlug,
  freshFor: HOUR,
  row: z.union([
    words.transform((symbol) => ({ symbol, address: undefined })),
    readObject((from) => ({ symbol: from.get('symbol', words) ?? from.get('name', words), address: from.get('address', words) })),
  ]),
});

const labels = some(label);
export const movementCategories = list({
  id: 'movements.categories',
  path: '/v1/category',
  spec: '§4.10',
  input: bySlug,
  freshFor: HOUR,
  row: z.union([
    words.transform((name) => ({ name, subcategories: [] as readonly string[] })),
    readObject((from) => ({ name: from.get('name', words), subcategories: from.get('subcategories', labels) ?? [] })),
  ]),
});

export const daoMovements = list({
  id: 'movements.dao',
  path: '/v1/dao/movements',
  spec: '§4.10',
  input: bySlug.extend(paging),
  freshFor: 5 * MINUTE,
  row: readObject(facts),
});
export type LabeledMovement = z.output<(typeof daoMovements)['data']>['rows'][number];

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

/** Returns "Expenses / Payroll" or "not classified". */
export const classOf = ({ category, subcategory, status }: Pick<Movement, 'category' | 'subcategory' | 'status'>): string =>
  [category, subcategory].some((name) => name !== undefined)
    ? [category, subcategory].flatMap((name) => name ?? []).join(' / ')
    : (status ?? 'not classified');
