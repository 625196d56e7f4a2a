/** Webhooks over one store, with strict receivers on the loopback and a clock that only the test turns. */
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { silentLog, type Log } from '../../../src/base/log.js';
import { addressSchema } from '../../../src/chat/address.js';
import type { ChatEvent, Platform } from '../../../src/chat/platform.js';
import { createWebhook, type WebhookSettings } from '../../../src/platforms/webhook/webhook.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { startReceiver, type Receiver, type ReceiverOptions } from '../../stand-ins/webhook/receiver.js';
import { handClock } from '../../support/clock.js';

const endpointSchema = z.object({
  id: z.string(),
  address: addressSchema,
  name: z.string(),
  url: z.string(),
  format: z.string(),
  disabled: z.string().optional(),
  failing: z.object({ since: z.string(), count: z.int(), problem: z.string() }).optional(),
  oldSecretUntil: z.string().optional(),
});
const answerSchema = z.object({
  error: z.string().optional(),
  endpoint: endpointSchema.optional(),
  secret: z.string().optional(),
  endpoints: z.array(endpointSchema).optional(),
  ok: z.boolean().optional(),
  problem: z.string().optional(),
  sample: z.object({ ok: z.boolean(), problem: z.string().optional() }).optional(),
});

export async function openWebhooks({
  store: given,
  log = silentLog,
  ...settings
}: Partial<WebhookSettings> & { store?: Store; log?: Log } = {}) {
  const clock = handClock();
  const store = given ?? (await openStore('memory://'));
  const reported: ChatEvent[] = [];
  const open = async (): Promise<Platform> =>
    createWebhook({ isPrivateAllowed: false, ...settings, store, clock, log, onChatEvent: async (event) => void reported.push(event) });
  let platform = await open();
  onTestFinished(async () => platform.stop());

  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await platform.page?.api.request(`/${path}`, init);
    const text = (await response?.text()) ?? '';
    return { status: response?.status, text, ...answerSchema.parse(JSON.parse(text)) };
  };
  const receive = async (options: ReceiverOptions = {}): Promise<Receiver> => {
    const receiver = await startReceiver({ now: () => clock.now(), ...options });
    onTestFinished(async () => receiver.close());
    return receiver;
  };
  return {
    clock,
    store,
    reported,
    platform: () => platform,
    async restart() {
      await platform.stop();
      platform = await open();
      return platform;
    },
    ask,
    receive,
    /** An endpoint at a receiver that trusts its secret. */
    async connect(receiver: Receiver, url = receiver.url) {
      const { endpoint, secret, error } = await ask('endpoints', { name: 'desk', url });
      if (endpoint === undefined || secret === undefined) throw new Error(`no endpoint: ${error}`);
      receiver.trust(secret);
      return { ...endpoint, secret };
    },
    endpoint: async (id: string) => (await ask('endpoints')).endpoints?.find((one) => one.id === id),
  };
}
