/** Assembles metrics, health routes, notices and the heartbeat for operators. */
import { Hono } from 'hono';
import { OperatorLogin } from '../base/http-callers.js';
import type { Routes } from '../base/http.js';
import { addressSchema } from '../chat/address.js';
import type { Config } from '../config.js';
import type { Drain } from '../jobs/drain.js';
import { botState, diskFree } from '../operations/bot-state.js';
import {
  ALONE,
  healthRoutes,
  readiness,
  readyRoutes,
  sharedCheck,
  standsBy,
  type Readiness,
  type ReadinessContext,
  type Role,
} from '../operations/readiness.js';
import { createHeartbeatCalls } from '../operations/heartbeat-calls.js';
import { metricsRoutes } from '../operations/metrics/metrics.js';
import { openNotices } from '../operations/notices/notices.js';
import { storeReport, type ReportContext } from '../operations/status-report.js';
import { remedyOf, type SharedEngine } from '../store/store.js';
import type { Foundation, State } from './foundation.js';

export interface Monitoring {
  readonly routes: readonly Routes[];
  /** Notices and the heartbeat; undefined if neither is configured. */
  readonly operators: { tick(): Promise<void>; stop(): void } | undefined;
}

/** Opens the routes of a standby, until it becomes active. */
export function monitorStandby({ config, clock, metrics }: Foundation, shared: Pick<SharedEngine, 'holder'>): readonly Routes[] {
  const { hosts } = config.http;
  const check = async (): Promise<Readiness> => {
    try {
      return standsBy((await shared.holder())?.holder);
    } catch (cause) {
      return { role: 'standby', notReady: [{ part: 'store', because: remedyOf(cause) }] };
    }
  };
  metrics.describe(async () => ({ role: 'standby', ready: false }));
  return [readyRoutes(sharedCheck(check, clock), hosts), metricsOf(config, { metrics, clock })];
}

/** Opens the routes of a process that only answers questions. */
export function monitorAnswers(
  { config, clock, metrics, store }: Foundation,
  shared: Pick<SharedEngine, 'holder'>,
  state: Pick<ReadinessContext, 'analytics' | 'notifiers'>,
): readonly Routes[] {
  const role = async (): Promise<Role> => ({ name: 'answer', active: (await shared.holder().catch(() => undefined))?.holder });
  const ready = sharedCheck(async () => readiness({ ...state, store, clock, clockDoubt: clock.doubt, role, isLoaded: () => true }), clock);
  metrics.describe(async () => ({ role: 'answer', ready: (await ready()).notReady.length === 0 }));
  const health = new Hono().get('/', async (c) => {
    const found = await storeReport({ store });
    const active = (await role()).active ?? null;
    return c.json(
      { ok: found.ok, store: found.ok, role: 'answer', active, ...(found.ok ? {} : { problem: found.problem }) },
      found.ok ? 200 : 503,
    );
  });
  return [{ path: '/healthz', app: health }, readyRoutes(ready, 'any'), metricsOf(config, { metrics, clock })];
}

const metricsOf = (
  { http: { hosts, consoleToken: token, isMetricsOpen: isOpen } }: Config,
  { metrics, clock }: Pick<Foundation, 'metrics' | 'clock'>,
): Routes => metricsRoutes({ metrics, hosts, login: new OperatorLogin({ token, clock }), isOpen });

export async function openMonitoring(
  { config, store, clock, log, metrics, isActive = () => true }: Foundation,
  { analytics, loaded, notifiers, queues }: State,
  { drain, reporting }: { readonly drain: Drain; readonly reporting: ReportContext },
): Promise<Monitoring> {
  const { operatorChat, heartbeatUrl } = config;
  const { hosts } = config.http;
  let isLoaded = false;
  void loaded.then(
    () => (isLoaded = true),
    () => undefined,
  );
  const ready = sharedCheck(
    async () => readiness({ ...reporting, analytics, notifiers, role: async () => ALONE, isLoaded: () => isLoaded }),
    clock,
  );
  const state = async () => botState({ ...reporting, drain, readiness: ready, diskFree: async () => diskFree(config.storeUrl) });
  metrics.describe(state);
  const notices =
    operatorChat === undefined ? undefined : await openNotices({ store, queues, to: addressSchema.parse(operatorChat), clock, log });
  const calls = heartbeatUrl === undefined ? undefined : createHeartbeatCalls({ url: heartbeatUrl, clock, log });
  const tick = async (): Promise<void> => {
    if (!isActive()) return;
    const now = await state();
    // Both at once, because a heartbeat call must not wait for the store, nor a notice for the network.
    await Promise.all([notices?.tick(now), calls?.tick(now)]);
  };
  return {
    routes: [healthRoutes(reporting, hosts), readyRoutes(ready, hosts), metricsOf(config, { metrics, clock })],
    operators: notices === undefined && calls === undefined ? undefined : { tick, stop: () => calls?.stop() },
  };
}
