/** Reads nights and weekends as the moment at which they end. Pure. */
import { DateTime } from 'luxon';
import type { Instant } from '../base/clock.js';

export interface Here {
  readonly now: Instant;
  readonly zone: string;
}

export interface MomentRead {
  /** The time is in the timezone of the chat, or in UTC if the text says so. */
  readonly at: DateTime;
  readonly hasTime: boolean;
  readonly text: string;
}

/** Reads the end of a weekend as the beginning of Monday. */
export function weekendEnd(text: string, { now, zone }: Here): MomentRead | undefined {
  const found = /\b(?:over|for|during|until after|all) (?:the |this )?weekend\b/u.exec(text);
  if (found === null) return undefined;
  const at = DateTime.fromMillis(now, { zone }).plus({ weeks: 1 }).startOf('week');
  return { at, hasTime: false, text: found[0] };
}

const NIGHT =
  /(?<!\b(?:until|till?|by|before|from|after) )\b(?:tonight|tonite|2nite|overnight|(?:for|over|during|through|all) (?:the |this )?(?:rest of the )?night)\b/u;
/** The value is an hour. Until then, "tonight" is the night that has begun. */
const NIGHT_BEGAN = 5;
/** The hour of "tomorrow morning". */
export const MORNING = 9;

/** Reads a night that is said without a time as lasting until the morning, at the same hour as "tomorrow morning". */
export function nightEnd(text: string, { now, zone }: Here): MomentRead | undefined {
  const found = NIGHT.exec(text);
  if (found === null || /\d ?(?:[:.h]\d\d|[ap]m|uhr|o'?clock)|\b(?:noon|midnight|morning)\b|\b(?:until|till?|at) \d/u.test(text))
    return undefined;
  const here = DateTime.fromMillis(now, { zone });
  const day = here.hour < NIGHT_BEGAN ? here : here.plus({ days: 1 });
  return { at: day.startOf('day').set({ hour: MORNING }), hasTime: true, text: found[0] };
}
