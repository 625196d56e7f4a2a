/** `GET /metrics`: for this machine, or with CONSOLE_TOKEN as the bearer. */
import { Hono } from 'hono';
import { guard, type Hosts } from '../../base/http-guard.js';
import { isBearer, isThisMachine } from '../../base/http-callers.js';
import type { Routes } from '../../base/routes.js';
import type { Metrics } from './metrics.js';

export interface MetricsRoutesDeps {
  readonly metrics: Pick<Metrics, 'scrape'>;
  readonly hosts: Hosts;
  readonly token: string | undefined;
}

export function metricsRoutes({ metrics, hosts, token }: MetricsRoutesDeps): Routes {
  const app = new Hono();
  app.use(guard(hosts));
  app.get('/', async (c) => {
    const isAllowed = isThisMachine(c) || (token !== undefined && isBearer(c, token));
    if (!isAllowed) {
      c.header('WWW-Authenticate', 'Bearer');
      return c.text('Metrics are for this machine. From elsewhere send "Authorization: Bearer" with the value of CONSOLE_TOKEN.\n', 401);
    }
    const { type, text } = await metrics.scrape();
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  });
  return { path: '/metrics', app };
}
