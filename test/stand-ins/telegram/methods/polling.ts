/** getMe, getUpdates, and what belongs to the way updates come. */
import { parsedUrl } from '../../../../src/base/parsed-url.js';
import { z } from 'zod';
import { badRequest } from '../refusal.js';
import type { Method } from './method.js';

/** Seconds; a longer wait is shortened. */
const LONGEST_POLL = 50;

export const getMe: Method = ({ world }) => world.me;

const kinds = z.array(z.string());

export const getUpdates: Method = async ({ world, params, signal }) => {
  const allowed = kinds.safeParse(params.json('allowed_updates', "Can't parse allowed_updates JSON object"));
  return world.updates.poll({
    offset: params.integer('offset'),
    limit: params.integer('limit', { least: 1, most: 100, otherwise: 100 }),
    timeout: params.integer('timeout', { least: 0, most: LONGEST_POLL, otherwise: 0 }),
    allowed: allowed.success ? allowed.data : undefined,
    signal,
  });
};

export const deleteWebhook: Method = ({ world, params }) => {
  if (params.flag('drop_pending_updates')) world.updates.drop();
  world.webhook = undefined;
  world.updates.toWebhook(false);
  return true;
};

const bad = (words: string) => badRequest(`bad webhook: ${words}`);
const PORTS = ['', '80', '88', '443', '8443'];

export const setWebhook: Method = (asked) => {
  const { world, params } = asked;
  const url = params.text('url');
  if (url === '') return deleteWebhook(asked);
  const parsed = parsedUrl(url);
  if (parsed === undefined) throw bad('invalid webhook URL specified');
  const { protocol, port } = parsed;
  if (protocol !== 'https:' && !world.localServer) throw bad('An HTTPS URL must be provided for webhook');
  if (!PORTS.includes(port) && !world.localServer) throw bad('Webhook can be set up only on ports 80, 88, 443 or 8443');
  const secret = params.text('secret_token');
  if (secret.length > 256) throw badRequest('secret token is too long');
  if (!/^[\w-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters');
  const allowed = kinds.safeParse(params.json('allowed_updates', "Can't parse allowed_updates JSON object"));
  if (params.flag('drop_pending_updates')) world.updates.drop();
  world.webhook = { url, secret: secret === '' ? undefined : secret, error: undefined };
  world.updates.toWebhook(true, allowed.success ? allowed.data : undefined);
  return true;
};

export const getWebhookInfo: Method = ({ world }) => ({
  url: world.webhook?.url ?? '',
  has_custom_certificate: false,
  pending_update_count: world.updates.pending.length,
  ...(world.webhook?.error === undefined
    ? {}
    : { last_error_date: world.webhook.error.date, last_error_message: world.webhook.error.message }),
});

/** Both belong to moving between servers; there is only this one. */
export const close: Method = () => true;
export const logOut: Method = () => true;
