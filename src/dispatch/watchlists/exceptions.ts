/** Words the exceptions of the entry for all projects, and says what to do where there are too many. */
import type { Entry, Exception } from '../../alerts/watchlist/entry.js';
import { MAX_EXCEPTIONS, TooManyExceptionsError, exceptionsInForce } from '../../alerts/watchlist/exceptions.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import type { ActionDraft, Line } from '../../chat/reply.js';
import type { Instant, Slug } from '../../domain/scalars.js';
import type { Context } from '../context.js';
import { UserError, commandLine, counted } from '../../reply/index.js';
import { ruleText } from './rule-text.js';

/** Rejects with a `UserError` if the chat would have more exceptions than it may. */
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

export const watchSeparately = (project: Slug): ActionDraft => ({ label: 'Watch separately', line: commandLine('watch', project) });

/** Gives "excluded", or "premium: below −10%; growth off; muted, alerts resume Dec 1". */
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

/** Those of a project with an entry of its own have no effect. */
const effectiveExceptions = (entry: Entry, chat: Chat, now: Instant): readonly (readonly [string, Exception])[] =>
  exceptionsInForce(entry, now).filter(([project]) =>
    chat.entries.every(({ target }) => target.kind !== 'project' || target.slug !== project),
  );

/** Gives "3 exceptions: heron (excluded), reef (muted, alerts resume Dec 1), tide (premium: below −10%)"; empty without any. */
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
