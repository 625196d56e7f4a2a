/** What a chat asks for is granted in the end: a refusal is a finding, unless a fault or the rules explain it. */
import { lineOf } from '../scenario/lines.js';
import { entryFor, statesBetween, wishesOf, type Wish } from './chat-state.js';
import type { ChatView } from './ledger.js';
import type { Violation } from './verdict.js';

/** Without requests left, or without a process, nothing can be granted. */
const mayRefuse = ({ played }: ChatView): boolean =>
  played.scenario.requestsPerMonth !== undefined || played.fleet.downtimes.some(({ to }) => to >= played.endedAt);

export function judgeAnswers(view: ChatView): readonly Violation[] {
  const { played, chat } = view;
  if (played.endedAt < played.givesUpAt && played.unanswered.length > 0) return [];
  const never = mayRefuse(view) ? [] : played.unanswered.filter((one) => one.chat === chat && one.ask.kind !== 'hostile');
  // An earlier attempt may have been carried out before a kill took its answer.
  const denied = played.requests.filter(
    (one) => one.chat === chat && one.isUnwatched && one.triedAt === one.askedAt && isSurelyWatched(wishesOf(played, chat), one),
  );
  return [
    ...never.map(({ ask, refusal = 'nothing' }): Violation => ({
      kind: 'unanswered',
      says: `${chat} asks ${lineOf(ask)}, and is told ${refusal}`,
    })),
    ...denied.map(({ ask }): Violation => ({
      kind: 'unanswered',
      says: `${chat} asks ${lineOf(ask)}, and is told that it is not watched`,
    })),
  ];
}

function isSurelyWatched(wishes: readonly Wish[], { ask, askedAt, doneAt }: Wish): boolean {
  if (!('project' in ask) || ask.kind === 'watch') return false;
  const { project } = ask;
  if (project === undefined) return false;
  return statesBetween(
    wishes.filter((one) => one.ask !== ask),
    askedAt,
    doneAt,
  ).every((state) => entryFor(state, project) !== undefined);
}
