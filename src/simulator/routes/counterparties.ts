/** Serves counterparties (§4.4, fields in §2.10). Without `slug` the list covers all projects (§7). */
import { ServiceRefusal } from '../error-response.js';
import { many, one, projectOf, type RouteRequest } from '../route.js';
import type { SimCounterparty } from '../world/counterparties.js';

const all = (ask: RouteRequest): readonly SimCounterparty[] =>
  (ask.input['slug'] === undefined ? ask.world.projects : [projectOf(ask)]).flatMap((who) => ask.world.counterparties.all(who));

export const counterparties = many({
  meta: ['totalItems', 'totalPages', 'currentPage'],
  items: (ask) => {
    const { q, entityType } = ask.input;
    const sought = q?.toLowerCase();
    return all(ask)
      .filter((one) => entityType === undefined || one.entityType === entityType)
      .filter((one) => sought === undefined || [one.name, one.type].some((text) => text.toLowerCase().includes(sought)));
  },
  show: ({ id, who, name, type, notes, entityType, contractLink, addresses }) => ({
    id,
    name,
    project: who.slug,
    type,
    notes,
    entityType,
    contractLink,
    counterpartyAddresses: addresses,
  }),
});

export const counterpartyDetail = one((ask) => {
  const text = ask.input['id'] ?? '';
  if (!/^\d{1,18}$/u.test(text)) throw new ServiceRefusal(400, 'id must be a number');
  const found = ask.world.projects.flatMap((who) => ask.world.counterparties.all(who)).find((one) => one.id === Number(text));
  if (!found) throw new ServiceRefusal(404, `no counterparty has the number ${text}`);
  const { name, type, notes, contractLink, entityType, addresses } = found;
  const known = addresses.map(({ address, chain }) => ({ address, network: chain }));
  return { name, type, ...known[0], notes, contractLink, entityType, addresses: known };
});
