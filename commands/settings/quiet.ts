/** Parses quiet hours. */
import type { QuietHours } from '../../src/alerts/queue/quiet-hours.js';
import { readClockTime } from '../../src/reply/index.js';

/** Reads `22:00-07:00`, `22-7` or `10pm to 7am`. Returns undefined if both ends are equal. */
export function readQuiet(text: string): QuietHours | undefined {
  const { from, to } = ends(text) ?? {};
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

/** Tells whether the text is a whole day, as in "0:00-24:00". */
export function isWholeDay(text: string): boolean {
  const { from, to } = ends(text) ?? {};
  return from !== undefined && from === to;
}

const MAX_LENGTH = 60;

function ends(text: string): { readonly from: string | undefined; readonly to: string | undefined } | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^from\b\s*/u, '');
  const [begin = '', end = '', ...others] = words.split(/\s*(?:[-–−]|\bto\b|\btill\b|\buntil\b)\s*/u);
  return others.length > 0 ? undefined : { from: readClockTime(begin), to: readClockTime(end) };
}
