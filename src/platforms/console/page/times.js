// @ts-check
/** Keeps ages such as "2 min ago" current, by the server's clock and not by this machine's. */

/** How far the server's clock is ahead of ours, in milliseconds. */
let ahead = 0;

/** @param {string} serverNow ISO text */
export function setServerTime(serverNow) {
  const then = Date.parse(serverNow);
  if (!Number.isNaN(then)) ahead = then - Date.now();
}

export const serverNow = () => Date.now() + ahead;

/** @type {readonly (readonly [milliseconds: number, unit: string])[]} */
const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** Below this many hours or days, the smaller unit is shown too, as the server does. */
const FEW = 3;

/** "2 min ago", "in 5 h", "1 h 30 min ago", "just now". @param {number} at @param {number} now */
export function ago(at, now) {
  const gap = Math.abs(now - at);
  // A moment slightly in the future comes from clock differences.
  if (gap < 1_000 || (at > now && gap < 2_000)) return 'just now';
  const words = inWords(gap);
  return at > now ? `in ${words}` : `${words} ago`;
}

/** "5 h", "1 h 30 min". @param {number} gap */
export function inWords(gap) {
  // Rounds to the next smaller unit first, so that 59.9 minutes become an hour and not 60 minutes.
  const rounded = (/** @type {number} */ step) => Math.round(gap / step) * step;
  const [size, unit] = UNITS.find(([milliseconds], index) => rounded(UNITS[index + 1]?.[0] ?? 1) >= milliseconds) ?? [1_000, 's'];
  return size > 60_000 && gap >= size && gap < FEW * size ? twoUnits(gap, size) : `${Math.round(gap / size)} ${unit}`;
}

/** "1 h 30 min", "2 d"; rounded in the smaller unit. @param {number} gap @param {number} size */
function twoUnits(gap, size) {
  const index = UNITS.findIndex(([milliseconds]) => milliseconds === size);
  const [, unit] = UNITS[index] ?? [size, ''];
  const [smaller, smallerUnit] = UNITS[index + 1] ?? [1_000, 's'];
  // Beside an hour, minutes are rounded to five.
  const step = size === 3_600_000 ? 5 * smaller : smaller;
  const rounded = Math.round(gap / step) * step;
  const over = Math.round((rounded % size) / smaller);
  return `${Math.floor(rounded / size)} ${unit}${over === 0 ? '' : ` ${over} ${smallerUnit}`}`;
}

const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', day: 'numeric', month: 'long' });
const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' });

/** "Today", "Yesterday", "Friday, November 20". @param {number} at */
export function dayName(at) {
  const name = day.format(at);
  if (name === day.format(serverNow())) return 'Today';
  return name === day.format(serverNow() - 86_400_000) ? 'Yesterday' : name;
}

/** Rewrites every time within `root`. @param {ParentNode} root */
export function refreshTimes(root) {
  const now = serverNow();
  for (const time of root.querySelectorAll('time')) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    const text = time.className === 'ago' ? ago(at, now) : (time.className === 'exact' ? exact : clock).format(at);
    if (time.textContent !== text) time.textContent = text;
    if (time.title === '') time.title = full.format(at);
  }
}
