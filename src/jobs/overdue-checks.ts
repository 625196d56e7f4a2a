/** Checks waiting long for a slot. Pure. */
import type { OverdueCheck } from '../alerts/checks/check-records.js';
import { MINUTE, type Instant } from '../base/clock.js';
import { taskKey } from './wanted-checks.js';
import type { Slots } from './check-slots.js';

const MIN_WAIT = MINUTE;

/** Late by more than the interval, or never run. */
export function overdueChecks({ first, late }: ReturnType<Slots['waiting']>, now: Instant): ReadonlyMap<string, OverdueCheck> {
  const overdue = new Map<string, OverdueCheck>();
  for (const { task, at, every } of late)
    if (now - at > Math.max(every, MIN_WAIT)) overdue.set(taskKey(task), { since: at, neverRan: false });
  for (const { task, since, neverRan } of first) if (neverRan && now - since > MIN_WAIT) overdue.set(taskKey(task), { since, neverRan });
  return overdue;
}
