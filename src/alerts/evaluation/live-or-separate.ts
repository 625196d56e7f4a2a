/** Which events of a topic are messages of their own, and who follows it. Pure. */
import type { FeedEvent } from '../../domain/event.js';
import type { LiveMessage } from '../queue/live-message.js';
import type { Member } from '../queue/queued-event.js';
import { alertKind, includesStage } from '../rules/kinds.js';
import { isDigestOnly, isOff, rulesFor, type Subscription } from '../rules/presets.js';
import type { Entry } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import { covering } from './match.js';

/** Every event is a message, none edited. */
const NO_UPDATES = 'off';

export function livePart(
  entry: Pick<Subscription, 'preset' | 'rules'>,
  { feed, topic, stage }: Pick<FeedEvent, 'feed' | 'topic' | 'stage'>,
): Member['live'] {
  const notices = noticesOf(entry, feed);
  return notices && { topic, part: includesStage(feed, notices, stage) ? 'notice' : 'step' };
}

function noticesOf(entry: Pick<Subscription, 'preset' | 'rules'>, feed: string): readonly string[] | undefined {
  const usual = alertKind(feed)?.live?.notices;
  const { updates = usual } = rulesFor(entry, feed).filters;
  return usual === undefined || updates?.includes(NO_UPDATES) === true ? undefined : updates;
}

/** Undefined: edits stop. */
export function followerOf({ feed, project, postedAt }: Pick<LiveMessage, 'feed' | 'project' | 'postedAt'>, chat: Chat): Entry | undefined {
  if (chat.left !== undefined) return undefined;
  const [entry] = covering({ feed, project }, chat);
  const alerts = entry !== undefined && !isOff(entry, feed) && !isDigestOnly(entry, feed);
  const isFollowed = alerts && entry.since <= postedAt && noticesOf(entry, feed) !== undefined;
  return isFollowed ? entry : undefined;
}
