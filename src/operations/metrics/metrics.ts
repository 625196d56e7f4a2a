/** Defines all metrics, by Prometheus' naming conventions. Labels must not contain external text. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryAttempt } from '../../alerts/delivery/deliver.js';
import { MINUTE, SECOND } from '../../base/clock.js';
import { guard, type Hosts, type Routes } from '../../base/http.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { StoreError } from '../../store/store.js';
import type { BotState, StandbyState } from '../bot-state.js';
import type { StoreCall } from '../observed-store.js';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { readdirSync } from 'node:fs';
import { Hono } from 'hono';
import type { OperatorLogin } from '../../base/http-callers.js';

/** The bot's metrics. Counters are updated by calls; everything else is read at a scrape. */
export interface Metrics {
  checked(check: { readonly feed: string; readonly outcome: 'ok' | 'absent' | 'failed' }): void;
  routed(event: { readonly feed: string }): void;
  attempted(attempt: DeliveryAttempt): void;
  /** Counts a call to the service. `answer` is the HTTP status, or why there is none. */
  exchanged(exchange: { readonly row: string; readonly ms: number; readonly answer: string | number }): void;
  ran(run: { readonly command: string; readonly ms: number; readonly ok: boolean }): void;
  stored(call: StoreCall): void;
  /** Sets how the bot's state is read. Before this call a scrape shows only the process. */
  describe(state: () => Promise<BotState | StandbyState>): void;
  /** Returns all metrics in the text format. Does not reject if the bot's state cannot be read. */
  scrape(): Promise<{ readonly type: string; readonly text: string }>;
  stop(): void;
}

/** The bounds of the buckets, in seconds. */
const BUCKETS = {
  check: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  command: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  store: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
  delay: [1, 2, 5, 10, 15, 30, 60, 120, 300, 900, 3600, 21_600],
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  const counts = createCounters(registry);
  const readProcess = processMetrics(registry);
  const eventLoop = eventLoopMetrics(registry);
  const gauges = createStateGauges(registry);
  let readState: (() => Promise<BotState | StandbyState>) | undefined;

  return {
    checked: ({ feed, outcome }) => counts.checks.inc({ feed, outcome }),
    routed: ({ feed }) => counts.events.inc({ feed }),
    attempted({ platform, outcome, delays }) {
      counts.deliveries.inc({ platform, outcome });
      for (const ms of delays) counts.delays.observe({ platform }, ms / SECOND);
    },
    exchanged({ row, ms, answer }) {
      counts.calls.inc({ answer: answerClass(answer) });
      counts.operations.observe({ operation: row }, ms / SECOND);
    },
    ran: ({ command, ms, ok }) => counts.commands.observe({ command, outcome: ok ? 'ok' : 'failed' }, ms / SECOND),
    stored({ operation, ms, failure }) {
      counts.storeCalls.observe({ operation }, ms / SECOND);
      if (failure !== undefined) counts.storeErrors.inc({ trouble: failure instanceof StoreError ? failure.trouble : 'other' });
    },
    describe: (state) => void (readState = state),
    async scrape() {
      gauges.set(await readState?.());
      await yieldToEventLoop();
      readProcess();
      eventLoop.read();
      return { type: registry.contentType, text: await registry.metrics() };
    },
    stop: () => eventLoop.stop(),
  };
}

/** Creates the counters and histograms that calls update. */
function createCounters(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name, help, labelNames: [...labelNames], registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram<L>({ name, help, labelNames: [...labelNames], buckets, registers });
  return {
    checks: counter('navwatch_checks_total', 'Checks that ended, by feed and outcome.', ['feed', 'outcome']),
    events: counter('navwatch_events_routed_total', 'Events handed to the chats that watch them, by feed.', ['feed']),
    deliveries: counter('navwatch_deliveries_total', 'Attempts to deliver a message, by platform and outcome.', ['platform', 'outcome']),
    delays: histogram(
      'navwatch_alert_delay_seconds',
      'From the detection of an event to the delivery of its alert, without catch-ups.',
      ['platform'],
      BUCKETS.delay,
    ),
    calls: counter('navwatch_api_calls_total', 'Calls of the analytics service, by answer.', ['answer']),
    operations: histogram(
      'navwatch_api_call_duration_seconds',
      'Duration of calls of the analytics service, by operation.',
      ['operation'],
      BUCKETS.check,
    ),
    commands: histogram(
      'navwatch_command_duration_seconds',
      'Duration of commands until their reply, without pictures.',
      ['command', 'outcome'],
      BUCKETS.command,
    ),
    storeCalls: histogram(
      'navwatch_store_operation_duration_seconds',
      'Duration of store operations until they are durable.',
      ['operation'],
      BUCKETS.store,
    ),
    storeErrors: counter('navwatch_store_errors_total', 'Store operations that failed, by what was wrong.', ['trouble']),
  };
}

const ALONE = new Set([401, 403, 404, 429]);

function answerClass(answer: string | number): string {
  if (answer === 'body') return '2xx';
  return typeof answer === 'string' ? answer : ALONE.has(answer) ? String(answer) : `${Math.floor(answer / 100)}xx`;
}

/** The time between two samples, in milliseconds. Every measured delay contains it, so it is subtracted. */
const RESOLUTION = 20;
/** Sampling ends after this time without a scrape. */
const UNREAD = 5 * MINUTE;
/** The shortest window, so that two scrapers read the same one. */
const MIN_WINDOW = 10 * SECOND;
const QUANTILES = [0.5, 0.99];

/** Measures how late the event loop is, only while somebody scrapes. */
function eventLoopMetrics(registry: Registry): { read(): void; stop(): void } {
  const lag = new Gauge({
    name: 'navwatch_event_loop_lag_seconds',
    help: 'Lateness of the event loop since the scrape before, by quantile; 1 is the worst.',
    labelNames: ['quantile'],
    registers: [registry],
  });
  let sampler: IntervalHistogram | undefined;
  let end: NodeJS.Timeout | undefined;
  let begun = performance.now();
  const stop = (): void => {
    clearTimeout(end);
    sampler?.disable();
    sampler = undefined;
  };
  return {
    stop,
    read() {
      clearTimeout(end);
      end = setTimeout(stop, UNREAD).unref();
      if (sampler === undefined) {
        sampler = monitorEventLoopDelay({ resolution: RESOLUTION });
        sampler.enable();
        begun = performance.now();
        return lag.reset();
      }
      if (sampler.count === 0) return;
      const { max } = sampler;
      for (const quantile of QUANTILES) lag.set({ quantile: String(quantile) }, lateBy(sampler.percentile(quantile * 100)));
      lag.set({ quantile: '1' }, lateBy(max));
      if (performance.now() - begun < MIN_WINDOW) return;
      sampler.reset();
      begun = performance.now();
    },
  };
}

/** Returns how late the event loop was, in seconds, from the nanoseconds between two samples. */
const lateBy = (gap: number): number => Math.max(0, gap / 1e9 - RESOLUTION / SECOND);

/** Adds metrics of the process, under the standard names of Prometheus' client libraries. */
function processMetrics(registry: Registry): () => void {
  const registers = [registry];
  const cpu = new Counter({ name: 'process_cpu_seconds_total', help: 'CPU time, user and system.', registers });
  const resident = new Gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory.', registers });
  const files = new Gauge({ name: 'process_open_fds', help: 'Open file descriptors. Linux only.', registers });
  const started = new Gauge({ name: 'process_start_time_seconds', help: 'Start of the process, Unix time.', registers });
  const heapUsed = new Gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Used heap of Node.js.', registers });
  const heapTotal = new Gauge({ name: 'nodejs_heap_size_total_bytes', help: 'Heap of Node.js.', registers });
  const version = new Gauge({ name: 'nodejs_version_info', help: 'Version of Node.js.', labelNames: ['version'], registers });
  version.set({ version: process.version }, 1);
  started.set(Math.round(performance.timeOrigin / 1_000));
  let counted = 0;
  return () => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    cpu.inc(Math.max(0, seconds - counted));
    counted = seconds;
    const { rss, heapUsed: used, heapTotal: total } = process.memoryUsage();
    resident.set(rss);
    heapUsed.set(used);
    heapTotal.set(total);
    const open = openFiles();
    if (open === undefined) files.reset();
    else files.set(open);
  };
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined; // Only Linux has this folder.
  }
}

/** Creates the gauges of the bot's state, which are set at a scrape. An unknown value has no sample. */
function createStateGauges(registry: Registry): { set(state: BotState | StandbyState | undefined): void } {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const gauges = <L extends string>(name: string, help: string, label: L) => new Gauge<L>({ name, help, labelNames: [label], registers });
  const labelled = {
    role: gauges('navwatch_role', '1 for the role of this process.', 'role'),
    platform: gauges('navwatch_platform_up', '1 while the platform is connected.', 'platform'),
    age: gauges('navwatch_feed_age_seconds', 'Since the last successful check of the subject that waited longest, by feed.', 'feed'),
    interval: gauges('navwatch_feed_interval_seconds', 'The longest planned time between two checks of a subject, by feed.', 'feed'),
    stale: gauges('navwatch_feed_stale', '1 while a subject of the feed was not checked for three intervals and ten minutes.', 'feed'),
    items: gauges('navwatch_queue_items', 'Alerts and messages in the queues, by state.', 'state'),
  };
  const plain = {
    ready: gauge('navwatch_ready', '1 while /readyz answers 200.'),
    chats: gauge('navwatch_chats', 'Chats with a watchlist.'),
    oldest: gauge(
      'navwatch_queue_oldest_seconds',
      'How long the oldest delivery could have been sent, without its waits for another try; 0 if there is none.',
    ),
    service: gauge('navwatch_service_up', '1 if the analytics service answered the last call.'),
    used: gauge('navwatch_api_calls_used', 'Calls of the analytics service in this billing month.'),
    left: gauge('navwatch_api_calls_left', 'Calls left of the monthly budget.'),
    resets: gauge('navwatch_api_budget_reset_timestamp_seconds', 'When the monthly budget begins again, Unix time.'),
    runsOut: gauge('navwatch_api_budget_exhausted_timestamp_seconds', 'When the budget is used up at the recent rate, Unix time.'),
    disk: gauge('navwatch_store_disk_free_bytes', 'Free space on the disk of the database.'),
  };
  const dropped = new Counter({ name: 'navwatch_log_lines_dropped_total', help: 'Log lines that could not be written.', registers });
  const setIf = (of: Gauge, value: number | undefined): void => {
    if (value !== undefined) of.set(value);
  };
  return {
    set(state) {
      for (const one of Object.values(labelled)) one.reset();
      for (const one of Object.values(plain)) one.remove();
      if (state === undefined) return;
      labelled.role.set({ role: state.role }, 1);
      plain.ready.set(Number(state.ready));
      if (!('feeds' in state)) return;
      const { now, feeds, queue, calls } = state;
      plain.chats.set(state.chats);
      for (const { name, up } of state.platforms) labelled.platform.set({ platform: name }, Number(up));
      for (const { id: feed, goodAt, every, staleSince } of feeds) {
        if (goodAt !== undefined) labelled.age.set({ feed }, Math.max(0, now - goodAt) / SECOND);
        if (every !== undefined) labelled.interval.set({ feed }, every / SECOND);
        labelled.stale.set({ feed }, Number(staleSince !== undefined));
      }
      for (const [name, items] of Object.entries(queue.items)) labelled.items.set({ state: name }, items);
      plain.oldest.set(queue.oldest === undefined ? 0 : Math.max(0, now - queue.oldest) / SECOND);
      setIf(plain.service, state.service.up === undefined ? undefined : Number(state.service.up));
      plain.used.set(calls.used);
      setIf(plain.left, calls.left);
      plain.resets.set(calls.resetsAt / SECOND);
      setIf(plain.runsOut, calls.runsOutAt && calls.runsOutAt / SECOND);
      setIf(plain.disk, state.diskFree);
      dropped.reset();
      dropped.inc(state.droppedLogLines);
    },
  };
}

interface MetricsRoutesDeps {
  readonly metrics: Pick<Metrics, 'scrape'>;
  readonly hosts: Hosts;
  readonly login: OperatorLogin;
  readonly isOpen: boolean;
}

/** Serves `GET /metrics` for the operator, or with METRICS_OPEN for everybody. */
export function metricsRoutes({ metrics, hosts, login, isOpen }: MetricsRoutesDeps): Routes {
  const app = new Hono();
  app.use(guard(hosts));
  app.get('/', async (c) => {
    if (!isOpen && !login.isOperator(c)) {
      c.header('WWW-Authenticate', 'Bearer');
      return c.text(NEEDS_TOKEN, 401);
    }
    const { type, text } = await metrics.scrape();
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  });
  return { path: '/metrics', app };
}

const NEEDS_TOKEN =
  'Metrics need the token: send "Authorization: Bearer" with CONSOLE_TOKEN, or with the token in the file console-token of the data folder. METRICS_OPEN=true opens them.\n';
