/** What narrows the movements of a project, and how that is said. */
export interface Filters {
  readonly entity?: string | undefined;
  readonly token?: string | undefined;
  readonly category?: string | undefined;
  /** Words in the names of the parties, the category or the note. */
  readonly find?: string | undefined;
}

export const isNarrowed = ({ entity, token, category, find }: Filters): boolean =>
  [entity, token, category, find].some((one) => one !== undefined);

/** "of the DAO, under “Payroll”". */
export const said = ({ entity, token, category, find }: Filters): string =>
  [
    entity === undefined ? '' : `of the ${entity}`,
    token === undefined ? '' : `in ${token}`,
    category === undefined ? '' : `under “${category}”`,
    find === undefined ? '' : `with “${find}”`,
  ]
    .filter((word) => word !== '')
    .join(', ');
