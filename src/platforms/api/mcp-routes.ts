/** Serves `/mcp`, MCP over Streamable HTTP. The SDK is loaded at the first request, so that a bot without MCP saves its memory. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { Hono, type Context } from 'hono';
import { limitedBody } from '../../base/http.js';
import type { Catalogue } from '../../chat/catalogue.js';
import type { ApiKey } from './keys.js';
import type { McpDeps } from './mcp.js';
import { Problem } from './problems.js';

interface McpRoutesDeps extends McpDeps {
  readonly catalogue: Pick<Catalogue, 'commands'>;
  /** Throws a `Problem`. */
  readonly keyOf: (c: Context) => ApiKey;
}

const MAX_BODY = 64 * 1024;

export function mcpRoutes({ catalogue, keyOf, ...deps }: McpRoutesDeps): Hono {
  const app = new Hono();
  let tools: readonly Tool[] | undefined;
  const tooLarge = (): never => {
    throw new Problem('too-large', `A message has at most ${MAX_BODY / 1024} KB.`);
  };
  app.post('/', limitedBody({ maxSize: MAX_BODY, onError: tooLarge }), async (c) => {
    const key = keyOf(c);
    const body = await bodyOf(c);
    const { answerMessage, toolsOf } = await import('./mcp.js');
    tools ??= toolsOf(catalogue.commands);
    return answerMessage({ request: c.req.raw, body, key }, { ...deps, tools });
  });
  // Without sessions and server-initiated messages, there is nothing to stream (GET) or to end (DELETE).
  app.all('/', (c) => {
    keyOf(c);
    c.header('Allow', 'POST');
    throw new Problem('wrong-method', 'Send each message with POST.');
  });
  return app;
}

async function bodyOf(c: Context): Promise<unknown> {
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch {
    throw new Problem('invalid', 'The body is not JSON.');
  }
  if (Array.isArray(body)) throw new Problem('invalid', 'Send one message at a time.');
  return body;
}
