/** The HTTP side of the simulated service: key, paths, faults and responses. */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { NAMED_ENDPOINTS } from '../analytics/endpoints/index.js';
import type { ListRow, Row } from '../analytics/endpoint-row.js';
import { guard } from '../base/http.js';
import { ServiceRefusal } from './error-response.js';
import { type Done, type Export, type Route, type RouteRequest, answer, type Envelope, type PagePlan } from './route.js';
import { ROUTES } from './routes/index.js';
import { control, type ControlParts, type RefreshAsked } from './control.js';
import { strike, struckBy, type Fault } from './faults.js';
import { misled } from './list-faults.js';
import { isLosslessNumber, stringify as losslessJson } from 'lossless-json';
import { stringify as csv } from 'csv-stringify/sync';

const isRoute = (exported: unknown): exported is Route => typeof exported === 'object' && exported !== null && 'kind' in exported;

function routeOf(family: string, name: string): Route {
  const families: Readonly<Record<string, Readonly<Record<string, unknown>>>> = ROUTES;
  const route = families[family]?.[name];
  if (!isRoute(route)) throw new Error(`simulator: ${family}.ts has no route "${name}"`);
  return route;
}

interface Operation {
  readonly row: Row | ListRow;
  readonly route: Route;
}

const OPERATIONS: readonly Operation[] = NAMED_ENDPOINTS.map(({ family, name, row }) => ({
  row,
  route: routeOf(family, name),
}));

type Served = Context<{ Bindings: HttpBindings }>;
type Status = ServiceRefusal['status'] | 429;

export interface ServiceParts extends Omit<ControlParts, 'requests' | 'refreshRequests'> {
  readonly apiKey: string;
}

const fieldsSchema = z.record(z.string(), z.coerce.string());

/** Reads the fields of a request. Refuses with 400. */
async function fieldsOf(context: Served): Promise<Readonly<Record<string, string>>> {
  const read = fieldsSchema.safeParse(await context.req.json().catch(() => undefined));
  if (!read.success) throw new ServiceRefusal(400, 'send a JSON object');
  return read.data;
}

const envelopeOf = (body: unknown): Envelope => z.object({ data: z.unknown(), meta: z.record(z.string(), z.unknown()) }).parse(body);

/** The number of latest refreshes that `/__sim` shows. */
const MAX_REFRESHES = 1_000;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const placeholders = (path: string): number => path.split('{').length;

/** Literal paths come first: in `/v1/proposal/filter` the last part is not a public key. */
const mounted = OPERATIONS.toSorted((a, b) => placeholders(a.row.path) - placeholders(b.row.path));

const refuse = (context: Served, status: Status, message: string) => context.json({ error: { message } }, status);

/** Returns the error response of a fault, if one applies. */
function refusalOf(context: Served, struck: readonly Fault[]): Response | undefined {
  const limited = struckBy(struck, 'limited');
  if (limited) {
    if (limited.retryAfterSeconds !== undefined) context.header('retry-after', String(limited.retryAfterSeconds));
    return refuse(context, 429, 'too many requests');
  }
  const absent = struckBy(struck, 'list-absent');
  if (absent?.status === 404) return refuse(context, 404, 'there is nothing at this path');
  const failing = absent ?? struckBy(struck, 'status');
  if (failing)
    return new Response(JSON.stringify({ error: { message: 'something went wrong' } }), { status: failing.status, headers: JSON_TYPE });
  return undefined;
}

/** Ends the connection after half of the body. */
function cutOff(outgoing: HttpBindings['outgoing'], body: string): Response {
  const bytes = Buffer.from(body);
  outgoing.writeHead(200, { ...JSON_TYPE, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

export function service(parts: ServiceParts): Hono<{ Bindings: HttpBindings }> {
  const { world, journal, clock, plan, apiKey } = parts;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const operations = new Operations(parts);

  app.onError((error, context) =>
    error instanceof ServiceRefusal
      ? refuse(context, error.status, error.message)
      : context.json({ error: { message: `the simulator failed: ${error.message}` } }, 500),
  );
  app.notFound((context) => refuse(context, 404, 'there is nothing at this path'));

  app.use('/v1/*', async (context, next) => {
    if (context.req.header('x-api-key') !== apiKey) return refuse(context, 401, 'x-api-key is missing or not valid');
    await next();
    return undefined;
  });
  for (const operation of mounted)
    app.on(operation.row.method, operation.row.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) =>
      operations.serve(context, operation),
    );
  // Only local programs may control the simulator.
  for (const path of ['/__sim', '/__sim/*'])
    app.use(
      path,
      guard([], (message) => ({ error: { message } })),
    );
  app.route('/__sim', control({ world, journal, clock, plan, requests: operations.requests, refreshRequests: operations.refreshes }));
  return app;
}

/** Serves the operations with the faults that are active. */
class Operations {
  readonly #parts: ServiceParts;
  /** How often each path was requested. */
  readonly requests = new Map<string, number>();
  readonly refreshes: RefreshAsked[] = [];
  #rolls = 0;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  async serve(context: Served, { row, route }: Operation): Promise<Response> {
    const { world, journal, clock, plan } = this.#parts;
    this.requests.set(row.path, (this.requests.get(row.path) ?? 0) + 1);
    const struck = await this.#faultsFor(context, row.id);
    const latency = struckBy(struck, 'latency');
    if (latency) await clock.sleep(latency.milliseconds, context.req.raw.signal);
    const outgoing = context.env.outgoing;
    if (struckBy(struck, 'down')) {
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    const refused = refusalOf(context, struck);
    if (refused !== undefined) return refused;

    const given = context.req.method === 'POST' ? await fieldsOf(context) : context.req.query();
    const ask = { world, at: clock.now(), input: { ...given, ...context.req.param() } };
    let done: Done | undefined;
    if (route.kind === 'change') {
      done = await route.act(ask, journal);
      this.#recordRefresh({ at: ask.at, wallet: ask.input['walletPublicKey'], status: done.status });
      if (done.status !== 202) return new Response(jsonOf(done.body), { status: done.status, headers: { ...JSON_TYPE, ...done.headers } });
    }
    const limits: PagePlan = { ...plan, ...struckBy(struck, 'plan') };
    if (route.kind === 'csv') {
      if (!limits.exports) return refuse(context, 403, 'this plan has no exports');
      return new Response(exported(route, ask), { headers: { 'content-type': 'text/csv; charset=utf-8' } });
    }
    const paged = 'paged' in row && row.paged;
    const made =
      route.kind === 'change'
        ? envelopeOf(done?.body)
        : answer({ route: misled(route, struck), ask, paged, plan: limits, reversed: struckBy(struck, 'reversed') !== undefined });
    const whole = corrupt(made, struck);
    const body = typeof whole === 'string' ? whole : jsonOf(whole);
    if (struckBy(struck, 'cut')) return cutOff(outgoing, body);
    return new Response(body, {
      status: done?.status ?? 200,
      headers: typeof whole === 'string' ? { 'content-type': 'text/html' } : JSON_TYPE,
    });
  }

  async #faultsFor(context: Served, id: string): Promise<readonly Fault[]> {
    const { world, journal, clock } = this.#parts;
    const active = journal.faults();
    if (active.length === 0) return [];
    this.#rolls += 1;
    const { struck, left } = strike({
      active,
      request: { path: context.req.path, slug: context.req.query('slug') ?? context.req.query('project'), id },
      at: clock.now(),
      chance: (fault) => world.scene.roll('fault', fault, this.#rolls),
    });
    if (left !== active) await journal.setFaults(left, left.length !== active.length);
    return struck;
  }

  #recordRefresh(refresh: RefreshAsked): void {
    this.refreshes.push(refresh);
    if (this.refreshes.length > MAX_REFRESHES) this.refreshes.shift();
  }
}

type BrokenRow = Extract<Fault, { kind: 'broken-row' }>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function broken(row: unknown, how: BrokenRow['how']): unknown {
  if (how === 'null') return null;
  if (how === 'text' || !isObject(row)) return 'not a row';
  return Object.fromEntries(Object.keys(row).map((name) => [name, { unreadable: true }]));
}

function breakRow(rows: readonly unknown[], { index, field, value, how }: BrokenRow): readonly unknown[] {
  const hit = (row: unknown, at: number): boolean =>
    field === undefined ? at === index : isObject(row) && String(row[field]) === String(value);
  return rows.map((row, at) => (hit(row, at) ? broken(row, how) : row));
}

function overList(data: unknown, change: (rows: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(data)) return change(data);
  if (!isObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? change(value) : value]));
}

/** Applies faults that change the shape of a response or make rows unreadable. Returns text if the result is no longer JSON. */
function corrupt(answer: Envelope, struck: readonly Fault[]): unknown {
  const rows = struck.filter((fault): fault is BrokenRow => fault.kind === 'broken-row');
  const whole: Envelope =
    rows.length === 0
      ? answer
      : { ...answer, data: rows.reduce((data, fault) => overList(data, (all) => breakRow(all, fault)), answer.data) };
  switch (struckBy(struck, 'shape')?.shape) {
    case undefined:
      return whole;
    case 'envelope':
      return { result: whole.data, ok: true };
    case 'object':
      return { ...whole, data: { unexpected: true } };
    case 'null':
      return { ...whole, data: null };
    case 'html':
      return '<!doctype html><title>Be right back</title><p>We are improving things.</p>';
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const holdsExact = (value: unknown): boolean =>
  typeof value === 'bigint' || (isNested(value) && (isLosslessNumber(value) || Object.values(value).some(holdsExact)));

export const jsonOf = (body: unknown): string => (holdsExact(body) ? losslessJson(body) : JSON.stringify(body)) ?? 'null';

const plain = z.union([z.string(), z.number(), z.boolean(), z.bigint()]).transform(String);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isLosslessNumber(value)) return value.toString();
  const read = plain.safeParse(value);
  return read.success ? read.data : JSON.stringify(value);
}

function exported({ rows }: Export, ask: RouteRequest): string {
  const all = rows(ask);
  const columns = Object.keys(all[0] ?? {});
  return csv(
    all.map((row) => columns.map((name) => cell(row[name]))),
    { header: true, columns: [...columns] },
  );
}
