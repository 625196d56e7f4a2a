/** `/healthz`: 200 while the store accepts writes, also when the service is down. */
import { Hono } from 'hono';
import { guard, type Hosts } from '../base/http-guard.js';
import type { Routes } from '../base/routes.js';
import { deliveryReport, logReport, storeReport, type ReportContext } from './status-report.js';

/** No secrets, nothing about chats. */
export function healthRoutes(context: ReportContext, hosts: Hosts): Routes {
  const app = new Hono();
  app.use(guard(hosts));
  app.get('/', async (c) => {
    const store = await storeReport(context);
    const { ok = null } = context.analytics.state();
    const { waiting } = deliveryReport(context);
    const { count: droppedLogLines } = logReport(context);
    const problem = store.ok ? {} : { problem: store.problem };
    return c.json({ ok: store.ok, store: store.ok, service: ok, waiting, droppedLogLines, ...problem }, store.ok ? 200 : 503);
  });
  return { path: '/healthz', app };
}
