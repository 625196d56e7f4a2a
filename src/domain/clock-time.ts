/** Time of day, "22:30". */
import { z } from 'zod';

export const clockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u);

export function hourAndMinute(time: string): { readonly hour: number; readonly minute: number } {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { hour, minute };
}
