import { expect, test } from 'vitest';
import { fieldLines } from '../../support/fields.js';
import { CHAT, GUEST, openAppHarness } from '../../support/app-harness.js';

async function open() {
  const harness = await openAppHarness({ answers: {} });
  return { ...harness, chat: () => harness.watchlists.read(CHAT) };
}

test('a chat lives by UTC until somebody chooses, and then by that clock', async () => {
  const { say, chat, deadButtons } = await open();
  const { text, reply } = await say('/settings');
  expect(text).toContain('Timezone: UTC (default)');
  expect(text).toContain('Now: Fri Nov 20, 12:00 UTC');
  expect(await deadButtons(reply)).toEqual([]);
  const chosen = await say('/settings timezone new york');
  expect(chosen.text).toContain('Timezone: America/New York');
  expect(chosen.text).toContain('Now: Fri Nov 20, 07:00, America/New York');
  expect(chat().timezone).toBe('America/New_York');
});

test('quiet hours are set, said, and taken away again', async () => {
  const { say, chat } = await open();
  await say('/settings timezone Europe/Berlin');
  const { text } = await say('/settings quiet 22:00-07:00');
  expect(text).toContain('Quiet hours: 22:00–07:00');
  expect(chat().quiet).toEqual({ from: '22:00', to: '07:00' });
  expect((await say('/settings quiet 12:00-15:00')).text).toContain('Quiet now, until Fri Nov 20, 15:00, Europe/Berlin.');
  expect((await say('/settings quiet off')).text).toContain('Quiet hours: off');
  expect(chat().quiet).toBeUndefined();
  expect(chat().timezone).toBe('Europe/Berlin');
});

test('hours that are taken away or moved while they hold leave the moment, so that what they held is known', async () => {
  const { say, chat } = await open();
  const now = Date.parse('2026-11-20T12:00:00Z');
  await say('/settings quiet 13:00-15:00');
  await say('/settings quiet off');
  expect(chat().mutedUntil).toBeUndefined();
  await say('/settings quiet 11:00-13:00');
  expect(chat().mutedUntil).toBeUndefined();
  await say('/settings timezone Asia/Tokyo');
  expect(chat().mutedUntil).toBe(now);
  expect((await say('/watchlist')).text).not.toContain('muted');
  await say('/settings timezone UTC');
  await say('/mute 1h');
  const { mutedUntil } = chat();
  await say('/settings quiet off');
  expect(chat().mutedUntil).toBe(mutedUntil);
});

test('hours without a timezone are said to be in UTC', async () => {
  const { say } = await open();
  expect((await say('/settings quiet 22-7')).text).toContain('These hours are in UTC. Choose your timezone');
});

test('what is meant is known by the value too', async () => {
  const { say, chat } = await open();
  await say('/settings 22:00-07:00');
  await say('/settings berlin');
  expect(chat()).toMatchObject({ timezone: 'Europe/Berlin', quiet: { from: '22:00', to: '07:00' } });
});

test('every choice of every menu is kept and marked', async () => {
  const { say, deadButtons } = await open();
  const { reply } = await say('/settings');
  for (const line of fieldLines(reply)) {
    const { reply: after, text } = await say(line);
    expect({ tone: after.tone, dead: await deadButtons(after) }, text).toEqual({ tone: 'plain', dead: [] });
    expect(
      after.fields.flatMap((field) => (field.kind === 'menu' ? field.options : [])).find((option) => option.line === line),
    ).toMatchObject({ on: true });
  }
});

test('a name that is nearly one is answered with buttons, and an abbreviation with what it was taken for', async () => {
  const { say, chat, deadButtons } = await open();
  const { reply, text } = await say('/settings timezone berln');
  expect(text).toContain('Did you mean one of these?');
  expect(reply.actions.map(({ line }) => line)).toContain('/settings timezone Europe/Berlin');
  expect(await deadButtons(reply)).toEqual([]);
  expect(chat().timezone).toBeUndefined();
  expect((await say('/settings timezone CET')).text).toContain('CET is read as the time of Berlin, with its summer time.');
  expect((await say('/settings timezone UTC+2')).text).toContain('Timezone: UTC+2');
  expect(chat().timezone).toBe('Etc/GMT-2');
});

test('hours that are none are refused with how to write them', async () => {
  const { say, chat } = await open();
  const before = chat();
  expect((await say('/settings quiet on')).text).toContain('"on" can\'t be quiet hours. Write two times');
  for (const hours of ['22:00-22:00', '0:00-24:00'])
    expect((await say(`/settings quiet ${hours}`)).text, hours).toContain("Quiet hours can't be the whole day");
  expect(chat()).toEqual(before);
});

test('only managers change settings; everyone may read them', async () => {
  const { say, chat } = await open();
  expect((await say('/settings timezone berlin', GUEST)).text).toContain('Only people who can manage this chat');
  expect(chat().timezone).toBeUndefined();
  expect((await say('/settings', GUEST)).text).toContain('Timezone: UTC');
});

test('the preset of new entries is chosen, and leaves the entries that there are', async () => {
  const { say, chat, deadButtons } = await open();
  await say('/watch tide');
  const { reply } = await say('/settings alerts most');
  expect(chat().preset).toBe('most');
  expect(reply.actions.filter(({ on }) => on).map(({ line }) => line)).toEqual(['/settings alerts most']);
  expect(await deadButtons(reply)).toEqual([]);
  await say('/watch heron');
  await say('/settings everything');
  await say('/watch launches');
  expect(chat().entries.map(({ preset }) => preset)).toEqual(['important', 'most', 'everything']);
  expect((await say('/settings alerts loud')).reply.tone).toBe('warning');
});
