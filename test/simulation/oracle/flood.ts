/** Of more events than messages can name, each is counted in one: named, summed up, or as an earlier one that was not kept. */
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf, amountsIn, earlierIn, summedIn, unnamedIn } from './texts.js';
import type { Tally, Violation } from './verdict.js';

export function judgeFlood(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played, wishes } = view;
  const { rows } = played.scenario.world;
  // Twice under one id is once.
  const texts = [...new Map(alertsOf(platform, chat).map(({ id, text }) => [id, text])).values()];
  const counted = texts.reduce((sum, text) => sum + amountsIn(text).length + summedIn(text) + unnamedIn(text) + earlierIn(text), 0);
  const isMust = wishes.length > 0 && wishes.every(({ doneAt }) => rows.every(({ at }) => at > doneAt));
  tally[isMust ? 'must' : 'may'] += rows.length;
  tally.delivered += counted;
  if (!isMust) return [];
  const { repeats, losses } = tolerance(view);
  const says = `${chat}: ${counted} of ${rows.length} are counted`;
  if (counted < rows.length && losses === 0) return [{ kind: 'lost', says }];
  return counted > rows.length && repeats === 0 ? [{ kind: 'duplicated', says }] : [];
}
