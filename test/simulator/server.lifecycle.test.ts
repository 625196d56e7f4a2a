import { expect, onTestFinished, test } from 'vitest';
import { instant, type Clock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { KEY, NOON, openBox } from './box.js';

test('closing cuts an answer that is held back, and frees the port for the next start', async () => {
  let sleeping = (): void => {};
  const asleep = new Promise<void>((resolve) => (sleeping = resolve));
  let woken: unknown;
  const clock: Clock = {
    now: () => NOON,
    sleep: async (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          woken = 'aborted';
          reject(new Error('aborted'));
        });
        sleeping();
      }),
  };
  const journal = memoryJournal();
  await journal.setFaults([{ id: 1, fault: { kind: 'latency', milliseconds: 60_000, path: '*', rate: 1 } }], true);
  const first = await startSimulator({ seed: 'harbor', pace: 1, clock, journal, apiKey: KEY });
  const answer = fetch(`${first.url}/v1/url/tide`, { headers: { 'x-api-key': KEY } }).then(
    () => 'answered',
    () => 'cut',
  );
  await asleep;
  await first.close();
  await first.close();
  expect(await answer).toBe('cut');
  expect(woken).toBe('aborted');
  const second = await startSimulator({ seed: 'harbor', pace: 1, clock, journal, apiKey: KEY, port: Number(new URL(first.url).port) });
  onTestFinished(async () => second.close());
  expect(second.url).toBe(first.url);
});

test('a port that is taken is an error, not a silence', async () => {
  const box = await openBox();
  const again = startSimulator({
    seed: 'harbor',
    pace: 1,
    clock: box.clock,
    journal: memoryJournal(),
    apiKey: KEY,
    port: Number(new URL(box.url).port),
  });
  await expect(again).rejects.toThrow('EADDRINUSE');
});

test('the same seed, journal and clock answer alike in two processes, whenever those were started', async () => {
  const journal = memoryJournal();
  const [one, other] = [await openBox({ journal }), await openBox({ journal })];
  one.clock.turn(86_400_000);
  other.clock.turn(40_000_000);
  await other.get('/v1/dao/token-supply?slug=spindrift');
  other.clock.turn(46_400_000);
  expect(one.clock.now()).toBe(instant(other.clock.now()));
  for (const path of [
    '/v1/dao/token-supply?slug=spindrift',
    '/v1/global-dashboard/decision-markets',
    '/v1/global-dashboard/recent-launches',
    '/v1/growth-feed?slug=spindrift',
  ]) {
    expect((await one.get(path)).body).toEqual((await other.get(path)).body);
  }
});
