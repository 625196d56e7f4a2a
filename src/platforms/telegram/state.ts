/** How the connection stands, told once at every change. */
import type { Log } from '../../base/log.js';

export interface Standing {
  readonly ok: boolean;
  readonly says: string;
}

export interface State {
  read(): Standing;
  /** `detail` is for the log alone. */
  set(standing: Standing, detail?: string): void;
}

export function openState(log: Log): State {
  let current: Standing = { ok: false, says: 'not connected yet' };
  return {
    read: () => current,
    set(standing, detail) {
      if (standing.ok !== current.ok || standing.says !== current.says)
        log[standing.ok ? 'info' : 'warn'](standing.ok ? 'telegram.connected' : 'telegram.trouble', {
          says: standing.says,
          ...(detail === undefined ? {} : { detail }),
        });
      current = standing;
    },
  };
}
