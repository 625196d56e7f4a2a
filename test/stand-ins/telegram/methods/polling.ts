/** getMe, getUpdates, and what belongs to the way updates come: this stand-in knows no webhooks. */
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
  return true;
};

export const setWebhook: Method = (asked) => {
  if (!asked.params.has('url')) return deleteWebhook(asked);
  throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
};

export const getWebhookInfo: Method = ({ world }) => ({
  url: '',
  has_custom_certificate: false,
  pending_update_count: world.updates.pending.length,
});

/** Both belong to moving between servers; there is only this one. */
export const close: Method = () => true;
export const logOut: Method = () => true;
