/** grammY's client over our own HTTP, with rate limiter and retries. */
import { autoRetry } from '@grammyjs/auto-retry';
import { Api, type Transformer } from 'grammy';
import { z } from 'zod';
import { SECOND } from '../../base/clock.js';
import type { Limiter } from '../limiter/limiter.js';
import { wire, WireError, type WireDeps } from './fetch.js';

export interface TelegramApiDeps extends WireDeps {
  readonly token: string;
  readonly apiRoot: string;
}

/** Seconds. A longer wait is left to the queue. */
const MAX_WAIT_HERE = 5;

/** Count against the flood limits; reading and "typing…" do not. */
const COUNTS = /^(send(?!ChatAction)|edit|copy|forward)/u;

const addressed = z.object({ chat_id: z.union([z.string(), z.number()]).transform(String) });

/** For uncounted calls, and alerts. */
// grammY refuses a slash at the end.
export const openApi = ({ token, apiRoot, ...deps }: TelegramApiDeps): Api =>
  new Api(token, { apiRoot: apiRoot.replace(/\/+$/u, ''), fetch: wire(deps) });

/** Counted requests wait for slots, in the turn of `asker`, who gets the answers. */
export function openAnsweringApi(deps: TelegramApiDeps, limiter: Limiter, asker?: string): Api {
  const api = openApi(deps);
  const limited: Transformer = async (prev, method, payload, signal) => {
    const { data } = COUNTS.test(method) ? addressed.safeParse(payload) : {};
    if (data === undefined) return prev(method, payload, signal);
    const slot = await limiter.take({ chat: data.chat_id, kind: 'answer', asker }, deps.closing);
    if (slot === undefined) throw new WireError('unreachable', 'the bot is stopping, or has to wait for long in this chat');
    try {
      const answer = await prev(method, payload, signal);
      if (!answer.ok && answer.error_code === 429) slot.refused((answer.parameters?.retry_after ?? 1) * SECOND);
      return answer;
    } finally {
      slot.answered();
    }
  };
  api.config.use(
    limited,
    // A call without an answer, or with a server error, may have been executed: the caller decides.
    autoRetry({ maxRetryAttempts: 2, maxDelaySeconds: MAX_WAIT_HERE, rethrowInternalServerErrors: true, rethrowHttpErrors: true }),
  );
  return api;
}
