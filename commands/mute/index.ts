/** /mute [target] [kind] <time>: suppresses alerts for a time. */
import { z } from 'zod';
import { muted, unmuted } from '../../src/alerts/watchlist/watchlists.js';
import { requireManager } from '../../src/reply/index.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { readRequest } from './request.js';
import { statePage, mutedPage, unmutedPage } from './pages.js';

export default defineCommand({
  name: 'mute',
  summary: 'Pause alerts for a while or until a date',
  group: 'watching',
  managersOnly: true,
  args: z.object({
    target: z.string().trim().min(1).optional().describe('an entry of the watchlist (default: everything)').meta({ complete: 'entry' }),
    kind: z.string().optional().describe('a kind of alert (default: all)').meta({ choices: 'kinds' }),
    time: z.string().trim().min(1).optional().describe('2h, 3d, 1w, 18:00, tomorrow 9:00, Dec 1, or off').meta({ rest: true }),
  }),
  examples: [
    '/mute 24h',
    '/mute tide 3d',
    '/mute tide supply until Dec 1 18:00',
    '/mute growth tomorrow 9:00',
    '/mute off',
    '/mute tide off',
  ],

  // A time may stand in any of them.
  changes: (options) => Object.keys(options).length > 0,

  async run(options, context) {
    const { until, ...about } = await readRequest(options, context);
    if (until === undefined) return statePage(context.watchlists.read(context.chat), about, context);
    await requireManager(context.asker);
    const { now } = context;
    let before = context.watchlists.read(context.chat);
    const after = await context.watchlists.change(context.chat, (chat) => {
      before = chat;
      return until === 'off' ? unmuted(chat, { ...about, now }) : muted(chat, { ...about, until });
    });
    return until === 'off' ? unmutedPage(before, after, { ...about, context }) : mutedPage(about, { until, context });
  },
});
