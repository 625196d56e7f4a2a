/** A console on a loopback port, with everything behind it in the test's hands. */
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Clock } from '../../../src/base/clock.js';
import { OperatorLogin } from '../../../src/base/http-callers.js';
import { z } from 'zod';
import { silentLog } from '../../../src/base/log.js';
import { address } from '../../../src/chat/address.js';
import type { Catalogue, Suggestion } from '../../../src/chat/catalogue.js';
import type { Answerer } from '../../../src/chat/inbound.js';
import type { WatchedProjects } from '../../../src/chat/watched-projects.js';
import type { PanelState } from '../../../src/chat/status-strip.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import { createConsole, type ConsoleDeps } from '../../../src/platforms/console/console.js';
import { renderings } from '../../../src/platforms/index.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';

/** Suggests the given lines that begin with what is typed. */
export const catalogueOf = (lines: readonly (readonly [line: string, hint: string])[]): Catalogue => ({
  commands: [],
  complete: async (typed, _chat, limit): Promise<readonly Suggestion[]> =>
    lines
      .filter(([line]) => line.startsWith(typed))
      .slice(0, limit)
      .map(([line, hint]) => ({ insert: line, label: line, hint })),
  completeOption: async () => [],
});

export const allWell: PanelState = {
  service: { ok: true, says: 'ok, 98 ms', invented: false },
  feeds: [],
  budget: { used: 0 },
  deliveries: { waiting: 0, sent: 0 },
  store: { ok: true },
};

export const noneWatched: WatchedProjects = { read: async () => ({ total: 0, isAny: false, projects: [] }) };

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Says back what was asked. */
const echo: Answerer = async ({ ask }) => reply({ finding: ['line' in ask ? `you said ${ask.line}` : ask.command] });

const messageSchema = z.looseObject({ id: z.int(), at: z.iso.datetime(), kind: z.enum(['question', 'reply', 'alert']), text: z.string() });
export const bodySchema = z.looseObject({
  error: z.string().optional(),
  messages: z.array(messageSchema).optional(),
  replies: z.array(messageSchema).optional(),
});
type Body = z.infer<typeof bodySchema>;

export interface ConsoleHarness extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly console: Awaited<ReturnType<typeof createConsole>>;
  /** Posts a question and answers status and body. */
  say(text: string, chat?: string): Promise<{ status: number; body: Body }>;
  get(path: string): Promise<{ status: number; body: Body }>;
  /** Delivers an alert to a chat of the console. */
  alert(id: string, what: Reply | string, chat?: string, how?: { readonly silent: true }): Promise<unknown>;
  /** A request with headers that `fetch` would not send. */
  raw(options: { path: string; method?: string; headers?: OutgoingHttpHeaders; body?: string }): Promise<RawAnswer>;
}
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const STORED_TOKEN = 'stored-token-of-the-console';
/** Of whoever is logged in to a console without CONSOLE_TOKEN. */
export const OPERATOR = { authorization: `Bearer ${STORED_TOKEN}` };

interface HarnessOptions {
  readonly port?: number;
  /** As CONSOLE_TOKEN: nobody may ask without it. Otherwise this machine may, and the token is a stored one. */
  readonly token?: string;
}

/** Opens a console; what is not given is empty, echoing, all well, and at noon. `port` to take an old place again. */
export async function openHarness(needs: Partial<ConsoleDeps> & HarnessOptions = {}): Promise<ConsoleHarness> {
  const { port: wanted = 0, token, ...given } = needs;
  const clock: Clock = given.clock ?? handClock();
  const built = await createConsole({
    store: given.store ?? (await openStore('memory://')),
    log: silentLog,
    answer: echo,
    catalogue: catalogueOf([]),
    panel: { read: async () => allWell },
    watched: noneWatched,
    renderings,
    login: new OperatorLogin({ token: token ?? STORED_TOKEN, clock }),
    openTo: token === undefined ? { isPortLocal: false } : 'nobody',
    ...given,
    clock,
  });
  const server = serve({ fetch: built.routes.app.fetch, hostname: '127.0.0.1', port: wanted }) as Server;
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const json = async (response: Response) => ({ status: response.status, body: bodySchema.parse(await response.json()) });
  return {
    url,
    port,
    console: built,
    say: async (text, chat = 'main') =>
      json(await fetch(`${url}/api/chats/${chat}/messages`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ text }) })),
    get: async (path) => json(await fetch(`${url}${path}`)),
    alert: async (id, what, chat = 'main', how) =>
      built.notifier.deliver(address('console', chat), { id, reply: typeof what === 'string' ? reply({ finding: [what] }) : what, ...how }),
    raw: async ({ path, method = 'GET', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
        });
        sent.on('error', reject).end(body);
      }),
    async [Symbol.asyncDispose]() {
      await built.close();
      const ended = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
}
