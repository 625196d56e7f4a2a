/** The active mutes of a chat, and their names. */
import type { Chat, Mutable } from '../../src/alerts/watchlist/watchlists.js';
import { targetName } from '../../src/alerts/watchlist/entry.js';
import type { Instant } from '../../src/domain/scalars.js';
import type { Context } from '../../src/dispatch/context.js';
import { titleOf } from '../../src/dispatch/watchlists/targets.js';

export interface ActiveMute extends Mutable {
  readonly until: Instant;
}

export function activeMutes(chat: Chat, now: Instant): readonly ActiveMute[] {
  const of = (
    { mutedUntil, mutedKinds = {} }: Pick<Chat, 'mutedUntil' | 'mutedKinds'>,
    target?: Mutable['target'],
  ): readonly ActiveMute[] =>
    [
      ...(mutedUntil === undefined ? [] : [{ target, until: mutedUntil }]),
      ...Object.entries(mutedKinds).map(([kind, until]) => ({ target, kind, until })),
    ].filter(({ until }) => until > now);
  return [...of(chat), ...chat.entries.flatMap((entry) => of(entry, entry.target))];
}

export const covers = (one: Mutable, other: Mutable): boolean =>
  (one.target === undefined || (other.target !== undefined && targetName(one.target) === targetName(other.target))) &&
  (one.kind === undefined || one.kind === other.kind);

export const isSame = (one: Mutable, other: Mutable): boolean => covers(one, other) && covers(other, one);

/** "this chat", "Tidewater supply alerts", "launches". */
export async function scopeName(
  { target, kind }: Mutable,
  context: Pick<Context, 'directory'>,
): Promise<{ readonly name: string; readonly verb: 'is' | 'are' }> {
  if (target === undefined) return kind === undefined ? { name: 'this chat', verb: 'is' } : { name: `${kind} alerts`, verb: 'are' };
  if (target.kind === 'launches') return { name: 'launches', verb: 'are' };
  const title = await titleOf(target, context);
  if (kind !== undefined) return { name: `${title} ${kind} alerts`, verb: 'are' };
  return { name: title, verb: target.kind === 'all' ? 'are' : 'is' };
}

export async function scopeSubject(about: Mutable, context: Pick<Context, 'directory'>): Promise<string> {
  const { name, verb } = await scopeName(about, context);
  // Names of projects and labels keep their case.
  const own = about.target?.kind === 'project' || about.target?.kind === 'wallet';
  return `${own ? name : name.charAt(0).toUpperCase() + name.slice(1)} ${verb}`;
}
