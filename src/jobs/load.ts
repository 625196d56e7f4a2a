/** Checks that wait for a slot for long, for `/status` and `/why`. Pure. */
import type { OverdueCheck } from '../alerts/checks/check-records.js';
import { MINUTE, type Instant } from '../base/clock.js';
import { taskKey } from './demand.js';
import type { Slots } from './slots.js';

/** Shorter waits are not reported. */
const MIN_WAIT = MINUTE;

/** By `<feed>/<subject>`: checks late by more than their interval, and first checks that wait. */
export function overdueChecks({ first, late }: ReturnType<Slots['waiting']>, now: Instant): ReadonlyMap<string, OverdueCheck> {
  const overdue = new Map<string, OverdueCheck>();
  for (const { task, at, every } of late)
    if (now - at > Math.max(every, MIN_WAIT)) overdue.set(taskKey(task), { since: at, neverRan: false });
  for (const { task, since, neverRan } of first) if (neverRan && now - since > MIN_WAIT) overdue.set(taskKey(task), { since, neverRan });
  return overdue;
}
