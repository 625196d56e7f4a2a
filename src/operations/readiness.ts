/** Serves `/readyz`, which tells whether this process does its work or why not, and `/healthz`, which checks only that the store accepts writes. */
import { Hono } from 'hono';
import type { Trouble } from '../analytics/errors.js';
import { SECOND, type Clock, type Instant } from '../base/clock.js';
import { guard, type Hosts, type Routes } from '../base/http.js';
import { clockDoubtLine } from '../chat/clock-doubt.js';
import { lineText } from '../chat/plain-text.js';
import { duration } from '../domain/format.js';
import { deliveryReport, lateChats, logReport, storeReport, type ReportContext } from './status-report.js';

/** The role of a process. `answer` means that it only answers questions, beside an active one. */
export type RoleName = 'active' | 'standby' | 'answer';

export interface Role {
  readonly name: RoleName;
  /** The active process, if it is another one. */
  readonly active?: string | undefined;
}

export const ALONE: Role = { name: 'active' };

export interface NotReady {
  /** `role`, `loading`, `store`, `service`, `deliveries`, `clock` or a platform. */
  readonly part: string;
  readonly because: string;
}

export interface Readiness {
  readonly role: RoleName;
  /** Why the process is not ready; empty if it is. */
  readonly notReady: readonly NotReady[];
}

/** The troubles that make the process not ready. Others do not concern the service or end by themselves. */
const SERVICE_TROUBLES: Partial<Record<Trouble, string>> = {
  unreachable: "The analytics service isn't responding.",
  timeout: "The analytics service isn't responding in time.",
  'key-refused': 'The analytics service refuses ANALYTICS_API_KEY.',
  malformed: "The analytics service sends answers that can't be read.",
};

export interface ReadinessContext extends Pick<ReportContext, 'analytics' | 'store' | 'notifiers' | 'delays' | 'clockDoubt'> {
  /** The clock for the ages of deliveries. */
  readonly clock: Pick<Clock, 'now'>;
  readonly role: () => Promise<Role>;
  /** Tells whether all chats are loaded. */
  readonly isLoaded: () => boolean;
}

/** Computes the readiness. Makes no network request except to the store. */
export async function readiness(context: ReadinessContext): Promise<Readiness> {
  const { analytics, store, notifiers, delays, clockDoubt, clock, role, isLoaded } = context;
  const { name, active } = await role();
  if (name === 'standby') return standsBy(active);
  const notReady: NotReady[] = [];
  const stored = await storeReport({ store });
  if (!stored.ok) notReady.push({ part: 'store', because: stored.problem });
  if (!isLoaded()) notReady.push({ part: 'loading', because: 'The chats are still being loaded.' });
  const { trouble } = analytics.state();
  const because = trouble && SERVICE_TROUBLES[trouble];
  if (because !== undefined) notReady.push({ part: 'service', because });
  const late = lateChats({ delays });
  if (late !== undefined) notReady.push({ part: 'deliveries', because: lateDeliveries(late, clock.now()) });
  const doubt = clockDoubt?.();
  if (doubt !== undefined) notReady.push({ part: 'clock', because: lineText(clockDoubtLine(doubt), clock.now()) });
  for (const notifier of notifiers) {
    const { ok, says, problem } = await notifier.diagnose();
    // `problem` means that the platform is connected with a smaller fault, so the process counts as ready.
    if (!ok && problem === undefined)
      notReady.push({ part: notifier.platform, because: `Not connected to ${notifier.platform}: ${says}.` });
  }
  return { role: name, notReady };
}

const lateDeliveries = ({ chats, since }: NonNullable<ReturnType<typeof lateChats>>, now: Instant): string =>
  `Alerts wait much longer than planned in ${chats} ${chats === 1 ? 'chat' : 'chats'}, the longest for ${duration(now - since)}.`;

/** The readiness of a standby, in which nothing else is started. */
export const standsBy = (active: string | undefined): Readiness => ({
  role: 'standby',
  notReady: [
    { part: 'role', because: active === undefined ? 'Stands by; no process is active.' : `Stands by; process ${active} is active.` },
  ],
});

/** A result is reused this long, because a check writes to the store. */
const FRESH_FOR = SECOND;

/** Shares one check between all requests within a second. */
export function sharedCheck<T>(check: () => Promise<T>, clock: Clock): () => Promise<T> {
  let last: { readonly at: Instant; readonly result: Promise<T> } | undefined;
  return async () => {
    const now = clock.now();
    if (last === undefined || now < last.at || now - last.at >= FRESH_FOR) last = { at: now, result: check() };
    return last.result;
  };
}

/** Serves `/readyz`. The response contains no secrets and nothing about chats. */
export function readyRoutes(check: () => Promise<Readiness>, hosts: Hosts): Routes {
  const app = new Hono();
  app.use(guard(hosts));
  app.get('/', async (c) => {
    const { role, notReady } = await check();
    const ready = notReady.length === 0;
    return c.json({ ready, role, ...(ready ? {} : { notReady }) }, ready ? 200 : 503);
  });
  return { path: '/readyz', app };
}

/** Serves `/healthz`: 200 while the store accepts writes, even if the service is down. The response contains no secrets and nothing about chats. */
export function healthRoutes(context: ReportContext, hosts: Hosts): Routes {
  const app = new Hono();
  app.use(guard(hosts));
  app.get('/', async (c) => {
    const store = await storeReport(context);
    const { ok = null } = context.analytics.state();
    const { waiting } = deliveryReport(context);
    const { count: droppedLogLines } = logReport(context);
    const problem = store.ok ? {} : { problem: store.problem };
    return c.json({ ok: store.ok, store: store.ok, service: ok, waiting, droppedLogLines, ...problem }, store.ok ? 200 : 503);
  });
  return { path: '/healthz', app };
}
