/** Whether a chat is told of an event, and why or why not. Pure; the reason is what "Why?" reads back. */
import type { NewsEvent } from '../domain/event.js';
import type { Instant } from '../domain/scalars.js';
import { LAUNCHES_FEED, type Entry, type Target } from './entry.js';
import type { Chat } from './watchlists.js';

export type Match =
  | { readonly told: true; readonly entry: Entry }
  | { readonly told: false; readonly because: 'not watched' }
  | { readonly told: false; readonly because: 'switched off'; readonly entry: Entry }
  | { readonly told: false; readonly because: 'before the watch began'; readonly entry: Entry; readonly since: Instant };

/**
 * The most specific entry decides: what is switched off for a project is not told through "all" either. Only an entry that is younger than the
 * event leaves it to the next one, since whoever watched everything before was to be told.
 */
export function match(event: About & Pick<NewsEvent, 'occurredAt'>, chat: Chat): Match {
  const verdicts = covering(event, chat).map((entry) => judge(event, entry));
  const deciding = verdicts.find((verdict) => verdict.told || verdict.because === 'switched off');
  return deciding ?? verdicts[0] ?? { told: false, because: 'not watched' };
}

/** What an event is about, as far as it decides who hears of it. */
type About = Pick<NewsEvent, 'feed' | 'project' | 'wallet'>;

/** The entries an event falls under: its wallet's alone, or its project's, the launches', all. */
export const covering = (event: About, chat: Chat): readonly Entry[] =>
  SPECIFIC_FIRST.flatMap((kind) => chat.entries.filter(({ target }) => target.kind === kind && covers(target, event)));

const SPECIFIC_FIRST: readonly Target['kind'][] = ['wallet', 'project', 'launches', 'all'];

function covers(target: Target, event: About): boolean {
  if (event.wallet !== undefined || target.kind === 'wallet') return target.kind === 'wallet' && target.address === event.wallet;
  if (target.kind === 'project') return target.slug === event.project;
  return target.kind === 'all' || event.feed === LAUNCHES_FEED;
}

function judge(event: Pick<NewsEvent, 'feed' | 'occurredAt'>, entry: Entry): Match {
  if (entry.off.includes(event.feed)) return { told: false, because: 'switched off', entry };
  if (event.occurredAt !== undefined && event.occurredAt < entry.since)
    return { told: false, because: 'before the watch began', entry, since: entry.since };
  return { told: true, entry };
}
