/** How long a mute lasts, as people write it. Pure. */
import { DAY, HOUR, MINUTE } from '../base/clock.js';

/** One number and one unit: 30m, 2h, 3d, 1w; or off. */
export const MUTE_TIME = /^(off|\d{1,5}(m|min|h|d|w))$/i;

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, min: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

export const LONGEST_MUTE = 90 * DAY;

/** Milliseconds, or `off`; undefined for what is no length, and for 0. */
export function muteTime(text: string): number | 'off' | undefined {
  const [, word = '', unit = ''] = MUTE_TIME.exec(text) ?? [];
  if (word.toLowerCase() === 'off') return 'off';
  const length = Number.parseInt(word, 10) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return length > 0 ? length : undefined;
}
