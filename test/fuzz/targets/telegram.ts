/** Updates that Telegram posts to the webhook: read, kept, read back, and each line or pressed button answered by the dispatcher. */
import { silentLog } from '../../../src/base/log.js';
import { openActions } from '../../../src/platforms/button-payloads.js';
import { incomingUpdateSchema, type InlineQuery } from '../../../src/platforms/telegram/incoming-update.js';
import { inlineLines } from '../../../src/platforms/telegram/inline.js';
import { pressed } from '../../../src/platforms/telegram/keyboard.js';
import { openReceiving, openWebhook } from '../../../src/platforms/telegram/receiving.js';
import type { Received } from '../../../src/platforms/telegram/update-queue.js';
import { CHAT } from '../../support/app-harness.js';
import { openFuzzedBot, unbroken } from '../bot.js';
import type { Target } from '../fuzz.js';
import { harmless } from '../harmless.js';

const LIFETIME = 200;
const URL_OF_BOT = 'https://bot.example/telegram';
const TOKEN = '7100000001:planted-secret';
const ME = 7_100_000_001;

const anna = { id: 50_000_001, is_bot: false, first_name: 'Anna' };
const group = { id: -1_001_234_567_890, type: 'supergroup', title: 'Harbour' };
const message = (more: object) => ({ update_id: 1, message: { message_id: 5, date: 1_795_176_000, chat: group, from: anna, ...more } });
const press = (data: string) => ({
  update_id: 2,
  callback_query: {
    ...{ id: '77', from: anna, chat_instance: '1', data },
    message: { message_id: 6, chat: group, date: 1, reply_markup: { inline_keyboard: [[{ text: 'x', callback_data: data }]] } },
  },
});

const SAMPLES: readonly object[] = [
  ...[
    '/help',
    '/premium tide',
    '/premium@navwatch_bot tide 3M',
    '/watch tide',
    '/mute tide supply 2h',
    'tide',
    '/alerts tide supply usd>10000',
  ].map((text) => message({ text })),
  message({ text: '/premium tide', message_thread_id: 3, is_topic_message: true, sender_chat: group, author_signature: 'Anna' }),
  message({
    text: 'until Friday',
    reply_to_message: { message_id: 4, from: { id: ME }, text: 'Mute until\n/mute tide {}', reply_markup: {} },
  }),
  message({ caption: '/watchlist import', document: { file_id: 'f', file_name: 'list.json', file_size: 100 } }),
  message({ migrate_to_chat_id: -1_001_234_567_891 }),
  message({ forum_topic_reopened: {} }),
  ...[
    '/premium tide',
    '/mute 1h',
    '/unwatch tide',
    '#AAAAAAAAAAAAAAAAAAAA',
    'v:AAAA:1:2',
    '?/watch {}',
    '/privacy delete',
    '/alerts tide everything',
  ].map(press),
  { update_id: 3, inline_query: { id: '1', from: anna, query: 'premium tide', offset: '' } },
  {
    update_id: 4,
    my_chat_member: {
      chat: group,
      from: anna,
      date: 1,
      old_chat_member: { status: 'member' },
      new_chat_member: { status: 'kicked', until_date: 0 },
    },
  },
];

export async function telegram(): Promise<Target> {
  const bot = await openFuzzedBot({ answers: {} }, LIFETIME);
  const { catalogue } = bot.current().registry;
  const identity = { me: ME, username: 'navwatch_bot', readsGroups: true, commands: new Set(catalogue.commands.map(({ name }) => name)) };
  const inline = inlineLines(catalogue);
  let runs = 0;

  return {
    name: 'telegram',
    json: true,
    inputs: SAMPLES.map((sample) => JSON.stringify(sample)),
    words: ['/premium', '@navwatch_bot', '#', 'v:', '?'],
    mayKeepMb: 120,
    async run(input) {
      const harness = await bot.next();
      const { clock, store } = harness;
      runs += 1;
      const received: Received[] = [];
      const queries: InlineQuery[] = [];
      const webhook = openWebhook({ token: TOKEN, url: URL_OF_BOT, log: silentLog });
      const queue = { take: async (all: readonly Received[]) => void received.push(...all) };
      webhook.open(openReceiving({ bot: identity, queue, inline: (query) => void queries.push(query), log: silentLog }));
      // Every third comes from somebody else.
      const isForged = runs % 3 === 0;
      const secret = isForged ? webhook.secret.slice(1) : webhook.secret;
      const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret };
      const { status } = await webhook.routes.app.request(URL_OF_BOT, { method: 'POST', headers, body: input });
      if (isForged && (status !== 401 || received.length + queries.length > 0))
        throw new Error(`a forged update is answered with ${status}`);
      if (![200, 400, 401, 413].includes(status)) throw new Error(`answered with ${status}`);
      for (const { query } of queries) await inline.of(query, CHAT);
      for (const { incoming } of received) {
        const kept = incomingUpdateSchema.parse(JSON.parse(JSON.stringify(incoming)));
        if (kept.kind !== 'ask' && kept.kind !== 'press') continue;
        const line = kept.kind === 'ask' ? kept.line : lineOf(await pressed(kept.data, openActions(store, clock)));
        if (line === undefined) continue;
        const { reply } = await harness.say(line, { id: `telegram/${kept.from.id}`, name: kept.from.name, manages: async () => false });
        unbroken(harness);
        await harmless(reply);
      }
      return `${status}${received.length > 0 ? ` ${received[0]?.incoming.kind ?? ''}` : ''}`;
    },
    idle: async () => bot.current().clock.next(),
    close: bot.close,
  };
}

const lineOf = (on: Awaited<ReturnType<typeof pressed>>): string | undefined => (on.kind === 'line' ? on.line : undefined);
