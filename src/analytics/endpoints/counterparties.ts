/** Counterparties (§4.4, fields §2.10). A movement may have any of their addresses. */
import { z } from 'zod';
import { HOUR } from '../../base/clock.js';
import { ident, link, maybe, numericId, some, words } from '../wire-values.js';
import { bySlug, get, list, paging } from '../endpoint-row.js';

/** The field is called `chain` in lists and `network` in details. */
const place = z
  .looseObject({ address: words, chain: maybe(words), network: maybe(words) })
  .transform(({ address, chain, network }) => ({ address, chain: chain ?? network }));
const places = some(place);

const about = {
  type: maybe(words),
  notes: maybe(words),
  /** `DAO` or `OpCo`. */
  entityType: maybe(words),
  contractLink: maybe(link),
};

const counterparty = z
  .looseObject({ ...about, id: ident, name: maybe(words), counterpartyAddresses: places })
  .transform(({ id, name, type, notes, entityType, contractLink, counterpartyAddresses: addresses = [] }) => ({
    id,
    name,
    type,
    notes,
    entityType,
    contractLink,
    addresses,
  }));
export type Counterparty = z.output<typeof counterparty>;

export const counterparties = list({
  id: 'counterparties.list',
  path: '/v1/counterparty',
  spec: '§4.4',
  input: bySlug.extend({ ...paging, q: z.string().min(1).optional(), entityType: z.string().min(1).optional() }),
  freshFor: HOUR,
  row: counterparty,
});

export const counterpartyDetail = get({
  id: 'counterparties.detail',
  path: '/v1/counterparty/{id}',
  spec: '§4.4',
  input: z.object({ id: numericId }),
  freshFor: HOUR,
  dated: 'record',
  data: z
    .looseObject({ ...about, name: maybe(words), address: maybe(words), network: maybe(words), addresses: places })
    .transform(({ name, type, notes, entityType, contractLink, address, network, addresses = [] }) => ({
      name,
      type,
      notes,
      entityType,
      contractLink,
      addresses:
        address === undefined || addresses.some((one) => one.address === address) ? addresses : [{ address, chain: network }, ...addresses],
    })),
});
