/** The REST side: reads a call, lets a planned fault strike, asks who is calling and how often, answers, and writes it down. */
import { STATUS_CODES } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { breachesOf } from './contract.js';
import type { Faults, Strike } from './faults.js';
import { openInvalidCount } from './invalid.js';
import type { RateLimits } from './rate.js';
import { Refusal, refusal, refusalBody } from './refusal.js';
import { readPayload, type Payload } from './request.js';
import type { Answer, Call, Route } from './route.js';
import type { StandInContext } from './context.js';
import type { Recorder } from './transcript.js';
import { SIGNATURE } from './wire-message.js';
import type { Attachment } from './world.js';

type Ctx = Context<{ Bindings: HttpBindings }>;

export interface RestParts {
  readonly context: StandInContext;
  readonly routes: readonly Route[];
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly transcript: Recorder;
}

export interface Rest {
  readonly app: Hono<{ Bindings: HttpBindings }>;
  invalidRequests(): number;
}

const PREFIX = '/api/v10';

const stumbled = (status: number): Answer => ({ status, body: { message: `${status}: ${STATUS_CODES[status] ?? 'Error'}`, code: 0 } });

export function openRest(parts: RestParts): Rest {
  const invalid = openInvalidCount(parts.context.clock);
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const route of parts.routes) app.on(route.method, PREFIX + route.path, async (context) => serve(parts, invalid, { route, context }));
  app.get('/attachments/:channel/:file/:name', (context) => {
    const file = [...parts.context.world.messages.values()]
      .flatMap(({ files }) => files)
      .find(({ id }) => id === context.req.param('file'));
    return file === undefined ? context.notFound() : context.body(new Uint8Array(file.bytes));
  });
  app.get('/ephemeral-attachments/:application/:file/:name', async (context) => {
    const file = parts.context.world.attachments.get(context.req.param('file'));
    if (file === undefined || file.trouble === 'gone' || context.req.query('hm') !== SIGNATURE) return context.notFound();
    return handOut(context, file);
  });
  app.all('*', async (context) => serve(parts, invalid, { route: nowhere, context }));
  return { app, invalidRequests: invalid.count };
}

/** A file with its length alerted before; half of it where the line is to be cut or to context still. */
async function handOut(context: Ctx, { bytes, trouble }: Attachment): Promise<Response> {
  if (trouble === undefined) return context.body(new Uint8Array(bytes));
  const { outgoing } = context.env;
  outgoing.writeHead(200, { 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length / 2), () => {
    if (trouble === 'cut') outgoing.destroy();
  });
  return RESPONSE_ALREADY_SENT;
}

const nowhere: Route = {
  method: 'GET',
  path: '*',
  handle: () => {
    throw refusal('notFound');
  },
};

interface Served {
  readonly route: Route;
  readonly context: Ctx;
}

async function serve(parts: RestParts, invalid: ReturnType<typeof openInvalidCount>, { route, context }: Served): Promise<Response> {
  const path = context.req.path.slice(PREFIX.length);
  const { method } = context.req;
  const reading = await readPayload(context.env.incoming).then(
    (payload) => ({ payload, trouble: undefined }),
    (trouble: unknown) => ({ payload: { body: undefined, uploads: [], size: 0 } satisfies Payload, trouble }),
  );
  const strike = parts.faults.strike(method, path);
  await waitOut(strike);
  const spent = parts.limits.spend({ method, route: route.path, resource: resourceOf(context), exempt: route.byToken === true });
  const answer = strickenBefore(strike) ?? (await handled());
  const said = strickenAfter(strike, answer);
  const isCut = said === 'cut';
  const shown = isCut ? { status: 0 } : said;
  const { body: answerBody } = shown;
  parts.transcript.record({
    kind: 'rest',
    at: parts.context.clock.now(),
    method,
    path,
    query: context.req.query(),
    body: reading.payload.body,
    files: reading.payload.uploads.map(({ field, name, bytes }) => ({ field, name, size: bytes.length })),
    status: shown.status,
    answer: answerBody,
    code: codeOf(answerBody),
    breaches: breaches(answer),
  });
  if (isCut) {
    if (strike?.fault.kind === 'hang' || strike?.fault.kind === 'store-then-hang') await strike.released;
    context.env.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  invalid.answered(shown.status, strike?.fault.kind === 'limited' && strike.fault.scope === 'shared');
  return respond(shown, { ...spent.headers, ...limitHeaders(strike, spent) });

  async function handled(): Promise<Answer> {
    try {
      if (route.byToken !== true && context.req.header('authorization') !== `Bot ${parts.context.token}`) throw refusal('unauthorized');
      if (spent.retryAfter !== undefined) return limitedAnswer(spent.retryAfter, spent.scope === 'global');
      if (reading.trouble !== undefined) throw reading.trouble as Error;
      return await route.handle(callOf(context, reading.payload));
    } catch (trouble) {
      if (trouble instanceof Refusal) return refused(trouble);
      const breach = `the stand-in failed: ${String(trouble)}`;
      return { status: 500, body: { message: breach, code: 0 }, breach };
    }
  }
}

/** The contract has numbers for the codes of flaws, where the platform has words; so it looks at refusals without flaws only. */
const refused = (trouble: Refusal): Answer => ({
  status: trouble.status,
  body: refusalBody(trouble),
  ...(trouble.flaws.length === 0 && { contract: 'ErrorResponseSchema' }),
});

const callOf = (context: Ctx, payload: Payload): Call => ({
  param: (name) => context.req.param(name) ?? '',
  query: context.req.query(),
  payload,
});

/** Buckets are kept apart by these. */
const resourceOf = (context: Ctx): string =>
  ['channel', 'guild', 'webhook', 'token', 'interaction'].map((name) => context.req.param(name) ?? '').join('/');

const limitedAnswer = (retryAfter: number, global: boolean, code?: number): Answer => ({
  status: 429,
  body: { message: 'You are being rate limited.', retry_after: retryAfter, global, ...(code !== undefined && { code }) },
});

async function waitOut(strike: Strike | undefined): Promise<void> {
  if (strike?.fault.kind === 'slow') await Promise.race([strike.fault.until, strike.released]);
  // A breath, so that what a test does in the meantime is seen.
  await pause(0);
}

/** What a fault answers instead of the route. */
function strickenBefore(strike: Strike | undefined): Answer | undefined {
  const fault = strike?.fault;
  if (fault === undefined) return undefined;
  switch (fault.kind) {
    case 'status':
      return stumbled(fault.status);
    case 'cut':
    case 'hang':
      return { status: 0 };
    case 'limited':
      return limitedAnswer(fault.retryAfter, fault.scope === 'global', fault.code);
    case 'refused':
      return { status: fault.status, body: { message: fault.message ?? 'Refused by the test', code: fault.code } };
    default:
      return undefined;
  }
}

/** What a fault makes of the answer on its way back. */
function strickenAfter(strike: Strike | undefined, answer: Answer): Answer | 'cut' {
  switch (strike?.fault.kind) {
    case 'cut':
    case 'hang':
    case 'store-then-cut':
    case 'store-then-hang':
      return 'cut';
    case 'store-then-status':
      return stumbled(strike.fault.status);
    default:
      return answer;
  }
}

function limitHeaders(strike: Strike | undefined, spent: ReturnType<RateLimits['spend']>): Record<string, string> {
  if (strike?.fault.kind === 'limited') {
    const { retryAfter, scope = 'user' } = strike.fault;
    return {
      ...retryHeaders(retryAfter, scope),
      ...(scope !== 'global' && { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': String(retryAfter) }),
    };
  }
  return spent.retryAfter === undefined ? {} : retryHeaders(spent.retryAfter, spent.scope ?? 'user');
}

const retryHeaders = (retryAfter: number, scope: string): Record<string, string> => ({
  // Whole seconds in this header, the exact time in the body.
  'Retry-After': String(Math.ceil(retryAfter)),
  'X-RateLimit-Scope': scope,
  ...(scope === 'global' && { 'X-RateLimit-Global': 'true' }),
});

function respond({ status, body }: Answer, headers: Record<string, string>): Response {
  if (body === undefined) return new Response(null, { status, headers });
  return new Response(JSON.stringify(body), { status, headers: { ...headers, 'content-type': 'application/json' } });
}

const codeOf = (body: unknown): number | undefined => {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return typeof code === 'number' ? code : undefined;
};

function breaches({ body, contract, breach }: Answer): readonly string[] {
  if (breach !== undefined) return [breach];
  if (contract === undefined) return [];
  return (Array.isArray(body) ? body : [body]).flatMap((one: unknown) => breachesOf(contract, one));
}
