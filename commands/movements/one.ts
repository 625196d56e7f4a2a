/** One movement by its number, with or without the `MOV-` in front of it; every digit of its amount. */
import type { Analytics } from '../../src/analytics/analytics.js';
import { movementDetail, movements, type Party } from '../../src/analytics/endpoints/movements.js';
import { classOf, partyName } from '../../src/analytics/movement-words.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { UNKNOWN } from '../../src/domain/format.js';
import type { Project } from '../../src/domain/project.js';
import { lineOf } from '../../src/replies/command-line.js';
import { doubtOf } from '../../src/replies/ownership.js';
import { ages } from '../../src/replies/age.js';
import { dotted, line } from '../../src/replies/blocks.js';
import { part } from '../../src/replies/part.js';
import type { Shown } from '../../src/replies/view.js';
import { exactly } from './words.js';

interface Needs {
  readonly analytics: Analytics;
  /** As the person wrote it. */
  readonly id: string;
  /** The project it was asked about, where one was named. */
  readonly project: Project | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Rejects with a `UserMistake` where the movement is another project's than the one named. */
export async function one({ analytics, id, project, signal }: Needs): Promise<Shown> {
  const answer = await analytics.call(movementDetail, { id }, { signal });
  const { data } = answer;
  const doubt =
    project &&
    doubtOf({
      what: 'movement',
      project,
      list: await part(analytics.walk(movements, { slug: project.slug }, (row) => row.id, { signal })),
      id: data.id,
    });
  const slug = doubt === undefined ? project?.slug : undefined;
  return {
    finding: [{ strong: `MOV-${data.id}: ${exactly(data)}` }, ` from ${partyName(data.from)} to ${partyName(data.to)}`],
    blocks: [
      ...(doubt === undefined ? [] : [doubt]),
      line(...dotted(data.at === undefined ? 'time n/a' : [{ at: data.at }], data.kind, classOf(data), data.status, data.entityType)),
      ...party('from', data.from),
      ...party('to', data.to),
      ...(data.counterparty === undefined
        ? []
        : [line(`with ${partyName(data.counterparty)}${data.counterparty.type === undefined ? '' : ` (${data.counterparty.type})`}`)]),
      ...(data.note === undefined ? [] : [line(`note: ${data.note}`)]),
      line('transaction ', data.transaction === undefined ? UNKNOWN : { code: data.transaction }),
    ],
    actions: [
      ...(data.counterparty?.id === undefined
        ? []
        : [
            {
              label: 'Counterparty',
              line: lineOf('counterparties', ...(slug === undefined ? [] : [slug]), `counterparty:${data.counterparty.id}`),
            },
          ]),
      ...(slug === undefined
        ? []
        : [
            { label: 'All movements', line: lineOf('movements', slug) },
            { label: 'Accounts', line: lineOf('accounts', slug) },
          ]),
      { label: 'Refresh', line: lineOf('movements', ...(slug === undefined ? [] : [slug]), `movement:${data.id}`) },
    ],
    ...ages(answer),
  };
}

const party = (label: string, one: Party | undefined): readonly BlockDraft[] =>
  one?.address === undefined ? [] : [line(`${label} `, { code: one.address })];
