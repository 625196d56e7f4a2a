/**
 * The state of a kind's default rules, kept once for each series and rule in the watermark document. A chat whose rule has the same state stores a
 * reference in its place. Pure.
 */
import { z } from 'zod';
import { crossingSchema, pointSchema, sideSchema } from '../../domain/crossing.js';
import { eventSchema } from '../../domain/event.js';
import { instantSchema } from '../../domain/scalars.js';
import { lateSchema } from '../queue/member.js';
import { coreOf } from './state-text.js';
import { ruleStateSchema, type RuleState } from './threshold.js';

/** By `<series>/<rule in words>`. */
export const sharedStatesSchema = z.record(z.string(), ruleStateSchema);
export type SharedStates = Readonly<Record<string, RuleState>>;

/** Stands in a chat's queue document in the place of a state. */
const sharedReferenceSchema = z.object({
  shared: z.literal(true),
  /** The anchor of this chat, where it differs from the shared one of that moment; another shared anchor applies to all. */
  anchor: pointSchema.extend({ side: sideSchema.optional(), insteadOf: instantSchema }).optional(),
});
export type SharedReference = z.infer<typeof sharedReferenceSchema>;

export const storedStateSchema = z.union([sharedReferenceSchema, ruleStateSchema]);
export type StoredState = z.infer<typeof storedStateSchema>;

/** An alert of shared rules, from the write that sets their states until every chat that follows them has it. */
export const sharedAlertSchema = z.object({
  event: eventSchema,
  late: lateSchema.optional(),
  rules: z
    .array(
      z.object({
        key: z.string(),
        crossing: crossingSchema,
        /** The state before it. */
        before: ruleStateSchema,
      }),
    )
    .readonly(),
});
export type SharedAlert = z.infer<typeof sharedAlertSchema>;

/** What one check makes of the shared states. */
export interface SharedTransition {
  readonly before: SharedStates;
  readonly after: SharedStates;
  /** `after` is durable, so that a chat may refer to it. */
  readonly isStored: boolean;
}

export const NOTHING_SHARED: SharedTransition = { before: {}, after: {}, isStored: false };

export const isReference = (stored: StoredState | undefined): stored is SharedReference => stored !== undefined && 'shared' in stored;

/** The series in the key of a chat's state, which is everything before its last two parts. */
export const seriesIn = (key: string): string => key.slice(0, key.lastIndexOf('/', key.lastIndexOf('/') - 1));

/** The key of the shared state for the key of a chat's state. */
export const sharedKeyOf = (key: string): string => `${seriesIn(key)}${key.slice(key.lastIndexOf('/'))}`;

/** The state a reference stands for; undefined where nothing is shared under that key. */
export function resolved(stored: StoredState, shared: RuleState | undefined): RuleState | undefined {
  if (!isReference(stored)) return stored;
  if (shared === undefined || stored.anchor === undefined || stored.anchor.insteadOf !== shared.anchor.at) return shared;
  const { insteadOf: _, ...anchor } = stored.anchor;
  return { ...shared, anchor };
}

const FOLLOWS: SharedReference = { shared: true };

/** The reference that stands for this state; undefined where it differs in more than its anchor. */
export function referenceTo(shared: RuleState | undefined, state: RuleState): SharedReference | undefined {
  if (shared === undefined || withoutAnchor(shared) !== withoutAnchor(state)) return undefined;
  const { anchor } = state;
  const { at, value, side } = shared.anchor;
  return anchor.at === at && anchor.value === value && anchor.side === side
    ? FOLLOWS
    : { shared: true, anchor: { ...anchor, insteadOf: at } };
}

/** Equal for states that differ in nothing but their anchor. */
export const withoutAnchor = ({ armed, last, alertedAt }: RuleState): string => `${armed} ${alertedAt} ${last.at} ${last.value}`;

export const isSameState = (one: RuleState | undefined, other: RuleState): boolean =>
  one === other ||
  (one !== undefined && coreOf(one) === coreOf(other) && one.last.at === other.last.at && one.last.value === other.last.value);

export const isSameReference = ({ anchor: one }: SharedReference, { anchor: other }: SharedReference): boolean =>
  one?.at === other?.at && one?.value === other?.value && one?.side === other?.side && one?.insteadOf === other?.insteadOf;
