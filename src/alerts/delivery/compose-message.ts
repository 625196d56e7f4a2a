/** This module composes a delivery's message: one event in full, or up to ten and a count. It is pure. */
import { instant, type Instant } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { WHY, addressed, reply, type ActionDraft, type Line, type Mention, type Reply, type Tone } from '../../chat/reply.js';
import { lineText } from '../../chat/plain-text.js';
import { marketOf, marketWords, type FeedEvent, type TopicStatus } from '../../domain/event.js';
import { keyFault } from '../../domain/wallet.js';
import type { MakeLinks } from '../../domain/links.js';
import type { EventContent } from '../../feeds/event-content.js';
import type { Away, Free } from '../queue/batch.js';
import { countsOf, shortened, totalOf, withTotals, type Total } from './event-totals.js';
import { MAX_IN_FULL, isGroup, listOf, type ListPart } from './event-list.js';
import { isResult } from '../rules/kinds.js';
import { shortName, type Entry } from '../watchlist/entry.js';
import { pingedBy, type Pings } from '../watchlist/pings.js';
import type { Member } from '../queue/queue.js';
import { never } from '../../base/never.js';
import { duration } from '../../domain/format.js';

export interface ComposedEvent {
  readonly member: Member;
  readonly entry?: Entry | undefined;
  readonly event: FeedEvent;
  readonly content: EventContent;
  /** Makes no sound and mentions nobody. */
  readonly silent: boolean;
}

const MAX_BUTTONS = 5;
const MAX_ALERT_LINKS = 2;
const MAX_MENTIONED = 50;

interface Composing {
  readonly links: MakeLinks;
  readonly id: string;
  readonly events: readonly [ComposedEvent, ...ComposedEvent[]];
  readonly head?: SummaryHead | undefined;
  readonly pings?: Pings | undefined;
}

interface LiveComposing extends Pick<Composing, 'id' | 'links'> {
  readonly status: Pick<TopicStatus, 'feed' | 'at' | 'topic' | 'ended'>;
  readonly content: EventContent;
  readonly entry: string;
  readonly mentions?: readonly Mention[];
}

export function composeLive({ id, links: makeLinks, status, content, entry, mentions = [] }: LiveComposing): Reply {
  const links = makeLinks(content.links ?? []).slice(0, MAX_ALERT_LINKS);
  const about: OneMarket = { market: marketOf(status.topic), entry, isOver: status.ended };
  const fixedActions = fixedActionsOf(id, mutedMarket(about.market ?? '', [entry, status.feed]));
  return reply({
    tone: content.tone,
    asOf: status.at,
    mentions,
    finding: content.headline,
    links,
    blocks: [...content.details, ...endOfFollow(about)].map((line) => ({ kind: 'line' as const, line })),
    subject: omitUndefined({ name: content.about, url: links[0]?.url }),
    actions: [...ownActions(content.actions, about, fixedActions.length + links.length), ...fixedActions],
  });
}

/** The proposal or launch that a message is about, and the entry that alerted it. */
interface OneMarket {
  readonly market: string | undefined;
  readonly entry: string;
  /** The proposal or launch has its result. */
  readonly isOver: boolean;
}

const keyIn = (market: string | undefined): string => market?.slice(market.lastIndexOf('/') + 1) ?? '';

/** Tells a chat that follows only this proposal or launch that following ended. */
const endOfFollow = ({ market, entry, isOver }: OneMarket): readonly Line[] =>
  isOver && market !== undefined && entry === keyIn(market) ? [['Following ended with this result.']] : [];

/** Adds a button to follow an open proposal or launch; it replaces a button that leads to a list. */
function ownActions(actions: readonly ActionDraft[], { market, entry, isOver }: OneMarket, taken: number): readonly ActionDraft[] {
  const room = Math.max(1, MAX_BUTTONS - taken);
  const key = keyIn(market);
  if (market === undefined || isOver || entry === '' || entry === key || keyFault(key) !== undefined) return actions.slice(0, room);
  return [...actions.slice(0, room - 1), { label: 'Follow', line: ['/watch', ...marketWords(market)].join(' ') }];
}

const fixedActionsOf = (id: string, muted: readonly string[]): readonly ActionDraft[] => [
  // A sample has no entry, so its button mutes the kind.
  { label: 'Mute…', line: ['/mute', ...muted].filter((word) => word !== '').join(' ') },
  { label: WHY, line: `/why ${id}` },
];

/** The first line of a summary, such as "Catching up: this chat was muted". */
interface SummaryHead {
  readonly words: string;
  readonly tone: Tone;
  readonly more?: number;
}

export function compose({ id, events, head, links: makeLinks, pings }: Composing): Reply {
  const asOf = instant(Math.min(...events.map(({ event }) => event.detectedAt)));
  const { length } = events;
  const rest = { asOf, mentions: mentionsOf(events, pings) };
  if (length === 1 && head === undefined) {
    const whole = inEveryChat(events[0].content, asOf, makeLinks);
    const actions = actionsOf({ id, events, taken: whole.links.length }, false);
    const own = addressed(whole, { mentions: rest.mentions, actions });
    const ends = endOfFollow(marketOfEvent(events[0]));
    return ends.length === 0 ? own : { ...own, blocks: [...own.blocks, ...ends.map((text) => ({ kind: 'line' as const, line: text }))] };
  }
  if (length === 1) {
    const { tone, headline, details, links: targets = [] } = events[0].content;
    const links = makeLinks(targets).slice(0, MAX_ALERT_LINKS);
    const lines: readonly Line[] = [
      ...details,
      ...endOfFollow(marketOfEvent(events[0])),
      ...(head === undefined ? [] : [[`${head.words}${moreOf(head)}.`]]),
    ];
    return reply({
      tone,
      ...rest,
      blocks: lines.map((line) => ({ kind: 'line' as const, line })),
      finding: headline,
      subject: omitUndefined({ name: events[0].content.about, url: links[0]?.url }),
      links,
      actions: actionsOf({ id, events, taken: links.length }, false),
    });
  }
  const parts = withTotals(events);
  const alone = head === undefined ? groupAlone(parts) : undefined;
  if (alone !== undefined)
    return reply({
      ...rest,
      tone: alone.tone,
      finding: alone.line,
      blocks: [{ kind: 'line', line: alone.detail }],
      actions: actionsOf({ id, events }, true),
    });
  const finding = headingOf({ events, head });
  const { block, cut } = listOf(parts, { taken: lineText(finding, asOf).length, links: makeLinks });
  return reply({
    ...rest,
    finding,
    isSummary: true,
    blocks: [block],
    tone: head?.tone ?? 'plain',
    actions: actionsOf({ id, events }, cut || parts.length < length || length > MAX_IN_FULL),
  });
}

const composed = new WeakMap<MakeLinks, WeakMap<EventContent, Reply>>();

/** Composes one event in full, without the parts that differ between chats. */
function inEveryChat(content: EventContent, asOf: Instant, makeLinks: MakeLinks): Reply {
  const replies = composed.get(makeLinks) ?? new WeakMap<EventContent, Reply>();
  composed.set(makeLinks, replies);
  const known = replies.get(content);
  if (known?.asOf === asOf) return known;
  const { tone, headline, details, about, links: targets = [] } = content;
  const links = makeLinks(targets).slice(0, MAX_ALERT_LINKS);
  const whole = reply({
    ...{ tone, asOf, links, finding: headline },
    blocks: details.map((line) => ({ kind: 'line' as const, line })),
    subject: omitUndefined({ name: about, url: links[0]?.url }),
  });
  replies.set(content, whole);
  return whole;
}

function groupAlone([part, ...others]: readonly ListPart[]): Total | undefined {
  return part !== undefined && others.length === 0 && isGroup(part) ? totalOf(part) : undefined;
}

function headingOf({ events, head }: Pick<Composing, 'events' | 'head'>): Line {
  const counted = events.map(({ event, content }) => ({ event, about: content.about }));
  if (head !== undefined) return [{ strong: head.words }, ` · ${countsOf(counted)}${moreOf(head)}`];
  const names = new Set(events.map(({ content }) => content.about));
  const [{ content }] = events;
  return [{ strong: `${events.length} alerts` }, ` for ${names.size === 1 ? shortened(content.about) : places(events)}`];
}

/** Returns text such as ", and 2,512 earlier". */
const moreOf = ({ more = 0 }: SummaryHead): string => (more === 0 ? '' : `, and ${more.toLocaleString('en')} earlier`);

/** Returns text such as "2 projects and 1 wallet". */
function places(events: readonly ComposedEvent[]): string {
  const named = (isWallet: boolean): number =>
    new Set(events.filter(({ event }) => (event.wallet !== undefined) === isWallet).map(({ content }) => content.about)).size;
  const counted = [
    [named(false), 'project'],
    [named(true), 'wallet'],
  ] as const;
  return counted.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])).join(' and ');
}

function actionsOf(
  { id, events, taken = 0 }: Pick<Composing, 'id' | 'events'> & { readonly taken?: number },
  isCut: boolean,
): readonly ActionDraft[] {
  const fixedActions: readonly ActionDraft[] = [
    ...(isCut ? [{ label: `Show all (${events.length})`, line: `/history ${id}` }] : []),
    ...fixedActionsOf(id, inCommon(events)),
  ];
  if (events.length > 1) return fixedActions;
  const [one] = events;
  return [...ownActions(one.content.actions, marketOfEvent(one), fixedActions.length + taken), ...fixedActions];
}

/** Returns the proposal or launch of an event. The entry of a sample is empty. */
const marketOfEvent = ({ member, event }: ComposedEvent): OneMarket => ({
  market: marketOf(event.id),
  entry: member.entry,
  isOver: isResult(event.feed, event.stage),
});

function inCommon([{ member, event }, ...others]: Composing['events']): readonly string[] {
  if (others.some((other) => other.member.entry !== member.entry)) return [];
  // People mute a project first, so its name is offered even if the entry for all projects covers it.
  const isOneProject = member.entry === 'all' && others.every((other) => other.event.project === event.project);
  const name = (isOneProject ? event.project : undefined) ?? member.entry;
  if (others.some((other) => other.event.feed !== event.feed)) return [name];
  const market = marketOf(event.id);
  const isOneMarket = market !== undefined && others.every((other) => marketOf(other.event.id) === market);
  return isOneMarket ? mutedMarket(market, [name, event.feed]) : [name, event.feed];
}

/** The button mutes one proposal or launch; the `/mute` page also offers its project and kind. */
const mutedMarket = (market: string, others: readonly string[]): readonly string[] =>
  keyFault(market.slice(market.lastIndexOf('/') + 1)) === undefined ? marketWords(market) : others;

/** Returns whom a message mentions. Samples and silent alerts mention nobody. */
export function mentionsOf(events: readonly ComposedEvent[], pings?: Pings): readonly Mention[] {
  const mentions = new Map(
    events
      .filter(({ member, silent }) => member.sample !== true && !silent)
      .flatMap(({ entry, event, member: { crossings } }) => [...(entry?.mentions ?? []), ...pingedBy(event, { crossings, pings })])
      .map((mention) => [`${mention.kind} ${mention.id}`, mention] as const),
  );
  return [...mentions.values()].slice(0, MAX_MENTIONED);
}

export interface SuppressedPart {
  readonly one: Free;
  readonly about: string;
  readonly feed: string;
}

/** Explains why alerts are late: an absence, or else outages ("the bot was down for 6 h") and suppressions. */
export function headOf(kept: readonly [SuppressedPart, ...SuppressedPart[]]): SummaryHead {
  const away = kept.flatMap(({ one }) => (one.away === undefined ? [] : [one.away]));
  const absence = away.find(({ chat }) => chat === true);
  if (absence !== undefined)
    return { words: `Catching up: the bot was not in this chat for ${duration(absence.to - absence.from)}`, tone: 'warning' };
  const causes = [...outagesOf(away), ...quietOf(kept)];
  return { words: `Catching up: ${causes.join(' and ')}`, tone: away.length === 0 ? 'plain' : 'warning' };
}

const OUTAGES = {
  service: 'the analytics service was down',
  bot: 'the bot was down',
  absence: 'the bot was not in this chat',
  sending: 'alerts could not be sent',
} as const satisfies Record<Away['because'], string>;

function outagesOf(away: readonly Away[]): readonly string[] {
  const outages = [...new Set(away.map(({ because }) => because))].map((because) => {
    const all = away.filter((one) => one.because === because);
    return { because, from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
  });
  const bot = outages.find(({ because }) => because === 'bot');
  // An outage of sending is left out if the bot was down at the same time, because that explains it.
  const named = outages.filter(({ because, from, to }) => because !== 'sending' || bot === undefined || from > bot.to || to < bot.from);
  return named.map(({ because, from, to }) => `${OUTAGES[because]} for ${duration(to - from)}`);
}

const MAX_NAMED = 2;

function quietOf(kept: readonly SuppressedPart[]): readonly string[] {
  const causes = [...new Set(kept.flatMap(causesOf))];
  if (causes.length <= MAX_NAMED) return causes;
  return [kept.some(({ one }) => one.suppression?.because === 'quiet hours') ? 'this chat had quiet hours' : 'several alerts were muted'];
}

/** Returns text such as "Tidewater was muted". */
function causesOf({ one: { entry, suppression }, about, feed }: SuppressedPart): readonly string[] {
  if (suppression === undefined) return [];
  if (suppression.because === 'quiet hours') return ['this chat had quiet hours'];
  const kind = entry?.target.kind;
  if (suppression.what === 'topic') return [`a ${feed === 'launches' ? 'launch' : 'proposal'} was muted`];
  if (suppression.what === 'project') return [`${about} was muted`];
  if (suppression.what === 'project kind') return [`${feed} alerts of ${about} were muted`];
  const name = entry === undefined || kind === 'project' ? about : kind === 'all' ? 'all projects' : shortName(entry.target);
  switch (suppression.what) {
    case 'chat':
      return ['this chat was muted'];
    case 'kind':
      return [`${feed} alerts were muted`];
    case 'entry':
      return [kind === 'launches' ? 'launches were muted' : kind === 'all' ? 'all projects were muted' : `${name} was muted`];
    case 'entry kind':
      return [kind === 'launches' ? 'launches were muted' : `${feed} alerts of ${name} were muted`];
    default:
      return never(suppression.what);
  }
}
