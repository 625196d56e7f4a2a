/** States of a bot that is well, and of one that is not. */
import { DAY, instant, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import type { BotState } from '../../../src/operations/bot-state.js';

export const NOW = instant(Date.UTC(2026, 10, 20, 14, 5));
export const WELL: BotState = {
  now: NOW,
  role: 'active',
  ready: true,
  chats: 1,
  platforms: [{ name: 'telegram', up: true, tokenRefused: false }],
  feeds: [{ id: 'supply', goodAt: NOW, every: MINUTE }],
  queue: { items: { waiting: 0, retrying: 0, not_permitted: 0, away: 0 }, oldest: undefined },
  service: { up: true, trouble: undefined },
  calls: { used: 120, limit: 500, left: 380, resetsAt: instant(Date.UTC(2026, 11, 1)), runsOutAt: later(NOW, 20 * DAY), verdict: 'lasts' },
  diskFree: 9e9,
  droppedLogLines: 0,
};

const since = later(NOW, -30 * MINUTE);

/** By what is bad. */
export const ILL = {
  feed: { feeds: [{ id: 'supply', goodAt: since, every: MINUTE, staleSince: since }] },
  service: {
    feeds: [
      { id: 'supply', goodAt: since, every: MINUTE, staleSince: since },
      { id: 'proposals', goodAt: since, every: MINUTE, staleSince: since },
    ],
    service: { up: false, trouble: 'unreachable' },
  },
  budget: { calls: { ...WELL.calls, used: 320, left: 180, runsOutAt: instant(Date.UTC(2026, 10, 25, 9)), verdict: 'early' } },
  spent: { calls: { ...WELL.calls, used: 500, left: 0, runsOutAt: NOW, verdict: 'spent' } },
  disk: { diskFree: 212e6 },
  token: { platforms: [{ name: 'telegram', up: false, tokenRefused: true }] },
  key: { service: { up: false, trouble: 'key-refused' } },
} satisfies Readonly<Record<string, Partial<BotState>>>;

export const at = (state: Partial<BotState>, now: Instant): BotState => ({ ...WELL, ...state, now });
