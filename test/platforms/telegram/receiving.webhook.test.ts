import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND, systemClock } from '../../../src/base/clock.js';
import { closed, listen } from '../../../src/base/http.js';
import { reply } from '../../../src/chat/reply.js';
import { openFillingStore } from './filling-store.js';
import { openHarness, stopped, type TelegramHarness } from './harness.js';

/** The bot's HTTP server, which outlives its processes here. */
let current: TelegramHarness | undefined;
let server: Awaited<ReturnType<typeof listen>>;
let webhookUrl: string;
let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];

const open = async (needs: Parameters<typeof openHarness>[0] = {}) => {
  harness = await openHarness({ webhookUrl, ...needs }, { localServer: true });
  ({ telegram } = harness);
  current = harness;
};
/** Starts it and waits until the webhook is set. */
const start = async (of: TelegramHarness) => {
  current = of;
  const before = telegram.calls('setWebhook').length;
  of.platform.start();
  await telegram.waitFor(() =>
    telegram
      .calls('setWebhook')
      .slice(before)
      .some(({ answer }) => answer?.ok === true),
  );
};
/** Turns the clock so that Telegram repeats what it could not deliver. */
const delivered = async () => harness.turnUntil(() => telegram.pending.length === 0);
const secret = () => String(telegram.calls('setWebhook')[0]?.params['secret_token']);
const request = async (init: RequestInit & { readonly token?: string } = {}) => {
  const { token = secret(), ...rest } = init;
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': token };
  return (await harness.platform.routes!.app.request(webhookUrl, { method: 'POST', headers, body: '{}', ...rest })).status;
};

beforeEach(async () => {
  const app = new Hono();
  app.all('*', async (c) => current?.platform.routes?.app.fetch(c.req.raw) ?? c.body(null, 502));
  server = await listen(app, { host: '127.0.0.1', port: 0 });
  webhookUrl = `${server.url}telegram`;
  await open();
});
afterEach(async () => {
  await harness.close();
  server.server.close();
  await closed(server.server, { clock: systemClock }).catch(() => undefined);
});

describe('with a webhook', () => {
  test('updates come by it, with a secret, and nothing is polled', async () => {
    await start(harness);
    const { anna: from, chat } = harness.privately();
    telegram.say({ chat, from, text: '/help' });
    await harness.posts(chat);
    expect(harness.lines()).toEqual(['/help']);
    expect(telegram.calls('getUpdates')).toEqual([]);
    expect(telegram.calls('setWebhook')[0]?.params).toMatchObject({
      url: webhookUrl,
      secret_token: expect.stringMatching(/^[\w-]{32,256}$/u),
      allowed_updates: expect.arrayContaining(['message', 'callback_query', 'inline_query']),
    });
    expect(secret()).not.toContain('planted');
    expect(await harness.platform.notifier.diagnose()).toMatchObject({ ok: true });
  });

  test('a request of somebody else is refused and changes nothing', async () => {
    expect(await request({ token: 'guess' })).toBe(401);
    await start(harness);
    const { anna: from, chat } = harness.privately();
    const update = { update_id: 1, message: { message_id: 1, date: 1, chat: { id: chat, type: 'private' }, from, text: '/watch all' } };
    const body = JSON.stringify(update);
    for (const token of ['', 'guess', secret().slice(1), `${secret()}x`]) expect(await request({ token, body })).toBe(401);
    expect(await request({ method: 'GET', body: null })).toBe(404);
    expect(await request({ body: 'no JSON' })).toBe(400);
    expect(await request({ body: JSON.stringify({ ...update, padding: 'x'.repeat(2_000_000) }) })).toBe(413);
    expect(await request({ body: '{"no":"update"}' })).toBe(200);
    expect(harness.lines()).toEqual([]);
    expect(await request({ body })).toBe(200);
    await harness.posts(chat);
    expect(harness.lines()).toEqual(['/watch all']);
  });

  test('Telegram has its answer before the person has theirs', async () => {
    await start(harness);
    const { anna: from, chat } = harness.privately();
    let finish: () => void = () => undefined;
    harness.answers(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return reply({ finding: ['done'] });
    });
    telegram.say({ chat, from, text: '/premium tide' });
    await telegram.waitFor(() => telegram.pending.length === 0 && harness.inbounds.length === 1);
    expect(telegram.posted(chat)).toEqual([]);
    finish();
    await harness.posts(chat);
  });

  test('an update whose answer was lost comes again and is done once, in the next process too', async () => {
    await start(harness);
    const { anna: from, chat } = harness.privately();
    telegram.fail({ method: 'webhook', fault: { kind: 'cut-after' }, times: 2 });
    telegram.say({ chat, from, text: '/help' });
    await harness.posts(chat);
    await stopped(harness.platform, harness.clock);
    const next = await harness.again();
    await start(next);
    await delivered();
    telegram.say({ chat, from, text: '/premium' });
    await harness.posts(chat, 2);
    expect([...harness.lines(), ...next.lines()]).toEqual(['/help', '/premium']);
  });

  test('what is said while it is down waits at Telegram, and a question in hand at a kill is answered after it', async () => {
    await start(harness);
    const { anna: from, chat } = harness.privately();
    harness.answers(async () => new Promise<never>(() => undefined));
    telegram.say({ chat, from, text: '/premium tide' });
    await telegram.waitFor(() => harness.inbounds.length === 1);
    await stopped(harness.platform, harness.clock);
    const boris = telegram.person();
    const other = telegram.privateChat(boris);
    telegram.say({ chat: other, from: boris, text: '/help' });
    await harness.clock.advance(5 * SECOND);
    expect(telegram.pending).toHaveLength(1);
    const next = await harness.again();
    await start(next);
    await delivered();
    await harness.posts(chat);
    await harness.posts(other);
    expect(next.lines().toSorted()).toEqual(['/help', '/premium tide']);
    expect([...telegram.posted(chat), ...telegram.posted(other)]).toHaveLength(2);
  });

  test('an update that cannot be kept is refused, and comes again', async () => {
    await harness.close();
    const { store, fill } = await openFillingStore();
    await open({ store });
    await start(harness);
    await telegram.waitFor(() => telegram.calls('setMyShortDescription').length === 1);
    fill(true);
    const { anna: from, chat } = harness.privately();
    telegram.say({ chat, from, text: '/help' });
    await harness.turnUntil(() => harness.log.some(({ event }) => event === 'telegram.update-not-kept'));
    expect(harness.lines()).toEqual([]);
    fill(false);
    await delivered();
    await harness.posts(chat);
    expect(harness.lines()).toEqual(['/help']);
  });

  test('one that something else replaced is set again', async () => {
    await start(harness);
    telegram.hookElsewhere('http://127.0.0.1:9/other');
    await harness.turnUntil(() => telegram.calls('setWebhook').length === 2);
    expect(telegram.calls('setWebhook')[1]?.params).toMatchObject({ url: webhookUrl, secret_token: secret() });
  });

  test('a delivery that fails is said, until it works again', async () => {
    await start(harness);
    const { anna: from, chat } = harness.privately();
    const mend = telegram.fail({ method: 'webhook', fault: { kind: 'cut-before' }, times: 'always' });
    telegram.say({ chat, from, text: '/help' });
    await harness.turnUntil(() => harness.log.some(({ event }) => event === 'telegram.trouble'));
    expect(await harness.platform.notifier.diagnose()).toMatchObject({ ok: false, says: expect.stringContaining('Connection reset') });
    mend();
    await delivered();
    await harness.clock.advance(5 * MINUTE);
    expect(await harness.platform.notifier.diagnose()).toMatchObject({ ok: true });
  });

  test('an address that Telegram refuses is said with the remedy', async () => {
    telegram.fail({
      method: 'setWebhook',
      fault: { kind: 'refuse', code: 400, description: 'Bad Request: bad webhook: Failed to resolve host' },
    });
    harness.platform.start();
    await harness.turnUntil(() => harness.log.some(({ event }) => event === 'telegram.trouble'));
    expect(await harness.platform.notifier.diagnose()).toMatchObject({ ok: false, says: expect.stringContaining('TELEGRAM_WEBHOOK_URL') });
    await harness.turnUntil(() => telegram.calls('setWebhook').some(({ answer }) => answer?.ok === true));
  });
});

test('a bot that is switched to polling and back loses and repeats nothing', async () => {
  const { anna: from, chat } = harness.privately();
  const asked: string[] = [];
  const say = (text: string) => void telegram.say({ chat, from, text });
  say('/before any start');
  await start(harness);
  await harness.posts(chat, 1);
  await stopped(harness.platform, harness.clock);
  say('/before polling');
  const polling = await harness.again({ webhookUrl: undefined });
  await polling.listen();
  await harness.posts(chat, 2);
  say('/while polling');
  await harness.posts(chat, 3);
  await stopped(polling.platform, harness.clock);
  say('/before the webhook');
  const hooked = await harness.again({ webhookUrl });
  await start(hooked);
  await delivered();
  await harness.posts(chat, 4);
  for (const one of [harness, polling, hooked]) asked.push(...one.lines());
  expect(asked).toEqual(['/before any start', '/before polling', '/while polling', '/before the webhook']);
});
