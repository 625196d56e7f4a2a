/** This module lists several events in one message: it orders them and shows up to ten in full. It is pure. */
import type { Instant } from '../../base/clock.js';
import type { BlockDraft, Line, Tone } from '../../chat/reply.js';
import { lineText } from '../../chat/plain-text.js';
import { type FeedEvent, momentOf } from '../../domain/event.js';
import type { LinkTarget, MakeLinks } from '../../domain/links.js';
import type { EventContent } from '../../feeds/event-content.js';
import { totalOf, type EventGroup } from './event-totals.js';
import { compare } from '../../domain/decimal.js';
import { rankOf, sizeOf } from '../rules/filter.js';

export const MAX_IN_FULL = 10;
/** The most characters of a list: so many fit the smallest limit of 4,096 even if all are escaped. */
const ROOM = 1_750;
/** The most characters of a list with links as markup, because addresses are not escaped. */
const ROOM_WITH_LINKS = 3_900;
const MAX_LINE = 150;

interface ListedEvent {
  readonly event: FeedEvent;
  readonly content: EventContent;
}

export type ListPart<E extends ListedEvent = ListedEvent> = E | EventGroup<E>;

export const isGroup = <E extends ListedEvent>(part: ListPart<E>): part is EventGroup<E> => Array.isArray(part);

interface ListOptions {
  readonly taken: number;
  readonly links: MakeLinks;
}

/** Lists events within the limit: drops details from the end, then cuts long lines. */
export function listOf(parts: readonly ListPart[], { taken, links }: ListOptions): { readonly block: BlockDraft; readonly cut: boolean } {
  let items = parts.slice(0, MAX_IN_FULL).map(itemOf);
  const whole = items;
  const size = (): number => items.reduce((total, { line, detail = [], at }) => total + long([...line, ...detail], at), taken);
  for (let last = items.length - 1; last >= 0 && size() > ROOM; last -= 1)
    items = items.map((item, index) => (index === last ? { ...item, detail: undefined } : item));
  if (size() > ROOM) items = items.map((item) => ({ ...item, line: clipped(item.line, item.at) }));
  return {
    block: {
      kind: 'list',
      items: withLinks(items, 2 * size(), links).map(({ tone, line, detail }) => ({ tone, line, detail })),
      more: parts.slice(MAX_IN_FULL).reduce((count, part) => count + (isGroup(part) ? part.length : 1), 0),
    },
    cut: items !== whole,
  };
}

interface Item {
  readonly tone: Tone;
  readonly line: Line;
  readonly detail: Line | undefined;
  readonly at: Instant;
  readonly to: readonly LinkTarget[];
}

function withLinks(items: readonly Item[], taken: number, makeLinks: MakeLinks): readonly Item[] {
  let left = ROOM_WITH_LINKS - taken;
  return items.map((item) => {
    const [link] = makeLinks(item.to);
    if (link === undefined) return item;
    left -= 2 * link.label.length + link.url.length + LINK_MARKUP;
    if (left < 0) return item;
    const linked = (line: Line): Line => [...line, ' · ', { link: link.label, url: link.url }];
    return item.detail === undefined ? { ...item, line: linked(item.line) } : { ...item, detail: linked(item.detail) };
  });
}
const LINK_MARKUP = ' · [](<>)'.length;

function itemOf(part: ListPart): Item {
  if (isGroup(part)) return { ...totalOf(part), at: part[0].event.detectedAt, to: [] };
  const { event, content } = part;
  return { tone: content.tone, line: content.headline, detail: joined(content.details), at: event.detectedAt, to: content.links ?? [] };
}

const MARKS = 4;
const long = (line: Line, at: Instant): number => lineText(line, at).length + line.length * MARKS;

export function clipped(line: Line, at: Instant, most = MAX_LINE): Line {
  let left = most;
  return line.flatMap((span) => {
    if (left <= 0) return [];
    const text = lineText([span], at);
    const room = left;
    left -= text.length;
    if (text.length <= room || (typeof span !== 'string' && 'at' in span)) return [span];
    const short = `${[...text].slice(0, room - 1).join('')}…`;
    if (typeof span === 'string') return [short];
    return ['strong' in span ? { strong: short } : { code: short }];
  });
}

const joined = (details: readonly Line[]): Line | undefined =>
  details.length === 0 ? undefined : details.flatMap((line, index) => (index === 0 ? line : [' · ', ...continued(line)]));

/** Makes a line continue a sentence: "Price $0.83" becomes "price $0.83"; "NAV" and ""Fund …"" stay. */
const continued = ([first, ...rest]: Line): Line =>
  typeof first === 'string'
    ? [first.replace(/^[A-Z](?=[a-z])/u, (letter) => letter.toLowerCase()), ...rest]
    : first === undefined
      ? []
      : [first, ...rest];

type About = Pick<FeedEvent, 'feed' | 'stage' | 'facts' | 'occurredAt' | 'detectedAt'>;

export function byImportance(a: About, b: About): number {
  const place = rankOf(a) - rankOf(b);
  if (place !== 0) return place;
  const [left, right] = [sizeOf(a).usd, sizeOf(b).usd];
  if (left !== undefined && right !== undefined && compare(left, right) !== 0) return compare(right, left);
  if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
  return byAge(a, b);
}

/** Orders late events by rank, and by time within a rank. */
export const byRankAndAge = (a: About, b: About): number => rankOf(a) - rankOf(b) || byAge(a, b);

export const byAge = (a: Pick<FeedEvent, 'occurredAt' | 'detectedAt'>, b: typeof a): number => momentOf(a) - momentOf(b);
