/** Balances of a wallet: each change that a completed refresh shows is an alert, once. */
import { MINUTE } from '../../../src/base/clock.js';
import type { ChatView } from './ledger.js';
import { tolerance } from './ledger.js';
import { alertsOf } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, settledBy } from './windows.js';

/** A refresh takes so long, and its check follows. */
const REFRESHES = 5 * MINUTE;
const WALLETS = '/v1/trading-activity/special-wallet/';

export function judgeWallets(view: ChatView, tally: Tally): readonly Violation[] {
  const { played, chat, platform, wishes, troubles } = view;
  const watch = wishes.find(({ ask }) => ask.kind === 'wallet');
  const { scenario, service } = played;
  const texts = alertsOf(platform, chat).map(({ text }) => text);
  const { repeats, losses } = tolerance(view);
  return scenario.world.holdings.flatMap(({ wallet, at, balance }, index): readonly Violation[] => {
    const previous = scenario.world.holdings.findLast((one) => one.wallet === wallet && one.at < at);
    if (previous === undefined) return [];
    const shown = balance.toLocaleString('en-US');
    const times = texts.reduce((sum, text) => sum + text.split(`now holds ${shown} `).length - 1, 0);
    const job = service.jobs.asked.find((one) => one.wallet === wallet && one.at >= at);
    const next = scenario.world.holdings[index + 1];
    // An outage lets a refresh that was asked for end later, with the next balance.
    const isReplaced = next !== undefined && job !== undefined && settledBy(job.at, REFRESHES, troubles) >= next.at;
    const by = job === undefined ? Number.POSITIVE_INFINITY : settledBy(job.at, boundsOf(scenario).delivery(2) + REFRESHES, troubles);
    // The check after a refresh failed, and the next one is many intervals later.
    const hasFailed = service.exchanges.some(
      (one) => !one.isAnswered && one.path.startsWith(WALLETS) && job !== undefined && one.at >= job.at && one.at < by,
    );
    // Balances begin with the first that were read: a failed first check tells nothing of before.
    const isBegun = service.exchanges.some(
      (one) => one.isAnswered && one.path === `${WALLETS}holdings` && one.at < at && one.at > (watch?.askedAt ?? Infinity),
    );
    const isSeen = watch !== undefined && job !== undefined && !isReplaced && !hasFailed && isBegun && at > watch.doneAt + 70 * MINUTE;
    const isMust = isSeen && by < scenario.calm && losses === 0;
    tally[isMust ? 'must' : 'may'] += 1;
    tally.delivered += times;
    const says = `${chat}: the balance ${shown}, ${times} times`;
    if (watch === undefined && times > 0) return [{ kind: 'unwanted', says }];
    if (times > 1 + repeats) return [{ kind: 'duplicated', says }];
    return isMust && scenario.requestsPerMonth === undefined && times === 0 ? [{ kind: 'lost', says }] : [];
  });
}
