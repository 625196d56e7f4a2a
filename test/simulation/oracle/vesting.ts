/** Tranches that change their state, and the cliff that passes: each once. */
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf, namesAll } from './texts.js';
import { count, verdictOf } from './undated.js';
import type { Tally, Violation } from './verdict.js';
import { EVERY } from './windows.js';

const LADDER = '/v1/project-overview/tranche-ladder';

export function judgeVesting(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const posts = alertsOf(platform, chat);
  const texts = posts.map(({ text }) => text);
  const { repeats, losses } = tolerance(view);
  const isNamed = namesAll(posts);
  const { tranches } = played.scenario.world;
  const [first] = tranches;
  if (first === undefined) return [];
  const changes = [
    { at: first.cliffAt, what: 'the cliff', words: "'s team passed its vesting cliff" },
    ...tranches.map(({ at, order, state }) => ({
      at,
      what: `tranche ${order + 1}`,
      words: `'s tranche ${order + 1} is now ${state === 'unlocked' ? 'unlocked' : 'past its cliff'}`,
    })),
  ];
  return changes.flatMap(({ at, what, words }): readonly Violation[] => {
    const verdict = verdictOf(view, {
      ...{ project: first.project, at, path: LADDER, every: EVERY.vesting },
      watchedSince: ({ since, off }) => (off.has('vesting') ? undefined : since),
    });
    count(tally, verdict);
    const times = texts.reduce((sum, text) => sum + text.split(words).length - 1, 0);
    tally.delivered += times;
    const says = `${chat}: ${what} of ${first.project} ${times} times`;
    if (verdict === 'yes' && times === 0 && losses === 0 && isNamed) return [{ kind: 'lost', says }];
    if (verdict === 'no' && times > 0) return [{ kind: 'unwanted', says }];
    return times > 1 + repeats ? [{ kind: 'duplicated', says }] : [];
  });
}
