/** Somebody who has read nothing sets the bot up, in each place, and is left alone when they want to be. */
import { expect, test } from 'vitest';
import { onDiscord, onTelegram, onThePage, quietHours, snoozed, welcomed, type Steps } from './setup.js';
import { openConnectedBot } from './connected-bot.js';

const last = (steps: Steps): string => steps.at(-1)?.[1] ?? '';

test.each([
  ['Discord, by a menu and a form', onDiscord],
  ['Telegram, by buttons and an answer', onTelegram],
  ['the page', onThePage],
] as const)('/watch alone leads step by step to a rule on %s', async (_where, play) => {
  const steps = await play(await openConnectedBot());
  expect(steps.map(([, seen]) => seen).join('\n')).toContain('Watching Tidewater');
  expect(last(steps)).toContain('Tidewater, supply: $10K and up');
});

test('who adds the bot is alerted three things to type, and a link to it watches what it names', async () => {
  const [discord, telegram, link] = await welcomed(await openConnectedBot({ env: { ACCESS: 'open' } }));
  for (const seen of [discord?.[1], telegram?.[1]]) for (const line of ['/watch', '/overview', '/help']) expect(seen).toContain(line);
  expect(link?.[1]).toContain('Watching Tidewater');
});

test('an alert that is snoozed keeps the next ones back, which come as one summary when the snooze is ended', async () => {
  const steps = await snoozed(await openConnectedBot());
  const [, , pressed, list, summary] = steps;
  expect(pressed?.[1]).toContain('muted. Alerts resume 13:02 UTC');
  expect(list?.[1]).toContain('supply muted');
  expect(summary?.[0]).toContain('0 alerts');
  expect(summary?.[1].match(/minted 1,00\d TIDE/gu)).toHaveLength(3);
});

test('what happens in quiet hours, which follow the clock of the chat, comes as one summary after them', async () => {
  const steps = await quietHours(await openConnectedBot({ env: { POLL_MIN_SECONDS: '180' } }));
  const [, , why, after] = steps;
  expect(why?.[0]).toContain('0 alerts');
  expect(why?.[1]).toContain('quiet hours');
  expect(after?.[1].match(/minted 1,00\d TIDE/gu)).toHaveLength(3);
  expect(after?.[1]).toContain('3 mints at Tidewater');
});
