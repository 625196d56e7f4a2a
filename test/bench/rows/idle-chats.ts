/** What the bot costs while nothing happens, with a digest in each of many chats and live messages in some of them. */
import { setTimeout as wait } from 'node:timers/promises';
import { openQueues } from '../../../src/alerts/queue/queues.js';
import { openWatchlists } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, instant, systemClock } from '../../../src/base/clock.js';
import type { Address } from '../../../src/chat/address.js';
import { clockTimeSchema } from '../../../src/domain/day.js';
import { slug } from '../../../src/domain/scalars.js';
import type { Store } from '../../../src/store/store.js';
import type { Figure } from '../harness/figure.js';
import { withScene } from '../harness/scene.js';
import type { Scale } from './row.js';

const CHATS = 10_000;
const WITH_LIVE = 1_000;
const LIVE = 5;
const FIRST_CHECKS = 120_000;

/** A digest in each chat, at every hour of the day but none during the run, and live messages that show proposals under way. */
async function furnish(store: Store): Promise<void> {
  const [watchlists, queues] = [await openWatchlists(store), await openQueues(store)];
  const now = systemClock.now();
  const soon = new Date(now).getUTCHours();
  const hourOf = (index: number): string => String((soon + 2 + (index % 20)) % 24).padStart(2, '0');
  const shown = (index: number) =>
    Object.fromEntries(
      Array.from({ length: LIVE }, (_, number) => [
        `proposals/bench-${number}`,
        {
          ...{ feed: 'proposals', project: slug('tide'), members: [], delivery: `d${index}-${number}`, messageId: String(number + 1) },
          ...{ postedAt: now, shownAt: now, version: 'open', step: 'open' },
        },
      ]),
    );
  const one = async (address: Address, index: number): Promise<void> => {
    const digest = { every: 'day' as const, at: clockTimeSchema.parse(`${hourOf(index)}:30`), since: instant(now - HOUR) };
    await watchlists.change(address, (chat) => ({ ...chat, digest }));
    if (index < WITH_LIVE) await queues.change(address, (queue) => ({ ...queue, live: shown(index) }));
  };
  await Promise.all(watchlists.all().map(async ({ address }, index) => one(address, index)));
}

export async function idleChats({ quick }: Scale): Promise<readonly Figure[]> {
  const seconds = quick ? 30 : 120;
  return withScene({ chats: CHATS, furnish, env: { POLL_MIN_SECONDS: '60' } }, async ({ telegram, start }) => {
    const bot = await start();
    await telegram.polled();
    const isCalm = await bot.calm(FIRST_CHECKS);
    const before = await bot.usage();
    await wait(seconds * 1_000);
    const cpu = (await bot.usage()).cpu - before.cpu;
    const what = `idle, ${CHATS.toLocaleString('en')} chats with a digest, ${WITH_LIVE.toLocaleString('en')} with ${LIVE} live messages`;
    const note = isCalm ? {} : { note: 'the first checks were not done when it was measured, so it is too high' };
    return [
      { figure: `${what}: of a core`, unit: '%', values: [(cpu / seconds) * 100], goal: 2, ...note },
      { figure: `${what}: memory`, unit: 'MB', values: [(await bot.memory()).now], goal: 200 },
    ];
  });
}
