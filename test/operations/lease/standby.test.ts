import { expect, test } from 'vitest';
import { standbyRoutes } from '../../../src/operations/lease/standby.js';
import { handClock } from '../../support/clock.js';
import { sharedEngineDouble } from '../../support/shared-engine.js';

const TTL = 15_000;

function open() {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const [active, standby] = [engine.process(), engine.process()];
  const app = standbyRoutes({ shared: standby.store.shared, holder: 'b (pid 2)', hosts: [], routes: [] });
  const get = async (path: string, method = 'GET') => app.request(path, { method, headers: { host: 'localhost' } });
  return { active, standby, get };
}

test('a standby is well, and says which process is active', async () => {
  const { active, get } = open();
  await active.store.shared.acquire('a (pid 1)', TTL);
  const health = await get('/healthz');
  expect([health.status, await health.json()]).toEqual([200, { ok: true, store: true, role: 'standby', active: 'a (pid 1)' }]);
  const page = await (await get('/')).text();
  expect(page).toContain('a (pid 1)');
  expect(page).toContain('b (pid 2)');
});

test('a standby that cannot see the database is not well', async () => {
  const { standby, get } = open();
  standby.cut();
  const health = await get('/healthz');
  expect([health.status, await health.json()]).toMatchObject([503, { ok: false, role: 'standby' }]);
  expect((await get('/')).status).toBe(200);
});

test('everything else waits for the active process, so that a webhook is sent again', async () => {
  const { get } = open();
  for (const [path, method] of [
    ['/telegram/secret', 'POST'],
    ['/api/panel', 'GET'],
  ] as const) {
    const answer = await get(path, method);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '15']);
  }
});

test('a page on another host name is refused', async () => {
  const { standby } = open();
  const app = standbyRoutes({ shared: standby.store.shared, holder: 'b', hosts: [], routes: [] });
  for (const path of ['/', '/healthz']) expect((await app.request(path, { headers: { host: 'evil.example' } })).status).toBe(403);
});
