/** Evaluates measurements per chat and queues alerts; shared states are durable before any chat. */
import { yieldToEventLoop } from '../../base/yield.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import type { Archive } from '../queue/event-archive.js';
import { enqueue, isRouted, type Queue } from '../queue/queue.js';
import { rulesFor } from '../rules/presets.js';
import { lateAfterAbsence } from '../watchlist/absence.js';
import { withoutEnded, type EndedRule, type Chat } from '../watchlist/watchlists.js';
import type { CompactChat } from '../watchlist/compact-chat.js';
import { decidingEntry, evaluateForChat, thresholdMember, type ChatEvaluation } from './chat-rules.js';
import { type MeasuredCheck } from './evaluate.js';
import { seriesOf } from '../checks/check-records.js';
import { hasPresetRules, planShared, type SharedPlan } from './plan-shared.js';
import { currentChat, inGroups, type Routing } from './route.js';
import { statesOf, withStates } from './shared-state-references.js';
import { coversOneOf } from './match.js';
import {
  isReference,
  NOTHING_SHARED,
  resolved,
  sharedKeyOf,
  type SharedAlert,
  type SharedStates,
  type StoredState,
} from './shared-states.js';
import { detached, ruleStateKey, withCurrentStates } from './stored-states.js';

/** Of a subject; their one writer. */
export interface SharedRules {
  readonly states: SharedStates;
  /** Durable together. */
  store(states: SharedStates, alerts: readonly SharedAlert[]): Promise<void>;
}

interface MeasurementRouting extends Routing {
  readonly archive: Archive;
  /** Default: none are shared. */
  readonly shared?: SharedRules | undefined;
  /** Makes durable what a chat's write follows from. Default: all is. */
  readonly settle?: () => Promise<void>;
  /** The watermark written after the chats; of a first check many chats wait for it. */
  readonly from?: string | undefined;
}

/** Keeps an alerting event before a queue names it. Resolves when durable. */
export async function routeMeasurements(
  measuredCheck: Omit<MeasuredCheck, 'now'>,
  { watchlists, queues, archive, now, shared, settle = async () => {}, from, signal }: MeasurementRouting,
): Promise<void> {
  if (measuredCheck.measurements.length === 0) return;
  // Rule states are in the queues.
  await queues.loaded;
  // One object for all chats, so that they share the cache.
  const check: MeasuredCheck = { ...measuredCheck, now };
  const plan = shared !== undefined && hasPresetRules(check) ? await planFor(check, { watchlists, queues, now, shared }) : undefined;
  if (plan !== undefined && shared !== undefined) {
    const series = new Set(check.measurements.map(seriesOf));
    if (plan.leaving.length > 0) await settle();
    // Before the write, since their references would stand for other states after it.
    await inGroups(
      plan.leaving,
      async ({ bare: { address } }) => {
        await queues.change(address, (queue) => detached(queue, series, shared.states));
      },
      signal,
    );
    if (plan.write !== undefined) await shared.store(plan.write.states, plan.write.alerts);
  }
  const kept = new Set<string>();
  const keeping = new Map<string, Promise<void>>();
  const keep = async (event: FeedEvent): Promise<void> => {
    const end = keeping.get(event.id) ?? archive.keep(event);
    keeping.set(event.id, end);
    await end;
    kept.add(event.id);
  };
  // After the alert is durable: until then its state says that it has alerted.
  const removeEnded = async (address: Address, ended: readonly EndedRule[]): Promise<void> => {
    if (ended.length === 0) return;
    await settle();
    await watchlists.change(address, (chat) => withoutEnded(chat, ended));
    await queues.change(address, (queue) => withCurrentStates(queue, watchlists.read(address), now));
  };
  const transition = plan?.transition ?? NOTHING_SHARED;
  const isConcerned = coversOneOf(subjectsOf(check));
  const current = (chat: CompactChat<Chat>): Chat => currentChat(chat, watchlists, isConcerned);
  const evaluateIn = async (chat: CompactChat<Chat>): Promise<void> => {
    const { address } = chat.bare;
    const evaluated = (queue: Queue): ChatEvaluation => evaluateForChat(queue, current(chat), check, transition);
    const before = queues.read(address);
    const { queue: after, alerts, ended } = evaluated(before);
    // Most measurements change nothing and need no serialised write.
    if (after === before) return removeEnded(address, ended);
    await settle();
    for (const { event } of alerts) await keep(event);
    let isWhole = true;
    await queues.change(address, (queue) => {
      const again = evaluated(queue);
      isWhole = again.alerts.every(({ event }) => kept.has(event.id));
      return isWhole ? again.queue : queue;
    });
    // The queue changed meanwhile and more events alert: store these first.
    if (!isWhole) await evaluateIn(chat);
    else await removeEnded(address, ended);
  };
  const evaluateLater = (key: string) => async (chat: CompactChat<Chat>) => {
    let isQuiet = true;
    await queues.changeStates(chat.bare.address, key, (queue) => {
      const { queue: after, alerts, ended } = evaluateForChat(queue, current(chat), check, transition);
      isQuiet = alerts.length + ended.length === 0;
      return isQuiet ? after : queue;
    });
    if (!isQuiet) await evaluateIn(chat);
  };
  const concerned = (): readonly CompactChat<Chat>[] =>
    [...new Set(check.measurements.flatMap(({ event }) => [...watchlists.here.to(event)]))].flatMap(
      (address) => watchlists.compact(address) ?? [],
    );
  const chats = plan?.changed ?? concerned();
  const isDeferred = from !== undefined && check.first && chats.length >= MIN_DEFERRED;
  await inGroups(chats, isDeferred ? evaluateLater(from) : evaluateIn, signal);
}

const MIN_DEFERRED = 100;

const PLANNED_AT_ONCE = 500;

/** One event of each. */
const subjectsOf = ({ measurements }: MeasuredCheck): readonly FeedEvent[] => [
  ...new Map(measurements.map(({ event }) => [`${event.feed} ${event.project} ${event.wallet}`, event])).values(),
];

async function planFor(
  check: MeasuredCheck,
  { watchlists, queues, shared }: Routing & { readonly shared: SharedRules },
): Promise<SharedPlan> {
  const plan = planShared(check, shared.states);
  // Also the chats that are away: they keep the states of when they left.
  const subjects = subjectsOf(check);
  const isConcerned = coversOneOf(subjects);
  const all = subjects.map((event) => watchlists.kept.to(event));
  const [only, ...others] = all;
  const concerned = others.length === 0 ? (only ?? []) : new Set(all.flatMap((chats) => [...chats]));
  let planned = 0;
  for (const address of concerned) {
    if (planned > 0 && planned % PLANNED_AT_ONCE === 0) await yieldToEventLoop();
    planned += 1;
    const compact = watchlists.compact(address);
    if (compact === undefined) continue;
    const queue = queues.read(address);
    if (!plan.isCovered(queue, compact)) plan.add({ compact, queue, chat: watchlists.readOnly(address, isConcerned) });
  }
  return plan.done();
}

interface AlertRouting extends Routing {
  readonly archive: Archive;
  readonly checkedAt: Instant | undefined;
}

/** For followers that a crash left without it. Idempotent. */
export async function routeSharedAlert(
  alert: SharedAlert,
  { watchlists, queues, archive, now, checkedAt, signal }: AlertRouting,
): Promise<void> {
  await archive.keep(alert.event);
  await inGroups(
    [...watchlists.kept.to(alert.event)],
    async (address) => {
      await queues.change(address, (queue) => {
        const chat = watchlists.read(address);
        const late = lateAfterAbsence(chat, checkedAt, now) ?? alert.late;
        return withSharedAlert(queue, chat, { alert: { ...alert, late }, now });
      });
    },
    signal,
  );
}

/** Where another rule has its own state, the next check evaluates. */
function withSharedAlert(
  queue: Queue,
  chat: Chat,
  { alert: { event, rules, late }, now }: { readonly alert: SharedAlert; readonly now: Instant },
): Queue {
  const at = rules[0]?.crossing.now.at;
  const series = seriesOf({ event });
  const stored = statesOf(queue, series);
  const entry = at === undefined ? undefined : decidingEntry({ event, at }, chat, now);
  if (stored.size === 0 || entry === undefined || isRouted(queue, event.id)) return queue;
  const keys = rulesFor(entry, event.feed).levels.map((rule) => ruleStateKey(series, entry, rule));
  const followed = rules.flatMap(({ key, crossing, before }) => {
    const own = keys.find((one) => sharedKeyOf(one) === key);
    const reference = own === undefined ? undefined : stored.get(own);
    if (own === undefined || !isReference(reference)) return [];
    // Written after the alert, by an evaluation of this chat that gave none.
    if (reference.own?.insteadOf === crossing.now.at) return [];
    const state = resolved(reference, before) ?? before;
    const since = state === before ? crossing.since : { at: state.anchor.at, value: state.anchor.value };
    return [{ key: own, crossing: { ...crossing, since }, state }];
  });
  if (followed.length === 0) return queue;
  if (!keys.every((key) => isReference(stored.get(key)))) {
    const before = followed.map(({ key, state }): [string, StoredState] => [key, state]);
    return withStates(queue, new Map([[series, new Map([...stored, ...before])]]));
  }
  const crossings = followed.map(({ crossing }) => crossing);
  return enqueue(queue, [{ ...thresholdMember(event.id, { entry, crossings, now }), ...(late && { late }) }], chat.left?.at);
}
