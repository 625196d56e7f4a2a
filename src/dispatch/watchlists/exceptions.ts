/** Edits an entry, or the exception of a project in the entry for all projects, and words such exceptions. */
import { lastChangeId, undone, withPrevious, type Entry, type Exception } from '../../alerts/watchlist/entry.js';
import {
  MAX_EXCEPTIONS,
  TooManyExceptionsError,
  entryHere,
  exceptionsInForce,
  follows,
  withEditedFollower,
  withFollowingKind,
  withUndoneException,
} from '../../alerts/watchlist/exceptions.js';
import { withEntry, type Chat } from '../../alerts/watchlist/watchlists.js';
import type { ActionDraft, Line } from '../../chat/reply.js';
import type { Instant, Slug } from '../../domain/scalars.js';
import type { Context } from '../context.js';
import { UserError, commandLine, counted } from '../../reply/index.js';
import { ruleText } from './rule-text.js';
import { titleOf } from './targets.js';

/** Edits a project's exception. Rejects with a `UserError` if the chat would exceed its limit of exceptions. */
export async function changeExceptions(project: Slug, edit: (chat: Chat) => Chat, { watchlists, chat }: Context): Promise<Chat> {
  try {
    return await watchlists.change(chat, edit);
  } catch (error) {
    if (!(error instanceof TooManyExceptionsError)) throw error;
    throw new UserError(
      `/watch all has ${MAX_EXCEPTIONS} exceptions already. Watch some of those projects separately, or mute a kind of alert for all.`,
      {
        actions: [watchSeparately(project), { label: 'Mute a kind', line: '/mute all' }, { label: 'Watchlist', line: '/watchlist' }],
      },
    );
  }
}

interface Editing {
  /** Also gets the chat, which has the rules that a project takes from the entry for all projects. */
  readonly edit: (entry: Entry, chat: Chat) => Entry;
  /** The kind in which a project drops its exception and follows the entry for all projects again. */
  readonly follow?: string;
  /** Undoes the last change instead, or nothing if that is not the one with this id. */
  readonly undoes?: { readonly id: string | undefined };
}

/** Edits an entry. A project that only the entry for all projects covers gets an exception. Rejects with a `UserError`. */
export async function edited({ target }: Entry, editing: Editing, context: Context): Promise<{ before: Entry; after: Entry; chat: Chat }> {
  let before: Entry | undefined;
  const edit = (chat: Chat): Chat => {
    before = entryHere(chat, target);
    return before === undefined ? chat : withEdited(chat, before, editing, context.now);
  };
  const chat = await (target.kind === 'project'
    ? changeExceptions(target.slug, edit, context)
    : context.watchlists.change(context.chat, edit));
  const after = entryHere(chat, target);
  if (before !== undefined && after !== undefined) return { before, after, chat };
  throw new UserError(`${await titleOf(target, context)} was just removed from the watchlist.`);
}

function withEdited(chat: Chat, before: Entry, { edit, follow, undoes }: Editing, now: Instant): Chat {
  const { target } = before;
  if (undoes?.id !== undefined && undoes.id !== lastChangeId(before)) return chat;
  if (target.kind === 'project' && follows(before)) {
    const about = { project: target.slug, now };
    if (undoes !== undefined) return withUndoneException(chat, about);
    return follow === undefined ? withEditedFollower(chat, about, (entry) => edit(entry, chat)) : withFollowingKind(chat, about, follow);
  }
  const after = undoes !== undefined ? (undone(before) ?? before) : withPrevious(before, edit(before, chat));
  return after === before ? chat : withEntry(chat, after);
}

export const watchSeparately = (project: Slug): ActionDraft => ({ label: 'Watch separately', line: commandLine('watch', project) });

/** Returns "excluded", or "premium: below −10%; growth off; muted, alerts resume Dec 1". */
function exceptionLine({ excluded, modes = {}, rules = {}, mutedUntil, mutedKinds = {} }: Exception, now: Instant): Line {
  if (excluded === true) return ['excluded'];
  const isOff = (kind: string): boolean => modes[kind] === 'off';
  const resumes = (words: string, until: Instant): readonly Line[] => (until > now ? [[`${words}, alerts resume `, { at: until }]] : []);
  const parts: readonly Line[] = [
    ...Object.entries(modes).map(([kind, mode]) => [`${kind} ${mode}`]),
    ...Object.entries(rules).flatMap(([kind, own]) => (isOff(kind) ? [] : [[`${kind}: ${ruleText(kind, own)}`]])),
    ...(mutedUntil === undefined ? [] : resumes('muted', mutedUntil)),
    ...Object.entries(mutedKinds).flatMap(([kind, until]) => resumes(`${kind} muted`, until)),
  ];
  return parts.flatMap((part, at) => [...(at === 0 ? [] : ['; ']), ...part]);
}

const MAX_NAMED = 5;

/** Returns the exceptions that apply. Exceptions of projects with their own entry do not. */
const effectiveExceptions = (entry: Entry, chat: Chat, now: Instant): readonly (readonly [string, Exception])[] =>
  exceptionsInForce(entry, now).filter(([project]) =>
    chat.entries.every(({ target }) => target.kind !== 'project' || target.slug !== project),
  );

/** Returns "3 exceptions: heron (excluded), reef (muted, alerts resume Dec 1), tide (premium: below −10%)"; empty without any. */
export function exceptionsLine(entry: Entry, chat: Chat, now: Instant): Line {
  const all = effectiveExceptions(entry, chat, now);
  if (all.length === 0) return [];
  const named = all.slice(0, MAX_NAMED);
  return [
    `${counted(all.length, 'exception')}: `,
    ...named.flatMap(([project, exception], at): Line => [at === 0 ? '' : ', ', `${project} (`, ...exceptionLine(exception, now), ')']),
    all.length > named.length ? `, and ${all.length - named.length} more` : '',
  ];
}
