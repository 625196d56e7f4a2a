/** The API of the page "API keys" and of `npm run key`. The text of a key is in the answer that creates it, and nowhere else. */
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { oneLine } from '../../base/one-line.js';
import { addressSchema, type Address } from '../../chat/address.js';
import type { ChatData } from '../../chat/chat-data.js';
import { MAX_KEYS, MAX_KEY_NAME, SCOPES, chatOf, type ApiKey, type ApiKeys } from './keys.js';
import { iso } from './questions.js';

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
    // Nobody can ask in the key's own chat any more.
    if (key.chat === undefined) await forgetChat(chatOf(key));
    return c.json({});
  });
  return app;
}

/** What a key is made of, or why it is refused. */
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
