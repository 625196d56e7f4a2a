/** One counterparty with all its known addresses. */
import type { Analytics } from '../../src/analytics/analytics.js';
import { counterparties, counterpartyDetail } from '../../src/analytics/endpoints/counterparties.js';
import { UNKNOWN } from '../../src/domain/format.js';
import type { Project } from '../../src/domain/project.js';
import { commandLine, ownershipWarning, ages, optional, counted, dotted, line, type ViewReply } from '../../src/reply/index.js';

interface CounterpartyDeps {
  readonly analytics: Analytics;
  readonly id: string;
  readonly project: Project | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Rejects with a `UserError` if the counterparty belongs to another project. */
export async function one({ analytics, id, project, signal }: CounterpartyDeps): Promise<ViewReply> {
  const answer = await analytics.call(counterpartyDetail, { id }, { signal });
  const { name, type, notes, entityType, contractLink, addresses } = answer.data;
  const doubt =
    project &&
    ownershipWarning({
      what: 'counterparty',
      project,
      list: await optional(analytics.walk(counterparties, { slug: project.slug }, (row) => row.id, { signal })),
      id,
    });
  const slug = doubt === undefined ? project?.slug : undefined;
  return {
    finding: [
      { strong: name ?? `Counterparty ${id}` },
      `: ${type ?? `kind ${UNKNOWN}`}, ${counted(addresses.length, 'address', 'addresses')}`,
    ],
    blocks: [
      ...(doubt === undefined ? [] : [doubt]),
      line(...dotted(entityType === undefined ? undefined : `Deals with ${entityType}`, notes)),
      {
        kind: 'list',
        items: addresses.map(({ address, chain }) => ({ line: [{ code: address }, chain === undefined ? '' : ` on ${chain}`] })),
      },
      ...(contractLink === undefined ? [] : [line(`Contract ${contractLink}`)]),
    ],
    actions: [
      ...(slug === undefined
        ? []
        : [
            { label: 'All counterparties', line: commandLine('counterparties', slug) },
            { label: 'Movements', line: commandLine('movements', slug) },
          ]),
      { label: 'Refresh', line: commandLine('counterparties', ...(slug === undefined ? [] : [slug]), `counterparty:${id}`) },
    ],
    ...ages(answer),
  };
}
