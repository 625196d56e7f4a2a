/** Parses a time of day. */
import { DateTime } from 'luxon';

const FORMATS = ['H:mm', 'H.mm', 'H', 'h:mma', 'ha', 'h:mm a', 'h a'] as const;

/** "9", "9:30", "9 pm" as "21:00"; 24:00 is 00:00. Lower case. */
export function readClockTime(text: string): string | undefined {
  if (text === '24:00' || text === '24') return '00:00';
  const read = FORMATS.map((format) => DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en-US' })).find(({ isValid }) => isValid);
  return read?.toFormat('HH:mm');
}
