/** A process on a shared engine: it takes the lease and is active, or stands by. */
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
  /** The connections, in a few plain lines. */
  readonly lines: readonly string[];
  /** The URL of the service, configured or embedded. */
  readonly serviceUrl: string;
  /** Resolves when no check and no delivery is under way. */
  idle(): Promise<void>;
  /** Starts the drawing thread (60 MB) with the first question without a picture. */
  warm(): void;
}

/** Says how a process on a shared engine goes on. */
export interface Sharing {
  readonly isStandby: boolean;
  /** Resolves with the new lines when a standby became active. */
  readonly tookOver: Promise<readonly string[]>;
  /** Resolves with a sentence once the lease is lost: the process must end at once, with `EXIT_LEASE_LOST`. */
  readonly lost: Promise<string>;
}

/** It is EX_TEMPFAIL of sysexits: https://man.openbsd.org/sysexits */
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
  // A lease goes by the machine's clock as it is: one that was suspended may have lost it, and says so only by a jump.
  const machine = {
    now: () => instant(clock.reading().wall),
    sleep: clock.sleep,
    monotonic: () => clock.reading().monotonic,
  };
  const lease = new Lease({ shared, holder, clock: machine, log });
  // The lease is given up after the last write.
  onStop(async () => lease.stop());
  // A write that the engine refuses for its epoch ends the lease, whoever made it.
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
  // The caller may be ending the process instead.
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
