/** Movements, newest first. The service filters by entity only. */
import { labelledParties, movements, partyName, type Movement } from '../../src/analytics/endpoints/movements.js';
import {
  PAGE_SIZE,
  commandLine,
  counted,
  countedRows,
  latestPage,
  line,
  listPage,
  pageOfAll,
  type ProjectViewDeps,
  type ReadPage,
  type ViewReply,
} from '../../src/reply/index.js';
import { filterText, isNarrowed, type MovementFilters } from './filters.js';
import { exactly, movementItem } from './words.js';

export async function list(deps: ProjectViewDeps & MovementFilters): Promise<ViewReply> {
  const { project, labels = new Map() } = deps;
  const { filtered, ...read } = await (isSearch(deps) ? searched(deps) : paged(deps));
  return listPage(read, {
    found: (where) => [{ strong: `${project.name}: ${countedRows(read, 'movement')}${filtered}` }, where],
    of: project.name,
    none: `${project.name}: no movements${filtered}`,
    blocks: [{ kind: 'list', items: read.rows.map((row) => movementItem(labelledParties(row, labels))) }],
    to: (other) => again(deps, other),
    actions: (pages) => [
      ...read.rows
        .slice(0, MAX_BUTTONS)
        .map((one) => ({ label: `MOV-${one.id}`, line: commandLine('movements', project.slug, `movement:${one.id}`) })),
      ...pages,
    ],
  });
}

const MAX_BUTTONS = 3;

interface Found extends ReadPage<Movement> {
  readonly filtered: string;
}

const isSearch = ({ token, category, find }: MovementFilters): boolean => isNarrowed({ token, category, find });

const newestFirst = (rows: readonly Movement[]): readonly Movement[] => rows.toSorted((a, b) => (b.at ?? Infinity) - (a.at ?? Infinity));

async function paged({ analytics, project, page, signal, entity }: ProjectViewDeps & MovementFilters): Promise<Found> {
  const read = await latestPage({
    ask: async (number) =>
      analytics.call(movements, { slug: project.slug, limit: PAGE_SIZE, page: number, entityType: entity }, { signal }),
    page,
    at: (row) => row.at,
  });
  const rows = newestFirst(read.rows.filter((one) => entity === undefined || one.entityType === undefined || one.entityType === entity));
  const others = read.rows.length - rows.length;
  return {
    ...read,
    rows,
    unreadable: read.paging.rows,
    paging: { ...read.paging, rows: rows.length },
    filtered: entity === undefined ? '' : ` (${entity})`,
    notes: [...read.notes, ...(others > 0 ? [line(`${others} on this page are not the ${entity}'s and left out.`)] : [])],
  };
}

async function searched(deps: ProjectViewDeps & MovementFilters): Promise<Found> {
  const { analytics, project, page, signal, entity } = deps;
  const walk = await analytics.walk(movements, { slug: project.slug, entityType: entity }, ({ id }) => id, { signal });
  const found = newestFirst(walk.rows.filter((one) => fits(one, deps)));
  return {
    ...pageOfAll(found, { page, broken: walk.broken, answer: walk }),
    unreadable: walk.rows.length === 0 ? walk.broken : 0,
    filtered: ` (${filterText(deps)})`,
    notes: [
      ...(walk.hidden > 0 ? [line(`⚠ Not searched: ${counted(walk.hidden, 'movement')} that this bot's data plan doesn't include.`)] : []),
      ...(walk.hidden === 0 && !walk.complete && walk.broken === 0 ? [line('⚠ Incomplete: there may be more.')] : []),
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
