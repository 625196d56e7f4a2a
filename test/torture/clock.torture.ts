/** The machine's clock jumps 40 days ahead while alerts wait in muted chats: nothing expires, neither at the jump nor after the restarts that follow it. */
import { afterAll, expect, test } from 'vitest';
import { DAY } from '../../src/base/clock.js';
import { asked } from '../journeys/surfaces.js';
import { withClock } from './bot.js';
import { SERVERS, SQLITE } from './engines.js';
import { openTortureScene } from './scene.js';
import { tableOf, type TortureRow } from './table.js';

const EVENTS = Number(process.env['TORTURE_EVENTS'] ?? 20);
const AHEAD = 40 * DAY;
const DOUBTED = /The clock of this machine jumped 40 d ahead/u;

const rows: TortureRow[] = [];
afterAll(() => console.log(`\n${tableOf(rows)}\n`));

test.each([SQLITE, ...SERVERS].map((engine) => ({ engine, name: engine.name })))(
  '$name: no alert that waits is lost',
  async ({ engine }) => {
    if (engine.missing !== undefined) return console.log(`${engine.name}: skipped, ${engine.missing}`);
    const scene = await openTortureScene(engine);
    try {
      await scene.bot().stop();
      await scene.start(withClock(AHEAD, 'jump'));
      await Promise.all(scene.chats.map(async (chat) => chat.ask(asked('mute', { time: '30d' }))));
      const from = scene.planted();
      await scene.plant(EVENTS);
      await expect.poll(async () => scene.bot().waiting(), { timeout: 60_000 }).toBeGreaterThanOrEqual(EVENTS * scene.chats.length);
      const begun = performance.now();
      scene.bot().jump();
      // On a server the process ends: it may have been suspended, and another one may have taken over.
      const reaction = async (): Promise<unknown> =>
        engine === SQLITE ? DOUBTED.test(await scene.bot().ask('/status', 'main')) : scene.bot().ended;
      expect(await reaction()).toBe(engine === SQLITE ? true : 75);
      for (let restarts = 0; restarts < 2; restarts += 1) {
        await scene.bot().stop();
        await scene.database.endLease();
        await scene.start(withClock(AHEAD, 'start'));
        expect(await scene.bot().ask('/status', 'main')).toMatch(DOUBTED);
        expect(await scene.bot().ask('/why', 'main')).toMatch(DOUBTED);
        expect(await scene.bot().waiting()).toBeGreaterThanOrEqual(EVENTS * scene.chats.length);
      }
      await Promise.all(scene.chats.map(async (chat) => chat.ask(asked('mute', { time: 'off' }))));
      // A summary only counts what its lines have no room for; the receipts name it.
      await expect.poll(async () => scene.bot().waiting(), { timeout: 120_000 }).toBe(0);
      const row = await scene.row(from, { name: engine.name, recovery: [performance.now() - begun] });
      rows.push(row);
      expect([row.lost, row.duplicated <= row.maybeSent]).toEqual([0, true]);
    } finally {
      await scene.close();
    }
    return undefined;
  },
);
