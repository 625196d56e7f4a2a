/** /watch <target>: tells this chat what is new of a project, of all of them, or of the launches. It looks before it answers. */
import { z } from 'zod';
import { kindsFor, targetName, type Entry, type Target } from '../src/alerts/entry.js';
import { entryFor, MOST_ENTRIES, withEntry } from '../src/alerts/watchlists.js';
import { SECOND } from '../src/base/clock.js';
import { reply, type Line, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context, FirstLooks } from '../src/dispatch/context.js';
import { lineOf } from '../src/dispatch/line.js';
import { UserMistake } from '../src/dispatch/mistake.js';
import { both } from '../src/dispatch/nearest.js';
import { line } from '../src/dispatch/parts.js';
import { targetOf, titleOf } from '../src/dispatch/targets.js';

/** How long someone waits for the first looks; what takes longer goes on behind the answer. */
const PATIENCE = 5 * SECOND;

export default defineCommand({
  name: 'watch',
  summary: 'Tell this chat what is new of a project, of all, or of the launches',
  group: 'watching',
  args: z.object({
    target: z.string().trim().min(1).optional().describe('a project, "all" for every one, or "launches"').meta({ complete: 'project' }),
  }),
  examples: ['/watch tide', '/watch all', '/watch launches'],
  manages: ({ target }) => target !== undefined,

  async run({ target: text }, context) {
    if (text === undefined) return howTo();
    const target = await targetOf(text, context);
    const title = await titleOf(target, context);
    const before = context.watchlists.read(context.chat);
    const standing = entryFor(before, target);
    if (standing) return already(title, standing);
    await checkRight(target, context);

    const entry: Entry = { target, since: context.now, by: context.asker.name, off: [] };
    // Two people may do this at once, so what decides is the list at the moment it is changed.
    const after = await context.watchlists.change(context.chat, (chat) =>
      entryFor(chat, target) !== undefined || chat.entries.length >= MOST_ENTRIES ? chat : withEntry(chat, entry),
    );
    const stands = entryFor(after, target);
    if (stands === undefined) throw full();
    if (stands !== entry) return already(title, stands);
    return begun(target, title, { context, looks: await context.looks.make(target, PATIENCE) });
  },
});

const howTo = (): Reply =>
  reply({
    finding: [{ strong: 'What should this chat hear about?' }],
    blocks: [
      {
        kind: 'list',
        items: [
          { line: [{ code: '/watch tide' }, ': one project, by slug, symbol or name'] },
          { line: [{ code: '/watch all' }, ': every project'] },
          { line: [{ code: '/watch launches' }, ': what raises money'] },
        ],
      },
    ],
    actions: [
      { label: 'Watch all', line: '/watch all' },
      { label: 'Watch launches', line: '/watch launches' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });

async function checkRight(target: Target, { probe }: Context): Promise<void> {
  const { missing } = await probe();
  if (missing.length === 0) return;
  throw new UserMistake([
    'I cannot post alerts here: I lack ',
    { strong: both(missing) },
    '. Give it to me, then run ',
    { code: lineOf('watch', targetName(target)) },
    ' again.',
  ]);
}

const full = (): UserMistake =>
  new UserMistake(
    `This chat watches ${MOST_ENTRIES} things already, which is the most. Remove one with /unwatch, or watch everything with /watch all.`,
    {
      actions: [{ label: 'Watchlist', line: '/watchlist' }],
    },
  );

const actionsFor = (target: Target) => [
  { label: 'Alert kinds', line: lineOf('alerts', targetName(target)) },
  { label: 'Watchlist', line: '/watchlist' },
  { label: 'Unwatch', line: lineOf('unwatch', targetName(target)) },
];

const already = (title: string, { target, since, by }: Entry): Reply =>
  reply({
    finding: [{ strong: `This chat watches ${title} already` }, ', set up ', { at: since }, ` by ${by}`],
    actions: actionsFor(target),
  });

interface Begun {
  readonly context: Context;
  readonly looks: Awaited<ReturnType<FirstLooks['make']>>;
}

const begun = (target: Target, title: string, { context, looks }: Begun): Reply =>
  reply({
    tone: 'live',
    finding: [{ strong: `This chat now watches ${title}` }],
    blocks: [line(told(target, context.kinds)), line(...whatWasSeen(looks))],
    actions: actionsFor(target),
  });

/** The kinds of news an entry begins with: all that there are for its target. */
const told = (target: Target, kinds: Context['kinds']): string =>
  `Told here: ${both(
    kindsFor(
      target,
      kinds.map(({ id }) => id),
    ),
  )}.`;

/** What stands there at the first look is stored and never told; only what comes after it is news. */
function whatWasSeen({ done, pending, failed }: Begun['looks']): Line {
  const total = done + pending + failed;
  if (pending > 0)
    return [
      `I have looked at ${done} of ${total} so far and go on in the background. What stands there at the first look is stored, not told; you hear what comes after.`,
    ];
  if (failed > 0)
    return [
      `${failed} of ${total} first looks failed; I try again at the next round, and that look is silent too. /status shows how the service is.`,
    ];
  return ['I have looked: what stands there now is stored, and you hear only what is new from here on.'];
}
