/** One chat with its queue and the states of its rules, evaluated check by check; a state is kept by series and rule, since when its entry watches. */
import { seriesOf } from '../../src/alerts/checks/check-records.js';
import { decidingEntry, evaluateForChat, type ChatEvaluation, type NamedStates } from '../../src/alerts/evaluation/chat-rules.js';
import type { MeasuredCheck } from '../../src/alerts/evaluation/evaluate.js';
import { isStateWorthWriting, ruleStateSchema, type RuleState } from '../../src/alerts/evaluation/threshold.js';
import { enqueue, emptyQueue, queueSchema, type Queue } from '../../src/alerts/queue/queue.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Instant } from '../../src/base/clock.js';
import type { Address } from '../../src/chat/address.js';

export interface KnownChat extends Queue {
  /** By series. Those of another watch are outdated. */
  readonly known: ReadonlyMap<string, { readonly since: Instant; readonly states: NamedStates }>;
}

export const newChat = (address: Address): KnownChat => ({ ...emptyQueue(address), known: new Map() });

interface KnownEvaluation extends Pick<ChatEvaluation, 'ended'> {
  /** The same object if nothing is worth a write. */
  readonly queue: KnownChat;
  readonly alerts: number;
}

export function evaluateKnown(chat: KnownChat, of: Chat, check: MeasuredCheck): KnownEvaluation {
  const { members, states, ended } = evaluateForChat(of, check, {
    states(series, { entry }) {
      const stored = chat.known.get(series);
      return stored?.since === entry.since ? stored.states : new Map<string, RuleState>();
    },
  });
  const isQuiet = members.length === 0 && [...states].every(([series, after]) => !isWorthWriting(chat.known.get(series)?.states, after));
  if (isQuiet) return { queue: chat, alerts: 0, ended };
  const known = new Map(chat.known);
  for (const measurement of check.measurements) {
    const series = seriesOf(measurement);
    const [entry, after] = [decidingEntry(measurement, of, check.now), states.get(series)];
    if (entry === undefined || after === undefined || after.size === 0) known.delete(series);
    else known.set(series, { since: entry.since, states: after });
  }
  return { queue: { ...enqueue(chat, members), known }, alerts: members.length, ended };
}

const isWorthWriting = (before: NamedStates = new Map(), after: NamedStates): boolean =>
  before.size !== after.size || [...after].some(([name, state]) => isStateWorthWriting(before.get(name), state));

export const statesIn = ({ known }: KnownChat): readonly (readonly [key: string, state: RuleState])[] =>
  [...known].flatMap(([series, { states }]) => [...states].map(([name, state]): [string, RuleState] => [`${series}/${name}`, state]));

/** What stands in the store is what the schemas let through. */
export const reopened = ({ known, ...queue }: KnownChat): KnownChat => ({
  ...queueSchema.parse(copied(queue)),
  known: new Map(
    [...known].map(([series, { since, states }]) => [
      series,
      { since, states: new Map([...states].map(([name, state]) => [name, ruleStateSchema.parse(copied(state))])) },
    ]),
  ),
});

const copied = (document: unknown): unknown => JSON.parse(JSON.stringify(document));
