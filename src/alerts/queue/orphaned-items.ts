/** This module handles waiting items whose entry is gone or off; another entry may match. */
import type { FeedEvent } from '../../domain/event.js';
import { thresholdKey, thresholdWords } from '../../domain/threshold-rule.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import { EXCLUDED } from '../watchlist/exceptions.js';
import { livePart, covering, IN_DIGEST, isExcludedIn, match } from '../watchlist/match.js';
import { kindOfItem } from './batch.js';
import type { Member } from './queue.js';
import { isDigestOnly, isOff, kindsOff, rulesFor } from '../rules/presets.js';
import type { Chat } from '../watchlist/watchlists.js';

export type Elsewhere = { readonly member: Member } | { readonly because: string };

const EXCEPTED: Elsewhere = { because: EXCLUDED };
const UNWATCHED: Elsewhere = { because: 'no longer watched' };
const DIGEST: Elsewhere = { because: IN_DIGEST };
const OFF: Elsewhere = { because: 'its kind was switched off' };

export const isOrphaned = ({ entry, member: { event, sample } }: { readonly entry: Entry | undefined; readonly member: Member }): boolean =>
  sample !== true &&
  (entry === undefined || kindsOff(entry).some((kind) => event.startsWith(`${kind}/`)) || isDigestOnly(entry, kindOfItem({ event })));

export function elsewhere(member: Member, event: FeedEvent, chat: Chat): Elsewhere {
  if (event.stage === THRESHOLD_STAGE) return crossedElsewhere(member, event, chat);
  const verdict = match(event, chat);
  if (!verdict.matched && verdict.at === 'filter' && verdict.digestOnly === true) return DIGEST;
  if (!verdict.matched) return verdict.entry !== undefined && isOff(verdict.entry, event.feed) ? OFF : gone(event, chat);
  const { rule: _, live: _live, ...rest } = member;
  const live = livePart(verdict.entry, event);
  return {
    member: {
      ...rest,
      entry: targetName(verdict.entry.target),
      ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
      ...(live === undefined ? {} : { live }),
    },
  };
}

const gone = (event: FeedEvent, chat: Chat): Elsewhere => (isExcludedIn(chat, event) ? EXCEPTED : UNWATCHED);

function crossedElsewhere({ crossings = [], ...member }: Member, event: FeedEvent, chat: Chat): Elsewhere {
  const [entry] = covering(event, chat);
  if (entry === undefined) return gone(event, chat);
  if (isOff(entry, event.feed)) return OFF;
  if (isDigestOnly(entry, event.feed)) return DIGEST;
  const rules = new Set(rulesFor(entry, event.feed).thresholds.map(thresholdKey));
  const same = crossings.filter(({ rule }) => rules.has(thresholdKey(rule)));
  if (same.length === 0) return UNWATCHED;
  const rule = same.map((crossing) => thresholdWords(crossing.rule)).join('; ');
  return { member: { ...member, entry: targetName(entry.target), rule, crossings: same } };
}
