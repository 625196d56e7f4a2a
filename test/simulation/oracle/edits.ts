/** Live messages of proposals and launches: the latest status wins, nothing is edited after an unwatch, and a deleted message is posted again once at most. */
import { SECOND } from '../../../src/base/clock.js';
import type { Kind } from '../scenario/scenario.js';
import { entryForOne, statesBetween, type Wish } from './chat-state.js';
import type { ChatView } from './ledger.js';
import { editsOf, postsOf, saysOver } from './texts.js';
import type { Violation } from './verdict.js';

/** An edit that left before the unwatch may arrive shortly after it. */
const ON_ITS_WAY = 1_000;

/** How a live message is read. */
export interface LiveTopic {
  readonly title: string;
  readonly project: string;
  readonly feed: Kind;
  readonly endsAt: number;
  readonly names: (text: string) => boolean;
  readonly isBegin: (text: string) => boolean;
  readonly isResult: (text: string) => boolean;
  /** Grows until the end. */
  readonly progress: (text: string) => number;
}

/** Such an edit is of the message of an alert, which may name a market beside what was corrected or is over. */
const isMarked = (text: string): boolean => text.includes('Corrected: ') || saysOver(text);

export function judgeEdits({ chat, platform, wishes, played, skew }: ChatView, topic: LiveTopic): readonly Violation[] {
  const { title, feed, endsAt, names, isBegin, isResult, progress } = topic;
  const edits = editsOf(platform, chat).filter(({ text }) => names(text) && !isMarked(text));
  const violations: Violation[] = [];
  const add = (says: string): number => violations.push({ kind: 'edit wrong', says: `${chat}, ${title}: ${says}` });
  const { arrived } = platform.unknown(chat);
  const messages = new Set(edits.map(({ message }) => message));
  const watches = wishes.filter(({ ask }) => ask.kind === 'watch' || ask.kind === 'import' || ask.kind === 'follow').length;
  const moves = played.disturbances.filter((one) => one.what === 'moved' && one.chat === chat).length;
  // Where no repeat is recognised, the first message of an unclear attempt is not known.
  const most = watches + moves + Math.min(1, platform.deletions.get(chat) ?? 0) + (platform.isExact ? 0 : arrived + played.fleet.kills());
  if (messages.size > most) add(`${messages.size} messages were edited`);
  const values = edits.map(({ text }) => (isResult(text) ? Number.POSITIVE_INFINITY : progress(text)));
  if (values.some((value, index) => value < (values[index - 1] ?? -1))) add(`edits went back: ${values.join(', ')}`);
  const gone = statesBetween(wishes, played.endedAt, played.endedAt).every((state) => entryForOne(state, topic) === undefined);
  const unwatch = wishes.findLast(({ ask }) => ask.kind === 'unwatch' || (ask.kind === 'unfollow' && ask.one.title === title));
  if (gone && unwatch !== undefined && edits.some(({ at }) => at > unwatch.doneAt + ON_ITS_WAY)) add('edited after the unwatch');
  const first = postsOf(platform, chat).find((post) => post.at < endsAt && isBegin(post.text) && names(post.text));
  const isOfOthers = ({ ask, doneAt }: Wish): boolean =>
    ask.kind === 'hostile' || (ask.kind === 'mode' && (ask.feed !== feed || (first !== undefined && doneAt < first.at)));
  const isUndisturbed =
    wishes.every((wish) => ['watch', 'import', 'follow', 'preset'].includes(wish.ask.kind) || isOfOthers(wish)) &&
    watches === 1 &&
    skew === 0;
  // What was posted in a chat that never takes the bot back cannot be edited.
  const isLeft = played.disturbances.some((one) => one.what === 'gone' && one.chat === chat && one.to === Number.POSITIVE_INFINITY);
  // Nothing is waited for once the questions of the end have begun.
  const hasTime = first !== undefined && endsAt < played.givesUpAt && first.at < played.endedAt - played.scenario.chats.length * SECOND;
  const isFollowed = hasTime && isUndisturbed && !isLeft && moves === 0 && platform.deletions.get(chat) === undefined && platform.isExact;
  if (isFollowed && values.at(-1) !== Number.POSITIVE_INFINITY) add(`the last edit shows ${values.at(-1)}`);
  return violations;
}
