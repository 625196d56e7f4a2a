/** What a person names when they speak of watching: a project, all of them, or the launches; and the entries of a chat by the same words. */
import { targetName, type Entry, type Target } from '../alerts/entry.js';
import { AnalyticsError } from '../analytics/errors.js';
import { UserMistake } from './mistake.js';
import { lineOf } from './line.js';
import type { Context } from './context.js';

/** The target a text names. Rejects with an `UnknownProjectError` when no project is called so. */
export async function targetOf(text: string, { directory, signal }: Pick<Context, 'directory' | 'signal'>): Promise<Target> {
  const word = text.toLowerCase();
  if (word === 'all' || word === 'launches') return { kind: word };
  return { kind: 'project', slug: (await directory.find(text, signal)).slug };
}

/** A target in words: "Tidewater", "all projects", "launches". */
export async function titleOf(target: Target, { directory }: Pick<Context, 'directory'>): Promise<string> {
  if (target.kind === 'launches') return 'launches';
  if (target.kind === 'all') return 'all projects';
  return (await directory.get(target.slug)).name;
}

/** The chat's entry that a text names. Works from the list alone when the service is down. Rejects with a `UserMistake` when there is none. */
export async function entryOf(text: string, context: Context): Promise<Entry> {
  const { entries } = context.watchlists.read(context.chat);
  const exact = entries.find((entry) => targetName(entry.target).toLowerCase() === text.toLowerCase());
  if (exact) return exact;
  const target = await targetOf(text, context).catch((error: unknown) => {
    if (error instanceof AnalyticsError) return undefined;
    throw error;
  });
  const found = target && entries.find((entry) => targetName(entry.target) === targetName(target));
  if (found) return found;
  throw new UserMistake(`This chat does not watch ${target === undefined ? `"${text}"` : await titleOf(target, context)}.`, {
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      ...(target === undefined ? [] : [{ label: 'Watch', line: lineOf('watch', targetName(target)) }]),
    ],
  });
}
