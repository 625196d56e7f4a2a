/** The scheduled jobs of a simulated process. Nothing overlaps itself. */
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/clock.js';
import type { Ticker } from '../../../src/jobs/ticker.js';
import type { Life, Time } from '../machine/time.js';

/** `seconds`: how often at most anything runs, so that days can pass. */
export function simulatedTicker(life: Life, time: Time, seconds: number): Ticker {
  return {
    async every(expression, _name, work) {
      const { every, offset } = timesOf(expression, seconds);
      let isBusy = false;
      let stopped = false;
      const next = (): void => {
        const moment = Math.floor((time.now() - offset) / every) * every + every + offset;
        life.at(moment, () => {
          if (stopped || !life.isAlive()) return;
          next();
          if (isBusy) return;
          isBusy = true;
          void work().finally(() => {
            isBusy = false;
          });
        });
      };
      next();
      return async () => {
        stopped = true;
      };
    },
  };
}

interface Times {
  readonly every: number;
  readonly offset: number;
}

/** Of the forms that the schedule uses: each second, minute, few minutes, hour, day. */
function timesOf(expression: string, seconds: number): Times {
  const [second = '*', minute = '*', hour = '*'] = expression.split(' ');
  if (second === '*') return { every: seconds * SECOND, offset: 0 };
  const offset = Number(second) * SECOND;
  if (minute === '*') return { every: Math.max(MINUTE, seconds * SECOND), offset };
  const step = /^\*\/(\d+)$/u.exec(minute)?.[1];
  if (step !== undefined) return { every: Math.max(Number(step) * MINUTE, seconds * SECOND), offset };
  if (hour === '*') return { every: Math.max(HOUR, seconds * SECOND), offset: offset + Number(minute) * MINUTE };
  return { every: DAY, offset: offset + Number(minute) * MINUTE + Number(hour) * HOUR };
}
