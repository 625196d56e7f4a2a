/** The platform of outgoing webhooks. Each endpoint is a chat that a program reads; see docs/webhooks.md. */
import type { Platform } from '../../chat/platform.js';
import type { PlatformDeps } from '../descriptor.js';
import { webhookApi } from './api.js';
import { addressOf, idOf, openEndpoints, tidied } from './endpoints.js';
import { webhookNotifier } from './notifier.js';
import { createSender, type SenderDeps } from './sender.js';
import { webhookPage } from './webhook-page.js';

export type WebhookSettings = Pick<SenderDeps, 'isPrivateAllowed'>;

/** Creates the platform. Rejects with the store's error. */
export async function createWebhook({
  store,
  clock,
  log,
  onChatEvent,
  ...settings
}: WebhookSettings & Pick<PlatformDeps, 'store' | 'clock' | 'log' | 'onChatEvent' | 'isActive'>): Promise<Platform> {
  const endpoints = await openEndpoints(store, clock);
  const sender = createSender({ endpoints, clock, log, ...settings });
  const { isPrivateAllowed } = settings;

  /** Reports all endpoints again, because a crash may have come between storing an endpoint and its chat. */
  async function report(): Promise<void> {
    for (const endpoint of endpoints.all()) {
      const chat = addressOf(endpoint);
      await onChatEvent(
        endpoint.disabled === undefined ? { kind: 'back', chat } : { kind: 'gone', chat, because: endpoint.disabled.because },
      );
    }
  }

  return {
    notifier: webhookNotifier({ endpoints, sender, clock, log }),
    chats: () => endpoints.all().map(addressOf),
    page: { title: 'Webhooks', files: webhookPage(), api: webhookApi({ endpoints, sender, clock, log, onChatEvent, isPrivateAllowed }) },
    dataOwner: {
      kept: async (chat) => (endpoints.read(idOf(chat) ?? '') === undefined ? [] : ['the URL and the signing secret of this endpoint']),
      forgetChat: async (chat) => endpoints.remove(idOf(chat) ?? ''),
    },
    async sweep() {
      for (const { id } of endpoints.all()) await endpoints.change(id, (endpoint) => tidied(endpoint, clock.now()));
    },
    start: () => {
      report().catch((error: unknown) => log.error('webhook.not-reported', { error }));
    },
    stop: async () => sender.stop(),
  };
}
