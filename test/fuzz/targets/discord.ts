/** What Discord posts, signed, to the interactions endpoint; answered by the dispatcher, each response as Discord would check it. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { Interactions } from '../../../src/platforms/discord/interactions.js';
import { openEndpoint } from '../../../src/platforms/discord/endpoint.js';
import type { RestRequest } from '../../../src/platforms/discord/rest.js';
import { openActions } from '../../../src/platforms/button-payloads.js';
import { textOnly } from '../../../src/platforms/attachments.js';
import { addressOf } from '../../../src/platforms/discord/address.js';
import { ServerPingRoles } from '../../../src/platforms/discord/ping-roles.js';
import { silentLog } from '../../../src/base/log.js';
import type { Target } from '../fuzz.js';
import { openFuzzedBot, unbroken } from '../bot.js';
import { harmless } from '../harmless.js';

const LIFETIME = 200;
const URL_OF_BOT = 'https://bot.example/discord';

const USER = { id: '2001', username: 'anna', global_name: 'Anna' };
const base = {
  ...{ id: '9001', token: 'aW50ZXJhY3Rpb24', application_id: '77', guild_id: '5001', channel_id: '6001' },
  ...{ channel: { parent_id: null }, member: { user: USER, nick: null, permissions: '2147483647' }, context: 0 },
  ...{ authorizing_integration_owners: { 0: '5001' }, attachment_size_limit: 10_485_760 },
};
const buttons = [
  {
    type: 1,
    components: [
      { type: 2, custom_id: '/premium tide', label: '1D' },
      { type: 2, custom_id: '/mute 1h', label: 'Mute' },
    ],
  },
];
const message = { flags: 0, interaction_metadata: { id: '8999', user: { id: USER.id } }, components: buttons };
const press = (id: string) => ({ ...base, type: 3, data: { custom_id: id }, message });

const SAMPLES: readonly unknown[] = [
  { type: 1 },
  {
    ...base,
    type: 2,
    data: {
      type: 1,
      name: 'premium',
      options: [
        { type: 3, name: 'project', value: 'tide' },
        { type: 3, name: 'range', value: '3M' },
      ],
    },
  },
  { ...base, type: 2, data: { type: 1, name: 'watch', options: [{ type: 3, name: 'target', value: 'tide' }] } },
  {
    ...base,
    type: 2,
    data: {
      type: 1,
      name: 'watchlist',
      options: [{ type: 11, name: 'from', value: '1' }],
      resolved: { attachments: { 1: { filename: 'a.json', size: 10, url: 'https://cdn.example/a' } } },
    },
  },
  {
    ...base,
    type: 2,
    data: {
      type: 3,
      name: 'Watch this wallet',
      target_id: '3',
      resolved: {
        messages: {
          3: { content: '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd', embeds: [{ title: 't', fields: [{ name: 'n', value: 'v' }] }] },
        },
      },
    },
  },
  { ...base, type: 4, data: { type: 1, name: 'premium', options: [{ type: 3, name: 'project', value: 'ti', focused: true }] } },
  ...[
    '/premium tide',
    '/mute 1h',
    '/unwatch tide',
    '#AAAAAAAAAAAAAAAAAAAA',
    'step:#AAAAAAAAAAAAAAAAAAAA',
    'form:/watch {}',
    '/alerts tide important',
    '/privacy delete',
  ].map(press),
  { ...press('menu'), data: { custom_id: 'menu', values: ['/premium tide 1D'] } },
  {
    ...base,
    type: 5,
    data: { custom_id: 'form:/watch {}', components: [{ type: 18, component: { custom_id: 'typed', value: 'tide' } }] },
    message,
  },
  { ...base, type: 2, user: USER, member: undefined, guild_id: undefined, context: 1, data: { type: 1, name: 'help' } },
];

export async function discord(): Promise<Target> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const bot = await openFuzzedBot({ answers: {} }, LIFETIME);
  const sent: RestRequest[] = [];
  let runs = 0;

  return {
    name: 'discord',
    json: true,
    inputs: SAMPLES.map((sample) => JSON.stringify(sample)),
    mayKeepMb: 120,
    async run(input) {
      const harness = await bot.next();
      const { clock, store, registry } = harness;
      runs += 1;
      sent.length = 0;
      const interactions = new Interactions({
        call: async (request) => {
          sent.push(request);
          return {};
        },
        commandIds: () => new Map(),
        ...{ actions: openActions(store, clock), catalogue: registry.catalogue, clock, log: silentLog, deferAfterMs: 1_200 },
        answer: async ({ ask, chat, circles }) => {
          const { reply } = await harness.ask({ ask, chat, circles: [...circles, 'console/operator'] });
          await harmless(reply);
          return reply;
        },
        membership: async () => false,
        chatOf: async ({ channel }) => addressOf(channel),
        pingRoles: new ServerPingRoles({
          call: async () => ({}),
          store,
          actions: openActions(store, clock),
          channelsOf: () => [],
          channels: { all: async () => [] },
          clock,
          log: silentLog,
        }),
        prepare: (reply) => textOnly(reply),
      });
      const endpoint = openEndpoint({ url: URL_OF_BOT, clock, log: silentLog });
      const work: Promise<unknown>[] = [];
      endpoint.open(Buffer.from(x, 'base64url').toString('hex'), (data) => void work.push(interactions.take(data)));
      const at = String(Math.floor(clock.now() / 1_000));
      // Every third is not signed by the platform.
      const isForged = runs % 3 === 0;
      const signature = isForged
        ? '0'.repeat(128)
        : sign(null, Buffer.concat([Buffer.from(at), Buffer.from(input)]), privateKey).toString('hex');
      const headers = { 'content-type': 'application/json', 'x-signature-timestamp': at, 'x-signature-ed25519': signature };
      const { status } = await endpoint.routes.app.request(URL_OF_BOT, { method: 'POST', headers, body: input });
      await Promise.all(work);
      await interactions.stop();
      unbroken(harness);
      if (isForged && (status === 202 || status === 200 || work.length > 0))
        throw new Error(`what was not signed is answered with ${status}`);
      if (![200, 202, 400, 401, 413].includes(status)) throw new Error(`answered with ${status}`);
      for (const { body } of sent) if (JSON.stringify(body ?? null).includes('"parse":["')) throw new Error('a response mentions');
      return `${status}${sent.length > 0 ? ' and a response' : ''}`;
    },
    idle: async () => bot.current().clock.next(),
    close: bot.close,
  };
}
