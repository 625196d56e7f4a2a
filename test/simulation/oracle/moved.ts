/** docs/alerts.md: in a group that became a supergroup a live message is posted again. */
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf, countIn } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, settledBy } from './windows.js';

/** What a chat may ask for in between without touching what is live. */
const OTHERS: ReadonlySet<string> = new Set([
  'import',
  'preset',
  'mute',
  'unmute',
  'quiet',
  'filter',
  'token',
  'screen',
  'digest',
  'wallet',
  'hostile',
]);
const LIVE = /^(?:● Live|○ New proposal)/u;
/** An answer that is on its way at that moment has arrived. */
const ANSWERED = 30_000;

export function judgeMoved(view: ChatView, tally: Tally): readonly Violation[] {
  const { played, chat, platform, wishes, troubles, skew } = view;
  const move = played.disturbances.find((one) => one.what === 'moved' && one.chat === chat);
  const [watch, ...later] = wishes;
  if (move === undefined || watch === undefined || skew > 0 || platform.deletions.get(chat) !== undefined) return [];
  const isUntouched = later.every(({ ask }) => OTHERS.has(ask.kind) || (ask.kind === 'mode' && ask.feed !== 'proposals'));
  if (!isUntouched || tolerance(view).losses > 0) return [];
  return played.scenario.world.markets.flatMap(({ title, endsAt, project }): readonly Violation[] => {
    const posts = alertsOf(platform, chat).filter(
      ({ text }) => LIVE.test(text) && countIn(text) === undefined && text.includes(`"${title}"`),
    );
    const [first] = posts;
    // At the old address, by a process that learned that it arrived.
    if (first?.chat !== chat || platform.unconfirmed.has(first.id)) return [];
    const by = settledBy(Math.max(move.from, first.at) + ANSWERED, boundsOf(played.scenario).delivery(EVERY.proposals), troubles);
    if (by >= Math.min(endsAt, played.givesUpAt)) return [];
    tally.must += 1;
    if (posts.some((post) => post.chat !== chat)) return [];
    if (played.endedAt >= by) return [{ kind: 'lost', says: `${chat}: ${title} of ${project} is not posted again after the move` }];
    tally.owed += 1;
    return [];
  });
}
