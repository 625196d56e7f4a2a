import { expect, test } from 'vitest';
import { plainText } from '../../src/chat/plain-text.js';
import { GUEST, openAppHarness } from '../support/app-harness.js';

const ADDRESS = /https:\/\/bot\.example\/feeds\/nwf_(?:calendar|alerts)_[\w-]{43}\/(?:calendar\.ics|alerts\.atom)/u;

test('an address is shown once, to the asker alone, and a new one replaces it', async () => {
  const { say } = await openAppHarness({ answers: {}, publicUrl: 'https://bot.example' });
  const first = await say('/feeds new calendar');
  expect(first.reply.audience).toBe('asker');
  expect(first.text).toMatch(ADDRESS);
  const overview = await say('/feeds');
  expect(overview.text).toContain('Calendar: address made');
  expect(overview.text).not.toMatch(/nwf_/u);
  const second = await say('/feeds new calendar');
  expect(ADDRESS.exec(second.text)?.[0]).not.toBe(ADDRESS.exec(first.text)?.[0]);
  expect(second.text).toContain('The old one stopped working');
  expect((await say('/feeds revoke calendar')).text).toContain('The calendar address stopped working');
  expect((await say('/feeds revoke calendar')).text).toContain('There was no calendar address');
});

test('without a public address the reply names the setting, and no button leads nowhere', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  expect((await say('/feeds new alerts')).text).toContain('PUBLIC_URL');
  const { reply, text } = await say('/feeds');
  expect(text).toContain('PUBLIC_URL');
  expect(reply.actions).toEqual([]);
  const asked = await say('/feeds new');
  expect(await deadButtons(asked.reply)).toEqual([]);
  expect(asked.reply.actions.map(({ line }) => line)).toEqual(['/feeds new calendar', '/feeds new alerts']);
});

test('only who manages the chat gets an address', async () => {
  const { say, clock } = await openAppHarness({ answers: {}, publicUrl: 'https://bot.example' });
  for (const line of ['/feeds new calendar', '/feeds revoke calendar']) {
    const { reply } = await say(line, GUEST);
    expect(plainText(reply, clock.now())).not.toMatch(/nwf_|stopped|There was no/u);
    expect(reply.tone).toBe('warning');
  }
  expect((await say('/feeds', GUEST)).text).toContain('Calendar and feed of this chat');
});
