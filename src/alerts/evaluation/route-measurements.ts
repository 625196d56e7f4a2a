/** This module evaluates measurements, commits rule states together with their alerts, and enqueues the alerts in the chats. */
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import type { Measure } from '../../domain/measures.js';
import { measuresIn, type ThresholdRule } from '../../domain/threshold-rule.js';
import { seriesOf } from '../checks/check-records.js';
import { sentBefore, withTheirAlerts } from '../queue/returns.js';
import type { Archive } from '../queue/event-archive.js';
import { kindOfItem } from '../queue/batch.js';
import { enqueue, type Member } from '../queue/queue.js';
import { entryOf } from '../queue/queued-event.js';
import type { Queues } from '../queue/queues.js';
import { thresholdsAbout } from '../rules/filter.js';
import { isOff, ruleName, rulesFor } from '../rules/presets.js';
import { lateAfterAbsence } from '../watchlist/absence.js';
import type { CompactChat } from '../watchlist/compact-chat.js';
import { projectOfMarket, targetName } from '../watchlist/entry.js';
import { standsSince } from '../watchlist/standing.js';
import { endedRule, withoutEnded, type EndedRule } from '../watchlist/ended-rules.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';
import { decidingEntry, thresholdMember } from './chat-rules.js';
import { wordsOf, type MeasuredCheck } from './evaluate.js';
import { covering, coveringPlaces, coversOneOf } from '../watchlist/match.js';
import { addressNow, planCheck } from './plan-check.js';
import { currentChat, inGroups, type Routing } from './route.js';
import type { Crossed, RuleStates, SubjectRules } from './rule-states.js';

export interface MeasurementRouting extends Routing {
  /** The key of the subject. */
  readonly key: string;
  readonly rules: RuleStates;
  readonly archive: Archive;
}

interface Measured extends Omit<MeasuredCheck, 'now'> {
  /** Series that have ended; the states of their rules are removed. */
  readonly over?: readonly string[];
}

/** Evaluates and routes a check's measurements. Resolves when every chat has its alerts; after a crash `routeCrossed` finishes the rest. */
export async function routeMeasurements({ over = [], ...measured }: Measured, routing: MeasurementRouting): Promise<void> {
  const { key, rules, watchlists, now } = routing;
  if (measured.measurements.length > 0) {
    // Alerts left over from an earlier failure would be lost with the next write.
    await routeCrossed({ ...routing, checkedAt: measured.checkedAt });
    const check: MeasuredCheck = { ...measured, now };
    const { commit, ended } = await planCheck(check, { watchlists, rules: rules.of(key) });
    if (commit !== undefined) await rules.commit(key, commit);
    await routeCrossed({ ...routing, checkedAt: check.checkedAt });
    for (const [address, all] of ended) await watchlists.change(address, (chat) => withoutEnded(chat, all));
  }
  // While some chats still lack alerts, the series does not end; the next check ends it.
  if (over.length > 0 && rules.of(key).crossed === undefined) await rules.end(key, over);
}

interface CrossedRouting extends MeasurementRouting {
  readonly checkedAt: Instant | undefined;
}

/** Enqueues committed alerts in the chats that lack them. Idempotent. */
export async function routeCrossed({ key, rules, watchlists, queues, archive, now, checkedAt, signal }: CrossedRouting): Promise<void> {
  const subject = rules.of(key);
  const { crossed, members } = subject;
  if (crossed === undefined) return;
  queues.routing(
    key,
    crossed.events.map(({ id }) => id),
  );
  const keep = keeping(archive, crossed.events);
  // If the chat moves meanwhile, alerts queued at its old address follow it.
  const isWatching = (chat: Chat, member: Member): boolean =>
    chat.left?.movedTo !== undefined || crossed.events.some((event) => event.id === member.event && covering(event, chat).length > 0);
  await inGroups(
    [...members],
    async ([address, own]) => routeOwn(addressNow(address, watchlists), own, { rules, watchlists, queues, keep, isWatching }),
    signal,
  );
  if (crossed.shared.length > 0) {
    const about = crossed.events.filter(({ id }) => crossed.shared.some(({ event }) => event === id));
    const isConcerned = coversOneOf(about);
    const chats = new Set(about.flatMap((event) => [...watchlists.kept.to(event)]));
    const membersOf = (chat: Chat): readonly Member[] => sharedMembers(chat, { crossed, subject, now, checkedAt });
    await inGroups(
      [...chats].flatMap((address) => watchlists.compact(address) ?? []),
      async (compact) => routeShared(compact, { membersOf, isConcerned, watchlists, queues, keep }),
      signal,
    );
  }
  await rules.routed(key);
  queues.routing(key, []);
}

type Keep = (event: string) => Promise<void>;

/** Archives an alerting event before a queue refers to it. */
function keeping(archive: Archive, events: readonly FeedEvent[]): Keep {
  const kept = new Map<string, Promise<void>>();
  return async (id) => {
    const event = events.find((one) => one.id === id);
    if (event === undefined) return;
    const end = kept.get(id) ?? archive.keep(event);
    kept.set(id, end);
    await end;
  };
}

interface ChatRouting {
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  readonly keep: Keep;
}

interface OwnRouting extends ChatRouting {
  readonly rules: RuleStates;
  readonly isWatching: (chat: Chat, member: Member) => boolean;
}

async function routeOwn(
  address: Address,
  own: readonly Member[],
  { rules, watchlists, queues, keep, isWatching }: OwnRouting,
): Promise<void> {
  for (const { event } of own) await keep(event);
  const ended: EndedRule[] = [];
  const sent = await sentBefore(address, own, queues);
  const change = queues.change(address, (queue) => {
    const chat = watchlists.read(address);
    const members = own.flatMap((member): readonly Member[] => {
      if (!isWatching(chat, member)) return [];
      const fired = onceIn(member, chat);
      // Another series may have fired the same rule meanwhile.
      const repeated = fired.filter((one) => rules.ending.has(endingKey(address, one)) || !hasRule(chat, one));
      ended.push(...fired.filter((one) => hasRule(chat, one)));
      return repeated.length === 0
        ? [member]
        : without(
            member,
            repeated.map(({ rule }) => rule),
          );
    });
    for (const one of ended) rules.ending.add(endingKey(address, one));
    return enqueue(queue, withTheirAlerts(members, { queue, sent, chat }), chat.left?.at);
  });
  try {
    await change;
  } catch (cause) {
    for (const one of ended) rules.ending.delete(endingKey(address, one));
    throw cause;
  }
  if (ended.length === 0) return;
  // The alert is durable before the rules are removed, so a crash in between repeats only the removal.
  await watchlists.change(address, (chat) => withoutEnded(chat, ended));
  for (const one of ended) rules.ending.delete(endingKey(address, one));
}

function onceIn(member: Member, chat: Chat): readonly EndedRule[] {
  const entry = entryOf(chat, member);
  const kind = kindOfItem(member);
  return (member.crossings ?? []).flatMap(({ rule }): readonly EndedRule[] => {
    if (rule.once !== true) return [];
    return [entry === undefined ? { entry: member.entry, kind, rule } : endedRule(entry, kind, rule)];
  });
}

const endingKey = (address: Address, { entry, project, kind, rule }: EndedRule): string =>
  JSON.stringify([address, entry, project, kind, rule]);

const hasRule = ({ entries }: Chat, { entry: name, project, kind, rule }: EndedRule): boolean =>
  entries.some((entry) => {
    if (targetName(entry.target) !== name) return false;
    const rules = project === undefined ? rulesFor(entry, kind) : entry.exceptions?.[project]?.rules?.[kind];
    return rules?.thresholds.some((one) => isDeepStrictEqual(one, rule)) === true;
  });

function without({ crossings = [], ...member }: Member, rules: readonly ThresholdRule[]): readonly Member[] {
  const left = crossings.filter(({ rule }) => !rules.includes(rule));
  return left.length === 0 ? [] : [{ ...member, rule: left.map(({ rule }) => wordsOf(rule)).join('; '), crossings: left }];
}

interface SharedRouting extends ChatRouting {
  readonly membersOf: (chat: Chat) => readonly Member[];
  readonly isConcerned: ReturnType<typeof coversOneOf>;
}

async function routeShared(compact: CompactChat<Chat>, { membersOf, isConcerned, watchlists, queues, keep }: SharedRouting): Promise<void> {
  const current = (): Chat => currentChat(compact, watchlists, isConcerned);
  const members = membersOf(current());
  if (members.length === 0) return;
  for (const { event } of members) await keep(event);
  const sent = await sentBefore(compact.bare.address, members, queues);
  await queues.change(compact.bare.address, (queue) => {
    const chat = current();
    return enqueue(queue, withTheirAlerts(membersOf(chat), { queue, sent, chat }), chat.left?.at);
  });
}

interface SharedAlerts {
  readonly crossed: Crossed;
  readonly subject: SubjectRules;
  readonly now: Instant;
  readonly checkedAt: Instant | undefined;
}

/** Returns the shared alerts that one chat gets. */
function sharedMembers(chat: Chat, { crossed, subject, now, checkedAt }: SharedAlerts): readonly Member[] {
  const [own, alerted] = [subject.own.get(chat.address), subject.members.get(chat.address) ?? []];
  const late = lateAfterAbsence(chat, checkedAt, now) ?? crossed.late;
  return crossed.events.flatMap((event): Member[] => {
    const at = crossed.shared.find((one) => one.event === event.id)?.crossing.now.at;
    const entry = at === undefined ? undefined : decidingEntry({ event, at }, chat, now);
    if (entry === undefined || alerted.some((member) => member.event === event.id)) return [];
    const series = seriesOf({ event });
    const crossings = thresholdsAbout(entry, event).flatMap((rule) => {
      const name = ruleName(rule);
      const stands = standsSince(entry, event, name);
      if (own?.[series]?.[name]?.stands === stands) return [];
      const found = crossed.shared.find(
        (one) => one.event === event.id && one.name === name && stands <= one.until && (one.after === undefined || stands > one.after),
      );
      return found === undefined ? [] : [found.crossing];
    });
    return crossings.length === 0 ? [] : [{ ...thresholdMember(event.id, { entry, crossings, now }), ...(late && { late }) }];
  });
}

/** Tells whether a reachable chat has a rule on the measure, alone or joined. Some values are read only if one does. */
export function hasRuleOn(
  measure: Measure,
  about: Pick<FeedEvent, 'feed' | 'project' | 'wallet'>,
  watchlists: Pick<Watchlists, 'here' | 'compact'>,
): boolean {
  // Chats with the same entries share one list, which is checked once.
  const seen = new Set<CompactChat<Chat>['shared']>();
  for (const address of watchlists.here.to(about)) {
    const shared = watchlists.compact(address)?.shared;
    if (shared === undefined || seen.has(shared)) continue;
    seen.add(shared);
    const [place] = coveringPlaces(about, shared);
    const entry = place === undefined ? undefined : shared[place];
    if (
      entry !== undefined &&
      !isOff(entry, about.feed) &&
      rulesFor(entry, about.feed).thresholds.some((rule) => measuresIn(rule).includes(measure))
    )
      return true;
  }
  return hasMarketRuleOn(measure, about, watchlists);
}

/** Tells whether a chat that follows a single proposal of the project has a rule on the measure. */
function hasMarketRuleOn(
  measure: Measure,
  { feed, project }: Pick<FeedEvent, 'feed' | 'project'>,
  watchlists: Pick<Watchlists, 'here' | 'compact'>,
): boolean {
  for (const group of watchlists.here.groups()) {
    const { target } = group;
    if (target.kind !== 'market' || project === undefined || projectOfMarket(target) !== project) continue;
    for (const address of watchlists.here.to({ feed, project, topic: target.topic })) {
      const entry = watchlists.compact(address)?.shared.find((one) => one.target.kind === 'market' && one.target.topic === target.topic);
      if (entry !== undefined && rulesFor(entry, feed).thresholds.some((rule) => rule.measure === measure)) return true;
    }
  }
  return false;
}
