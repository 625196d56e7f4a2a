/**
 * What each chat should have received, worked out from the scenario, the documented rules (docs/alerts.md) and the log of the world, against what stands
 * in it. Shares no code with the bot: a message is read as text.
 */
import type { Played } from '../run/play.js';
import { judgeAnswers } from './answers.js';
import { judgeChecks, judgeFirstChecks, judgeRequests } from './checks.js';
import { judgeRows, viewOf } from './ledger.js';
import { judgeCorrections } from './corrections.js';
import { judgeFlood } from './flood.js';
import { judgeGrowth } from './growth.js';
import { judgeLaunches } from './launches.js';
import { judgeFlips } from './flips.js';
import { judgeMarkets } from './markets.js';
import { judgeReminders } from './reminders.js';
import { judgeMoved } from './moved.js';
import { judgeNav } from './nav.js';
import { judgeTrades } from './trades.js';
import { judgeVesting } from './vesting.js';
import { judgeDigests } from './digests.js';
import { judgeReasons } from './reasons.js';
import { judgeReturns } from './returns.js';
import { judgeSuppression } from './suppression.js';
import { judgeScreens } from './screens.js';
import { judgeThresholds } from './thresholds.js';
import { judgeWallets } from './wallets.js';
import { emptyTally, type Judgement, type Violation } from './verdict.js';

const PARTS = [
  ...[
    judgeRows,
    judgeCorrections,
    judgeMarkets,
    judgeFlips,
    judgeTrades,
    judgeReminders,
    judgeLaunches,
    judgeGrowth,
    judgeVesting,
    judgeMoved,
  ],
  ...[judgeThresholds, judgeReturns, judgeScreens, judgeNav, judgeWallets, judgeDigests, judgeReasons],
];

export function judge(played: Played): Judgement {
  const tally = emptyTally();
  const violations: Violation[] = [...judgeRequests(played), ...judgeChecks(played), ...judgeFirstChecks(played)];
  for (const chat of played.scenario.chats) {
    const view = viewOf(played, chat);
    if (view === undefined) continue;
    for (const part of played.scenario.profile === 'flood' ? [judgeFlood] : PARTS) violations.push(...part(view, tally));
    violations.push(...judgeSuppression(view), ...judgeAnswers(view));
  }
  return { violations, tally };
}

/** Whether everything that must come has come. */
export const isSettled = (played: Played): boolean =>
  played.unanswered.length === 0 &&
  played.disturbances.every(({ what, to }) => what !== 'down' || to < played.endedAt) &&
  owesNothing(judge(played));

const owesNothing = ({ violations, tally }: Judgement): boolean =>
  tally.owed === 0 && !violations.some(({ kind }) => kind === 'lost' || kind === 'edit wrong');
