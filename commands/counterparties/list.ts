/** Counterparties of a project by page. */
import { brief } from '../../src/base/one-line.js';
import { counterparties, type Counterparty } from '../../src/analytics/endpoints/counterparties.js';
import { UNKNOWN } from '../../src/domain/format.js';
import {
  commandLine,
  ages,
  brokenRows,
  counted,
  dotted,
  emptyPage,
  PAGE_SIZE,
  pageActions,
  pageText,
  pagingOf,
  type ViewReply,
  type ProjectViewDeps,
} from '../../src/reply/index.js';

interface CounterpartyListDeps extends ProjectViewDeps {
  readonly find: string | undefined;
  readonly entity: string | undefined;
}

const MAX_BUTTONS = 5;

export async function list({ analytics, project, page, signal, find, entity }: CounterpartyListDeps): Promise<ViewReply> {
  const answer = await analytics.call(
    counterparties,
    { slug: project.slug, limit: PAGE_SIZE, page, q: find, entityType: entity },
    { signal },
  );
  const { rows, broken } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const narrowed = `${entity === undefined ? '' : ` (${brief(entity)})`}${find === undefined ? '' : ` matching "${brief(find)}"`}`;
  const again = (other: number): string =>
    commandLine(
      'counterparties',
      project.slug,
      ...(entity === undefined ? [] : [`entity:${entity}`]),
      ...(find === undefined ? [] : [`find:${find}`]),
      `page:${other}`,
    );
  return {
    finding: [
      {
        strong:
          rows.length > 0
            ? `${project.name}: ${counted(paging.total ?? rows.length, 'counterparty', 'counterparties')}${narrowed}`
            : emptyPage(paging, { of: project.name, none: `${project.name}: no counterparties${narrowed}` }),
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [{ kind: 'list', items: rows.map(item) }, ...brokenRows(broken)],
    actions: [
      ...rows
        .slice(0, MAX_BUTTONS)
        .map((one) => ({ label: nameOf(one), line: commandLine('counterparties', project.slug, `counterparty:${one.id}`) })),
      ...pageActions({ ...paging, to: again }),
    ],
    ...ages(answer),
  };
}

const nameOf = ({ name, id }: Counterparty): string => name ?? `counterparty ${id}`;

const item = (one: Counterparty) => ({
  line: [{ strong: nameOf(one) }, ` #${one.id}`],
  detail: dotted(one.type ?? `kind ${UNKNOWN}`, one.entityType, counted(one.addresses.length, 'address', 'addresses'), one.notes),
});
