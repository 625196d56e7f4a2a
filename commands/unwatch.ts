/** /unwatch [target]: removes an entry from the chat's watchlist. */
import { z } from 'zod';
import { feedOfMarket, projectOfMarket, shortName, targetName, type Target } from '../src/alerts/watchlist/entry.js';
import { entryHere, exceptionsInForce, follows } from '../src/alerts/watchlist/exceptions.js';
import { unwatched, withRemoved } from '../src/alerts/watchlist/watchlists.js';
import { capitalised } from '../src/base/sentence-lists.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { commandLine, counted, line, textOption } from '../src/reply/index.js';
import { changeExceptions } from '../src/dispatch/watchlists/exceptions.js';
import { covering } from '../src/alerts/watchlist/match.js';
import { entryOf, titleOf } from '../src/dispatch/watchlists/targets.js';
import { menusOf, watchlistOf } from '../src/dispatch/watchlists/list.js';

export default defineCommand({
  name: 'unwatch',
  summary: 'Stop alerts about a project, a wallet or all projects',
  group: 'watching',
  elsewhere: true,
  args: z.object({
    target: textOption('what this chat watches: a project, a wallet, "all" or "launches"; without it, a choice').meta({
      complete: 'entry',
      rest: true,
    }),
  }),
  examples: ['/unwatch tide', '/unwatch all', '/unwatch proposal tide audit'],
  phrases: {
    '/unwatch {target}': `unwatch {project} | stop watching {project} | unfollow {project} | remove {project} | drop {project} | exclude {project} | leave out {project} | skip {project} from now on | exclude {project} from everything | stop tracking {project} |
      stop alerts for {project} | take {project} off the list | I don't care about {project} anymore | no more {project} | unsubscribe
      from {project} | stop tracking {wallet} | unwatch {wallet} | remove {wallet} | delete {project} from my watchlist | I don't want
      to hear about {project} anymore | stop telling us about {project} | no more news about {project} | stop {project} | forget
      {project} | we sold {project} stop following it | unfollow {wallet} | untrack {project}`,
    '/unwatch all': `unwatch everything | stop watching all | unwatch all | stop everything | remove all projects | clear the watchlist | unsubscribe
      from everything | stop all of it we don't want to watch any project anymore | stop all following | stop watching anything |
      unfollow all`,
    '/unwatch proposal {project?} {words}': `stop following the audit proposal of {project} | unfollow the {project} audit proposal | stop following the audit vote | unfollow the
      audit vote | stop tracking the buyback vote | no longer follow the hiring vote | I don't want to follow the buyback proposal any
      more | stop watching just the audit proposal | drop the buyback vote | stop following the {project} vote on grants | quit
      following the audit proposal`,
    '/unwatch launches': `stop watching launches | no more launches | unwatch launches | no more launches in this topic | stop news about raises`,
  },
  manages: ({ target }) => target !== undefined,
  changes: ({ target }) => target !== undefined,

  async run({ target: text }, context) {
    if (text === undefined) return choice(context);
    const entry = await entryOf(text, context);
    const { target } = entry;
    if (target.kind === 'project' && follows(entry)) return exclude(target, context);
    const after = await context.watchlists.change(context.chat, (chat) => withRemoved(chat, target));
    const left = after.entries.length;
    const isCovered = target.kind === 'project' && entryHere(after, target) !== undefined;
    const [coveredBy] =
      target.kind === 'market'
        ? covering({ feed: feedOfMarket(target), project: projectOfMarket(target), topic: target.topic }, after)
        : [];
    const cleared = exceptionsInForce(entry, context.now).length;
    return reply({
      tone: 'over',
      finding: [
        { strong: `Stopped watching ${await titleOf(target, context)}` },
        cleared === 0 ? '' : ` and cleared ${counted(cleared, 'exception')}`,
        left === 0 ? `. ${capitalised(context.place)} now watches nothing` : `; ${counted(left, 'entry', 'entries')} left`,
      ],
      blocks: isCovered
        ? [line('Its alerts still come through ', { code: '/watch all' }, '.')]
        : coveredBy === undefined
          ? []
          : [line('Its alerts still come through ', { code: commandLine('watch', targetName(coveredBy.target)) }, '.')],
      actions: [
        { label: 'Undo', line: commandLine('watch', targetName(target), 'undo') },
        ...(isCovered ? [{ label: 'Exclude it', line: commandLine('unwatch', targetName(target)) }] : []),
        { label: 'Watchlist', line: '/watchlist' },
      ],
    });
  },
});

/** Excludes a project that only the entry for all projects covers. */
async function exclude(target: Extract<Target, { kind: 'project' }>, context: Context): Promise<Reply> {
  const { now } = context;
  await changeExceptions(target.slug, (chat) => unwatched(chat, target, now), context);
  return reply({
    tone: 'over',
    finding: [{ strong: `${await titleOf(target, context)} is excluded from /watch all` }, '. Alerts on all other projects continue'],
    actions: [
      { label: 'Undo', line: commandLine('watch', target.slug) },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}

const MAX_BUTTONS = 5;

async function choice(context: Context): Promise<Reply> {
  const { entries } = context.watchlists.read(context.chat);
  if (entries.length === 0) return watchlistOf(context);
  return reply({
    finding: [{ strong: `What should ${context.place} stop watching?` }],
    fields: menusOf(entries, { label: 'Stop watching', command: 'unwatch' }),
    actions: [
      ...entries
        .slice(0, MAX_BUTTONS)
        .map(({ target }) => ({ label: `Unwatch ${shortName(target)}`, line: commandLine('unwatch', targetName(target)) })),
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}
