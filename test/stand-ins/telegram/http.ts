/**
 * From a request to an answer. Plain node:http, because tests cut the line before, after and within an answer, which a framework hides.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFields } from './body.js';
import type { Answer, Call, Fault } from './control.js';
import type { Faults } from './faults.js';
import { pathOf } from './methods/files.js';
import { findMethod, isMessage } from './methods/index.js';
import { readParams, type Params } from './params.js';
import type { Rates } from './rates.js';
import { Refusal, tooMany } from './refusal.js';
import { unauthorized } from './access.js';
import type { World } from './world.js';

export interface ServerContext {
  readonly world: World;
  readonly faults: Faults;
  readonly rates: Rates;
  readonly transcript: Recorded[];
  /** Aborted when the stand-in closes. */
  readonly closing: AbortSignal;
}

export type Recorded = { -readonly [Key in keyof Call]: Call[Key] };

/** Ends by answering, by cutting, or when the caller or the stand-in gives up. */
export async function serve(context: ServerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const { closing } = context;
  const left = new AbortController();
  const leave = () => left.abort(new Error('telegram stand-in: the caller went away'));
  response.once('close', leave);
  try {
    const file = /^\/file\/bot([^/]*)\/(.+)$/.exec(url.pathname);
    if (file)
      return await sendFile(context, {
        response,
        token: file[1] ?? '',
        path: file[2] ?? '',
        signal: AbortSignal.any([closing, left.signal]),
      });
    const [, token, name] = /^\/bot([^/]*)\/([^/]*)$/.exec(url.pathname) ?? [];
    if (token === undefined || name === undefined) return send(response, refused(new Refusal(404, 'Not Found')));
    await answer(context, {
      request,
      response,
      url,
      token: decodeURIComponent(token),
      name,
      signal: AbortSignal.any([closing, left.signal]),
    });
  } catch (cause) {
    if (left.signal.aborted || closing.aborted) return void response.destroy();
    if (cause instanceof Refusal) return send(response, refused(cause));
    // A mistake of the stand-in itself: loud, so that no test takes it for the platform's behaviour.
    const words = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    send(response, { ok: false, error_code: 500, description: `Internal Server Error: the stand-in failed: ${words}` });
  }
}

interface Request {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly token: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

async function answer(context: ServerContext, { request, response, url, token, name, signal }: Request): Promise<void> {
  const { world, faults, transcript } = context;
  const params = readParams(await readFields(request, url.searchParams));
  const method = findMethod(name);
  const chat = params.has('chat_id') ? params.integer('chat_id') : undefined;
  const fault = faults.next({ method: method?.name ?? name, chat });
  const call: Recorded = {
    method: method?.name ?? name,
    params: params.shown,
    at: world.clock.now(),
    answer: undefined,
    fault: fault?.kind,
  };
  transcript.push(call);
  world.changed();
  const done = (given: Answer): void => {
    call.answer = given;
    world.changed();
  };
  if (fault && !(await survives({ fault, world, response, signal, done }))) return;
  const result = await carryOut(context, { token, name, params, signal });
  if (fault?.kind === 'cut-after') return cut(context, response);
  if (fault?.kind === 'hang-after') return hang(context, signal);
  done(result);
  if (fault?.kind === 'half-answer') return sendHalf(response, result);
  send(response, result);
}

async function carryOut(
  context: ServerContext,
  asked: Pick<Request, 'token' | 'name' | 'signal'> & { readonly params: Params },
): Promise<Answer> {
  const { world, rates } = context;
  const { token, name, params, signal } = asked;
  try {
    if (token !== world.token) throw unauthorized();
    const method = findMethod(name);
    if (!method) throw new Refusal(404, 'Not Found: method not found');
    const wait = rates.on && isMessage(method.name) ? rates.spend(params.integer('chat_id')) : undefined;
    if (wait !== undefined) throw tooMany(wait);
    // A copy: what the bot holds must not change when the world does.
    return { ok: true, result: structuredClone(await method.run({ world, params, signal })) };
  } catch (cause) {
    if (cause instanceof Refusal) return refused(cause);
    throw cause;
  }
}

function refused({ code, description, parameters }: Refusal): Answer {
  return { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) };
}

interface Struck {
  readonly fault: Fault;
  readonly world: World;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  readonly done: (answer: Answer) => void;
}

/** Whether the call is carried out all the same; what is not is answered, cut or left hanging here. */
async function survives({ fault, world, response, signal, done }: Struck): Promise<boolean> {
  switch (fault.kind) {
    case 'too-many':
    case 'refuse': {
      const { code, description, parameters } = fault.kind === 'refuse' ? { parameters: undefined, ...fault } : tooMany(fault.retryAfter);
      const answer: Answer = { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) };
      done(answer);
      send(response, answer);
      return false;
    }
    case 'bad-gateway':
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end(
        '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>\r\n',
      );
      return false;
    case 'cut-before':
      response.destroy();
      return false;
    case 'hang':
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      return false;
    case 'slow':
      await world.clock.sleep(fault.ms, signal);
      return true;
    case 'cut-after':
    case 'hang-after':
    case 'half-answer':
      return true;
  }
}

function cut({ world }: ServerContext, response: ServerResponse): void {
  response.destroy();
  world.changed();
}

async function hang({ world }: ServerContext, signal: AbortSignal): Promise<void> {
  world.changed();
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function send(response: ServerResponse, answer: Answer): void {
  const wait = answer.ok ? undefined : answer.parameters?.retry_after;
  response.writeHead(answer.ok ? 200 : answer.error_code, {
    'content-type': 'application/json',
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
  });
  response.end(JSON.stringify(answer));
}

function sendHalf(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(JSON.stringify(answer));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
}

interface Download {
  readonly response: ServerResponse;
  readonly token: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

async function sendFile({ world, faults, transcript }: ServerContext, { response, token, path, signal }: Download): Promise<void> {
  const fault = faults.next({ method: 'file', chat: undefined });
  const call: Recorded = { method: 'file', params: { path }, at: world.clock.now(), answer: undefined, fault: fault?.kind };
  transcript.push(call);
  world.changed();
  const done = (answer: Answer): void => {
    call.answer = answer;
    world.changed();
  };
  if (fault && !(await survives({ fault, world, response, signal, done }))) return;
  const file = [...world.files.values()].find((stored) => pathOf(stored) === decodeURIComponent(path));
  if (decodeURIComponent(token) !== world.token) return send(response, refused(unauthorized()));
  if (!file) return send(response, refused(new Refusal(404, 'Not Found')));
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(file.bytes.length) });
  if (fault) return void response.write(file.bytes.subarray(0, Math.ceil(file.bytes.length / 2)), () => response.destroy());
  done({ ok: true, result: file.bytes.length });
  response.end(file.bytes);
}
