/** Nothing is posted in a chat while it is muted or quiet. */
import { mutesOf } from './chat-state.js';
import type { ChatView } from './ledger.js';
import { isDigest, postsOf } from './texts.js';
import type { Violation } from './verdict.js';

/** A message that left before arrives shortly after. */
const ON_ITS_WAY = 1_000;

export function judgeSuppression({ chat, platform, wishes, skew }: ChatView): readonly Violation[] {
  const { surely } = mutesOf(wishes);
  const alerts = postsOf(platform, chat).filter((post) => !isDigest(post));
  return surely.flatMap(({ from, to }) =>
    alerts
      .filter(({ at }) => at > from + ON_ITS_WAY && at < to - skew)
      .map(({ at, text }): Violation => ({ kind: 'while muted', says: `${chat}: ${at - from} ms after its mute: ${text.slice(0, 60)}` })),
  );
}
