/** What this chat watches, since when, and what is off or muted. */
import { kindsFor, shortName, targetName, type Entry } from '../../alerts/entry.js';
import { mutedUntil } from '../../alerts/watchlists.js';
import { reply, type Reply } from '../../chat/reply.js';
import type { Context } from '../context.js';
import { lineOf } from '../line.js';
import { both } from '../nearest.js';
import { counted, dotted, line } from '../parts.js';
import { titleOf } from '../targets.js';

/** More buttons than this are no help; the lines they stand for can be typed. */
const MOST_BUTTONS = 5;

export async function watchlistOf(context: Context): Promise<Reply> {
  const chat = context.watchlists.read(context.chat);
  const { entries } = chat;
  if (entries.length === 0) {
    return reply({
      finding: [{ strong: 'This chat watches nothing yet' }],
      actions: [
        { label: 'Watch all', line: '/watch all' },
        { label: 'Watch launches', line: '/watch launches' },
      ],
    });
  }
  const quiet = mutedUntil(chat, undefined, context.now);
  const items = await Promise.all(
    entries.map(async (entry) => ({ line: [{ strong: await titleOf(entry.target, context) }], detail: detail(entry, context) })),
  );
  return reply({
    finding: [
      { strong: `This chat watches ${counted(entries.length, 'thing')}` },
      ...(quiet === undefined ? [] : ['; muted, alerts come again ', { at: quiet }]),
    ],
    blocks: [
      { kind: 'list', items },
      ...(entries.length > MOST_BUTTONS
        ? [
            line('Each can be changed: ', { code: '/unwatch <name>' }, ', ', { code: '/alerts <name>' }, ', ', {
              code: '/mute <name> 24h',
            }),
          ]
        : []),
    ],
    actions: [
      ...entries
        .slice(0, MOST_BUTTONS)
        .map(({ target }) => ({ label: `Unwatch ${shortName(target)}`, line: lineOf('unwatch', targetName(target)) })),
      { label: 'Alert kinds', line: '/alerts' },
      quiet === undefined ? { label: 'Mute 24 h', line: '/mute 24h' } : { label: 'Unmute', line: '/mute off' },
    ],
  });
}

function detail(entry: Entry, { kinds, now }: Context) {
  const wanted = kindsFor(
    entry.target,
    kinds.map(({ id }) => id),
  ).filter((kind) => !entry.off.includes(kind));
  const off = entry.off.length === 0 ? undefined : `off: ${both(entry.off)}`;
  const muted = entry.mutedUntil !== undefined && entry.mutedUntil > now ? entry.mutedUntil : undefined;
  return dotted(
    wanted.length === 0 ? 'every kind is off' : both(wanted),
    off,
    muted === undefined ? undefined : ['muted, alerts come again ', { at: muted }],
    ['set up ', { at: entry.since }, ` by ${entry.by}`],
  );
}
