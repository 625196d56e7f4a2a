/** Serves movements, their export, filters and categories (§4.10) in two plausible layouts. */
import { jsonNumber } from '../world/amounts.js';
import { CATEGORIES } from '../world/counterparties.js';
import { hasOpCo } from '../world/accounts.js';
import type { SimMovement, SimParty } from '../world/movements.js';
import { ServiceRefusal } from '../error-response.js';
import { file, FULL_META, iso, many, one, projectOf, unix, type RouteRequest } from '../route.js';

const listed = (ask: RouteRequest): readonly SimMovement[] => {
  const { entityType } = ask.input;
  return ask.world.movements.list(projectOf(ask), ask.at).filter((one) => entityType === undefined || one.entityType === entityType);
};

const dollarAddress = ({ world }: RouteRequest): string => world.scene.keys.address('mint', 'usd-coin');

const row = (one: SimMovement, ask: RouteRequest) => ({
  id: one.id,
  displayId: `MOV-${one.id}`,
  timestamp: iso(one.at),
  status: one.classified ? 'classified' : 'unclassified',
  direction: one.direction,
  category: one.category?.[0] ?? null,
  subcategory: one.category?.[1] ?? null,
  counterpartyId: one.counterparty?.id ?? null,
  counterpartyName: one.counterparty?.name ?? null,
  counterpartyType: one.counterparty?.type ?? null,
  fromName: one.from.name,
  fromAddress: one.from.address,
  toName: one.to.name,
  toAddress: one.to.address,
  tokenSymbol: one.symbol,
  tokenAddress: dollarAddress(ask),
  amount: one.amount,
  usdValue: one.amount,
  entityType: one.entityType,
  notes: one.note,
  signature: one.signature,
});

export const movements = many({ meta: FULL_META, items: listed, show: row });

export const movementsFile = file((ask) => listed(ask).map((one) => row(one, ask)));

export const movementDetail = one((ask) => {
  const text = ask.input['id'] ?? '';
  if (!/^\d{1,18}$/u.test(text)) throw new ServiceRefusal(400, 'id must be a number; MOV- is no part of it');
  const found = ask.world.movements.byId(Number(text), ask.at);
  if (!found) throw new ServiceRefusal(404, `no movement has the number ${text}`);
  const other = found.counterparty;
  return {
    ...row(found, ask),
    counterparty: other ? { id: other.id, name: other.name, type: other.type, addresses: other.addresses } : null,
  };
});

export const movementEntities = many({ items: (ask) => (hasOpCo(projectOf(ask)) ? ['DAO', 'OpCo'] : ['DAO']), show: (word) => word });

export const movementTokens = many({
  items: (ask) => [...new Set(ask.world.movements.list(projectOf(ask), ask.at).map(({ symbol }) => symbol))],
  show: (symbol, ask) => ({ symbol, name: 'USD Coin', address: dollarAddress(ask), decimals: 6 }),
});

export const movementCategories = many({
  items: (ask) => {
    projectOf(ask);
    return CATEGORIES;
  },
  show: ({ name, subcategories }) => ({ name, subcategories: subcategories.map((one) => ({ name: one })) }),
});

const labeled = ({ name, address }: SimParty) => ({ label: name, address });

export const daoMovements = many({
  meta: ['totalItems', 'currentPage'],
  items: (ask) => ask.world.movements.list(projectOf(ask), ask.at),
  show: (one, ask) => ({
    timestamp: unix(one.at),
    source: labeled(one.from),
    destination: labeled(one.to),
    token: { symbol: one.symbol, address: dollarAddress(ask) },
    amount: jsonNumber(one.amount),
    value: jsonNumber(one.amount),
    txHash: one.signature,
  }),
});
