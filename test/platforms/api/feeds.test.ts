/** Calendars and feeds as apps read them: parsers that are not the writer's, and the whole bot behind its addresses. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { DAY } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { HOSTILE } from '../telegram/hostile.js';
import { openApiBot, type ApiBot } from './bot-with-keys.js';
import { eventsIn, withoutDebianParsers } from './calendar-parsers.js';

async function addressOf(bot: ApiBot, kind: 'calendar' | 'alerts', chat = 'main'): Promise<string> {
  const said = await bot.inChat(chat).say(`/feeds new ${kind}`);
  const [found = ''] = /https:\/\/bot\.example\/feeds\/\S+/u.exec(said) ?? [];
  return new URL(found).pathname;
}

/** Another port answers after a restart. */
const at = async (bot: ApiBot, path: string, init: RequestInit = {}): Promise<Response> => fetch(bot.url(path), init);
const textAt = async (bot: ApiBot, path: string): Promise<string> => (await at(bot, path)).text();

const HOURS = 3_600;

test('a calendar has the markets that the chat watches, and an end that moves keeps its event', async () => {
  const bot = await openApiBot();
  await bot.say('/watch tide');
  await bot.sim({
    kind: 'proposal',
    project: 'tide',
    title: 'Fund the second audit',
    draftSeconds: 1,
    liveSeconds: 48 * HOURS,
    twapAfterSeconds: 24 * HOURS,
  });
  await bot.pass(300);
  const url = await addressOf(bot, 'calendar');
  const response = await at(bot, url);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const events = eventsIn(await response.text());
  const market = events.find(({ summary }) => summary.includes('"Fund the second audit" ends'));
  const window = events.find(({ summary }) => summary.includes('TWAP window of "Fund the second audit"'));
  expect(market).toMatchObject({ sequence: 0, status: 'CONFIRMED', end: undefined });
  expect(window?.end).toBe(market?.start);
  expect((window?.start ?? 0) + 24 * HOURS * 1_000).toBe(market?.start);
  // The service and the bot begin again, and the events keep their ids.
  await bot.restart();
  expect(eventsIn(await textAt(bot, url)).map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid));
});

test('what is watched no longer is cancelled in the calendar of who subscribed, and comes back with a higher version', async () => {
  const bot = await openApiBot();
  await bot.say('/watch tide');
  await bot.sim({ kind: 'proposal', project: 'tide', title: 'Raise the allowance', draftSeconds: 1, liveSeconds: 48 * HOURS });
  await bot.pass(300);
  const url = await addressOf(bot, 'calendar');
  const find = async () => eventsIn(await textAt(bot, url)).find(({ summary }) => summary.includes('Raise the allowance'));
  const before = await find();
  await bot.say('/unwatch tide');
  await bot.pass(120);
  expect(await find()).toEqual({ ...before, status: 'CANCELLED', sequence: 1 });
  await bot.say('/watch tide');
  await bot.pass(120);
  expect(await find()).toEqual({ ...before, status: 'CONFIRMED', sequence: 2 });
});

test.skipIf(withoutDebianParsers !== undefined)(
  `six parsers agree on what a chat's calendar has after a cancellation${withoutDebianParsers === undefined ? '' : ` (${withoutDebianParsers})`}`,
  async () => {
    const bot = await openApiBot();
    await bot.say('/watch tide');
    await bot.say('/watch heron');
    await bot.sim({ kind: 'proposal', project: 'heron', title: 'Äpfel, "Birnen"; 🌊', draftSeconds: 1, liveSeconds: 48 * HOURS });
    await bot.pass(300);
    const url = await addressOf(bot, 'calendar');
    await textAt(bot, url);
    await bot.say('/unwatch tide');
    await bot.pass(120);
    const text = await textAt(bot, url);
    const events = eventsIn(text);
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['CONFIRMED', 'CANCELLED']));
    expect(events.filter(({ summary }) => summary.includes('Äpfel, "Birnen"; 🌊')).length).toBeGreaterThan(0);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
    // As a message it would need an organizer for each event.
    expect(text).not.toContain('METHOD');
  },
);

test('a service that is down cancels nothing', async () => {
  const bot = await openApiBot();
  await bot.say('/watch tide');
  await bot.pass(120);
  const url = await addressOf(bot, 'calendar');
  const before = await textAt(bot, url);
  await bot.sim({ kind: 'down' });
  await bot.pass(600);
  expect(eventsIn(await textAt(bot, url)).filter(({ status }) => status === 'CANCELLED')).toEqual([]);
  expect(eventsIn(before).length).toBeGreaterThan(0);
});

test('titles from outside break neither the calendar nor the feed', async () => {
  const bot = await openApiBot({ everythingIn: [address('console', 'main')] });
  await bot.say('/watch tide');
  const titles = [
    ...HOSTILE.map((one) => one.replaceAll(/\p{Cs}/gu, '\ufffd')),
    'x\r\nEND:VEVENT\r\nBEGIN:VEVENT',
    ']]>a]]><script>alert(1)</script>',
    'a;b,c:d\\n"e"',
  ];
  for (const title of titles.filter((one) => one.trim() !== ''))
    await bot.sim({ kind: 'proposal', project: 'tide', title, draftSeconds: 1, liveSeconds: 48 * HOURS });
  await bot.pass(600);
  const ics = await textAt(bot, await addressOf(bot, 'calendar'));
  const events = eventsIn(ics);
  expect(events.length).toBeGreaterThanOrEqual(titles.length - 1);
  expect(events.map(({ summary }) => summary).join('\n')).toContain('a;b,c:d/n"e"');
  const atom = await textAt(bot, await addressOf(bot, 'alerts'));
  expect(atom).not.toContain('<script');
  expect(atom.match(/<entry>/gu)?.length).toBeGreaterThan(5);
  expect(wellFormed(atom)).toBe(true);
});

/** Enough of an XML parser to see that elements and sections nest. */
function wellFormed(text: string): boolean {
  const open: string[] = [];
  const marks = /<!\[CDATA\[[\s\S]*?\]\]>|<\?[^>]*\?>|<(\/?)([a-z]+)[^<>]*?(\/?)>/gu;
  const rest = text.replaceAll(marks, (_, end: string | undefined, name: string | undefined, alone: string | undefined) => {
    if (name === undefined) return '';
    if (end === '/') return open.pop() === name ? '' : '<';
    if (alone !== '/') open.push(name);
    return '';
  });
  return open.length === 0 && !/[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/u.test(rest) && !/[^\P{Cc}\n\t]/u.test(text);
}

test('a feed has the alerts of its chat, and an unchanged one is not sent again', async () => {
  const bot = await openApiBot({ everythingIn: [address('console', 'main')] });
  await bot.say('/watch tide');
  const url = await addressOf(bot, 'alerts');
  const empty = await textAt(bot, url);
  expect(empty).not.toContain('<entry>');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '250' });
  await bot.pass(180);
  const response = await at(bot, url);
  const tag = response.headers.get('etag') ?? '';
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const text = await response.text();
  expect(text).toContain('minted 250');
  expect(text).not.toContain(url);
  expect(text).not.toContain('console/main');
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await at(bot, url, { headers: { 'if-none-match': known } });
    expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
  }
  expect((await at(bot, url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  const posted = await at(bot, url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  await bot.restart();
  expect(await textAt(bot, url)).toBe(text);
});

test('an address opens one feed, and stops when it is replaced, revoked or forgotten', async () => {
  const bot = await openApiBot();
  await bot.say('/watch tide');
  const first = await addressOf(bot, 'calendar');
  const status = async (url: string): Promise<number> => (await at(bot, url)).status;
  expect(await status(first)).toBe(200);
  expect(await status(first.replace('calendar.ics', 'alerts.atom'))).toBe(404);
  expect(await status(first.replace(/[^/]{20}\/calendar/u, `${'A'.repeat(20)}/calendar`))).toBe(404);
  const second = await addressOf(bot, 'calendar');
  expect([await status(first), await status(second)]).toEqual([404, 200]);
  expect(await bot.say('/privacy')).toContain('A secret address of its calendar or feed');
  await bot.say('/feeds revoke calendar');
  expect(await status(second)).toBe(404);
  const third = await addressOf(bot, 'calendar');
  const alerts = await addressOf(bot, 'alerts');
  await bot.say('/privacy delete chat yes');
  expect([await status(third), await status(alerts)]).toEqual([404, 404]);
  expect(await bot.say('/privacy')).not.toContain('secret address');
  await bot.restart();
  expect([await status(third), await status(alerts)]).toEqual([404, 404]);
});

test('a key of a chat is shown by /privacy and goes with the chat', async () => {
  const bot = await openApiBot();
  await bot.say('/watch tide');
  const key = await bot.key({ scope: 'manage', chat: 'console/main' });
  expect(await bot.say('/privacy')).toContain('1 API key for this chat');
  await bot.say('/privacy delete chat yes');
  expect((await key.get('/api/v1/status')).status).toBe(404);
});

test('a correction updates the entry of the feed and the alert of the API', async () => {
  const bot = await openApiBot({ everythingIn: [address('console', 'main')] });
  await bot.say('/watch tide');
  const url = await addressOf(bot, 'alerts');
  const key = await bot.key({ chat: 'console/main' });
  const growth = {
    kind: 'growth',
    project: 'tide',
    metricId: 'fees-usd',
    date: new Date(bot.clock.now() - DAY).toISOString().slice(0, 10),
  };
  await bot.sim({ ...growth, value: '1050.25' });
  await bot.pass(1_200, 60);
  const entryOf = async () => {
    const [entry = ''] = /<entry>(?:(?!<entry>)[\s\S])*?fees[\s\S]*?<\/entry>/iu.exec(await textAt(bot, url)) ?? [];
    const part = (name: string): string | undefined => new RegExp(`<${name}>([^<]*)<`, 'u').exec(entry)?.[1];
    return { id: part('id'), published: part('published'), updated: part('updated'), entry };
  };
  const before = await entryOf();
  expect(before.entry).toContain('$1,050');
  expect(before.updated).toBe(before.published);
  await bot.sim({ ...growth, value: '2050.75' });
  await bot.pass(7_200, 300);
  const after = await entryOf();
  expect(after).toMatchObject({ id: before.id, published: before.published });
  expect(after.entry).toContain('Corrected: was');
  expect(Date.parse(after.updated ?? '')).toBeGreaterThan(Date.parse(before.updated ?? ''));
  const { alerts } = z
    .object({ alerts: z.array(z.looseObject({ kind: z.string() })) })
    .parse(await (await key.get('/api/v1/alerts?kind=growth')).json());
  expect(alerts).toMatchObject([{ kind: 'growth', correction: { was: expect.any(String), now: expect.any(String) } }]);
});
