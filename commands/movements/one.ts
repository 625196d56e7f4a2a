/** One movement by number, with or without `MOV-`. */
import type { Analytics } from '../../src/analytics/analytics.js';
import { movementDetail, movements, type Party } from '../../src/analytics/endpoints/movements.js';
import { classOf, labelledParties, partyName } from '../../src/analytics/movement-words.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { UNKNOWN } from '../../src/domain/format.js';
import type { MakeLinks } from '../../src/domain/links.js';
import type { Project } from '../../src/domain/project.js';
import { commandLine, ownershipWarning, ages, optional, dotted, line, type ViewReply } from '../../src/reply/index.js';
import { exactly } from './words.js';

interface MovementDeps {
  readonly analytics: Analytics;
  readonly id: string;
  readonly project: Project | undefined;
  readonly signal: AbortSignal | undefined;
  readonly links: MakeLinks;
  readonly labels: ReadonlyMap<string, string>;
}

/** Rejects with a `UserError` if the movement belongs to another project. */
export async function one({ analytics, id, project, signal, links, labels }: MovementDeps): Promise<ViewReply> {
  const answer = await analytics.call(movementDetail, { id }, { signal });
  const data = labelledParties(answer.data, labels);
  const doubt =
    project &&
    ownershipWarning({
      what: 'movement',
      project,
      list: await optional(analytics.walk(movements, { slug: project.slug }, (row) => row.id, { signal })),
      id: data.id,
    });
  const slug = doubt === undefined ? project?.slug : undefined;
  return {
    finding: [{ strong: `MOV-${data.id}: ${exactly(data)}` }, ` ${partyName(data.from)} → ${partyName(data.to)}`],
    blocks: [
      ...(doubt === undefined ? [] : [doubt]),
      line(...dotted(data.at === undefined ? 'time n/a' : [{ at: data.at }], data.kind, classOf(data), data.status, data.entityType)),
      ...party('From', data.from),
      ...party('To', data.to),
      ...(data.counterparty === undefined
        ? []
        : [line(`With ${partyName(data.counterparty)}${data.counterparty.type === undefined ? '' : ` (${data.counterparty.type})`}`)]),
      ...(data.note === undefined ? [] : [line(`Note: ${data.note}`)]),
      line('Transaction ', data.transaction === undefined ? UNKNOWN : { code: data.transaction }),
    ],
    links: links([{ to: 'transaction', signature: data.transaction }]),
    actions: [
      ...(data.counterparty?.id === undefined
        ? []
        : [
            {
              label: 'Counterparty',
              line: commandLine('counterparties', ...(slug === undefined ? [] : [slug]), `counterparty:${data.counterparty.id}`),
            },
          ]),
      ...(slug === undefined
        ? []
        : [
            { label: 'All movements', line: commandLine('movements', slug) },
            { label: 'Accounts', line: commandLine('accounts', slug) },
          ]),
      { label: 'Refresh', line: commandLine('movements', ...(slug === undefined ? [] : [slug]), `movement:${data.id}`) },
    ],
    ...ages(answer),
  };
}

const party = (label: string, one: Party | undefined): readonly BlockDraft[] =>
  one?.address === undefined ? [] : [line(`${label} `, { code: one.address })];
