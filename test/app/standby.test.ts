import { Hono } from 'hono';
import { onTestFinished, expect, test } from 'vitest';
import { z } from 'zod';
import type { Foundation } from '../../src/app/foundation.js';
import { shareEngine, type Activate } from '../../src/app/standby.js';
import { SECOND } from '../../src/base/clock.js';
import { openTrustedClock } from '../../src/base/trusted-clock.js';
import { readConfig } from '../../src/config.js';
import { createMetrics } from '../../src/operations/metrics/metrics.js';
import { handClock } from '../support/clock.js';
import { sharedEngineDouble } from '../support/shared-engine.js';

const log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

const TOKEN = 'token-of-both-processes';

function open() {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const activations: Foundation[] = [];
  const activate: Activate = async (base, http) => {
    activations.push(base);
    http?.show(new Hono().get('/', (c) => c.text('the page')));
    return { url: http?.url ?? 'opened itself', lines: ['active'], serviceUrl: '', idle: async () => {}, warm: () => {} };
  };
  const start = async () => {
    const process = engine.process();
    const undo: (() => Promise<void>)[] = [];
    const stop = async (): Promise<void> => {
      for (const close of undo.splice(0).toReversed()) await close();
    };
    onTestFinished(stop);
    const metrics = createMetrics();
    onTestFinished(() => metrics.stop());
    const base: Foundation = {
      ...{
        config: readConfig({ HTTP_PORT: '0', CONSOLE_TOKEN: TOKEN }),
        clock: openTrustedClock({ ...clock, monotonic: () => clock.now() }),
        random: () => 0.5,
        log,
        startedAt: () => clock.now(),
        store: process.store,
      },
      metrics,
      droppedLines: () => ({ count: 0, because: undefined, failing: false }),
      ...{ stopping: new AbortController().signal, givingUp: new AbortController().signal },
      onStop: (close) => void undo.push(close),
    };
    return { process, stop, app: await shareEngine(base, process.store.shared, activate) };
  };
  return { clock, activations, start };
}

test('the first process is active at once; the second stands by, takes over on the same port and holds the lease before it reads', async () => {
  const { clock, activations, start } = open();
  const first = await start();
  expect([first.app.sharing.isStandby, activations.length]).toEqual([false, 1]);
  const second = await start();
  expect([second.app.sharing.isStandby, activations.length]).toEqual([true, 1]);
  expect(await (await fetch(`${second.app.url}healthz`)).json()).toMatchObject({ ok: true, role: 'standby' });
  const ready = await fetch(`${second.app.url}readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, role: 'standby', notReady: [{ part: 'role' }] }]);
  expect((await fetch(`${second.app.url}metrics`)).status).toBe(401);
  const metrics = await (await fetch(`${second.app.url}metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
  expect(metrics).toContain('navwatch_role{role="standby"} 1');
  await first.stop();
  expect(activations[0]?.isActive?.()).toBe(false);
  await clock.advance(1.1 * SECOND);
  expect(await second.app.sharing.tookOver).toEqual(['active']);
  expect(activations[1]?.isActive?.()).toBe(true);
  expect(await (await fetch(second.app.url)).text()).toBe('the page');
});

test('a process that was paused for too long must end, with a sentence, and is not active from its first moment on', async () => {
  const { clock, activations, start } = open();
  const first = await start();
  const second = await start();
  // It is paused for longer than its lease lasts.
  first.process.hold();
  await clock.advance(16 * SECOND);
  first.process.restore();
  expect([await first.app.sharing.lost, await second.app.sharing.tookOver]).toEqual([expect.stringContaining('12 s'), ['active']]);
  expect(activations.map(({ isActive }) => isActive?.())).toEqual([false, true]);
});

test('a write that the engine refuses for its epoch ends the lease, and the writer gets the error', async () => {
  const { activations, start } = open();
  const { process, app } = await start();
  const notes = activations[0]?.store.collection({ prefix: 'note', schema: z.string(), version: 1 });
  expect([await notes?.setIfAbsent('one', 'text'), activations[0]?.isActive?.()]).toEqual([true, true]);
  // As another process takes it.
  await process.store.shared.release();
  await expect(notes?.set('one', 'other')).rejects.toMatchObject({ trouble: 'superseded' });
  await app.sharing.lost;
  expect([await notes?.get('one'), activations[0]?.isActive?.()]).toEqual(['text', false]);
});
