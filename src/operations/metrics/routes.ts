/** `GET /metrics`: for the operator, or with METRICS_OPEN for everybody. */
import { Hono } from 'hono';
import { guard, type Hosts } from '../../base/http-guard.js';
import type { OperatorLogin } from '../../base/http-callers.js';
import type { Routes } from '../../base/routes.js';
import type { Metrics } from './metrics.js';

export interface MetricsRoutesDeps {
  readonly metrics: Pick<Metrics, 'scrape'>;
  readonly hosts: Hosts;
  readonly login: OperatorLogin;
  readonly isOpen: boolean;
}

export function metricsRoutes({ metrics, hosts, login, isOpen }: MetricsRoutesDeps): Routes {
  const app = new Hono();
  app.use(guard(hosts));
  app.get('/', async (c) => {
    if (!isOpen && !login.isOperator(c)) {
      c.header('WWW-Authenticate', 'Bearer');
      return c.text(NEEDS_TOKEN, 401);
    }
    const { type, text } = await metrics.scrape();
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  });
  return { path: '/metrics', app };
}

const NEEDS_TOKEN =
  'Metrics need the token: send "Authorization: Bearer" with CONSOLE_TOKEN, or with the token in the file console-token of the data folder. METRICS_OPEN=true opens them.\n';
