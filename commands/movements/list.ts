/** Movements, newest first. The service filters by entity only. */
import { labelledParties, movements, partyName, type Movement } from '../../src/analytics/endpoints/movements.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  commandLine,
  counted,
  emptyPage,
  latestPage,
  line,
  onPage,
  pageActions,
  pageText,
  type ProjectViewDeps,
  type ViewReply,
} from '../../src/reply/index.js';
import { filterText, isNarrowed, type MovementFilters } from './filters.js';
import { exactly, movementItem } from './words.js';

export async function list(deps: ProjectViewDeps & MovementFilters): Promise<ViewReply> {
  const { project, page, labels = new Map() } = deps;
  const { rows, total, filtered, answer, read, notes } = await (isSearch(deps) ? searched(deps) : paged(deps));
  const paging = { page, rows: rows.length, total };
  const where = pageText(paging);
  return {
    finding: [
      {
        strong:
          rows.length > 0
            ? `${project.name}: ${counted(total ?? rows.length, 'movement')}${filtered}`
            : emptyPage({ ...paging, rows: read }, { of: project.name, none: `${project.name}: no movements${filtered}` }),
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [{ kind: 'list', items: rows.map((row) => movementItem(labelledParties(row, labels))) }, ...notes],
    actions: [
      ...rows
        .slice(0, MAX_BUTTONS)
        .map((one) => ({ label: `MOV-${one.id}`, line: commandLine('movements', project.slug, `movement:${one.id}`) })),
      ...pageActions({ ...paging, to: (other) => again(deps, other) }),
    ],
    ...answer,
  };
}

const MAX_BUTTONS = 3;

interface Found {
  readonly rows: readonly Movement[];
  readonly total: number | undefined;
  readonly filtered: string;
  readonly answer: ReturnType<typeof ages>;
  readonly read: number;
  readonly notes: readonly BlockDraft[];
}

const isSearch = ({ token, category, find }: MovementFilters): boolean => isNarrowed({ token, category, find });

const newestFirst = (rows: readonly Movement[]): readonly Movement[] => rows.toSorted((a, b) => (b.at ?? Infinity) - (a.at ?? Infinity));

async function paged({ analytics, project, page, signal, entity }: ProjectViewDeps & MovementFilters): Promise<Found> {
  const { rows, broken, paging, answers, notes } = await latestPage({
    ask: async (number) =>
      analytics.call(movements, { slug: project.slug, limit: PAGE_SIZE, page: number, entityType: entity }, { signal }),
    page,
    at: (row) => row.at,
  });
  const fitting = rows.filter((one) => entity === undefined || one.entityType === undefined || one.entityType === entity);
  return {
    rows: newestFirst(fitting),
    total: paging.total,
    filtered: entity === undefined ? '' : ` (${entity})`,
    answer: ages(...answers),
    read: paging.rows,
    notes: [
      ...notes,
      ...(fitting.length < rows.length ? [line(`${rows.length - fitting.length} on this page are not the ${entity}'s and left out.`)] : []),
      ...brokenRows(broken),
    ],
  };
}

async function searched(deps: ProjectViewDeps & MovementFilters): Promise<Found> {
  const { analytics, project, page, signal, entity } = deps;
  const walk = await analytics.walk(movements, { slug: project.slug, entityType: entity }, ({ id }) => id, { signal });
  const found = newestFirst(walk.rows.filter((one) => fits(one, deps)));
  return {
    rows: onPage(found, page),
    total: found.length,
    filtered: ` (${filterText(deps)})`,
    answer: ages(walk),
    read: walk.rows.length === 0 ? walk.broken : 0,
    notes: [
      ...(walk.hidden > 0 ? [line(`⚠ Not searched: ${counted(walk.hidden, 'movement')} that this bot's data plan doesn't include.`)] : []),
      ...(walk.hidden === 0 && !walk.complete && walk.broken === 0 ? [line('⚠ Incomplete: there may be more.')] : []),
      ...brokenRows(walk.broken),
    ],
  };
}

const has = (text: string | undefined, wanted: string): boolean => text?.toLowerCase().includes(wanted.toLowerCase()) ?? false;

function fits(one: Movement, { entity, token, category, find }: MovementFilters): boolean {
  return (
    (entity === undefined || one.entityType === entity) &&
    (token === undefined || one.symbol?.toLowerCase() === token.toLowerCase()) &&
    (category === undefined || has(one.category, category) || has(one.subcategory, category)) &&
    (find === undefined ||
      [...[one.from, one.to, one.counterparty].map(partyName), one.category, one.subcategory, one.note, one.kind, exactly(one)].some(
        (text) => has(text, find),
      ))
  );
}

const again = ({ project, entity, token, category, find }: ProjectViewDeps & MovementFilters, page: number): string =>
  commandLine(
    'movements',
    project.slug,
    'list',
    ...Object.entries({ entity, token, category, find }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`])),
    `page:${page}`,
  );
