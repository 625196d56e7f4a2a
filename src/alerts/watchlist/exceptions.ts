/** This module applies and edits exceptions, by which a project differs from the entry for all projects. It is pure. */
import { isDeepStrictEqual } from 'node:util';
import { HOUR, later, type Instant } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Slug } from '../../domain/scalars.js';
import { modeOf, rulesFor } from '../rules/presets.js';
import { MAX_AGE_HOURS, targetName, type About, type Entry, type Exception, type Exceptions, type Target } from './entry.js';

/** Exceptions that have no effect at present do not count. */
export const MAX_EXCEPTIONS = 50;

/** The text continues "no alert: ". */
export const EXCLUDED = 'excluded from /watch all';

type AboutProject = Pick<About, 'project'>;
type Excepting = Pick<Entry, 'target' | 'preset' | 'modes' | 'rules' | 'exceptions'> & Partial<Pick<Entry, 'stands'>>;

function exceptionOf({ target, exceptions }: Pick<Entry, 'target' | 'exceptions'>, { project }: AboutProject): Exception | undefined {
  if (exceptions === undefined || project === undefined || target.kind !== 'all') return undefined;
  return Object.hasOwn(exceptions, project) ? exceptions[project] : undefined;
}

export const isExcluded = (entry: Pick<Entry, 'target' | 'exceptions'>, about: AboutProject): boolean =>
  exceptionOf(entry, about)?.excluded === true;

/** Returns the entry with the project's exception applied, or undefined if the project is excluded. */
export function entryAbout<E extends Excepting>(entry: E, about: AboutProject): E | undefined {
  const exception = exceptionOf(entry, about);
  if (exception === undefined || about.project === undefined) return entry;
  return exception.excluded === true ? undefined : excepted(entry, about.project, exception);
}

function excepted<E extends Excepting>(entry: E, project: Slug, exception: Exception): E {
  const { since, modes, rules } = exception;
  return {
    ...entry,
    ...(modes === undefined ? {} : { modes: { ...entry.modes, ...modes } }),
    ...(rules === undefined ? {} : { rules: { ...entry.rules, ...rules } }),
    // The project's exclusion ended later than the times that the entry records for all projects.
    ...(since === undefined ? {} : { since, stands: standsOf(entry, project) }),
    exceptions: undefined,
    exception: { ...exception, project },
  };
}

function standsOf(entry: Excepting, project: Slug): Entry['stands'] {
  const own = Object.entries(entry.stands ?? {}).filter(([key]) => key.endsWith(`/${project}`));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

interface WithEntries {
  readonly entries: readonly Entry[];
}

export const allIn = ({ entries }: WithEntries): Entry | undefined => entries.find(({ target }) => target.kind === 'all');

/**
 * Returns the entry of a target, or for a project without one, the entry for all projects as if it were an entry of the project.
 * For the latter `follows` is true, and it is never stored.
 */
export function entryHere(chat: WithEntries, target: Target): Entry | undefined {
  const own = chat.entries.find((entry) => targetName(entry.target) === targetName(target));
  const all = own === undefined && target.kind === 'project' ? allIn(chat) : undefined;
  return own ?? (all && target.kind === 'project' ? followingEntry(all, target) : undefined);
}

function followingEntry(all: Entry, target: Extract<Target, { kind: 'project' }>): Entry | undefined {
  const held = entryAbout(all, { project: target.slug });
  if (held === undefined) return undefined;
  const { previous: _previous, isUndone: _isUndone, exceptions: _exceptions, ...rest } = held;
  const { previous, isUndone } = held.exception ?? {};
  return {
    ...rest,
    target,
    exception: { ...held.exception, project: target.slug },
    ...(previous === undefined ? {} : { previous: { ...rest, modes: previous.modes, rules: previous.rules } }),
    ...(isUndone === undefined ? {} : { isUndone }),
  };
}

export const follows = ({ target, exception }: Entry): boolean => target.kind === 'project' && exception !== undefined;

/** Returns the name to edit a kind's rules and mode with: the project's if it has its own, or else the target's. */
export function editedAs({ target, exception }: Entry, kind: string): string {
  const isOwn = exception?.modes?.[kind] !== undefined || exception?.rules?.[kind] !== undefined;
  return isOwn ? exception.project : targetName(target);
}

export class TooManyExceptionsError extends Error {}

const isRunning = (until: Instant | undefined, now: Instant): boolean => until !== undefined && until > now;

/** Tells whether an exception has an effect now. It has none once the project is included again and its mutes are over. */
const isInForce = ({ excluded, modes, rules, mutedUntil, mutedKinds = {} }: Exception, now: Instant): boolean =>
  excluded === true ||
  modes !== undefined ||
  rules !== undefined ||
  isRunning(mutedUntil, now) ||
  Object.values(mutedKinds).some((until) => isRunning(until, now));

/** Tells whether an exception is kept. Alerts that waited for the end of a mute need it as long as they can be sent. */
const isKept = (exception: Exception, now: Instant): boolean =>
  exception.since !== undefined || exception.previous !== undefined || isInForce(exception, later(now, -MAX_AGE_HOURS * HOUR));

export const exceptionsInForce = (
  { exceptions = {} }: Pick<Entry, 'exceptions'>,
  now: Instant,
): readonly (readonly [string, Exception])[] =>
  Object.entries(exceptions)
    .filter(([, exception]) => isInForce(exception, now))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

interface ExceptionEdit {
  readonly project: Slug;
  readonly now: Instant;
}

/** Edits a project's exception. Throws a `TooManyExceptionsError` above the limit. */
export function withException<C extends WithEntries>(
  chat: C,
  { project, now }: ExceptionEdit,
  edit: (before: Exception, all: Entry) => Exception,
): C {
  const all = allIn(chat);
  if (all === undefined) return chat;
  const before = exceptionOf(all, { project }) ?? {};
  const after = omitUndefined(edit(before, all));
  if (isDeepStrictEqual(before, after)) return chat;
  const exceptions: Exceptions = Object.fromEntries(
    Object.entries({ ...all.exceptions, [project]: after }).filter(([, exception]) => isKept(exception, now)),
  );
  const isMore = isInForce(after, now) && !isInForce(before, now);
  if (isMore && exceptionsInForce({ exceptions }, now).length > MAX_EXCEPTIONS) throw new TooManyExceptionsError();
  const { exceptions: _, ...rest } = all;
  const changed: Entry = Object.keys(exceptions).length === 0 ? rest : { ...rest, exceptions };
  return { ...chat, entries: chat.entries.map((entry) => (entry === all ? changed : entry)) };
}

export const withExcluded = <C extends WithEntries>(chat: C, about: ExceptionEdit): C =>
  withException(chat, about, ({ since: _since, ...before }) => ({ ...before, excluded: true }));

/** Includes an excluded project again. Events from the time of the exclusion do not alert. */
export const withIncluded = <C extends WithEntries>(chat: C, about: ExceptionEdit): C =>
  withException(chat, about, ({ excluded, ...before }) => (excluded === undefined ? before : { ...before, since: about.now }));

type Choices = Pick<Exception, 'modes' | 'rules'>;

const choicesOf = ({ modes, rules }: Choices): Choices => omitUndefined({ modes, rules });

function withChoices({ modes: _modes, rules: _rules, isUndone: _isUndone, ...rest }: Exception, to: Choices, before: Choices): Exception {
  return isDeepStrictEqual(choicesOf(to), choicesOf(before))
    ? { ...rest, ...choicesOf(before) }
    : { ...rest, ...choicesOf(to), previous: choicesOf(before) };
}

/** Edits a project as if it had an entry, and stores its differences from the entry for all projects. */
export const withEditedFollower = <C extends WithEntries>(chat: C, about: ExceptionEdit, edit: (entry: Entry) => Entry): C =>
  withException(chat, about, (before, all) => {
    const entry = followingEntry(all, { kind: 'project', slug: about.project });
    if (entry === undefined) return before;
    const after = edit(entry);
    return after === entry ? before : withChoices(before, differences(all, after), before);
  });

/** Makes a kind of the project follow the entry for all projects again. */
export const withFollowingKind = <C extends WithEntries>(chat: C, about: ExceptionEdit, kind: string): C =>
  withException(chat, about, (before) =>
    withChoices(before, { modes: withoutKey(before.modes, kind), rules: withoutKey(before.rules, kind) }, before),
  );

/** Undoes the last edit of a project's kinds and rules, or if that was an Undo, redoes it. */
export const withUndoneException = <C extends WithEntries>(chat: C, about: ExceptionEdit): C =>
  withException(chat, about, (before) => {
    const { previous, isUndone, modes: _modes, rules: _rules, ...rest } = before;
    if (previous === undefined) return before;
    return { ...rest, ...choicesOf(previous), previous: choicesOf(before), ...(isUndone === true ? {} : { isUndone: true as const }) };
  });

function withoutKey<T>(all: Readonly<Record<string, T>> | undefined, kind: string): Record<string, T> | undefined {
  const left = Object.entries(all ?? {}).filter(([other]) => other !== kind);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

function differences(all: Entry, after: Entry): Choices {
  const kinds = new Set([all.modes, all.rules, after.modes, after.rules].flatMap((chosen) => Object.keys(chosen ?? {})));
  const modes = [...kinds].flatMap((kind) => {
    const mode = after.modes?.[kind];
    return mode === all.modes?.[kind] ? [] : [[kind, mode ?? modeOf(after, kind)] as const];
  });
  const rules = [...kinds].flatMap((kind) =>
    isDeepStrictEqual(after.rules?.[kind], all.rules?.[kind]) ? [] : [[kind, rulesFor(after, kind)] as const],
  );
  return {
    ...(modes.length === 0 ? {} : { modes: Object.fromEntries(modes) }),
    ...(rules.length === 0 ? {} : { rules: Object.fromEntries(rules) }),
  };
}
