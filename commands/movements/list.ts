/** Lists the movements of a treasury, newest first, the labeled ones, and the values of their filters. */
import {
  classOf,
  daoMovements,
  directionOf,
  labelledParties,
  movementCategories,
  movementEntities,
  movementTokens,
  movements,
  partyName,
  type Direction,
  type LabeledMovement,
  type Movement,
} from '../../src/analytics/endpoints/movements.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  commandLine,
  counted,
  countedRows,
  dotted,
  figuresOf,
  latestPage,
  line,
  listPage,
  missingText,
  namedWords,
  needOne,
  optional,
  pageOfAll,
  type ProjectView,
  type ProjectViewDeps,
  type ReadPage,
  type ViewReply,
} from '../../src/reply/index.js';
import type { Line, Tone } from '../../src/chat/reply.js';
import { UNKNOWN, amount, exact, usd, usdExact } from '../../src/domain/format.js';
import { brief } from '../../src/base/one-line.js';

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

/** Tells whether rows have to be searched here. The service itself filters only by entity. */
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
  commandLine('movements', project.slug, 'list', ...namedWords({ entity, token, category, find }), `page:${page}`);

const TONES: Readonly<Record<Direction, Tone>> = { in: 'up', out: 'down', within: 'plain' };

const toneOf = (one: Pick<Movement, 'kind'>): Tone => TONES[directionOf(one) ?? 'within'];

const howMuch = ({ amount: tokens, symbol, value }: Pick<Movement, 'amount' | 'symbol' | 'value'>): string =>
  [
    tokens === undefined ? '' : `${amount(tokens)} ${symbol ?? ''}`.trim(),
    `${tokens === undefined ? '' : '('}${usd(value)}${tokens === undefined ? '' : ')'}`,
  ]
    .filter((word) => word !== '')
    .join(' ');

export const exactly = ({ amount: tokens, symbol, value }: Pick<Movement, 'amount' | 'symbol' | 'value'>): string =>
  `${exact(tokens)} ${symbol ?? ''}`.trim() + (value === undefined ? '' : ` (${usdExact(value)})`);

const route = (one: LabeledMovement): string => `${partyName(one.from)} → ${partyName(one.to)}`;

const movementItem = (one: Movement) => ({
  tone: toneOf(one),
  line: [{ strong: howMuch(one) }, ` ${route(one)}`],
  detail: dotted(
    when(one),
    `MOV-${one.id}`,
    classOf(one),
    one.counterparty === undefined ? undefined : `with ${partyName(one.counterparty)}`,
    one.entityType,
  ),
});

const labeledItem = (one: LabeledMovement) => ({
  tone: toneOf(one),
  line: [{ strong: howMuch(one) }, ` ${route(one)}`],
  detail: when(one),
});

const when = ({ at }: Pick<Movement, 'at'>): Line => (at === undefined ? ['time n/a'] : [{ at }]);

export const labeled: ProjectView = async ({ analytics, project, page, signal, labels = new Map() }) => {
  const read = await latestPage({
    ask: async (number) => analytics.call(daoMovements, { slug: project.slug, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  return listPage(read, {
    found: (where) => [{ strong: `${project.name}: ${countedRows(read, 'labeled movement')}` }, where],
    of: project.name,
    none: `${project.name}: no labeled movements`,
    blocks: [{ kind: 'list', items: read.rows.map((row) => labeledItem(labelledParties(row, labels))) }],
    to: (other) => commandLine('movements', project.slug, 'labeled', `page:${other}`),
  });
};

export interface MovementFilters {
  readonly entity?: string | undefined;
  readonly token?: string | undefined;
  readonly category?: string | undefined;
  /** A text to find in the names of the parties, the category or the note. */
  readonly find?: string | undefined;
}

export const isNarrowed = ({ entity, token, category, find }: MovementFilters): boolean =>
  [entity, token, category, find].some((one) => one !== undefined);

export const filterText = ({ entity, token, category, find }: MovementFilters): string =>
  [
    entity === undefined ? '' : brief(entity),
    token === undefined ? '' : brief(token),
    category === undefined ? '' : `"${brief(category)}"`,
    find === undefined ? '' : `matching "${brief(find)}"`,
  ]
    .filter((word) => word !== '')
    .join(', ');

/** The most buttons of a filter. */
const MAX_FILTER_BUTTONS = 4;

/** Shows the values by which movements can be filtered. */
export const filters: ProjectView = async ({ analytics, project, signal }) => {
  const input = { slug: project.slug };
  const [entities, tokens, categories] = await Promise.all([
    optional(analytics.call(movementEntities, input, { signal })),
    optional(analytics.call(movementTokens, input, { signal })),
    optional(analytics.call(movementCategories, input, { signal })),
  ]);
  needOne(entities, tokens, categories);
  const whose = entities.answer?.data.rows ?? [];
  const symbols = (tokens.answer?.data.rows ?? []).flatMap(({ symbol }) => symbol ?? []);
  const classes = (categories.answer?.data.rows ?? []).flatMap(({ name, subcategories }) =>
    name === undefined ? [] : [{ name, subcategories }],
  );
  const broken = [entities, tokens, categories].reduce((count, { answer }) => count + (answer?.data.broken ?? 0), 0);
  return {
    finding: [
      {
        strong: `${project.name}: filter movements by ${categories.answer === undefined ? missingText(categories) : counted(classes.length, 'category', 'categories')}, ${tokens.answer === undefined ? missingText(tokens) : counted(symbols.length, 'token')}`,
      },
    ],
    blocks: [
      figuresOf([
        ['Entities', entities.answer === undefined ? missingText(entities) : whose.join(', ') || UNKNOWN],
        ['tokens', tokens.answer === undefined ? missingText(tokens) : symbols.join(', ') || UNKNOWN],
      ]),
      { kind: 'list', items: classes.map(({ name, subcategories }) => ({ line: [{ strong: name }], detail: [subcategories.join(', ')] })) },
      ...brokenRows(broken),
    ],
    actions: [
      ...(whose.length > 1
        ? whose
            .slice(0, MAX_FILTER_BUTTONS)
            .map((name) => ({ label: name, line: commandLine('movements', project.slug, `entity:${name}`) }))
        : []),
      ...(symbols.length > 1
        ? symbols
            .slice(0, MAX_FILTER_BUTTONS)
            .map((name) => ({ label: name, line: commandLine('movements', project.slug, `token:${name}`) }))
        : []),
      ...classes
        .slice(0, MAX_FILTER_BUTTONS)
        .map(({ name }) => ({ label: name, line: commandLine('movements', project.slug, `category:${name}`) })),
    ],
    ...ages(entities.answer, tokens.answer, categories.answer),
  };
};
