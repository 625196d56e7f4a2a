/** Votes that end while the bot is killed, each with a live message that is edited to its result and one reminder, and the boards beside them. */
import { SECOND } from '../../src/base/clock.js';
import type { Planted } from './events.js';
import type { Chat, Write } from './chats.js';
import type { InMessages } from './receipted.js';

/** The least that `/remind` takes. */
export const REMIND = '5m';
const REMIND_BEFORE = 300;
const DRAFT = 5;
const LIVE = 360;
/** In seconds; a killed bot runs again, checks and sends within it. */
const PATIENCE = 60;

export interface Vote extends Planted {
  readonly plantedAt: number;
}

/** The `n`-th vote, which ends six minutes after it is planted. `mark` stands in every message about it. */
export function vote(n: number, project: string, plantedAt: number): Vote {
  const title = `Planted vote ${String(n).padStart(4, '0')}.`;
  return {
    order: { kind: 'proposal', project, title, draftSeconds: DRAFT, liveSeconds: LIVE, twapAfterSeconds: LIVE / 3 },
    mark: `"${title}"`,
    plantedAt,
  };
}

interface Judged {
  readonly texts: readonly string[];
  /** What a long message only counts. */
  readonly beyond: Pick<InMessages, 'hidden'>;
  readonly votes: readonly Vote[];
  readonly now: number;
}

/** What one chat shows of the votes at `now`. */
export function judgeVotes({ name, exact }: Pick<Chat, 'name' | 'exact'>, { texts, beyond, votes, now }: Judged) {
  const lines = [...texts, ...beyond.hidden].flatMap((text) => text.split('\n'));
  const reminders = ({ mark }: Vote): number => lines.filter((line) => /Ends in [^:"]+: "/u.test(line) && line.includes(mark)).length;
  const hasPassed = (after: number) => (one: Vote) => now - one.plantedAt > (after + PATIENCE) * SECOND;
  const reminded = votes.filter(hasPassed(DRAFT + LIVE - REMIND_BEFORE));
  const ended = votes.filter(hasPassed(DRAFT + LIVE));
  return {
    ...{ name, exact, due: reminded.length, ended: ended.length },
    noReminder: reminded.filter((one) => reminders(one) === 0).map(({ mark }) => mark),
    remindedTwice: votes.filter((one) => reminders(one) > 1).map(({ mark }) => mark),
    noResult: ended
      .filter(({ mark }) => ![...texts, ...beyond.hidden].some((text) => text.includes(mark) && text.includes('Passed')))
      .map(({ mark }) => mark),
  };
}

/**
 * Of these votes those of which one platform took the same message as a new one more than once: that of the draft, or that it went live, which
 * is a message of its own after a draft. A flip and a reminder are others, and a list of several alerts names it too.
 */
export const postedAgain = (writes: readonly Write[], on: Write['on'], votes: readonly Vote[]): readonly string[] => {
  const posts = writes
    .filter((write) => write.on === on && !write.isEdit && !write.isReply)
    .map(({ text }) => text.replaceAll(/<[^>]*>|\*\*/gu, ''));
  return votes
    .map(({ mark }) => mark)
    .filter((mark) => HEADS.some((head) => posts.filter((text) => text.split('\n', 1)[0]?.includes(`${head}: ${mark}`)).length > 1));
};

const HEADS = ['New proposal', 'Live'];

/** How often one platform took a board as a new message, and as an edit. */
export function boardsIn(writes: readonly Write[], on: Write['on']): { readonly posts: number; readonly edits: number } {
  const own = writes.filter((write) => write.on === on && /Board: \d+ projects?/u.test(write.text));
  return { posts: own.filter(({ isEdit }) => !isEdit).length, edits: own.filter(({ isEdit }) => isEdit).length };
}
