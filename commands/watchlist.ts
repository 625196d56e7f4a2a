/** /watchlist: what this chat watches, since when, and what is off or muted. */
import { z } from 'zod';
import { defineCommand } from '../src/dispatch/command.js';
import { watchlistOf } from '../src/dispatch/watchlist/list.js';

export default defineCommand({
  name: 'watchlist',
  summary: 'What this chat watches',
  group: 'watching',
  args: z.object({}),
  examples: ['/watchlist'],
  run: async (_, context) => watchlistOf(context),
});
