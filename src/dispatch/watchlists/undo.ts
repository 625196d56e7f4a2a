/** Records changes of a chat's mutes, board, digest, settings and reminders, and takes the last one back while nothing was changed since. */
import { isDeepStrictEqual } from 'node:util';
import { withHours } from '../../alerts/queue/quiet-hours.js';
import type { ChangedPart, ChangedState } from '../../alerts/watchlist/last-changes.js';
import { withReminders } from '../../alerts/watchlist/reminders.js';
import { muted, unmuted, type Chat, type Mutable } from '../../alerts/watchlist/watchlists.js';
import type { Instant } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { capitalised } from '../../base/sentence-lists.js';
import type { ActionDraft } from '../../chat/reply.js';
import { UserError, commandLine } from '../../reply/index.js';
import type { Slug } from '../../domain/scalars.js';
import type { Context } from '../context.js';
import { changeExceptions } from './exceptions.js';
import { activeMutes, isSame } from './mute-pages.js';

/** The words a command reads as an Undo: "undo", or "undo 3" under the reply to the third change. */
const UNDO = /^undo(?:\s+(\d{1,9}))?$/iu;

/** Reads "undo" and "undo 3". Returns undefined for anything else. */
export function readUndo(text: string): { readonly number: number | undefined } | undefined {
  const found = UNDO.exec(text.trim());
  return found === null ? undefined : { number: found[1] === undefined ? undefined : Number(found[1]) };
}

/** A change of more mutes has no Undo, because the chat's document must stay small. */
const MAX_MUTES = 100;

/** Edits a chat and records what that changes. A change without effect is not recorded. */
function recorded({ part, edit, now, isUndo = false }: Change & { readonly now: Instant; readonly isUndo?: boolean }, chat: Chat): Chat {
  const after = edit(chat);
  const [was, is] = statesOf(part, { before: chat, after }, now);
  if (isDeepStrictEqual(was, is)) return after;
  const { [part]: last, ...others } = chat.lastChanges ?? {};
  const isLong = (was.mutes?.length ?? 0) + (is.mutes?.length ?? 0) > MAX_MUTES;
  const change = { number: (last?.number ?? 0) + 1, before: was, after: is, ...(isUndo ? { isUndo } : {}) };
  return { ...after, lastChanges: isLong ? others : { ...others, [part]: change } };
}

interface Change {
  readonly part: ChangedPart;
  readonly edit: (chat: Chat) => Chat;
  /** The project whose exception may be edited. */
  readonly project?: Slug | undefined;
}

interface ChangedChat {
  readonly before: Chat;
  readonly after: Chat;
  /** The button that takes the change back; empty if it had no effect. */
  readonly undo: readonly ActionDraft[];
}

/** Changes a part of the chat's settings. Rejects with a `UserError` as `changeExceptions` does. */
export async function changePart({ part, edit, project }: Change, context: Context): Promise<ChangedChat> {
  const { watchlists, chat, now } = context;
  let before = watchlists.read(chat);
  const record = (current: Chat): Chat => {
    before = current;
    return recorded({ part, edit, now }, current);
  };
  const after = await (project === undefined ? watchlists.change(chat, record) : changeExceptions(project, record, context));
  return { before, after, undo: undoAction(part, before, after) };
}

function undoAction(part: ChangedPart, before: Chat, { lastChanges }: Chat): readonly ActionDraft[] {
  const last = lastChanges?.[part];
  if (last === undefined || last.number === before.lastChanges?.[part]?.number) return [];
  return [{ label: last.isUndo === true ? 'Redo' : 'Undo', line: commandLine(COMMANDS[part], 'undo', String(last.number)) }];
}

const COMMANDS = { mutes: 'mute', board: 'board', digest: 'digest', settings: 'settings', reminders: 'remind' } as const satisfies Record<
  ChangedPart,
  string
>;
const NAMES = {
  mutes: { name: 'mutes', verb: 'were' },
  board: { name: 'board', verb: 'was' },
  digest: { name: 'digest', verb: 'was' },
  settings: { name: 'settings', verb: 'were' },
  reminders: { name: 'reminders', verb: 'were' },
} as const satisfies Record<ChangedPart, object>;

/** Takes the last change of a part back. Rejects with a `UserError` if there is none, or if the part was changed since. */
export async function undoChange(
  part: ChangedPart,
  number: number | undefined,
  { watchlists, chat, now, place }: Context,
): Promise<Pick<ChangedChat, 'undo'> & { readonly scopes: readonly Mutable[] }> {
  const { name, verb } = NAMES[part];
  const actions = [{ label: capitalised(name), line: commandLine(COMMANDS[part]) }];
  let before = watchlists.read(chat);
  let scopes: readonly Mutable[] = [];
  const after = await watchlists.change(chat, (current) => {
    before = current;
    const last = current.lastChanges?.[part];
    if (last === undefined) throw new UserError(`Nothing to undo: the ${name} of ${place} ${verb} not changed.`, { actions });
    if ((number !== undefined && number !== last.number) || !isUnchanged(part, current, last, now))
      throw new UserError(`Nothing was undone: the ${name} of ${place} ${verb} changed since.`, { actions });
    scopes = changedMutes(last);
    return recorded({ part, edit: (one) => restored(part, one, last, now), now, isUndo: last.isUndo !== true }, current);
  });
  return { scopes, undo: undoAction(part, before, after) };
}

/** Returns what a change of the part replaced, and by what. */
function statesOf(
  part: ChangedPart,
  { before, after }: { readonly before: Chat; readonly after: Chat },
  now: Instant,
): readonly [ChangedState, ChangedState] {
  if (part !== 'mutes') return [settingsIn(part, before), settingsIn(part, after)];
  const [was, is] = [activeMutes(before, now), activeMutes(after, now)];
  const others = (mutes: typeof was, than: typeof was): ChangedState => {
    const changed = mutes.filter((mute) => !than.some((other) => isSame(mute, other) && mute.until === other.until));
    return { mutes: changed.map(({ target, kind, topic, until }) => omitUndefined({ target, kind, topic, until })) };
  };
  return [others(was, is), others(is, was)];
}

function settingsIn(part: Exclude<ChangedPart, 'mutes'>, { board, digest, timezone, quiet, preset, remind = [] }: Chat): ChangedState {
  if (part === 'reminders') return { remind: remind.map(({ before }) => before) };
  return omitUndefined<ChangedState>(part === 'board' ? { board } : part === 'digest' ? { digest } : { timezone, quiet, preset });
}

type Mutes = NonNullable<ChangedState['mutes']>;
type Transition = Readonly<Record<'before' | 'after', ChangedState>>;

/** Returns the mutes of both states, one for each scope. */
const changedMutes = ({ before, after }: Transition): Mutes => [
  ...(after.mutes ?? []),
  ...(before.mutes ?? []).filter((mute) => after.mutes?.some((other) => isSame(mute, other)) !== true),
];

/** Returns the end of a scope's mute. A mute that ended counts as no mute. */
function endIn(mutes: Mutes | undefined, scope: Mutes[number], now: Instant): Instant | undefined {
  const until = mutes?.find((mute) => isSame(mute, scope))?.until;
  return until !== undefined && until > now ? until : undefined;
}

function isUnchanged(part: ChangedPart, chat: Chat, change: Transition, now: Instant): boolean {
  if (part !== 'mutes') return isDeepStrictEqual(settingsIn(part, chat), change.after);
  const current = activeMutes(chat, now);
  return changedMutes(change).every((scope) => endIn(current, scope, now) === endIn(change.after.mutes, scope, now));
}

function restored(part: ChangedPart, chat: Chat, change: Transition, now: Instant): Chat {
  const { board, digest, timezone, quiet, preset, remind = [] } = change.before;
  // What was due while it was off is not sent.
  if (part === 'board') return { ...chat, board: board && { ...board, since: chat.board?.since ?? now } };
  if (part === 'digest')
    return { ...chat, digest: digest && { ...digest, since: chat.digest?.every === digest.every ? chat.digest.since : now } };
  if (part === 'reminders') return withReminders(chat, remind, now);
  if (part === 'settings') return { ...withHours(withHours(chat, { quiet }, now), { timezone }, now), preset };
  return withMutesRestored(chat, change, now);
}

/** To unmute a project unmutes its kinds too, so those that the change left alone are muted again. */
function withMutesRestored(chat: Chat, change: Transition, now: Instant): Chat {
  const scopes = changedMutes(change);
  const kept = activeMutes(chat, now).filter((mute) => !scopes.some((scope) => isSame(mute, scope)));
  const wanted = [...kept, ...(change.before.mutes ?? []).filter(({ until }) => until > now)];
  const without = scopes.reduce((of, scope) => unmuted(of, { ...scope, now }), chat);
  return wanted.reduce((of, mute) => (endIn(activeMutes(of, now), mute, now) === mute.until ? of : muted(of, { ...mute, now })), without);
}
