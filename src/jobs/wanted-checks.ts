/** This module finds the checks that watchlists need. */
import type { Directory } from '../analytics/directory.js';
import { kindsFor, projectOfMarket, SCREENS_FEED, type Target } from '../alerts/watchlist/entry.js';
import type { Audience, Group } from '../alerts/watchlist/subscribers.js';
import { instant, type Instant } from '../base/clock.js';
import { screenKinds } from '../domain/screen.js';
import type { Project } from '../domain/project.js';
import { subjectKey, type Feed, type Subject } from '../feeds/feed.js';
import type { EveryProject } from './every-project.js';

export interface Task {
  readonly feed: Feed;
  readonly subject: Subject;
  /** The default is 1. */
  readonly watchers?: number;
  readonly chats?: readonly Audience[];
  /** Milliseconds; the default is the feed's minimum interval. */
  readonly every?: number;
  /** Older cached responses are not used. */
  readonly notOlderThan?: Instant;
  /** Set for a check that confirms what a list shows, or a known date. It may read no more than that needs. */
  readonly confirms?: { readonly needsHistory: boolean };
  /** When a chat came back. A check that has not been tried since then counts as a first one. */
  readonly returnedAt?: Instant | undefined;
}

export interface DemandContext {
  readonly feeds: readonly Feed[];
  readonly directory: Directory;
  readonly everyProject: EveryProject;
}

/** `certain` is false if the list of projects is unknown. */
export interface Tasks {
  readonly tasks: readonly Task[];
  readonly certain: boolean;
}

/** Returns the checks of a target, by default of all its kinds. */
export async function tasksFor(
  target: Target,
  { feeds, directory, everyProject, kinds }: DemandContext & { readonly kinds?: ReadonlySet<string> },
): Promise<Tasks> {
  if (target.kind === 'screen' && kinds?.has(SCREENS_FEED) === false) return { tasks: [], certain: true };
  const there = kindsOf(
    target,
    feeds.map((feed) => feed.id),
  );
  const wanted = feeds.filter(({ id }) => there.includes(id) && (kinds === undefined || target.kind === 'screen' || kinds.has(id)));
  if (target.kind === 'wallet')
    return { tasks: wanted.map((feed): Task => ({ feed, subject: { address: target.address } })), certain: true };
  const global = wanted.filter((feed) => feed.scope === 'global').map((feed): Task => ({ feed, subject: 'all' }));
  const perProject = wanted.filter((feed) => feed.scope === 'project');
  if (perProject.length === 0) return { tasks: global, certain: true };
  const projects = await projectsOf(target, { directory, everyProject });
  const each = perProject.flatMap((feed) => (projects ?? []).map((subject): Task => ({ feed, subject })));
  return { tasks: [...global, ...each], certain: projects !== undefined };
}

/** Returns the kinds to check for a target. A screen needs the kinds that it filters by, of every project. */
const kindsOf = (target: Target, kinds: readonly string[]): readonly string[] =>
  target.kind === 'screen' ? kinds.filter((kind) => screenKinds(target.filter).includes(kind)) : kindsFor(target, kinds);

async function projectsOf(
  target: Target,
  { directory, everyProject }: Pick<DemandContext, 'directory' | 'everyProject'>,
): Promise<readonly Project[] | undefined> {
  if (target.kind === 'project') return [await directory.get(target.slug)];
  if (target.kind === 'market') {
    const project = projectOfMarket(target);
    return project === undefined ? [] : [await directory.get(project)];
  }
  return target.kind === 'all' || target.kind === 'screen' ? everyProject() : [];
}

/** Returns the checks that all chats need, each once. */
export async function demand({ groups, ...context }: DemandContext & { readonly groups: Iterable<Group> }): Promise<readonly Task[]> {
  const all = await Promise.all(
    [...groups].map(async (group) => {
      const audiences = new Map(context.feeds.map(({ id }) => [id, group.audience(id)]));
      const kinds = new Set([...audiences].flatMap(([kind, { size }]) => (size === 0 ? [] : [kind])));
      const { tasks } = await tasksFor(group.target, { ...context, kinds });
      return tasks.flatMap((task): readonly Task[] => {
        const project = group.target.kind === 'all' ? subjectKey(task.subject) : undefined;
        const chats = audiences.get(task.feed.id) && group.audience(task.feed.id, project);
        if (chats?.size === 0) return [];
        const who = chats === undefined ? {} : { watchers: chats.size, chats: [chats] };
        return [{ ...task, ...who, ...latest(group.returnedAt(task.feed.id, project)) }];
      });
    }),
  );
  const each = new Map<string, Task>();
  for (const task of all.flat()) each.set(taskKey(task), together(task, each.get(taskKey(task))));
  return [...each.values()];
}

function latest(...moments: readonly (Instant | undefined)[]): Pick<Task, 'returnedAt'> & { readonly returnedAt?: Instant } {
  const known = moments.filter((at) => at !== undefined);
  return known.length === 0 ? {} : { returnedAt: instant(Math.max(...known)) };
}

const together = (task: Task, same: Task | undefined): Task =>
  same === undefined
    ? task
    : {
        ...task,
        watchers: (task.watchers ?? 1) + (same.watchers ?? 1),
        chats: [...(same.chats ?? []), ...(task.chats ?? [])],
        ...latest(task.returnedAt, same.returnedAt),
      };

export const taskKey = ({ feed, subject }: Task): string => `${feed.id}/${subjectKey(subject)}`;
