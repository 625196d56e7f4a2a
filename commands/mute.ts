/** /mute [target] <time>: holds this chat's alerts back for a while, all of them or those of one entry. */
import { z } from 'zod';
import { targetName, type Target } from '../src/alerts/entry.js';
import { entryFor, mutedUntil, withEntry, type Chat } from '../src/alerts/watchlists.js';
import { DAY, later } from '../src/base/clock.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { lineOf } from '../src/dispatch/line.js';
import { UserMistake } from '../src/dispatch/mistake.js';
import { LONGEST_MUTE, MUTE_TIME, muteTime } from '../src/dispatch/mute-time.js';
import { line } from '../src/dispatch/parts.js';
import { entryOf, titleOf } from '../src/dispatch/targets.js';
import type { Instant } from '../src/domain/scalars.js';

export default defineCommand({
  name: 'mute',
  summary: 'Hold alerts back for a while',
  group: 'watching',
  args: z.object({
    target: z.string().trim().min(1).optional().describe('what this chat watches; without it, everything').meta({ complete: 'entry' }),
    time: z.string().regex(MUTE_TIME).optional().describe('how long, such as 30m, 2h, 3d or 1w, or off'),
  }),
  examples: ['/mute 24h', '/mute tide 3d', '/mute off', '/mute tide off'],
  manages: ({ target, time }) => target !== undefined || time !== undefined,

  async run({ target: text, time }, context) {
    // A length that cannot be read stands where a name would.
    if (time === undefined && text !== undefined && /^[-+]?\d/u.test(text))
      throw new UserMistake(`"${text}" is no length of time I know. Write 30m, 2h, 3d or 1w.`, { usage: 'mute' });
    const target = text === undefined ? undefined : (await entryOf(text, context)).target;
    if (time === undefined) return ask(target, context);
    const length = muteTime(time);
    if (length === undefined)
      throw new UserMistake('A mute needs a length above zero. Write 30m, 2h, 3d or 1w, or "off".', { usage: 'mute' });
    if (length !== 'off' && length > LONGEST_MUTE)
      throw new UserMistake(`A mute lasts at most ${LONGEST_MUTE / DAY} days. To stop for good, use /unwatch.`);
    const until = length === 'off' ? undefined : later(context.now, length);
    const after = await context.watchlists.change(context.chat, (chat) => muted(chat, target, until));
    return told(after, { target, until }, context);
  },
});

/** The chat with its own mute, or an entry's, set or taken away. */
function muted(chat: Chat, target: Target | undefined, until: Instant | undefined): Chat {
  if (target === undefined) return { ...chat, mutedUntil: until };
  const entry = entryFor(chat, target);
  return entry === undefined ? chat : withEntry(chat, { ...entry, mutedUntil: until });
}

async function told(
  chat: Chat,
  { target, until }: { target: Target | undefined; until: Instant | undefined },
  context: Context,
): Promise<Reply> {
  const title = target === undefined ? 'This chat' : await titleOf(target, context);
  const name = target && targetName(target);
  const still = until === undefined && target !== undefined ? mutedUntil(chat, undefined, context.now) : undefined;
  return reply({
    finding:
      until === undefined
        ? [{ strong: `${title} is not muted any more` }]
        : [{ strong: `${title} is muted` }, '; alerts come again ', { at: until }],
    blocks: [
      ...(until === undefined ? [] : [line('What happens until then is held back; /why tells of it.')]),
      ...(still === undefined
        ? []
        : [line('The whole chat is still muted, and alerts come again ', { at: still }, '; ', { code: '/mute off' }, ' ends that.')]),
    ],
    actions: [
      until === undefined
        ? { label: 'Mute 24 h', line: lineOf('mute', name, '24h') }
        : { label: 'Unmute', line: lineOf('mute', name, 'off') },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}

async function ask(target: Target | undefined, context: Context): Promise<Reply> {
  const name = target && targetName(target);
  const chat = context.watchlists.read(context.chat);
  const until = mutedUntil(chat, target && entryFor(chat, target), context.now);
  const title = target === undefined ? 'This chat' : await titleOf(target, context);
  return reply({
    finding:
      until === undefined
        ? [{ strong: `${title} is not muted` }, '. For how long should it be?']
        : [{ strong: `${title} is muted` }, '; alerts come again ', { at: until }],
    actions: [
      ...['1h', '24h', '3d', '1w'].map((time) => ({ label: time, line: lineOf('mute', name, time) })),
      { label: 'Off', line: lineOf('mute', name, 'off') },
    ],
  });
}
