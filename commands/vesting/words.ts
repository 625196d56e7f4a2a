/** Texts about a team's package. */
import type { Cliff } from '../../src/analytics/endpoints/holders.js';
import { isPast, nextTranche, waiting, type LadderTranche } from '../../src/analytics/tranche-ladder.js';
import type { Line } from '../../src/chat/reply.js';
import { isNegative } from '../../src/domain/decimal.js';
import { price, share } from '../../src/domain/format.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';
import { counted } from '../../src/reply/index.js';

export function cliffLine(cliff: Cliff | undefined, now: Instant): Line {
  const past = isPast(cliff, now);
  if (past === undefined) return ['Cliff n/a'];
  if (cliff?.at !== undefined) return [past ? 'Cliff passed ' : 'Cliff ends ', { at: cliff.at }];
  return [
    past
      ? 'Cliff passed'
      : `Cliff${cliff?.daysRemaining === undefined ? ' not passed' : ` ends in ${counted(cliff.daysRemaining, 'day')}`}`,
  ];
}

function thresholdText({ threshold, distance }: LadderTranche, twap: Decimal | undefined): string {
  if (distance === undefined || twap === undefined) return `at ${price(threshold)}`;
  return `at ${price(threshold)} (TWAP ${price(twap)}, must rise ${share(distance)})`;
}

export function headline(symbol: string, tranches: readonly LadderTranche[], twap: Decimal | undefined): Line {
  const next = nextTranche(tranches);
  const unlocked = tranches.filter((one) => one.unlocked).length;
  if (tranches.length === 0) return [{ strong: `${symbol}: no tranches published` }];
  if (unlocked === tranches.length) return [{ strong: `${symbol}: all ${tranches.length} tranches unlocked` }];
  if (next === undefined)
    return [{ strong: `${symbol}: every tranche has hit its price target` }, `, ${unlocked} of ${tranches.length} unlocked`];
  return [{ strong: `${symbol} team tranche ${next.order + 1} of ${tranches.length} unlocks ${thresholdText(next, twap)}` }];
}

export function waitingText(tranches: readonly LadderTranche[], past: boolean | undefined): string | undefined {
  const ready = waiting(tranches).length;
  if (ready === 0) return undefined;
  const subject = `${counted(ready, 'tranche')} hit ${ready === 1 ? 'its' : 'their'} price target`;
  return past === false ? `${subject}, waiting for the cliff.` : `${subject}, not marked as unlocked yet.`;
}

const STATES: Readonly<Record<string, string>> = { 'cliff-twap-pending': 'waiting for price' };

export const stateText = (state: string | undefined): string => (state === undefined ? 'n/a' : (STATES[state.toLowerCase()] ?? state));

export const distanceText = ({ distance, unlocked }: LadderTranche): string =>
  unlocked ? '' : distance === undefined ? 'n/a' : isNegative(distance) || Number(distance) === 0 ? 'reached' : `+${share(distance)}`;
