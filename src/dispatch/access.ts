/** Decides who may ask. */
import type { Inbound } from '../chat/inbound.js';

export interface Access {
  readonly open: boolean;
  readonly listed: readonly string[];
  readonly operators: readonly string[];
}

/** Address check or token make operators. */
const CONSOLE = 'console/';

export const isOperator = ({ circles }: Pick<Inbound, 'circles'>, { operators }: Access): boolean =>
  circles.some((circle) => circle.startsWith(CONSOLE) || operators.includes(circle));

export const mayAsk = (inbound: Pick<Inbound, 'circles'>, access: Access): boolean =>
  access.open || isOperator(inbound, access) || inbound.circles.some((circle) => access.listed.includes(circle));
