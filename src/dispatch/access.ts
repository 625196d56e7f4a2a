/** Who may ask at all, so that strangers cannot spend the operator's requests. Pure. */
import type { Inbound } from '../chat/inbound.js';

export interface Access {
  readonly open: boolean;
  /** Circles that may ask: servers, chats and people. */
  readonly listed: readonly string[];
  /** Circles of the people who run the bot. */
  readonly operators: readonly string[];
}

/** Whoever reaches the console was let in by its address or its token, and runs the bot. */
const CONSOLE = 'console/';

export const isOperator = ({ circles }: Pick<Inbound, 'circles'>, { operators }: Access): boolean =>
  circles.some((circle) => circle.startsWith(CONSOLE) || operators.includes(circle));

export const mayAsk = (inbound: Pick<Inbound, 'circles'>, access: Access): boolean =>
  access.open || isOperator(inbound, access) || inbound.circles.some((circle) => access.listed.includes(circle));
