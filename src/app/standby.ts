/** Runs a process on a shared engine, which takes the lease and becomes active, or stands by. */
import { hostname } from 'node:os';
import { SECOND, instant } from '../base/clock.js';
import { never } from '../base/never.js';
import { signalOnce } from '../base/when-ready.js';
import { HELD_FOR, Lease, isSuperseded, type LossReason } from '../operations/lease/lease.js';
import { standbyRoutes, standbySentence } from '../operations/lease/standby.js';
import { observedStore } from '../operations/observed-store.js';
import type { SharedEngine } from '../store/store.js';
import { openHttp, type Foundation, type HttpServer } from './foundation.js';
import { monitorStandby } from './monitoring.js';

export interface ActiveApp {
  readonly url: string;
  /** What the process is connected to, in a few lines. */
  readonly lines: readonly string[];
  /** The URL of the analytics service, configured or embedded. */
  readonly serviceUrl: string;
  /** Resolves when no check and no delivery is under way. */
  idle(): Promise<void>;
  /** Allows the drawing thread (60 MB) to start after the first question without a picture. */
  warm(): void;
}

/** The role of a process on a shared engine, and its changes. */
export interface Sharing {
  readonly isStandby: boolean;
  /** Resolves with the new lines when a standby became active. */
  readonly tookOver: Promise<readonly string[]>;
  /** Resolves with a sentence once the lease is lost. The process must then exit at once with `EXIT_LEASE_LOST`. */
  readonly lost: Promise<string>;
}

/** EX_TEMPFAIL of sysexits, https://man.openbsd.org/sysexits */
export const EXIT_LEASE_LOST = 75;

export type Activate = (base: Foundation, http?: HttpServer) => Promise<ActiveApp>;

/** Becomes active at once if the lease is free. */
export async function shareEngine(
  base: Foundation,
  shared: SharedEngine,
  activate: Activate,
): Promise<ActiveApp & { readonly sharing: Sharing }> {
  const { config, clock, log, onStop, listen = openHttp } = base;
  const holder = `${hostname()} (pid ${process.pid})`;
  // The lease uses the machine's unfiltered clock: a suspended machine may have lost the lease, which only a clock jump shows.
  const machine = {
    now: () => instant(clock.reading().wall),
    sleep: clock.sleep,
    monotonic: () => clock.reading().monotonic,
  };
  const lease = new Lease({ shared, holder, clock: machine, log });
  // Registered first, so that the lease is released after the last write.
  onStop(async () => lease.stop());
  // If the engine refuses the epoch of any write, the lease is lost.
  const store = observedStore(base.store, ({ failure }) => {
    if (isSuperseded(failure)) lease.superseded();
  });
  const fenced: Foundation = { ...base, store, isActive: () => lease.isHeld() };
  const lost = lease.lost.then(lossSentence);
  await lease.asked;
  if (lease.isHeld()) return { ...(await activate(fenced)), sharing: { isStandby: false, tookOver: new Promise(() => {}), lost } };

  const { hosts } = config.http;
  const http = await listen(config.http, standbyRoutes({ shared, holder, hosts, routes: monitorStandby(base, shared) }), clock);
  onStop(async () => http.close());
  const active = (await shared.holder().catch(() => undefined))?.holder;
  log.info('standby', { active });
  const warmed = signalOnce();
  let running: ActiveApp | undefined;
  const tookOver = lease.taken.then(async () => {
    running = await activate(fenced, http);
    const { warm } = running;
    void warmed.done.then(warm);
    return running.lines;
  });
  // The caller may not wait for this, because it ends the process.
  tookOver.catch(() => {});
  return {
    url: http.url,
    lines: [`page ${http.url}`, standbySentence({ holder, active })],
    serviceUrl: config.analytics.baseUrl ?? '',
    idle: async () => running?.idle(),
    warm: () => warmed.signal(),
    sharing: { isStandby: true, tookOver, lost },
  };
}

function lossSentence(reason: LossReason): string {
  switch (reason) {
    case 'expired':
      return `Navwatch stops: its lease could not be renewed for ${HELD_FOR / SECOND} s, so another process may take over; check the database, the network to it and the clock of this machine.`;
    case 'taken':
      return 'Navwatch stops: another process of the bot holds the lease now.';
    case 'superseded':
      return 'Navwatch stops: another process of the bot is active, and the database refused a write of this one.';
    default:
      return never(reason);
  }
}
