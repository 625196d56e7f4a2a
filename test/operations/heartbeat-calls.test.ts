import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { later, MINUTE } from '../../src/base/clock.js';
import { ailments, createHeartbeatCalls } from '../../src/operations/heartbeat-calls.js';
import { listening } from '../alerts/harness.js';
import { handClock } from '../support/clock.js';
import { ILL, NOW, WELL } from './notices/states.js';

const URL = 'https://hc.example/ping/secret-id';

function open(answers: (number | Error)[] = []) {
  const called: string[] = [];
  const book = listening();
  const calls = createHeartbeatCalls({
    url: URL,
    clock: handClock(),
    log: book.log,
    get: async (url) => {
      called.push(url);
      const answer = answers.shift() ?? 200;
      if (answer instanceof Error) throw answer;
      return { status: answer };
    },
  });
  return { ...calls, called, events: book.events };
}

test('it is called once for each minute in which all is well', async () => {
  const { tick, called, events } = open();
  await tick(WELL);
  await tick(WELL);
  expect([called, events]).toEqual([[URL, URL], []]);
});

test('it is not called while something is wrong, which is logged once', async () => {
  const stuck = { ...WELL, queue: { ...WELL.queue, oldest: later(NOW, -16 * MINUTE) } };
  const states = [
    [{ ...WELL, ready: false }, ['not-ready']],
    [{ ...WELL, ...ILL.feed }, ['feeds-stale']],
    [stuck, ['deliveries-stuck']],
  ] as const;
  for (const [state, because] of states) {
    const { tick, called, events } = open();
    expect(ailments(state)).toEqual(because);
    for (let minute = 0; minute < 5; minute += 1) await tick(state);
    expect([called, events]).toEqual([[], ['heartbeat.missed']]);
    await tick(WELL);
    expect([called.length, events.at(-1)]).toEqual([1, 'heartbeat.resumed']);
  }
});

test('an address that does not answer, or answers otherwise, is logged once and called on', async () => {
  const { tick, called, events } = open([new Error('ECONNREFUSED'), new Error('ECONNREFUSED'), 302, 302, 200]);
  for (let minute = 0; minute < 5; minute += 1) await tick(WELL);
  expect([called.length, events]).toEqual([5, ['heartbeat.missed', 'heartbeat.missed', 'heartbeat.resumed']]);
});

test('a redirect is not followed', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const book = listening();
  await createHeartbeatCalls({ url: `http://127.0.0.1:${port}/ping`, clock: handClock(), log: book.log }).tick(WELL);
  expect([asked, book.events]).toEqual([['GET /ping'], ['heartbeat.missed']]);
});

test('after the stop it is not called', async () => {
  const { tick, stop, called, events } = open();
  stop();
  await tick(WELL);
  expect([called, events]).toEqual([[], []]);
});
