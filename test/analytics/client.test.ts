import { describe, expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import { createLog, silentLog } from '../../src/base/log.js';
import { redactor } from '../../src/base/redact.js';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { OVERVIEW, answerWith, caught, connect, reply, serve, tide, type Asked } from '../support/service.js';

describe('secrets and the end', () => {
  test('the key stands in no error and no log, whatever the service sends back', async () => {
    const key = 'planted-key-0123456789';
    const lines: string[] = [];
    const log = createLog({ level: 'debug', redact: redactor([]), to: { write: (line: string) => void lines.push(line) } });
    const answers = [
      (asked: Asked) => reply(asked, `key ${asked.headers['x-api-key'] as string}`, { status: 401 }),
      (asked: Asked) => reply(asked, `{"data": "${asked.headers['x-api-key'] as string}"}`),
      (asked: Asked) => reply(asked, asked.headers['x-api-key'] as string),
      (asked: Asked) => asked.response.socket?.end(`HTTP/1.1 200 OK\r\n${asked.headers['x-api-key'] as string}\r\n\r\n`),
    ];
    for (const answer of answers) {
      const service = await serve(answer);
      const { analytics, clock } = await connect(service.url, { apiKey: key, log });
      const call = caught(analytics.call(supplyOverview, tide, { priority: 'poll' }));
      const turning = (async () => {
        for (let turns = 0; turns < 4; turns += 1) await clock.advance(5 * SECOND);
      })();
      const error = await call;
      await turning;
      lines.push(error.message, String(error.stack), JSON.stringify(error), String(error.cause));
    }
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.join('\n')).not.toContain(key);
  });

  test('closing ends what is under way and leaves nobody asleep', async () => {
    const service = await serve(() => {});
    const { analytics, clock } = await connect(service.url, { requestsPerSecond: 1 });
    const calls = ['a', 'b', 'c'].map(async (slug) => caught(analytics.call(supplyOverview, { slug })));
    await service.arrived(1);
    await analytics.close();
    expect((await Promise.all(calls)).map(({ trouble }) => trouble)).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(clock.sleepers()).toBe(0);
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'unreachable' });
  });
});

test('trouble is logged when it begins and when it ends, not with every call', async () => {
  const events: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void events.push(event), info: (event: string) => void events.push(event) };
  let well = false;
  const service = await serve((asked) => (well ? answerWith(asked, OVERVIEW) : reply(asked, '<html>')));
  const { analytics, clock } = await connect(service.url, { log });
  expect(analytics.state()).toMatchObject({ budget: { used: 0 } });
  for (let calls = 0; calls < 3; calls += 1) await caught(analytics.call(supplyOverview, tide));
  expect(analytics.state()).toMatchObject({ ok: false, trouble: 'malformed' });
  well = true;
  await analytics.call(supplyOverview, tide);
  expect(events).toEqual(['analytics.trouble', 'analytics.recovered']);
  expect(analytics.state()).toMatchObject({ ok: true, lastOkAt: clock.now(), budget: { used: 4 } });
});
