/** The HTTP side of the simulated service: key, paths, faults, answers. */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { stringify } from 'lossless-json';
import { ENDPOINTS } from '../analytics/endpoints/index.js';
import type { ListRow, Row } from '../analytics/row.js';
import { control, type ControlParts } from './control.js';
import { strike, struckBy, type Fault } from './faults.js';
import { answer, type Plan } from './page.js';
import { Refusal } from './refusal.js';
import type { Route } from './route.js';
import { ROUTES } from './routes/index.js';
import { wreck } from './wreck.js';

type Served = Context<{ Bindings: HttpBindings }>;
type Status = Refusal['status'] | 429;

export interface ServiceParts extends Omit<ControlParts, 'requests'> {
  readonly apiKey: string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const placeholders = (path: string): number => path.split('{').length;

/** Literal paths first: `/v1/proposal/filter` is no public key. */
const routes: Readonly<Record<string, Route>> = ROUTES;
const mounted = Object.entries<Row | ListRow>(ENDPOINTS).toSorted(([, a], [, b]) => placeholders(a.path) - placeholders(b.path));

export function service({ world, journal, clock, plan, apiKey }: ServiceParts): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const requests = new Map<string, number>();
  let asked = 0;

  const refuse = (context: Served, status: Status, message: string) => context.json({ error: { message } }, status);

  app.onError((error, context) =>
    error instanceof Refusal
      ? refuse(context, error.status, error.message)
      : context.json({ error: { message: `the simulator failed: ${error.message}` } }, 500),
  );
  app.notFound((context) => refuse(context, 404, 'there is nothing at this path'));

  app.use('/v1/*', async (context, next) => {
    if (context.req.header('x-api-key') !== apiKey) return refuse(context, 401, 'x-api-key is missing or not valid');
    await next();
    return undefined;
  });

  /** The faults that strike this request; what they have left is kept, durably only where one is used up. */
  async function faultsFor(context: Served): Promise<readonly Fault[]> {
    const standing = journal.faults();
    if (standing.length === 0) return [];
    asked += 1;
    const { struck, left } = strike({
      standing,
      request: { path: context.req.path, slug: context.req.query('slug') ?? context.req.query('project') },
      at: clock.now(),
      chance: (id) => world.scene.roll('fault', id, asked),
    });
    if (left !== standing) await journal.setFaults(left, left.length !== standing.length);
    return struck;
  }

  async function serve(context: Served, { route, paged, path }: { route: Route; paged: boolean; path: string }) {
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const struck = await faultsFor(context);
    const latency = struckBy(struck, 'latency');
    if (latency) await clock.sleep(latency.milliseconds, context.req.raw.signal);
    const outgoing = context.env.outgoing;
    if (struckBy(struck, 'down')) {
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    const limited = struckBy(struck, 'limited');
    if (limited) {
      if (limited.retryAfterSeconds !== undefined) context.header('retry-after', String(limited.retryAfterSeconds));
      return refuse(context, 429, 'too many requests');
    }
    const failing = struckBy(struck, 'status');
    if (failing)
      return new Response(stringify({ error: { message: 'something went wrong' } }), { status: failing.status, headers: JSON_TYPE });

    const ask = { world, at: clock.now(), input: { ...context.req.query(), ...context.req.param() } };
    const limits: Plan = { ...plan, ...struckBy(struck, 'plan') };
    const whole = wreck(answer({ route, ask, paged, plan: limits, reversed: struckBy(struck, 'reversed') !== undefined }), struck);
    const body = typeof whole === 'string' ? whole : (stringify(whole) ?? 'null');
    if (struckBy(struck, 'cut')) {
      const bytes = Buffer.from(body);
      outgoing.writeHead(200, { ...JSON_TYPE, 'content-length': bytes.length });
      outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
    }
    return new Response(body, { headers: typeof whole === 'string' ? { 'content-type': 'text/html' } : JSON_TYPE });
  }

  for (const [id, row] of mounted) {
    const route = routes[id];
    if (!route) throw new Error(`simulator: ${id} has no route; add one to routes/index.ts`);
    app.get(row.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) =>
      serve(context, { route, paged: 'paged' in row && row.paged, path: row.path }),
    );
  }
  app.route('/__sim', control({ world, journal, clock, plan, requests }));
  return app;
}
