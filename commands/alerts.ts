/** /alerts [target] [kind] [on|off]: which kinds of news this chat hears, entry by entry. */
import { z } from 'zod';
import { kindsFor, shortName, targetName, type Entry } from '../src/alerts/entry.js';
import { entryFor, withEntry } from '../src/alerts/watchlists.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { lineOf } from '../src/dispatch/line.js';
import { UserMistake } from '../src/dispatch/mistake.js';
import { either } from '../src/dispatch/nearest.js';
import { entryOf, titleOf } from '../src/dispatch/targets.js';

const MOST_BUTTONS = 10;

export default defineCommand({
  name: 'alerts',
  summary: 'Which kinds of news this chat hears',
  group: 'watching',
  args: z.object({
    target: z.string().trim().min(1).optional().describe('what this chat watches').meta({ complete: 'entry' }),
    kind: z.string().optional().describe('the kind of news').meta({ choices: 'kinds' }),
    set: z.enum(['on', 'off']).optional().describe('whether it is told'),
  }),
  examples: ['/alerts', '/alerts tide', '/alerts tide growth off', '/alerts tide growth on'],
  manages: ({ set }) => set !== undefined,

  async run({ target: text, kind, set }, context) {
    const { entries } = context.watchlists.read(context.chat);
    const [only, ...others] = entries;
    if (only === undefined)
      throw new UserMistake('This chat watches nothing yet, so there are no alerts to choose from.', {
        actions: [{ label: 'Watch', line: '/watch' }],
      });
    const entry = text === undefined ? (others.length === 0 ? only : undefined) : await entryOf(text, context);
    if (set === undefined) return entry === undefined ? overview(entries, context) : one(entry, context);
    if (kind === undefined)
      throw new UserMistake(`Which kind should be ${set}? There is ${either(kindsOf(entry === undefined ? entries : [entry], context))}.`, {
        usage: 'alerts',
      });
    if (entry === undefined) throw which({ entries, kind, set });
    return change(entry, { kind, set }, context);
  },
});

/** The kinds that there are of any of these. */
const kindsOf = (entries: readonly Entry[], context: Context): readonly string[] =>
  ids(context).filter((kind) => entries.some(({ target }) => kindsFor(target, [kind]).length > 0));

const ids = ({ kinds }: Context): readonly string[] => kinds.map(({ id }) => id);

const which = ({ entries, kind, set }: { entries: readonly Entry[]; kind: string; set: string }): UserMistake =>
  new UserMistake(`This chat watches several things. For which one should ${kind} be ${set}?`, {
    actions: entries
      .slice(0, MOST_BUTTONS)
      .map(({ target }) => ({ label: shortName(target), line: lineOf('alerts', targetName(target), kind, set) })),
  });

async function change({ target }: Entry, { kind, set }: { kind: string; set: 'on' | 'off' }, context: Context): Promise<Reply> {
  const title = await titleOf(target, context);
  if (!kindsFor(target, ids(context)).includes(kind))
    throw new UserMistake(`There is no ${kind} news of ${title}; it has ${either(kindsFor(target, ids(context)))}.`);
  const after = await context.watchlists.change(context.chat, (chat) => {
    // Read again inside the change: another one may have come first.
    const entry = entryFor(chat, target);
    if (entry === undefined) return chat;
    const rest = entry.off.filter((other) => other !== kind);
    return withEntry(chat, { ...entry, off: set === 'off' ? [...rest, kind] : rest });
  });
  const entry = entryFor(after, target);
  if (entry === undefined) throw new UserMistake(`This chat no longer watches ${title}; somebody has just removed it.`);
  return one(entry, context, `${title}: ${kind} is ${set} now`);
}

/** One entry with a switch for each kind. */
async function one(entry: Entry, context: Context, finding?: string): Promise<Reply> {
  const name = targetName(entry.target);
  const kinds = kindsFor(entry.target, ids(context));
  const told = kinds.filter((kind) => !entry.off.includes(kind));
  return reply({
    finding: [{ strong: finding ?? `${await titleOf(entry.target, context)}: ${told.length} of ${kinds.length} kinds are on` }],
    blocks: [
      {
        kind: 'list',
        items: context.kinds
          .filter(({ id }) => kinds.includes(id))
          .map(({ id, summary }) => ({
            tone: entry.off.includes(id) ? ('over' as const) : ('live' as const),
            line: [{ strong: id }, ` ${entry.off.includes(id) ? 'off' : 'on'}`],
            detail: [summary],
          })),
      },
    ],
    actions: [
      ...kinds.map((kind) => {
        const on = !entry.off.includes(kind);
        return { label: on ? `${kind} off` : `${kind} on`, line: lineOf('alerts', name, kind, on ? 'off' : 'on') };
      }),
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}

/** Every entry against every kind. */
async function overview(entries: readonly Entry[], context: Context): Promise<Reply> {
  const kinds = kindsOf(entries, context);
  const rows = await Promise.all(
    entries.map(async (entry) => [
      await titleOf(entry.target, context),
      ...kinds.map((kind) => (!kindsFor(entry.target, kinds).includes(kind) ? '' : entry.off.includes(kind) ? 'off' : 'on')),
    ]),
  );
  return reply({
    finding: [{ strong: 'What this chat hears' }],
    blocks: [{ kind: 'table', columns: [{ title: 'Watched' }, ...kinds.map((title) => ({ title }))], rows }],
    actions: [
      ...entries.slice(0, MOST_BUTTONS).map(({ target }) => ({ label: shortName(target), line: lineOf('alerts', targetName(target)) })),
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}
