/** Serves the page "API keys" and its API, which `npm run key` calls too. The text of a key is only in the response that creates it. */
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { oneLine } from '../../base/one-line.js';
import { addressSchema, type Address } from '../../chat/address.js';
import type { ChatData } from '../../chat/chat-data.js';
import { iso } from '../program-data.js';
import { operatorPage } from '../operator-page.js';
import { MAX_KEYS, MAX_KEY_NAME, SCOPES, chatOf, type ApiKey, type ApiKeys } from './keys.js';

export interface KeysApiDeps {
  readonly keys: ApiKeys;
  readonly log: Log;
  readonly data: Pick<ChatData, 'present'>;
  readonly isEnabled: boolean;
  readonly forgetChat: (chat: Address) => Promise<void>;
}

const MAX_BODY = 8 * 1024;
const createSchema = z.object({
  name: z.string().max(500).default(''),
  scope: z.enum(SCOPES),
  chat: z.string().trim().max(200).default(''),
});

export function keysApi({ keys, log, data, isEnabled, forgetChat }: KeysApiDeps): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MAX_BODY, onError: (c) => complain(c, 413, 'The request is too long.') }));
  app.get('/keys', (c) => c.json({ keys: keys.all().map(forPage), max: MAX_KEYS, isEnabled }));
  app.post('/keys', async (c) => {
    const asked = createSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!asked.success) return complain(c, 400, 'Send JSON, for example {"name": "desk", "scope": "read"}. The scope is read or manage.');
    const given = keyParts(asked.data, data);
    if ('refused' in given) return complain(c, 400, given.refused);
    const made = await keys.create(given);
    if (made === undefined) return complain(c, 409, `There are ${MAX_KEYS} keys already. Revoke one first.`);
    log.info('api.key-created', { key: made.key.id, scope: made.key.scope, chat: made.key.chat });
    return c.json({ key: forPage(made.key), token: made.token }, 201);
  });
  app.post('/keys/:id/revoke', async (c) => {
    const key = await keys.revoke(c.req.param('id'));
    if (key === undefined) return complain(c, 404, 'There is no such key. List the keys again.');
    log.info('api.key-revoked', { key: key.id });
    // Without the key nobody can ask in its own chat, so the chat's data is deleted.
    if (key.chat === undefined) await forgetChat(chatOf(key));
    return c.json({});
  });
  return app;
}

/** Parses the parts of a new key. Returns why they are refused otherwise. */
function keyParts(
  { name, scope, chat }: z.output<typeof createSchema>,
  data: KeysApiDeps['data'],
): Pick<ApiKey, 'name' | 'scope' | 'chat'> | { readonly refused: string } {
  const label = oneLine(name).trim();
  if (label.length > MAX_KEY_NAME) return { refused: `The name has more than ${MAX_KEY_NAME} characters.` };
  if (chat === '')
    return scope === 'read'
      ? { name: label, scope }
      : { refused: 'A key that manages needs its chat, such as console/main. The page "All chats" shows the addresses.' };
  const address = addressSchema.safeParse(chat);
  if (!address.success) return { refused: 'That is no address of a chat. They are like console/main or discord/1234567890.' };
  const present = data.present(address.data);
  return present === undefined
    ? {
        refused:
          'The bot has no chat at this address. The page "All chats" shows the addresses. A channel is known once it watches something.',
      }
    : { name: label, scope, chat: present };
}

const complain = (c: Context, status: 400 | 404 | 409 | 413, error: string) => c.json({ error }, status);

const forPage = ({ id, name, scope, chat, createdAt, usedAt }: ApiKey) =>
  omitUndefined({ id, name, scope, chat, createdAt: iso(createdAt), usedAt: usedAt === undefined ? undefined : iso(usedAt) });

export function keysPage(): Hono {
  const root = fileURLToPath(new URL('page', import.meta.url));
  const app = new Hono();
  app.get('/', async (c) =>
    c.html(
      operatorPage({
        title: 'API keys',
        links: html`<a href="/api/docs">API</a>`,
        form: { title: 'New key', fields, button: 'Create key' },
        secret: { title: 'Your key', hint: 'It is shown only now, because only its hash is stored.' },
        list: 'Keys',
        script: '/operator/api/keys.js',
      }),
    ),
  );
  app.get('/keys.js', serveStatic({ root, path: 'keys.js' }));
  return app;
}

const fields = html`<div>
    <label for="scope">Scope</label>
    <select id="scope">
      <option value="read">Read</option>
      <option value="manage">Manage one chat</option>
    </select>
  </div>
  <div>
    <label for="chat">Chat</label>
    <input
      id="chat"
      type="text"
      maxlength="200"
      autocapitalize="none"
      spellcheck="false"
      placeholder="console/main"
      aria-describedby="chat-hint"
    />
  </div>
  <p id="chat-hint" class="hint">A key that reads and names no chat sees the watchlists and alerts of every chat.</p>`;
