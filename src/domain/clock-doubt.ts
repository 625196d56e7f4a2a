/** Says that the machine's clock is not followed, for `/status`, `/why` and `/readyz`. */
import type { Instant } from '../base/clock.js';
import type { ClockDoubt } from '../base/trusted-clock.js';
import { clockTime, duration } from './format.js';

export function clockDoubtText({ since, ahead, isContradicted }: ClockDoubt, now: Instant): string {
  const jump = `The clock of this machine jumped ${duration(ahead)} ahead at ${clockTime(since, now)}`;
  return isContradicted
    ? `${jump}, and other clocks disagree. Nothing expires by it; set it right.`
    : `${jump}. Nothing expires until another clock confirms it.`;
}
