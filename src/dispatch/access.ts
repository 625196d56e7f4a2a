/** Decides who may ask. */
import type { Inbound } from '../chat/inbound.js';

export interface Access {
  readonly open: boolean;
  readonly listed: readonly string[];
  readonly operators: readonly string[];
}

/** Whoever asks on the page: by a login, or from this machine. */
const CONSOLE = 'console/local';
/** Whoever is logged in there. */
const CONSOLE_OPERATOR = 'console/operator';

export const isOperator = ({ circles }: Pick<Inbound, 'circles'>, { operators }: Access): boolean =>
  circles.some((circle) => circle === CONSOLE_OPERATOR || operators.includes(circle));

export const mayAsk = (inbound: Pick<Inbound, 'circles'>, access: Access): boolean =>
  access.open || isOperator(inbound, access) || inbound.circles.some((circle) => circle === CONSOLE || access.listed.includes(circle));

export const isOnPage = ({ circles }: Pick<Inbound, 'circles'>): boolean => circles.includes(CONSOLE);
