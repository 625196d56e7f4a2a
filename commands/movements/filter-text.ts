/** Filters of a project's movements, and their text. */
import { brief } from '../../src/base/one-line.js';

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
