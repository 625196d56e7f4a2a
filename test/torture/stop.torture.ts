/**
 * SIGTERM at random moments of fan-outs, where a message that was cut off is not repeated: every chat gets every alert once, and the process ends in time.
 * A platform that stays silent for longer than a stop waits leaves messages of which nobody knows whether they arrived: as many as were on the wire.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withScene } from '../bench/harness/scene.js';

const STOPS = Number(process.env['TORTURE_STOPS'] ?? 20);
const CHATS = 200;
/** Milliseconds within which everything was sent at the permitted rate, with time to spare. */
const PATIENCE = 60_000;

test(`no alert is lost or doubled by ${STOPS} stops during fan-outs, and each ends within five seconds`, async () => {
  await withScene(
    { chats: CHATS, rules: { perSecond: 30, roundTrip: 50 }, env: { AMBIGUOUS_SENDS: 'hold' } },
    async ({ telegram, start, mint }) => {
      const ends: { readonly code: number | null; readonly seconds: number }[] = [];
      const rounds: { readonly never: number; readonly twice: number }[] = [];
      let bot = await start();
      await telegram.polled();
      await bot.calm();
      for (let stops = 0; stops < STOPS;) {
        await telegram.reset();
        await mint();
        // Several stops fall into one fan-out: some of them while nothing was sent yet, or all of it.
        for (let more = 1 + Math.floor(Math.random() * 3); more > 0; more -= 1) {
          await telegram.reached(Math.floor(Math.random() * CHATS), 15_000);
          await wait(Math.random() * 500);
          ends.push(await bot.stop());
          stops += 1;
          bot = await start();
        }
        await telegram.reached(CHATS, PATIENCE);
        await wait(1_000);
        const { chats, repeated } = await telegram.taken();
        rounds.push({ never: CHATS - chats, twice: repeated });
      }
      const slowest = Math.max(...ends.map(({ seconds }) => seconds));
      const sum = (of: 'never' | 'twice'): number => rounds.reduce((total, round) => total + round[of], 0);
      console.log(
        `\nstops     ${ends.length}\nalerts    ${rounds.length * CHATS}\nlost      ${sum('never')}\ndoubled   ${sum('twice')}\nslowest   ${slowest.toFixed(2)} s\n`,
      );
      expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
      expect(slowest).toBeLessThan(5);
      expect(rounds.filter(({ never, twice }) => never + twice > 0)).toEqual([]);
    },
  );
});
