/** Each kind of news, from a rule that is typed to the alert and its "Why?", on Discord, on Telegram and on the page. */
import { expect, test } from 'vitest';
import { KINDS, play } from './kinds.js';
import { PLACES } from './three.js';
import { openTwo } from './two.js';

test.each(KINDS)(
  '$kind is told by its rule, once and alike in all three places, and says why',
  async (kind) => {
    const two = await openTwo({ start: kind.start, env: { WALLET_MAX_AGE_MINUTES: '5' } });
    const { ruled, alerts, whys } = await play(two, kind);
    for (const place of PLACES) {
      expect(ruled[place]).toContain(kind.words);
      expect(alerts[place], place).toEqual([expect.stringContaining(kind.says)]);
      expect(whys[place], place).toContain(kind.words);
    }
    const headline = (text: string | undefined) => text?.split('\n')[0];
    expect([headline(alerts.discord[0]), headline(alerts.telegram[0])]).toEqual([headline(alerts.page[0]), headline(alerts.page[0])]);
  },
  60_000,
);
