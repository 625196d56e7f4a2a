/** /unwatch <target>: this chat hears no more of it. */
import { z } from 'zod';
import { calledHere, targetName } from '../src/alerts/entry.js';
import { withoutEntry } from '../src/alerts/watchlists.js';
import { reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import { lineOf } from '../src/dispatch/line.js';
import { counted } from '../src/dispatch/parts.js';
import { entryOf, titleOf } from '../src/dispatch/targets.js';

export default defineCommand({
  name: 'unwatch',
  summary: 'Stop telling this chat about something',
  group: 'watching',
  args: z.object({
    target: z
      .string()
      .trim()
      .min(1)
      .describe('what this chat watches: a project, a wallet, "all" or "launches"')
      .meta({ complete: 'entry' }),
  }),
  examples: ['/unwatch tide', '/unwatch all'],
  manages: true,

  async run({ target: text }, context) {
    const { target } = await entryOf(text, context);
    const after = await context.watchlists.change(context.chat, (chat) => withoutEntry(chat, target));
    const left = after.entries.length;
    return reply({
      tone: 'over',
      finding: [
        { strong: `This chat no longer watches ${await titleOf(target, context)}` },
        left === 0 ? ', nor anything else' : `; ${counted(left, 'entry', 'entries')} left`,
      ],
      actions: [
        { label: 'Watch again', line: lineOf('watch', targetName(target), calledHere(target)) },
        { label: 'Watchlist', line: '/watchlist' },
      ],
    });
  },
});
