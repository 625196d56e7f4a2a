/** What has to be looked at, because somebody watches it. */
import type { Directory } from '../analytics/directory.js';
import { kindsFor } from '../alerts/entry.js';
import type { Watchlists } from '../alerts/watchlists.js';
import type { Target } from '../alerts/entry.js';
import type { Feed, Subject } from '../feeds/feed.js';

/** One thing to look at with one feed. */
export interface Task {
  readonly feed: Feed;
  readonly subject: Subject;
}

/** The looks an entry for this target asks for, without the kinds it has switched off. */
export async function tasksFor(
  target: Target,
  { feeds, directory, off = [] }: { feeds: readonly Feed[]; directory: Directory; off?: readonly string[] },
): Promise<readonly Task[]> {
  const kinds = kindsFor(
    target,
    feeds.map((feed) => feed.id),
  ).filter((kind) => !off.includes(kind));
  const wanted = feeds.filter((feed) => kinds.includes(feed.id));
  const global = wanted.filter((feed) => feed.scope === 'global').map((feed): Task => ({ feed, subject: 'all' }));
  if (target.kind === 'launches') return global;
  const projects = target.kind === 'all' ? await directory.all() : [await directory.get(target.slug)];
  return [
    ...global,
    ...wanted.filter((feed) => feed.scope === 'project').flatMap((feed) => projects.map((subject): Task => ({ feed, subject }))),
  ];
}

/** The looks all chats together ask for, each once. */
export async function demand({
  watchlists,
  feeds,
  directory,
}: {
  watchlists: Watchlists;
  feeds: readonly Feed[];
  directory: Directory;
}): Promise<readonly Task[]> {
  const entries = watchlists.all().flatMap((chat) => chat.entries);
  const tasks = await Promise.all(entries.map(async (entry) => tasksFor(entry.target, { feeds, directory, off: entry.off })));
  return [...new Map(tasks.flat().map((task) => [taskKey(task), task])).values()];
}

export const taskKey = ({ feed, subject }: Task): string => `${feed.id}/${subject === 'all' ? 'all' : subject.slug}`;
