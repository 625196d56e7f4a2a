/** This module defines a watchlist entry: what a chat watches, since when, and which alert kinds. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { mentionSchema } from '../../chat/reply.js';
import { marketOf, type FeedEvent } from '../../domain/event.js';
import { instantSchema, slugSchema, type Slug } from '../../domain/scalars.js';
import { screenFilterSchema } from '../../domain/screen.js';
import { shortKey, walletAddressSchema } from '../../domain/wallet.js';
import { kindModeSchema, presetSchema } from '../rules/presets.js';
import { rulesSchema } from '../rules/rule.js';

export const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), slug: slugSchema }),
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('launches') }),
  z.object({ kind: z.literal('wallet'), address: walletAddressSchema, label: z.string().optional() }),
  z.object({
    kind: z.literal('market'),
    /** A proposal or launch, such as `proposals/tide/9xQ…` or `launches/4Fg…`. */
    topic: z.string(),
    title: z.string().optional(),
    /** When its result was queued for the chat. After that the entry needs no checks. */
    endedAt: instantSchema.optional(),
  }),
  z.object({ kind: z.literal('screen'), filter: screenFilterSchema }),
]);
export type Target = z.infer<typeof targetSchema>;
export type MarketTarget = Extract<Target, { kind: 'market' }>;

/** Single proposals and launches that a chat can follow at once. */
export const MAX_MARKETS = 20;

export const feedOfMarket = ({ topic }: Pick<MarketTarget, 'topic'>): string => topic.slice(0, topic.indexOf('/'));

/** Returns the project of a proposal; undefined for a launch, which has none. */
export function projectOfMarket({ topic }: Pick<MarketTarget, 'topic'>): Slug | undefined {
  const parts = topic.split('/');
  return parts.length === 3 ? slugSchema.safeParse(parts[1]).data : undefined;
}

export const DEFAULT_AGE_HOURS = 72;
export const MAX_AGE_HOURS = 30 * 24;
export const MAX_MENTIONS = 5;

/** The choices that Undo restores. */
const choices = {
  /** Each alert kind defines what a preset contains. */
  preset: presetSchema,
  modes: z.record(z.string(), kindModeSchema).optional(),
  /** Edited copies of the preset's rules, by kind. */
  rules: z.record(z.string(), rulesSchema).optional(),
  maxAgeHours: z.int().min(1).max(MAX_AGE_HOURS).optional(),
  mentions: z.array(mentionSchema).max(MAX_MENTIONS).readonly().optional(),
  /** The message of each proposal and launch gets a thread. */
  threads: z.literal(true).optional(),
  /** Alerts are published to servers that follow the channel. */
  publish: z.literal(true).optional(),
};
const choicesSchema = z.object(choices);

const exceptionChoices = { modes: choices.modes, rules: choices.rules };
const exceptionChoicesSchema = z.object(exceptionChoices);

const exceptionSchema = z.object({
  /** The entry does not watch the project. */
  excluded: z.literal(true).optional(),
  /** When the project's exclusion ended. Earlier events do not alert. */
  since: instantSchema.optional(),
  /** Modes and rules of kinds that differ from the entry's. */
  ...exceptionChoices,
  mutedUntil: instantSchema.optional(),
  mutedKinds: z.record(z.string(), instantSchema).optional(),
  previous: exceptionChoicesSchema.optional(),
  isUndone: z.literal(true).optional(),
});
/** What differs for one project from the entry for all projects (`exceptions.ts`). */
export type Exception = z.infer<typeof exceptionSchema>;
export type Exceptions = Readonly<Record<string, Exception>>;

export const entrySchema = z.object({
  target: targetSchema,
  /** When the watch began. Earlier events do not alert. */
  since: instantSchema,
  /** When rules were set, for those that were set after the entry (`standing.ts`). */
  stands: z.record(z.string(), instantSchema).optional(),
  /** A person's name. */
  by: z.string(),
  /** `<platform>/<id>`, for `/privacy`. */
  byId: z.string().optional(),
  ...choices,
  mutedUntil: instantSchema.optional(),
  mutedKinds: z.record(z.string(), instantSchema).optional(),
  previous: choicesSchema.optional(),
  /** The last change was Undo, so the next Undo is Redo. */
  isUndone: z.literal(true).optional(),
  /** The key is a slug. Only the entry for all projects has it. */
  exceptions: z.record(z.string(), exceptionSchema).optional(),
});
/** `exception` is set in an entry that was computed for a project (`entryAbout`); it is never stored. */
export type Entry = z.infer<typeof entrySchema> & { readonly exception?: (Exception & { readonly project: Slug }) | undefined };

/** What an event is about. Without an id or a topic, no entry for a single proposal or launch covers it. */
export type About = Pick<FeedEvent, 'feed' | 'project' | 'wallet' | 'screen'> & Partial<Pick<FeedEvent, 'id' | 'topic'>>;

export const marketIn = ({ id, topic }: About): string | undefined => marketOf(id ?? '') ?? marketOf(topic ?? '');

/** Returns a slug, a public key, `all`, `launches`, or `screen` and the filter. */
export function targetName(target: Target): string {
  if (target.kind === 'project') return target.slug;
  if (target.kind === 'market') return target.topic.slice(target.topic.lastIndexOf('/') + 1);
  if (target.kind === 'screen') return `screen ${target.filter}`;
  return target.kind === 'wallet' ? target.address : target.kind;
}

export const calledHere = (target: Target): string | undefined => (target.kind === 'wallet' ? target.label : undefined);

const MAX_TITLE = 40;

export function shortName(target: Target): string {
  if (target.kind === 'wallet') return target.label ?? shortKey(target.address);
  if (target.kind !== 'market') return targetName(target);
  const { title = shortKey(targetName(target)) } = target;
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title;
}

/** The name is taken: people must name a project with this slug by symbol or name. */
export const LAUNCHES_FEED = 'launches';

export const WALLET_FEED = 'wallet';

export const SCREENS_FEED = 'screens';

export function kindsFor(target: Target, kinds: readonly string[]): readonly string[] {
  if (target.kind === 'launches') return kinds.filter((kind) => kind === LAUNCHES_FEED);
  if (target.kind === 'market') return kinds.filter((kind) => kind === feedOfMarket(target));
  if (target.kind === 'screen') return kinds.filter((kind) => kind === SCREENS_FEED);
  return kinds.filter((kind) => kind !== SCREENS_FEED && (kind === WALLET_FEED) === (target.kind === 'wallet'));
}

/** Tells whether two entries have the same choices, in any order. */
export const isSameChoice = (one: Entry, other: Entry): boolean => isDeepStrictEqual(choicesSchema.parse(one), choicesSchema.parse(other));

/** Records the entry before a change, for Undo. A change without effect is not recorded. */
export function withPrevious(before: Entry, after: Entry): Entry {
  const { isUndone: _, ...rest } = after;
  return isSameChoice(before, after) ? before : { ...rest, previous: choicesSchema.parse(before) };
}

const ID_LENGTH = 6;

/**
 * Identifies the last change of an entry's choices by what they were and what they are, so that a button undoes no later change.
 * Undefined without a change.
 */
export function lastChangeId({ exception, isUndone, ...entry }: Entry): string | undefined {
  const { previous } = exception ?? entry;
  if (previous === undefined) return undefined;
  // Parsing brings what is in memory and what was stored into the same order.
  const [was, is] =
    exception === undefined
      ? [choicesSchema.parse(previous), choicesSchema.parse(entry)]
      : [exceptionChoicesSchema.parse(previous), exceptionChoicesSchema.parse(exception)];
  return createHash('sha256')
    .update(JSON.stringify([was, is, isUndone === true]))
    .digest('hex')
    .slice(0, ID_LENGTH);
}

/** Adds the choices of the entry that a chat removed before, so that Undo brings them back. Unchanged where they are the same. */
export const withEarlier = (entry: Entry, earlier: Entry | undefined): Entry =>
  earlier === undefined || isSameChoice(entry, earlier) ? entry : withPrevious(earlier, entry);

/** Returns the entry before its last change, or for an undone entry the one before Undo. */
export const undone = ({
  previous,
  isUndone,
  target,
  since,
  stands,
  by,
  byId,
  mutedUntil,
  mutedKinds,
  exceptions,
  ...now
}: Entry): Entry | undefined =>
  previous && {
    target,
    since,
    by,
    ...(stands === undefined ? {} : { stands }),
    ...(byId === undefined ? {} : { byId }),
    ...(mutedUntil === undefined ? {} : { mutedUntil }),
    ...(mutedKinds === undefined ? {} : { mutedKinds }),
    ...(exceptions === undefined ? {} : { exceptions }),
    ...previous,
    previous: now,
    ...(isUndone === undefined ? { isUndone: true } : {}),
  };
