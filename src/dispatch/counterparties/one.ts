/** One counterparty, with every address by which its movements are known. */
import type { Analytics } from '../../analytics/analytics.js';
import { counterpartyDetail } from '../../analytics/endpoints/counterparties.js';
import { UNKNOWN } from '../../domain/format.js';
import { lineOf } from '../line.js';
import { ages, counted, dotted, line } from '../parts.js';
import type { Shown } from '../view.js';

interface Needs {
  readonly analytics: Analytics;
  readonly id: string;
  /** The project it was asked about, where one was named. */
  readonly slug: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export async function one({ analytics, id, slug, signal }: Needs): Promise<Shown> {
  const answer = await analytics.call(counterpartyDetail, { id }, { signal });
  const { name, type, notes, entityType, contractLink, addresses } = answer.data;
  return {
    finding: [
      { strong: name ?? `Counterparty ${id}` },
      `: ${type ?? `kind ${UNKNOWN}`}, known by ${counted(addresses.length, 'address', 'addresses')}`,
    ],
    blocks: [
      line(...dotted(entityType === undefined ? undefined : `deals with the ${entityType}`, notes)),
      {
        kind: 'list',
        items: addresses.map(({ address, chain }) => ({ line: [{ code: address }, chain === undefined ? '' : ` on ${chain}`] })),
      },
      ...(contractLink === undefined ? [] : [line(`contract ${contractLink}`)]),
    ],
    actions: [
      ...(slug === undefined
        ? []
        : [
            { label: 'All counterparties', line: lineOf('counterparties', slug) },
            { label: 'Movements', line: lineOf('movements', slug) },
          ]),
      { label: 'Refresh', line: lineOf('counterparties', ...(slug === undefined ? [] : [slug]), `counterparty:${id}`) },
    ],
    ...ages(answer),
  };
}
