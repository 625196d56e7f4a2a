/** Parses a digest's time: "daily 09:00", "weekly Mon 9 am", "Fri 18:00". */
import { brief } from '../../src/base/one-line.js';
import { WEEKDAYS, type DigestSetting } from '../../src/alerts/digest/setting.js';
import { readClockTime } from '../../src/reply/index.js';

/** A parsed time. Missing parts stay unchanged. `weekday`: 1 is Monday. */
export interface DigestTime {
  readonly every?: DigestSetting['every'] | undefined;
  readonly weekday?: number | undefined;
  readonly at?: string | undefined;
}

const MAX_LENGTH = 60;
const NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const EVERY: ReadonlyMap<string, DigestSetting['every']> = new Map([
  ['daily', 'day'],
  ['day', 'day'],
  ['weekly', 'week'],
  ['week', 'week'],
]);

function weekdayOf(word: string): number | undefined {
  const at = word.length < 3 ? -1 : NAMES.findIndex((name) => name.startsWith(word.replace(/s$/u, '')));
  return at === -1 ? undefined : at + 1;
}

/** Parses a digest's time. `says` is the error. */
export function readDigestTime(text: string): DigestTime | { readonly says: string } {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((word) => word !== '' && word !== 'at' && word !== 'on' && word !== 'every');
  const wrong = { says: `"${brief(text)}" is not a time for a digest. Write daily 09:00 or weekly ${WEEKDAYS[0]} 09:00.` };
  if (text.length > MAX_LENGTH) return wrong;
  const every = words.flatMap((word) => EVERY.get(word) ?? []);
  const weekdays = words.flatMap((word) => weekdayOf(word) ?? []);
  const rest = words.filter((word) => !EVERY.has(word) && weekdayOf(word) === undefined).join(' ');
  const at = rest === '' ? undefined : readClockTime(rest);
  if ((rest !== '' && at === undefined) || every.length > 1 || weekdays.length > 1) return wrong;
  const [weekday] = weekdays;
  if (every[0] === 'day' && weekday !== undefined) return { says: 'A daily digest has no weekday. Leave it out, or choose weekly.' };
  return { every: every[0] ?? (weekday === undefined ? undefined : 'week'), weekday, at };
}
