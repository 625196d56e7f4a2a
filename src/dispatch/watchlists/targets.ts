/** Resolves names to targets and entries. */
import { brief } from '../../base/one-line.js';
import { calledHere, targetName, type Entry, type Target } from '../../alerts/watchlist/entry.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import { AnalyticsError } from '../../analytics/errors.js';
import { UserError, commandLine, checkedWallet, nameOfWallet } from '../../reply/index.js';
import type { Context } from '../context.js';
import { looksLikeKey } from '../../domain/wallet.js';

/** Wallets need the whole public key. Rejects with an `UnknownProjectError`. */
export async function targetOf(text: string, { directory, signal }: Pick<Context, 'directory' | 'signal'>): Promise<Target> {
  const word = text.toLowerCase();
  if (word === 'all' || word === 'launches') return { kind: word };
  // Public keys are validated without a request. A project with such a name is in the directory already.
  if (looksLikeKey(text) && !(await directory.named(text)).some(({ slug }) => slug.toLowerCase() === word))
    return { kind: 'wallet', address: checkedWallet(text) };
  return { kind: 'project', slug: (await directory.find(text, signal)).slug };
}

export async function titleOf(target: Target, { directory }: Pick<Context, 'directory'>): Promise<string> {
  if (target.kind === 'launches') return 'launches';
  if (target.kind === 'all') return 'all projects';
  if (target.kind === 'wallet') return nameOfWallet(target);
  return (await directory.get(target.slug)).name;
}

export function entryNamed(text: string, { entries }: Pick<Chat, 'entries'>): Entry | undefined {
  const isCalled = (name: string | undefined): boolean => name?.toLowerCase() === text.toLowerCase();
  return (
    entries.find(({ target }) => targetName(target) === text) ??
    entries.find(({ target }) => isCalled(target.kind === 'wallet' ? calledHere(target) : targetName(target)))
  );
}

/** Rejects with a `UserError`. */
export async function entryOf(text: string, context: Context): Promise<Entry> {
  const { entries } = context.watchlists.read(context.chat);
  const named = entryNamed(text, { entries });
  if (named) return named;
  const target = await targetOf(text, context).catch((error: unknown) => {
    if (error instanceof AnalyticsError) return undefined;
    throw error;
  });
  const found = target && entries.find((entry) => targetName(entry.target) === targetName(target));
  if (found) return found;
  const title = target === undefined ? `"${brief(text)}"` : await titleOf(target, context);
  const throughAll = target?.kind === 'project' && entries.some((entry) => entry.target.kind === 'all');
  const says = throughAll
    ? `${title} is covered by the entry for all projects. Watch it separately to set its own alerts.`
    : `This chat does not watch ${title}.`;
  throw new UserError(says, {
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      ...(target === undefined ? [] : [{ label: 'Watch', line: commandLine('watch', targetName(target)) }]),
    ],
  });
}
