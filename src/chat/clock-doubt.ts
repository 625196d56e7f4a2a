/** Describes that the bot does not follow the machine's clock, for `/status`, `/why` and `/readyz`. */
import type { ClockDoubt } from '../base/trusted-clock.js';
import { duration } from '../domain/format.js';
import type { Line } from './reply.js';

export function clockDoubtLine({ since, ahead, isContradicted }: ClockDoubt): Line {
  return [
    `The clock of this machine jumped ${duration(ahead)} ahead at `,
    { at: since, exact: true },
    isContradicted
      ? ', and other clocks disagree. Nothing expires by it; set it right.'
      : '. Nothing expires until another clock confirms it.',
  ];
}
