/** How the connection stands, told once at every change. */
import type { Log } from '../../base/log.js';

export interface Standing {
  readonly ok: boolean;
  readonly says: string;
  /** What fails although it is connected, as a sentence. */
  readonly problem?: string;
}

export interface State {
  read(): Standing;
  /** `detail` is for the log alone. */
  set(standing: Standing, detail?: string): void;
  /** What a connected bot lacks, in a few words with the remedy; undefined once it is there. */
  missing(what: string | undefined): void;
}

export function openState(log: Log): State {
  let lacks: string | undefined;
  let current: Standing = { ok: false, says: 'not connected yet' };
  return {
    read: () =>
      lacks === undefined || !current.ok ? current : { ok: false, says: `${current.says}, but ${lacks}`, problem: `On Telegram ${lacks}.` },
    missing: (what) => void (lacks = what),
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
