/** The values by which movements can be filtered. */
import { brief } from '../../src/base/one-line.js';
import { movementCategories, movementEntities, movementTokens } from '../../src/analytics/endpoints/movements.js';
import { UNKNOWN } from '../../src/domain/format.js';
import { commandLine, ages, missingText, needOne, optional, brokenRows, counted, type ProjectView } from '../../src/reply/index.js';

export interface MovementFilters {
  readonly entity?: string | undefined;
  readonly token?: string | undefined;
  readonly category?: string | undefined;
  /** Words in the names of the parties, the category or the note. */
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

/** Per filter. */
const MAX_BUTTONS = 4;

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
      {
        kind: 'figures',
        items: [
          { label: 'Entities', value: entities.answer === undefined ? missingText(entities) : whose.join(', ') || UNKNOWN },
          { label: 'tokens', value: tokens.answer === undefined ? missingText(tokens) : symbols.join(', ') || UNKNOWN },
        ],
      },
      { kind: 'list', items: classes.map(({ name, subcategories }) => ({ line: [{ strong: name }], detail: [subcategories.join(', ')] })) },
      ...brokenRows(broken),
    ],
    actions: [
      ...(whose.length > 1
        ? whose.slice(0, MAX_BUTTONS).map((name) => ({ label: name, line: commandLine('movements', project.slug, `entity:${name}`) }))
        : []),
      ...(symbols.length > 1
        ? symbols.slice(0, MAX_BUTTONS).map((name) => ({ label: name, line: commandLine('movements', project.slug, `token:${name}`) }))
        : []),
      ...classes
        .slice(0, MAX_BUTTONS)
        .map(({ name }) => ({ label: name, line: commandLine('movements', project.slug, `category:${name}`) })),
    ],
    ...ages(entities.answer, tokens.answer, categories.answer),
  };
};
