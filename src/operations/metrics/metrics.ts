/** Every metric, by Prometheus' naming conventions. Labels never come from outside text. */
import { Counter, Histogram, Registry } from 'prom-client';
import type { DeliveryAttempt } from '../../alerts/delivery/deliver.js';
import { SECOND } from '../../base/clock.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { StoreError } from '../../store/store.js';
import type { BotState, StandbyState } from '../bot-state.js';
import type { StoreCall } from '../observed-store.js';
import { eventLoopMetrics } from './event-loop.js';
import { processMetrics } from './process.js';
import { createStateGauges } from './state-gauges.js';

/** Everything but counting is read at a scrape. */
export interface Metrics {
  checked(check: { readonly feed: string; readonly outcome: 'ok' | 'absent' | 'failed' }): void;
  routed(event: { readonly feed: string }): void;
  attempted(attempt: DeliveryAttempt): void;
  /** `answer`: the status, or why there is none. */
  exchanged(exchange: { readonly row: string; readonly ms: number; readonly answer: string | number }): void;
  ran(run: { readonly command: string; readonly ms: number; readonly ok: boolean }): void;
  stored(call: StoreCall): void;
  /** Until given, a scrape shows the process alone. */
  describe(state: () => Promise<BotState | StandbyState>): void;
  /** In the text format. Never rejects for the bot's own state. */
  scrape(): Promise<{ readonly type: string; readonly text: string }>;
  stop(): void;
}

/** In seconds. */
const BUCKETS = {
  check: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  command: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  store: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
  delay: [1, 2, 5, 10, 15, 30, 60, 120, 300, 900, 3600, 21_600],
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name, help, labelNames: [...labelNames], registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram<L>({ name, help, labelNames: [...labelNames], buckets, registers });

  const checks = counter('navwatch_checks_total', 'Checks that ended, by feed and outcome.', ['feed', 'outcome']);
  const events = counter('navwatch_events_routed_total', 'Events handed to the chats that watch them, by feed.', ['feed']);
  const deliveries = counter('navwatch_deliveries_total', 'Attempts to deliver a message, by platform and outcome.', [
    'platform',
    'outcome',
  ]);
  const delays = histogram(
    'navwatch_alert_delay_seconds',
    'From the detection of an event to the delivery of its alert, without catch-ups.',
    ['platform'],
    BUCKETS.delay,
  );
  const calls = counter('navwatch_api_calls_total', 'Calls of the analytics service, by answer.', ['answer']);
  const operations = histogram(
    'navwatch_api_call_duration_seconds',
    'Duration of calls of the analytics service, by operation.',
    ['operation'],
    BUCKETS.check,
  );
  const commands = histogram(
    'navwatch_command_duration_seconds',
    'Duration of commands until their reply, without pictures.',
    ['command', 'outcome'],
    BUCKETS.command,
  );
  const storeCalls = histogram(
    'navwatch_store_operation_duration_seconds',
    'Duration of store operations until they are durable.',
    ['operation'],
    BUCKETS.store,
  );
  const storeErrors = counter('navwatch_store_errors_total', 'Store operations that failed, by what was wrong.', ['trouble']);

  const readProcess = processMetrics(registry);
  const eventLoop = eventLoopMetrics(registry);
  const gauges = createStateGauges(registry);
  let readState: (() => Promise<BotState | StandbyState>) | undefined;

  return {
    checked: ({ feed, outcome }) => checks.inc({ feed, outcome }),
    routed: ({ feed }) => events.inc({ feed }),
    attempted({ platform, outcome, delays: waited }) {
      deliveries.inc({ platform, outcome });
      for (const ms of waited) delays.observe({ platform }, ms / SECOND);
    },
    exchanged({ row, ms, answer }) {
      calls.inc({ answer: answerClass(answer) });
      operations.observe({ operation: row }, ms / SECOND);
    },
    ran: ({ command, ms, ok }) => commands.observe({ command, outcome: ok ? 'ok' : 'failed' }, ms / SECOND),
    stored({ operation, ms, failure }) {
      storeCalls.observe({ operation }, ms / SECOND);
      if (failure !== undefined) storeErrors.inc({ trouble: failure instanceof StoreError ? failure.trouble : 'other' });
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

const ALONE = new Set([401, 403, 404, 429]);

function answerClass(answer: string | number): string {
  if (answer === 'body') return '2xx';
  return typeof answer === 'string' ? answer : ALONE.has(answer) ? String(answer) : `${Math.floor(answer / 100)}xx`;
}
