/** States of preset rules, once per series and rule, in the watermark document (decision 19). Pure. */
import { z } from 'zod';
import { crossingSchema } from '../../domain/crossing.js';
import { eventSchema } from '../../domain/event.js';
import { instantSchema } from '../../domain/scalars.js';
import { lateSchema } from '../queue/queued-event.js';
import { coreOf, anchorSchema, ruleStateSchema, type RuleState } from './threshold.js';

/** By `<series>/<threshold key>`. */
export const sharedStatesSchema = z.record(z.string(), ruleStateSchema);
export type SharedStates = Readonly<Record<string, RuleState>>;

const sharedReferenceSchema = z.object({
  shared: z.literal(true),
  /** This chat's, until the shared anchor differs from `insteadOf`. */
  own: z.object({ anchor: anchorSchema, alertedAt: instantSchema.optional(), insteadOf: instantSchema }).optional(),
});
export type SharedReference = z.infer<typeof sharedReferenceSchema>;

export const storedStateSchema = z.union([sharedReferenceSchema, ruleStateSchema]);
export type StoredState = z.infer<typeof storedStateSchema>;

/** From the write of the states until every follower has it. */
export const sharedAlertSchema = z.object({
  event: eventSchema,
  late: lateSchema.optional(),
  rules: z
    .array(
      z.object({
        key: z.string(),
        crossing: crossingSchema,
        before: ruleStateSchema,
      }),
    )
    .readonly(),
});
export type SharedAlert = z.infer<typeof sharedAlertSchema>;

/** `after` is durable before a chat is written. */
export interface SharedTransition {
  readonly before: SharedStates;
  readonly after: SharedStates;
}

export const NOTHING_SHARED: SharedTransition = { before: {}, after: {} };

export const isReference = (stored: StoredState | undefined): stored is SharedReference => stored !== undefined && 'shared' in stored;

/** All but the key's last two parts. */
export const seriesIn = (key: string): string => key.slice(0, key.lastIndexOf('/', key.lastIndexOf('/') - 1));

export const sharedKeyOf = (key: string): string => `${seriesIn(key)}${key.slice(key.lastIndexOf('/'))}`;

export const ownPart = ({ own }: SharedReference, shared: RuleState | undefined): SharedReference['own'] =>
  own?.insteadOf === shared?.anchor.at ? own : undefined;

export function resolved(stored: StoredState, shared: RuleState | undefined): RuleState | undefined {
  if (!isReference(stored)) return stored;
  const own = ownPart(stored, shared);
  return shared === undefined || own === undefined ? shared : { ...shared, anchor: own.anchor, alertedAt: own.alertedAt };
}

export const FOLLOWS: SharedReference = { shared: true };

/** A reference without a part of its own. */
export const isPlain = (stored: StoredState): boolean => isReference(stored) && stored.own === undefined;

/** Undefined unless armed alike. */
export function referenceTo(shared: RuleState | undefined, state: RuleState): SharedReference | undefined {
  if (shared === undefined || shared.armed !== state.armed) return undefined;
  const { anchor, alertedAt } = state;
  if (coreOf(shared) === coreOf(state)) return FOLLOWS;
  return { shared: true, own: { anchor, ...(alertedAt === undefined ? {} : { alertedAt }), insteadOf: shared.anchor.at } };
}

/** Both decide alike. */
export const isSameState = (one: RuleState | undefined, other: RuleState | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && coreOf(one) === coreOf(other));
