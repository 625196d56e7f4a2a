/** News that waits through an entry that is gone by now, or has its kind switched off: another entry may still want it. Pure. */
import type { NewsEvent } from '../../domain/event.js';
import { levelWords } from '../../domain/level.js';
import { LEVEL_STAGE } from '../../feeds/feed.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import { covering, match } from '../evaluation/match.js';
import type { Member } from './queue.js';
import { wanted } from '../rules/rule.js';
import type { Chat } from '../watchlist/watchlists.js';

/** What waits, as it is told through another entry, or why it is not told. */
export type Elsewhere = { readonly member: Member } | { readonly because: string };

const UNWATCHED: Elsewhere = { because: 'no longer watched' };
const OFF: Elsewhere = { because: 'its kind was switched off' };

/** Whether nothing that the chat watches stands behind it any more. Samples have no entry, and need none. */
export const isStray = ({ entry, member: { event, sample } }: { readonly entry: Entry | undefined; readonly member: Member }): boolean =>
  sample !== true && (entry === undefined || entry.off.some((kind) => event.startsWith(`${kind}/`)));

/** Where news goes whose entry is gone: to the one that decides about it now. */
export function elsewhere(member: Member, event: NewsEvent, chat: Chat): Elsewhere {
  if (event.stage === LEVEL_STAGE) return crossedElsewhere(member, event, chat);
  const verdict = match(event, chat);
  if (!verdict.told) return verdict.entry?.off.includes(event.feed) === true ? OFF : UNWATCHED;
  const { rule: _, ...rest } = member;
  return { member: { ...rest, entry: targetName(verdict.entry.target), ...(verdict.rule === undefined ? {} : { rule: verdict.rule }) } };
}

/** A figure is told through another entry that has the same rule. */
function crossedElsewhere({ crossings = [], ...member }: Member, event: NewsEvent, chat: Chat): Elsewhere {
  const [entry] = covering(event, chat);
  if (entry === undefined) return UNWATCHED;
  if (entry.off.includes(event.feed)) return OFF;
  const rules = new Set(wanted(entry.rules, event.feed).levels.map((level) => levelWords(level)));
  const same = crossings.filter(({ rule }) => rules.has(levelWords(rule)));
  if (same.length === 0) return UNWATCHED;
  const rule = same.map((crossing) => levelWords(crossing.rule)).join('; ');
  return { member: { ...member, entry: targetName(entry.target), rule, crossings: same } };
}
