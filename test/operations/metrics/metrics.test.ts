import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { SECOND, instant } from '../../../src/base/clock.js';
import { OperatorLogin } from '../../../src/base/http-callers.js';
import type { BotState } from '../../../src/operations/bot-state.js';
import { createMetrics, metricsRoutes, type Metrics } from '../../../src/operations/metrics/metrics.js';
import { handClock } from '../../support/clock.js';
import { StoreError } from '../../../src/store/store.js';

const NOW = instant(1_800_000_000_000);
const state: BotState = {
  now: NOW,
  role: 'active',
  ready: true,
  chats: 3,
  platforms: [{ name: 'telegram', up: true, tokenRefused: false }],
  feeds: [{ id: 'supply', goodAt: instant(NOW - 40 * SECOND), every: 15 * SECOND }, { id: 'growth' }],
  queue: { items: { waiting: 2, retrying: 0, not_permitted: 1, away: 0 }, oldest: instant(NOW - 7 * SECOND) },
  service: { up: undefined, trouble: undefined },
  calls: { used: 12, limit: undefined, left: undefined, resetsAt: NOW, runsOutAt: undefined, verdict: 'unknown' },
  diskFree: undefined,
  droppedLogLines: 0,
};

function opened(): Metrics {
  const metrics = createMetrics();
  onTestFinished(() => metrics.stop());
  return metrics;
}

/** Every sample, by its name and labels. */
async function samples(metrics: Metrics): Promise<Readonly<Record<string, number>>> {
  const { text } = await metrics.scrape();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
}

test('each part of the bot counts what it does', async () => {
  const metrics = opened();
  metrics.checked({ feed: 'supply', outcome: 'ok' });
  metrics.routed({ feed: 'supply' });
  metrics.attempted({ platform: 'discord', outcome: 'sent', delays: [400, 8_000] });
  metrics.exchanged({ row: 'supply.events', ms: 120, answer: 'body' });
  metrics.exchanged({ row: 'supply.events', ms: 9, answer: 503 });
  metrics.exchanged({ row: 'supply.events', ms: 9, answer: 429 });
  metrics.ran({ command: 'premium', ms: 30, ok: true });
  metrics.stored({ operation: 'set', ms: 2, failure: new StoreError('full', 'store: full') });
  expect(await samples(metrics)).toMatchObject({
    'navwatch_checks_total{feed="supply",outcome="ok"}': 1,
    'navwatch_events_routed_total{feed="supply"}': 1,
    'navwatch_deliveries_total{platform="discord",outcome="sent"}': 1,
    'navwatch_alert_delay_seconds_count{platform="discord"}': 2,
    'navwatch_alert_delay_seconds_sum{platform="discord"}': 8.4,
    'navwatch_api_calls_total{answer="2xx"}': 1,
    'navwatch_api_calls_total{answer="5xx"}': 1,
    'navwatch_api_calls_total{answer="429"}': 1,
    'navwatch_api_call_duration_seconds_count{operation="supply.events"}': 3,
    'navwatch_command_duration_seconds_count{command="premium",outcome="ok"}': 1,
    'navwatch_store_operation_duration_seconds_count{operation="set"}': 1,
    'navwatch_store_errors_total{trouble="full"}': 1,
  });
});

test('the state is read at a scrape, and what is unknown has no sample', async () => {
  const metrics = opened();
  metrics.describe(async () => state);
  const shown = await samples(metrics);
  expect(shown).toMatchObject({
    'navwatch_role{role="active"}': 1,
    navwatch_ready: 1,
    navwatch_chats: 3,
    'navwatch_platform_up{platform="telegram"}': 1,
    'navwatch_feed_age_seconds{feed="supply"}': 40,
    'navwatch_feed_stale{feed="growth"}': 0,
    'navwatch_queue_items{state="not_permitted"}': 1,
    navwatch_queue_oldest_seconds: 7,
    navwatch_api_calls_used: 12,
  });
  for (const name of [
    'navwatch_api_calls_left',
    'navwatch_service_up',
    'navwatch_store_disk_free_bytes',
    'navwatch_feed_age_seconds{feed="growth"}',
  ])
    expect(shown).not.toHaveProperty([name]);
});

test('what was known at one scrape and is unknown at the next has no sample any more', async () => {
  const metrics = opened();
  const calls = { ...state.calls, left: 88 };
  metrics.describe(async () => ({ ...state, calls, service: { up: true, trouble: undefined } }));
  expect(await samples(metrics)).toMatchObject({ navwatch_api_calls_left: 88, navwatch_service_up: 1 });
  metrics.describe(async () => ({ ...state, feeds: [], platforms: [] }));
  const shown = await samples(metrics);
  for (const name of ['navwatch_api_calls_left', 'navwatch_service_up', 'navwatch_feed_age_seconds{feed="supply"}'])
    expect(shown).not.toHaveProperty([name]);
});

test('a process without a state shows itself alone', async () => {
  const shown = await samples(opened());
  expect(Object.keys(shown).filter((name) => name.startsWith('navwatch_'))).toEqual(['navwatch_log_lines_dropped_total']);
  expect(shown['process_resident_memory_bytes']).toBeGreaterThan(1e6);
});

test('two processes in one test share no metric', async () => {
  opened().checked({ feed: 'supply', outcome: 'ok' });
  expect(await samples(opened())).not.toHaveProperty(['navwatch_checks_total{feed="supply",outcome="ok"}']);
});

const TOKEN = 'a-token-for-tests';

/** The status for a caller at `from`. */
async function asked({ from = '127.0.0.1', token, isOpen = false, headers = {} }: AskedMetrics): Promise<number> {
  const login = new OperatorLogin({ token, clock: handClock() });
  const { path, app } = metricsRoutes({ metrics: opened(), hosts: 'any', login, isOpen });
  const env = { incoming: { socket: { remoteAddress: from, remotePort: 1, remoteFamily: 'IPv4' } } };
  return (await new Hono().route(path, app).request('/metrics', { headers: { host: 'localhost', ...headers } }, env)).status;
}

interface AskedMetrics {
  readonly from?: string;
  readonly token?: string;
  readonly isOpen?: boolean;
  readonly headers?: Record<string, string>;
}

test('metrics need the token on this machine too, because a proxy that adds no header looks like it; METRICS_OPEN opens them', async () => {
  const authorization = `Bearer ${TOKEN}`;
  expect(await asked({})).toBe(401);
  expect(await asked({ token: TOKEN })).toBe(401);
  expect(await asked({ headers: { authorization: 'Bearer undefined' } })).toBe(401);
  expect(await asked({ token: TOKEN, headers: { authorization: 'Bearer another-token' } })).toBe(401);
  expect(await asked({ token: TOKEN, headers: { authorization } })).toBe(200);
  expect(await asked({ token: TOKEN, from: '10.0.0.7', headers: { authorization, 'x-forwarded-for': '10.0.0.8' } })).toBe(200);
  expect(await asked({ from: '10.0.0.7', isOpen: true })).toBe(200);
});
