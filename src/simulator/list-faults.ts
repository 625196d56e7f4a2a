/** Applies faults to global lists: old rows, false figures or missing projects. The project's own endpoints stay correct. */
import { later, type Instant } from '../base/clock.js';
import { LIST_FIGURES, type Fault } from './faults.js';
import { iso, type RouteReading, type RouteRequest } from './route.js';

type ListRoute = Extract<RouteReading, { kind: 'list' }>;
type Row = Readonly<Record<string, unknown>>;
type Rows = ListRoute['rows'];
type Lie = Extract<Fault, { kind: 'list-lie' }>;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const rowsOf = (rows: Rows, ask: RouteRequest): readonly Row[] =>
  rows(ask)
    .map((row) => row())
    .filter(isRow);

/** Finds the slug of a row. Completed launches have only the mint. */
function slugOf(row: Row, { world }: RouteRequest): string | undefined {
  const named = row['organizationSlug'] ?? row['projectSlug'];
  if (typeof named === 'string') return named;
  return world.projects.find(({ slug }) => world.mint(slug) === row['baseMint'])?.slug;
}

/** Returns the id of a row: that of a launch, a market or a project. */
const identityOf = (row: Row): unknown => row['launchAddr'] ?? row['publicKey'] ?? row['proposalPublicKey'] ?? row['organizationSlug'];

const before = (ask: RouteRequest, milliseconds: number): RouteRequest => ({ ...ask, at: later(ask.at, -milliseconds) });

const dated = (row: Row, at: Instant): Row => ('updatedAt' in row ? { ...row, updatedAt: iso(at) } : row);

function zeroed(row: Row, names: readonly string[]): Row {
  return { ...row, ...Object.fromEntries(names.filter((name) => name in row).map((name) => [name, '0'])) };
}

function kept(row: Row, old: Row, names: readonly string[]): Row {
  return { ...row, ...Object.fromEntries(names.filter((name) => name in old).map((name) => [name, old[name]])) };
}

function lied(ask: RouteRequest, { lie, honest }: { lie: Lie; honest: Rows }): readonly Row[] {
  const rows = rowsOf(honest, ask);
  const isAbout = (row: Row): boolean => lie.projects.includes(slugOf(row, ask) ?? '');
  const isStage = (figure: Lie['figures'][number]): boolean => figure === 'market' || figure === 'launch';
  const isStageTold = lie.figures.some(isStage);
  const namesOf = (figures: Lie['figures']): readonly string[] => figures.flatMap((figure) => LIST_FIGURES[figure]);
  if (lie.how === 'zero') {
    const amounts = namesOf(lie.figures.filter((figure) => !isStage(figure)));
    return rows.map((row) => (isAbout(row) ? zeroed(row, amounts) : row));
  }
  const then = before(ask, lie.milliseconds);
  const old = rowsOf(honest, then).filter((row) => lie.projects.includes(slugOf(row, then) ?? ''));
  const earlier = new Map(old.map((row) => [identityOf(row), row]));
  const current = new Set(rows.map(identityOf));
  // In an old list, a new market or launch is missing and a former one is still there.
  return [
    ...rows.flatMap((row) => {
      if (!isAbout(row)) return [row];
      const found = earlier.get(identityOf(row));
      if (found !== undefined) return [kept(row, found, namesOf(lie.figures))];
      return isStageTold ? [] : [row];
    }),
    ...old.filter((row) => isStageTold && !current.has(identityOf(row))).map((row) => dated(row, ask.at)),
  ];
}

function rowsUnder(fault: Fault, honest: Rows): Rows {
  switch (fault.kind) {
    case 'list-lag':
      return (ask) => {
        const rows = honest(before(ask, fault.milliseconds));
        if (!fault.fresh) return rows;
        return rows.map((row) => () => {
          const made = row();
          return isRow(made) ? dated(made, ask.at) : made;
        });
      };
    case 'list-omit':
      return (ask) =>
        rowsOf(honest, ask)
          .filter((row) => !fault.projects.includes(slugOf(row, ask) ?? ''))
          .map((row) => () => row);
    case 'list-lie':
      return (ask) => lied(ask, { lie: fault, honest }).map((row) => () => row);
    default:
      return honest;
  }
}

/** Applies the faults of a list to its response. */
export function misled(route: RouteReading, struck: readonly Fault[]): RouteReading {
  if (route.kind !== 'list') return route;
  let { rows } = route;
  for (const fault of struck) rows = rowsUnder(fault, rows);
  return { ...route, rows };
}
