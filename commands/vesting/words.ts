/** Texts about a team's package. */
import type { Cliff } from '../../src/analytics/endpoints/holders.js';
import { isPast, nextTranche, waiting, type LadderTranche } from '../../src/analytics/tranche-ladder.js';
import type { Line } from '../../src/chat/reply.js';
import { isNegative } from '../../src/domain/decimal.js';
import { price, share } from '../../src/domain/format.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';
import { counted } from '../../src/replies/blocks.js';

export function cliffLine(cliff: Cliff | undefined, now: Instant): Line {
  const past = isPast(cliff, now);
  if (past === undefined) return ['cliff n/a'];
  if (cliff?.at !== undefined) return [past ? 'cliff passed ' : 'cliff ', { at: cliff.at }];
  return [
    past ? 'cliff passed' : `cliff ahead${cliff?.daysRemaining === undefined ? '' : `, ${counted(cliff.daysRemaining, 'day')} to go`}`,
  ];
}

function thresholdText({ threshold, distance }: LadderTranche, twap: Decimal | undefined): string {
  if (distance === undefined || twap === undefined) return `at ${price(threshold)}`;
  return `at ${price(threshold)}, ${share(distance)} above its TWAP of ${price(twap)}`;
}

export function headline(symbol: string, tranches: readonly LadderTranche[], twap: Decimal | undefined): Line {
  const next = nextTranche(tranches);
  const unlocked = tranches.filter((one) => one.unlocked).length;
  if (tranches.length === 0) return [{ strong: `${symbol}: no tranches are published` }];
  if (unlocked === tranches.length) return [{ strong: `All ${tranches.length} tranches of ${symbol} are unlocked` }];
  if (next === undefined)
    return [{ strong: `${symbol}: every tranche has reached its price` }, `, ${unlocked} of ${tranches.length} unlocked`];
  return [{ strong: `${symbol}'s team unlocks tranche ${next.order + 1} of ${tranches.length} ${thresholdText(next, twap)}` }];
}

/** Tranches that reached their price and are not unlocked. */
export function waitingText(tranches: readonly LadderTranche[], past: boolean | undefined): string | undefined {
  const ready = waiting(tranches).length;
  if (ready === 0) return undefined;
  const subject = `${counted(ready, 'tranche')} ${ready === 1 ? 'has its' : 'have their'} price already`;
  return past === false
    ? `${subject} and ${ready === 1 ? 'waits' : 'wait'} for the cliff.`
    : `${subject}; the service does not say unlocked yet.`;
}

const STATES: Readonly<Record<string, string>> = { 'cliff-twap-pending': 'cliff passed, price pending' };

export const stateText = (state: string | undefined): string => (state === undefined ? 'n/a' : (STATES[state.toLowerCase()] ?? state));

export const distanceText = ({ distance, unlocked }: LadderTranche): string =>
  unlocked ? '' : distance === undefined ? 'n/a' : isNegative(distance) || Number(distance) === 0 ? 'reached' : `+${share(distance)}`;
