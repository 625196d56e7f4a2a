/** State of the connection, logged at every change. */
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Diagnosis } from '../../chat/notifier.js';

export interface ConnectionState {
  read(): Diagnosis;
  /** `detail` is for the log alone. */
  set(diagnosis: Diagnosis, detail?: string): void;
  missing(what: string | undefined): void;
}

export function openConnectionState(log: Log): ConnectionState {
  let lacks: string | undefined;
  let current: Diagnosis = { ok: false, says: 'not connected yet' };
  return {
    read: () =>
      lacks === undefined || !current.ok ? current : { ok: false, says: `${current.says}, but ${lacks}`, problem: `On Telegram ${lacks}.` },
    missing: (what) => void (lacks = what),
    set(diagnosis, detail) {
      const { ok, says } = diagnosis;
      if (ok !== current.ok || says !== current.says)
        log[ok ? 'info' : 'warn'](ok ? 'telegram.connected' : 'telegram.trouble', omitUndefined({ says, detail }));
      current = diagnosis;
    },
  };
}
