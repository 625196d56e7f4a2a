/** Kills the bot while a proposal and a launch proceed, and lists what it posts and edits of them on Discord and Telegram. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { asked } from '../journeys/surfaces.js';
import { startBot } from './bot.js';
import { openPlatforms, type Write } from './chats.js';

const KILLS = Number(process.env['TORTURE_KILLS'] ?? 10);
const KEY = 'torture-key';
/** Seconds between kills: long enough for a stage to be checked and shown in some lives. */
const LIFE = 8;
const TITLES = ['Fund the second audit', 'Harbour raise'] as const;

test(`a proposal and a launch are one message each through ${KILLS} kills, edited to their results`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-live-'));
  const simulator = await startSimulator({ seed: 'live', pace: 0.001, clock: systemClock, journal: memoryJournal(), apiKey: KEY });
  const platforms = await openPlatforms();
  const env = {
    ...platforms.env,
    ...{ ANALYTICS_BASE_URL: simulator.url, ANALYTICS_API_KEY: KEY, ANALYTICS_REQUESTS_PER_SECOND: '500' },
    ...{ POLL_MIN_SECONDS: '1', HTTP_PORT: '0', LOG_LEVEL: 'error' },
  };
  let bot = await startBot(folder, env);
  const begun = Date.now();
  try {
    for (const chat of platforms.chats) {
      await chat.ask(asked('watch', { target: 'tide' }));
      await chat.ask(asked('alerts', { target: 'tide', action: 'everything' }));
    }
    const half = (KILLS * LIFE) / 2;
    const stages = { project: 'tide', title: TITLES[0], draftSeconds: 12, liveSeconds: half, twapAfterSeconds: Math.floor(half / 3) };
    await inject(simulator.url, { kind: 'proposal', ...stages });
    await inject(simulator.url, {
      kind: 'launch',
      project: 'tide',
      title: TITLES[1],
      waitSeconds: 12,
      liveSeconds: half,
      settleSeconds: 10,
    });
    for (let kills = 0; kills < KILLS; kills += 1) {
      await wait(LIFE * 1_000 * (0.5 + Math.random()));
      await bot.kill();
      bot = await startBot(folder, env);
    }
    await wait(30_000);
    for (const title of TITLES) {
      const writes = platforms.writes(title);
      console.log(['', title, ...writes.map((write) => lineOf(write, begun))].join('\n'));
      for (const on of ['Discord', 'Telegram'] as const) {
        const own = writes.filter((write) => write.on === on);
        const edited = new Set(own.filter(({ isEdit }) => isEdit).map(({ path }) => path));
        // A kill may cut off a post on Telegram, which is then posted again.
        expect([
          on,
          edited.size <= (on === 'Discord' ? 1 : 2),
          own.filter(({ isEdit, isReply }) => !isEdit && !isReply).length >= 1,
        ]).toEqual([on, true, true]);
        const last = own.findLast(({ isEdit }) => isEdit)?.text ?? '';
        expect([on, /Passed|completed/u.test(last)]).toEqual([on, true]);
      }
    }
  } finally {
    await bot.kill();
    await platforms.close();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
});

const lineOf = ({ on, isEdit, isReply, at, text }: Write, begun: number): string =>
  [
    `${String(Math.round((at - begun) / 1_000)).padStart(4)} s`,
    on.padEnd(8),
    isEdit ? 'edit ' : isReply ? 'reply' : 'post ',
    text
      .replaceAll(/<[^>]*>|\*\*/gu, '')
      .replaceAll('\n', ' | ')
      .slice(0, 150),
  ].join('  ');

async function inject(url: string, order: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(`${url}/__sim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`the simulator refused ${JSON.stringify(order)}: ${await answer.text()}`);
}
