/** Decides who may ask. In private chats, where the platform names no server, it uses the memberships seen before. */
import type { Inbound } from '../chat/inbound.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Address } from '../chat/address.js';

export interface Access {
  readonly open: boolean;
  readonly listed: readonly string[];
  readonly operators: readonly string[];
}

/** Someone on the web page without a login, on this machine. */
const CONSOLE = 'console/local';
/** An operator who is logged in on the web page. */
const CONSOLE_OPERATOR = 'console/operator';
/** A program with an API key, which the operator made. */
const API_KEY = 'api/key';

export const isOperator = ({ circles }: Pick<Inbound, 'circles'>, { operators }: Access): boolean =>
  circles.some((circle) => circle === CONSOLE_OPERATOR || operators.includes(circle));

export const mayAsk = (inbound: Pick<Inbound, 'circles'>, access: Access): boolean =>
  access.open ||
  isOperator(inbound, access) ||
  inbound.circles.some((circle) => circle === CONSOLE || circle === API_KEY || access.listed.includes(circle));

export const isOnPage = ({ circles }: Pick<Inbound, 'circles'>): boolean => circles.includes(CONSOLE);

const MAX_KEPT = 10;

export interface Admission {
  /** Tells whether the person may ask: they are listed, or are still in a listed server or channel that admitted them. */
  mayAsk(inbound: Pick<Inbound, 'chat' | 'circles' | 'from' | 'outside'>): Promise<boolean>;
  /** Resolves once the admission is stored. */
  admit(chat: Address, circles: readonly string[]): Promise<void>;
}

/** Lets people of a listed server ask in private. */
export function createAdmission({
  access,
  watchlists,
}: {
  readonly access: Access;
  readonly watchlists: Pick<Watchlists, 'read' | 'change'>;
}): Admission {
  const isListed = (circle: string): boolean => access.listed.includes(circle);
  return {
    async mayAsk({ chat, circles, from, outside }) {
      if (mayAsk({ circles }, access)) return true;
      if (outside !== undefined || from.isIn === undefined) return false;
      for (const circle of watchlists.read(chat).admittedBy ?? []) if (isListed(circle) && (await from.isIn(circle))) return true;
      return false;
    },
    async admit(chat, circles) {
      const by = circles.filter(isListed);
      if (by.length === 0) return;
      await watchlists.change(chat, (before) => {
        const { admittedBy = [] } = before;
        const fresh = by.filter((circle) => !admittedBy.includes(circle));
        return fresh.length === 0 ? before : { ...before, admittedBy: [...fresh, ...admittedBy].slice(0, MAX_KEPT) };
      });
    },
  };
}
