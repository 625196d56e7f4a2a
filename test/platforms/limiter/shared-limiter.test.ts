import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { ProcessLimiter, type RateLimits } from '../../../src/platforms/limiter/limiter.js';
import { shareLimiter } from '../../../src/platforms/limiter/shared-limiter.js';
import { handClock } from '../../support/clock.js';
import { sharedEngineDouble } from '../../support/shared-engine.js';

const LIMITS: RateLimits = { token: { max: 30, per: SECOND }, chat: (chat) => (chat === 'group' ? [{ max: 20, per: MINUTE }] : []) };

function opened() {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const processes = [engine.process(), engine.process(), engine.process()];
  const limiters = processes.map(({ store }) =>
    shareLimiter({
      own: new ProcessLimiter(LIMITS, clock),
      shared: store.shared,
      platform: 'telegram',
      limits: LIMITS,
      clock,
      log: silentLog,
    }),
  );
  const sent: number[] = [];
  const send = async (index: number, chat = String(index)) => {
    const slot = await limiters[index % 3]!.take({ chat, kind: 'answer' });
    sent.push(clock.now());
    slot?.answered();
  };
  const most = (per: number) => Math.max(...sent.map((from) => sent.filter((at) => at >= from && at < from + per).length));
  return { clock, processes, limiters, sent, send, most };
}

test('three processes together stay within the limit of the token in every second', async () => {
  const { clock, sent, send, most } = opened();
  const all = Array.from({ length: 120 }, async (_, index) => send(index));
  await clock.advance(10 * SECOND);
  await Promise.all(all);
  expect(most(SECOND)).toBeLessThanOrEqual(30);
  expect((sent.at(-1) ?? 0) - (sent[0] ?? 0)).toBeLessThan(5 * SECOND);
});

test('a group gets no more than its limit from all processes', async () => {
  const { clock, send, most } = opened();
  const all = Array.from({ length: 45 }, async (_, index) => send(index, 'group'));
  await clock.advance(4 * MINUTE);
  await Promise.all(all);
  expect(most(MINUTE)).toBeLessThanOrEqual(20);
});

test('while the engine is away each process keeps its own limits, and a wait that is given up takes no slot', async () => {
  const { clock, processes, limiters, send, sent } = opened();
  for (const one of processes) one.cut();
  await Promise.all([0, 1, 2].map(async (index) => send(index)));
  expect(sent).toHaveLength(3);
  for (const one of processes) one.restore();
  for (let index = 0; index < 20; index += 1) await Promise.all([send(index, 'group'), clock.advance(MINUTE)]);
  const over = new AbortController();
  const burst = Array.from({ length: 6 }, async () => limiters[0]!.take({ chat: 'group', kind: 'answer' }, over.signal));
  await clock.advance(1);
  over.abort();
  await clock.advance(1);
  expect((await Promise.all(burst)).filter((slot) => slot === undefined).length).toBeGreaterThan(0);
});
