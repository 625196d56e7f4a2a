/** Simulated operations: each row with its route. */
import { NAMED_ENDPOINTS } from '../analytics/endpoints/index.js';
import type { ListRow, Row } from '../analytics/endpoint-row.js';
import type { Route } from './route.js';
import { ROUTES } from './routes/index.js';

const isRoute = (exported: unknown): exported is Route => typeof exported === 'object' && exported !== null && 'kind' in exported;

function routeOf(family: string, name: string): Route {
  const families: Readonly<Record<string, Readonly<Record<string, unknown>>>> = ROUTES;
  const route = families[family]?.[name];
  if (!isRoute(route)) throw new Error(`simulator: ${family}.ts has no route "${name}"`);
  return route;
}

export const OPERATIONS: readonly { readonly row: Row | ListRow; readonly route: Route }[] = NAMED_ENDPOINTS.map(
  ({ family, name, row }) => ({ row, route: routeOf(family, name) }),
);
