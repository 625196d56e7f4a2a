/** /watch <target> [label]: tells this chat what is new of a project, of a wallet, of all projects, or of the launches. It looks before it answers. */
import { z } from 'zod';
import { calledHere, kindsFor, targetName, type Entry, type Target } from '../src/alerts/entry.js';
import { entryFor, MOST_ENTRIES, withEntry } from '../src/alerts/watchlists.js';
import { SECOND } from '../src/base/clock.js';
import { reply, type Line, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context, FirstLooks } from '../src/dispatch/context.js';
import { lineOf } from '../src/dispatch/line.js';
import { UserMistake } from '../src/dispatch/mistake.js';
import { both } from '../src/dispatch/nearest.js';
import { line, part } from '../src/dispatch/parts.js';
import { targetOf, titleOf } from '../src/dispatch/targets.js';
import { walletsOf } from '../src/dispatch/wallets.js';
import { looksLikeKey, shortKey } from '../src/domain/wallet.js';

/** How long someone waits for the first looks; what takes longer goes on behind the answer. */
const PATIENCE = 5 * SECOND;

export default defineCommand({
  name: 'watch',
  summary: 'Tell this chat what is new of a project, a wallet, all projects or the launches',
  group: 'watching',
  args: z.object({
    target: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('a project, a wallet’s public key, "all" or "launches"')
      .meta({ complete: 'project' }),
    label: z.string().trim().min(1).optional().describe('what this chat calls a wallet').meta({ rest: true }),
  }),
  examples: ['/watch tide', '/watch all', '/watch launches', '/watch 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd fund-1'],
  manages: ({ target }) => target !== undefined,

  async run({ target: text, label }, context) {
    if (text === undefined) return howTo();
    const target = await labelled(text, label, context);
    const title = await titleOf(target, context);
    const before = context.watchlists.read(context.chat);
    const standing = entryFor(before, target);
    if (standing) return (await renamed(standing, target, context)) ?? already(await titleOf(standing.target, context), standing);
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

/** The longest label: it stands in headlines. */
const LONGEST_LABEL = 40;

/** The target, a wallet with its label. Anything else has a name of its own, so words behind it belong to that name. */
async function labelled(text: string, label: string | undefined, context: Context): Promise<Target> {
  const target = await targetOf(label === undefined || looksLikeKey(text) ? text : `${text} ${label}`, context);
  if (target.kind !== 'wallet' || label === undefined) return target;
  if (label.length > LONGEST_LABEL)
    throw new UserMistake(`A label has at most ${LONGEST_LABEL} characters; that one has ${label.length}. Choose a shorter one.`);
  if (RESERVED.has(label.toLowerCase()) || looksLikeKey(label))
    throw new UserMistake(`“${label}” cannot be a label, because it means something else to me. Choose another one.`);
  const projects = (await part(context.directory.all())).answer ?? [];
  const own = projects.find(({ slug, symbol, name }) => [slug, symbol, name].some((one) => one?.toLowerCase() === label.toLowerCase()));
  if (own !== undefined) throw new UserMistake(`“${label}” cannot be a label, because a project is called so. Choose another one.`);
  const taken = walletsOf(context.watchlists.read(context.chat)).find(
    (other) => other.address !== target.address && other.label?.toLowerCase() === label.toLowerCase(),
  );
  if (taken !== undefined)
    throw new UserMistake(`“${label}” is the label of wallet ${shortKey(taken.address)} here already. Choose another one.`);
  return { ...target, label };
}

const RESERVED: ReadonlySet<string> = new Set(['all', 'launches']);

/** A wallet that is watched already gets its new label; everything else of its entry stays. */
async function renamed(standing: Entry, target: Target, context: Context): Promise<Reply | undefined> {
  if (target.kind !== 'wallet' || target.label === undefined || calledHere(standing.target) === target.label) return undefined;
  const old = await titleOf(standing.target, context);
  await context.watchlists.change(context.chat, (chat) => {
    const entry = entryFor(chat, target);
    return entry === undefined ? chat : withEntry(chat, { ...entry, target });
  });
  return reply({ finding: [{ strong: `This chat calls ${old} “${target.label}” from now on` }], actions: actionsFor(target) });
}

const howTo = (): Reply =>
  reply({
    finding: [{ strong: 'What should this chat hear about?' }],
    blocks: [
      {
        kind: 'list',
        items: [
          { line: [{ code: '/watch tide' }, ': one project, by slug, symbol or name'] },
          { line: [{ code: '/watch <public key> fund-1' }, ': one wallet, under a label of yours'] },
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
  ...(target.kind === 'wallet' ? [{ label: 'Wallet', line: lineOf('wallet', target.address) }] : []),
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
