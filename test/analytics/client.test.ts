import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR, MINUTE, SECOND, later } from '../../src/base/clock.js';
import { createLog } from '../../src/base/log.js';
import { redactor } from '../../src/base/redact.js';
import { projectUrl } from '../../src/analytics/endpoints/project.js';
import { supplyEvents, supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { AnalyticsError, type Trouble } from '../../src/analytics/errors.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../support/clock.js';
import { answerWith, connect, reply, serve, type Asked } from '../support/service.js';

const OVERVIEW = { totalMint: '130', totalBurn: '30', resultingSupply: '100', netChange: '-2', symbol: 'TIDE', publicKey: 'mint1' };
const tide = { slug: 'tide' };

const caught = async (promise: Promise<unknown>): Promise<AnalyticsError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AnalyticsError) return error;
  throw new Error('expected an AnalyticsError', { cause: error });
};

describe('a request', () => {
  test('carries the key, asks for plain JSON and puts each field where the interface wants it', async () => {
    const service = await serve((asked) => answerWith(asked, asked.path.startsWith('/base/v1/url/') ? null : []));
    const { analytics } = await connect(`${service.url}/base/`);
    await analytics.call(supplyEvents, { slug: 'a b&c', limit: 5 });
    await analytics.call(projectUrl, { project: 'x/../y' });
    expect(service.asked.map(({ response }) => response.req.url)).toEqual([
      '/base/v1/dao/token-supply?limit=5&slug=a+b%26c',
      '/base/v1/url/x%2F..%2Fy',
    ]);
    expect(service.asked[0]?.headers).toMatchObject({
      'x-api-key': 'key-of-the-test',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  test('never leaves the path of its row, whatever a name is made of', async () => {
    const service = await serve((asked) => answerWith(asked, null));
    const { analytics } = await connect(service.url);
    expect(await caught(analytics.call(projectUrl, { project: '..' }))).toMatchObject({ trouble: 'unknown' });
    expect(service.asked).toHaveLength(0);
  });

  test('follows no redirect, so the key reaches no other host', async () => {
    const other = await serve((asked) => answerWith(asked, OVERVIEW));
    const service = await serve((asked) =>
      reply(asked, '', { status: 302, headers: { location: `${other.url}/v1/dao/token-supply/overview` } }),
    );
    const { analytics } = await connect(service.url);
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'malformed' });
    expect(other.asked).toHaveLength(0);
  });
});

describe('what an answer means', () => {
  const cases: readonly (readonly [string, (asked: Asked) => void, Trouble])[] = [
    ['401', (asked) => reply(asked, '{}', { status: 401 }), 'key-refused'],
    ['403', (asked) => reply(asked, '{}', { status: 403 }), 'forbidden'],
    ['404', (asked) => reply(asked, 'no', { status: 404 }), 'unknown'],
    ['400', (asked) => reply(asked, '', { status: 400 }), 'rejected'],
    ['no JSON', (asked) => reply(asked, '<html>busy</html>'), 'malformed'],
    ['an empty body', (asked) => reply(asked, ''), 'malformed'],
    ['a list where the envelope should be', (asked) => reply(asked, '[]'), 'malformed'],
    ['no data', (asked) => reply(asked, '{"meta":{}}'), 'malformed'],
    ['null for an object', (asked) => answerWith(asked, null), 'malformed'],
    ['bytes that are no text', (asked) => reply(asked, Buffer.from([0xff, 0xfe, 0x80])), 'malformed'],
    ['brackets beyond all measure', (asked) => reply(asked, `{"data":${'['.repeat(200_000)}`), 'malformed'],
    ['what only pretends to be packed', (asked) => reply(asked, 'plain', { headers: { 'content-encoding': 'gzip' } }), 'malformed'],
  ];
  for (const [what, answer, trouble] of cases) {
    test(`${what} is ${trouble}, asked once`, async () => {
      const service = await serve(answer);
      const { analytics } = await connect(service.url);
      expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble, row: 'supply.overview' });
      expect(service.asked).toHaveLength(1);
    });
  }

  test('a field that does not fit is named by its path, and nothing of the body is quoted', async () => {
    const service = await serve((asked) => answerWith(asked, { totalItems: 'planted-secret' }));
    const { analytics } = await connect(service.url);
    const error = await caught(analytics.call(supplyEvents, tide));
    expect(error.message).toContain('"data"');
    expect(error.message).not.toContain('planted-secret');
  });

  test('a packed answer within the size is read all the same', async () => {
    const service = await serve((asked) =>
      reply(asked, gzipSync(JSON.stringify({ data: OVERVIEW })), { headers: { 'content-encoding': 'gzip' } }),
    );
    const { analytics } = await connect(service.url);
    expect((await analytics.call(supplyOverview, tide)).data.supply).toBe('100');
  });

  test('a bomb of packed zeros is stopped at the size it unpacks to', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024, ' '));
    expect(bomb.byteLength).toBeLessThan(64 * 1024);
    const service = await serve((asked) => reply(asked, bomb, { headers: { 'content-encoding': 'gzip' } }));
    const { analytics } = await connect(service.url, { maxBytes: 64 * 1024 });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({
      trouble: 'malformed',
      message: expect.stringContaining('larger') as string,
    });
  });

  test('a plain flood is left before its end', async () => {
    let flooding = true;
    const service = await serve(({ response }) => {
      response.on('close', () => (flooding = false));
      const pour = (): void => {
        if (flooding && response.write(Buffer.alloc(16 * 1024, ' '))) pour();
        else if (flooding) response.once('drain', pour);
      };
      pour();
    });
    const { analytics } = await connect(service.url, { maxBytes: 64 * 1024 });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'malformed' });
  });
});

describe('asking again', () => {
  test('a failing service is asked three times, with a pause between, and what it says then counts', async () => {
    const service = await serve((asked) => (asked.number < 3 ? reply(asked, 'oops', { status: 503 }) : answerWith(asked, OVERVIEW)));
    const { analytics, clock } = await connect(service.url);
    const begun = clock.now();
    const answer = analytics.call(supplyOverview, tide);
    await clock.asleep(2);
    await clock.advance(500);
    await service.arrived(2);
    await clock.asleep(2);
    await clock.advance(1_000);
    expect((await answer).at - begun).toBe(1_500);
    expect(analytics.state()).toMatchObject({ ok: true, budget: { used: 3 } });
  });

  test('a body cut in the middle is asked for again', async () => {
    const service = await serve((asked) => {
      if (asked.number > 1) return answerWith(asked, OVERVIEW);
      asked.response.writeHead(200, { 'content-length': '1000' });
      asked.response.write('{"data":', () => asked.response.destroy());
    });
    const { analytics, clock } = await connect(service.url);
    const answer = analytics.call(supplyOverview, tide);
    await clock.asleep(2);
    await clock.advance(SECOND);
    expect((await answer).data.symbol).toBe('TIDE');
  });

  test('nobody there is unreachable after three attempts, and one attempt tells as much while it stays so', async () => {
    const service = await serve(() => {});
    await service.close();
    const { analytics, clock } = await connect(service.url);
    const first = caught(analytics.call(supplyOverview, tide));
    for (const wait of [500, 1_000]) {
      await clock.asleep(2);
      await clock.advance(wait);
    }
    expect(await first).toMatchObject({ trouble: 'unreachable' });
    expect(analytics.state()).toMatchObject({ ok: false, trouble: 'unreachable', budget: { used: 3 } });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'unreachable' });
    expect(analytics.state().budget.used).toBe(4);
  });

  test('a service that never answers ends at the deadline, however much was already received', async () => {
    const service = await serve(({ response }) => {
      response.writeHead(200);
      response.write('{"data":');
    });
    const { analytics, clock } = await connect(service.url);
    const error = caught(analytics.call(supplyOverview, tide));
    await service.arrived(1);
    await clock.advance(15 * SECOND);
    expect(await error).toMatchObject({ trouble: 'timeout' });
    expect(service.asked).toHaveLength(1);
    expect(clock.sleepers()).toBe(0);
  });
});

describe('a pause the service asks for', () => {
  test('is waited when it fits into the deadline', async () => {
    const service = await serve((asked) =>
      asked.number === 1 ? reply(asked, '', { status: 429, headers: { 'retry-after': '7' } }) : answerWith(asked, OVERVIEW),
    );
    const { analytics, clock } = await connect(service.url);
    const begun = clock.now();
    const answer = analytics.call(supplyOverview, tide);
    await clock.asleep(2);
    await clock.advance(6_999);
    expect(service.asked).toHaveLength(1);
    await clock.advance(1);
    expect((await answer).at - begun).toBe(7_000);
  });

  test('of an hour is told at once with its end, and nobody is called before that end', async () => {
    const service = await serve((asked) =>
      asked.number === 1 ? reply(asked, '', { status: 429, headers: { 'retry-after': '3600' } }) : answerWith(asked, OVERVIEW),
    );
    const { analytics, clock } = await connect(service.url);
    const until = later(clock.now(), HOUR);
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'limited', until });
    expect(await caught(analytics.call(supplyOverview, { slug: 'reef' }))).toMatchObject({ trouble: 'limited', until });
    expect(await caught(analytics.call(supplyEvents, tide, { priority: 'poll' }))).toMatchObject({ trouble: 'limited', until });
    expect(service.asked).toHaveLength(1);
    await clock.advance(HOUR);
    expect((await analytics.call(supplyOverview, tide)).data.symbol).toBe('TIDE');
  });

  test('may be given as a date', async () => {
    const clock = handClock(Date.UTC(2026, 10, 20, 12));
    const service = await serve((asked) => reply(asked, '', { status: 429, headers: { 'retry-after': 'Fri, 20 Nov 2026 14:30:00 GMT' } }));
    const { analytics } = await connect(service.url, { clock });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ until: Date.UTC(2026, 10, 20, 14, 30) });
  });

  test('beyond all sense is taken for a day', async () => {
    const service = await serve((asked) => reply(asked, '', { status: 429, headers: { 'retry-after': '99999999999' } }));
    const { analytics, clock } = await connect(service.url);
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ until: later(clock.now(), 24 * HOUR) });
  });
});

describe('many who ask', () => {
  test('the same question at once is one request, and one who leaves does not take the answer from the others', async () => {
    let release: (() => void) | undefined;
    const service = await serve((asked) => (release = () => answerWith(asked, OVERVIEW)));
    const { analytics } = await connect(service.url);
    const leaver = new AbortController();
    const left = analytics.call(supplyOverview, tide, { signal: leaver.signal });
    const stays = analytics.call(supplyOverview, tide);
    await service.arrived(1);
    leaver.abort(new Error('went away'));
    await expect(left).rejects.toThrow('went away');
    release?.();
    expect((await stays).data.symbol).toBe('TIDE');
    expect(service.asked).toHaveLength(1);
  });

  test('when the last one leaves, the request is cut', async () => {
    const service = await serve(() => {});
    const { analytics, clock } = await connect(service.url);
    const leaver = new AbortController();
    const left = analytics.call(supplyOverview, tide, { signal: leaver.signal });
    await service.arrived(1);
    const cut = new Promise((resolve) => service.asked[0]?.response.on('close', resolve));
    leaver.abort(new Error('went away'));
    await expect(left).rejects.toThrow('went away');
    await cut;
    expect(clock.sleepers()).toBe(0);
    expect(analytics.state().ok).toBeUndefined();
  });

  test('no more than the pace allows start in a second, and questions overtake polls', async () => {
    const order: string[] = [];
    const service = await serve((asked) => {
      order.push(asked.query.get('slug') ?? '');
      answerWith(asked, OVERVIEW);
    });
    const { analytics, clock } = await connect(service.url, { requestsPerSecond: 2 });
    const polls = ['p1', 'p2', 'p3', 'p4', 'p5'].map(async (slug) => analytics.call(supplyOverview, { slug }, { priority: 'poll' }));
    await service.arrived(2);
    const question = analytics.call(supplyOverview, { slug: 'q' });
    await clock.advance(999);
    expect(order).toEqual(['p1', 'p2']);
    await clock.advance(1);
    await service.arrived(4);
    expect(order.toSorted()).toEqual(['p1', 'p2', 'p3', 'q']);
    await clock.advance(SECOND);
    await Promise.all([...polls, question]);
    expect(order.slice(4)).toEqual(['p4', 'p5']);
  });

  test('a person who asks what a poll waits for takes it along', async () => {
    const order: string[] = [];
    const service = await serve((asked) => {
      order.push(asked.query.get('slug') ?? '');
      answerWith(asked, OVERVIEW);
    });
    const { analytics, clock } = await connect(service.url, { requestsPerSecond: 1 });
    const polls = ['p1', 'p2', 'p3', 'p4'].map(async (slug) => analytics.call(supplyOverview, { slug }, { priority: 'poll' }));
    await service.arrived(1);
    const question = analytics.call(supplyOverview, { slug: 'p4' });
    await clock.advance(10 * SECOND);
    await Promise.all([...polls, question]);
    expect(order).toEqual(['p1', 'p2', 'p4', 'p3']);
  });

  test('a slow service is not asked more than four things at once', async () => {
    const held: Asked[] = [];
    const service = await serve((asked) => held.push(asked));
    const { analytics, clock } = await connect(service.url);
    const calls = Array.from({ length: 6 }, async (_, index) => analytics.call(supplyOverview, { slug: `s${index}` }));
    await service.arrived(4);
    await clock.advance(5 * SECOND);
    expect(service.asked).toHaveLength(4);
    answerWith(held[0]!, OVERVIEW);
    answerWith(held[1]!, OVERVIEW);
    await service.arrived(6);
    for (const one of held.slice(2)) answerWith(one, OVERVIEW);
    await Promise.all(calls);
  });
});

describe('kept answers', () => {
  test('a fresh one is used without asking, an old one is not, and a look may insist on a new one', async () => {
    const service = await serve((asked) => answerWith(asked, { ...OVERVIEW, symbol: `S${asked.number}` }));
    const { analytics, clock } = await connect(service.url);
    const symbol = async (maxAge?: number) =>
      (await analytics.call(supplyOverview, tide, maxAge === undefined ? {} : { maxAge })).data.symbol;
    expect([await symbol(), await symbol(), await symbol(0)]).toEqual(['S1', 'S1', 'S2']);
    await clock.advance(MINUTE);
    expect(await symbol()).toBe('S3');
  });

  test('when the service fails, the last good copy answers with its age, but never a look that refuses it', async () => {
    let well = true;
    const service = await serve((asked) => (well ? answerWith(asked, OVERVIEW) : reply(asked, '<html>')));
    const { analytics, clock } = await connect(service.url);
    const at = clock.now();
    await analytics.call(supplyOverview, tide);
    well = false;
    await clock.advance(3 * HOUR);
    expect(await analytics.call(supplyOverview, tide)).toMatchObject({ at, stale: 'malformed', data: { supply: '100' } });
    expect(await caught(analytics.call(supplyOverview, tide, { ifFailing: 'refuse' }))).toMatchObject({ trouble: 'malformed' });
  });

  test("the service's own no is not answered with an older yes", async () => {
    let known = true;
    const service = await serve((asked) => (known ? answerWith(asked, OVERVIEW) : reply(asked, '', { status: 404 })));
    const { analytics } = await connect(service.url);
    await analytics.call(supplyOverview, tide);
    known = false;
    expect(await caught(analytics.call(supplyOverview, tide, { maxAge: 0 }))).toMatchObject({ trouble: 'unknown' });
    expect(analytics.state().ok).toBe(true);
  });

  test('they outlive a restart, digits and all, but not a change of the service', async () => {
    const store = await openStore('memory://');
    const clock = handClock();
    const service = await serve((asked) => reply(asked, '{"data":{"totalMint":1234567890123456789.5,"symbol":"TIDE"}}'));
    const before = await connect(service.url, { store, clock });
    await before.analytics.call(supplyOverview, tide);
    await before.analytics.close();
    const again = await connect(service.url, { store, clock });
    expect((await again.analytics.call(supplyOverview, tide)).data.minted).toBe('1234567890123456789.5');
    expect(service.asked).toHaveLength(1);
    const other = await connect(service.url, { store, clock, source: 'another service' });
    await other.analytics.call(supplyOverview, tide);
    expect(service.asked).toHaveLength(2);
  });

  test('a copy that no longer fits counts as absent', async () => {
    const store = await openStore('memory://');
    const service = await serve((asked) => answerWith(asked, [{ anything: 1 }]));
    const first = await connect(service.url, { store });
    await first.analytics.call({ ...supplyOverview, data: supplyEvents.data }, tide);
    await first.analytics.close();
    const second = await connect(service.url, { store, clock: first.clock });
    expect(await caught(second.analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'malformed' });
  });

  test('old ones are swept from the store', async () => {
    const store = await openStore('memory://');
    const service = await serve((asked) => answerWith(asked, OVERVIEW));
    const { analytics, clock } = await connect(service.url, { store });
    await analytics.call(supplyOverview, tide);
    await clock.advance(20 * 24 * HOUR);
    await analytics.call(supplyOverview, { slug: 'reef' });
    await analytics.close();
    const { found } = await store.collection({ prefix: 'answer', version: 1, schema: z.unknown() }).list();
    expect(found.map(([key]) => key)).toEqual(['supply.overview?slug=reef']);
  });
});

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
