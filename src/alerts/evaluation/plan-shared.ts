/** A check's effect on shared states, and which chats need their own evaluation. Pure. */
import { instant } from '../../base/clock.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Queue } from '../queue/queue.js';
import { presetLevels } from '../rules/presets.js';
import type { CompactChat } from '../watchlist/compact-chat.js';
import type { Chat } from '../watchlist/watchlists.js';
import { evaluateForChat, evaluateRules, type ChatEvaluation, type RuleStates } from './chat-rules.js';
import { keyOf, type MeasuredCheck } from './evaluate.js';
import { seriesOf } from '../checks/check-records.js';
import { followersOf } from './following.js';
import { statesOf } from './shared-state-references.js';
import {
  isReference,
  isSameState,
  referenceTo,
  resolved,
  sharedKeyOf,
  type SharedAlert,
  type SharedReference,
  type SharedStates,
  type SharedTransition,
} from './shared-states.js';
import { isStateWorthWriting, type RuleState } from './threshold.js';

export interface SharedPlan {
  readonly transition: SharedTransition;
  /** Durable together before any chat; undefined if not worth a write. */
  readonly write: { readonly states: SharedStates; readonly alerts: readonly SharedAlert[] } | undefined;
  /** Need own states before that write. */
  readonly leaving: readonly CompactChat<Chat>[];
  readonly changed: readonly CompactChat<Chat>[];
}

const MIN_SHARING = 2;

export const hasPresetRules = ({ measurements }: Pick<MeasuredCheck, 'measurements'>): boolean =>
  measurements.some(({ event }) => presetLevels(event.feed).length > 0);

/** `done` decides what is shared. */
export function planShared(check: MeasuredCheck, stored: SharedStates) {
  // States of before a first check are not valid any more.
  const before = check.first ? {} : stored;
  const { after, crossings } = evaluateShared(check, before);
  const transition: SharedTransition = { before, after };
  const differing = new Set(Object.entries(stored).flatMap(([key, state]) => (isSameState(state, after[key]) ? [] : [key])));
  const isUneventful =
    !check.first && crossings.length === 0 && Object.entries(stored).every(([key, { anchor }]) => after[key]?.anchor.at === anchor.at);
  const isFollower = followersOf({ check, before: stored });
  const measured = new Set(check.measurements.map(seriesOf));
  const [leaving, changed]: [CompactChat<Chat>[], CompactChat<Chat>[]] = [[], []];
  const joining = new Map<string, number>();

  const hasReference = (queue: Queue, to: (reference: SharedReference, key: string, series: string) => boolean): boolean =>
    [...measured].some((series) => [...statesOf(queue, series)].some(([key, one]) => isReference(one) && to(one, key, series)));
  const leaves = (queue: Queue, states: ChatEvaluation['states']): boolean =>
    hasReference(queue, (one, key, series) => !isSameState(resolved(one, after[sharedKeyOf(key)]), states.get(series)?.get(key)));

  return {
    /** Nothing is to be done for it. */
    isCovered: (queue: Queue, compact: CompactChat<Chat>): boolean =>
      isUneventful && compact.bare.left === undefined && isFollower(queue, compact),

    /** A chat that is not covered: evaluated by itself. */
    add({ compact, queue, chat }: { readonly compact: CompactChat<Chat>; readonly queue: Queue; readonly chat: Chat }): void {
      if (chat.left !== undefined) {
        if (hasReference(queue, (_, key) => differing.has(sharedKeyOf(key)))) leaving.push(compact);
        return;
      }
      const evaluated = evaluateForChat(queue, chat, check, transition);
      // At a first check all its states are written.
      if (!check.first && leaves(queue, evaluated.states)) leaving.push(compact);
      if (evaluated.queue === queue && evaluated.ended.length === 0) return;
      changed.push(compact);
      for (const states of evaluated.states.values())
        for (const [key, state] of states) {
          const shared = sharedKeyOf(key);
          if (before[shared] === undefined && referenceTo(after[shared], state)) joining.set(shared, (joining.get(shared) ?? 0) + 1);
        }
    },

    done(): SharedPlan {
      const begun = Object.entries(after).filter(([key]) => before[key] === undefined && (joining.get(key) ?? 0) >= MIN_SHARING);
      const kept = Object.entries(after).filter(([key]) => before[key] !== undefined);
      const isWorthWriting = begun.length > 0 || kept.some(([key, state]) => isStateWorthWriting(before[key], state));
      if (!isWorthWriting)
        return { transition: { ...transition, after: transition.before }, write: undefined, leaving: check.first ? leaving : [], changed };
      const states = { ...before, ...Object.fromEntries([...kept, ...begun]) };
      return {
        transition: { ...transition, after: states },
        write: { states, alerts: alertsOf(crossings, { stored: before, late: check.late }) },
        leaving,
        changed,
      };
    },
  };
}

interface SharedCrossing {
  readonly event: FeedEvent;
  readonly key: string;
  readonly crossing: Crossing;
}

/** For a chat never away. */
function evaluateShared(
  check: MeasuredCheck,
  stored: SharedStates,
): { readonly after: SharedStates; readonly crossings: readonly SharedCrossing[] } {
  const evaluated = new Map<string, RuleStates>();
  const crossings: SharedCrossing[] = [];
  for (const measurement of check.measurements) {
    const { event } = measurement;
    const series = seriesOf(measurement);
    const rules = new Map(presetLevels(event.feed).map((rule) => [`${series}/${keyOf(rule)}`, rule]));
    const known = [...rules.keys()].flatMap((key): [string, RuleState][] => (stored[key] === undefined ? [] : [[key, stored[key]]]));
    const { states, crossings: found } = evaluateRules(measurement, {
      rules,
      states: evaluated.get(series) ?? new Map(known),
      check,
      began: instant(0),
      absence: undefined,
      hasFired: () => false,
    });
    evaluated.set(series, states);
    for (const crossing of found) crossings.push({ event, key: `${series}/${keyOf(crossing.rule)}`, crossing });
  }
  return { after: { ...stored, ...Object.fromEntries([...evaluated.values()].flatMap((states) => [...states])) }, crossings };
}

function alertsOf(
  crossings: readonly SharedCrossing[],
  { stored, late }: { readonly stored: SharedStates; readonly late: SharedAlert['late'] },
): readonly SharedAlert[] {
  const events = new Map(crossings.map(({ event }) => [event.id, event]));
  return [...events.values()].flatMap((event) => {
    const rules = crossings.flatMap(({ event: { id }, key, crossing }) => {
      const before = stored[key];
      return id === event.id && before !== undefined ? [{ key, crossing, before }] : [];
    });
    return rules.length === 0 ? [] : [{ event, ...(late && { late }), rules }];
  });
}
