import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/clock.js';
import type { Reply } from '../../src/chat/reply.js';
import { plainText } from '../../src/chat/plain-text.js';
import { createWorld } from '../../src/simulator/world/world.js';
import { openAppHarness, type AppHarness } from '../support/app-harness.js';

const WORLD = createWorld({ seed: 'harbor', pace: 1, facts: () => [], refreshes: () => [] });
const WALLET = WORLD.wallets.some(1);

/** Lets time pass, a second and a tick at a time, until the answer is there. */
async function whileTicking<T>({ clock, refresher }: AppHarness, answer: Promise<T>): Promise<T> {
  const state = { there: false };
  const noted = answer.finally(() => (state.there = true));
  for (let seconds = 0; seconds < 300 && !state.there; seconds += 1) {
    await refresher.tick();
    await refresher.idle();
    await clock.advance(SECOND);
  }
  return noted;
}
const first = (text: string): string => text.split('\n')[0] ?? '';

describe('a refresh', () => {
  test('shows how far it is in the place of its answer, and then the new snapshot', async () => {
    const harness = await openAppHarness();
    const { ask, clock } = harness;
    const before = (await harness.say(`/wallet ${WALLET}`)).text;
    expect(before).toContain('⚠ Snapshot is 15 d old');
    const steps: string[] = [];
    const progress = async (step: Reply): Promise<void> => void steps.push(plainText(step, clock.now()));
    const { text, reply } = await whileTicking(harness, ask({ ask: { line: `/refresh ${WALLET}` }, progress }));
    expect(steps[0]).toBe('● Refreshing wallet 9bFV…gndA: started…');
    expect(steps.at(-1)).toMatch(/^● Refreshing wallet 9bFV…gndA: \d of \d tokens, \d+ transactions…$/u);
    expect(new Set(steps).size).toBe(steps.length);
    expect(first(text)).toMatch(/^▲ Wallet 9bFV…gndA holds \$[\d.,]+[MK] in 3 ownership coins/u);
    expect(text).toContain('Refreshed just now.');
    expect(text).toMatch(/Snapshot is \d+ s old/u);
    expect(text).not.toContain('⚠');
    expect(await harness.deadButtons(reply)).toEqual([]);
  });

  test('lets later questions of the asker begin while it waits', async () => {
    const harness = await openAppHarness();
    let isAnswered = false;
    const turns: boolean[] = [];
    const asked = harness.ask({ ask: { line: `/refresh ${WALLET}` }, endTurn: () => void turns.push(isAnswered) });
    await whileTicking(harness, asked);
    isAnswered = true;
    expect(turns).toEqual([false]);
  });

  test('of a platform that cannot show progress is answered when it is done', async () => {
    const harness = await openAppHarness();
    expect((await whileTicking(harness, harness.say(`/refresh ${WALLET}`))).text).toContain('Refreshed just now.');
  });

  test('of one token names it by symbol, and says that its rank stays', async () => {
    const harness = await openAppHarness();
    const { text } = await whileTicking(harness, harness.say(`/refresh ${WALLET} aldr`));
    expect(text).toMatch(/ALDR refreshed just now\. .+rank/u);
    const again = await harness.say(`/refresh ${WALLET} aldr`);
    expect(again.reply.actions.find(({ label }) => label === 'Refresh again')?.line).toMatch(new RegExp(`^/refresh ${WALLET} \\w+$`, 'u'));
    expect((await harness.say(`/refresh ${WALLET} nothing`)).text).toContain('no ownership coin called "nothing"');
  });

  test('too soon says when, and may be asked again then', async () => {
    const harness = await openAppHarness();
    await whileTicking(harness, harness.say(`/refresh ${WALLET}`));
    const { text, reply } = await harness.say(`/refresh ${WALLET}`);
    expect(first(text)).toMatch(/^Wallet 9bFV…gndA was not refreshed$/u);
    expect(text).toMatch(/\nNext refresh possible 12:0\d UTC/u);
    expect(await harness.deadButtons(reply)).toEqual([]);
    await harness.clock.advance(6 * MINUTE);
    expect((await whileTicking(harness, harness.say(`/refresh ${WALLET}`))).text).toContain('Refreshed just now.');
  });

  test('that fails says so in the words of the service, and one that never ends is left to itself', async () => {
    const harness = await openAppHarness();
    await harness.sim({ kind: 'refresh-rule', outcome: 'fails', message: 'no node answered', cooldownSeconds: 0 });
    const { text } = await whileTicking(harness, harness.say(`/refresh ${WALLET}`));
    expect(first(text)).toMatch(/^⚠ .+9bFV…gndA failed: no node answered$/u);
    await harness.sim({ kind: 'refresh-rule', outcome: 'hangs' });
    expect(first((await whileTicking(harness, harness.say(`/refresh ${WALLET}`))).text)).toMatch(/^● Still refreshing wallet 9bFV…gndA/u);
    expect((await harness.say(`/wallet ${WALLET}`)).text).toContain('refreshing now');
    for (let minutes = 0; minutes < 35; minutes += 1) {
      await harness.refresher.tick();
      await harness.refresher.idle();
      await harness.clock.advance(MINUTE);
    }
    expect((await harness.say(`/wallet ${WALLET}`)).text).toContain('The last refresh timed out');
  });

  test('while the service is away is refused with the reason', async () => {
    const harness = await openAppHarness();
    await harness.service.close();
    const { text, reply } = await harness.say(`/refresh ${WALLET}`);
    expect(text).toContain("The analytics service isn't responding");
    expect(reply.audience).toBe('asker');
  });

  test('of something that is no wallet asks nobody', async () => {
    const { say, written } = await openAppHarness();
    expect((await say('/refresh fund-1')).text).toContain('No wallet called "fund-1" in this chat. Paste its address');
    expect(written.filter(({ event }) => event === 'analytics.exchange')).toEqual([]);
  });
});
