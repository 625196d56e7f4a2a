/** Each alert kind, from a rule that is typed to the alert and its "Why?", on Discord, on Telegram and on the page. */
import { expect, test } from 'vitest';
import { KINDS, play, watchingOnly } from './kinds.js';
import { SURFACES } from './surfaces.js';
import { openConnectedBot } from './connected-bot.js';

test.each(KINDS)('$kind is alerted by its rule, once and alike in all three places, and says why', async (kind) => {
  const bot = await openConnectedBot({ start: kind.start, watching: watchingOnly(kind), env: { WALLET_MAX_AGE_MINUTES: '5' } });
  const { ruled, alerts, whys } = await play(bot, kind);
  for (const surface of SURFACES) {
    expect(ruled[surface]).toContain(kind.words);
    expect(alerts[surface], surface).toEqual([expect.stringContaining(kind.says)]);
    expect(whys[surface], surface).toContain(kind.words);
  }
  const headline = (text: string | undefined) => text?.split('\n')[0];
  expect([headline(alerts.discord[0]), headline(alerts.telegram[0])]).toEqual([headline(alerts.page[0]), headline(alerts.page[0])]);
});
