/** Describes outgoing webhooks. Endpoints are created on the page, so the platform needs no setting. */
import { localOf } from '../../chat/address.js';
import { z } from 'zod';
import { setting } from '../../base/settings.js';
import { definePlatform } from '../descriptor.js';

export const webhook = definePlatform({
  name: 'webhook',
  title: 'Webhook',
  variables: {
    WEBHOOK_PRIVATE: setting(
      z
        .enum(['true', 'false'], 'say true or false')
        .default('false')
        .transform((text) => text === 'true'),
      {
        says: 'true: endpoints may be in private networks, where services of the operator answer. false: only public addresses, and this machine where the URL says so.',
        example: 'false',
      },
    ),
  },
  settings: (env) => ({ isPrivateAllowed: env.WEBHOOK_PRIVATE }),
  secrets: () => [],
  placeWord: 'chat',
  isAddress: (chat) => /^[a-z0-9]{10}$/u.test(localOf(chat)),
  greeting: () => ['A program reads this chat; its alerts are chosen on the page, under All platforms.'],
  create: async (settings, deps) => (await import('./webhook.js')).createWebhook({ ...settings, ...deps }),
});
